"""Curves of Exudyn's fast build, which runs in a process of its own.

Its generalised-alpha method has fixed steps; the settings that get furthest in a time are found first, and all steps
tried with them. Its explicit method DOPRI5 has controlled steps, and takes trees in joint coordinates only.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import multiprocessing
import sys
from typing import Any

import numpy as np

from benchmarks import mechanisms
from benchmarks.precision.diagram import Curve
from benchmarks.precision.measure import Point, error_of, shortest
from benchmarks.precision.methods import Method, curve, settings
from benchmarks.precision.problems import LINKS, Problem, rod
from floatframe.arrays import Array

TREES = ("DoublePendulum", "chain")
TRIAL = 4  # the longest step over the one that settings are found with
SOLVERS, REDUNDANT = ("EXUdense", "EigenDense", "EigenSparse"), ("EigenDense",)
ROTATIONS = ("RotationEulerParameters", "RotationRxyz")
RADII, NEWTON = (0.8, 1.0), (1e-8, 1e-5)

Setting = tuple[str, str, float, float]  # rotation, linear solver, spectral radius, tolerance of Newton's method


def serve(pipe: Any) -> None:
    """Exudyn's process: answers requests until there are no more."""
    models = importlib.import_module("benchmarks.precision.exudyn_problems")
    while (request := pipe.recv()) is not None:
        kind, arguments, run = request
        with contextlib.redirect_stdout(sys.stderr):
            try:
                found = models.integrate(getattr(models, kind)(*arguments), *run)
            except (RuntimeError, ValueError, models.exu.SolverError) as failure:
                found = str(failure)
        pipe.send(found)


class Exudyn:
    """One problem in Exudyn."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def run(self, setting: Setting, step: float) -> tuple[float, Array] | None:
        """Processor time [s] and the answer; None if it fails."""
        rotation, solver, radius, newton = setting
        kind = self.problem.exudyn
        arguments: tuple[Any, ...] = (rotation,) if rotation else ()
        if kind == "chain":
            arguments = (LINKS,)
        elif kind == "flexible":
            arguments = (rotation, mechanisms.rod_arrays(rod()))
        self.pipe.send((kind, arguments, (self.problem.t_end, solver, step, radius, newton)))
        found = self.pipe.recv()
        return (found[0], np.array(found[1])) if isinstance(found, tuple) else None

    def close(self) -> None:
        self.pipe.send(None)
        self.process.join()


def exudyn_curves(problem: Problem, reference: Array, limit: float) -> list[Curve]:
    """Its implicit curve, and for trees the explicit one."""
    if not problem.exudyn:
        return []
    exudyn = Exudyn(problem)

    def point(setting: Setting, step: float) -> Point | None:
        found = shortest(lambda: exudyn.run(setting, step))
        if found is None or not np.all(np.isfinite(found[1])):
            return None
        return Point(step, found[0], error_of(problem, found[1], reference))

    def points(setting: Setting, method: Method) -> list[Point]:
        tried = settings(method, problem.t_end, problem.coarsest)
        return curve(lambda step: point(setting, step), tried, limit)

    trial = problem.coarsest / TRIAL
    tree = problem.exudyn in TREES
    solvers = REDUNDANT if problem.exudyn == "bricard" else SOLVERS[: 2 if tree else 3]
    found = []
    for newton in NEWTON:  # the loose tolerance is faster and ends sooner
        variants = itertools.product(("",) if tree else ROTATIONS, solvers, RADII, (newton,))
        tried = {variant: one for variant in variants if (one := point(variant, trial)) is not None}
        # a method of second order: the time for a given error goes with the root of what it leaves
        best = min(tried, key=lambda v: tried[v].seconds * tried[v].error ** 0.5, default=None)
        if best is not None:
            found += points(best, Method("generalised-alpha", controlled=False))
    curves = [Curve("Exudyn, implicit", "Exudyn", found)]
    if tree:
        explicit = points(("", "DOPRI5", 0.0, 0.0), Method("DOPRI5", controlled=True))
        curves.append(Curve("Exudyn, explicit", "Exudyn", explicit))
    exudyn.close()
    return curves
