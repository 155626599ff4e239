"""One integration: its processor time, and its error at the end. Set-up, records and Python around it not counted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.precision.problems import Problem
from floatframe.arrays import Array
from floatframe.errors import FloatframeError
from floatframe.hybrid import Record, System
from floatframe.hybrid.kernels import PAUSED, REACHED
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.stages import RunStages

FIRST_STEPS = 1000  # until the clock is read; then ever more
REPEAT = 0.1  # s: short runs are repeated until they have taken this long, the shortest counts
ROUNDS = 5  # repetitions at most
SHORT = 0.01  # of the time of a problem, to compile what a method needs


@dataclass(frozen=True)
class Point:
    """A run with a tolerance, or a step [s]: processor time [s], relative error at the end."""

    setting: float
    seconds: float
    error: float


def integrated(system: System, problem: Problem, given: Mapping[str, Any], limit: float) -> tuple[float, Array] | None:
    """Processor time [s] of a run and the channels at its end; None if it fails or takes longer than `limit` [s]."""
    settings = Settings(t_end=problem.t_end, **given)
    record = Record(every=problem.t_end, channels=tuple(problem.scales))
    stages = RunStages(system, settings, record, system.initial_state())
    budget, chosen_at, times = FIRST_STEPS, np.nan, np.array([problem.t_end])
    began = time.process_time()
    while True:
        kept, outcome = stages.integrator.run(times, 1, budget)
        seconds = time.process_time() - began
        if outcome == REACHED:
            break
        here = stages.integrator.where()[0]
        if outcome == PAUSED:
            budget *= 2
        elif stages.system.redundant and here != chosen_at:
            chosen_at = here
            stages.choose_rows()  # as a run does where the rows kept have become singular
        else:
            return None
        if seconds > limit:
            return None
    seen = stages.observer(kept, stages.integrator.unsettled(), settings.velocity_constraints).values[0]
    columns = np.split(seen, np.cumsum([channel.width for channel in stages.observer.channels])[:-1])
    found = {channel.name: column for channel, column in zip(stages.observer.channels, columns, strict=True)}
    return seconds, np.concatenate([found[name] for name in problem.scales])


def warm_up(system: System, problem: Problem, given: Mapping[str, Any]) -> None:
    """Short runs, so that everything a method needs is compiled; "auto" need not meet all it may change to in one."""
    for method in ("auto", "dop853", "radau5") if given["method"] == "auto" else (given["method"],):
        with contextlib.suppress(FloatframeError):
            integrated(system, replace(problem, t_end=SHORT * problem.t_end), {**given, "method": method}, np.inf)


def error_of(problem: Problem, answer: Array, reference: Array) -> float:
    """Largest error of a channel over its scale."""
    at, worst = 0, 0.0
    for width, scale in zip(widths(problem), problem.scales.values(), strict=True):
        part = slice(at, at + width)
        size = float(np.linalg.norm(reference[part])) if scale is None else scale
        worst = max(worst, float(np.linalg.norm(answer[part] - reference[part])) / size)
        at += width
    return worst


def widths(problem: Problem) -> list[int]:
    """Numbers of each channel: speeds of joints are scalars, all others vectors."""
    return [1 if name.endswith(".rate") else 3 for name in problem.scales]


def shortest(run: Callable[[], tuple[float, Array] | None]) -> tuple[float, Array] | None:
    """The run of least time of as many as fit into `REPEAT`."""
    best = run()
    began, rounds = time.process_time(), 1
    while best is not None and rounds < ROUNDS and best[0] + time.process_time() - began < REPEAT:
        again, rounds = run(), rounds + 1
        best = min(best, again or best, key=lambda one: one[0])
    return best


def point(
    system: System, problem: Problem, reference: Array, given: Mapping[str, Any], setting: float, limit: float
) -> Point | None:
    """The run with these settings; None if it fails, takes too long or is refused."""
    try:
        found = shortest(lambda: integrated(system, problem, given, limit))
    except FloatframeError:
        return None
    if found is None or not np.all(np.isfinite(found[1])):
        return None
    return Point(setting, found[0], error_of(problem, found[1], reference))
