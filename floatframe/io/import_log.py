"""What an import took from a foreign file, what it left out and why.

A reader gets an `ImportLog`, reports every card to it, and raises what `log.error` returns when it has to stop. Nothing
physical is dropped silently: `skip` names what is not read and plays no part in modes (loads, requests, damping;
`strict` refuses those that a dynamic analysis could miss), `lose` names a stiffness, mass, support or coupling that
cannot be read. Something lost ends the reading, unless the user leaves it out by name with `drop`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from floatframe.arrays import short_repr
from floatframe.errors import ReadError

What = Literal["stiffness", "mass", "support", "coupling", "unknown"]
EVERYTHING = "ALL"  # what --drop calls all that is lost


@dataclass(frozen=True)
class Ignored:
    """Cards of one name that were left out for one reason; line of the first one."""

    card: str
    count: int
    reason: str
    physical: bool
    line: int | None = None

    def __str__(self) -> str:
        where = "" if self.line is None else f", first in line {self.line}"
        return f"{self.card} ({self.count}{where}): {self.reason}"


@dataclass(frozen=True)
class Lost:
    """Cards of one name whose stiffness, mass, support or coupling was not read; dropped: the user said so."""

    card: str
    what: What
    count: int
    reason: str
    line: int | None = None
    dropped: bool = False

    def __str__(self) -> str:
        where = "" if self.line is None else f", first in line {self.line}"
        return f"{self.card} ({self.count}{where}) {_CARRIES[self.what]}: {self.reason}"

    @property
    def key(self) -> str:
        """The name that `drop` takes, without signs that shells understand: "*TIE, CYCLIC" is TIE-CYCLIC."""
        return "-".join(_words(self.card))


_CARRIES = {
    "stiffness": "carries stiffness",
    "mass": "carries mass",
    "support": "carries a support",
    "coupling": "carries a coupling",
    "unknown": "may carry stiffness, mass, a support or a coupling",
}


def _words(card: str) -> tuple[str, ...]:
    """Return the words of the name of a card in capitals."""
    return tuple(re.findall(r"[\w.]+", card.upper()))


def _names(asked: str, card: str) -> bool:
    """Whether a name given by the user is that of a card, or one word of it, or all."""
    words, own = _words(asked), _words(card)
    return words == own or words == (EVERYTHING,) or (len(words) == 1 and words[0] in own)


def wanted_drops(drop: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names to leave out, given one by one or several with commas between them."""
    given = (drop,) if isinstance(drop, str) else drop
    return tuple(name.strip() for text in given for name in str(text).split(",") if name.strip())


@short_repr
@dataclass(frozen=True)
class ImportReport:
    """The account of one import: cards read (name -> count), cards ignored, cards lost, warnings."""

    file: Path
    format: str
    read: Mapping[str, int] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()
    warnings: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def refused(self) -> tuple[Lost, ...]:
        """What was lost without being dropped by name: with it nothing is computed."""
        return tuple(entry for entry in self.lost if not entry.dropped)

    @property
    def refusal(self) -> str:
        """The sentences with which the file is refused and the cure; empty if nothing was lost unasked."""
        if not self.refused:
            return ""
        keys = tuple(dict.fromkeys(entry.key for entry in self.refused))
        python = ", ".join(f'"{key}"' for key in keys) + ("," if len(keys) == 1 else "")
        return (
            f"it holds what cannot be read: {'; '.join(map(str, self.refused))}. Change the file, or leave "
            f"{'it' if len(keys) == 1 else 'them'} out with --drop {','.join(keys)} (Python: drop=({python}))."
        )

    @property
    def ignored_physics(self) -> tuple[Ignored, ...]:
        """What was ignored although it may change the result."""
        return tuple(entry for entry in self.ignored if entry.physical)

    def __str__(self) -> str:
        lines = [f"import of {self.file.name} ({self.format})"]
        if self.read:
            lines.append("read: " + ", ".join(f"{card} {count}" for card, count in self.read.items()))
        lines += self.notes
        for title, entries in (
            ("lost, so that modes and the other commands refuse the file", self.refused),
            ("left out by --drop", tuple(entry for entry in self.lost if entry.dropped)),
            ("ignored physics", self.ignored_physics),
            ("ignored, without influence on the model", tuple(e for e in self.ignored if not e.physical)),
            ("warnings", self.warnings),
        ):
            if entries:
                lines += [f"{title}:", *(f"  {entry}" for entry in entries)]
        return "\n".join(lines)

    def describe(self) -> dict[str, Any]:
        """Return the report as plain numbers and words for JSON."""
        return {
            "file": str(self.file),
            "format": self.format,
            "read": dict(self.read),
            "notes": list(self.notes),
            "ignored": [
                {"card": e.card, "count": e.count, "reason": e.reason, "physical": e.physical, "line": e.line}
                for e in self.ignored
            ],
            "lost": [
                {
                    "card": e.card,
                    "what": e.what,
                    "count": e.count,
                    "reason": e.reason,
                    "line": e.line,
                    "dropped": e.dropped,
                    "drop": e.key,
                }
                for e in self.lost
            ],
            "warnings": list(self.warnings),
        }


