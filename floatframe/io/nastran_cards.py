"""Nastran decks as a list of bulk data cards: small, large and free fields, continuations, INCLUDE, case control.

A card keeps its fields by number as in the manuals: field 1 is the first after the name, every full line has eight.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ReadError
from floatframe.io.text_numbers import load_text

_REAL = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdD]?([+-]\d+)|[eEdD](\d+))?")
_WHOLE = re.compile(r"[+-]?\d+")
_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_BEGIN = re.compile(r"\s*BEGIN\b[\s,]*(BULK\b|$)", re.IGNORECASE)
_SELECT = re.compile(r"\s*(SPC|MPC)\s*=\s*(\d+)\s*$", re.IGNORECASE)
_CASE_SET = re.compile(r"\s*SET\s+(\d+)\s*=\s*(.*)", re.IGNORECASE)
_NAMED_SET = re.compile(r'\$HMSET\s+(\d+)\s+([12])\s+"([^"]+)"')
_SHORT = 15  # digits of a number that needs no second look
_LARGEST = 10**_SHORT  # node and element numbers beyond this are slips of the pen
_DEEPEST = 20  # files that include files


@dataclass(frozen=True)
class BulkCard:
    """One card: its name and fields in capitals (fields[0] is the name again), and where it stands."""

    name: str
    fields: tuple[str, ...]
    line: int
    path: Path

    def error(self, text: str, line: int | None = None) -> ReadError:
        """Return the error to raise, with file and line."""
        return ReadError(f"'{self.path}', line {line or self.line}: {text}")

    def text(self, k: int) -> str:
        """Return field k, empty where there is none."""
        return self.fields[k] if k < len(self.fields) else ""

    def integer(self, k: int, default: int | None = None) -> int:
        """Return field k as a whole number; it must be there unless a default is given."""
        word = self.text(k)
        if word.isdecimal() and len(word) < _SHORT:
            return int(word)
        if not word and default is not None:
            return default
        if not _WHOLE.fullmatch(word) or abs(int(word)) > _LARGEST:
            found = f"'{word[:20]}'" if word else "nothing"
            raise self.error(f"{self.name} needs a whole number in field {k + 1}, found {found}.")
        return int(word)

    def number(self, k: int) -> int:
        """Return field k as the number of something: positive."""
        value = self.integer(k)
        if value < 1:
            raise self.error(f"{self.name} has the number {value} in field {k + 1}; numbers are positive.")
        return value

    def real(self, k: int, default: float | None = None) -> float:
        """Return field k as a real number, in any of the ways to write one (1.5, 1.5E3, 1.5D3, 1.5+3)."""
        word = self.text(k)
        if not word and default is not None:
            return default
        match = _REAL.fullmatch(word)
        if match is None:
            value = math.nan
        else:
            exponent = match[2] or match[3]
            value = float(f"{match[1]}e{exponent}") if exponent else float(match[1])
        if not math.isfinite(value):
            found = f"'{word[:20]}'" if word else "nothing"
            raise self.error(f"{self.name} needs a number in field {k + 1}, found {found}.")
        return value

    def components(self, k: int) -> list[int]:
        """Return field k, such as 1236, as components 0..5."""
        word = self.text(k)
        if not word or not set(word) <= set("123456"):
            found = f"'{word[:20]}'" if word else "nothing"
            raise self.error(f"{self.name} needs components out of 123456 in field {k + 1}, found {found}.")
        return sorted({int(digit) - 1 for digit in word})

    def members(self, words: Sequence[str], known: IntArray) -> IntArray:
        """Return numbers of a list such as 1, 2, 5, THRU, 9; of ranges only those that are known (sorted)."""
        found: list[IntArray] = [np.empty(0, dtype=np.int64)]
        words = [word for word in words if word]
        at = 0
        while at < len(words):
            first = self._whole(words[at])
            if at + 2 < len(words) and words[at + 1] == "THRU":
                last, step = self._whole(words[at + 2]), 1
                at += 3
                if at + 1 < len(words) and words[at] == "BY":
                    step = max(1, self._whole(words[at + 1]))
                    at += 2
                inside = known[(known >= first) & (known <= last)]
                found.append(inside[(inside - first) % step == 0])
            else:
                found.append(np.array([first], dtype=np.int64))
                at += 1
        return np.unique(np.concatenate(found))

    def _whole(self, word: str) -> int:
        if not _WHOLE.fullmatch(word) or not 0 < int(word) <= _LARGEST:
            raise self.error(f"{self.name} needs a positive whole number in a list, found '{word[:20]}'.")
        return int(word)


@dataclass
class NastranDeck:
    """Cards by name in the order of the file, and what case control says."""

    path: Path
    cards: dict[str, list[BulkCard]] = field(default_factory=dict)
    selected: dict[str, int] = field(default_factory=dict)  # SPC and MPC
    case_sets: list[tuple[int, BulkCard]] = field(default_factory=list)
    set_names: dict[tuple[int, bool], str] = field(default_factory=dict)  # (number, of nodes) -> name
    complete: bool = False  # whether ENDDATA was met

    def of(self, *names: str) -> Iterator[BulkCard]:
        """Yield all cards of these names."""
        for name in names:
            yield from self.cards.get(name, ())

    def by_number(self, *names: str) -> dict[int, BulkCard]:
        """Return cards of these names by the number in their first field; two that differ must not share one."""
        found: dict[int, BulkCard] = {}
        for card in self.of(*names):
            number = card.number(1)
            other = found.setdefault(number, card)
            if other is not card and other.fields != card.fields:
                raise card.error(f"{card.name} {number} was defined differently in line {other.line}.")
        return found


def read_bulk(path: Path) -> NastranDeck:
    """Return the cards of a deck and of all files it includes."""
    deck = NastranDeck(path)
    _Reader(deck).file(path, 0)
    return deck


class _Reader:
    """Puts lines together to cards."""

    def __init__(self, deck: NastranDeck) -> None:
        self.deck = deck
        self.control = False  # still in executive or case control
        self.open: tuple[str, int, Path] | None = None  # name and place of the card in the making
        self.fields: list[str] = []
        self.tag = ""
        self.case_set: list[str] | None = None

    def file(self, path: Path, depth: int) -> None:
        lines = load_text(path).tobytes().decode("utf-8", errors="replace").replace("\r", "").split("\n")
        if depth == 0:
            self.control = any(_BEGIN.match(line) for line in lines)
        number = 0
        while number < len(lines) and not self.deck.complete:
            raw = lines[number]
            number += 1
            if raw.startswith("$") and (match := _NAMED_SET.match(raw)):
                self.deck.set_names[int(match[1]), match[2] == "1"] = match[3]
            line = raw.split("$", 1)[0].rstrip()
            if not line.strip():
                continue
            if line.lstrip()[:7].upper() == "INCLUDE":
                start = number
                while line.count("'") == 1 and number < len(lines):
                    line += lines[number].split("$", 1)[0].strip()
                    number += 1
                self._include(line, BulkCard("INCLUDE", (), start, path), depth)
            elif self.control:
                self._control(line, number, path)
            else:
                self._bulk(line, number, path)
        if depth == 0:
            self._close()

    def _include(self, line: str, card: BulkCard, depth: int) -> None:
        name = line.strip()[7:].strip().strip("'\"").replace("\\", "/")
        for folder in (card.path.parent, self.deck.path.parent):
            if name and (folder / name).is_file():
                if depth >= _DEEPEST:
                    raise card.error(f"INCLUDE of '{name}' goes round in a circle.")
                self._close()
                self.file(folder / name, depth + 1)
                return
        raise card.error(f"INCLUDE: there is no file '{name}'.")

    def _control(self, line: str, number: int, path: Path) -> None:
        if _BEGIN.match(line):
            self.control = False
            return
        if self.case_set is not None:
            words = self.case_set
        elif match := _CASE_SET.match(line):
            if len(match[1]) > 15:
                return
            words, line = [match[1]], match[2]
            self.case_set = words
        else:
            if match := _SELECT.match(line):
                # the first one counts: above the subcases, or in the first of them
                self.deck.selected.setdefault(match[1].upper(), int(match[2]))
            return
        words += line.replace(",", " ").upper().split()
        if not line.rstrip().endswith(","):
            self.deck.case_sets.append((int(words[0]), BulkCard("SET", ("SET", *words[1:]), number, path)))
            self.case_set = None

    def _bulk(self, line: str, number: int, path: Path) -> None:
        head, data, tag, width = _split(line.upper())
        if len(data) > width:
            raise _error(
                f"a line in free format has {len(data) + 1} fields, expected at most {width + 2}.", number, path
            )
        if not head or head[0] in "+*":
            if self.open is None:
                raise _error("a continuation line follows no card.", number, path)
            mine = head.strip("+* ")
            if mine and self.tag and mine != self.tag:
                found = (
                    f"continuation '{head}' does not follow the card that announces '{self.tag}'; sort the deck first."
                )
                raise _error(found, number, path)
            if width == 8:
                self.fields += [""] * (-len(self.fields) % 8)
            self.fields += data
            self.tag = tag
            return
        self._close()
        name = head.rstrip("*").strip()
        if name == "ENDDATA":
            self.deck.complete = True
            return
        if name.startswith("="):
            raise _error("cards made by replication (=) are not understood; write them out in full.", number, path)
        if not _NAME.fullmatch(name):
            raise _error(f"'{name[:20]}' is no name of a bulk data card.", number, path)
        self.open = (name, number, path)
        self.fields, self.tag = data, tag

    def _close(self) -> None:
        if self.open is not None:
            name, line, path = self.open
            while self.fields and not self.fields[-1]:
                self.fields.pop()
            self.deck.cards.setdefault(name, []).append(BulkCard(name, (name, *self.fields), line, path))
            self.open = None


def _error(text: str, line: int, path: Path) -> ReadError:
    return BulkCard("", (), line, path).error(text)


def _split(line: str) -> tuple[str, list[str], str, int]:
    """Return name, fields, tag of the continuation, and how many fields such a line has; more make it wrong."""
    if "," in line:
        head, *words = (word.strip() for word in line.split(","))
        width = 4 if head.startswith("*") or head.endswith("*") else 8
        if any(words[width + 1 :]):
            return head, words, "", width
        data, tag = words[:width], "".join(words[width : width + 1])
    else:
        line = line.expandtabs(8)
        head = line[:8].strip()
        width = 4 if head.startswith("*") or head.endswith("*") else 8
        size = 64 // width
        data = [line[8 + size * k : 8 + size * (k + 1)].strip() for k in range(width)]
        tag = line[72:80].strip()
    return head, data + [""] * (width - len(data)), tag.strip("+* "), width
