"""Input decks of Abaqus and CalculiX as a sequence of cards: keyword, options and the span of its data lines.

Keywords and option names ignore case and blanks. `*INCLUDE` is followed, with its path relative to the file
that includes or to the main one; its text stands in the place of the line and may go on with the keyword before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.errors import ReadError
from floatframe.io.deck import (
    BadNumber,
    Rows,
    free_block,
    keyword_lines,
    line_at,
    load_text,
    parse_number,
    row_position,
)
from floatframe.userfiles import is_file

_DEEPEST = 50  # files that include files
_MOST_INCLUDED = 10_000  # files in one deck
_FLAGS = ("GENERATE", "INTERNAL", "UNSORTED")  # options that may stand alone on the next line of a keyword

_DATA_LINE = re.compile(rb"^[ \t]*[^\s*]", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """One file of a deck and its bytes; data that came from several files are one text with their places."""

    path: Path
    text: AnyArray = field(repr=False)
    pieces: tuple[tuple[int, Path, int], ...] = ()  # first line in the text, file, first line there

    def place(self, line: int) -> tuple[Path, int]:
        """Return the file and the line in it of a line of the text."""
        for first, path, there in reversed(self.pieces):
            if line >= first:
                return path, there + line - first
        return self.path, line


@dataclass(frozen=True)
class Card:
    """A keyword line with its options and the span text[start:stop] of its data; key: the keyword without blanks."""

    key: str
    name: str  # as people write it: *SOLID SECTION
    options: dict[str, str]
    source: Source
    line: int
    start: int
    stop: int
    first_line: int  # of the data

    def option(self, *names: str) -> str:
        """Return the first of these options that is given, as written, or an empty text."""
        for name in names:
            if name in self.options:
                return self.options[name]
        return ""

    def required(self, *names: str) -> str:
        """Return an option that must be there."""
        value = self.option(*names)
        if not value:
            raise self.error(f"{self.name} needs the option {names[0]}=.")
        return value

    def error(self, text: str, line: int | None = None) -> ReadError:
        """Return the error to raise, with file and line."""
        path, number = (self.source.path, self.line) if line is None else self.source.place(line)
        return ReadError(f"'{path}', line {number}: {text}")

    def rows(self) -> Rows:
        """Return the data lines as numbers."""
        try:
            return self.try_rows()
        except BadNumber as bad:
            text = self.source.text
            found = bytes(text[bad.position : bad.position + 24]).split(b",")[0].split(b"\n")[0]
            word = found.decode("latin-1").strip()
            raise self.error(
                f"'{word}' in the data of {self.name} is not a number.", line_at(text, bad.position)
            ) from None

    def try_rows(self) -> Rows:
        """Return the data lines as numbers or raise `BadNumber`."""
        return free_block(self.source.text, self.start, self.stop)

    def row_line(self, row: int) -> int:
        """Return the line number of a data row."""
        return line_at(self.source.text, row_position(self.source.text, self.start, self.stop, row))

    def has_data(self) -> bool:
        """Whether there is a data line that is neither empty nor a comment."""
        return _DATA_LINE.search(self.source.text[self.start : self.stop].tobytes()) is not None

    def fields(self) -> list[tuple[int, list[str]]]:
        """Return line number and fields, without blanks and quotes, of data lines that are not empty or comments."""
        found = []
        data = self.source.text[self.start : self.stop].tobytes().decode("utf-8", errors="replace")
        for number, line in enumerate(data.split("\n"), start=self.first_line):
            if line.strip() and not line.lstrip().startswith("**"):
                found.append((number, [part.strip() for part in line.strip().replace('"', "").split(",")]))
        return found

    def numbers(self, fields: list[str], line: int) -> list[float]:
        """Return fields as numbers; empty ones are zero."""
        values = []
        for word in fields:
            number = parse_number(word) if word else 0.0
            if number is None:
                raise self.error(f"'{word[:40]}' in the data of {self.name} is not a number.", line)
            values.append(number)
        return values


def read_cards(path: Path) -> list[Card]:
    """Return all cards of a deck, included files in their places."""
    cards: list[Card] = []
    more: list[Card] = []  # further data of the last card, from included files and from behind their lines
    for card in _pieces(path, path, (), count()):
        if card.key:
            _finish(cards, more)
            cards.append(card)
        elif card.has_data():
            if not cards:
                raise card.error("there are data before the first keyword line (*NODE, *ELEMENT, …).", card.first_line)
            more.append(card)
    _finish(cards, more)
    if not cards:
        raise ReadError(f"'{path}': there is no keyword line (*NODE, *ELEMENT, …) in the file.")
    return cards


def _finish(cards: list[Card], more: list[Card]) -> None:
    """Join the last card with its further data."""
    if more:
        cards[-1] = _joined([cards[-1], *more])
        more.clear()


def _joined(parts: list[Card]) -> Card:
    """Return the first card with the data of all."""
    pieces, texts, line = [], [], 1
    for part in parts:
        data = part.source.text[part.start : part.stop].tobytes()
        data = data if data.endswith(b"\n") else data + b"\n"
        pieces.append((line, part.source.path, part.first_line))
        texts.append(data)
        line += data.count(b"\n")
    text = np.frombuffer(b"".join(texts), dtype=np.uint8)
    source = Source(parts[0].source.path, text, tuple(pieces))
    return replace(parts[0], source=source, start=0, stop=text.size, first_line=1)


def _pieces(path: Path, main: Path, opened: tuple[Path, ...], files: Iterator[int]) -> Iterator[Card]:
    """Yield the cards of a file; data without a keyword of their own, which go on with the one before, have no key.

    opened: the files that are being read, one inside the other; files: numbers of those read so far.
    """
    source = Source(path, load_text(path))
    text = source.text
    marks = keyword_lines(text)
    opened = (*opened, path.resolve())
    edges = [*marks[:, 0].tolist(), text.size]
    if path != main:
        yield Card("", "", {}, source, 1, 0, edges[0], 1)
    for (position, line), stop in zip(marks.tolist(), edges[1:], strict=True):
        card = _card(source, position, line, stop)
        if card.key == "INCLUDE":
            other = _included(card, card.required("INPUT"), main)
            if other.resolve() in opened:
                raise card.error(f"*INCLUDE of '{other.name}' includes itself.")
            if len(opened) > _DEEPEST or next(files) >= _MOST_INCLUDED:
                raise card.error(
                    f"*INCLUDE of '{other.name}': at most {_DEEPEST} files inside each other and {_MOST_INCLUDED} in "
                    "all are read; merge some of them."
                )
            yield from _pieces(other, main, opened, files)
            yield replace(card, key="", name="")
            continue
        if card.key in ("NODE", "ELEMENT", "NSET", "ELSET") and card.option("INPUT"):
            # the data lines stand in a file of their own
            other = _included(card, card.option("INPUT"), main)
            data = load_text(other)
            card = replace(card, source=Source(other, data), start=0, stop=data.size, first_line=1)
        yield card


def _included(card: Card, name: str, main: Path) -> Path:
    for folder in (card.source.path.parent, main.parent):
        other = folder / name.strip("\"'").replace("\\", "/")
        if is_file(other):
            return other
        # decks written under Windows do not mind the case of letters
        folder = other.parent
        if folder.is_dir():
            same = [path for path in folder.iterdir() if path.name.lower() == other.name.lower() and path.is_file()]
            if len(same) == 1:
                return same[0]
    raise card.error(f"{card.name}: file '{name}' does not exist.")


def _card(source: Source, position: int, line: int, stop: int) -> Card:
    head, start = _line(source.text, position, stop)
    first_line = line + 1
    while head.rstrip().endswith(","):
        # the keyword goes on where the next line holds options; many decks merely have a comma too much
        more, after = _line(source.text, start, stop)
        if "=" not in more and more.strip().rstrip(",").upper() not in _FLAGS:
            break
        head, start = head + more, after
        first_line += 1
    parts = [part.strip() for part in head.split(",")]
    options = {}
    for part in parts[1:]:
        name, _, value = part.partition("=")
        if name.strip():
            options["".join(name.split()).upper()] = value.strip().strip('"')
    words = parts[0][1:].upper().split()
    return Card("".join(words), f"*{' '.join(words)}", options, source, line, start, stop, first_line)


def _line(text: AnyArray, start: int, stop: int) -> tuple[str, int]:
    """Return one line and where the next begins."""
    end = start
    piece = text[start : min(start + 4096, stop)].tobytes()
    cut = piece.find(b"\n")
    end = start + (cut if cut >= 0 else len(piece))
    return text[start:end].tobytes().decode("utf-8", errors="replace").rstrip("\r"), min(end + 1, stop)
