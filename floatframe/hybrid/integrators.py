"""The integrators behind one interface: run to given times, say where you are, carry on from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.expression_parser import did_you_mean
from floatframe.hybrid.state import NO_PROBES, State
from floatframe.hybrid.stepping import (
    AGE,
    CARRIED,
    EVENT_FOUND,
    FIRST_EVENT,
    H_MAX,
    H_MIN,
    KIND,
    LAST_H,
    MULTI_STEP,
    MULTI_STEP_FORMULAS,
    N_SETTINGS,
    NEWTON_TOLERANCE,
    ONE_STEP,
    PROJECT,
    RTOL,
    STEPS,
    TASK_RUN,
    TIME,
    H,
    Kept,
    new_kept,
    new_work,
    one_step_formula,
)
from floatframe.hybrid.system import System

ONE_STEP_METHODS = ("generalised-alpha", "hht", "newmark")
DEFAULT_STEPS = 1000  # steps of a run whose step was not given
DEFAULT_RTOL = 1e-5


class Integrator(Protocol):
    """What `simulate` asks of an integrator."""

    start_time: float

    def start_record(self) -> Kept: ...
    def run(self, times: Array, size: int) -> tuple[Kept, int]: ...
    def where(self) -> tuple[float, float, int]: ...
    def event_found(self) -> int: ...
    def carried(self) -> dict[str, Any]: ...
    def restore(self, content: Mapping[str, Any]) -> None: ...


def integrator_for(system: System, settings: Any, state: State, first_event: int) -> Integrator:
    """The integrator of the method's name."""
    if settings.method in ONE_STEP_METHODS or settings.method in MULTI_STEP_FORMULAS:
        return Implicit(system, settings, state, first_event)
    known = [*ONE_STEP_METHODS, *MULTI_STEP_FORMULAS]
    raise ModelError(f"simulate: there is no method '{settings.method}'{did_you_mean(settings.method, known)}")


class Implicit:
    """Generalised-alpha and its relatives, BDF and Park's method on the index-3 equations."""

    def __init__(self, system: System, settings: Any, state: State, first_event: int) -> None:
        self.system, self.start_time = system, state.t
        self.data = system.data(state)
        self.work = new_work(system.tables, len(settings.events))
        self.s = np.zeros(N_SETTINGS)
        multi = settings.method in MULTI_STEP_FORMULAS
        if multi and settings.rtol is not None:
            raise ModelError(f"simulate: {settings.method} runs with fixed steps; give step= instead of rtol=")
        self.formula = (
            MULTI_STEP_FORMULAS[settings.method]
            if multi
            else one_step_formula(settings.method, settings.spectral_radius)
        )
        span = settings.t_end - state.t
        controlled = settings.rtol is not None or (settings.step is None and not multi)
        step = settings.step if settings.step is not None else span / DEFAULT_STEPS
        s = self.s
        s[KIND] = MULTI_STEP if multi else ONE_STEP
        s[TIME] = state.t
        s[RTOL] = (settings.rtol or DEFAULT_RTOL) if controlled else 0.0
        s[H] = s[H_MAX] = step
        if controlled:
            s[H_MAX] = span if settings.step_max is None else settings.step_max
            s[H] = min(s[H], s[H_MAX])
        s[H_MIN] = settings.step_min
        s[NEWTON_TOLERANCE] = settings.newton_tolerance
        s[PROJECT] = 1.0 if settings.velocity_constraints else 0.0
        s[AGE] = -1.0
        s[FIRST_EVENT] = first_event
        w = self.work
        w.q0[:], w.v0[:] = state.q, state.v
        x, lam = system.accelerations(state)
        w.x0[:] = w.x1[:] = w.a0[:] = x
        w.lam0[:] = w.lam1[:] = lam

    def start_record(self) -> Kept:
        w, kept = self.work, self._new_kept(1)
        for target, value in zip(kept, (self.start_time, w.q0, w.v0, w.x0, w.lam0, self.data.memory), strict=False):
            target[0] = value
        return kept

    def _new_kept(self, m: int) -> Kept:
        return new_kept(m, self.system.nq, self.system.nv, self.system.nlambda, len(self.data.memory))

    def run(self, times: Array, size: int) -> tuple[Kept, int]:
        """Advance to each of the times; with a single time and a larger size, keep every step on the way."""
        from floatframe.hybrid._kernels_entry import serve

        single = len(times) == 1 and size > 1 and self.s[RTOL] > 0.0
        kept = self._new_kept(size if single else len(times))
        count, outcome = serve(
            TASK_RUN,
            int(single),
            self.system.tables,
            self.data,
            self.work,
            self.s,
            self.formula,
            np.array(times, dtype=np.float64),
            kept,
            NO_PROBES,
            np.zeros((0, 0)),
        )
        return kept.first(count), int(outcome)

    def where(self) -> tuple[float, float, int]:
        return float(self.s[TIME]), float(self.s[LAST_H]), int(self.s[STEPS])

    def event_found(self) -> int:
        return int(self.s[EVENT_FOUND])

    def carried(self) -> dict[str, Any]:
        """Everything needed to go on exactly as if nothing had happened."""
        arrays = {name: np.array(getattr(self.work, name)) for name in CARRIED}
        return {**arrays, "settings": self.s.copy(), "memory": self.data.memory.copy(), "start": self.start_time}

    def restore(self, content: Mapping[str, Any]) -> None:
        for name in CARRIED:
            target = getattr(self.work, name)
            if target.shape != np.shape(content[name]):
                raise ModelError(
                    f"resume: the checkpoint has {np.shape(content[name])} numbers of '{name}', the model needs "
                    f"{target.shape}; the model has changed since the run was begun"
                )
            target[...] = content[name]
        self.s[:] = content["settings"]
        self.data.memory[:] = content["memory"]
        self.start_time = float(content["start"])
