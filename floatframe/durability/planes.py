"""The critical plane: the one in which the normal stress does most damage, found for many points at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from floatframe.arrays import Array

PLANES = 72  # directions of normals on half a sphere, about 10° apart
TURNS = (6.0, 3.0, 2.0, 1.0, 0.5)  # degrees by which the best normal is then turned, each to six sides

# from normals (k, 3) of k points to damages (k,) and largest amplitudes (k,)
Damages = Callable[[Array], tuple[Array, Array]]


def along(normals: Array) -> Array:
    """Return what stresses xx yy zz xy yz zx are multiplied with (..., 6) to be taken normal to planes (..., 3)."""
    x, y, z = np.moveaxis(normals, -1, 0)
    return np.stack([x * x, y * y, z * z, 2.0 * x * y, 2.0 * y * z, 2.0 * z * x], axis=-1)


def worst_planes(count: int, damages: Damages) -> tuple[Array, Array]:
    """Return the damage (count,) of each point's critical plane, and the largest amplitude (count,) of any plane.

    First all points look at the same planes, then each turns its own until the stress is within a thousandth.
    """
    damage, amplitude, normal = np.full(count, -1.0), np.zeros(count), np.zeros((count, 3))
    largest = np.zeros(count)

    def look(normals: Array) -> None:
        own, high = damages(normals)
        # where nothing is damaged yet, the largest amplitude leads on
        better = (own > damage) | ((own == damage) & (high > amplitude))
        damage[better], amplitude[better], normal[better] = own[better], high[better], normals[better]
        np.maximum(largest, high, out=largest)

    for one in hemisphere(PLANES):
        look(np.tile(one, (count, 1)))
    for angle in np.radians(TURNS):
        for normals in _turned(normal.copy(), angle):
            look(normals)
    return damage, largest


def hemisphere(count: int) -> Array:
    """Return unit vectors (3 + count, 3) spread evenly over half a sphere, the axes before them."""
    k = np.arange(count) + 0.5
    z = k / count
    angle = np.pi * (1.0 + np.sqrt(5.0)) * k
    radius = np.sqrt(1.0 - z**2)
    return np.vstack([np.eye(3), np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)])


def _turned(normal: Array, angle: float) -> list[Array]:
    """Return normals (k, 3) turned by an angle [rad] to six sides."""
    other = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    first = np.cross(normal, other)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(normal, first)
    sides = [np.cos(a) * first + np.sin(a) * second for a in np.arange(6) * np.pi / 3.0]
    return [np.cos(angle) * normal + np.sin(angle) * side for side in sides]
