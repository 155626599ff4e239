"""How much memory there is, and whether a job fits."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

from floatframe.errors import ModelError

_MEGABYTE = 1 << 20


def available_bytes() -> int | None:
    """Memory free for new work, or None where the system does not report it."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return int(os.sysconf("SC_AVPHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return None


def give_back() -> None:
    """Let the allocator return freed memory to the system, where it keeps it for itself and offers a call."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def require_room(needed: int, limit: int | None, what: str, cure: str) -> None:
    """Raise ModelError at once if a job needs more bytes than there are."""
    room = available_bytes() if limit is None else limit
    if room is not None and needed > room:
        raise ModelError(
            f"{what} needs about {needed / _MEGABYTE:.0f} MB, {room / _MEGABYTE:.0f} MB are available; {cure}."
        )
