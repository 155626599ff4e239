"""Records of OUTPUT2 files of Nastran (.op2): both byte orders, words of four or eight bytes.

A file is a row of Fortran records. Records of one word are keys: a positive one announces a record of as many words,
negative ones count the records of a data block, zero ends it. A data block has a name, a trailer of seven numbers, a
header, and then either tables or the columns of a matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.io.deck import FortranRecords
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import plain_name

_WORDS = (4, 8)
_MOST = 1 << 22  # bytes of a table that are kept


@dataclass
class Block:
    """A data block: its name, trailer (7,), the records of a table, or the pieces of the columns of a real matrix."""

    name: str
    trailer: tuple[int, ...]
    tables: list[bytes] = field(default_factory=list)
    pieces: list[tuple[IntArray, int, Array]] = field(default_factory=list)
    matrix: bool = False


def word_layout(opening: bytes) -> tuple[str, int] | None:
    """Return byte order and size of words, None if this is not an OUTPUT2 file: it begins with a key."""
    for order in ("<", ">"):
        for word in _WORDS:
            if len(opening) >= 2 * word + 8:
                marks = [int(np.frombuffer(opening, f"{order}i4", 1, at)[0]) for at in (0, 4 + word)]
                key = int(np.frombuffer(opening, f"{order}i{word}", 1, 4)[0])
                if marks == [word, word] and key in (2, 3):
                    return order, word
    return None


class Op2(FortranRecords):
    """A place in a file; `blocks` yields what follows."""

    def __init__(self, path: Path, log: ImportLog) -> None:
        with path.open("rb") as file:
            layout = word_layout(file.read(32))
        if layout is None:
            raise log.error("this is not an OUTPUT2 file.")
        order, self.word = layout
        super().__init__(path, order, log)
        self.whole, self.real = np.dtype(f"{self.order}i{self.word}"), np.dtype(f"{self.order}f{self.word}")

    def blocks(self) -> Iterator[Block]:
        """Yield the data blocks."""
        if self._key() == 3:
            # date, a line of text, a label
            for _ in range(3):
                self.record()
                self._key()
            self._key()
        else:
            self.place = 0
        while not self.at_end and self._key() > 0:
            yield self._block()

    def integers(self, content: bytes) -> IntArray:
        return np.frombuffer(content[: len(content) // self.word * self.word], self.whole).astype(np.int64)

    def _key(self) -> int:
        start = self.place
        content = self.record()
        if len(content) != self.word:
            raise self.log.error(f"byte {start}: a key was expected, found {len(content)} bytes; the file is broken.")
        return int(np.frombuffer(content, self.whole)[0])

    def _block(self) -> Block:
        name = plain_name(self.record())
        for _ in range(2):
            self._key()
        trailer = self.integers(self.record())
        for _ in range(4):
            self._key()
        self.record()
        for _ in range(2):
            self._key()
        block = Block(name, tuple(trailer.tolist()), matrix=self._key() > 0)
        if block.matrix:
            self._columns(block)
        else:
            self._tables(block)
        return block

    def _tables(self, block: Block) -> None:
        kept = 0
        while (key := self._key()) != 0:
            content = []
            while key > 0:
                content.append(self.record())
                key = self._key()
            kept += sum(map(len, content))
            if not block.tables or kept < _MOST or block.name.startswith("GEOM"):
                block.tables.append(b"".join(content))
            for _ in range(2):
                self._key()

    def _columns(self, block: Block) -> None:
        """Read columns: keys with strings of first row and values, a key that ends the column, and what follows it."""
        if len(block.trailer) < 5 or block.trailer[4] not in (1, 2, 3, 4):
            raise self.log.error(f"matrix {block.name} has a trailer {block.trailer} that is invalid.")
        kind, nrow, ncol = block.trailer[4], block.trailer[2], block.trailer[1]
        real = np.dtype(f"{self.order}f8") if kind in (2, 4) else self.real
        column = 0
        while True:
            while self._key() > 0:
                content = self.record()
                if kind > 2:
                    continue
                row = int(self.integers(content[: self.word])[0]) if len(content) >= self.word else 0
                body = content[self.word :]
                values: AnyArray = np.frombuffer(body[: len(body) // real.itemsize * real.itemsize], real)
                if row < 1 or row - 1 + values.size > nrow or column >= ncol or not np.isfinite(values).all():
                    raise self.log.error(f"matrix {block.name}: column {column + 1} has invalid entries.")
                block.pieces.append((np.arange(row - 1, row - 1 + values.size), column, values.astype(float)))
            column += 1
            self._key()
            if self._key() <= 0:
                break
        self._key_at_end()

    def _key_at_end(self) -> None:
        if not self.at_end:
            self._key()
