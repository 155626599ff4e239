"""A file that HDF5 writes into and that never fails it.

A write that fails inside HDF5 cannot be undone: it fails again when the file is closed and once more when the program
ends, where it takes the process down. Here HDF5 sees a file object whose writes always succeed. What the disk refuses
is kept in memory, where HDF5 finds it again, and the first refusal is raised by us when HDF5 has closed the file.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py

from floatframe.io.atomic import reserve

_PAGE = 65536  # bytes of what is kept in memory


@contextmanager
def sound_hdf5(path: Path, room: int = 0, **options: Any) -> Iterator[h5py.File]:
    """Make an HDF5 file under a name that exists already; raises OSError at the end if the disk did not take it all.

    room: bytes that the file will need at least, refused at once where there is no space for them.
    """
    with Sink(path) as sink:
        sink.reserve(room)
        with h5py.File(sink, "w", libver=("v110", "v110"), **options) as file:
            yield file
        if sink.failure is not None:
            raise sink.failure


class Sink(io.RawIOBase):
    """A file for HDF5 whose writes never fail; the first failure is in `failure`."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        self._place = self._length = 0
        self._refused: dict[int, bytearray] = {}  # pages that the disk did not take
        self.failure: OSError | None = None

    def reserve(self, room: int) -> None:
        """Have space for so many bytes, which HDF5 cuts to what it needs when it closes the file."""
        if room:
            reserve(self._handle, 0, room)

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._length}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        found = self._pages(self._place, len(view)) if self._refused else self._from_disk(self._place, len(view))
        view[: len(found)] = found
        self._place += len(found)
        return len(found)

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        if self.failure is None:
            try:
                self._to_disk(view, self._place)
            except OSError as error:
                self.failure = error
        if self.failure is not None:
            self._keep(view, self._place)
        self._place += len(view)
        self._length = max(self._length, self._place)
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        size = self._place if size is None else size
        if self.failure is None:
            try:
                os.ftruncate(self._handle, size)
            except OSError as error:
                self.failure = error
        self._length = size
        return size

    def flush(self) -> None:
        """All writes are with the system already."""

    def close(self) -> None:
        if not self.closed:
            os.close(self._handle)
        super().close()

    def _to_disk(self, view: memoryview, place: int) -> None:
        while view:
            os.lseek(self._handle, place, os.SEEK_SET)
            done = os.write(self._handle, view)
            view, place = view[done:], place + done

    def _from_disk(self, place: int, count: int) -> bytes:
        os.lseek(self._handle, place, os.SEEK_SET)
        parts = []
        while count > 0 and (part := os.read(self._handle, count)):
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _page(self, number: int) -> bytearray:
        if number not in self._refused:
            self._refused[number] = bytearray(self._from_disk(number * _PAGE, _PAGE).ljust(_PAGE, b"\0"))
        return self._refused[number]

    def _keep(self, view: memoryview, place: int) -> None:
        while view:
            number, start = divmod(place, _PAGE)
            part = view[: _PAGE - start]
            self._page(number)[start : start + len(part)] = part
            view, place = view[len(part) :], place + len(part)

    def _pages(self, place: int, count: int) -> bytes:
        first, start = divmod(place, _PAGE)
        last = (place + count - 1) // _PAGE
        whole = b"".join(
            self._refused[k] if k in self._refused else self._from_disk(k * _PAGE, _PAGE).ljust(_PAGE, b"\0")
            for k in range(first, last + 1)
        )
        return whole[start : start + count]
