"""Executive and case control of Nastran decks: which sets of supports, constraints and masses are in force."""

from __future__ import annotations

import re
from pathlib import Path

from floatframe.io.nastran.cards.cards import BulkCard, NastranDeck

_SELECT = re.compile(r"\s*(SPC|MPC|NSM|BGSET)\s*(?:\([^)]*\))?\s*=\s*(\d{1,15})\s*$", re.IGNORECASE)
_MATRIX = re.compile(r"\s*([KMB]2GG)\s*=\s*(.+)$", re.IGNORECASE)
_SUBCASE = re.compile(r"\s*SUBCASE[\s=]", re.IGNORECASE)
_CASES = re.compile(r"\s*(SUBCASE\s|(METHOD|LOAD|DLOAD|SUPORT1)\s*(\(\w+\))?\s*=)", re.IGNORECASE)
_SET = re.compile(r"\s*SET\s+(\d{1,15})\s*=\s*(.*)", re.IGNORECASE)


class CaseControl:
    """Takes the lines above BEGIN BULK one by one."""

    def __init__(self, deck: NastranDeck) -> None:
        self.deck = deck
        self._set: list[str] | None = None  # a SET whose list goes on
        self._chosen: list[dict[str, int]] = [{}]  # numbers of sets above the subcases, then in each of them

    def line(self, line: str, number: int, path: Path) -> None:
        """Take one line."""
        if self._set is not None:
            words = self._set
        elif match := _SET.match(line):
            words, line = [match[1]], match[2]
            self._set = words
        else:
            self._select(line)
            return
        words += line.replace(",", " ").upper().split()
        if not line.rstrip().endswith(","):
            self.deck.case_sets.append((int(words[0]), BulkCard("SET", ("SET", *words[1:]), number, path)))
            self._set = None

    def _select(self, line: str) -> None:
        if _CASES.match(line):
            self.deck.has_cases = True
        if _SUBCASE.match(line):
            self._chosen.append({})
        elif match := _SELECT.match(line):
            self._chosen[-1][match[1].upper()] = int(match[2])
        elif match := _MATRIX.match(line):
            words = [word.strip().upper() for word in match[2].split(",")]
            self.deck.chosen.setdefault(match[1].upper(), [word for word in words if word])

    def finish(self) -> None:
        """Decide which sets count: those of the first subcase that chooses any, its own before those above it."""
        above, *cases = self._chosen
        for what in dict.fromkeys(what for case in self._chosen for what in case):
            numbers = [case.get(what, above.get(what)) for case in cases or [above]]
            chosen = next((number for number in numbers if number is not None), None)
            if chosen is None:
                continue
            self.deck.selected[what] = chosen
            if None in numbers:
                self.deck.remarks.append(
                    f"some subcases choose no {what} set; {chosen}, the first that others choose, is taken."
                )
            elif len(set(numbers)) > 1:
                self.deck.remarks.append(f"subcases choose different {what} sets; the first, {chosen}, is taken.")
