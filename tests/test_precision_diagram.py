"""How `bench_precision` reads times off the curves of methods."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.precision.diagram import Curve, fastest
from benchmarks.precision.measure import Point, error_of, integrated, point
from benchmarks.precision.problems import PROBLEMS
from benchmarks.precision.references import stored


def drawn(label: str, *points: tuple[float, float]) -> Curve:
    """A curve through (error, seconds)."""
    return Curve(label, "ours", [Point(0.0, seconds, error) for error, seconds in points])


def test_times_between_runs_lie_on_a_straight_line_in_logarithms():
    curve = drawn("a", (1e-2, 1.0), (1e-4, 4.0))
    assert [curve.seconds(error) for error in (1e-2, 1e-3, 1e-4)] == pytest.approx([1.0, 2.0, 4.0])


def test_a_curve_that_begins_below_an_error_takes_its_first_run_and_ends_at_its_last():
    curve = drawn("a", (1e-4, 1.0), (1e-6, 4.0))
    assert curve.seconds(1e-2) == 1.0
    assert math.isnan(curve.seconds(1e-7))
    assert math.isnan(drawn("none").seconds(1e-2))


def test_runs_that_others_better_do_not_count():
    curve = drawn("a", (1e-2, 1.0), (1e-1, 2.0), (1e-4, 4.0))
    assert curve.seconds(1e-3) == pytest.approx(2.0)


def test_runs_that_are_exact_by_luck_settle_later():
    curve = drawn("a", (1e-2, 1.0), (1e-5, 2.0), (1e-3, 4.0), (1e-4, 8.0))
    assert curve.seconds(1e-3) < 2.0
    assert curve.settled.seconds(1e-3) == pytest.approx(2.0)  # no finer run has more
    assert curve.settled.seconds(1e-4) == pytest.approx(8.0)
    assert math.isnan(curve.settled.seconds(1e-5))


def test_the_fastest_is_the_one_with_the_least_time_there():
    steep, flat = drawn("steep", (1e-2, 1.0), (1e-6, 1e4)), drawn("flat", (1e-2, 10.0), (1e-9, 20.0))
    assert [fastest((steep, flat), error)[0].label for error in (1e-2, 1e-5, 1e-8)] == ["steep", "flat", "flat"]
    assert fastest((steep, flat), 1e-12) is None


@pytest.mark.parametrize("given", [{"method": "rk45", "rtol": 1e-8}, {"method": "generalised-alpha", "step": 5e-4}])
def test_a_run_is_timed_and_its_error_is_that_of_its_end(given):
    (problem,) = (one for one in PROBLEMS if one.name == "double_pendulum")
    system, reference = problem.system(), stored(problem).values
    seconds, answer = integrated(system, problem, given, np.inf)
    assert seconds > 0
    # 2e-6 and 2e-5 measured; velocities of implicit steps are those of records
    assert error_of(problem, answer, reference) < 1e-4
    assert point(system, problem, reference, given, 1e-8, np.inf).error == error_of(problem, answer, reference)
