"""Force elements in their flat form, and the joints and coordinates they and relations refer to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.expressions import Table, parse
from floatframe.hybrid.description import LAW_LIMITS, VARIABLES, Force, kind_in_words, unit
from floatframe.hybrid.flat.bodies import Bodies
from floatframe.hybrid.flat.model import FlatForce
from floatframe.hybrid.flat.parts import TIME, Part
from floatframe.wording import did_you_mean


def flat_force(part: Part, force: Force, bodies: Bodies, coordinates: Mapping[str, tuple[str, ...]]) -> FlatForce:
    """Return a force element with its places or joint found, its numbers worked out and its expressions filled."""
    name = part.path + force.name
    where = Where.of("force", name, kind_in_words(force.kind, force.expressions))
    joint, coordinate = "", 0
    if force.joint:
        joint = known_joint(part, force.joint, coordinates, where.at("joint"))
        coordinate = _coordinate(force, coordinates[joint], joint, where)
    a = None if force.a is None else bodies.place(part, force.a, where.at("a"))
    b = None if force.b is None else bodies.place(part, force.b, where.at("b"))
    if a is not None and b is not None:
        bodies.require_two_ends(a, b, where)
    tables: dict[str, Table] = {}
    expressions = {}
    for key, law in force.expressions.items():
        label = where.key(key)
        if isinstance(law, Table):
            tables[f"{name}.{key}"] = law
            expressions[key] = parse(f"table({name}.{key}, {_argument(force.kind)})", where=label)
            continue
        variables = frozenset(VARIABLES[force.kind]) | TIME
        expressions[key] = part.expression(law, label, variables, sensors=True)
        for table in expressions[key].tables:
            tables[table] = part.tables[table.removeprefix(part.path)]
    return FlatForce(
        name=name,
        kind=force.kind,
        a=a,
        b=b,
        joint=joint,
        coordinate=coordinate,
        expressions=expressions,
        numbers={key: _number(part, key, value, where.key(key)) for key, value in force.numbers.items()},
        options=force.options,
        tables=tables,
        function=force.function,
        profile=force.profile,
        subsystem=part.subsystem,
    )


def _argument(kind: str) -> str:
    """Return what a table given as a law is looked up with."""
    if kind in ("friction", "joint_friction"):
        return "abs(rate)"
    return VARIABLES[kind][0] if VARIABLES[kind] else "t"


def _number(part: Part, key: str, raw: Any, where: Where) -> Array:
    """Return a number or matrix of an element, axes at length one."""
    values = part.scope.array(raw, where)
    if key in ("axis", "normal"):
        return unit(values, where)
    if key in LAW_LIMITS:
        least, allowed = LAW_LIMITS[key]
        if values < least or (values == least and not allowed):
            raise where.error(f"found {values:g}, expected {'at least' if allowed else 'more than'} {least:g}")
    if key in ("stiffness", "damping") and values.ndim == 1:
        return np.diag(np.concatenate([values, np.zeros(6 - values.size)]))
    return values


def known_joint(part: Part, joint: str, coordinates: Mapping[str, tuple[str, ...]], where: Where) -> str:
    """Return the full name of a joint that is named as seen from a part."""
    name = part.path + joint
    if name not in coordinates:
        known = [key.removeprefix(part.path) for key in coordinates if key.startswith(part.path)]
        raise where.error(f"joint '{joint}' does not exist{did_you_mean(joint, known)}", missing=joint)
    return name


def require_coordinate(coordinates: tuple[str, ...], coordinate: int, joint: str, where: Where) -> None:
    """Refuse a coordinate that a joint does not have."""
    if not coordinates:
        raise where.error(f"joint '{joint}' has no coordinates, expected a joint with an angle or a displacement")
    if not 0 <= coordinate < len(coordinates):
        has = f"its coordinates from 0 on are {', '.join(coordinates)}"
        raise where.error(f"joint '{joint}' has no coordinate {coordinate}; {has}")


def _coordinate(force: Force, coordinates: tuple[str, ...], joint: str, where: Where) -> int:
    """Return the coordinate a force acts on: the one asked for, or the first of its kind."""
    wanted = {"joint_torque": "angle", "joint_force": "displacement"}.get(force.kind)
    if force.coordinate is None:
        fitting = [k for k, kind in enumerate(coordinates) if wanted in (None, kind)]
        if not fitting:
            has = ", ".join(coordinates) or "none"
            raise where.at("joint").error(f"joint '{joint}' has no {wanted or 'coordinate'}; its coordinates: {has}")
        return fitting[0]
    require_coordinate(coordinates, force.coordinate, joint, where.at("coordinate"))
    if wanted not in (None, coordinates[force.coordinate]):
        found, other = coordinates[force.coordinate], "joint_force" if wanted == "angle" else "joint_torque"
        raise where.at("coordinate").error(
            f"coordinate {force.coordinate} of joint '{joint}' is {found}, expected {wanted}; use {other}"
        )
    return force.coordinate
