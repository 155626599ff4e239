"""Why an integration ended early, in words that name the time, the place and the cure."""

from __future__ import annotations

from typing import Any

import numpy as np

from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.coordinate_names import coordinate_names
from floatframe.hybrid.stepping import FAILED, NOT_A_NUMBER, RESIDUAL, SINGULAR, TOO_SMALL
from floatframe.hybrid.user_functions import raise_failures
from floatframe.io import Status

_CURES = {
    FAILED: "give a smaller step or a larger rtol, or a spectral_radius nearer to 0",
    TOO_SMALL: "raise rtol or lower step_min; look for a discontinuity in a force there",
    SINGULAR: "look for a dead centre or a locked mechanism there, or pass it with another step",
    NOT_A_NUMBER: "check the expression or table of that element there",
}


def failure_status(system: CompiledSystem, integrator: Any, outcome: int) -> Status:
    """The status of a failed run; a user's function that raised an exception is named instead."""
    raise_failures(system.tables)
    t = integrator.where()[0]
    if outcome == NOT_A_NUMBER:
        where = _not_a_number(system, integrator)
        message = f"a number stopped being one at t = {t:.6g} s{where}"
    elif outcome == SINGULAR:
        message = f"the mechanism is singular at t = {t:.6g} s: the joints leave no unique motion"
    else:
        residual = np.abs(integrator.work.vv[RESIDUAL])
        worst = coordinate_names(system)[int(np.argmax(residual))] if residual.size else "the system"
        what = "Newton's method does not converge" if outcome == FAILED else "the step has become too small"
        message = f"{what} at t = {t:.6g} s, worst in {worst}"
    return Status("failed", message, t, _CURES.get(outcome, ""))


def _not_a_number(system: CompiledSystem, integrator: Any) -> str:
    for number, force in enumerate(system.model.forces):
        here = integrator.data.forces[number]
        if not (np.isfinite(here["value"]) and np.isfinite(here["force"]).all() and np.isfinite(here["torque"]).all()):
            return f" in {force.kind} '{force.name}'"
    return ""
