"""Machines with bodies that turn freely beside a network: attitudes and order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from tests.network.examples import spun, top


@pytest.mark.parametrize("method", ["bdf2", "generalised-alpha"])
def test_a_tumbling_hull_moves_as_without_a_network(method):
    """Second order against the machine alone with a tight tolerance; attitudes go through several turns."""
    alone = top()
    alone.add(ff.hybrid.joint_torque("T", joint="pin", torque="0.5*sin(3*t)"))
    wanted = alone.compile().simulate(t_end=3.0, method="radau5", rtol=1e-9, record=ff.hybrid.Record(every=3.0))
    compiled = spun().compile()
    apart = []
    for step in (1e-2, 5e-3):
        result = compiled.simulate(3.0, method=method, step=step)
        apart.append(np.abs(result["hull.angular_velocity"][-1] - wanted["hull.angular_velocity"][-1]).max())
        turned = abs(result["rotor.rotation"][-1] @ wanted["rotor.rotation"][-1])  # quaternions
        apart[-1] += 2.0 * math.acos(min(turned, 1.0))
    assert math.log2(apart[0] / apart[1]) == pytest.approx(2.0, abs=0.3)
    assert apart[1] < 5e-2
