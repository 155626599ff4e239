"""Blocks of numbers in large text files, read fast; shared by all readers of input decks.

`load_text(path)` gives the bytes of a file (uint8). `free_block` reads comma-separated lines between positions in these
bytes and raises `BadNumber(position)`, from which `line_at` finds the line.
Short blocks are read in plain Python, long ones by compiled code with the same result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.userfiles import file_bytes

_SHORT = 1 << 16  # bytes: below this the compiled code is not worth loading
_NUMBER = re.compile(rb"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdD]?([+-]\d+)|[eEdD](\d+))?")
_BOM = b"\xef\xbb\xbf"


class BadNumber(Exception):
    """Something that is not a number, at a position in the text."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


@dataclass(frozen=True)
class Rows:
    """Numbers of lines of different lengths: values (n,), and offsets (nrow + 1,) of the first value of each line."""

    values: Array
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def widths(self) -> IntArray:
        return np.diff(self.offsets)

    def table(self, width: int) -> Array:
        """Return lines as rows (nrow, width), short ones filled with zeros; longer ones are not allowed."""
        if (self.widths == width).all():
            return self.values.reshape(-1, width)
        table = np.zeros((len(self), width))
        row = np.repeat(np.arange(len(self)), self.widths)
        table[row, np.arange(self.values.size) - self.offsets[row]] = self.values
        return table


def load_text(path: Path) -> AnyArray:
    """Return the bytes (n,) of a file without a byte order mark; old Mac line ends become new ones."""
    data = file_bytes(path)
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    return np.frombuffer(data, dtype=np.uint8)


def line_at(text: AnyArray, position: int) -> int:
    """Return the number (from 1) of the line that holds a position."""
    return int(np.count_nonzero(text[:position] == ord("\n"))) + 1


def row_position(text: AnyArray, start: int, stop: int, row: int, comment: bytes = b"*") -> int:
    """Return the position of one row of a free block, for messages."""
    for place, line in _lines(text, start, stop, comment):
        if row == 0:
            return place + len(line) - len(line.lstrip())
        row -= 1
    return start


def keyword_lines(text: AnyArray, mark: bytes = b"*") -> IntArray:
    """Return (k, 2) positions and numbers of lines that begin with `mark`; a doubled mark is a comment."""
    if text.size >= _SHORT:
        from floatframe.io.deck import _kernels_text

        return _kernels_text.keyword_lines(text, 0, mark[0])
    return plain_keyword_lines(text, mark)


def plain_keyword_lines(text: AnyArray, mark: bytes = b"*") -> IntArray:
    """Return what `keyword_lines` returns, without compiled code."""
    found = []
    at = 0
    for number, line in enumerate(text.tobytes().split(b"\n"), start=1):
        bare = line.lstrip(b" \t")
        if bare.startswith(mark) and not bare.startswith(2 * mark):
            found.append((at + len(line) - len(bare), number))
        at += len(line) + 1
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def free_block(text: AnyArray, start: int, stop: int, comment: bytes = b"*") -> Rows:
    """Return the numbers of comma-separated lines in text[start:stop]; an empty field is zero.

    Empty lines and lines beginning with `comment` are passed over; a comma at the end of a line adds no number.
    """
    block = plain_free_block if stop - start < _SHORT else _free_block
    return block(text, start, stop, comment)


def _free_block(text: AnyArray, start: int, stop: int, comment: bytes) -> Rows:
    from floatframe.io.deck import _kernels_text

    rows, most = _kernels_text.count_free(text, start, stop, comment[0])
    values, offsets = np.empty(most), np.empty(rows + 1, dtype=np.int64)
    count, bad = _kernels_text.free_numbers(text, start, stop, comment[0], values, offsets)
    if bad >= 0:
        raise BadNumber(int(bad))
    return Rows(values[:count], offsets)


def plain_free_block(text: AnyArray, start: int, stop: int, comment: bytes = b"*") -> Rows:
    """Return what `free_block` returns, without compiled code."""
    values: list[float] = []
    offsets = [0]
    for place, line in _lines(text, start, stop, comment):
        fields = line.rstrip().split(b",")
        if len(fields) > 1 and not fields[-1].strip():
            fields.pop()
        at = place
        for field in fields:
            values.append(_number(field, at) if field.strip() else 0.0)
            at += len(field) + 1
        offsets.append(len(values))
    return Rows(np.array(values, dtype=float), np.array(offsets, dtype=np.int64))


def _lines(text: AnyArray, start: int, stop: int, comment: bytes) -> list[tuple[int, bytes]]:
    """Return position and bytes of lines that are neither empty nor comments."""
    found = []
    at = start
    for line in text[start:stop].tobytes().split(b"\n"):
        bare = line.strip(b" \t\r")
        if bare and not bare.startswith(comment):
            found.append((at, line))
        at += len(line) + 1
    return found


def parse_number(word: str) -> float | None:
    """Return the finite number that a word is, in the notation of C or Fortran, or None."""
    return _value(word.encode("utf-8", errors="replace"))


def _number(field: bytes, at: int) -> float:
    value = _value(field.strip(b" \t\r"))
    if value is None:
        raise BadNumber(at + len(field) - len(field.lstrip(b" \t")))
    return value


def _value(word: bytes) -> float | None:
    match = _NUMBER.fullmatch(word)
    if match is None:
        return None
    mantissa, signed, unsigned = match.groups()
    value = float(mantissa + b"e" + (signed or unsigned or b"0"))
    return value if np.isfinite(value) else None
