"""Names in expressions that mean the state of a body, node or joint, and how the kernels measure it.

BODY.position.x  BODY.velocity.y  BODY.angular_velocity.z     of the body's origin; angular velocity in body axes
BODY.axis_x.z                                                 component z of its axis x, in world axes
BODY.node[12].position.z  BODY.node[TIP_ref].velocity.x       of a node of a flexible body, by number or name
BODY.mode[3]  BODY.mode_rate[3]                               modal coordinate, counted from 1
JOINT.angle  JOINT.displacement  JOINT.coordinate[2]  JOINT.rate  JOINT.rate[2]

State variables and signals are found by `programs`.
"""

from __future__ import annotations

import re

import numpy as np

from floatframe.errors import Where
from floatframe.hybrid.compile.build import Additions
from floatframe.hybrid.flat import FlatJoint, FlatPlace, bracketed, node_number
from floatframe.hybrid.kernels import (
    SENSE_ANGULAR_VELOCITY,
    SENSE_AXIS,
    SENSE_COORDINATE,
    SENSE_MODAL,
    SENSE_MODAL_RATE,
    SENSE_POSITION,
    SENSE_RATE,
    SENSE_VELOCITY,
)
from floatframe.wording import did_you_mean

_VECTOR = {"position": SENSE_POSITION, "velocity": SENSE_VELOCITY, "angular_velocity": SENSE_ANGULAR_VELOCITY}
_OF_BODY = re.compile(
    r"(?P<body>.+?)(?:\.node\[(?P<node>\w+)\])?\.(?P<what>position|velocity|angular_velocity|axis_[xyz])\.(?P<k>[xyz])"
)
_OF_MODE = re.compile(r"(?P<body>.+)\.(?P<what>mode|mode_rate)\[(?P<k>\d+)\]")
_OF_JOINT = re.compile(r"(?P<joint>.+)\.(?P<what>angle|displacement|coordinate|rate)(?:\[(?P<k>\d+)\])?")


def find_sensor(b: Additions, name: str, local: tuple[str, ...], where: Where) -> dict[str, int]:
    """The sensor record of a name in an expression.

    local: the variables known without a sensor; where: the place of the expression.
    """
    bodies = [body.name for body in b.model.bodies]
    joints = [joint.name for joint in b.model.joints]
    if (match := _OF_BODY.fullmatch(name)) and match["body"] in bodies:
        place = _place(b, bodies.index(match["body"]), match["node"], where)
        what, component = match["what"], "xyz".index(match["k"])
        if what.startswith("axis_"):
            world = b.marker(FlatPlace(body=-1, point=np.zeros(3), node=None, rotation=None))
            component += 3 * "xyz".index(what[-1])
            return {"kind": SENSE_AXIS, "index": b.seen(place), "component": component, "other": world}
        return {"kind": _VECTOR[what], "index": b.seen(place), "component": component}
    if (match := _OF_MODE.fullmatch(name)) and match["body"] in bodies:
        return _mode(b, bodies.index(match["body"]), name, int(match["k"]), match["what"] == "mode_rate", where)
    if (match := _OF_JOINT.fullmatch(name)) and match["joint"] in joints:
        joint, kind = joints.index(match["joint"]), SENSE_RATE if match["what"] == "rate" else SENSE_COORDINATE
        k = _coordinate(b.model.joints[joint], name, match["what"], match["k"], where)
        return {"kind": kind, "index": b.coordinate(joint, k, where)}
    named = [*(one.name for one in b.model.kept), *(signal.name for signal in b.model.signals)]
    known = [*local, *named, *(f"{body}.position.x" for body in bodies), *(f"{joint}.rate" for joint in joints)]
    raise where.error(f"unknown name '{name}' in an expression{did_you_mean(name, known)}", missing=name)


def _place(b: Additions, body: int, node: str | None, where: Where) -> FlatPlace:
    if node is None:
        return FlatPlace(body=body, point=np.zeros(3), node=None, rotation=None)
    reduced = b.model.bodies[body].reduced
    if reduced is None:
        raise where.error(f"body '{b.model.bodies[body].name}' is rigid and has no node {node}; name a point of it")
    number = node_number(reduced, bracketed(node), where, b.model.bodies[body].name)
    row = int(reduced.node_index([number])[0])
    return FlatPlace(body=body, point=np.asarray(reduced.nodes[row]), node=number, rotation=None)


def _coordinate(joint: FlatJoint, name: str, what: str, number: str | None, where: Where) -> int:
    """The coordinate, from 0, that a name means; of an angle or displacement without number the first of its kind."""
    kinds = joint.coordinates
    if what not in ("angle", "displacement") or not kinds:
        return int(number) - 1 if number else 0
    fitting = [k for k, kind in enumerate(kinds) if kind == what and number in (None, str(k + 1))]
    if not fitting:
        has = ", ".join(f"{joint.name}.{kind}[{k + 1}]" for k, kind in enumerate(kinds))
        raise where.error(f"'{name}' does not exist; joint '{joint.name}' ({joint.kind}) has {has}", missing=name)
    return fitting[0]


def _mode(b: Additions, body: int, name: str, k: int, rate: bool, where: Where) -> dict[str, int]:
    reduced = b.model.bodies[body].reduced
    count = 0 if reduced is None else reduced.nmode
    if not 1 <= k <= count:
        raise where.error(f"'{name}': the body has {count} modes, counted from 1")
    record = b.flexible[b.flexible_of[body]]
    kind, first = (SENSE_MODAL_RATE, record["iv"]) if rate else (SENSE_MODAL, record["iq"])
    return {"kind": kind, "index": int(first) + k - 1}
