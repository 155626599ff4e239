"""Records of ANSYS binary files (.full, .emat, .rst), as the ANSYS programmer's reference describes them.

A file is a row of four-byte words. A record is its length in words, a word of flags, the content and its length
again; pointers count words from the start of the file. Integers, doubles, singles and short integers are known, plain
or with runs of equal values packed ("sparse"). Everything is read through bounds checks: a broken file gives an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, IntArray
from floatframe.errors import ReadError

KINDS = {
    2: "element matrices (.emat)",
    4: "full matrices (.full)",
    8: "a superelement (.sub)",
    12: "results (.rst)",
    13: "motions of a superelement (.dsub)",
}

_INTEGER, _SHORT, _ZIPPED, _WINDOWS, _BITS = 1 << 31, 1 << 30, 1 << 29, 1 << 28, 1 << 27
_LARGEST = 1 << 31  # words in one record
_UNPACKED = 1 << 20  # values that a packed record of even the smallest file may hold


@dataclass(frozen=True)
class Records:
    """A binary file: its words, in the byte order of the file."""

    path: Path
    words: IntArray  # (size,) int32
    order: str  # "<" or ">"

    @classmethod
    def open(cls, path: Path, kind: int) -> Records:
        """Open a file of one of KINDS."""
        size = path.stat().st_size // 4
        if size < 110:
            raise ReadError(f"'{path}' has {4 * size} bytes, too few for an ANSYS binary file.")
        for order in ("<", ">"):
            words = np.memmap(path, dtype=f"{order}i4", mode="r", shape=(size,))
            if words[0] == 100:
                records = cls(path, words, order)
                found = int(records.integers(0)[0])
                if found != kind:
                    what = KINDS.get(found, f"number {found}")
                    raise ReadError(f"'{path}' is an ANSYS file of {what}, expected {KINDS[kind]}.")
                return records
        raise ReadError(f"'{path}' is not an ANSYS binary file: it does not begin with a header of 100 words.")

    def broken(self, pointer: int, what: str) -> ReadError:
        return ReadError(f"'{self.path}', word {pointer}: {what}; the file is broken or of an unknown version.")

    def end(self, pointer: int) -> int:
        """Return where the record after the one at `pointer` begins."""
        if not 0 <= pointer < self.words.size - 2:
            raise self.broken(pointer, "a pointer points outside the file")
        length = int(self.words[pointer])
        if not 0 <= length < _LARGEST or pointer + length + 3 > self.words.size:
            raise self.broken(pointer, f"a record claims {length} words, more than the file has")
        return pointer + length + 3

    def record(self, pointer: int) -> AnyArray:
        """Return the content of a record as int64 or float64."""
        stop = self.end(pointer) - 1
        flags = int(self.words[pointer + 1]) & 0xFFFFFFFF
        content = self.words[pointer + 2 : stop]
        if flags & _ZIPPED:
            raise ReadError(f"'{self.path}' is compressed; write it again after /FCOMP,RST,0 (and /FCOMP,MODE,0).")
        size = 2 if flags & _SHORT else 4
        kind = f"{self.order}i{size}" if flags & _INTEGER else f"{self.order}f{4 if flags & _SHORT else 8}"
        raw = content.tobytes()
        if flags & _WINDOWS:
            return self._windows(pointer, raw, np.dtype(kind))
        if flags & _BITS:
            return self._bits(pointer, raw, np.dtype(kind))
        whole = len(raw) // np.dtype(kind).itemsize * np.dtype(kind).itemsize
        values = np.frombuffer(raw[:whole], dtype=kind)
        return values.astype(np.int64 if flags & _INTEGER else float)

    def integers(self, pointer: int) -> IntArray:
        values = self.record(pointer)
        if values.dtype.kind != "i":
            raise self.broken(pointer, "whole numbers were expected")
        return values

    def reals(self, pointer: int) -> AnyArray:
        values = self.record(pointer)
        if values.dtype.kind != "f":
            raise self.broken(pointer, "real numbers were expected")
        return values

    def chain(self, start: int, count: int) -> IntArray:
        """Return where `count` records begin that follow each other from `start` on."""
        if not 0 <= count < self.words.size:
            raise self.broken(start, f"the file claims {count} records here")
        place, found = start, np.empty(count, dtype=np.int64)
        for k in range(count):
            found[k] = place
            place = self.end(place)
        return found

    def batches(self, starts: IntArray) -> Iterator[tuple[IntArray, AnyArray]]:
        """Yield records of equal length together: which (n,) of `starts` they are and their content (n, k)."""
        inside = (starts >= 0) & (starts < self.words.size - 2)
        if not inside.all():
            raise self.broken(int(starts[~inside][0]), "a pointer points outside the file")
        forms = np.stack([self.words[starts], self.words[starts + 1]], axis=1).astype(np.int64)
        for form in np.unique(forms, axis=0):
            which = np.flatnonzero((forms == form).all(axis=1))
            self.end(int(starts[which].max()))
            length, flags = int(form[0]), int(form[1]) & 0xFFFFFFFF
            if flags & ~_INTEGER:
                yield from self._one_by_one(starts, which)
                continue
            table = self.words[starts[which][:, None] + np.arange(2, 2 + length)]
            if flags:
                yield which, table.astype(np.int64)
            else:
                plain = np.ascontiguousarray(table[:, : length // 2 * 2])
                yield which, plain.view(f"{self.order}f8").astype(float)

    def _one_by_one(self, starts: IntArray, which: IntArray) -> Iterator[tuple[IntArray, AnyArray]]:
        contents = [self.record(int(start)) for start in starts[which]]
        sizes = np.array([content.size for content in contents])
        for size in np.unique(sizes):
            same = np.flatnonzero(sizes == size)
            yield which[same], np.array([contents[k] for k in same])

    def _windows(self, pointer: int, raw: bytes, kind: np.dtype[Any]) -> AnyArray:
        """Unpack runs: size, number of runs, then for each a place, and a length with its values or its one value."""
        whole = np.dtype(f"{self.order}i4")

        def integer(place: int) -> int:
            if place + 4 > len(raw):
                raise self.broken(pointer, "a packed record ends early")
            return int(np.frombuffer(raw, whole, 1, place)[0])

        size, runs, place = integer(0), integer(4), 8
        if not 0 <= size <= max(_UNPACKED, 100 * self.words.size) or not 0 <= runs <= len(raw):
            raise self.broken(pointer, f"a packed record claims {size} values")
        values = np.zeros(size, dtype=np.int64 if kind.kind == "i" else float)
        for _ in range(runs):
            start = integer(place)
            place += 4
            length, count = 1, 1
            if start <= 0:
                length, start = integer(place), -start
                place += 4
                count = max(1, length)
            if start + abs(length) > size or place + count * kind.itemsize > len(raw):
                raise self.broken(pointer, "a run exceeds its packed record")
            values[start : start + abs(length)] = np.frombuffer(raw, kind, count, place)
            place += count * kind.itemsize
        return values

    def _bits(self, pointer: int, raw: bytes, kind: np.dtype[Any]) -> AnyArray:
        """Unpack up to 32 values, of which a mask marks those that are not zero."""
        if len(raw) < 8:
            raise self.broken(pointer, "a packed record ends early")
        size, mask = (int(value) for value in np.frombuffer(raw, f"{self.order}u4", 2))
        filled = [k for k in range(min(size, 32)) if mask >> k & 1]
        if size > 32 or 8 + len(filled) * kind.itemsize > len(raw):
            raise self.broken(pointer, f"a packed record claims {size} values")
        values = np.zeros(size, dtype=np.int64 if kind.kind == "i" else float)
        values[filled] = np.frombuffer(raw, kind, len(filled), 8)
        return values


def pointer(table: IntArray, low: int, high: int | None = None) -> int:
    """Return a pointer kept as one or two words of a header."""
    upper = int(table[high]) if high is not None and high < table.size else 0
    return (upper << 32) + (int(table[low]) & 0xFFFFFFFF)
