"""How far joints are from closed where their axes are turned far: rows vanish in wrong attitudes, rotations do not.

That axes agree is said by rows x_a . y_b = 0, which also vanish where a body is turned over. For an assembly such a row
is measured by the rotation theta that would bring the axes together, (x_a x y_b) . theta: near zero the same number,
far away still the change of the row that the closing rotation begins with.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.description import rotation_vector
from floatframe.hybrid.kernels import PERPENDICULAR, Data, Tables

ALONG = 1e-9  # sine between axes along one line: which way to turn is undefined


def attitude_gaps(tables: Tables, data: Data) -> Array:
    """Values (m,) of all rows, those of axes that agree measured by rotations; the rows must be evaluated."""
    gaps = np.array(data.rows["value"])
    normal = np.flatnonzero(tables.rows["kind"] == PERPENDICULAR)
    for a, b in {(int(row["a"]), int(row["b"])) for row in tables.rows[normal]}:
        own = normal[(tables.rows["a"][normal] == a) & (tables.rows["b"][normal] == b)]
        theta = _closing_rotation(data.markers[a]["R"], data.markers[b]["R"], tables.rows["axis_a"][own])
        if theta is not None:
            gaps[own] = data.rows["torque_a"][own] @ theta
    return gaps


def _closing_rotation(A: Array, B: Array, axes: Array) -> Array | None:
    """Rotation vector (3,) from frame B to A if all axes agree, or of the one axis that does; None if none has to."""
    if len(axes) == 3:
        return np.asarray(B @ rotation_vector(B.T @ A))
    if len(axes) != 2 or axes[0] != axes[1]:
        return None  # one row, or what is left of redundant ones
    across = np.cross(B[:, axes[0]], A[:, axes[0]])
    sine = float(np.linalg.norm(across))
    return across if sine < ALONG else across * (np.arctan2(sine, B[:, axes[0]] @ A[:, axes[0]]) / sine)
