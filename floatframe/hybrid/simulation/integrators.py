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
    CARRIED,
    MULTI_STEP,
    MULTI_STEP_FORMULAS,
    ONE_STEP,
    RUNGE_KUTTA,
    RUNGE_KUTTA_STAGES,
    STEPPING,
    TASK_ACCELERATE,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_SETTLE,
    Data,
    Kept,
    Work,
    new_kept,
    new_stepping,
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
        self.s = new_stepping()
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
        s.kind = RUNGE_KUTTA if explicit else MULTI_STEP if multi else ONE_STEP
        s.stages = RUNGE_KUTTA_STAGES.get(settings.method, 0)
        s.time = state.t
        s.rtol = (settings.rtol or (1e-8 if explicit else DEFAULT_RTOL)) if controlled else 0.0
        s.h = s.h_max = step
        if controlled:
            s.h_max = span if settings.step_max is None else settings.step_max
            s.h = min(s.h, s.h_max)
        self.fixed_step = None if controlled else step
        s.h_min = 1e-12 * max(1.0, abs(settings.t_end)) if settings.step_min is None else settings.step_min
        s.newton_tolerance = settings.newton_tolerance
        s.project = 1.0 if settings.velocity_constraints and settings.stabilisation is None else 0.0
        if settings.stabilisation is not None:
            s.stabilise_rate, s.stabilise_value = settings.stabilisation
        if settings.conserve:
            require_conservative(system)
        s.conserve, s.energy = settings.conserve == "energy", np.nan
        s.mechanism_size = mechanism_size(system.index, system.tables)
        # what friction with stick remembers is known at the ends of steps only
        s.through = settings.method == "rk45" and controlled and not np.any(system.tables.forces["memory"] >= 0)
        s.horizon, s.leg_end = settings.t_end, np.nan
        s.age = -1.0
        s.first_event = first_event
        self.work.dofs["extent"] = extents(system, spread(system))
        self._records: tuple[Data, Work] | None = None
        self._start_at(state)

    def _start_at(self, state: State) -> None:
        w = self.work
        w.coordinates["q0"], w.dofs["v0"] = state.q, state.v
        x, lam = self.system.accelerations(state)
        w.dofs["x0"] = w.dofs["x1"] = w.dofs["a0"] = x
        w.multipliers["lam0"] = w.multipliers["lam1"] = lam

    def state(self) -> State:
        """The state accepted last."""
        return State(float(self.s.time), self.work.coordinates["q0"], self.work.dofs["v0"], self.data.memory)

    def go_on(self, system: CompiledSystem, state: State) -> None:
        """Go on with other constraint rows, as many as before, from the state accepted last, closed in them."""
        from floatframe.hybrid.kernels import NEXT, do

        self.system = system
        self._records = None
        self._start_at(state)
        self.s.age, self.s.steps_done = -1.0, 0.0
        if self.s.kind == RUNGE_KUTTA:
            # the first stage of the next step is known already; those of the last one stay, for records inside it
            w, first = self.work, self.work.kq[0].copy()
            w.q[:], w.v[:] = state.q, state.v
            do(TASK_ACCELERATE, system.tables, self.data, w, self.s, False)
            w.kv[NEXT], w.kq[NEXT], w.kq[0] = w.x, w.kq[0], first

    def record_now(self) -> Kept:
        """The state accepted last."""
        w, s, kept = self.work, self.s, self._new_kept(1)
        counters = (s.steps, s.iterations, s.evaluations, s.refreshes, s.rejected, s.last_h, s.work)
        lam, memory = w.multipliers["lam0"], self.data.memory
        here = (s.time, w.coordinates["q0"], w.dofs["v0"], w.dofs["x0"], lam, memory, counters)
        for target, value in zip(kept, here, strict=True):
            target[0] = value
        return kept

    def settled(self, kept: Kept) -> Kept:
        """Records of implicit steps with the accelerations and reactions of their states, in place.

        It has a workspace of its own, so that the factors of the steps stay.
        """
        from floatframe.hybrid.kernels import do

        if self.s.kind == RUNGE_KUTTA or not self.s.steps:
            return kept  # those are so already
        if self._records is None:
            self._records = self.system.data(self.system.start), new_work(self.system.tables)
        do(TASK_SETTLE, self.system.tables, *self._records, self.s.copy(), kept)
        return kept

    def contact_cuts(self) -> ContactCuts:
        """What contacts did to fixed steps."""
        s = self.s
        return ContactCuts(int(s.contact_cuts), int(s.contact_element), float(s.contact_step), int(s.unresolved))

    def _new_kept(self, m: int) -> Kept:
        return new_kept(m, self.system.nq, self.system.nv, self.system.nlambda, len(self.data.memory))

    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]:
        """Advance to each of the times, or as far as the number of steps allows; the outcome is then PAUSED.

        With `every_step`, up to `size` steps towards the only time, keeping each.
        """
        from floatframe.hybrid.kernels import do

        kept = self._new_kept(size if every_step else len(times))
        self.s.budget = steps
        task = TASK_EXPLICIT if self.s.kind == RUNGE_KUTTA else TASK_IMPLICIT
        times = np.array(times, dtype=np.float64)
        tables, s, formula = self.system.tables, self.s, self.formula
        count, outcome = do(task, tables, self.data, self.work, s, formula, times, every_step, kept)
        return kept.first(count), int(outcome)

    def where(self) -> tuple[float, float, int]:
        return float(self.s.time), float(self.s.last_h), int(self.s.steps)

    def event_found(self) -> int:
        return int(self.s.event_found)

    def carried(self) -> dict[str, Any]:
        """Everything needed to go on exactly as if nothing had happened."""
        arrays = {f"work.{name}": np.array(_plain(getattr(self.work, name))) for name in CARRIED}
        return {
            **arrays,
            "settings": np.array(self.s.item()),
            "memory": self.data.memory.copy(),
            "start": self.start_time,
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from what was carried; a checkpoint with other contents is refused."""
        if not {f"work.{name}" for name in CARRIED} <= set(content) or len(content["settings"]) != len(self.s):
            raise ModelError("resume: the checkpoint was written by another version of Floatframe; start a new run")
        for name in CARRIED:
            target, found = _plain(getattr(self.work, name)), content[f"work.{name}"]
            if target.shape != np.shape(found):
                raise ModelError(
                    f"resume: the checkpoint has {np.shape(found)} numbers of '{name}', the model needs "
                    f"{target.shape}; the model has changed since the run was begun"
                )
            target[...] = found
        horizon = self.s.horizon  # the end of a run may move
        for field, value in zip(STEPPING.names or (), content["settings"], strict=True):
            self.s[field] = value
        self.s.horizon = horizon
        self.data.memory[:] = content["memory"]
        self.start_time = float(content["start"])


def _plain(array: AnyArray) -> AnyArray:
    """An array of records as the numbers in them, sharing memory."""
    return array.view(np.float64) if array.dtype.names else array
