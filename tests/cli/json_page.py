"""docs/json.md as data: which keys every format of `--json` has, their types and units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from floatframe.viewer.headings import NAMED, UNITS

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TYPES = {bool: "boolean", int: "integer", float: "number", str: "text", type(None): "null"}


class Row(NamedTuple):
    """What the page says of one key."""

    types: frozenset[str]
    unit: str


@cache
def sections() -> dict[str, dict[str, Row]]:
    """Return the rows of each section by its name; one that "has the keys of" another has its rows as well."""
    found: dict[str, dict[str, Row]] = {}
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        rows = re.findall(r"^\| `(\S+)` \| ([\w, ]+) \| (\S*) \|", text, flags=re.MULTILINE)
        named = re.findall(r"^Has the keys of (.*)\.$", text, flags=re.MULTILINE)
        found[title.strip("` ")] = {key: Row(frozenset(re.split(r", | or ", types)), unit) for key, types, unit in rows}
        for other in (name for line in named for name in re.findall(r"`(\S+?)`", line)):
            found[title.strip("` ")] |= found[other]
    return found


def leaves(content: Any, path: str = "", named: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of every value: `modes[].frequency_hz`; names that users give are written NAME."""
    if isinstance(content, dict):
        for key, value in content.items():
            word = "NAME" if named else key
            yield from leaves(value, f"{path}.{word}" if path else word, key in NAMED)
    elif isinstance(content, list):
        for value in content:
            yield from leaves(value, f"{path}[]")
    else:
        yield path, content


def unit_of(path: str) -> str:
    """Return the unit that the end of a key says, empty if none."""
    key = path.replace("[]", "").rpartition(".")[2] if not path.endswith(".NAME") else ""
    return UNITS.get(max((end for end in UNITS if key.endswith(f"_{end}")), key=len, default=""), "")
