"""Places in a model file by name: body[rod].modes, force[spring].stiffness, body[box].position.z, simulate.rtol.

What is there can be given another value, as parameters can, without a parameter for it in the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from floatframe.errors import ModelError
from floatframe.expressions import Scalar
from floatframe.tomlfile import Source
from floatframe.wording import did_you_mean

_STEP = re.compile(r"(?P<key>\w+)(?:\[(?P<name>[^\[\]]+)\])?")
_PLAIN = r"\w+(?:\[[^\[\]]+\])?"
_WHOLE = re.compile(rf"{_PLAIN}(?:\.{_PLAIN})+")
_TABLES = ("simulate", "record", "track", "gravity")  # of which a file has one
_GRAVITY = "gravity"  # a list
_XYZ = "xyz"


def is_address(name: str) -> bool:
    """Whether a name is that of a place in a model file, not of a parameter."""
    return bool(_WHOLE.fullmatch(name)) and ("[" in name or name.partition(".")[0] in _TABLES)


def split_addresses(values: Mapping[str, Scalar]) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return values of parameters, and of places in the file."""
    addressed = {name: value for name, value in values.items() if is_address(name)}
    return {name: value for name, value in values.items() if name not in addressed}, addressed


def with_values(source: Source, values: Mapping[str, Scalar]) -> Source:
    """Return a model file with other values at some of its places."""
    if not values:
        return source
    content: Any = deepcopy(dict(source.content))
    for address, value in values.items():
        first, *keys = re.findall(_PLAIN, address)
        if "." in first or any("[" in key for key in keys):
            raise ModelError(
                f"'{address}' lies inside a part, of which only parameters can be changed from outside, PART.NAME; "
                "give its file a parameter there"
            )
        _put(_thing(content, first, address), keys, address, _plain(value))
    return replace(source, content=content)


def _thing(content: dict[str, Any], text: str, address: str) -> Any:
    """Return the table that the first part of an address names, or the list of gravity."""
    found = _STEP.fullmatch(text)
    key, name = (found["key"], found["name"]) if found else (text, None)
    things = content.get(key)
    if name is None:
        return content.setdefault(key, [0.0, 0.0, 0.0] if key == _GRAVITY else {}) if things is None else things
    if not isinstance(things, list):
        lists = [known for known, value in content.items() if isinstance(value, list) and known != _GRAVITY]
        raise ModelError(f"'{address}': the model file has no list of '{key}'{did_you_mean(key, lists)}")
    by_name = {str(thing.get("name")): thing for thing in things if isinstance(thing, dict)}
    if name not in by_name:
        raise ModelError(f"'{address}': {key} '{name}' does not exist{did_you_mean(name, by_name)}")
    return by_name[name]


def _put(table: Any, keys: list[str], address: str, value: Any) -> None:
    """Put a value under keys; x, y, z are the entries of a list of three, 1, 2 … those of every list."""
    *before, last = keys
    for key in before:
        if not isinstance(table, dict):
            raise ModelError(f"'{address}': '{key}' does not exist there")
        table = table.setdefault(key, {})
    if isinstance(table, list) and last in _XYZ and len(table) == len(_XYZ):
        table[_XYZ.index(last)] = value
    elif isinstance(table, list) and last.isdecimal() and 1 <= int(last) <= len(table):
        table[int(last) - 1] = value
    elif isinstance(table, dict):
        table[last] = value
    else:
        entries = f"; the list there has entries 1 to {len(table)}" if isinstance(table, list) else ""
        raise ModelError(f"'{address}': nothing can be put under '{last}' there{entries}")


def _plain(value: Scalar) -> Any:
    """Return a text as what it would be in the file: a number, a list, true or false; other texts as they are.

    A whole number is returned as such, since counts of modes take no others.
    """
    if isinstance(value, str):
        try:
            found: Any = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            return value
        if not isinstance(found, float):
            return found if isinstance(found, bool | int | str | list) else value
        value = found
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
