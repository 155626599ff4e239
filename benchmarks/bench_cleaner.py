"""The 144 cases of the ballast cleaner on one and two workers: cases per minute and efficiency.

Every case is 23 s of the machine by 11 500 steps with 25 modes of its frame, measured at eight points in three regimes,
as its study does it; reading and compiling the machine, and starting processes, are in the time. Efficiency is
cases per minute of two workers / (2 x those of one worker on one core). One worker that may use both cores is shown:
a second thread of its run observes records while the first computes steps, so that it is faster than one core allows.
Beside it stands the share in what two processes that share nothing reach on this machine in the same run.
Processor time, of all processes together, says what two workers cost more than one whatever else the machine does.
All ways must give the same bits.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np

from benchmarks.bench_sweep import BUSY, speed_up_of_processes
from benchmarks.targets import met
from floatframe.hybrid import SweepResult, Workers, sweep
from floatframe.samples.ballast_cleaner.machine import prepare
from floatframe.samples.ballast_cleaner.measures import measured

STEP = 30  # degrees, of φ and α
WANTED = 0.85  # efficiency of two processes
ALONE = "one, one core"
WAYS = {
    ALONE: Workers(1),
    "one, both cores": Workers(1),
    "two threads": Workers(2, processes=False),
    "two processes": Workers(2, processes=True),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=STEP, help="degrees between angles; 90 is a quick look (16 cases)")
    angles = list(range(0, 360, parser.parse_args().step))
    machine = [speed_up_of_processes()]
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    found: dict[str, tuple[float, float, SweepResult]] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = prepare(Path(folder))
        done(file, angles[:1], WAYS[ALONE])  # loads what is compiled
        for way, who in WAYS.items():
            with one_core() if way == ALONE else nullcontext():
                found[way] = done(file, angles, who)
    machine.append(speed_up_of_processes())
    gains = ", ".join(f"{gain:.2f}" for gain in machine)
    print(f"load {load}; two processes that share nothing, before and after: {gains} x one")
    if max(machine) < BUSY:
        print(
            "  the machine is not quiet: two cores do not give twice the work, so efficiencies are also given of that"
        )
    one, used, answer = found[ALONE]
    print(
        f"{len(angles) ** 2} cases {'seconds':>15s} {'cases/min':>10s} {'speed-up':>9s} {'efficiency':>11s} "
        f"{'of machine':>11s} {'processor':>10s} {'one over it':>12s}"
    )
    for way, (seconds, processor, result) in found.items():
        if result.nfailed or not np.array_equal(result.values, answer.values):
            raise SystemExit(f"{way}: the answers differ, or runs failed: {result.status}")
        gain, cores = one / seconds, 1 if way == ALONE else 2
        share = gain if cores == 1 else gain / max(machine)
        print(
            f"{way:15s} {seconds:9.1f} {60 * len(angles) ** 2 / seconds:10.0f} {gain:9.2f} {gain / cores:11.2f} "
            f"{share:11.2f} {processor:9.1f}s {used / processor:12.2f}"
        )
    unused = 1 - one / (2 * found["two processes"][0])
    return 0 if met("share of two cores that two processes leave unused", unused, 1 - WANTED) else 1


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, with all its threads, on one core."""
    if not hasattr(os, "sched_setaffinity"):
        raise SystemExit("bench_cleaner keeps a process on one core, which only Linux can; run it there")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def done(file: Path, angles: list[int], who: Workers) -> tuple[float, float, SweepResult]:
    """Time on the clock and of all processors [s] of a sweep over all pairs of angles, and what it gives."""
    began, used = time.perf_counter(), processor_time()
    result = sweep(file, {"phi": angles, "alpha": angles}, "simulate", measured, workers=who)
    return time.perf_counter() - began, processor_time() - used, result


def processor_time() -> float:
    """Processor time [s] of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
