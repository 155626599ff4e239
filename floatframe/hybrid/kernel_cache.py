"""The compiled kernels on disk: whether they are there, and whether they are younger than their sources.

A user who waits for the first compilation is told about it.

Numba looks only at the file of the kernel that is called, not at the files of the kernels inside it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

NUMBERS = ("layout", "stepping", "probes")  # modules whose constants the kernels were compiled with


def kernels_are_compiled() -> bool:
    """Whether the compiled evaluation lies in the cache on disk."""
    from floatframe.hybrid._kernels_system import evaluate

    return is_compiled(evaluate)


def is_compiled(kernel: Any) -> bool:
    """Whether the compiled form of a kernel lies in the cache on disk."""
    return bool(_indexes(kernel))


def forget_stale(kernel: Any) -> None:
    """Remove compiled forms of a kernel and of those beside it from the disk if any source is younger.

    Those beside it too: a kernel compiled anew would take the old forms of the kernels inside it.
    """
    folder = Path(kernel.py_func.__code__.co_filename).parent
    sources = [*folder.glob("_kernels_*.py"), *(folder / f"{name}.py" for name in NUMBERS)]
    youngest = max(source.stat().st_mtime for source in sources)
    for index in Path(kernel.stats.cache_path).glob("_kernels_*.nbi"):
        if index.stat().st_mtime < youngest:
            index.unlink(missing_ok=True)


def announce(kernel: Any, what: str) -> None:
    """Say that a kernel is compiled now if it is, to those who wait: on a terminal or in a notebook, not in a pipe."""
    if not is_compiled(kernel) and (sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")):
        sys.stderr.write(f"floatframe: compiling {what}\n")
        sys.stderr.flush()


def _indexes(kernel: Any) -> list[Path]:
    folder, module = Path(kernel.stats.cache_path), kernel.__module__.rpartition(".")[2]
    return list(folder.glob(f"{module}.{kernel.__name__}-*.nbi"))
