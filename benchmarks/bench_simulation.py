"""Time integration beside Exudyn's fast build: slider-cranks with three rods, chains of hinged links.

Both run generalised-alpha with the same step and spectral radius on the same data; speeds at the end must agree before
a time is printed. Counted is the CPU time of the steps alone, best of three, taking turns: models are built and solvers
started before. Both are judged as users get them, Exudyn with the fastest of its linear solvers, writing nothing. The
column "tuned" is for information: the fastest of all its linear solvers, two kinds of rotation coordinates (Tait-Bryan
angles are quicker than Euler parameters, but singular somewhere) and two tolerances.

A second table has whole runs of the flexible slider-crank that keep every step in memory: `simulate` with its default
record, all channels, coordinates and statistics; Exudyn as delivered, with sensors for the motion of the bodies, the
loads in the joints and the modes, but no energies, no drives and no statistics.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import itertools
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import mechanisms
from benchmarks.targets import met
from floatframe.hybrid import System
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.methods import integrator_for

RADIUS = 0.6  # spectral radius
ROUNDS = 3
RECORDED = 25.0  # times faster with every step recorded
SHORTEST = 0.1  # s: runs are repeated until they have taken this long
SOLVERS = ("EXUdense", "EigenDense", "EigenSparse")
TOLERANCES = (1e-8, 1e-5)  # of Newton's method, relative; the first is the default
ROTATIONS = ("RotationEulerParameters", "RotationRxyz")  # the first is the default

Variant = tuple[str, str, float]  # rotation, linear solver, tolerance


@dataclass(frozen=True)
class Case:
    """One row: how both programs make the mechanism, the run, the agreement of speeds [relative], the wanted ratio."""

    name: str
    kind: str  # its maker in `exudyn_models`
    ours: Callable[[], System]
    h: float
    t_end: float
    agreement: float
    wanted: float
    argument: Any = None
    rotations: tuple[str, ...] = ROTATIONS
    solvers: tuple[str, ...] = SOLVERS

    @property
    def steps(self) -> int:
        return round(self.t_end / self.h)


@dataclass(frozen=True)
class Timing:
    """CPU time of a step [s], speeds at the end, iterations and new iteration matrices per step."""

    step: float
    speeds: np.ndarray
    iterations: float
    matrices: float


def cases(span: float) -> list[Case]:
    """All rows; the slider-cranks run for `span` seconds."""
    rod = mechanisms.flexible_rod()
    arrays = mechanisms.rod_arrays(rod)

    def crank(kind: str, ours: Callable[[], System], agreement: float, wanted: float, argument: Any) -> list[Case]:
        return [Case(f"{kind} rod", kind, ours, h, span, agreement, wanted, argument) for h in (1e-3, 1e-4)]

    def chain(n: int) -> Case:
        wanted, dense = 5.0 if n >= 50 else 1.0, ("EXUdense", "EigenDense")
        t_end = min(span, 0.2 if n >= 50 else 1.0)
        name = f"{n} links"
        return Case(name, "Links", lambda: mechanisms.links(n), 1e-3, t_end, 1e-4, wanted, n, ("",), dense)

    return [
        *crank("flexible", lambda: mechanisms.flexible(rod), 1e-3, 25.0, arrays),
        *crank("rigid", lambda: mechanisms.sample("rigid"), 1e-4, 3.0, None),
        *crank("chain", lambda: mechanisms.sample("chain"), 1e-4, 3.0, None),
        *(chain(n) for n in (5, 10, 50, 100, 200)),
    ]


def integrate(system: System, case: Case, every_step: bool = False) -> Timing:
    """Our steps in one block of compiled code, as `simulate` runs them between records."""
    settings = Settings(t_end=case.t_end, step=case.h, spectral_radius=RADIUS)
    integrator = integrator_for(system, settings, system.initial_state(), 0)
    times = case.h * np.arange(1, case.steps + 1) if every_step else np.array([case.h * case.steps])
    began = time.process_time()
    kept, _ = integrator.run(times, len(times))
    seconds = time.process_time() - began
    # once more to where it is already: no step, only the call from Python
    began = time.process_time()
    integrator.run(times[-1:], 1)
    seconds -= time.process_time() - began
    last = kept.counters[-1]
    steps, iterations, matrices = (float(last[name]) for name in ("steps", "iterations", "refreshes"))
    if round(steps) != case.steps:
        raise SystemExit(f"{case.name}: we made {steps:.0f} steps of {case.steps}")
    return Timing(seconds / steps, np.array(kept.v[-1]), iterations / steps, matrices / steps)


def serve(pipe: Any) -> None:
    """Exudyn's process: answers requests until there are no more."""
    models = importlib.import_module("benchmarks.exudyn_models")
    while (request := pipe.recv()) is not None:
        kind, argument, rotation, *run = request
        with contextlib.redirect_stdout(sys.stderr):
            arguments = [part for part in (rotation, argument) if part not in ("", None)]
            try:
                found = models.integrate(getattr(models, kind)(*arguments), *run)
            except (RuntimeError, ValueError) as failure:
                found = str(failure)
        pipe.send(found)


