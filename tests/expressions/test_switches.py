"""Times at which expressions of t change their law."""

import numpy as np
import pytest

from floatframe.expressions import Table, parse, switching_times

TABLES = {"bump": Table([0.0, 0.5, 0.6, 2.0], [0.0, 0.0, 7.0, 0.0]), "measured": Table(np.arange(500.0), np.ones(500))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5*pulse(t, 0.25, 0.5)", {0.25, 0.5}),
        ("ramp(t, 1, 3) + rate", {1.0, 3.0}),
        ("step(2*t - 1, 0, 0, 3, 10)", {0.5, 2.0}),
        ("haversine(t, 1, 0, 2, 5)", {1.0, 2.0}),
        ("if(t > 4 and rate > 0, 1, 2)", {4.0}),
        ("max(3 - t, 0)*x", {3.0}),
        ("abs(t - 0.75)", {0.75}),
        ("deadband(t - 2, 0.5)", {1.5, 2.5}),
        ("table(bump, t/2)", {0.0, 1.0, 1.2, 4.0}),
        ("table(measured, t)", set()),  # so many knots are measured values
        ("sin(t) + rate*t", set()),
        ("if(sin(t) > 0, 1, 2)", set()),  # not a straight line
        ("rate > 3", set()),
        ("t > rate", set()),
    ],
)
def test_times_of_an_expression(text, expected):
    assert sorted(switching_times(parse(text), TABLES)) == pytest.approx(sorted(expected), rel=1e-15)
