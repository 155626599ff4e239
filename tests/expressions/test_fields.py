"""Expressions over arrays: the same values as one by one, and comparisons that forgive round-off."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.expressions import field_values, forgiving, parse

PLACES = np.linspace(-2.0, 2.0, 41)


@pytest.mark.parametrize(
    "text",
    [
        "x^2 - 3*x + 1",
        "if(x > 0.5, sqrt(abs(x)), -x)",
        "clamp(x, -1, 1) + deadband(x, 0.3)",
        "step(x, -1, 0, 1, 2) + smoothstep(x/2)",
        "min(x, 0.2, -x) + max(x, 1) + mod(x, 0.7)",
        "x >= 0 and not (x == 1) or x < -1",
        "hypot(x, 2) + atan2(x, 1)",
        "3",
    ],
)
def test_values_are_those_of_single_places(text):
    expression = parse(text)
    found = field_values(expression, {"x": PLACES})
    # vector loops of transcendental functions may round the last bit otherwise
    assert found == pytest.approx([expression.evaluate({"x": float(x)}) for x in PLACES], rel=4e-16, abs=4e-16)


def test_arrays_broadcast():
    found = field_values(parse("u + 10*v"), {"u": np.arange(3.0)[None, :], "v": np.arange(2.0)[:, None]})
    assert found.tolist() == [[0, 1, 2], [10, 11, 12]]


def test_equal_means_close():
    near = np.array([1.0, 1.0 + 1e-9, 1.0 + 1e-5])
    assert field_values(forgiving(parse("x == 1"), 1e-6), {"x": near}).tolist() == [1, 1, 0]
    assert field_values(forgiving(parse("not (x != 1)"), 1e-6), {"x": near}).tolist() == [1, 1, 0]
    assert field_values(parse("x == 1"), {"x": near}).tolist() == [1, 0, 0]


def test_tables_and_unknown_names_are_refused():
    with pytest.raises(ModelError, match="cannot be used for a field"):
        field_values(parse("table(curve, x)"), {"x": PLACES})
    with pytest.raises(ModelError, match="unknown name 'y'"):
        field_values(parse("x + y"), {"x": PLACES})
