"""Subsystems of two instances each, one inside the other: their number doubles with every level."""

from __future__ import annotations

import pytest

from floatframe import hybrid
from floatframe.errors import ModelError


def test_instances_that_double_are_refused_before_they_are_opened():
    inner = hybrid.Subsystem("level0")
    inner.add(hybrid.RigidBody("body", mass=1.0, inertia=(1, 1, 1)))

    def doubled(inner: hybrid.Subsystem, level: int) -> hybrid.Subsystem:
        outer = hybrid.Subsystem(f"level{level}")
        for name in ("left", "right"):
            outer.add(inner.instance(name))
        return outer

    for level in range(1, 15):
        inner = doubled(inner, level)
    # 2^14 bodies and 2^15 - 2 instances: 49150 things are possible, twice as many are not
    inner = doubled(inner, 15)
    with pytest.raises(ModelError, match=r"left'.* 9\.83e\+04 bodies, joints and other things, at most 50000"):
        doubled(inner, 16)
