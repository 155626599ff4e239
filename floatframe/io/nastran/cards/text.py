"""The text of Nastran decks: sections, INCLUDE, fields of all formats, continuations by place or by name, replication.

Everything ends in cards with flat fields (`BulkCard`), so that no other module depends on how a deck was written.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from floatframe.errors import ReadError
from floatframe.io.deck import load_text
from floatframe.io.nastran.cards.cards import BulkCard, NastranDeck
from floatframe.io.nastran.cards.case import CaseControl
from floatframe.io.nastran.cards.replication import is_replication, repeated, replicated
from floatframe.userfiles import is_file

_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_BEGIN = re.compile(r"\s*BEGIN\b(?:[\s,]*BULK\b)?\s*([^$]*)", re.IGNORECASE)
_CONTROL = re.compile(r"\s*(CEND|BEGIN\b[\s,]*(BULK\b|$))", re.IGNORECASE)
_BULK = re.compile(r"(GRID|CORD2R|MAT1|PSHELL|PSOLID|PARAM|CQUAD4|CTETRA|CHEXA|CBAR|SPC1?)\*?[\s,]+\w", re.IGNORECASE)
_PARAMETER = re.compile(r"\s*PARAM\s*,", re.IGNORECASE)  # the one card that case control may hold
_NAMED_SET = re.compile(r'\$HMSET\s+(\d+)\s+([12])\s+"([^"]+)"')
_SIGNED = re.compile(r"[+*]?[+-]?[\d.]")  # what data look like where a mark of continuation might stand
_EQUATIONS = "DEQATN"  # a card of free text, which no field rules hold for
_DEEPEST = 20  # files that include files
_MOST_INCLUDED = 10_000  # files in one deck


@dataclass
class _Open:
    """A card in the making: fields so far, and the name its last line announces for the next."""

    name: str
    line: int
    path: Path
    fields: list[str]
    tag: str
    template: list[str] = field(default_factory=list)  # fields as written, if the card repeats another one
    before: _Open | None = None  # of a continuation that stands apart from its card: the card above it


def read_bulk(path: Path) -> NastranDeck:
    """Return the cards of a deck and of all files it includes."""
    deck = NastranDeck(path)
    reader = _Reader(deck)
    reader.file(path, 0)
    reader.finish()
    return deck


class _Reader:
    """Puts lines together to cards."""

    def __init__(self, deck: NastranDeck) -> None:
        self.deck = deck
        self.case = CaseControl(deck)
        self.control = False  # still in executive or case control
        self.cards = deck.cards
        self.open: _Open | None = None
        self.last: _Open | None = None  # what replication refers to
        self.ends_with_comma = False
        self.included = 0  # files so far
        self.waiting: dict[str, _Open] = {}
        self.strays: list[tuple[str, _Open]] = []

    def file(self, path: Path, depth: int) -> None:
        """Read one file and what it includes."""
        lines = load_text(path).tobytes().decode("utf-8", errors="replace").replace("\r", "").split("\n")
        if depth == 0:
            self.control = any(_CONTROL.match(line) for line in lines)
        without_begin = self.control and depth == 0 and not any(_BEGIN.match(line) for line in lines)
        number = 0
        while number < len(lines) and not self.deck.complete:
            raw = lines[number]
            number += 1
            if raw.startswith("$"):
                if match := _NAMED_SET.match(raw):
                    self.deck.set_names[int(match[1]), match[2] == "1"] = match[3]
                continue
            line = raw.split("$", 1)[0].rstrip()
            start = line.lstrip()
            if not start:
                continue
            if start[:7].upper() == "INCLUDE":
                first = number
                while line.count("'") == 1 or line.count('"') == 1:
                    if number == len(lines):
                        break
                    line += lines[number].split("$", 1)[0].strip()
                    number += 1
                self._include(line, BulkCard("INCLUDE", (), first, path), depth)
            elif start[:5].upper() == "BEGIN" and (match := _BEGIN.match(line)):
                self._begin(match[1].strip(" ,=").upper())
            elif self.control and _PARAMETER.match(line):
                self._bulk(start, number, path)
                self._close()
            elif self.control and not (without_begin and _BULK.match(line)):
                self.case.line(line, number, path)
            else:
                self.control = False
                self._bulk(line, number, path)

    def finish(self) -> None:
        """Close the last card and join continuations that stand apart from theirs."""
        self._close()
        self.case.finish()
        named = dict(self.strays)
        joined = set()
        for tag, card in self.waiting.items():
            if card.before is None:
                while tag in named:
                    stray = named.pop(tag)
                    joined.add(id(stray))
                    _extend(card, stray.fields, 8)
                    tag = stray.tag[1:].strip()
        for name, stray in self.strays:
            if id(stray) not in joined:
                _extend(_owner(stray), stray.fields, 8)
                if stray.before is None or not stray.before.tag:
                    continue
                self.deck.remarks.append(
                    f"the continuation '{name[:8]}' in line {stray.line} matches no card; it was joined to the "
                    "card above it."
                )
        every = [self.deck.cards, *self.deck.parts.values()]
        for cards in every:
            for name, several in cards.items():
                cards[name] = [_card(card) for card in several]  # type: ignore[arg-type]  # cards in the making

    # sections

    def _begin(self, what: str) -> None:
        """BEGIN BULK, or BEGIN SUPER=n, whose cards count by themselves."""
        self._close()
        self.control = False
        self.cards = self.deck.parts.setdefault(what, {}) if what else self.deck.cards

    def _include(self, line: str, card: BulkCard, depth: int) -> None:
        name = line.strip()[7:].strip(" ,").strip("'\"").strip().replace("\\", "/")
        for folder in (card.path.parent, self.deck.path.parent):
            found = _file_named(folder, name)
            if found is not None:
                self.included += 1
                if depth >= _DEEPEST or self.included > _MOST_INCLUDED:
                    raise card.error(
                        f"INCLUDE of '{name}' includes itself, or there are more than {_DEEPEST} files inside each "
                        f"other or {_MOST_INCLUDED} in all; merge some of them."
                    )
                self._close()
                self.file(found, depth + 1)
                return
        if not self.control:
            raise card.error(f"INCLUDE: file '{name}' does not exist.")
        # before BEGIN BULK these are mostly instructions to the solver itself
        self.deck.remarks.append(f"INCLUDE '{name}' before BEGIN BULK was not found; it was passed over.")

    # bulk data

    def _bulk(self, line: str, number: int, path: Path) -> None:
        line = line.upper()
        if line.startswith(_EQUATIONS):
            self._close()
            self.open = _Open(_EQUATIONS, number, path, [], "")
            return
        if self.open is not None and self.open.name == _EQUATIONS and line[0] in "+*, ":
            return
        head, data, tag, width, open_end = _split(line)
        if len(data) > width:
            found = f"a line in free format has {len(data) + 1} fields, expected at most {width + 2}."
            raise _error(found, number, path)
        if self.ends_with_comma and self.open is not None and _SIGNED.match(head):
            # a comma at the end of a line is a continuation by itself
            head, data = "", [head, *data[: width - 1]]
        self.ends_with_comma = open_end
        if not head or head[0] in "+*":
            self._continue(head, data, tag, width, number, path)
            return
        self._close()
        name = head.rstrip("*").strip()
        if name == "ENDDATA":
            self.deck.complete = True
        elif name[0] == "=":
            self._replicate(name, data, tag, number, path)
        elif name[0] == "/":
            self.deck.remarks.append("lines that begin with / delete cards of an earlier run; they are passed over.")
        elif not _NAME.fullmatch(name):
            raise _error(f"'{name[:20]}' is not the name of a bulk data card.", number, path)
        elif self.last is not None and is_replication(data):
            self.open = _Open(name, number, path, replicated(data, self.last.fields, number, path), tag, data)
        else:
            self.open = _Open(name, number, path, data, tag)

    def _continue(self, head: str, data: list[str], tag: str, width: int, number: int, path: Path) -> None:
        if self.open is None:
            if not any(data):
                return
            raise _error("a continuation line has no card before it.", number, path)
        mine = head[1:].strip()
        if mine and mine not in (self.open.tag, self.open.tag[1:].strip()):
            above, self.open = self.open, _Open("", number, path, data, tag, before=self.open)
            self._note(above)
            self.strays.append((mine, self.open))
            return
        if self.open.template:
            place = -(-len(self.open.template) // 8) * 8 if width == 8 else len(self.open.template)
            self.open.template += [""] * (place - len(self.open.template)) + data
            data = replicated(data, self.last.fields[place:] if self.last else [], number, path)
        _extend(self.open, data, width)
        self.open.tag = tag

    def _replicate(self, head: str, data: list[str], tag: str, number: int, path: Path) -> None:
        """A card that repeats the one before it, or =n, which repeats the last step n times."""
        last = self.last
        if last is None or last.name == _EQUATIONS:
            raise _error("a line of replication (=) has no card before it.", number, path)
        if head == "=":
            self.open = _Open(last.name, number, path, replicated(data, last.fields, number, path), tag, data)
            return
        for fields in repeated(head, last.template, last.fields, number, path):
            self.open = _Open(last.name, number, path, fields, "", last.template)
            self._close()

    def _close(self) -> None:
        if self.open is not None:
            self._note(self.open)
            self.open = None

    def _note(self, card: _Open) -> None:
        """Keep a card, and the name it announces for a continuation that may come anywhere."""
        if card.before is None:
            self.cards.setdefault(card.name, []).append(card)  # type: ignore[arg-type]  # made a card by `finish`
            self.last = card
        if card.tag:
            self.waiting[card.tag[1:].strip()] = card


def _owner(card: _Open) -> _Open:
    while card.before is not None:
        card = card.before
    return card


def _card(card: _Open) -> BulkCard:
    fields = card.fields
    while fields and not fields[-1]:
        fields.pop()
    return BulkCard(card.name, (card.name, *fields), card.line, card.path)


def _extend(card: _Open, data: list[str], width: int) -> None:
    if width == 8:
        card.fields += [""] * (-len(card.fields) % 8)
    card.fields += data


def _error(text: str, line: int, path: Path) -> ReadError:
    return BulkCard("", (), line, path).error(text)


def _file_named(folder: Path, name: str) -> Path | None:
    """Return a file by the name an INCLUDE gives; names from Windows may differ in capitals."""
    if not name:
        return None
    place = folder / name
    if is_file(place):
        return place
    place = folder
    for part in PurePosixPath(name).parts:
        step = place / part
        if not os.path.exists(step) and os.path.isdir(place):
            step = next((entry for entry in place.iterdir() if entry.name.lower() == part.lower()), step)
        place = step
    return place if is_file(place) else None


def _split(line: str) -> tuple[str, list[str], str, int, bool]:
    """Return name, fields, announced continuation, fields such a line has, and whether it ends in a comma.

    More fields than a line has mean that it is wrong. The first character of an announced name is a mark only.
    """
    if "," in line:
        head, *words = (word.strip() for word in line.split(","))
        width = 4 if head.startswith("*") or head.endswith("*") else 8
        open_end = not words[-1]
        if len(words) <= width and words[-1][:1] == "+" and not _SIGNED.match(words[-1]):
            # a mark at the end of a short line
            words = [*words[:-1], *[""] * (width + 1 - len(words)), words[-1]]
        if any(words[width + 1 :]):
            return head, words, "", width, open_end
        data, tag = words[:width], "".join(words[width : width + 1])
        return head, data + [""] * (width - len(data)), tag, width, open_end
    line = line.expandtabs(8)
    head = line[:8].strip()
    width = 4 if head.startswith("*") or head.endswith("*") else 8
    size = 64 // width
    data = [line[k : k + size].strip() for k in range(8, 72, size)]
    return head, data, line[72:80].strip(), width, False
