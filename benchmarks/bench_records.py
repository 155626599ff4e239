"""What records cost: every step of the flexible slider-crank kept with all channels, over the steps alone.

Time of a step of generalised-alpha on the clock. That of a kept step is the difference of a long and a short run over
the difference in steps, so that neither the set-up of a run nor that of its file counts; best of some rounds, in turns.
Records are observed beside the steps on a second core: the last column is the processor time of both, which is what a
kept step costs on the clock where there is no second core.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from benchmarks import mechanisms
from benchmarks.bench_simulation import RADIUS, Case, integrate
from benchmarks.targets import met
from floatframe.hybrid import System

SHORT, LONG = 1_000, 5_000  # steps
WANTED = 1.25  # times the step alone
STEPS = (1e-3, 1e-4)  # s


@dataclass(frozen=True)
class Seconds:
    """Of a run, on the clock and of processors."""

    clock: float
    processors: float


def kept(system: System, h: float, steps: int, path: Path | None) -> Seconds:
    """A run that keeps every step with all channels."""
    state = system.initial_state()
    clock, processors = time.perf_counter(), time.process_time()
    system.simulate(state, t_end=h * steps, step=h, method="generalised-alpha", spectral_radius=RADIUS, path=path)
    return Seconds(time.perf_counter() - clock, time.process_time() - processors)


def per_step(short: list[Seconds], long: list[Seconds]) -> Seconds:
    """What a step more costs."""
    clock = min(run.clock for run in long) - min(run.clock for run in short)
    processors = min(run.processors for run in long) - min(run.processors for run in short)
    return Seconds(clock / (LONG - SHORT), processors / (LONG - SHORT))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args([] if arguments is None else arguments).rounds
    warnings.filterwarnings("ignore", "body '")  # the rod bends far without stiffening, as the comparison wants it
    system = mechanisms.flexible(mechanisms.flexible_rod())
    print("Every step kept with all channels, flexible slider-crank [us per step]")
    print("       h    step  in memory         in a file         processors, in memory")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for h in STEPS:
            case = Case("flexible rod", "flexible", lambda: system, h, h * LONG, 1.0, 1.0)
            alone = [integrate(system, case).step for _ in range(2)]
            places: dict[str, Path | None] = {"in memory": None, "in a file": Path(folder) / "run.h5"}
            times = {(name, n): [kept(system, h, n, path)] for name, path in places.items() for n in (SHORT, LONG)}
            for _ in range(rounds):
                alone.append(integrate(system, case).step)
                for (name, n), found in times.items():
                    found.append(kept(system, h, n, places[name]))
            step = min(alone)
            costs = {name: per_step(times[name, SHORT], times[name, LONG]) for name in places}
            ratios = {name: cost.clock / step for name, cost in costs.items()}
            row = "".join(f"{1e6 * costs[name].clock:10.2f} ({ratios[name]:.2f} x)" for name in places)
            both = costs["in memory"].processors
            print(f"{h:8.0e}{1e6 * step:8.2f}{row}{1e6 * both:14.2f} ({both / step:.2f} x)", flush=True)
            for name, ratio in ratios.items():
                good &= met(f"h = {h:g}, {name}: times the step alone", ratio, WANTED)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
