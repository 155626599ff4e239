"""Machines with bodies that turn freely beside a network: attitudes and order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from floatframe.network import Network, machine_kind


def top() -> ff.hybrid.Model:
    """A tumbling body in space, and a rotor on a pin in it that a motor may turn."""
    h = ff.hybrid
    model = h.Model(gravity=(0, 0, 0))
    hull = model.add(h.RigidBody("hull", mass=2.0, inertia=(1.0, 2.0, 3.0), angular_velocity=(3.0, 1.0, 2.0)))
    rotor = model.add(h.RigidBody("rotor", mass=0.5, inertia=(0.1, 0.1, 0.2)))
    model.add(h.revolute("pin", rotor.at((0, 0, 0)), hull.at((0, 0, 0)), axis=(0, 0, 1)))
    return model


def spun() -> Network:
    """A torque source between hull and rotor, by way of the port."""
    net = Network("spin")
    net.add("T", "torque", ["shaft"], torque="0.5*sin(3*t)")
    net.add("top", machine_kind(top().compile(), ["pin"]), ["shaft"])
    return net


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
