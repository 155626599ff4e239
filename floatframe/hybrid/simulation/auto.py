"""`method="auto"`: explicit steps of order 8 where a motion is not stiff, Radau steps where it is.

The kernels of the two methods work on the same state and say when the other one should go on. Where both fail, near
positions in which the constraints are singular, some steps of generalised-alpha on the index-3 equations lead over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.hybrid.assembly import Begun, CompiledSystem, State
from floatframe.hybrid.kernels import (
    CHANGE_OVER,
    CREEPING,
    EVENT,
    FAILED,
    NOT_A_NUMBER,
    NOT_CLOSED,
    ONE_STEP,
    PAUSED,
    RADAU,
    REACHED,
    RUNGE_KUTTA,
    SINGULAR,
    TASK_ACCELERATE,
    TOO_SMALL,
    Collocation,
    Kept,
    new_collocation,
)
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.integrators import Compiled, elsewhere
from floatframe.hybrid.simulation.stiffness import fastest_force, highest_frequency

STIFF_PERIODS = 1000.0  # rad of the highest elastic oscillation in a run, from which on it begins with Radau steps
STIFF_FORCES = 1e4  # the same of what forces do at the start
STABLE = 8.0  # rad of the highest elastic oscillation in an explicit step of order 8, at most
FIRST_PATIENCE = 64.0  # steps of one method before the other is tried
FACTORED = 1.8  # cost of an explicit stage where constraints need factors for it, over one of Radau's
LEAST_REACH = 1e-5  # m per m of motion: what is left of a constraint that holds nothing, and is closed to rounding
SAME_PLACE, MOST_SMALL = 1e-3, 3  # of the run, and how often steps may become too small there
NEAR = 0.1  # of the constraints' independence at the start: a singular position is near
LOOSEST = 0.3  # rtol: a run with more says nothing
HOP = 60.0  # steps of generalised-alpha over a singular position


class Auto(Compiled):
    """The integrator that chooses its method itself."""

    def __init__(
        self, system: CompiledSystem, settings: Settings, state: State, first_event: int, begun: Begun | None = None
    ) -> None:
        if settings.rtol is not None and settings.rtol > LOOSEST:
            settings = replace(settings, rtol=LOOSEST)
        super().__init__(system, settings, state, first_event, begun)
        self.stages: Collocation | None = None
        self._nothing_yet(system.constraint_jacobian(state) if begun is None else begun.now.G)
        self.s.auto, self.s.patience, self.s.creep_from = 1.0, FIRST_PATIENCE, -np.inf
        self.s.stage_cost = FACTORED if len(system.tables.rows) else 1.0
        highest = highest_frequency(system.tables)
        self.s.explicit_pace = STABLE / (12.0 * self.s.stage_cost * highest) if highest > 0.0 else np.inf
        span = settings.t_end - state.t
        stiff = highest * span > STIFF_PERIODS
        stiff = stiff or fastest_force(system, state, self.work.dofs["extent"]) * span > STIFF_FORCES
        self._go_on_by(RADAU if stiff else RUNGE_KUTTA)

    def _nothing_yet(self, rows: Array) -> None:
        """Before the first step; rows (nlambda, nv): constraint Jacobian at the start."""
        self.small: list[float] = []  # s, where steps have become too small lately
        self.stuck_at = np.nan  # s, where other constraint rows were asked for
        reach = np.sqrt(((rows * self.work.dofs["extent"]) ** 2).sum(axis=1))
        self.holds_nothing = bool((reach < LEAST_REACH * min(1.0, self.s.mechanism_size)).any())

    def begin_again(self, system: CompiledSystem, state: State) -> None:
        """As `Compiled.begin_again`, by the method that runs of this length begin with."""
        super().begin_again(system, state)
        self._nothing_yet(self.work.G)
        self.stages = None
        self._go_on_by(float(self.s.kind))

    def _go_on_by(self, kind: float) -> None:
        """Take the steps from here on by another kind of method."""
        self.s.kind, self.s.change, self.s.begun = kind, 0.0, 0.0
        if kind == RADAU and self.stages is None:
            self.stages = new_collocation(self.work)
        self.own = self.stages if kind == RADAU else self.formula

    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]:
        """As `Compiled.run`, over changes of method."""
        kept = self._new_kept(size if every_step else len(times))
        times = np.array(times, dtype=np.float64)
        self.s.budget = steps
        if self.holds_nothing and self.s.steps == 0 and steps > 0:
            return kept.first(0), SINGULAR
        done, outcome = 0, CHANGE_OVER
        while outcome == CHANGE_OVER:
            rest = Kept(*(array[done:] for array in kept))
            left = times if every_step else times[done:]
            count, outcome = self._run_kernel(left, every_step, rest)
            done += count
            if outcome == CHANGE_OVER:
                self._go_on_by(RADAU if self.s.kind == RUNGE_KUTTA else RUNGE_KUTTA)
            elif outcome == CREEPING and not self._near_singular():
                self.s.creep_from = self.s.time + self.s.usual_h  # a jump or kink, which short steps pass
                outcome = CHANGE_OVER
            elif not every_step and done < len(times) and times[done] < self.s.time:
                break  # a record inside the last step failed, of which another method knows nothing
            elif outcome not in (REACHED, EVENT, PAUSED, NOT_A_NUMBER) and self._may_go_on(outcome):
                outcome = CHANGE_OVER
                if self.s.kind == RUNGE_KUTTA:
                    self._go_on_by(RADAU)
                    continue
                rest = Kept(*(array[done:] for array in kept))
                count, outcome = self._hop(times if every_step else times[done:], every_step, rest)
                done += count
        return kept.first(done), int(outcome)

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on by the method that the run was in."""
        staged = any(name.startswith("stages.") for name in content)
        self.stages, self.own = new_collocation(self.work) if staged else None, self.formula
        super().restore(content)
        self.own = self.stages if self.s.kind == RADAU else self.formula

    def _arrays(self) -> dict[str, AnyArray]:
        stages = {} if self.stages is None else self.stages._asdict()
        return super()._arrays() | {f"stages.{name}": array for name, array in stages.items()}

    def _may_go_on(self, outcome: int) -> bool:
        """Whether another method is tried; at a place where other constraint rows may do, those are tried first.

        From a singular start the motion is not unique, and no method can know it.
        """
        if outcome == CREEPING:
            return True
        if outcome == TOO_SMALL:  # by every method, where a force jumps to and fro
            self.small = [*(t for t in self.small if self.s.time - t < SAME_PLACE * self.s.span), float(self.s.time)]
            if len(self.small) > MOST_SMALL:
                return False
        if self.system.redundant and elsewhere(self.s.time, self.stuck_at, self.s.span, outcome):
            self.stuck_at = float(self.s.time)
            return False
        return outcome != SINGULAR or bool(self.s.steps > 0)

    def _near_singular(self) -> bool:
        """Whether the constraints are far less independent than where the model starts."""
        usual = independence(self.system, self.system.start)
        return independence(self.system, self.state()) < NEAR * usual

    def _hop(self, times: Array, every_step: bool, kept: Kept) -> tuple[int, int]:
        """Some steps of generalised-alpha; returns how many records it kept, and CHANGE_OVER if all went well.

        Where they end beside the constraints, as beyond a dead centre, the run is left where it was before them.
        """
        from floatframe.hybrid.kernels import do

        s: Any = self.s
        w, before = self.work, self.carried()
        s.power = s.auxiliary_power = self.stages.power[2] if self.stages is not None else 0.0
        self._go_on_by(ONE_STEP)
        w.dofs["a0"] = w.dofs["x1"] = w.dofs["x0"]
        w.states["a0"] = w.states["rate1"] = w.states["rate0"]
        s.age, s.level, s.steps_done, s.leg_end, s.last_h = -1.0, 0.0, 0.0, np.nan, s.usual_h
        budget = s.budget
        s.budget = min(budget, HOP)
        count, outcome = self._run_kernel(times, every_step, kept)
        s.budget += budget - min(budget, HOP)
        self._settle(kept.first(count))
        if outcome != PAUSED:
            self._go_on_by(RUNGE_KUTTA)
            return count, outcome
        w.q[:], w.v[:] = w.coordinates["q0"], w.dofs["v0"]
        self.data.memory[:] = self.memory()
        settled = do(TASK_ACCELERATE, self.system.tables, self.data, w, s, True)
        if settled in (NOT_CLOSED, NOT_A_NUMBER):
            self.restore(before)
            return 0, FAILED
        if settled == REACHED:
            w.coordinates["q0"], w.dofs["v0"] = w.q, w.v
        s.leg_end, s.last_h = np.nan, 0.1 * s.usual_h
        self._go_on_by(RUNGE_KUTTA)
        return count, CHANGE_OVER if s.budget >= 0.0 else PAUSED


def independence(system: CompiledSystem, state: State) -> float:
    """Least over largest singular value of the constraint rows."""
    values = np.linalg.svd(system.constraint_jacobian(state), compute_uv=False)
    return float(values[-1] / values[0])
