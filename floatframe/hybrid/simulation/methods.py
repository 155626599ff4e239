"""The methods of integration by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from floatframe.hybrid.assembly import Begun, CompiledSystem, State
from floatframe.hybrid.kernels import FIXED_RUNGE_KUTTA, MULTI_STEP_FORMULAS, RUNGE_KUTTA_STAGES
from floatframe.hybrid.settings import SIMULATE, STARTS, Settings, SolverOptions, require_settings
from floatframe.hybrid.simulation.auto import Auto
from floatframe.hybrid.simulation.held_values import refuse_held
from floatframe.hybrid.simulation.integrators import DEFAULT_STEPS, ONE_STEP_METHODS, Compiled, Integrator
from floatframe.hybrid.simulation.integrators_scipy import OUTSIDE_METHODS, Outside
from floatframe.hybrid.simulation.invariants import Invariant
from floatframe.wording import did_you_mean

FIXED_STEPS = (*MULTI_STEP_FORMULAS, *FIXED_RUNGE_KUTTA)  # methods without an estimate of their error
INSIDE_METHODS = (*ONE_STEP_METHODS, *MULTI_STEP_FORMULAS, *RUNGE_KUTTA_STAGES, "radau5")


def integrator_for(
    system: CompiledSystem,
    settings: Settings,
    state: State,
    first_event: int,
    begun: Begun | None = None,
    invariants: Sequence[Invariant] = (),
) -> Integrator:
    """The integrator of the method's name.

    begun: what is known at the state, of which nobody else may make use any more; invariants: that it keeps.
    """
    require_method(settings)
    if settings.method == "auto":
        return Auto(system, settings, state, first_event, begun)
    if settings.method in INSIDE_METHODS:
        return Compiled(system, settings, state, first_event, begun, invariants)
    refuse_held(system, settings.method)
    return Outside(system, settings, state)


def checked_settings(arguments: Mapping[str, Any]) -> Settings:
    """The settings of a run with these arguments of `System.simulate`; those that no model can have are refused."""
    given = {name: value for name, value in arguments.items() if name not in ("state", "options")}
    require_settings(given)
    if isinstance(state := arguments.get("state"), str):
        require_start_name(state)
    settings = Settings(**{**vars(arguments.get("options", SolverOptions())), **given})
    settings.require_after(0.0)
    require_method(settings)
    return settings


def require_method(settings: Settings) -> None:
    """Refuse methods that do not exist, and a tolerance for those that have none."""
    method = settings.method
    known = ["auto", *INSIDE_METHODS, *OUTSIDE_METHODS]
    if method not in known:
        words = f"method '{method}' does not exist{did_you_mean(method, known)}"
        raise SIMULATE.at("method").error(words, missing=method)
    if settings.rtol is not None and method in FIXED_STEPS:
        raise SIMULATE.at("rtol").error(
            f"{method} runs with fixed steps; found rtol={settings.rtol:g}. Give step= instead, "
            "or use generalised-alpha, rk45 or dop853"
        )


def require_start_name(name: str) -> None:
    """Refuse a state to begin from that has no name known here."""
    if name not in STARTS:
        raise SIMULATE.at("from").error(f"a run begins from '{name}', expected one of {', '.join(STARTS)}, or a state")


def with_default_step(settings: Settings, state: State) -> Settings:
    """Give methods of fixed steps one that is the same in all stages of the run."""
    if settings.method in FIXED_STEPS and settings.step is None and settings.rtol is None:
        return replace(settings, step=(settings.t_end - state.t) / DEFAULT_STEPS)
    return settings
