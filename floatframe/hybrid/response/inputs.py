"""What may drive a linear system: force elements, prescribed motions, signals, parameters, the ground as a whole.

Every input but a prescribed motion is a change of the flat model: a law, a signal or a weight with something added, a
parameter at another value. How forces, state variables and channels answer to it is found by differences between such
models, so an input needs no equations of its own.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.expressions import Call, Expression, Number
from floatframe.hybrid.assembly import CompiledSystem, assemble
from floatframe.hybrid.description import COORDINATE_UNITS, report_units
from floatframe.hybrid.flat import FlatForce, FlatModel
from floatframe.hybrid.kernels import RELATION
from floatframe.hybrid.model import Model
from floatframe.hybrid.response.ports import ORDERS, Port
from floatframe.hybrid.studies import without_friction
from floatframe.wording import did_you_mean

AXES = ("x", "y", "z")
GROUND = "ground.acceleration."
_IN_JOINT = ("joint_torque", "joint_force")
_ALONG_A_LINE = ("spring", "bump_stop")
_NUMBERED = re.compile(r"(?P<name>.+)\[(?P<number>\d+)\]")

Variant = Callable[[float], CompiledSystem]


@dataclass(frozen=True)
class Input:
    """One input.

    A prescribed motion is a constraint row whose value follows it; `order` says whether its displacement, rate or
    acceleration is the input. Any other one is a system that depends on a number, with `size` a large value of it.
    """

    port: Port
    row: int | None = None
    order: int = 0
    variant: Variant | None = None
    size: float = 1.0


def read_inputs(system: CompiledSystem, names: Sequence[str], force: float) -> list[Input]:
    """Return the inputs of these names; force: the size of forces at the state [N, N m]."""
    if not names:
        raise ModelError(f"response: no input is given; possible ones: {', '.join(input_names(system)) or 'none'}")
    if len(set(names)) < len(names):
        raise ModelError(f"response: an input is given twice in {', '.join(names)}")
    return [_input(system, name.strip(), force) for name in names]


def input_names(system: CompiledSystem) -> list[str]:
    """Return the names of all inputs of a system."""
    model = system.model
    forces = [name for force in model.forces for name in _load_names(force)]
    motions = [name + order for name in _motions(system) for order in ORDERS]
    signals = [signal.name for signal in model.signals]
    return [*forces, *motions, *signals, *model.parameters, *(GROUND + axis for axis in AXES)]


def _input(system: CompiledSystem, name: str, force: float) -> Input:
    model = system.model
    for element in model.forces:
        if name in _load_names(element):
            return _load(system, element, name, force)
    found = _motion(system, name)
    if found is not None:
        return found
    for number, signal in enumerate(model.signals):
        if signal.name == name:

            def signalled(u: float, number: int = number) -> CompiledSystem:
                changed = list(model.signals)
                changed[number] = replace(changed[number], value=_plus(changed[number].value, u))
                return _rebuilt(system, replace(model, signals=tuple(changed)))

            return Input(Port(name, signal.unit), variant=signalled)
    if name.startswith(GROUND) and name.removeprefix(GROUND) in AXES:
        along = np.eye(3)[AXES.index(name.removeprefix(GROUND))]
        # seen from a ground that accelerates, weights pull the other way
        return Input(
            Port(name, "m/s2"),
            variant=lambda u: _rebuilt(system, replace(model, gravity=model.gravity - u * along)),
            size=1.0 + float(np.abs(model.gravity).max()),
        )
    if name in model.parameters:
        return _parameter(system, name)
    for element in model.forces:
        if element.name == name:
            raise _refused(element)
    known = input_names(system)
    raise ModelError(f"response: input '{name}' does not exist{did_you_mean(name, known)}", missing=name)


def _refused(element: FlatForce) -> ModelError:
    if element.kind == "point_load":
        parts = ", ".join(_load_names(element))
        return element.where.error(f"has several components; take one of them as input: {parts}", after=" ")
    return element.where.error(
        "cannot be an input, since it has no force that could be given; add a point_force or a joint_force beside it",
        after=" ",
    )


def _load_names(element: FlatForce) -> list[str]:
    """The inputs that a force element offers: its own name, or its components."""
    if element.kind in _IN_JOINT or element.kind in _ALONG_A_LINE:
        return [element.name]
    if element.kind != "point_load":
        return []
    acting = [key for key, law in element.expressions.items() if not _is_zero(law)]
    alone = [element.name] if len(acting) == 1 else []
    return [*alone, *(f"{element.name}.{key[-1]}" for key in element.expressions)]


def _is_zero(law: Expression) -> bool:
    return law.is_constant and law.evaluate() == 0.0


def _load(system: CompiledSystem, element: FlatForce, name: str, force: float) -> Input:
    """A force on top of that of an element."""
    model, number = system.model, next(k for k, one in enumerate(system.model.forces) if one is element)
    laws = element.expressions
    if element.kind == "point_load":
        part = name.removeprefix(element.name).lstrip(".")
        key = next(key for key, law in laws.items() if (key[-1] == part if part else not _is_zero(law)))
        unit = "N" if key.startswith("f") else "N m"
    else:
        key = next(iter(laws), "")
        turns = element.kind == "joint_torque"
        unit = report_units("angle" if turns else "displacement")["value"]

    def loaded(u: float) -> CompiledSystem:
        if key:
            changed = replace(element, expressions={**laws, key: _plus(laws[key], u)})
        else:
            preload = element.numbers.get("preload", np.zeros(()))
            changed = replace(element, numbers={**element.numbers, "preload": np.asarray(preload + u)})
        forces = (*model.forces[:number], changed, *model.forces[number + 1 :])
        return _rebuilt(system, replace(model, forces=forces))

    return Input(Port(name, unit), variant=loaded, size=1.0 + force)


def _motions(system: CompiledSystem) -> dict[str, int]:
    """Rows of prescribed motions and relations by name; of several rows of one name the later ones are NAME[2] …"""
    found: dict[str, int] = {}
    joints = {joint.name for joint in system.model.joints if joint.kind != "general"}
    for row, (name, record) in enumerate(zip(system.row_names, system.tables.rows, strict=True)):
        if record["kind"] == RELATION and name not in joints:
            count = 1 + sum((match["name"] if (match := _NUMBERED.fullmatch(one)) else one) == name for one in found)
            found[name if count == 1 else f"{name}[{count}]"] = row
    return found


def _motion(system: CompiledSystem, name: str) -> Input | None:
    """A prescribed motion by its displacement, rate or acceleration."""
    motions = _motions(system)
    for order in (2, 1, 0):
        row = motions.get(name.removesuffix(ORDERS[order])) if name.endswith(ORDERS[order]) else None
        if row is not None:
            tables = system.tables
            term = tables.terms[int(tables.rows[row]["first_term"])]
            unit = _coordinate_unit(system, int(term["coordinate"]))
            return Input(Port(name, unit + ("", "/s", "/s2")[order]), row, order)
    return None


def _coordinate_unit(system: CompiledSystem, coordinate: int) -> str:
    """Unit of the first coordinate of a relation."""
    for relation in system.model.relations:
        joint, k, _ = relation.terms[0]
        row = _motions(system).get(relation.name)
        if row is not None:
            first = system.tables.terms[int(system.tables.rows[row]["first_term"])]
            if int(first["coordinate"]) == coordinate:
                own = next(one for one in system.model.joints if one.name == joint)
                return COORDINATE_UNITS[own.coordinates[k]]
    return ""


def _parameter(system: CompiledSystem, name: str) -> Input:
    """A parameter that changes forces, as one in an expression does."""
    kept = system.description
    if kept is None or not isinstance(kept.model, Model):
        raise ModelError(f"response: parameter '{name}' cannot be an input, since the system knows no description")
    model, value = kept.model, system.model.parameters[name]
    given = dict(kept.parameters)

    def changed(u: float) -> CompiledSystem:
        flat = model.flatten({**given, name: value + u}, system.model)
        return _rebuilt(system, flat)

    return Input(Port(name), variant=changed, size=max(1.0, abs(value)))


def _plus(law: Expression, u: float) -> Expression:
    return Expression(Call("+", (law.root, Number(float(u)))), law.where)


def _rebuilt(system: CompiledSystem, model: FlatModel) -> CompiledSystem:
    """The system of a changed model, without dry friction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the system itself has warned
        made = assemble(model, CompiledSystem, system.description, system)
    return replace(made, tables=without_friction(made))


def slope(found: Callable[[float], Array], size: float) -> Array:
    """The derivative at zero of a function of one number that is large at `size`, by differences of fourth order."""
    from floatframe.hybrid.studies import differentiate

    column, _ = differentiate(lambda step: found(float(step[0])), np.array([size]), 3)
    return np.asarray(column[:, 0])
