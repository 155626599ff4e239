"""Nodes and elements by place: the tables { box, plane, sphere, cylinder, nearest, x, y, z, where } of a mesh file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.fem.builders import in_box, in_cylinder, in_sphere, nearest, on_plane
from floatframe.fem.meshfile import values as v
from floatframe.fem.meshfile.context import SAME, XYZ, Context, Late, checked
from floatframe.tomlfile import Key, Spot, number, read_keys

Mask = Callable[[Array], BoolArray]


@dataclass(frozen=True)
class Nearest:
    """The n nodes nearest to a place (3,) [m]."""

    place: Array
    n: int

    def __call__(self, points: Array) -> IntArray:
        return nearest(self.place, self.n)(points)


def condition(spot: Spot) -> Late:
    """An expression of x, y, z that is true where things are picked; == forgives 1e-6 m."""
    number(spot)
    return lambda context: context.field(spot, XYZ, SAME).mask


def region(spot: Spot) -> Late:
    """A table of conditions that all hold, as a function of points (n, 3) that gives a mask."""
    given = read_keys(spot, REGION, "a region")
    if not given:
        raise spot.wrong("at least one of " + ", ".join(REGION))

    def value(context: Context) -> Mask:
        masks = [_mask(spot.inside(key), key, late(context)) for key, late in given.items()]
        return lambda points: np.logical_and.reduce([mask(points) for mask in masks])

    return value


def _mask(spot: Spot, key: str, value: Any) -> Mask:
    if key in XYZ:
        return partial(_on_lines, column=XYZ.index(key), places=value)
    if key == "where":
        return value
    make: dict[str, Callable[[], Mask]] = {
        "box": lambda: in_box(*value),
        "plane": lambda: on_plane(value["normal"], value.get("value", 0.0)),
        "sphere": lambda: in_sphere(value["centre"], value["radius"]),
        "cylinder": lambda: in_cylinder(value["a"], value["b"], value["radius"]),
    }
    return checked(spot, make[key])


def _on_lines(points: Array, column: int, places: Array) -> BoolArray:
    return np.asarray(np.any([np.abs(points[:, column] - place) < SAME for place in places], axis=0))


def nodes(spot: Spot) -> Late:
    """Nodes: the name of a set, numbers, { nearest } to a point, or a region."""
    if isinstance(spot.value, str):
        return v.word(spot)
    if isinstance(spot.value, dict):
        if "nearest" not in spot.value:
            return region(spot)
        given = read_keys(spot, NEAREST, "nodes nearest to a point")
        return lambda context: Nearest(given["nearest"](context), given["n"](context) if "n" in given else 1)
    if isinstance(spot.value, int) and not isinstance(spot.value, bool):
        return v.count(spot)
    if not isinstance(spot.value, list):
        raise spot.wrong('the name of a set, numbers of nodes, or a table such as { plane = { normal = "x" } }')
    entries = [v.count(entry) for entry in spot.entries()]
    return lambda context: [entry(context) for entry in entries]


def node(spot: Spot) -> Late:
    """One node, as a function of the model: its number, a set that holds it alone, or the node nearest to a place."""
    if isinstance(spot.value, int) and not isinstance(spot.value, bool):
        return v.count(spot)
    if isinstance(spot.value, str):
        return lambda context: context.points.get(spot.value, spot.value)
    return v.point(spot)


def corners(spot: Spot) -> Late:
    """Two opposite corners; infinite limits leave a direction open."""
    if not isinstance(spot.value, list) or len(spot.value) != 2:
        raise spot.wrong("two opposite corners [[x, y, z], [x, y, z]]")
    limits = [[_limit(one) for one in _three(entry).entries()] for entry in spot.entries()]
    return lambda context: [np.array([limit(context) for limit in row]) for row in limits]


def _three(spot: Spot) -> Spot:
    if not isinstance(spot.value, list) or len(spot.value) != 3:
        raise spot.wrong("two opposite corners [[x, y, z], [x, y, z]]")
    return spot


def _limit(spot: Spot) -> Late:
    if isinstance(spot.value, float) and np.isinf(spot.value):
        return lambda context: spot.value
    return v.number(spot)


def regions(spot: Spot) -> Late:
    """A list of regions."""
    if not isinstance(spot.value, list):
        raise spot.wrong("a list of regions { box = … }")
    entries = [region(entry) for entry in spot.entries()]
    return lambda context: [entry(context) for entry in entries]


PLANE = {
    "normal": Key('"x", "y", "z" or a vector', v.axis, required=True),
    "value": Key("distance from the origin along it [m]", v.number, default="0"),
}
SPHERE = {"centre": Key("its centre", v.point, required=True), "radius": Key("[m]", v.positive, required=True)}
CYLINDER = {
    "a": Key("one end of its axis", v.point, required=True),
    "b": Key("the other end", v.point, required=True),
    "radius": Key("[m]", v.positive, required=True),
}
REGION = {
    "box": Key("two opposite corners [m]; inf leaves a direction open", corners),
    "plane": Key("{ normal, value }", v.table(PLANE, "a plane")),
    "sphere": Key("{ centre, radius }", v.table(SPHERE, "a sphere")),
    "cylinder": Key("{ a, b, radius }", v.table(CYLINDER, "a cylinder")),
    **{name: Key(f"{name} is one of these places or mesh lines [m]", v.lines) for name in XYZ},
    "where": Key("an expression of x, y, z; == and != forgive 1e-6 m", condition),
}
NEAREST = {
    "nearest": Key("the nodes nearest to this point", v.point, required=True),
    "n": Key("how many", v.count, default="1"),
}
