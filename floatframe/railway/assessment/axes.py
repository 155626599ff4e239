"""Accelerations as a vehicle feels them: in its own axes, which lean and turn with it, gravity included."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array

_STANDS = 1e-6  # m/s: below, x of the world leads forward


def felt_acceleration(acceleration: Array, rotation: Array, velocity: Array, gravity: Array) -> Array:
    """Return the acceleration (nt, 3) [m/s²] that an accelerometer in a vehicle shows: forward, to the left, up.

    What it shows at rest on level track is taken off. "To the left" is the axis of the body that points most to the
    left of its way at first, so that axles may spin about it and reduced bodies have any axes; "up" is square to it
    in an upright plane. In a steady curve of radius R with cant angle φ, v²/R cos φ − g sin φ is felt to the left.

    Parameters
    ----------
    acceleration, velocity
        Of a place in the body (nt, 3), world axes [m/s²], [m/s].
    rotation
        Of the body: quaternions w, x, y, z (nt, 4).
    gravity
        (3,), world axes [m/s²].
    """
    g = float(np.linalg.norm(gravity))
    up = -np.asarray(gravity) / g if g else np.array([0.0, 0.0, 1.0])
    forward = velocity[0] - (velocity[0] @ up) * up
    if np.linalg.norm(forward) < _STANDS:
        forward = np.array([1.0, 0.0, 0.0])
    axes = np.stack([_turned(rotation, unit) for unit in np.eye(3)])  # (3, nt, 3)
    along = axes[:, 0] @ np.cross(up, forward)
    nearest = int(np.argmax(np.abs(along)))
    left = np.sign(along[nearest]) * axes[nearest]
    ahead = np.cross(left, up)
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    felt = acceleration - gravity
    return np.stack([np.sum(felt * axis, axis=1) for axis in (ahead, left, np.cross(ahead, left))], axis=1) - [0, 0, g]


def _turned(rotation: Array, vector: Array) -> Array:
    """Return a vector (3,) of the body in world axes (nt, 3)."""
    w, x = rotation[:, :1], rotation[:, 1:]
    across = 2.0 * np.cross(x, vector)
    return vector + w * across + np.cross(x, across)