class Exudyn:
    """Exudyn in a process of its own."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def integrate(self, case: Case, variant: Variant, recorded: bool = False) -> Timing | None:
        """None if it fails with these settings."""
        rotation, solver, tolerance = variant
        self.pipe.send((case.kind, case.argument, rotation, case.h, case.steps, RADIUS, solver, tolerance, recorded))
        found = self.pipe.recv()
        if not isinstance(found, tuple):
            return None
        return Timing(found[0] / case.steps, np.array(found[1]), *found[2:])

    def close(self) -> None:
        self.pipe.send(None)
        self.process.join()


def shortest(best: Timing, run: Callable[[], Timing | None]) -> Timing:
    """The best so far or of as many runs as fit into SHORTEST, at least one."""
    until = time.perf_counter() + SHORTEST
    while True:
        best = min(best, run() or best, key=lambda timing: timing.step)
        if time.perf_counter() > until:
            return best


def difference(a: Timing, b: Timing) -> float:
    """Largest difference of speeds over the largest speed; of slider-cranks the crank's speed counts."""
    n = len(b.speeds)
    return float(np.max(np.abs(a.speeds[:n] - b.speeds)) / np.max(np.abs(b.speeds)))


def agreeing(case: Case, exudyn: Exudyn, ours: Timing, variants: Iterable[Variant]) -> dict[Variant, Timing]:
    """Exudyn's runs whose speeds agree with ours."""
    tried = {v: timing for v in variants if (timing := exudyn.integrate(case, v)) is not None}
    agree = {v: timing for v, timing in tried.items() if difference(ours, timing) <= case.agreement}
    if not agree:
        apart = min((difference(ours, timing) for timing in tried.values()), default=float("nan"))
        raise SystemExit(f"{case.name}: speeds differ by {apart:.1e}, {case.agreement:g} allowed: times mean nothing")
    return agree


def quickest(runs: dict[Variant, Timing], delivered: bool) -> Variant:
    """The fastest of all settings, or of those with the delivered rotation and tolerance."""
    allowed = (v for v in runs if not delivered or (v[0] in (ROTATIONS[0], "") and v[2] == TOLERANCES[0]))
    return min(allowed, key=lambda v: runs[v].step)


