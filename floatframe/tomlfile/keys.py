"""The keys of a table and what may stand behind them: one small reader for each plain kind of value.

Numbers and expressions pass as they are; the things they belong to check them and say what they expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floatframe.errors import FloatframeError
from floatframe.tomlfile.locate import located
from floatframe.tomlfile.source import Spot, gathered, shown
from floatframe.userfiles import is_file
from floatframe.wording import did_you_mean


@dataclass(frozen=True)
class Key:
    """A key of a table: how its value is read, what it means, whether it must stand there."""

    meaning: str  # with its unit
    read: Callable[[Spot], Any]
    required: bool = False
    default: str = ""  # as the reference shows it


def read_keys(spot: Spot, keys: Mapping[str, Key], what: str) -> dict[str, Any]:
    """Return the values of a table; unknown, missing and wrong keys are errors. `what`: "a revolute joint"."""
    if not isinstance(spot.value, dict):
        raise spot.wrong("a table { key = value }")
    unknown = [key for key in spot.value if key not in keys]
    problems: list[FloatframeError] = [
        spot.inside(key).error(f"'{key}' is not a key of {what}{did_you_mean(key, keys)}") for key in unknown
    ]
    for key, rule in keys.items():
        # an unknown key may be the missing one, misspelt
        if rule.required and key not in spot.value and not unknown:
            problems.append(spot.error(f"'{key}' is missing, expected {rule.meaning}", key))
    found = {}
    for key in spot.value.keys() - set(unknown):
        try:
            found[key] = keys[key].read(spot.inside(key))
        except FloatframeError as error:
            problems.append(located(spot.inside(key), error))
    if problems:
        raise gathered(problems)
    return {key: found[key] for key in spot.value}


def number(spot: Spot) -> Any:
    """A number or an expression."""
    if isinstance(spot.value, bool) or not isinstance(spot.value, int | float | str):
        raise spot.wrong("a number or an expression in quotation marks")
    return spot.value


def numbers(spot: Spot) -> Any:
    """A list, or a list of lists, of numbers and expressions."""
    if not isinstance(spot.value, list):
        raise spot.wrong("a list of numbers")
    return spot.value


def text(spot: Spot) -> str:
    if not isinstance(spot.value, str):
        raise spot.wrong("a text in quotation marks")
    return spot.value


def texts(spot: Spot) -> tuple[str, ...]:
    if not isinstance(spot.value, list):
        raise spot.wrong("a list of texts")
    return tuple(text(entry) for entry in spot.entries())


def truth(spot: Spot) -> bool:
    if not isinstance(spot.value, bool):
        raise spot.wrong("true or false")
    return spot.value


def integer(spot: Spot) -> int:
    if isinstance(spot.value, bool) or not isinstance(spot.value, int):
        raise spot.wrong("a whole number")
    return spot.value


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]

    def __call__(self, spot: Spot) -> str:
        if not isinstance(spot.value, str) or spot.value not in self.words:
            near = did_you_mean(spot.value, self.words) if isinstance(spot.value, str) else ""
            raise spot.error(f"{spot.key} is {shown(spot.value)}, expected one of {', '.join(self.words)}{near}")
        return spot.value


def choice(*words: str) -> Choice:
    """Return the reader of one of some words."""
    return Choice(words)


def path(spot: Spot) -> Path:
    """An existing file, named relative to the model file."""
    if text(spot) in spot.source.files:
        return spot.source.files[text(spot)]
    found = spot.source.path.parent / text(spot)
    if not is_file(found):
        try:
            near = [other.name for other in found.parent.iterdir() if other.is_file()]
        except OSError:
            raise spot.error(f"file '{spot.value}' does not exist, nor its folder '{found.parent}'") from None
        raise spot.error(f"file '{spot.value}' does not exist beside it{did_you_mean(found.name, near)}")
    return found


def named_numbers(spot: Spot) -> dict[str, Any]:
    """A table of numbers and expressions under names."""
    if not isinstance(spot.value, dict):
        raise spot.wrong("a table name = value")
    found, problems = {}, []
    for key in spot.value:
        try:
            found[key] = number(spot.inside(key))
        except FloatframeError as error:
            problems.append(error)
    if problems:
        raise gathered(problems)
    return found
