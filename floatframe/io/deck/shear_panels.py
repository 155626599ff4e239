"""Shear panels: Garvey's element of CSHEAR in Nastran and SHELL28 in ANSYS.

Shear flows along the four sides in equilibrium, half of each side's force at either of its ends, and the energy of a
trapezoidal field of shear.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError

_PARALLEL = 1e-6  # sine of the angle between sides


def shear_panel(places: Array, shear_stiffness: float, nu: float) -> tuple[Array, float]:
    """Return the stiffness (12, 12) of a panel with corners (4, 3) and its area; shear_stiffness: G times thickness."""
    forces, area = _forces(places)
    row = forces.ravel()
    return np.outer(row, row) * shear_stiffness / _flexibility(places, area, nu), area


def _forces(places: Array) -> tuple[Array, float]:
    """Return forces (4, 3) at the corners when the mean flow is one, and the area.

    The four flows along the sides have one state in equilibrium.
    """
    normal = np.cross(places[2] - places[0], places[3] - places[1])
    size = float(np.sqrt(normal @ normal))
    sides = np.roll(places, -1, axis=0) - places
    if not size > 0.0 or not (sides**2).sum(axis=1).all():
        raise ModelError("a shear panel has no area.")
    # corners of a warped panel are laid onto its mean plane
    n = normal / size
    middle = places.mean(axis=0)
    flat = places - np.outer((places - middle) @ n, n)
    sides = np.roll(flat, -1, axis=0) - flat
    moments = np.cross(flat - middle, sides) @ n
    x = sides[0] / np.sqrt(sides[0] @ sides[0])
    y = np.cross(n, x)
    balance = np.stack([sides @ x, sides @ y, moments])
    flows = np.linalg.svd(balance)[2][-1]
    # sides run round the panel: flows of opposite sides work against each other
    flows = flows * np.sign(flows[0])
    scale = float(np.prod(np.abs(flows))) ** 0.25
    if not scale > 0.0:
        raise ModelError("a shear panel has a corner on the line of two others.")
    forces = sides * (flows / scale)[:, None]
    return (forces + np.roll(forces, 1, axis=0)) / 2.0, size / 2.0


def _flexibility(places: Array, area: float, nu: float) -> float:
    """Return twice the energy of a unit mean flow times G t.

    A trapezoid with sides that lean by α and β has area (1 + 2/3 (tan²α + tan α tan β + tan²β) / (1 + ν)); panels
    without parallel sides, or with two pairs of them, have the mean of both pairs taken for parallel.
    """
    found, skewness = [], []
    for turn in (0, 1):
        p = np.roll(places, -turn, axis=0)
        one, other = (side / np.sqrt(side @ side) for side in (p[1] - p[0], p[2] - p[3]))
        skewness.append(float(np.abs(np.cross(one, other)).max()))
        x = one + other
        y = np.cross(np.cross(p[2] - p[0], p[3] - p[1]), x)
        across = (p[3] - p[0], p[2] - p[1])
        if not (x @ x > 0.0 and min(abs(float(side @ y)) for side in across) > 0.0):
            raise ModelError("a shear panel folds over itself; its corners must run round it.")
        x, y = x / np.sqrt(x @ x), y / np.sqrt(y @ y)
        a, b = ((side @ x) / (side @ y) for side in across)
        found.append(float(area * (1.0 + 2.0 / 3.0 * (a * a + a * b + b * b) / (1.0 + nu))))
    if min(skewness) < _PARALLEL < max(skewness):
        return found[int(np.argmin(skewness))]
    return (found[0] + found[1]) / 2.0
