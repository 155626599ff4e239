"""Unformatted Fortran files: a row of records, each with its length in bytes before and after it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.io.import_log import ImportLog


class FortranRecords:
    """A file and a place in it; broken lengths give an error, never a read beyond the file."""

    def __init__(self, path: Path, order: str, log: ImportLog) -> None:
        self.data = np.memmap(path, dtype=np.uint8, mode="r")
        self.order, self.log, self.place = order, log, 0

    @property
    def at_end(self) -> bool:
        return self.place >= self.data.size

    def record(self) -> bytes:
        """Return the content of the next record."""
        start = self.place
        length = self._length(start)
        if length < 0 or start + length + 8 > self.data.size or self._length(start + 4 + length) != length:
            raise self.log.error(
                f"byte {start}: a record of {length} bytes does not fit; the file is truncated or damaged."
            )
        self.place = start + length + 8
        return self.data[start + 4 : start + 4 + length].tobytes()

    def _length(self, place: int) -> int:
        if place + 4 > self.data.size:
            raise self.log.error("the file ends inside a record; it is truncated.")
        return int(self.data[place : place + 4].view(f"{self.order}i4")[0])
