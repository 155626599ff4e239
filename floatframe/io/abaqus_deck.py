"""Input decks of Abaqus and CalculiX as a sequence of cards: keyword, options and the span of its data lines.

Keywords and option names know neither case nor blanks. `*INCLUDE` is followed here, with its path relative to the file
that includes or to the main one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from floatframe.arrays import AnyArray
from floatframe.errors import ReadError
from floatframe.io.text_numbers import (
    BadNumber,
    Rows,
    free_block,
    keyword_lines,
    line_at,
    load_text,
    parse_number,
    row_position,
)

_FLAGS = ("GENERATE", "INTERNAL", "UNSORTED")  # options that may stand alone on the next line of a keyword


@dataclass(frozen=True)
class Source:
    """One file of a deck and its bytes."""

    path: Path
    text: AnyArray = field(repr=False)


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
        return ReadError(f"'{self.source.path}', line {self.line if line is None else line}: {text}")

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

    def fields(self) -> list[tuple[int, list[str]]]:
        """Return line number and stripped fields of every data line that is neither empty nor a comment."""
        found = []
        data = self.source.text[self.start : self.stop].tobytes().decode("utf-8", errors="replace")
        for number, line in enumerate(data.split("\n"), start=self.first_line):
            if line.strip() and not line.lstrip().startswith("**"):
                found.append((number, [part.strip() for part in line.strip().split(",")]))
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
    return list(_cards(path, path, ()))


def _cards(path: Path, main: Path, opened: tuple[Path, ...]) -> Iterator[Card]:
    source = Source(path, load_text(path))
    text = source.text
    marks = keyword_lines(text)
    if not len(marks):
        raise ReadError(f"'{path}': there is no keyword line (*NODE, *ELEMENT, …) in the file.")
    opened = (*opened, path.resolve())
    ends = [*marks[1:, 0].tolist(), text.size]
    for (position, line), stop in zip(marks.tolist(), ends, strict=True):
        card = _card(source, position, line, stop)
        if card.key == "INCLUDE":
            other = _included(card, card.required("INPUT"), main)
            if other.resolve() in opened:
                raise card.error(f"*INCLUDE of '{other.name}' goes round in a circle.")
            yield from _cards(other, main, opened)
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
        if other.is_file():
            return other
    raise card.error(f"{card.name}: there is no file '{name}'.")


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
