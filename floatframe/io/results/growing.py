"""Arrays of a file that grow by records, their chunks filled in memory and written whole.

HDF5 would fill every new chunk, look up and copy each piece of a block, and copy it once more on its way out.
"""

from __future__ import annotations

import h5py
import numpy as np

from floatframe.arrays import Array
from floatframe.io.results.sums import Sums, more_sums


class GrowingArray:
    """One array (n,) or (n, width) of a file; `append` takes records, `bring` has the file hold all of them."""

    def __init__(self, array: h5py.Dataset, sums: Sums) -> None:
        """Go on after the records that the file holds, whose sums (width,) are given."""
        # asked of h5py for every chunk, they would take as long as its writing
        self._array, self._flat = array.id, array.ndim == 1
        self.count, self.sums = len(array), sums  # of all records taken
        self._length = self.count  # of the array in the file
        self._width = len(sums)
        self._rows, self._columns = (*array.chunks, 1)[:2]
        self._across = -(-self._width // self._columns)  # chunks side by side
        self._waiting: dict[int, Array] = {}  # by number, chunks (across, rows, columns) with records not yet written
        self._used: list[Array] = []  # chunks that have been written, to be filled again
        number, filled = divmod(self.count, self._rows)
        if filled:
            self._put(self._chunks(number), 0, array[number * self._rows :].reshape(filled, self._width))

    def append(self, rows: Array) -> None:
        """Take records (n,) or (n, width)."""
        rows = rows.reshape(len(rows), self._width)
        self.sums = more_sums(self.sums, self.count, rows)
        taken = 0
        while taken < len(rows):
            number, first = divmod(self.count, self._rows)
            piece = rows[taken : taken + self._rows - first]
            self._put(self._chunks(number), first, piece)
            taken += len(piece)
            self.count += len(piece)

    def bring(self) -> None:
        """Write what the file has not got; repeated after an interruption, it leaves the same."""
        self._write(self.count)
        self._array.flush()

    def bring_whole(self) -> None:
        """Write the chunks that are full, so that their memory can be filled again; the others wait."""
        self._write(self.count - self.count % self._rows)

    def _write(self, stop: int) -> None:
        """Write the chunks with records before a number."""
        if stop > self._length:
            self._array.set_extent((stop,) if self._flat else (stop, self._width))
            self._length = stop
        for number, chunks in list(self._waiting.items()):
            first = number * self._rows
            if first >= stop:
                continue
            chunks[:, self.count - first :] = np.nan  # what is not there yet
            for k, chunk in enumerate(chunks):
                place = (first,) if self._flat else (first, k * self._columns)
                self._array.write_direct_chunk(place, chunk)
            if first + self._rows <= self.count:
                self._used.append(self._waiting.pop(number))

    def _chunks(self, number: int) -> Array:
        """Chunks side by side, to be filled; columns beyond the last stay as they are."""
        if number not in self._waiting:
            new = self._used.pop() if self._used else np.full((self._across, self._rows, self._columns), np.nan)
            self._waiting[number] = new
        return self._waiting[number]

    def _put(self, chunks: Array, first: int, rows: Array) -> None:
        """Put records (n, width) into chunks from row `first` on."""
        here = slice(first, first + len(rows))
        whole, rest = divmod(self._width, self._columns)
        inside = rows[:, : whole * self._columns].reshape(len(rows), whole, self._columns)
        chunks[:whole, here] = inside.transpose(1, 0, 2)
        if rest:
            chunks[whole, here, :rest] = rows[:, whole * self._columns :]
