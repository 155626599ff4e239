"""Coordinate systems of ANSYS: LOCAL, CS, CSYS, and the rotation angles of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array


@dataclass(frozen=True)
class System:
    """A system: kind 0 Cartesian, 1 cylindrical, 2 spherical; origin (3,) and axes (3, 3), its columns."""

    kind: int = 0
    origin: Array = field(default_factory=lambda: np.zeros(3))
    axes: Array = field(default_factory=lambda: np.eye(3))

    def place(self, x: float, y: float, z: float) -> Array:
        """Return the global place of coordinates x, y, z or R, θ, z or R, θ, φ (degrees)."""
        if self.kind == 0:
            local = np.array([x, y, z])
        elif self.kind == 1:
            local = np.array([x * np.cos(np.radians(y)), x * np.sin(np.radians(y)), z])
        else:
            flat = x * np.cos(np.radians(z))
            local = np.array([flat * np.cos(np.radians(y)), flat * np.sin(np.radians(y)), x * np.sin(np.radians(z))])
        return self.origin + self.axes @ local

    def coordinates(self, places: Array) -> Array:
        """Return coordinates (n, 3) of global places (n, 3)."""
        local = (places - self.origin) @ self.axes
        if self.kind == 0:
            return local
        x, y, z = local.T
        angle = np.degrees(np.arctan2(y, x))
        if self.kind == 1:
            return np.stack([np.hypot(x, y), angle, z], axis=1)
        radius = np.linalg.norm(local, axis=1)
        return np.stack([radius, angle, np.degrees(np.arctan2(z, np.hypot(x, y)))], axis=1)

    def axes_at(self, place: Array) -> Array:
        """Return the local axes (3, 3), as columns, of a node at a global place that is turned into this system."""
        if self.kind == 0:
            return self.axes
        x, y, z = self.axes.T @ (np.asarray(place) - self.origin)
        turn = rotation(np.array([[np.degrees(np.arctan2(y, x)), 0.0, 0.0]]))[0]
        if self.kind == 2:
            tilt = np.degrees(np.arctan2(z, np.hypot(x, y)))
            turn = turn @ rotation(np.array([[0.0, 0.0, -tilt]]))[0]
        return self.axes @ turn


# global systems with fixed numbers: Cartesian, cylindrical about z, spherical, working plane, cylindrical about y and x
_ABOUT_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
_ABOUT_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
GLOBAL = {
    0: System(),
    1: System(1),
    2: System(2),
    4: System(),
    5: System(1, axes=_ABOUT_Y),
    6: System(1, axes=_ABOUT_X),
}


def rotation(angles: Array) -> Array:
    """Return (n, 3, 3) matrices for angles THXY, THYZ, THZX (n, 3) [degrees]: about z, then new x, then new y.

    Columns are the turned axes in the axes they were turned from.
    """
    a, b, c = np.radians(np.asarray(angles, dtype=float)).T
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    # Rz(a) Rx(b) Ry(c)
    rows = [
        [ca * cc - sa * sb * sc, -sa * cb, ca * sc + sa * sb * cc],
        [sa * cc + ca * sb * sc, ca * cb, sa * sc - ca * sb * cc],
        [-cb * sc, sb, cb * cc],
    ]
    return np.array(rows).transpose(2, 0, 1)


def angles_of(axes: Array) -> tuple[float, float, float]:
    """Return THXY, THYZ, THZX [degrees] of axes (3, 3) given as columns."""
    sb = min(1.0, max(-1.0, float(axes[2, 1])))
    b = np.arcsin(sb)
    if abs(sb) < 1.0 - 1e-12:
        a, c = np.arctan2(-axes[0, 1], axes[1, 1]), np.arctan2(-axes[2, 0], axes[2, 2])
    else:
        a, c = np.arctan2(axes[1, 0], axes[0, 0]), 0.0
    return float(np.degrees(a)), float(np.degrees(b)), float(np.degrees(c))
