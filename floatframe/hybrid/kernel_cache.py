"""Whether the kernels have been compiled on this machine; the first time takes a while, later they load from disk."""

from __future__ import annotations

from pathlib import Path


def kernels_are_compiled() -> bool:
    """Whether compiled kernels lie in the cache on disk."""
    from floatframe.hybrid._kernels_system import evaluate

    folder, name = Path(evaluate.stats.cache_path), evaluate.__module__.rpartition(".")[2]
    return any(folder.glob(f"{name}.{evaluate.__name__}-*.nbi"))
