"""Signals in the components of a load."""

from __future__ import annotations

from numpy.testing import assert_allclose

from floatframe import hybrid as h


def test_signals_in_a_component_stay_out_of_the_others():
    """A signal that a component is the first to name has a program of its own, outside those of the load."""
    model = h.Model()
    body = model.add(h.RigidBody("body", mass=2.0, inertia=(1, 1, 1)))
    model.add(h.Signal("lift", "8"))
    model.add(h.Signal("side", "6"))
    model.add(h.point_force("load", body.at(), (0, "side", "lift")))
    model.add(h.point_torque("turn", body.at(), (0, 0, 5)))
    system = model.compile()
    assert_allclose(system.accelerations(system.initial_state())[0], [0, 3, 4, 0, 0, 5], atol=1e-15)
