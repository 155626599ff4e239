"""A motor whose equations are linear, with the exact solution by the matrix exponential. SI units."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from floatframe import hybrid as h

R, L, K, J, DRAG = 1.0, 0.5, 0.2, 0.02, 0.01
VOLTAGE = 12.0
START = 1.5  # A
# rates of current, speed, angle, and one
MATRIX = np.array([[-R / L, -K / L, 0, VOLTAGE / L], [K / J, -DRAG / J, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])


def dc_motor(**parameters: float) -> h.Model:
    """A rotor with drag driven by the current in a winding: L i' = V - R i - k w, J w' = k i - d w."""
    given = {"R": R, "L": L, "k": K, "V": VOLTAGE, "drag": DRAG, "i0": START, **parameters}
    model = h.Model(parameters=given)
    rotor = model.add(h.RigidBody("rotor", mass=1.0, inertia=(J, J, J)))
    model.add(h.revolute("shaft", rotor.at(), model.ground.at()))
    model.add(h.StateVariable("current", rate="(V - R*current - k*shaft.rate)/L", start="i0", unit="A"))
    model.add(h.Signal("torque", "k*current", unit="N m"))
    model.add(h.joint_torque("motor", "shaft", torque="torque - drag*rate"))
    return model


def exact(t: float) -> np.ndarray:
    """Current, speed and angle at a time."""
    return (expm(MATRIX * t) @ np.array([START, 0, 0, 1]))[:3]
