"""The methods of integration by their names."""

from __future__ import annotations

from dataclasses import replace

from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import MULTI_STEP_FORMULAS, RUNGE_KUTTA_STAGES
from floatframe.hybrid.settings import SIMULATE, Settings
from floatframe.hybrid.simulation.auto import Auto
from floatframe.hybrid.simulation.integrators import DEFAULT_STEPS, ONE_STEP_METHODS, Begun, Compiled, Integrator
from floatframe.hybrid.simulation.integrators_scipy import OUTSIDE_METHODS, Outside
from floatframe.wording import did_you_mean

INSIDE_METHODS = (*ONE_STEP_METHODS, *MULTI_STEP_FORMULAS, *RUNGE_KUTTA_STAGES, "radau5")


def integrator_for(
    system: CompiledSystem, settings: Settings, state: State, first_event: int, begun: Begun | None = None
) -> Integrator:
    """The integrator of the method's name; "auto" with a fixed step is generalised-alpha.

    begun: accelerations (nv,) and multipliers (nlambda,) at the state, where they are known.
    """
    if settings.method == "auto":
        if settings.step is None:
            return Auto(system, settings, state, first_event, begun)
        settings = replace(settings, method="generalised-alpha")
    if settings.method in INSIDE_METHODS:
        return Compiled(system, settings, state, first_event, begun)
    if settings.method in OUTSIDE_METHODS:
        return Outside(system, settings, state)
    known = ["auto", *INSIDE_METHODS, *OUTSIDE_METHODS]
    words = f"method '{settings.method}' does not exist{did_you_mean(settings.method, known)}"
    raise SIMULATE.at("method").error(words, missing=settings.method)


def with_default_step(settings: Settings, state: State) -> Settings:
    """Give methods of fixed steps one that is the same in all stages of the run."""
    fixed = settings.method in MULTI_STEP_FORMULAS or settings.method == "rk4"
    if fixed and settings.step is None and settings.rtol is None:
        return replace(settings, step=(settings.t_end - state.t) / DEFAULT_STEPS)
    return settings
