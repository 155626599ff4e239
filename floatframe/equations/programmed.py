"""Programmed constraints as control: the forces that held them in a run, applied in their place.

A constraint g = 0 is held by the forces λ ∂g/∂q. What a run recorded of λ is a programme for drives: in a model without
the constraint they give the same motion, as far as it is stable without being watched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from floatframe.errors import ModelError
from floatframe.expressions import Expression, parse
from floatframe.hybrid import (
    Joint,
    Model,
    Place,
    Relation,
    Results,
    Table,
    joint_force,
    joint_torque,
    point_force,
    point_torque,
)
from floatframe.wording import did_you_mean

# coordinates of joints: a displacement or an angle
_COORDINATES = {
    "revolute": "a",
    "prismatic": "d",
    "cylindrical": "da",
    "screw": "ad",
    "universal": "aa",
    "planar": "dda",
}
_OF_JOINT = re.compile(r"(?P<joint>.+)\.(?:angle|displacement|coordinate|rate)(?:\[(?P<k>\d+)\])?")
_OF_BODY = re.compile(r"(?P<body>.+)\.(?P<what>position|velocity|angular_velocity)\.(?P<axis>[xyz])")


def forces_instead(model: Model, result: Results, constraints: Sequence[str]) -> Model:
    """A model in which the forces that held constraints during a run act instead of the constraints.

    The forces are named NAME_1, NAME_2, …; between records λ follows a spline.

    Parameters
    ----------
    model
        The model that was run; it stays as it is.
    result
        A run with the channels NAME.force of the constraints, recorded at least some ten times per motion of interest.
    constraints
        Names of relations (gear, rack and motion too) and of velocity constraints. Those between joint coordinates,
        positions and velocities of bodies are possible.
    """
    chosen = {name: _constraint(model, name) for name in constraints}
    driven = copy(model)
    driven.items = {name: item for name, item in model.items.items() if name not in chosen}
    driven.tables = dict(model.tables)
    for name, constraint in chosen.items():
        table = f"{name}_force"
        driven.tables[table] = Table(result.t, result[f"{name}.force"].ravel(), kind="spline", name=table)
        for k, (variable, slope) in enumerate(_slopes(constraint), start=1):
            law = f"table({table}, t)*({slope})"
            driven.add(_force(model, f"{name}_{k}", name, variable, law))
    return driven


def _constraint(model: Model, name: str) -> Any:
    found = model.items.get(name)
    if found is None:
        raise ModelError(f"constraint '{name}' does not exist{did_you_mean(name, model.items)}", missing=name)
    if not isinstance(found, Relation) and not hasattr(found, "expression"):
        raise ModelError(f"'{name}' is a {getattr(found, 'kind', 'body')}; expected a relation or velocity constraint")
    return found


def _slopes(constraint: Any) -> Iterator[tuple[str, Expression | str]]:
    """The variables of a constraint and its derivatives by them; of a velocity constraint by the speeds."""
    if isinstance(constraint, Relation):
        yield from ((f"{joint}.coordinate[{k + 1}]", str(factor)) for joint, k, factor in constraint.terms)
        return
    expression = parse(str(constraint.expression))
    speeds = constraint.kind == "velocity_constraint"
    for name in sorted(expression.names):
        is_speed = bool(re.search(r"\.(rate|velocity|angular_velocity)(\W|$)", name))
        if (_OF_JOINT.fullmatch(name) or _OF_BODY.fullmatch(name)) and is_speed == speeds:
            yield name, expression.derivative(name)
        elif "." in name and not speeds:
            raise ModelError(
                f"constraint '{constraint.name}': no drive acts along '{name}'; expected joint coordinates and "
                "positions of bodies"
            )


def _force(model: Model, name: str, constraint: str, variable: str, law: str) -> Any:
    """The force element that acts along a variable."""
    if match := _OF_JOINT.fullmatch(variable):
        joint, k = model.items.get(match["joint"]), int(match["k"] or 1) - 1
        if isinstance(joint, Joint):
            kinds = _COORDINATES.get(joint.kind) or "".join(
                "a" if step.motion == "rotate" else "d" for step in joint.steps if step.by is None
            )
            if k < len(kinds):
                return (joint_torque if kinds[k] == "a" else joint_force)(name, joint, law, k)
    elif (match := _OF_BODY.fullmatch(variable)) and match["body"] in model.items:
        along = [law if axis == match["axis"] else "0" for axis in "xyz"]
        place = Place(match["body"])
        if match["what"] == "angular_velocity":
            return point_torque(name, place, along, axes="body")
        return point_force(name, place, along)
    raise ModelError(
        f"constraint '{constraint}': no drive acts along '{variable}'; expected coordinates of joints and positions of "
        "bodies that the model has itself, not inside subsystems"
    )
