"""What a mass matrix by its eigenfactors costs beside a factorisation, over the number of dofs of a pendulum.

Algebra of one evaluation alone: a Cholesky solution, the rates of the factors and a solution by them, and a Jacobi
correction. The three solutions must agree. `python -m benchmarks.bench_eigenfactors`
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from scipy import linalg

from benchmarks.targets import met
from floatframe import hybrid as h
from floatframe.equations import Eigenfactors, tree_matrices

LINKS = (5, 10, 20, 40)
ROUNDS = 5
STEP = 0.005  # s
AGREE = 1e-9  # relative difference of the solutions


def chain(n: int) -> h.System:
    """A pendulum of n links with crossed hinges."""
    model = h.Model(gravity=(0, 0, -9.81))
    above = model.ground.at((0, 0, 0))
    for k in range(n):
        link = model.add(h.RigidBody(f"link{k}", mass=1.0, inertia=(0.03, 0.03, 0.02), com=(0, 0, -0.25)))
        axis = (0, 1, 0) if k % 2 else (1, 0, 0)
        model.add(h.revolute(f"hinge{k}", link.at((0, 0, 0)), above, axis=axis))
        above = link.at((0, 0, -0.5))
    return model.compile()


def best(work: Callable[[], object]) -> float:
    """Least time [ms] of several."""
    times = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return 1e3 * min(times)


def main() -> int:
    """Print the times over n; 1 if the solutions differ."""
    kept = True
    rng = np.random.default_rng(1)
    for n in LINKS:
        system = chain(n)
        moved = system.move(system.start, 0.5 * rng.normal(size=system.nv))
        tree = tree_matrices(system, h.State(0.0, moved.q, rng.normal(size=system.nv), moved.memory))
        A, A_rate, force = tree.mass, tree.mass_rate, tree.force
        factors = Eigenfactors.of(A, A_rate, STEP)
        exact = linalg.solve(A, force, assume_a="pos")
        off = max(np.abs(one.solve(force) - exact).max() for one in (factors, factors.corrected(A, A_rate, STEP)))
        kept &= met(f"{n} links: difference of the solutions", off / np.abs(exact).max() / AGREE, 1.0, " x 1e-9")
        times = {
            "Cholesky": best(lambda A=A, b=force: linalg.solve(A, b, assume_a="pos")),
            "eigenfactors": best(lambda f=factors, r=A_rate, b=force: (f.rates(r), f.solve(b))),
            "correction": best(lambda f=factors, A=A, r=A_rate: f.corrected(A, r, STEP)),
        }
        print(f"{n} links, ms: " + ", ".join(f"{name} {time:.3f}" for name, time in times.items()))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
