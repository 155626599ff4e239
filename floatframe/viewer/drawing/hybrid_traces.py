"""Paths of points in runs, by the names users give them: rod.node[101], crank.com, crank.at(1, 0, 0), slider."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import ModelError, Where
from floatframe.hybrid import FlatPlace, bracketed, node_number
from floatframe.viewer.scene import Part
from floatframe.wording import did_you_mean

if TYPE_CHECKING:
    from floatframe.hybrid import CompiledSystem
    from floatframe.viewer.drawing.hybrid_motion import Motion

_COLOUR = "#c0392b"
_POINT = re.compile(r"(?P<body>.+?)(?:\.node\[(?P<node>[^\[\]]+)\]|\.(?P<com>com)|\.at\((?P<point>[^)]*)\))?")


def traced_path(system: CompiledSystem, name: str, motion: Motion) -> Part:
    """Return the way of a point in space as a line."""
    points = motion.of_place(system, _traced(system, name))
    rows = np.arange(len(points))
    return Part("traces", points, lines=np.column_stack([rows[:-1], rows[1:]]), color=_COLOUR)


def _traced(system: CompiledSystem, name: str) -> FlatPlace:
    """Return the place that a name of a traced point means."""
    bodies = {body.name: number for number, body in enumerate(system.model.bodies)}
    joints = {joint.name: joint.a for joint in system.model.joints}
    if name in joints:
        return joints[name]
    found = _POINT.fullmatch(name)
    if found is None or found["body"] not in bodies:
        word = name if found is None else found["body"]
        raise ModelError(f"trace: body or joint '{word}' does not exist{did_you_mean(word, [*bodies, *joints])}")
    number = bodies[found["body"]]
    body = system.model.bodies[number]
    if found["node"]:
        if body.reduced is None:
            raise ModelError(
                f"trace: body '{body.name}' is rigid and has no node; name a point: {body.name}.at(1, 0, 0)"
            )
        node = node_number(body.reduced, bracketed(found["node"]), Where("trace"), body.name)
        return FlatPlace(number, body.reduced.nodes[int(body.reduced.node_index([node])[0])], node, None)
    if found["com"]:
        return FlatPlace(number, np.asarray(body.com), None, None)
    if found["point"] is None:
        return FlatPlace(number, np.zeros(3), None, None)
    try:
        point = np.array([float(word) for word in found["point"].split(",")])
    except ValueError:
        point = np.empty(0)
    if point.shape != (3,):
        raise ModelError(f"trace: '{name}' is not a point; write {body.name}.at(x, y, z) with three numbers [m]")
    return FlatPlace(number, point, None, None)
