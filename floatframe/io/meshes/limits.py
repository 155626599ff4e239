"""Limits on readers of other people: a few bytes in a damaged mesh may ask for terabytes, or for years.

While the block lasts, the process gets memory and processor time in proportion to the size of the file.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from floatframe.errors import ReadError

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_MEMORY, _TIMES = 1 << 30, 200  # bytes for any file, and for each of its bytes
_SECONDS, _PER_BYTE = 10, 1e-5  # s of processor time likewise
_STATM = Path("/proc/self/statm")


@contextmanager
def limited(path: Path) -> Iterator[None]:
    """Let a file be read within limits that fit its size; beyond them a ReadError says so."""
    size = path.stat().st_size
    try:
        with _memory(_MEMORY + _TIMES * size), _time(_SECONDS + _PER_BYTE * size):
            yield
    except MemoryError as error:
        raise _beyond(path, size, f"more than {(_MEMORY + _TIMES * size) / 1e9:.1f} GB of memory") from error
    except _Late as error:
        raise _beyond(path, size, f"more than {_SECONDS + _PER_BYTE * size:.0f} s of processor time") from error


class _Late(BaseException):
    """The time is over; not an Exception, which a reader might catch."""


def _beyond(path: Path, size: int, what: str) -> ReadError:
    return ReadError(
        f"'{path}' would take {what} to read, though it has {size} bytes; its counts are damaged, or it is packed "
        "beyond measure. Write it again, without compression."
    )


@contextmanager
def _memory(most: int) -> Iterator[None]:
    """Limit the memory of the process beyond what it has now, on systems that report and limit it."""
    if resource is None or not _STATM.exists():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    allowed = int(_STATM.read_text().split()[0]) * resource.getpagesize() + most
    known = [limit for limit in before if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([allowed, *known]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _time(most: float) -> Iterator[None]:
    """Limit the processor time, where there are timers and this is the thread that hears them."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
