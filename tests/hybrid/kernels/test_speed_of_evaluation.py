"""Evaluations stay fast: no compiler work per call, kernel times in a wide margin; the benchmark has the targets."""

from __future__ import annotations

import numpy as np

from benchmarks import bench_evaluation as bench
from floatframe.hybrid.kernels import evaluate

MARGIN = 5.0  # for slow and busy machines


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


def test_evaluation_of_the_flexible_slider_crank():
    what, microseconds = bench.measure_slider_crank()
    assert "27 modes" in what
    assert microseconds < MARGIN * bench.EVALUATION_LIMIT


def test_accelerations_of_a_long_chain():
    what, microseconds = bench.measure_chain()
    assert "100 bodies" in what
    assert microseconds < MARGIN * bench.CHAIN_LIMIT
