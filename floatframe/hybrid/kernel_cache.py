"""The compiled kernels on disk: whether they are there, and whether they are younger than their sources.

Numba looks only at the file of the kernel that is called, not at the files of the kernels inside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from floatframe.hybrid.stepping import RUNGE_KUTTA_STAGES, TASK_EXPLICIT, TASK_IMPLICIT

NUMBERS = ("layout", "stepping", "probes")  # modules whose constants the kernels were compiled with


def kernels_are_compiled() -> bool:
    """Whether the compiled evaluation lies in the cache on disk."""
    from floatframe.hybrid._kernels_system import evaluate

    return bool(_indexes(evaluate))


def integrator_is_compiled(method: str) -> bool:
    """Whether the compiled steps of a method lie in the cache on disk."""
    from floatframe.hybrid._kernels_entry import kernel

    return bool(_indexes(kernel(TASK_EXPLICIT if method in RUNGE_KUTTA_STAGES else TASK_IMPLICIT)))


def forget_stale(kernel: Any) -> None:
    """Remove the compiled form of a kernel from the disk if any source beside it is younger."""
    folder = Path(kernel.py_func.__code__.co_filename).parent
    sources = [*folder.glob("_kernels_*.py"), *(folder / f"{name}.py" for name in NUMBERS)]
    youngest = max(source.stat().st_mtime for source in sources)
    for index in _indexes(kernel):
        if index.stat().st_mtime < youngest:
            index.unlink(missing_ok=True)


def _indexes(kernel: Any) -> list[Path]:
    folder, module = Path(kernel.stats.cache_path), kernel.__module__.rpartition(".")[2]
    return list(folder.glob(f"{module}.{kernel.__name__}-*.nbi"))
