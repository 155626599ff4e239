"""Memory of a benchmark's child process."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np

_WARM = 2 << 30  # bytes touched before a measurement


def resident() -> int:
    """Memory [bytes] this process holds."""
    return _status("VmRSS")


def peak() -> int:
    """Most memory [bytes] this process has held since its start or the last `forget_peak`."""
    return _status("VmHWM")


def warm_memory() -> None:
    """Touch and free some memory: a virtual machine gets it from its host only then, at a price that is not ours."""
    np.ones(_WARM // 8).sum()


def forget_peak() -> None:
    """Reset the peak, where the system allows it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return 1024 * int(line.split()[1])
    return 0