def compare(case: Case, exudyn: Exudyn, rounds: int, known: dict[str, list[Variant]]) -> float:
    """Print a row; the ratio of its times. Settings found for a kind of mechanism are known for its next rows."""
    system = case.ours()
    ours, recorded = integrate(system, case), integrate(system, case, every_step=True)
    found = known.get(case.name, itertools.product(case.rotations, case.solvers, TOLERANCES))
    theirs = agreeing(case, exudyn, ours, found)
    chosen = known[case.name] = [quickest(theirs, delivered=True), quickest(theirs, delivered=False)]
    for _ in range(rounds):
        for variant in set(chosen):
            theirs[variant] = shortest(theirs[variant], lambda v=variant: exudyn.integrate(case, v))
        ours = shortest(ours, lambda: integrate(system, case))
        recorded = shortest(recorded, lambda: integrate(system, case, every_step=True))
    delivered, tuned = (theirs[v] for v in chosen)
    print(
        f"  {case.name:13s}{case.h:7.0e}{1e6 * ours.step:9.2f}{1e6 * recorded.step:9.2f}"
        f"{1e6 * delivered.step:10.2f}{delivered.step / ours.step:7.1f}{1e6 * tuned.step:10.2f}"
        f"{tuned.step / ours.step:7.1f}{ours.iterations:7.2f}{ours.matrices:7.3f}{delivered.iterations:7.2f}"
        f"{delivered.matrices:7.3f}{difference(ours, delivered):9.0e}  "
        f"{chosen[0][1]}; {described(chosen[1])}",
        flush=True,
    )
    return delivered.step / ours.step


def recorded_run(system: System, case: Case) -> Timing:
    """A whole run by `simulate` that records everything after every step, on the clock: it uses two cores."""
    began = time.perf_counter()
    result = system.simulate(t_end=case.t_end, step=case.h, spectral_radius=RADIUS)
    seconds = time.perf_counter() - began
    return Timing(seconds / case.steps, np.array(result.v[-1]), 0.0, 0.0)


def compare_recorded(case: Case, exudyn: Exudyn, rounds: int, variant: Variant) -> float:
    """Print a row of runs that keep every step; the ratio of their times."""
    system = case.ours()
    recorded_run(system, case)
    ours = recorded_run(system, case)
    theirs = exudyn.integrate(case, variant, recorded=True)
    if theirs is None or difference(ours, theirs) > case.agreement:
        raise SystemExit(f"{case.name}, every step recorded: Exudyn fails or differs; times mean nothing")
    for _ in range(rounds):
        theirs = min(theirs, exudyn.integrate(case, variant, recorded=True) or theirs, key=lambda one: one.step)
        ours = shortest(ours, lambda: recorded_run(system, case))
    print(
        f"  {case.name:13s}{case.h:7.0e}{1e3 * case.steps * ours.step:10.1f}{1e3 * case.steps * theirs.step:10.1f}"
        f"{theirs.step / ours.step:7.1f}{difference(ours, theirs):9.0e}",
        flush=True,
    )
    return theirs.step / ours.step


def described(variant: Variant) -> str:
    rotation, solver, tolerance = variant
    return ", ".join(part for part in (rotation.removeprefix("Rotation"), solver, f"{tolerance:g}") if part)


def chosen_cases(span: float, words: list[str]) -> Iterator[Case]:
    return (case for case in cases(span) if not words or any(word in case.name for word in words))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="rows whose name contains one of these; all by default")
    parser.add_argument("--span", type=float, default=2.0, help="simulated time of the slider-cranks [s]; 2 by default")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args([] if arguments is None else arguments)
    print("Generalised-alpha, CPU time of a step [us]; iterations and new iteration matrices per step")
    print(
        "  mechanism          h     ours  records    Exudyn  ratio     tuned  ratio     ours it, new"
        "   Exudyn it, new   differ  solver; tuned"
    )
    exudyn, known = Exudyn(), dict[str, list[Variant]]()
    rows = [(case, compare(case, exudyn, chosen.rounds, known)) for case in chosen_cases(chosen.span, chosen.names)]
    every = [case for case, _ in rows if case.kind == "flexible"]
    if every:
        print("Whole runs with every step recorded, time on the clock [ms]")
        print("  mechanism          h      ours    Exudyn  ratio   differ")
    kept = [(case, compare_recorded(case, exudyn, chosen.rounds, known[case.name][0])) for case in every]
    exudyn.close()
    verdicts = [
        met(f"{case.name}, h = {case.h:g}: {ratio:.1f} times faster, wanted / found", case.wanted / ratio, 1.0)
        for case, ratio in rows
    ]
    verdicts += [
        met(
            f"{case.name}, h = {case.h:g}, all recorded: {ratio:.1f} times faster, wanted / found",
            RECORDED / ratio,
            1.0,
        )
        for case, ratio in kept
    ]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
