"""A thousand short runs of one model: one worker beside two threads, and two processes as sweeps had before.

Every run is 0.2 s of the flexible slider-crank by 200 steps with all of them recorded and its random parameters put in,
as `floatframe sweep` does it: nothing is left out of the time but reading the model and compiling it once. All ways
must give the same bits. The wanted efficiency of two threads is 0.9: time of one worker / (2 x time of two). Best of
some rounds, taking turns. What two cores of this machine give at all is measured beside it, with two processes that
share nothing: on a busy machine, or on two threads of one core, that is less than 2 and no figure here means much.
What a busy machine shows all the same is the processor time of a run and the share of it outside kernels, which holds
Python's lock: only one thread at a time can be there; and how long threads that could run wait for that lock.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.targets import met
from floatframe.hybrid import Samples, SweepResult, Workers, sweep
from floatframe.hybrid.kernels import entry
from floatframe.hybrid.sweep.grid import grid
from floatframe.hybrid.sweep.points import Points
from floatframe.hybrid.sweep.study import Outcome, Study
from floatframe.native.kernel import Entry
from floatframe.samples.slider_crank.study import prepare

RUNS, ROUNDS = 1000, 3
WANTED = 0.9  # efficiency of two workers
MEASURE = "A.force.magnitude:peak"
SETTINGS = {"t_end": 0.2, "step": 1e-3}
BUSY = 1.8  # speed-up of two independent processes below which the machine is not quiet


@dataclass(frozen=True)
class Case:
    """One row: what varies, and whether the target holds for it."""

    name: str
    vary: dict[str, str]
    judged: bool


CASES = (
    Case("torque and drag", {"torque": "normal(100, 10)", "drag": "lognormal(10, 1)"}, True),
    Case("mass of the slider", {"mass": "normal(9.36, 0.5)"}, True),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    machine = speed_up_of_processes()
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"load {load}; two processes that share nothing: {machine:.2f} x")
    if machine < BUSY:
        print("  the machine is not quiet: two cores do not give twice the work, so the efficiencies below are too low")
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        model = prepare(Path(folder))["linear"]
        text = model.read_text(encoding="utf-8").replace("mass = 9.36", 'mass = "mass"')
        model.write_text(text.replace("[parameters]\n", "[parameters]\nmass = 9.36\n"), encoding="utf-8")
        heading = ("varies", "one [s]", "threads [s]", "runs/s", "speed-up", "processes [s]")
        print("{:20s} {:>9s} {:>12s} {:>8s} {:>9s} {:>14s}".format(*heading))
        for case in CASES:
            spent, share = processor_time(model, case)
            print(f"{case.name}: {1e3 * spent:.1f} ms of processor time a run, {100 * share:.0f} % outside kernels")
            idle = 100 * waiting(model, case)
            print(f"  {idle:.0f} % of the time for which they have a core, two threads wait for each other")
            one, two, old = measured(model, case, asked.runs, asked.rounds)
            print(f"{case.name:20s} {one:9.2f} {two:12.2f} {asked.runs / two:8.0f} {one / two:9.2f} {old:14.2f}")
            if case.judged:
                unused = 1 - one / (2 * two)
                kept &= met(f"{case.name}: share of two cores that threads leave unused", unused, 1 - WANTED)
    return 0 if kept else 1


def processor_time(model: Path, case: Case, runs: int = 20, rounds: int = 5) -> tuple[float, float]:
    """Processor time [s] of a run by one worker, and the share of it outside kernels; of the best round."""
    inside, changed = [0.0], dict[int, Entry]()
    found = entry.kernel_of

    def timed(call: Callable[..., None]) -> Callable[..., None]:
        def timed_call(*arguments: Any) -> None:
            began = time.thread_time()
            call(*arguments)
            inside[0] += time.thread_time() - began

        return timed_call

    def watched(task: int) -> Entry:
        if task not in changed:
            kernel = changed[task] = found(task)
            call, note = kernel.machine_call
            kernel.machine_call = timed(call), note
        return changed[task]

    values = grid(case.vary, Samples(runs)).points()
    points = Points(Study(model, settings=SETTINGS, measure=(MEASURE,)))
    points.outcome(values[0])
    entry.kernel_of = watched  # type: ignore[assignment]
    try:
        best = (np.inf, 0.0)
        for _ in range(rounds):
            inside[0], began = 0.0, time.thread_time()
            for point in values:
                points.outcome(point)
            spent = time.thread_time() - began
            best = min(best, (spent / runs, 1.0 - inside[0] / spent))
    finally:
        entry.kernel_of = found
        for kernel in changed.values():
            del kernel.machine_call  # found again when next called
    return best


def waiting(model: Path, case: Case, runs: int = 200) -> float:
    """Share of the time in which two threads wait for each other, not counted when others have their cores.

    Too large where others take the core from the thread that has Python's lock; NaN where the system does not say it.
    """
    spent: list[tuple[float, float, float]] = []
    outcome = Points.outcome

    def clocks() -> tuple[float, float, float]:
        """Time on the clock, running, and waiting for a core [s] of this thread."""
        text = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text(encoding="ascii")
        running, queued, _ = (1e-9 * float(word) for word in text.split())
        return time.perf_counter(), running, queued

    def timed(self: Points, *arguments: Any) -> Outcome:
        began = clocks()
        found = outcome(self, *arguments)
        whole, running, queued = (now - then for now, then in zip(clocks(), began, strict=True))
        spent.append((whole, running, queued))
        return found

    if not Path("/proc/self/schedstat").exists():
        return float("nan")
    Points.outcome = timed  # type: ignore[method-assign]
    try:
        done(model, case, runs, {"workers": 2})
    finally:
        Points.outcome = outcome  # type: ignore[method-assign]
    whole, running, queued = np.sum(spent, axis=0)
    return float(1.0 - running / (whole - queued))


def measured(model: Path, case: Case, runs: int, rounds: int) -> tuple[float, float, float]:
    """Shortest times [s] of all runs by one worker, two threads and two processes, after a check of their answers."""
    ways = {"one": {"workers": 1}, "threads": {"workers": 2}, "processes": {"workers": Workers(2, processes=True)}}
    best = dict.fromkeys(ways, float("inf"))
    answers: list[SweepResult] = []
    done(model, case, 2, {"workers": 1})  # loads what is compiled
    for number in range(rounds):
        for way, who in ways.items():
            if way == "processes" and number:
                continue  # for information, once
            seconds, result = done(model, case, runs, who)
            best[way] = min(best[way], seconds)
            answers.append(result)
    for answer in answers:
        if answer.nfailed or not np.array_equal(answer.values, answers[0].values):
            raise SystemExit(f"{case.name}: the answers differ, or runs failed: {answer.status}")
    return best["one"], best["threads"], best["processes"]


def done(model: Path, case: Case, runs: int, who: dict[str, object]) -> tuple[float, SweepResult]:
    """Time on the clock [s] of a sweep, and what it gives."""
    began = time.perf_counter()
    result = sweep(model, case.vary, measure=MEASURE, samples=runs, **who, **SETTINGS)  # type: ignore[arg-type]
    return time.perf_counter() - began, result


def speed_up_of_processes() -> float:
    """How much more two processes that share nothing do than one, in loops that need no memory."""
    alone = max(_work_of(1) for _ in range(3))
    return max(_work_of(2) for _ in range(3)) / alone


def _work_of(count: int) -> float:
    """Loops per second of so many processes together."""
    context = multiprocessing.get_context("spawn")
    ends = [context.Pipe() for _ in range(count)]
    team = [context.Process(target=_loops, args=(theirs,)) for _, theirs in ends]
    for process in team:
        process.start()
    for mine, _ in ends:
        mine.recv()  # all have started
    for mine, _ in ends:
        mine.send(True)
    total = sum(float(mine.recv()) for mine, _ in ends)
    for process in team:
        process.join()
    return total


def _loops(connection: Connection) -> None:
    connection.send(True)
    connection.recv()
    end, count = time.perf_counter() + 0.5, 0
    while time.perf_counter() < end:
        sum(range(2000))
        count += 1
    connection.send(count / 0.5)


if __name__ == "__main__":
    sys.exit(main())
