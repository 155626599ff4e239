"""How nodes, dofs, frequencies and values of parameters are written on the command line."""

from __future__ import annotations

import math
from typing import Any

import typer

_HIGHEST = 1e100  # Hz; squares of it are still finite
_MOST_VALUES = 1000  # of --vary


def picked_dofs(text: str, option: str) -> list[Any]:
    """Return what "ends,7,12:uz" names: sets, node numbers, or these with components joined by +."""
    items: list[Any] = []
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            continue
        where, colon, names = part.partition(":")
        place = int(where) if where.isdigit() else where
        if colon and not names:
            raise typer.BadParameter(f"{option}: '{part}' needs a component after the colon, e.g. 12:uz")
        items.append((place, names.split("+")) if colon else place)
    return items


def place_list(items: list[Any]) -> list[dict[str, Any]]:
    """Return what `picked_dofs` found as JSON shows it: a set or node, its components or null for all of them."""
    pairs = [item if isinstance(item, tuple) else (item, None) for item in items]
    return [
        {
            "set": place if isinstance(place, str) else None,
            "node": place if isinstance(place, int) else None,
            "components": components and list(components),
        }
        for place, components in pairs
    ]


def numbers(text: str, option: str) -> list[int]:
    """Return what "3,5,8-10" names."""
    found: list[int] = []
    for part in (piece.strip() for piece in text.split(",")):
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise typer.BadParameter(f"{option}: '{part}' must be a number or a range, e.g. 3-7")
        if dash and int(last) < int(first):
            raise typer.BadParameter(f"{option}: the range '{part}' is reversed; write {last}-{first}")
        found += range(int(first), int(last if dash else first) + 1)
    return found


def hertz(text: str | None, option: str) -> float | None:
    """Return a frequency written as "50", "50Hz" or "0.4 kHz" [Hz]."""
    if text is None:
        return None
    word = text.strip().lower()
    factor = 1e3 if word.endswith("khz") else 1.0
    try:
        value = float(word.removesuffix("hz").removesuffix("k")) * factor
    except ValueError:
        value = 0.0
    if not 0.0 < value <= _HIGHEST:
        raise typer.BadParameter(f"{option}: '{text}' must be a positive frequency up to {_HIGHEST:g} Hz, e.g. 50Hz")
    return value


def span_of(text: str, option: str = "--band", example: str = "0.1:200") -> tuple[float, float]:
    """Both ends of FIRST:LAST [Hz]."""
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low = high = 0.0
    if not 0.0 < low < high < float("inf"):
        raise typer.BadParameter(f"{option}: '{text}' must be two rising frequencies in Hz, e.g. {example}")
    return low, high


def values_of(text: str) -> tuple[str, str, list[float]]:
    """Name, unit and numbers of NAME=FIRST:LAST:STEP or "NAME [UNIT]=FIRST:LAST:STEP"."""
    from floatframe.hybrid import name_and_unit

    heading, _, span = (part.strip() for part in text.partition("="))
    try:
        first, last, step = map(float, span.split(":"))
        count = math.floor((last - first) / step * (1 + 1e-12)) + 1
    except (ValueError, ZeroDivisionError, OverflowError):
        count = 0
    name, unit = name_and_unit(heading)
    if not name or count < 1 or count > _MOST_VALUES:
        raise typer.BadParameter(
            f"--vary: '{text}' must have the form NAME=FIRST:LAST:STEP with 1 to {_MOST_VALUES} values, "
            "e.g. speed=0:100:10"
        )
    return name, unit, [first + k * step for k in range(count)]
