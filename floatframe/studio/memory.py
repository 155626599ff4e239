"""Memory that is not needed any more goes back to the system after large work."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return freed memory to the system; the C library of Linux else keeps what threads had."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # that of other C libraries has none
    if trim is not None:
        trim(0)
