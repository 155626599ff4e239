"""What an import took from a foreign file, what it left out and why.

A reader gets an `ImportLog`, tells it of every card, and raises what `log.error` returns when it cannot go on. Nothing
physical is dropped silently: whatever is not read is skipped here by name, and `strict` turns skipped physics into an
error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from floatframe.errors import ReadError


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
class ImportReport:
    """The account of one import: cards read (name -> count), cards ignored, warnings."""

    file: Path
    format: str
    read: Mapping[str, int] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ignored_physics(self) -> tuple[Ignored, ...]:
        """What was ignored although it may change the result."""
        return tuple(entry for entry in self.ignored if entry.physical)

    def __str__(self) -> str:
        lines = [f"import of {self.file.name} ({self.format})"]
        lines += ["read: " + ", ".join(f"{card} {count}" for card, count in self.read.items())]
        for title, entries in (
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
            "ignored": [
                {"card": e.card, "count": e.count, "reason": e.reason, "physical": e.physical, "line": e.line}
                for e in self.ignored
            ],
            "warnings": list(self.warnings),
        }


class ImportLog:
    """Collects what a reader meets in one file; `finish` makes the report."""

    def __init__(self, path: Path | str, format: str = "", supports: bool = True) -> None:
        self.path = Path(path)
        self.format = format
        self.supports = supports  # whether the reader is to hold what the file holds
        self._read: dict[str, int] = {}
        self._ignored: dict[tuple[str, str, bool], tuple[int, int | None]] = {}
        self._warnings: dict[str, None] = {}

    def took(self, card: str, count: int = 1) -> None:
        """Note cards, or lines of a card, that went into the model."""
        self._read[card] = self._read.get(card, 0) + count

    def skip(self, card: str, reason: str, physical: bool = True, line: int | None = None, count: int = 1) -> None:
        """Note cards left out; physical: whether a dynamic analysis could miss them."""
        known, first = self._ignored.get((card, reason, physical), (0, line))
        self._ignored[card, reason, physical] = (known + count, first)

    def warn(self, text: str) -> None:
        """Note a sentence the user should see; the same sentence counts once."""
        self._warnings[text] = None

    def error(self, text: str, line: int | None = None, file: Path | None = None) -> ReadError:
        """Return the error to raise: one sentence after the name of the file and the line."""
        where = f"'{file or self.path}'" + ("" if line is None else f", line {line}")
        return ReadError(f"{where}: {text}")

    def finish(self, strict: bool = False) -> ImportReport:
        """Return the report; strict refuses ignored physics by name."""
        ignored = tuple(
            Ignored(card, count, reason, physical, line)
            for (card, reason, physical), (count, line) in self._ignored.items()
        )
        report = ImportReport(
            self.path, self.format, MappingProxyType(dict(self._read)), ignored, tuple(self._warnings)
        )
        if strict and report.ignored_physics:
            cards = "; ".join(str(entry) for entry in report.ignored_physics)
            raise self.error(f"strict import refuses to ignore physics: {cards}. Remove it or read without --strict.")
        return report
