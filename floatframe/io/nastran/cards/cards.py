"""Bulk data cards of Nastran decks and their fields by number.

A card keeps its fields as in the manuals: field 1 is the first after the name, every full line has eight.
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

_REAL = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdD]?([+-]\d+)|[eEdD](\d+))?")
_WHOLE = re.compile(r"[+-]?\d+")
_SHORT = 15  # digits of a number that needs no second look
_ROUNDED = 1e-5  # relative difference of a number written twice, as eight columns leave it
_LARGEST = 10**_SHORT  # node and element numbers beyond this are slips of the pen


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
        value = _value(word)
        if not math.isfinite(value):
            found = f"'{word[:20]}'" if word else "nothing"
            raise self.error(f"{self.name} needs a number in field {k + 1}, found {found}.")
        return value

    def equals(self, other: BulkCard) -> bool:
        """Whether two cards say the same, however they write their numbers; zero may be left out."""
        if self.fields == other.fields:
            return True
        count = max(len(self.fields), len(other.fields))
        pairs = [(self.text(k), other.text(k)) for k in range(count)]
        return all(a == b or _same_number(a, b) for a, b in pairs)

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
            first = self.whole(words[at])
            if at + 2 < len(words) and words[at + 1] == "THRU":
                last, step = self.whole(words[at + 2]), 1
                at += 3
                if at + 1 < len(words) and words[at] == "BY":
                    step = max(1, self.whole(words[at + 1]))
                    at += 2
                inside = known[(known >= first) & (known <= last)]
                found.append(inside[(inside - first) % step == 0])
            else:
                found.append(np.array([first], dtype=np.int64))
                at += 1
        return np.unique(np.concatenate(found))

    def whole(self, word: str) -> int:
        """Return a word of a list as a positive whole number."""
        if not _WHOLE.fullmatch(word) or not 0 < int(word) <= _LARGEST:
            raise self.error(f"{self.name} needs a positive whole number in a list, found '{word[:20]}'.")
        return int(word)


def plain_name(raw: bytes) -> str:
    """Return a name in a binary file in capitals, without blanks and what else is not part of names."""
    return re.sub(r"\W", "", raw.decode("ascii", errors="ignore")).upper()


def _value(word: str) -> float:
    """Return a real number in any of the ways to write one, NaN for anything else."""
    match = _REAL.fullmatch(word)
    if match is None:
        return math.nan
    exponent = match[2] or match[3]
    return float(f"{match[1]}e{exponent}") if exponent else float(match[1])


def _same_number(a: str, b: str) -> bool:
    return math.isclose(_value(a or "0"), _value(b or "0"), rel_tol=_ROUNDED, abs_tol=1e-12)


@dataclass
class NastranDeck:
    """Cards by name in the order of the file, and what case control says."""

    path: Path
    cards: dict[str, list[BulkCard]] = field(default_factory=dict)
    selected: dict[str, int] = field(default_factory=dict)  # SPC, MPC and NSM
    chosen: dict[str, list[str]] = field(default_factory=dict)  # K2GG and M2GG: names of matrices, with factors
    case_sets: list[tuple[int, BulkCard]] = field(default_factory=list)
    set_names: dict[tuple[int, bool], str] = field(default_factory=dict)  # (number, of nodes) -> name
    has_cases: bool = False  # whether case control says anything about an analysis
    complete: bool = False  # whether ENDDATA was met
    parts: dict[str, dict[str, list[BulkCard]]] = field(default_factory=dict)  # cards of BEGIN SUPER, by their heading
    remarks: list[str] = field(default_factory=list)  # sentences for the user

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
            if other is not card and not card.equals(other):
                raise card.error(f"{card.name} {number} was defined differently in line {other.line}.")
        return found
