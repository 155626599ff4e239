"""Replicated cards of Nastran decks: fields that repeat or count up those of the card before.

`=` repeats a field, `==` the rest of its line, `*x` or `*(x)` adds x; `=n` does it n times more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from floatframe.io.nastran.cards.cards import BulkCard

_COUNT = re.compile(r"=\(?(\d{1,7})\)?")
_STEP = re.compile(r"\*\(?([^()]*)\)?")
_DIGITS = tuple("(+-.0123456789")
_MOST = 1_000_000  # cards of one line; more are a slip of the pen


def is_replication(data: Sequence[str]) -> bool:
    """Whether fields of a line refer to the card before."""
    return any(word[0] in "=*" and (word in ("=", "==") or word[1:2] in _DIGITS) for word in data if word)


def replicated(data: Sequence[str], before: Sequence[str], line: int, path: Path) -> list[str]:
    """Return the fields of a line that refers to fields of the card before."""
    card = BulkCard("=", (), line, path)
    fields = list(data)
    for k, word in enumerate(data):
        old = before[k] if k < len(before) else ""
        if word == "==":
            fields[k:] = [*before[k : len(data)], *[""] * (len(data) - max(k, len(before)))]
            break
        if word == "=":
            fields[k] = old
        elif word.startswith("*"):
            match = _STEP.fullmatch(word)
            fields[k] = _sum(card, old, match[1] if match else word)
    return fields


def repeated(head: str, template: Sequence[str], before: Sequence[str], line: int, path: Path) -> Iterator[list[str]]:
    """Yield the fields of the cards that =n makes by the last line of replication."""
    match = _COUNT.fullmatch(head)
    card = BulkCard("=", (), line, path)
    if match is None or not template:
        raise card.error(f"'{head[:20]}' has no line of replication before it; expected =, or =n after such a line.")
    if int(match[1]) > _MOST:
        raise card.error(f"{head} repeats a card more than {_MOST} times.")
    fields = list(before)
    for _ in range(int(match[1])):
        fields = replicated(template, fields, line, path)
        yield fields


def _sum(card: BulkCard, old: str, step: str) -> str:
    pair = BulkCard(card.name, ("=", old or "0", step), card.line, card.path)
    if all(word.lstrip("+-").isdecimal() for word in pair.fields[1:]):
        return str(pair.integer(1) + pair.integer(2))
    total = pair.real(1) + pair.real(2)
    if not math.isfinite(total):
        raise card.error(f"'{old[:20]}' and '{step[:20]}' have no finite sum.")
    return repr(total)
