"""What may stand behind the keys of a mesh file: one small reader for each kind of value.

A reader checks at once what can be checked without parameters and returns a function that gives the value later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError
from floatframe.expressions import RESERVED, parse
from floatframe.fem.builders import lines_between, mesh_lines
from floatframe.fem.meshfile.context import XYZ, Context, Field, Late, checked, place_of
from floatframe.tomlfile import Key, Spot, choice, located, number as plain_number, path, read_keys, text, texts, truth
from floatframe.wording import did_you_mean

_MOST = 10_000_000  # elements along a line
_WHOLE = 1e-9  # how far a count may be from a whole number


def fixed(read: Callable[[Spot], Any]) -> Callable[[Spot], Late]:
    """Return the reader of a value that needs no parameters."""

    def late(spot: Spot) -> Late:
        value = read(spot)
        return lambda context: value

    return late


word, words, flag, file = fixed(text), fixed(texts), fixed(truth), fixed(path)


def one_of(*known: str) -> Callable[[Spot], Late]:
    """One of some words."""
    return fixed(choice(*known))


def number(spot: Spot) -> Late:
    """A number or an expression of parameters."""
    plain_number(spot)
    _require_grammar(spot)
    return lambda context: context.number(spot)


def _require_grammar(spot: Spot) -> None:
    try:
        parse(spot.value, where=place_of(spot))
    except FloatframeError as error:
        raise located(spot, error) from None


def positive(spot: Spot) -> Late:
    """A number greater than zero."""
    late = number(spot)

    def value(context: Context) -> float:
        found = late(context)
        if not found > 0:
            raise spot.error(f"{spot.key} is {found:g}, expected a number greater than zero")
        return float(found)

    return value


def count(spot: Spot) -> Late:
    """A whole number of at least one."""
    late = number(spot)

    def value(context: Context) -> int:
        found = late(context)
        if abs(found - round(found)) > _WHOLE or found < 0.5:
            raise spot.error(f"{spot.key} is {found:g}, expected a whole number of at least 1")
        if found > _MOST:
            raise spot.error(f"{spot.key} is {found:g}, expected {_MOST:.0e} at most; use fewer elements")
        return round(found)

    return value


def numbers(spot: Spot) -> Late:
    """A list of numbers and expressions."""
    if not isinstance(spot.value, list):
        raise spot.wrong("a list of numbers")
    entries = [number(entry) for entry in spot.entries()]
    return lambda context: np.array([entry(context) for entry in entries])


def vector(spot: Spot) -> Late:
    """Three numbers."""
    if not isinstance(spot.value, list) or len(spot.value) != 3:
        raise spot.wrong("three numbers [x, y, z]")
    return numbers(spot)


def counts(spot: Spot) -> Late:
    """Three whole numbers."""
    if not isinstance(spot.value, list) or len(spot.value) != 3:
        raise spot.wrong("three whole numbers")
    entries = [count(entry) for entry in spot.entries()]
    return lambda context: [entry(context) for entry in entries]


def one_or_more(spot: Spot) -> Late:
    """One number or a list of them."""
    return numbers(spot) if isinstance(spot.value, list) else number(spot)


def axis(spot: Spot) -> Late:
    """An axis "x", "y", "z" or a direction."""
    if isinstance(spot.value, str):
        return one_of(*XYZ)(spot)
    late = vector(spot)

    def value(context: Context) -> Array:
        found = late(context)
        if not found.any():
            raise spot.error(f"{spot.key} is the zero vector, expected a direction such as [0, 0, 1]")
        return np.asarray(found)

    return value


def point(spot: Spot) -> Late:
    """A place: its coordinates, or the name of one in [points]."""
    if not isinstance(spot.value, str):
        return vector(spot)
    return lambda context: named(spot, context.points, "point")


def named(spot: Spot, known: Mapping[str, Any], what: str) -> Any:
    """Return what has a name."""
    if spot.value not in known:
        raise spot.error(f"{what} '{spot.value}' does not exist{did_you_mean(spot.value, known)}", missing=spot.value)
    return known[spot.value]


def points(spot: Spot) -> Late:
    """Places: a list of them, or { x, y, z } for all combinations of coordinates, the last written runs fastest."""
    if isinstance(spot.value, dict):
        given = read_keys(spot, GRID, "a grid of points")

        def grid(context: Context) -> Array:
            found = {name: late(context) for name, late in given.items()}
            rows = [dict(zip(found, row, strict=True)) for row in product(*found.values())]
            return np.array([[row[name] for name in XYZ] for row in rows])

        return grid
    if not isinstance(spot.value, list) or not spot.value:
        raise spot.wrong("a list of points, or { x, y, z } with the coordinates of a grid")
    entries = [point(entry) for entry in spot.entries()]
    return lambda context: np.array([entry(context) for entry in entries])


def lines(spot: Spot) -> Late:
    """Mesh lines: one place or name of lines, a list of such, or a table that says how they are made."""
    if isinstance(spot.value, dict):
        return _made_lines(spot)
    if isinstance(spot.value, list):
        if not spot.value:
            raise spot.wrong("at least one place")
        entries = [lines(entry) for entry in spot.entries()]
        return lambda context: np.concatenate([entry(context) for entry in entries])
    late = number(spot)

    def value(context: Context) -> Array:
        # a value of a loop comes before lines of the same name
        if spot.value in context.lines and spot.value not in context.scope.parameters:
            return context.lines[spot.value]
        return np.array([late(context)])

    return value


# which keys make lines together
_WAYS = (("from", "to", "n"), ("through", "size"), ("nearest", "of"), ("of", "from", "to"), ("from", "to", "step"))


def _made_lines(spot: Spot) -> Late:
    given = read_keys(spot, LINES, "mesh lines")
    if not any(set(way) == given.keys() for way in _WAYS):
        ways = " or ".join("{ " + ", ".join(way) + " }" for way in _WAYS)
        raise spot.error(f"{spot.key} has the keys {', '.join(given) or 'none'}, expected {ways}")

    def value(context: Context) -> Array:
        v = {key: late(context) for key, late in given.items()}
        if "n" in v:
            return np.linspace(v["from"], v["to"], v["n"] + 1)
        if "size" in v:
            return np.asarray(checked(spot, lambda: mesh_lines(v["through"], v["size"])))
        if "nearest" in v:
            return np.unique(v["of"][np.abs(v["of"][:, None] - v["nearest"]).argmin(axis=0)])
        if "step" in v:
            steps = np.floor((v["to"] - v["from"]) / v["step"] + _WHOLE)
            if not steps < _MOST:
                raise spot.error(f"{spot.key} has {steps:g} lines, expected {_MOST:.0e} at most; use a larger step")
            return np.asarray(v["from"] + np.arange(max(int(steps), 0) + 1) * v["step"])
        found = lines_between(v["of"], v["from"], v["to"])
        if not found.size:
            raise spot.error(f"{spot.key}: no line lies between {v['from']:g} and {v['to']:g}")
        return found

    return value


def expression(*variables: str) -> Callable[[Spot], Late]:
    """A number, or an expression of these coordinates."""

    def read(spot: Spot) -> Late:
        plain_number(spot)
        _require_grammar(spot)
        return lambda context: context.field(spot, variables)

    return read


def field_vector(spot: Spot) -> Late:
    """Three numbers or expressions of x, y, z: a vector at every place."""
    if not isinstance(spot.value, list) or len(spot.value) != 3:
        raise spot.wrong("three numbers or expressions of x, y, z")
    entries = [expression(*XYZ)(entry) for entry in spot.entries()]

    def value(context: Context) -> Callable[[Array], Array]:
        parts: Sequence[Field] = [entry(context) for entry in entries]

        def at(places: Array) -> Array:
            env = dict(zip(XYZ, places.T, strict=True))
            return np.stack([part.finite(env) for part in parts], axis=-1)

        return at

    return value


def loops(spot: Spot) -> Late:
    """Names and the values that each takes in turn, the last written fastest."""
    if not isinstance(spot.value, dict) or not spot.value:
        raise spot.wrong("a table { name = [values] }")
    given = {}
    for name in spot.value:
        if not name.isidentifier() or name in RESERVED:
            raise spot.inside(name).error(f"'{name}' cannot be the name of a value; choose another word")
        given[name] = lines(spot.inside(name))

    def value(context: Context) -> list[dict[str, float]]:
        found = [[(name, k, float(v)) for k, v in enumerate(late(context), start=1)] for name, late in given.items()]
        rounds = []
        for row in product(*found):
            rounds.append({name: v for name, _, v in row} | {f"{name}.number": float(k) for name, k, _ in row})
        return rounds

    return value


def named_values(spot: Spot) -> Late:
    """A table of numbers and expressions under names."""
    if not isinstance(spot.value, dict):
        raise spot.wrong("a table { name = value }")
    given = {name: number(spot.inside(name)) for name in spot.value}
    return lambda context: {name: late(context) for name, late in given.items()}


def table(keys: Mapping[str, Key], what: str) -> Callable[[Spot], Late]:
    """A table of keys."""

    def read(spot: Spot) -> Late:
        given = read_keys(spot, keys, what)
        return lambda context: {key: late(context) for key, late in given.items()}

    return read


GRID = {name: Key(f"{name} of the points [m]: one, several, or mesh lines", lines, required=True) for name in XYZ}
LINES = {
    "from": Key("first place [m]", number),
    "to": Key("last place [m]", number),
    "n": Key("number of equal pieces between them", count),
    "step": Key("or their size [m]", positive),
    "through": Key("places that lines must pass through [m]", lines),
    "size": Key("about how far apart they are [m]", positive),
    "nearest": Key("take the lines next to these places [m] …", lines),
    "of": Key("… of these lines, or those between `from` and `to`", lines),
}
