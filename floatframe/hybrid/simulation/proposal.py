"""A proposal for stabilisation=(a, b): the a = b [1/s] that leaves least of the errors of steps.

Small factors let errors of many steps add up. Large ones make the errors of single steps larger, since deviations of
stages inside a step, which mean nothing, are answered by accelerations. What is best lies between and depends on the
motion: a trial of the run on the constraints gives states of it, and single steps from these the errors with each
candidate. What they add up to is the bound of `stability`; the candidate with the smallest product of it on both levels
is taken, since deviations of places and of speeds have no unit in common.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import REACHED
from floatframe.hybrid.settings import SIMULATE, Settings
from floatframe.hybrid.simulation.integrators import Compiled
from floatframe.hybrid.simulation.stabilisation import Stabilisation
from floatframe.hybrid.simulation.stability import accumulated

TRIAL_STEPS = 2000  # of the run, at most
SAMPLES = 12  # states of the trial
CANDIDATES = 20
SMALLEST, LARGEST = 1e-3, 0.5  # of the largest stable a = b
STILL = 1e-14  # m, rad and per s: deviations that are rounding


def proposed(system: CompiledSystem, settings: Settings, state: State) -> tuple[float, float]:
    """Factors a = b [1/s] for a run from a state."""
    if not system.nlambda:
        raise SIMULATE.at("stabilisation").error(
            "the model has no constraint rows that could drift, so there is nothing to stabilise; leave it out"
        )
    states, step = _trial(system, settings, state)
    probe = Compiled(system, replace(_plain(settings, step), stabilisation=(1.0, 1.0)), state, 0)
    limit = _rows(system).largest_pair(settings.method, step)
    best, least = LARGEST * limit, np.inf
    for a in limit * np.geomspace(SMALLEST, LARGEST, CANDIDATES):
        left = _left(system, probe, settings.method, states, step, float(a))
        if left < least:
            best, least = float(a), left
    found = float(f"{best:.4g}")
    return found, found


def _rows(system: CompiledSystem, a: float = 1.0) -> Stabilisation:
    return Stabilisation.fitting(system, (a, a))


def _plain(settings: Settings, step: float | None) -> Settings:
    """The settings of a trial: without events and invariants, on the constraints."""
    own = replace(settings, stabilisation=None, velocity_constraints=True, conserve=(), events=())
    return own if step is None else replace(own, step=step, rtol=None)


def _trial(system: CompiledSystem, settings: Settings, state: State) -> tuple[list[State], float]:
    """States of a run on the constraints, as far as that was possible, and the usual step of it [s]."""
    trial = Compiled(system, _plain(settings, None), state, 0)
    kept, _ = trial.run(np.array([settings.t_end]), TRIAL_STEPS, every_step=True)
    if not len(kept.t):
        return [state], trial.fixed_step or (settings.t_end - state.t) / TRIAL_STEPS
    chosen = np.unique(np.linspace(0, len(kept.t) - 1, SAMPLES).astype(int))
    states = [State(float(kept.t[k]), kept.q[k], kept.v[k], kept.memory[k]) for k in chosen]
    return states, trial.fixed_step or float(np.median(np.diff(kept.t, prepend=state.t)))


def _left(system: CompiledSystem, probe: Compiled, method: str, states: list[State], step: float, a: float) -> float:
    """Product of what deviations and their rates are bounded by, with factors a = b [1/s]."""
    stabilisation = _rows(system, a)
    probe.s.value_gain, probe.s.rate_gain = stabilisation.gains
    errors = np.full(2, STILL)
    for state in states:
        errors = np.maximum(errors, _error(probe, state, step))
    bounds = np.zeros(2)
    for K in stabilisation.blocks:
        S = accumulated(method, K, step)
        bounds = np.maximum(bounds, S @ errors if len(K) == 2 else (0.0, S[0, 0] * errors[1]))
    return float(np.prod(bounds)) if stabilisation.places else float(bounds[1])


def _error(probe: Compiled, state: State, step: float) -> Array:
    """Largest deviations of rows and rates (2,) after one step from a state on the constraints."""
    probe.restart(state)
    _, outcome = probe.run(np.array([state.t + step]), 1)
    rows = probe.work.multipliers
    if outcome != REACHED:
        return np.full(2, np.inf)
    return np.array([np.abs(rows["gap"]).max(), np.abs(rows["gap_rate"]).max()])
