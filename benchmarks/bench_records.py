"""What records cost: every step of the flexible slider-crank kept with all channels, over the steps alone.

Processor time of a step of generalised-alpha. That of a kept step is the difference of a long and a short run over the
difference in steps, so that neither the set-up of a run nor that of its file counts; best of some rounds, in turns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

from benchmarks import mechanisms
from benchmarks.bench_simulation import RADIUS, Case, integrate
from benchmarks.targets import met
from floatframe.hybrid import System

SHORT, LONG = 2_000, 10_000  # steps
WANTED = 1.25  # times the step alone
STEPS = (1e-3, 1e-4)  # s


def kept(system: System, h: float, steps: int, path: Path | None) -> float:
    """s of processor time of a run that keeps every step with all channels."""
    state = system.initial_state()
    began = time.process_time()
    system.simulate(state, t_end=h * steps, step=h, method="generalised-alpha", spectral_radius=RADIUS, path=path)
    return time.process_time() - began


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args([] if arguments is None else arguments).rounds
    warnings.filterwarnings("ignore", "body '")  # the rod bends far without stiffening, as the comparison wants it
    system = mechanisms.flexible(mechanisms.flexible_rod())
    print("Every step kept with all channels, flexible slider-crank [us per step]")
    print("       h    step  in memory         in a file")
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
            costs = {n: (min(times[n, LONG]) - min(times[n, SHORT])) / (LONG - SHORT) for n in places}
            ratios = {name: cost / step for name, cost in costs.items()}
            row = "".join(f"{1e6 * costs[name]:10.2f} ({ratios[name]:.2f} x)" for name in places)
            print(f"{h:8.0e}{1e6 * step:8.2f}{row}", flush=True)
            for name, ratio in ratios.items():
                good &= met(f"h = {h:g}, {name}: times the step alone", ratio, WANTED)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
