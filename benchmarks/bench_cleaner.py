"""The 144 cases of the ballast cleaner on one and two workers: cases per minute and efficiency.

Every case is 23 s of the machine by 11 500 steps with 25 modes of its frame, measured at eight points in three regimes,
as its study does it; reading and compiling the machine, and starting processes, are in the time. Efficiency is
cases per minute of two workers / (2 x those of one), in percent of what two processes that share nothing reach on this
machine at the same time. Processor time, of all processes together, says what two workers cost more than one whatever
else the machine does: on two free cores the efficiency is about that of one over that of two. All ways must give the
same bits.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.bench_sweep import BUSY, speed_up_of_processes
from benchmarks.targets import met
from floatframe.hybrid import SweepResult, Workers, sweep
from floatframe.samples.ballast_cleaner.machine import prepare
from floatframe.samples.ballast_cleaner.measures import measured

STEP = 30  # degrees, of φ and α
WANTED = 0.85  # efficiency of two processes
WAYS = {"one": Workers(1), "two threads": Workers(2, processes=False), "two processes": Workers(2, processes=True)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=STEP, help="degrees between angles; 90 is a quick look (16 cases)")
    angles = list(range(0, 360, parser.parse_args().step))
    machine = speed_up_of_processes()
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"load {load}; two processes that share nothing: {machine:.2f} x")
    if machine < BUSY:
        print(
            "  the machine is not quiet: two cores do not give twice the work, so efficiencies are also given of that"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = prepare(Path(folder))
        done(file, angles[:1], WAYS["one"])  # loads what is compiled
        found = {way: done(file, angles, who) for way, who in WAYS.items()}
    cases = len(angles) ** 2
    one, used, answer = found["one"]
    print(
        f"{'workers':15s} {'seconds':>9s} {'cases/min':>10s} {'speed-up':>9s} {'efficiency':>11s} {'of machine':>11s} "
        f"{'processor':>10s} {'one over it':>12s}"
    )
    for way, (seconds, processor, result) in found.items():
        if result.nfailed or not np.array_equal(result.values, answer.values):
            raise SystemExit(f"{way}: the answers differ, or runs failed: {result.status}")
        gain, most = one / seconds, 1 if way == "one" else 2
        share = gain if most == 1 else gain / machine
        print(
            f"{way:15s} {seconds:9.1f} {60 * cases / seconds:10.0f} {gain:9.2f} {gain / most:11.2f} {share:11.2f} "
            f"{processor:9.1f}s {used / processor:12.2f}"
        )
    unused = 1 - one / (2 * found["two processes"][0])
    return 0 if met("share of two cores that two processes leave unused", unused, 1 - WANTED) else 1


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
