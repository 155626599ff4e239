"""Times of the solvers, measured along a motion: for `floatframe choose`, never in ordinary runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import REACHED, SOLUTIONS, TASK_ACCELERATE, TURNS, kernel_of, new_work
from floatframe.hybrid.simulation.solvers import order_for, with_solver

PLACES, SPAN = 8, 1e-3  # states that are looked at in turns, s between two of them
ROUND_SECONDS, ROUNDS = 0.001, 15  # processor time: other programs only wait


@dataclass(frozen=True)
class SolverTime:
    """Time [s] of an evaluation of the accelerations, the median of several rounds; iterations per evaluation."""

    seconds: float
    iterations: float | None = None


def solver_times(
    system: CompiledSystem, state: State, solvers: Sequence[str], rounds: int = ROUNDS
) -> list[SolverTime]:
    """Time the solvers in turns, at places that follow each other on the way of a state."""
    states = [state]
    for _ in range(PLACES - 1):
        moved = system.move(states[-1], SPAN * state.v)
        states.append(State(state.t, moved.q, state.v, moved.memory))
    states += states[-2:0:-1]  # and back, without a jump
    runs = [_Run(system, states, solver) for solver in solvers]
    times = [[run.seconds() for run in runs] for _ in range(rounds)]
    return [
        SolverTime(float(np.median(own)), run.iterations()) for run, own in zip(runs, np.array(times).T, strict=True)
    ]


class _Run:
    """One solver, ready to find accelerations."""

    def __init__(self, system: CompiledSystem, states: Sequence[State], solver: str) -> None:
        self.solver = solver
        now = system.evaluation(states[0])
        self.work = with_solver(new_work(system.tables), system, solver, order_for(system, solver))
        now.settings.time = states[0].t
        accelerate: Callable[[bool], Any] = kernel_of(TASK_ACCELERATE).bound(
            now.tables, now.data, self.work, now.settings
        )
        self.work.v[:] = states[0].v
        places = [state.q for state in states]
        self.work.q[:] = places[0]
        if accelerate(False) != REACHED:
            raise ModelError("choose: the equations of motion are singular at the start; begin from another position")

        def once() -> None:
            for q in places:
                self.work.q[:] = q
                accelerate(False)

        self.once, self.count = once, len(places)
        begun = time.process_time()
        once()
        self.times = max(1, math.ceil(ROUND_SECONDS / (time.process_time() - begun)))

    def seconds(self) -> float:
        """Time [s] of one evaluation."""
        begun = time.process_time()
        for _ in range(self.times):
            self.once()
        return (time.process_time() - begun) / (self.times * self.count)

    def iterations(self) -> float | None:
        if self.solver != "itr":
            return None
        return float(self.work.numbers[TURNS] / max(self.work.numbers[SOLUTIONS], 1.0))
