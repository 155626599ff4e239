"""The integrators behind one interface: run to given times, say where you are, carry on from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State, extents, mechanism_size, spread
from floatframe.hybrid.kernels import (
    A0,
    AGE,
    BUDGET,
    CARRIED,
    CONSERVE,
    CONTACT_CUTS,
    CONTACT_ELEMENT,
    CONTACT_STEP,
    ENERGY,
    EVALUATIONS,
    EVENT_FOUND,
    EXTENT,
    FIRST_EVENT,
    H_MAX,
    H_MIN,
    HORIZON,
    ITERATIONS,
    KIND,
    LAM0,
    LAM1,
    LAST_H,
    LEG_END,
    MULTI_STEP,
    MULTI_STEP_FORMULAS,
    N_SETTINGS,
    NEWTON_TOLERANCE,
    ONE_STEP,
    PROJECT,
    Q0,
    REFRESHES,
    REJECTED,
    RTOL,
    RUNGE_KUTTA,
    RUNGE_KUTTA_STAGES,
    SIZE,
    STABILISE_RATE,
    STABILISE_VALUE,
    STAGES,
    STEPS,
    STEPS_DONE,
    TASK_ACCELERATE,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_SETTLE,
    THROUGH,
    TIME,
    UNRESOLVED,
    V0,
    WORK,
    X0,
    X1,
    Data,
    H,
    Kept,
    Q,
    V,
    Work,
    X,
    new_kept,
    new_work,
    one_step_formula,
)
from floatframe.hybrid.settings import SIMULATE, Settings
from floatframe.hybrid.simulation.contact_cuts import ContactCuts
from floatframe.hybrid.simulation.integrators_scipy import OUTSIDE_METHODS, Outside
from floatframe.wording import did_you_mean

ONE_STEP_METHODS = ("generalised-alpha", "hht", "newmark")
DEFAULT_STEPS = 1000  # steps of a run whose step was not given
DEFAULT_RTOL = 1e-5


class Integrator(Protocol):
    """What `simulate` asks of an integrator."""

    start_time: float
    fixed_step: float | None  # s, None if steps are controlled

    def record_now(self) -> Kept: ...
    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]: ...
    def where(self) -> tuple[float, float, int]: ...
    def event_found(self) -> int: ...
    def contact_cuts(self) -> ContactCuts: ...
    def settled(self, kept: Kept) -> Kept: ...
    def state(self) -> State: ...
    def go_on(self, system: CompiledSystem, state: State) -> None: ...
    def carried(self) -> dict[str, Any]: ...
    def restore(self, content: Mapping[str, Any]) -> None: ...


def integrator_for(system: CompiledSystem, settings: Settings, state: State, first_event: int) -> Integrator:
    """The integrator of the method's name."""
    if settings.method in (*ONE_STEP_METHODS, *MULTI_STEP_FORMULAS, *RUNGE_KUTTA_STAGES):
        return Compiled(system, settings, state, first_event)
    if settings.method in OUTSIDE_METHODS:
        return Outside(system, settings, state)
    known = [*ONE_STEP_METHODS, *MULTI_STEP_FORMULAS, *RUNGE_KUTTA_STAGES, *OUTSIDE_METHODS]
    words = f"method '{settings.method}' does not exist{did_you_mean(settings.method, known)}"
    raise SIMULATE.at("method").error(words, missing=settings.method)


def with_default_step(settings: Settings, state: State) -> Settings:
    """Give methods of fixed steps one that is the same in all stages of the run."""
    fixed = settings.method in MULTI_STEP_FORMULAS or settings.method == "rk4"
    if fixed and settings.step is None and settings.rtol is None:
        return replace(settings, step=(settings.t_end - state.t) / DEFAULT_STEPS)
    return settings


