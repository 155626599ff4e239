"""The integrators behind one interface: run to given times, say where you are, carry on from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.assembly import (
    Begun,
    Blank,
    CompiledSystem,
    Evaluation,
    State,
    coordinate_extents,
    extents,
    mechanism_size,
    require_start,
    spread,
)
from floatframe.hybrid.kernels import (
    CARRIED,
    DELAYED,
    DENSE,
    FIXED_RUNGE_KUTTA,
    ITERATION_NUMBERS,
    ITERATIVE,
    MULTI_STEP,
    MULTI_STEP_FORMULAS,
    ONE_STEP,
    RADAU,
    RUNGE_KUTTA,
    RUNGE_KUTTA_STAGES,
    SYMMETRIC,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_RADAU,
    TASK_SETTLE,
    TOO_SMALL,
    TREE,
    Collocation,
    Data,
    Kept,
    Stabiliser,
    Work,
    elimination,
    new_collocation,
    new_kept,
    new_stepping,
    new_work,
    one_step_formula,
    room_for_invariants,
)
from floatframe.hybrid.settings import ENFORCED, SOLVERS, Settings
from floatframe.hybrid.simulation import checkpoints
from floatframe.hybrid.simulation.contact_cuts import ContactCuts
from floatframe.hybrid.simulation.held_values import longest_step, with_room
from floatframe.hybrid.simulation.invariants import Invariant
from floatframe.hybrid.simulation.solvers import chosen_solver, order_for, with_solver
from floatframe.hybrid.simulation.stabilisation import Stabilisation
from floatframe.hybrid.simulation.switches import switches

ONE_STEP_METHODS = ("generalised-alpha", "hht", "newmark")
DEFAULT_STEPS = 1000  # steps of a run whose step was not given
DEFAULT_RTOL, EXPLICIT_RTOL = 1e-5, 1e-8
# controlled steps of high order in a run: with longer ones pulses, contacts and events pass between stages unseen
FEWEST_STEPS, MOST_FEWEST = {"dop853": 40, "radau5": 50}, 100
AT_REST = 1e-3  # of its size per run: where the fastest motion of a model is slower, it is at rest
LOCAL_ERRORS = ("local_gap", "local_gap_rate", "shortest_h", "longest_h")  # counted of stabilised rows
NOWHERE = 1e-5  # of the run: more than what steps can come to before they count as too small
NEWTON_SHARE = 1e-2  # of rtol that iterations in controlled steps may leave


def elsewhere(t: float, tried: float, span: float, outcome: int) -> bool:
    """Whether steps have failed at a time t where other constraint rows were not tried yet, as last at `tried` [s].

    Steps that have become too small, in a run over a span [s], have not come away from it.
    """
    return not abs(t - tried) <= (NOWHERE * span if outcome == TOO_SMALL else 0.0)


class Integrator(Protocol):
    """What `simulate` asks of an integrator."""

    start_time: float
    fixed_step: float | None  # s, None if steps are controlled

    @property
    def begins_with_start(self) -> bool: ...
    def record_now(self) -> Kept: ...
    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]: ...
    def where(self) -> tuple[float, float, int]: ...
    def rejected(self) -> int: ...
    def event_found(self) -> int: ...
    def contact_cuts(self) -> ContactCuts: ...
    def unsettled(self) -> bool: ...
    def state(self) -> State: ...
    def go_on(self, system: CompiledSystem, state: State) -> None: ...
    def carried(self) -> dict[str, Any]: ...
    def restore(self, content: Mapping[str, Any]) -> None: ...


class Compiled:
    """Methods that run inside compiled code: generalised-alpha and its relatives, BDF, Park's method, Runge-Kutta."""

    def __init__(
        self,
        system: CompiledSystem,
        settings: Settings,
        state: State,
        first_event: int,
        begun: Begun | None = None,
        invariants: Sequence[Invariant] = (),
    ) -> None:
        self.system, self.start_time = system, state.t
        self.asked_solver, self.solver = settings.solver, chosen_solver(system, settings.solver)
        self.order = order_for(system, self.solver)
        self.now: Evaluation | None = None  # the workspace, if it is that of the start
        if begun is not None and begun.now.tables is system.tables:
            self.now, self.data, self.work = begun.now, begun.now.data, begun.now.work
        else:
            self.data, self.work = system.data(state), new_work(system.tables, len(settings.events))
        self.work = with_solver(self.work, system, self.solver, self.order)
        self.s = new_stepping()
        self.stabilisation = Stabilisation.of(system, settings.stabilisation)
        multi = settings.method in MULTI_STEP_FORMULAS
        auto = settings.method == "auto"
        method = "dop853" if auto else settings.method
        explicit = method in RUNGE_KUTTA_STAGES
        self.method = method
        self.formula = (
            MULTI_STEP_FORMULAS[settings.method]
            if multi
            else one_step_formula("generalised-alpha" if auto else settings.method, settings.spectral_radius)
        )
        span = settings.t_end - state.t
        controlled = settings.rtol is not None or (
            settings.step is None and not multi and settings.method not in FIXED_RUNGE_KUTTA
        )
        step = settings.step if settings.step is not None else span / DEFAULT_STEPS
        s = SimpleNamespace()  # fields of records take long to set by their names
        radau = settings.method == "radau5"
        s.kind = RUNGE_KUTTA if explicit else RADAU if radau else MULTI_STEP if multi else ONE_STEP
        s.stages = RUNGE_KUTTA_STAGES.get(method, 0)
        s.time = state.t
        default = EXPLICIT_RTOL if settings.method in RUNGE_KUTTA_STAGES else DEFAULT_RTOL
        s.rtol = (settings.rtol or default) if controlled else 0.0
        s.h = s.h_max = longest_step(system, step, controlled)
        if controlled:
            fewest = FEWEST_STEPS.get(method, MOST_FEWEST)
            s.h_max = longest_step(system, settings.step_max or span / fewest, controlled)
            if self.stabilisation is not None:
                s.h_max = min(s.h_max, self.stabilisation.longest_step(method))
            s.h = min(s.h, s.h_max)
        s.due = float(len(system.tables.held) > 0)
        self.fixed_step = None if controlled else step
        # below that a motion is rest
        s.fastest = AT_REST / span if span > 0.0 else 0.0
        s.h_min = 1e-12 * max(1.0, abs(settings.t_end)) if settings.step_min is None else settings.step_min
        s.passes = 1.0 if settings.step_min is None else 0.0
        s.newton_tolerance = min(settings.newton_tolerance, NEWTON_SHARE * s.rtol or 1.0)
        s.project = 1.0 if settings.velocity_constraints and settings.stabilisation is None else 0.0
        s.enforce = settings.velocity_constraints == ENFORCED and system.nlambda > 0
        self.stabiliser: Stabiliser | None = None  # a function that the steps call
        if self.stabilisation is not None:
            self.stabilisation.require_stable(method, self.fixed_step)
            self.work, self.stabiliser = self.stabilisation.put(s, self.work)
            s.shortest_h = np.inf
        if invariants:
            self.work = room_for_invariants(self.work, [(one.kind, one.index) for one in invariants])
        s.mechanism_size = mechanism_size(system.index, system.tables)
        s.through = (explicit or radau) and controlled
        s.span, s.horizon, s.leg_end = span, settings.t_end, np.nan
        s.age = -1.0
        s.first_event = first_event
        for name, value in vars(s).items():
            self.s[name] = value
        self._meet_switches(settings.events)
        own = extents(system, spread(system))
        self.work.dofs["extent"], self.work.coordinates["extent"] = own, coordinate_extents(system, own)
        self.work.dofs["lead"] = np.arange(system.nv)
        for body in system.tables.flexible:
            self.work.dofs["lead"][int(body["iv"]) : int(body["iv"] + body["n"])] = body["iv"]
        self.own: Any = new_collocation(self.work) if radau else self.formula
        self._records: tuple[Data, Work] | None = None
        self._blank: Blank | None = None  # settings and workspace before the run
        self._start_at(state, begun)

    def _meet_switches(self, events: Sequence[str] = ()) -> None:
        """Let controlled steps end where laws change by themselves."""
        if self.fixed_step is None:
            s: Any = self.s
            hop = float(s.h_min) if s.passes and s.kind in (RUNGE_KUTTA, RADAU) else 0.0
            times = switches(self.system.model, events, self.start_time, float(s.horizon), hop)
            self.work = self.work._replace(switches=times)

    def keep_blank(self) -> None:
        """Keep what a run begins with, for `begin_again`; only before the run."""
        tables = self.system.tables
        if self.now is None or self.stabilisation is not None or len(tables.held) or len(self.work.invariants):
            return
        data, work = self.system.data(), new_work(tables)
        for name in ("extent", "lead"):
            work.dofs[name] = self.work.dofs[name]
        work.coordinates["extent"] = self.work.coordinates["extent"]
        settings = self.s.base  # the array that the record is in
        self._blank = Blank((*self.now.data, *self.now.work, settings), (*data, *work, settings))

    @property
    def reusable(self) -> bool:
        """Whether the run can be followed by another one with `begin_again`."""
        return self._blank is not None

    def begin_again(self, system: CompiledSystem, state: State) -> None:
        """Begin the run of a system of the same structure, at the same time, as if it were made for it."""
        if self._blank is None or self.now is None:
            raise ValueError("this integrator has not kept what a run begins with")
        self._blank.put_back()
        self.system = system
        self.now.go_over(system.tables)
        self.data.memory[: len(state.memory)] = state.memory
        begun = require_start(system, state, self.now)
        self.work, self._records = with_solver(self.now.work, system, self.solver, self.order), None
        self._meet_switches()
        if isinstance(self.own, Collocation):
            self.own = new_collocation(self.work)
        self._start_at(state, begun)

    def _start_at(self, state: State, begun: Begun | None = None) -> None:
        w = self.work
        w.coordinates["q0"], w.dofs["v0"] = state.q, state.v
        x, lam = self.system.accelerations(state) if begun is None else begun[:2]
        w.dofs["x0"] = w.dofs["x1"] = w.dofs["a0"] = x
        w.multipliers["lam0"] = w.multipliers["lam1"] = lam
        if len(w.states):
            w.states["z0"] = state.memory[self.system.tables.states["memory"]]
            rates = self.system.state_rates(state) if begun is None else begun.now.rates
            w.states["rate0"] = w.states["rate1"] = w.states["a0"] = rates
            w.states["largest"] = np.maximum(w.states["largest"], np.abs(w.states["z0"]))

    def state(self) -> State:
        """The state accepted last."""
        return State(float(self.s.time), self.work.coordinates["q0"], self.work.dofs["v0"], self.memory())

    def memory(self) -> Array:
        """What the state accepted last remembers."""
        memory = self.data.memory.copy()
        memory[self.system.tables.states["memory"]] = self.work.states["z0"]
        return memory

    def go_on(self, system: CompiledSystem, state: State) -> None:
        """Go on with other constraint rows, as many as before, from the state accepted last, closed in them."""
        self.system = system
        self._records = None
        if self.order is not None:
            self.order = elimination(system.tables)
            self.work = with_solver(self.work, system, self.solver, self.order)
        self._start_at(state)
        # methods with stages begin again; those of the last step stay, for records inside it
        self.s.age, self.s.steps_done, self.s.begun, self.s.tiny_steps = -1.0, 0.0, 0.0, 0.0

    def restart(self, state: State) -> None:
        """Begin explicit steps again at a state and its time; their first stage finds accelerations itself."""
        w = self.work
        self.data.memory[:] = state.memory
        w.coordinates["q0"], w.dofs["v0"] = state.q, state.v
        w.states["z0"] = state.memory[self.system.tables.states["memory"]]
        self.s.time, self.s.leg_end, self.s.begun = state.t, np.nan, 0.0

    def hold_as(self, before: Compiled) -> None:
        """Hold what the integrator of the stage before holds: samples, switches, the history of delays."""
        self.work.held[:] = before.work.held
        self.work = self.work._replace(history=before.work.history.copy())
        self.s.held_begun = before.s.held_begun

    def record_now(self) -> Kept:
        """The state accepted last; where a run or a stage begins, blocks first take what they hold from there on."""
        if self.s.due == 1.0 and self.s.steps == 0.0:
            self._run_kernel(np.array([self.s.time]), False, self._new_kept(1))
        w, s, kept = self.work, self.s, self._new_kept(1)
        counted = ("steps", "iterations", "evaluations", "refreshes", "rejected", "last_h", "work", *LOCAL_ERRORS)
        counters = tuple(s[name] for name in counted)
        lam, memory = w.multipliers["lam0"], self.memory()
        here = (s["time"], w.coordinates["q0"], w.dofs["v0"], w.dofs["x0"], lam, memory, counters)
        for target, value in zip(kept, here, strict=True):
            target[0] = value
        return kept

    def unsettled(self) -> bool:
        """Whether accelerations and reactions are those of an implicit step, which need not fit the state."""
        return self.s["kind"] not in (RUNGE_KUTTA, RADAU) and bool(self.s["steps"] > 0)

    def _settle(self, kept: Kept) -> None:
        """Give records of implicit steps the accelerations and reactions of their states, in place.

        It has a workspace of its own, so that the factors of the steps stay.
        """
        from floatframe.hybrid.kernels import do

        if self._records is None:
            work = with_solver(new_work(self.system.tables), self.system, self.solver, self.order)
            self._records = self.system.data(self.system.start), work
        do(TASK_SETTLE, self.system.tables, *self._records, self.s.copy(), kept)

    def enforced(self) -> int:
        """How many solutions of the iteration matrix it took to keep speeds on the constraints inside the steps."""
        return int(self.s.enforced)

    def hidden_error(self) -> float:
        """Errors of explicit steps, relative to speeds, that rounding hid; 0 where they are less than rtol."""
        return float(self.s.rounded) if self.s.rounded > self.s.rtol else 0.0

    def contact_cuts(self) -> ContactCuts:
        """What contacts did to fixed steps."""
        s = self.s
        count, element, step, unresolved = (
            s[name] for name in ("contact_cuts", "contact_element", "contact_step", "unresolved")
        )
        return ContactCuts(int(count), int(element), float(step), int(unresolved))

    def _new_kept(self, m: int) -> Kept:
        return new_kept(m, self.system.nq, self.system.nv, self.system.nlambda, len(self.data.memory), cleared=False)

    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]:
        """Advance to each of the times, or as far as the number of steps allows; the outcome is then PAUSED.

        With `every_step`, up to `size` steps towards the only time, keeping each.
        """
        kept = self._new_kept(size if every_step else len(times))
        self.s.budget = steps
        count, outcome = self._run_kernel(np.array(times, dtype=np.float64), every_step, kept)
        return kept.first(count), outcome

    @property
    def begins_with_start(self) -> bool:
        """Whether the start may be the first time that a run advances to.

        A leg of no length leaves fixed steps as they are, and steps through records have no legs.
        """
        s = self.s
        return bool(
            s["due"] == 0.0 and (s["through"] == 1.0 or (self.fixed_step is not None and s["kind"] < RUNGE_KUTTA))
        )

    def _run_kernel(self, times: Array, every_step: bool, kept: Kept) -> tuple[int, int]:
        """Steps of the present kind; returns how many states were kept, and the outcome."""
        from floatframe.hybrid.kernels import do

        self.work = with_room(self.system, self.work)
        task = {RUNGE_KUTTA: TASK_EXPLICIT, RADAU: TASK_RADAU}.get(float(self.s.kind), TASK_IMPLICIT)
        tables, s, own = self.system.tables, self.s, self.own
        count, outcome = do(task, tables, self.data, self.work, s, own, times, every_step, kept)
        if self.stabiliser is not None:
            self.stabiliser.raise_failure("stabilisation")
        return int(count), int(outcome)

    def where(self) -> tuple[float, float, int]:
        return float(self.s["time"]), float(self.s["last_h"]), int(self.s["steps"])

    def rejected(self) -> int:
        """Steps that were tried and not taken."""
        return int(self.s["rejected"])

    def event_found(self) -> int:
        return int(self.s.event_found)

    def carried(self) -> dict[str, Any]:
        """Everything needed to go on exactly as if nothing had happened."""
        return {
            **{name: np.array(checkpoints.plain_numbers(array)) for name, array in self._arrays().items()},
            "settings": np.array(self.s.item()),
            "memory": self.memory(),
            "start": self.start_time,
            "solver": SOLVERS.index(self.solver),
            "symmetric": bool(self.work.traits.along == SYMMETRIC),
        }

    def _arrays(self) -> dict[str, AnyArray]:
        """The arrays a run goes on from, by their names in a checkpoint."""
        # dense matrices of large systems are left out where nothing reads them
        left_out = ("A", "G") if self.work.traits.along == self.work.traits.tree == TREE else ()
        arrays = {f"work.{name}": getattr(self.work, name) for name in CARRIED if name not in left_out}
        if isinstance(self.own, Collocation):
            arrays |= {f"stages.{name}": array for name, array in self.own._asdict().items()}
        return arrays

    def _factors_in(self, content: Mapping[str, Any], found: Mapping[str, float]) -> int:
        """How the factors of a checkpoint were made: iteration matrices of higher levels are dense."""
        if self.work.traits.tree == TREE:
            return DENSE if "work.A" in content else TREE
        plain = found["kind"] in (RUNGE_KUTTA, RADAU) or (found["level"] == 0.0 and len(self.work.states) == 0)
        if plain and self.work.traits.tree == ITERATIVE:
            numbers = checkpoints.numbers(content, "work.numbers", self.work.numbers.shape)
            return TREE if numbers[ITERATION_NUMBERS - 1] == 1.0 else ITERATIVE
        way = int(self.work.traits.tree) if plain else DENSE
        return SYMMETRIC if way == DENSE and content.get("symmetric") is True else way

    def _take_solver(self, number: Any) -> None:
        """Go on with the solver of a checkpoint, which "auto" may have chosen by other factors than those of today."""
        if not isinstance(number, int) or not 0 <= number < len(SOLVERS):
            raise checkpoints.damaged("its solver does not exist")
        if SOLVERS[number] == self.solver:
            return
        if self.asked_solver != "auto":
            raise checkpoints.damaged("it was written by another solver")
        self.solver, self.work.traits.tree = SOLVERS[number], DENSE
        self.order = order_for(self.system, self.solver)
        self.work = self.work._replace(numbers=np.zeros(0), bodies=self.work.bodies[:0])
        self.work = with_solver(self.work, self.system, self.solver, self.order)

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from what was carried; a checkpoint with other contents is refused."""
        tables, nevent = self.system.tables, len(self.work.events) + len(self.work.held)
        found = checkpoints.stepping(content, self.s, nevent, len(tables.forces))
        memory = checkpoints.numbers(content, "memory", self.data.memory.shape)
        start = content.get("start")
        if not isinstance(start, int | float) or not start <= found["time"]:
            raise checkpoints.damaged("its start is not before its time")
        self._take_solver(content.get("solver", SOLVERS.index(self.solver)))
        delays = np.flatnonzero(tables.held["kind"] == DELAYED)
        history = checkpoints.history(content, self.work.history.shape[1], delays)
        self.work = self.work._replace(history=history)
        self.work.traits.along = self._factors_in(content, found)
        for name, array in self._arrays().items():
            checkpoints.restore_array(content, name, array)
        horizon = self.s.horizon  # the end of a run may move, and its length with it
        for field, value in found.items():
            self.s[field] = value
        self.s.span += horizon - self.s.horizon
        self.s.horizon = horizon
        self.data.memory[:] = memory
        self.start_time = float(start)
