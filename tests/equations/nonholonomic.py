"""Nonholonomic systems in SymPy: sleigh, two-wheeled cart, rolling disc, and one that changes in time."""

from __future__ import annotations

import sympy as sp

from floatframe.equations import LagrangianSystem

m, I, J, A, C, a, r, l, g, t = sp.symbols("m I J A C a r l g t")  # noqa: E741  (half the track, as in books)
VALUES = {"m": 2.0, "I": 0.3, "J": 0.02, "A": 0.1, "C": 0.2, "a": 0.25, "r": 0.5, "l": 0.4, "g": 9.81}


def sleigh(slope: sp.Expr | int = 0) -> LagrangianSystem:
    """Chaplygin's sleigh: blade at (x, y), centre of mass by a in front of it; slope: a potential."""
    q, v = sp.symbols("x y phi"), sp.symbols("vx vy omega")
    phi, (vx, vy, omega) = q[2], v
    speed = (vx - a * sp.sin(phi) * omega) ** 2 + (vy + a * sp.cos(phi) * omega) ** 2
    blade = -sp.sin(phi) * vx + sp.cos(phi) * vy
    return LagrangianSystem(q, v, m / 2 * speed + I / 2 * omega**2 - slope, [blade])


def moving_sleigh() -> LagrangianSystem:
    """A sleigh whose blade turns and drifts in time, under forces of all kinds."""
    base = sleigh(m * g * sp.Symbol("x") * sp.Symbol("y"))
    (x, y, phi), (vx, vy, omega) = base.coordinates, base.speeds
    blade = -sp.sin(phi + t * y) * vx + sp.cos(phi + t * y) * vy + x * t**2 + sp.sin(y)
    return LagrangianSystem(base.coordinates, base.speeds, base.lagrangian, [blade], (omega * vx, t * x, -vx))


def cart() -> LagrangianSystem:
    """A two-wheeled cart on a slope along x: wheels roll and do not slip sideways."""
    q, v = sp.symbols("x y phi psi_1 psi_2"), sp.symbols("vx vy omega w_1 w_2")
    x, _, phi, _, _ = q
    vx, vy, omega, w_1, w_2 = v
    frame = (vx - a * sp.sin(phi) * omega) ** 2 + (vy + a * sp.cos(phi) * omega) ** 2
    L = m / 2 * frame + I / 2 * omega**2 + J / 2 * (w_1**2 + w_2**2) + m * g * (x + a * sp.cos(phi))
    ahead = sp.cos(phi) * vx + sp.sin(phi) * vy
    rows = [-sp.sin(phi) * vx + sp.cos(phi) * vy, ahead - l * omega - r * w_1, ahead + l * omega - r * w_2]
    return LagrangianSystem(q, v, L, rows)


def disc() -> LagrangianSystem:
    """A disc that rolls on a plane: centre above (x, y), heading phi, tilt theta (upright at π/2), roll psi."""
    q, v = sp.symbols("x y phi theta psi"), sp.symbols("vx vy heading tilt roll")
    _, _, phi, theta, _ = q
    vx, vy, heading, tilt, roll = v
    along = sp.Matrix([sp.cos(phi), sp.sin(phi), 0])
    up = sp.Matrix([-sp.sin(phi) * sp.cos(theta), sp.cos(phi) * sp.cos(theta), sp.sin(theta)])
    spin = heading * sp.Matrix([0, 0, 1]) + tilt * along + roll * along.cross(up)
    centre = spin.cross(r * up)  # the lowest point is at rest
    rotary = A * (tilt**2 + heading**2 * sp.sin(theta) ** 2) + C * (roll + heading * sp.cos(theta)) ** 2
    moving = m * (vx**2 + vy**2 + (r * sp.cos(theta) * tilt) ** 2)
    L = rotary / 2 + moving / 2 - m * g * r * sp.sin(theta)
    return LagrangianSystem(q, v, L, [vx - centre[0], vy - centre[1]])
