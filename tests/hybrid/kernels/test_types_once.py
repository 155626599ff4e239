"""Evaluations after the first do no compiler work; `make bench` measures how long they take."""

from __future__ import annotations

import numpy as np

from benchmarks import bench_evaluation as bench
from floatframe.hybrid.kernels import evaluate


def test_types_are_looked_at_once(monkeypatch):
    """Numba takes milliseconds to type the arrays of a system; evaluations after the first must not ask again."""
    system = bench.chain(3)
    system.mass_matrix(system.start)

    def refuse(value):
        raise AssertionError("the types of the arrays were asked for again")

    monkeypatch.setattr(evaluate.numba, "typeof", refuse)
    again = bench.chain(4)
    assert np.linalg.eigvalsh(again.mass_matrix(again.start)).min() > 0.0
    assert len(system.accelerations(system.start)[0]) == 3
