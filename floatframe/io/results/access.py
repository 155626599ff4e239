"""Looking into a result file that may be in the making, or was when its writer died.

HDF5 marks a file that is being written and lets such a file be read only in a mode that repeats a failed read for
years; a damaged or carelessly copied file would hang the program. So a marked file is shown to HDF5 through a view
without the mark and with the true length, and what fails because a writer was just at work is tried again a few times.
"""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import h5py

from floatframe.errors import ReadError

T = TypeVar("T")

_TRIES = 12
_PAUSE = 0.01  # s, growing with every try: half a second in all

# superblock of version 3: signature, version, two sizes, mark, four addresses (the third is the end), checksum
_SUPERBLOCK = struct.Struct("<8sBBBB4QI")
_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_HASHED = _SUPERBLOCK.size - 4


def look(path: Path, take: Callable[[h5py.File], T]) -> T:
    """Return what `take` finds in a file; it is called again if a writer came in between."""
    for attempt in range(_TRIES):
        try:
            with _opened(path) as file:
                return take(file)
        except (EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, OverflowError, MemoryError) as error:
            busy = isinstance(error, BlockingIOError) or _is_marked(path)
            if not busy or attempt == _TRIES - 1:
                raise ReadError(f"'{path}' is not a readable result file: {_first_line(error)}.") from error
            time.sleep(_PAUSE * (attempt + 1))
    raise AssertionError("the last attempt returns or raises")


def was_closed(file: h5py.Group) -> bool:
    """Whether the writer of a file that is looked at has ended in order; what it left must then be sound."""
    return bool(file.file.driver != "fileobj")


def _opened(path: Path) -> h5py.File:
    if _is_marked(path):
        return h5py.File(_UnmarkedView(path), "r")
    return h5py.File(path, "r")


def _is_marked(path: Path) -> bool:
    """Whether a file says that it is being written."""
    try:
        with open(path, "rb") as file:
            start = file.read(_SUPERBLOCK.size)
    except OSError:
        return False
    return len(start) == _SUPERBLOCK.size and start.startswith(_SIGNATURE + b"\x03") and start[11] != 0


class _UnmarkedView(io.RawIOBase):
    """A file as HDF5 would find it had its writer closed it: no mark, and the end where the file ends."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115  # closed with the view
        length = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)
        parts = list(_SUPERBLOCK.unpack(self._file.read(_SUPERBLOCK.size)))
        if parts[-1] != _lookup3(_SUPERBLOCK.pack(*parts)[:_HASHED]):
            raise OSError("its first block is damaged")
        parts[4], parts[7] = 0, length
        self._start = _SUPERBLOCK.pack(*parts[:-1], _lookup3(_SUPERBLOCK.pack(*parts)[:_HASHED]))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        place = self._file.tell()
        count = self._file.readinto(buffer)
        if count < memoryview(buffer).nbytes:
            raise EOFError("it ends before its data are complete")  # HDF5 would take what is in memory there
        if place < len(self._start):
            part = self._start[place : place + count]
            memoryview(buffer).cast("B")[: len(part)] = part
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _lookup3(data: bytes) -> int:
    """Return the checksum of HDF5's structures, Jenkins' lookup3, for a whole number of 32-bit words."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    words += [0] * (-len(words) % 3)
    a = b = c = (0xDEADBEEF + len(data)) & 0xFFFFFFFF

    def turned(x: int, k: int) -> int:
        return ((x << k) | (x >> (32 - k))) & 0xFFFFFFFF

    for k in range(0, len(words), 3):
        a, b, c = ((x + word) & 0xFFFFFFFF for x, word in zip((a, b, c), words[k : k + 3], strict=True))
        if k < len(words) - 3:  # mix; the variables change places with every turn
            for by in (4, 6, 8, 16, 19, 4):
                a = ((a - c) & 0xFFFFFFFF) ^ turned(c, by)
                c = (c + b) & 0xFFFFFFFF
                a, b, c = b, c, a
    for by in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - turned(b, by)) & 0xFFFFFFFF
        a, b, c = b, c, a
    return b  # the variables have changed places a seventh time


def _first_line(error: BaseException) -> str:
    return (str(error).strip("'\"").splitlines() or [type(error).__name__])[0]