class ImportLog:
    """Collects what a reader meets in one file; `finish` makes the report."""

    def __init__(
        self, path: Path | str, format: str = "", supports: bool = True, drop: str | Iterable[str] = ()
    ) -> None:
        self.path = Path(path)
        self.format = format
        self.supports = supports  # whether the reader is to hold what the file holds
        self.drop = wanted_drops(drop)
        self._read: dict[str, int] = {}
        self._ignored: dict[tuple[str, str, bool], tuple[int, int | None]] = {}
        self._lost: dict[tuple[str, What, str], tuple[int, int | None]] = {}
        self._warnings: dict[str, None] = {}
        self._notes: dict[str, None] = {}

    def took(self, card: str, count: int = 1) -> None:
        """Note cards, or lines of a card, that went into the model."""
        self._read[card] = self._read.get(card, 0) + count

    def skip(self, card: str, reason: str, physical: bool = True, line: int | None = None, count: int = 1) -> None:
        """Note cards left out that have no part in stiffness, mass, supports and couplings.

        physical: whether a dynamic analysis could miss them.
        """
        known, first = self._ignored.get((card, reason, physical), (0, line))
        self._ignored[card, reason, physical] = (known + count, first)

    def lose(self, card: str, what: What, reason: str, line: int | None = None, count: int = 1) -> None:
        """Note cards whose stiffness, mass, support or coupling cannot be read; the reader goes on without them.

        The file is refused at the end of reading, with all that was lost, unless the user drops it by name.
        """
        known, first = self._lost.get((card, what, reason), (0, line))
        self._lost[card, what, reason] = (known + count, first)

    def warn(self, text: str) -> None:
        """Note a sentence the user should see; the same sentence counts once."""
        self._warnings[text] = None

    def note(self, text: str) -> None:
        """Note how something was taken: the report says so, nobody need be warned."""
        self._notes[text] = None

    def error(self, text: str, line: int | None = None, file: Path | None = None) -> ReadError:
        """Return the error to raise: one sentence after the name of the file and the line."""
        where = f"'{file or self.path}'" + ("" if line is None else f", line {line}")
        return ReadError(f"{where}: {text}")

    def report(self) -> ImportReport:
        """Return the account so far."""
        ignored = tuple(
            Ignored(card, count, reason, physical, line)
            for (card, reason, physical), (count, line) in self._ignored.items()
        )
        lost = tuple(
            Lost(card, what, count, reason, line, any(_names(name, card) for name in self.drop))
            for (card, what, reason), (count, line) in self._lost.items()
        )
        return ImportReport(
            self.path,
            self.format,
            MappingProxyType(dict(self._read)),
            ignored,
            tuple(self._warnings),
            lost,
            tuple(self._notes),
        )

    def finish(self, strict: bool = False, refuse: bool = True) -> ImportReport:
        """Return the report; refuse what was lost unless it is dropped by name, strict: ignored physics too."""
        for name in self.drop:
            if not any(_names(name, card) for card, _, _ in self._lost):
                self.warn(f"--drop {name} has no effect: nothing of that name was lost.")
        report = self.report()
        if refuse and report.refused:
            raise self.error(report.refusal)
        if strict and report.ignored_physics:
            cards = "; ".join(str(entry) for entry in report.ignored_physics)
            raise self.error(f"strict import does not ignore physics: {cards}. Remove it or read without --strict.")
        return report
