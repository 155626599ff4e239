"""Small pieces of sentences: lists of names and numbers, the names nearest to a wrong one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from floatframe.arrays import AnyArray

MOST_KNOWN = 12  # names shown where none is near


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean a, b or c?" with the known names nearest to a wrong one, or the known names.

    Of many those are shown that are most like it.
    """
    known = sorted(set(known))
    small = {name.lower(): name for name in known}
    near = [small[name] for name in difflib.get_close_matches(word.lower(), small, n=3)]
    if near:
        return f"; did you mean {chain(near, 'or')}?"
    if len(known) <= MOST_KNOWN:
        return f"; known here: {', '.join(known) or 'nothing'}"
    nearest = [small[name] for name in difflib.get_close_matches(word.lower(), small, n=MOST_KNOWN, cutoff=0.0)]
    return f"; known here: {', '.join(nearest)}, …"


def printable(text: str) -> str:
    """Return a text whose control characters are shown, not done: names in files may hold those of a terminal.

    So are characters that are not seen or turn the direction of writing; lines and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else repr(sign)[1:-1] for sign in text)


def chain(words: Sequence[str], last: str = "and") -> str:
    """Return e.g. "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def numbers(values: AnyArray | Sequence[int], most: int = 8) -> str:
    """Return e.g. "3, 7, 9 and 120 more"."""
    shown = ", ".join(str(value) for value in values[:most])
    return shown + (f" and {len(values) - most} more" if len(values) > most else "")


def listed(noun: str, values: AnyArray | Sequence[int]) -> str:
    """Return e.g. "nodes 3, 7, 9 and 120 more"."""
    return f"{noun}{'s' if len(values) > 1 else ''} {numbers(values)}"
