"""A thin disc that rolls on a plane without slip: its model, and its equations in lean, turn and spin as a twin.

With lean θ from the vertical, rate Ω of the turn about the vertical and spin n about the axis, Euler's equations are

    (A + m r²) θ'' = m g r sin θ + (C + m r²) Ω n cos θ - A Ω² sin θ cos θ
    A cos θ Ω'     = (2 A Ω sin θ - C n) θ'
    (C + m r²) n'  = -m r² Ω cos θ θ'

so steady rolling has θ, Ω, n constant, and the square of the rate of small motions about it is in closed form.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from math import cos, sin

import numpy as np

from floatframe import hybrid as h

G, R, MASS = 9.81, 0.5, 3.0
A, C = 0.25 * MASS * R**2, 0.5 * MASS * R**2
ROLLING = C + MASS * R**2
SLOWEST = (G * R / 3.0) ** 0.5  # m/s: a uniform disc that rolls upright falls over below

PATH = [h.translate((1, 0, 0)), h.translate((0, 1, 0)), h.translate((0, 0, 1))]
TURN, LEAN, SPIN = h.rotate((0, 0, 1)), h.rotate((1, 0, 0)), h.rotate((0, 1, 0))


def disc(steps: list[h.Step], start: tuple[float, ...], rates: tuple[float, ...], more: Sequence = ()) -> h.System:
    """The disc in coordinates, and whatever else acts on it."""
    model = h.Model(gravity=(0, 0, -G))
    body = model.add(h.RigidBody("disc", MASS, (A, C, A)))
    model.add(h.general("pose", body.at(), model.ground.at(), steps, start=start, start_rate=rates))
    model.add(h.rolling("contact", body.at(), model.ground.at(), R, axis=(0, 1, 0)))
    for item in more:
        model.add(item)
    return model.compile()


def straight(speed: float, lean: float = 0.0, lean_rate: float = 0.0, more: Sequence = ()) -> h.System:
    """The disc on its way along x."""
    start = (0.0, 0.0, R * cos(lean), 0.0, lean, 0.0)
    return disc([*PATH, TURN, LEAN, SPIN], start, (speed, None, None, 0.0, lean_rate, speed / R), more)


def spin_on_circle(lean: float, turn: float) -> float:
    """The spin n with which the disc rolls steadily in a circle."""
    return (A * turn**2 * sin(lean) * cos(lean) - MASS * G * R * sin(lean)) / (turn * cos(lean) * ROLLING)


def circle(lean: float, turn: float) -> h.System:
    """The disc on a circle about the origin."""
    n = spin_on_circle(lean, turn)
    start = (0.0, 0.0, -R * n / turn, R * cos(lean), lean, 0.0)
    return disc([TURN, *PATH, LEAN, SPIN], start, (turn, 0.0, 0.0, 0.0, 0.0, n - turn * sin(lean)))


def small_motions(lean: float, turn: float, n: float) -> complex:
    """The eigenvalue of small motions about steady rolling, with real or imaginary part >= 0."""
    s, c = sin(lean), cos(lean)
    by_lean = MASS * G * R * c - ROLLING * turn * n * s - A * turn**2 * (c * c - s * s)
    by_turn = ROLLING * n * c - 2.0 * A * turn * s * c
    by_spin = ROLLING * turn * c
    total = by_lean + by_turn * (2.0 * A * turn * s - C * n) / (A * c) - by_spin * MASS * R**2 * turn * c / ROLLING
    return cmath.sqrt(total / (A + MASS * R**2))


def euler(t_end: float, lean: float, lean_rate: float, turn: float, n: float) -> np.ndarray:
    """Lean, its rate, turn and spin (4,) at a time, by Euler's equations alone."""
    from scipy.integrate import solve_ivp

    def rates(_: float, y: np.ndarray) -> list[float]:
        s, c = sin(y[0]), cos(y[0])
        bend = MASS * G * R * s + ROLLING * y[2] * y[3] * c - A * y[2] ** 2 * s * c
        turning = (2.0 * A * y[2] * s - C * y[3]) * y[1] / (A * c)
        return [y[1], bend / (A + MASS * R**2), turning, -MASS * R**2 * y[2] * c * y[1] / ROLLING]

    found = solve_ivp(rates, (0.0, t_end), [lean, lean_rate, turn, n], method="DOP853", rtol=1e-12, atol=1e-13)
    return np.asarray(found.y[:, -1])
