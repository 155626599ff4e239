"""The compiled kernels on disk: whether they are there; a user who waits for the first compilation is informed."""

from __future__ import annotations

import sys
from typing import Any

from floatframe.compiled import is_compiled


def kernels_are_compiled() -> bool:
    """Whether the compiled evaluation lies in the cache on disk."""
    from floatframe.hybrid.kernels.system import evaluate

    return is_compiled(evaluate)


def announce(kernel: Any, what: str) -> None:
    """Say that a kernel is compiled now if it is, to those who wait: on a terminal or in a notebook, not in a pipe."""
    if not is_compiled(kernel) and (sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")):
        sys.stderr.write(f"floatframe: compiling {what}\n")
        sys.stderr.flush()
