"""What cannot be written as formulas of the state, refused by its name."""

from __future__ import annotations

from floatframe.errors import ModelError, Where
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import FRICTION, SENSE_FOOT, USER_FORCE, WHEEL_ON_TRACK, WHEEL_RAIL

_FORCES = {
    USER_FORCE: "calls a Python function, which the exported code cannot; write its law as an expression",
    WHEEL_RAIL: "searches its contact with the rail, which has no formula; leave it out or use the program itself",
    WHEEL_ON_TRACK: "searches its contact with the rail, which has no formula; leave it out or use the program itself",
}


def require_formulas(system: CompiledSystem) -> None:
    """Refuse a system with something in it that is no formula of time and state."""
    model, tables = system.model, system.tables
    if model.stages:
        raise _refused(model.stages[0].where, "changes the structure of the model; export the model without stages")
    for force, element in zip(model.forces, tables.forces, strict=True):
        if element["kind"] in _FORCES:
            raise _refused(force.where, _FORCES[int(element["kind"])])
        if element["kind"] == FRICTION and element["memory"] >= 0:
            raise _refused(force.where, "remembers where it sticks; without `stick` it grows smoothly with the speed")
    for held in model.held:
        raise _refused(held.where, f"remembers its input ({held.kind}); use a state variable instead")
    if (tables.sensors["kind"] == SENSE_FOOT).any():
        rolling = next(one for one in model.constraints if one.height is not None)
        raise _refused(rolling.where, "searches the foot point on its surface, which has no formula; use a plane")


def _refused(where: Where, why: str) -> ModelError:
    return where.error(f"cannot be exported: it {why}", after=" ")