def require_conservative(system: CompiledSystem) -> None:
    """Refuse to conserve the energy of a system that exchanges it with force elements, drives or damping."""
    changing = [str(force) for force in system.model.forces]
    changing += [f"'{relation.name}'" for relation in system.model.relations]
    changing += [f"damping of body '{body.name}'" for body in system.model.bodies if np.any(body.damping)]
    if changing:
        raise SIMULATE.at("conserve").error(
            f"conserve='energy' keeps kinetic, potential and elastic energy of the bodies, which "
            f"{changing[0]} changes; leave conserve out"
        )


class Compiled:
    """Methods that run inside compiled code: generalised-alpha and its relatives, BDF, Park's method, Runge-Kutta."""

    def __init__(self, system: CompiledSystem, settings: Settings, state: State, first_event: int) -> None:
        self.system, self.start_time = system, state.t
        self.data = system.data(state)
        self.work = new_work(system.tables, len(settings.events))
        self.s = np.zeros(N_SETTINGS)
        multi = settings.method in MULTI_STEP_FORMULAS
        explicit = settings.method in RUNGE_KUTTA_STAGES
        if settings.rtol is not None and (multi or settings.method == "rk4"):
            raise SIMULATE.at("rtol").error(
                f"{settings.method} runs with fixed steps; found rtol={settings.rtol:g}. Give step= instead, "
                "or use generalised-alpha or rk45"
            )
        self.formula = (
            MULTI_STEP_FORMULAS[settings.method]
            if multi
            else one_step_formula(settings.method, settings.spectral_radius)
        )
        span = settings.t_end - state.t
        controlled = settings.rtol is not None or (settings.step is None and not multi and settings.method != "rk4")
        step = settings.step if settings.step is not None else span / DEFAULT_STEPS
        s = self.s
        s[KIND] = RUNGE_KUTTA if explicit else MULTI_STEP if multi else ONE_STEP
        s[STAGES] = RUNGE_KUTTA_STAGES.get(settings.method, 0)
        s[TIME] = state.t
        s[RTOL] = (settings.rtol or (1e-8 if explicit else DEFAULT_RTOL)) if controlled else 0.0
        s[H] = s[H_MAX] = step
        if controlled:
            s[H_MAX] = span if settings.step_max is None else settings.step_max
            s[H] = min(s[H], s[H_MAX])
        self.fixed_step = None if controlled else step
        s[H_MIN] = 1e-12 * max(1.0, abs(settings.t_end)) if settings.step_min is None else settings.step_min
        s[NEWTON_TOLERANCE] = settings.newton_tolerance
        s[PROJECT] = 1.0 if settings.velocity_constraints and settings.stabilisation is None else 0.0
        if settings.stabilisation is not None:
            s[STABILISE_RATE], s[STABILISE_VALUE] = settings.stabilisation
        if settings.conserve:
            require_conservative(system)
        s[CONSERVE], s[ENERGY] = settings.conserve == "energy", np.nan
        s[SIZE] = mechanism_size(system.index, system.tables)
        # what friction with stick remembers is known at the ends of steps only
        s[THROUGH] = settings.method == "rk45" and controlled and not np.any(system.tables.forces["memory"] >= 0)
        s[HORIZON], s[LEG_END] = settings.t_end, np.nan
        s[AGE] = -1.0
        s[FIRST_EVENT] = first_event
        self.work.vv[EXTENT] = extents(system, spread(system))
        self._records: tuple[Data, Work] | None = None
        self._start_at(state)

    def _start_at(self, state: State) -> None:
        w = self.work
        w.qq[Q0], w.vv[V0] = state.q, state.v
        x, lam = self.system.accelerations(state)
        w.vv[X0] = w.vv[X1] = w.vv[A0] = x
        w.ll[LAM0] = w.ll[LAM1] = lam

    def state(self) -> State:
        """The state accepted last."""
        return State(float(self.s[TIME]), self.work.qq[Q0], self.work.vv[V0], self.data.memory)

    def go_on(self, system: CompiledSystem, state: State) -> None:
        """Go on with other constraint rows, as many as before, from the state accepted last, closed in them."""
        from floatframe.hybrid.kernels import NEXT, do

        self.system = system
        self._records = None
        self._start_at(state)
        self.s[AGE], self.s[STEPS_DONE] = -1.0, 0.0
        if self.s[KIND] == RUNGE_KUTTA:
            # the first stage of the next step is known already; those of the last one stay, for records inside it
            w, first = self.work, self.work.kq[0].copy()
            w.qq[Q], w.vv[V] = state.q, state.v
            do(TASK_ACCELERATE, system.tables, self.data, w, self.s, False)
            w.kv[NEXT], w.kq[NEXT], w.kq[0] = w.vv[X], w.kq[0], first

    def record_now(self) -> Kept:
        """The state accepted last."""
        w, s, kept = self.work, self.s, self._new_kept(1)
        counters = s[[STEPS, ITERATIONS, EVALUATIONS, REFRESHES, REJECTED, LAST_H, WORK]]
        here = (s[TIME], w.qq[Q0], w.vv[V0], w.vv[X0], w.ll[LAM0], self.data.memory, counters)
        for target, value in zip(kept, here, strict=True):
            target[0] = value
        return kept

    def settled(self, kept: Kept) -> Kept:
        """Records of implicit steps with the accelerations and reactions of their states, in place.

        It has a workspace of its own, so that the factors of the steps stay.
        """
        from floatframe.hybrid.kernels import do

        if self.s[KIND] == RUNGE_KUTTA or not self.s[STEPS]:
            return kept  # those are so already
        if self._records is None:
            self._records = self.system.data(self.system.start), new_work(self.system.tables)
        do(TASK_SETTLE, self.system.tables, *self._records, self.s.copy(), kept)
        return kept

    def contact_cuts(self) -> ContactCuts:
        """What contacts did to fixed steps."""
        cuts, element, shortest, unresolved = self.s[[CONTACT_CUTS, CONTACT_ELEMENT, CONTACT_STEP, UNRESOLVED]].tolist()
        return ContactCuts(int(cuts), int(element), shortest, int(unresolved))

    def _new_kept(self, m: int) -> Kept:
        return new_kept(m, self.system.nq, self.system.nv, self.system.nlambda, len(self.data.memory))

    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]:
        """Advance to each of the times, or as far as the number of steps allows; the outcome is then PAUSED.

        With `every_step`, up to `size` steps towards the only time, keeping each.
        """
        from floatframe.hybrid.kernels import do

        kept = self._new_kept(size if every_step else len(times))
        self.s[BUDGET] = steps
        task = TASK_EXPLICIT if self.s[KIND] == RUNGE_KUTTA else TASK_IMPLICIT
        times = np.array(times, dtype=np.float64)
        tables, s, formula = self.system.tables, self.s, self.formula
        count, outcome = do(task, tables, self.data, self.work, s, formula, times, every_step, kept)
        return kept.first(count), int(outcome)

    def where(self) -> tuple[float, float, int]:
        return float(self.s[TIME]), float(self.s[LAST_H]), int(self.s[STEPS])

    def event_found(self) -> int:
        return int(self.s[EVENT_FOUND])

    def carried(self) -> dict[str, Any]:
        """Everything needed to go on exactly as if nothing had happened."""
        arrays = {name: np.array(_plain(getattr(self.work, name))) for name in CARRIED}
        return {**arrays, "settings": self.s.copy(), "memory": self.data.memory.copy(), "start": self.start_time}

    def restore(self, content: Mapping[str, Any]) -> None:
        for name in CARRIED:
            target = _plain(getattr(self.work, name))
            if target.shape != np.shape(content[name]):
                raise ModelError(
                    f"resume: the checkpoint has {np.shape(content[name])} numbers of '{name}', the model needs "
                    f"{target.shape}; the model has changed since the run was begun"
                )
            target[...] = content[name]
        horizon = self.s[HORIZON]  # the end of a run may move
        self.s[:] = content["settings"]
        self.s[HORIZON] = horizon
        self.data.memory[:] = content["memory"]
        self.start_time = float(content["start"])


def _plain(array: AnyArray) -> AnyArray:
    """An array of records as the numbers in them, sharing memory."""
    return array.view(np.float64) if array.dtype.names else array
