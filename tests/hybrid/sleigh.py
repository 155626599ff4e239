"""Chaplygin's sleigh: a body on an edge with its centre of mass ahead of it, and the closed form of its motion."""

from __future__ import annotations

from math import atanh, cosh, sqrt, tanh

from floatframe import hybrid as h

MASS, INERTIA, AHEAD, SPEED, SPIN = 2.0, 0.4, 0.3, 1.0, 1.5


def sleigh(edge: bool = True) -> h.Model:
    """The sleigh as it starts at the origin along x; edge: with its blade."""
    model = h.Model(gravity=(0, 0, 0))
    start = {"velocity": (SPEED, 0, 0), "angular_velocity": (0, 0, SPIN)}
    body = model.add(h.RigidBody("sledge", MASS, (0.2, 0.3, INERTIA), com=(AHEAD, 0, 0), **start))
    model.add(h.planar("plane", body.at(), model.ground.at()))
    if edge:
        model.add(h.blade("edge", body.at(), model.ground.at()))
    return model


def exact(t: float) -> tuple[float, float, float]:
    """Speed of the edge along itself [m/s], spin [rad/s], and the force on the edge across it [N]."""
    about_edge = INERTIA + MASS * AHEAD**2
    energy = 0.5 * MASS * SPEED**2 + 0.5 * about_edge * SPIN**2
    fastest, most = sqrt(2 * energy / MASS), sqrt(2 * energy / about_edge)
    rate = AHEAD * most**2 / fastest
    start = -atanh(SPEED / fastest) / rate
    v, w = fastest * tanh(rate * (t - start)), most / cosh(rate * (t - start))
    turning = -MASS * AHEAD * v * w / about_edge
    return v, w, MASS * (v * w + AHEAD * turning)
