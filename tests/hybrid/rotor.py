"""A rotor on a shaft, for controllers of its angle and speed."""

from __future__ import annotations

from floatframe import hybrid as h

INERTIA = 0.8  # kg m2


def rotor(**parameters: float) -> h.Model:
    """A rotor on a shaft."""
    model = h.Model(parameters=parameters)
    body = model.add(h.RigidBody("rotor", mass=1.0, inertia=(INERTIA,) * 3))
    model.add(h.revolute("shaft", body.at(), model.ground.at()))
    return model
