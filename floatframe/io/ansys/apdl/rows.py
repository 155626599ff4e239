"""Blocked conditions of ANSYS archives: DBLOCK, whose rows hold dofs, and blocks of loads, which are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from floatframe.io.ansys.apdl.text import Text

_HELD = re.compile(r"\s*(\d+)\s*([A-Za-z]\w*)\s*(.*)$")
_NUMBERS = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][-+]?\d+)?")


def held_rows(text: Text) -> Iterator[tuple[int, str, str]]:
    """Yield node, label and value of the rows of DBLOCK, in columns such as (i9,a6,2(pg16.9)) or between blanks."""
    for row in _rows(text):
        match = _HELD.match(row.replace(",", " "))
        if match is None:
            raise text.error(f"a row of DBLOCK needs a node number and a label, found '{row.strip()[:40]}'.")
        value = _NUMBERS.match(match[3])
        yield int(match[1]), match[2].upper(), value[0].upper().replace("D", "E") if value else ""


def pass_over(text: Text) -> int:
    """Move behind the rows of a block of loads and return how many there are."""
    return sum(1 for _ in _rows(text))


def _rows(text: Text) -> Iterator[str]:
    """Yield lines that begin with a number, after a line with the format; -1 closes the block."""
    if text.peek_line().lstrip().startswith("("):
        text.next_line()
    while (line := text.peek_line().strip())[:1].isdigit() or line.startswith("-1"):
        text.next_line()
        if line.startswith("-1"):
            return
        yield line
