"""docs/reference/json.md as data: which keys every format of `--json` has, their types and units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from floatframe.viewer.headings import NAMED, UNITS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SETTINGS = ("settings", "simulate")
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
        rows = re.findall(r"^\| `(\S+)` \| ([\w ]+) \| ([^|]*?) ?\|", text, flags=re.MULTILINE)
        named = re.findall(r"^Has the keys of (.*)\.$", text, flags=re.MULTILINE)
        found[title.strip("` ")] = {key: Row(frozenset(types.split(" or ")), unit) for key, types, unit in rows}
        for other in (name for line in named for name in re.findall(r"`(\S+?)`", line)):
            found[title.strip("` ")] |= found[other]
    return found


def undocumented(content: dict[str, Any]) -> list[str]:
    """Return what of a printed object the page does not have, or has with another type."""
    rows = sections()[content["format"]] | sections().get(content.get("content", ""), {})
    found = []
    for path, value in leaves(content):
        types = rows[path].types if path in rows else frozenset()
        # a number may have no decimals, or be null where it is not finite
        allowed = types | ({"integer", "null"} if "number" in types else set())
        if "any" not in allowed and TYPES[type(value)] not in allowed:
            found.append(f"{path} is {value!r}, the page has {' or '.join(types) or 'no such key'}")
    return found


def leaves(content: Any, path: str = "", named: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of every value: `modes[].frequency_hz`; names that users give are written NAME."""
    if path.endswith(".NAME") and path.removesuffix(".NAME").rpartition(".")[2] in SETTINGS:
        yield path, content  # whatever a setting is
    elif isinstance(content, dict):
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
    for key in reversed(path.replace("[]", "").split(".")):
        if ends := [end for end in UNITS if key.endswith(f"_{end}")]:
            return UNITS[max(ends, key=len)]
    return ""
