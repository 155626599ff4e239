"""The kernel of networks compiled before it is needed."""

from __future__ import annotations

from floatframe.network.kernels import run


def warm_up() -> None:
    """Compile the steps of small networks unless they lie on the disk."""
    run.load()
