"""Flat models compared field by field."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from floatframe import hybrid as h


def assert_same(one, other):
    """Compare two flat things field by field."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_same(left, right)
    elif type(one).__name__.startswith("Flat"):
        assert_same(*({key: value for key, value in vars(thing).items() if key != "history"} for thing in (one, other)))
    elif isinstance(one, h.Table):
        assert (one.kind, one.extrapolate) == (other.kind, other.extrapolate)
        np.testing.assert_array_equal(one.x, other.x)
        np.testing.assert_array_equal(one.y, other.y)
    elif type(one).__name__ == "ReducedBody":
        np.testing.assert_array_equal(one.shapes, other.shapes)
    else:
        assert one == other
