"""Memory that is not needed any more goes back to the system after large work."""

from __future__ import annotations

import ctypes
import gc
import sys

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of the C library of Linux
_LARGE = 2**20  # bytes


def _of_library(name: str) -> object | None:
    """Return a function of the C library of Linux, None elsewhere and where the library has none of that name."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def keep_large_apart() -> None:
    """Have the system give large arrays memory of their own: among others, what is freed stays with the process."""
    mallopt = _of_library("mallopt")
    if callable(mallopt):
        mallopt(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Return freed memory to the system; the C library of Linux else keeps what threads had.

    Runs that were closed refer to themselves, and hold their arrays until they are collected.
    """
    gc.collect(1)  # what is older was there before
    trim = _of_library("malloc_trim")
    if callable(trim):
        trim(0)
