"""Work-precision diagrams: processor time over the relative error at the end, 1e-2 … 1e-9, of eight problems.

Ours by every method, SciPy's and SUNDIALS' solvers through our right-hand side, Exudyn's fast build on the same
mechanism where it has elements for it. Counted are the steps alone, the shortest of several runs; models are built
and loops compiled before. References are two integrations that share nothing but the equations. At each decade `auto`
should take at most 1.5 times what our fastest method takes, and less than all others. A run may be exact by luck, where
errors of finer ones are larger: misses are followed by what counts the runs whose finer ones stay below the error.

`--quick` stops runs and curves sooner, `--only heavy_top` takes one problem, `--references` computes references again,
`--picture` draws the diagrams into the documentation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.precision.diagram import DECADES, Curve, fastest, table
from benchmarks.precision.exudyn_curves import exudyn_curves
from benchmarks.precision.measure import point, warm_up
from benchmarks.precision.methods import curve, ours, outside, settings
from benchmarks.precision.picture import draw
from benchmarks.precision.problems import PROBLEMS, Problem
from benchmarks.precision.references import computed, store, stored
from benchmarks.targets import met
from floatframe.hybrid import System

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "precision.png"
LIMIT, QUICK = 2.0, 0.3  # s of processor time for one run
SLOWER = 1.5  # auto over our fastest method, at most
AUTO = "auto"


def curves_of(problem: Problem, system: System, limit: float) -> list[Curve]:
    """The diagram of a problem."""
    reference = stored(problem)
    ways = " and ".join(reference.ways)
    print(f"{problem.title}: references by {ways} differ by {reference.distance:.0e}", flush=True)
    found = []
    for method in [*ours(), *outside()]:
        warm_up(system, problem, method.given(1e-3 if method.controlled else problem.coarsest))
        points = curve(
            lambda setting, method=method: point(
                system, problem, reference.values, method.given(setting), setting, limit
            ),
            settings(method, problem.t_end, problem.coarsest),
            limit,
        )
        family = "ours" if method.ours else method.name.partition(":")[0]
        found.append(Curve(method.label, family, points))
    return [*found, *exudyn_curves(problem, reference.values, limit)]


def judged(problem: Problem, curves: list[Curve]) -> list[bool]:
    """Print the verdicts at each decade that anyone reaches; where auto misses, also those of settled curves."""
    verdicts = []
    for error in DECADES:
        for own, limit in ((True, SLOWER), (False, 1.0)):
            found = compared(curves, own, error)
            if found is None:
                continue
            rival, ratio = found
            verdicts.append(met(f"{problem.title}, {error:.0e}: auto over {rival}", ratio, limit))
            settled = None if verdicts[-1] else compared([one.settled for one in curves], own, error)
            if settled is not None:
                print(f"          of runs whose finer ones stay below: auto over {settled[0]}: {settled[1]:.2f}")
    return verdicts


def compared(curves: Sequence[Curve], own: bool, error: float) -> tuple[str, float] | None:
    """The fastest of our methods, or of others, at an error, and auto's time over its; None if none gets there."""
    mine = next((one.seconds(error) for one in curves if one.label == AUTO), np.nan)
    rival = fastest((one for one in curves if (one.family == "ours") == own), error)
    if rival is None:
        return None
    return rival[0].label, mine / rival[1] if np.isfinite(mine) else np.inf


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PROBLEM", choices=[problem.name for problem in PROBLEMS])
    parser.add_argument("--quick", action="store_true", help="runs of 0.3 s at most instead of 2 s")
    parser.add_argument("--references", action="store_true", help="compute the references again first")
    parser.add_argument("--picture", action="store_true", help=f"draw docs/images/{PICTURE.name}")
    chosen = parser.parse_args([] if arguments is None else arguments)
    verdicts, diagrams = [], {}
    for problem in PROBLEMS:
        if chosen.only not in (None, problem.name):
            continue
        if chosen.references:
            store(problem, computed(problem))
        curves = curves_of(problem, problem.system(), QUICK if chosen.quick else LIMIT)
        diagrams[problem.title] = curves
        print("  processor time [ms]\n" + table(curves), flush=True)
        verdicts += judged(problem, curves)
    if chosen.picture:
        draw(diagrams, PICTURE)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
