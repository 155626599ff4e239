"""The compiled kernels on disk: whether they are there, and whether they are younger than their sources.

A user who waits for the first compilation is informed.

Numba looks only at the file of the kernel that is called, not at the files of the kernels inside it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from numba.core.caching import _CacheLocator

HOME = Path(__file__).parent


def kernels_are_compiled() -> bool:
    """Whether the compiled evaluation lies in the cache on disk."""
    from floatframe.hybrid.kernels.system import evaluate

    return is_compiled(evaluate)


def is_compiled(kernel: Any) -> bool:
    """Whether the compiled form of a kernel lies in the cache on disk."""
    return bool(_indexes(kernel))


def forget_stale(kernel: Any, home: Path = HOME) -> None:
    """Remove compiled forms of a kernel and of those beside it from the disk if any source is younger.

    Those beside it too: a kernel compiled again would take the old forms of the kernels inside it.
    home: the folder of all kernels, with its subfolders.
    """
    sources = list(home.rglob("*.py"))
    youngest = max(source.stat().st_mtime for source in sources)
    for index in {index for source in sources for index in _cache_of(source, kernel).glob("*.nbi")}:
        if index.stat().st_mtime < youngest:
            index.unlink(missing_ok=True)


def _cache_of(source: Path, kernel: Any) -> Path:
    """Return the folder that Numba keeps the compiled forms of a source in: beside it, or where this kernel's are."""
    own = Path(kernel.stats.cache_path)
    if own.name == "__pycache__":
        return source.parent / "__pycache__"
    return own.parent / _CacheLocator.get_suitable_cache_subpath(str(source))


def announce(kernel: Any, what: str) -> None:
    """Say that a kernel is compiled now if it is, to those who wait: on a terminal or in a notebook, not in a pipe."""
    if not is_compiled(kernel) and (sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")):
        sys.stderr.write(f"floatframe: compiling {what}\n")
        sys.stderr.flush()


def _indexes(kernel: Any) -> list[Path]:
    folder, module = Path(kernel.stats.cache_path), kernel.__module__.rpartition(".")[2]
    return list(folder.glob(f"{module}.{kernel.__name__}-*.nbi"))
