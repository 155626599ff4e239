"""Binary OUTPUT4 files of Nastran: both byte orders, words of four or eight bytes, dense or in strings of rows.

A file is a row of Fortran records: a length in bytes, the content, the length again. Each matrix has a header (columns,
rows, form, type, name) and records of column, first row, number of words and values; a column beyond the last ends it.
First row 0 stands for strings of consecutive rows, each with its place and length in one word, or in two if the header
has the rows negative ("bigmat").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.deck import FortranRecords
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import plain_name

_HEADERS = {24: 4, 48: 8}  # bytes of the header -> bytes of a word


@dataclass
class RawMatrix:
    """A real matrix as pieces of its columns: rows (n,) from 0, column, values (n,)."""

    name: str
    ncol: int
    nrow: int
    form: int
    pieces: list[tuple[IntArray, int, Array]] = field(default_factory=list)


def word_layout(opening: bytes) -> tuple[str, int] | None:
    """Return byte order and size of words, None if this is not a binary OUTPUT4 file."""
    for order in ("<", ">"):
        if len(opening) >= 56:
            length = int(np.frombuffer(opening, f"{order}i4", 1)[0])
            if length in _HEADERS and int(np.frombuffer(opening, f"{order}i4", 1, 4 + length)[0]) == length:
                return order, _HEADERS[length]
    return None


def read_binary(path: Path, log: ImportLog) -> Iterator[RawMatrix]:
    """Yield the real matrices of a file; complex ones are passed over."""
    with path.open("rb") as file:
        layout = word_layout(file.read(64))
    if layout is None:
        raise log.error("this is not a binary OUTPUT4 file.")
    reader = _Reader(path, *layout, log)
    while not reader.at_end:
        matrix = reader.matrix()
        if matrix is not None:
            yield matrix


class _Reader(FortranRecords):
    """A place in the file."""

    def __init__(self, path: Path, order: str, word: int, log: ImportLog) -> None:
        super().__init__(path, order, log)
        self.word = word
        self.whole = np.dtype(f"{order}i{word}")

    def matrix(self) -> RawMatrix | None:
        """Return the next matrix, None if it is complex."""
        start = self.place
        head = self.record()
        if len(head) != 6 * self.word:
            raise self.log.error(f"byte {start}: expected the header of a matrix, found {len(head)} bytes.")
        ncol, nrow, form, kind = (int(value) for value in np.frombuffer(head, self.whole, 4))
        name = plain_name(head[4 * self.word :])
        if ncol < 1 or nrow == 0 or kind not in (1, 2, 3, 4):
            raise self.log.error(f"byte {start}: matrix '{name}' has {nrow} rows, {ncol} columns, type {kind}.")
        real = np.dtype(f"{self.order}f4" if kind in (1, 3) and self.word == 4 else f"{self.order}f8")
        found = RawMatrix(name, ncol, abs(nrow), form)
        while True:
            content = self.record()
            if len(content) < 3 * self.word:
                raise self.log.error(f"matrix {name}: a column has only {len(content)} bytes.")
            column, row, _ = (int(value) for value in np.frombuffer(content, self.whole, 3))
            if not 1 <= column <= ncol:
                return found if kind < 3 else None
            if kind < 3:
                self._column(found, content[3 * self.word :], column, row, nrow < 0, real)

    def _column(self, found: RawMatrix, content: bytes, column: int, row: int, big: bool, real: np.dtype) -> None:
        if row > 0:
            self._store(
                found, column, row, np.frombuffer(content[: len(content) // real.itemsize * real.itemsize], real)
            )
            return
        place, head = 0, 2 * self.word if big else self.word
        while place + head <= len(content):
            words = np.frombuffer(content, self.whole, 2 if big else 1, place)
            if big:
                length, row = int(words[0]) - 1, int(words[1])
            else:
                length = int(words[0]) // 65536 - 1
                row = int(words[0]) - 65536 * (length + 1)
            place += head
            size = length * self.word
            if length < 1 or place + size > len(content):
                raise self.log.error(f"matrix {found.name}: a string in column {column} exceeds its record.")
            self._store(found, column, row, np.frombuffer(content, real, size // real.itemsize, place))
            place += size

    def _store(self, found: RawMatrix, column: int, row: int, values: Array) -> None:
        if row < 1 or row - 1 + values.size > found.nrow:
            raise self.log.error(f"matrix {found.name} has entries beyond its {found.nrow} rows.")
        if not np.isfinite(values).all():
            raise self.log.error(f"matrix {found.name} holds numbers that are not finite.")
        found.pieces.append((np.arange(row - 1, row - 1 + values.size), column - 1, values.astype(float)))
