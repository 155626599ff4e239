"""The compiled kernels on disk: whether they are there."""

from __future__ import annotations


def kernels_are_compiled() -> bool:
    """Whether the compiled evaluation lies in the cache on disk."""
    from floatframe.hybrid.kernels.system import evaluate

    return evaluate.is_compiled()
