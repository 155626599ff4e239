"""Rotations as users give them, and the small vector geometry that descriptions of models need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.errors import Where
from floatframe.expressions import Scope, Values, kept

# a matrix (3, 3), a quaternion w, x, y, z, or {"axis": (x, y, z), "angle": radians}
Rotation: TypeAlias = Values | Mapping[str, Values]

_ROUNDING = 1e-6  # a matrix or quaternion typed with seven digits is a rotation, what is further off is a mistake


def about(axis: Array, angle: float) -> Array:
    """Return the matrix (3, 3) of a turn about an axis (3,) by an angle [rad]."""
    n = skew(unit(axis, Where("rotation")))
    return np.eye(3) + np.sin(angle) * n + (1.0 - np.cos(angle)) * n @ n


def orthonormal(matrix: Array) -> Array:
    """Return the rotation (3, 3) nearest to one bent by rounding, as products of many rotations are."""
    return np.asarray(0.5 * matrix @ (3.0 * np.eye(3) - matrix.T @ matrix))


def quaternion_to_matrix(quaternion: Array) -> Array:
    """Return the matrix (3, 3) of a quaternion w, x, y, z of any length but zero."""
    w, *vector = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    x = skew(np.array(vector))
    return np.eye(3) + 2.0 * w * x + 2.0 * x @ x


def matrix_to_quaternion(matrix: Array) -> Array:
    """Return the unit quaternions w, x, y, z (..., 4) with w >= 0 of rotation matrices (..., 3, 3)."""
    R = np.asarray(matrix, dtype=float)
    diagonal = np.diagonal(R, axis1=-2, axis2=-1)
    trace = diagonal.sum(axis=-1, keepdims=True)
    # the largest of the four squares 4 w², 4 x², 4 y², 4 z² is at least one, so dividing by it is safe
    squares = np.concatenate((trace, 2.0 * diagonal - trace), axis=-1) + 1.0
    products = np.empty((*R.shape[:-2], 4, 4))
    mirrored = np.swapaxes(R, -1, -2)
    products[..., 0, 1:] = products[..., 1:, 0] = (R - mirrored)[..., (2, 0, 1), (1, 2, 0)]
    products[..., 1:, 1:] = R + mirrored
    products[..., range(4), range(4)] = squares
    largest = np.argmax(squares, axis=-1)[..., None, None]
    quaternion = np.take_along_axis(products, largest, axis=-2)[..., 0, :]
    length = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    return np.asarray(quaternion / np.where(quaternion[..., :1] < 0, -length, length))


def rotation_vector(matrix: Array) -> Array:
    """Return the rotation vector (3,) [rad] of a rotation (3, 3), at most half a turn long."""
    w, *axis = matrix_to_quaternion(matrix)
    sine = float(np.linalg.norm(axis))
    return np.array(axis) * (2.0 * np.arctan2(sine, w) / sine if sine > 0.0 else 2.0)


def unit(vector: Array, where: Where) -> Array:
    """Return a vector (3,) at length one; a vector without length is refused."""
    vector = np.asarray(vector, dtype=float)
    length = float(np.linalg.norm(vector))
    if not length > 0:
        raise where.error("found an axis of length zero, expected a direction such as (0, 0, 1)")
    return vector / length


def frame_along(axis: Array, where: Where, first: Array | None = None) -> Array:
    """Return a rotation matrix (3, 3) with z along an axis and x along `first`, as far as that is normal to the axis.

    Without `first` x is the given frame's own x direction, or its y direction if the axis is nearer to x.
    """
    z = unit(axis, where)
    if first is None:
        first = np.eye(3)[0] if abs(z[0]) < 0.9 else np.eye(3)[1]
    x = first - z * (z @ first)
    if np.linalg.norm(x) < 1e-9 * np.linalg.norm(first):
        raise where.error("the first direction is parallel to the axis; expected one across it")
    x = unit(x, where)
    return np.column_stack([x, np.cross(z, x), z])


def kept_rotation(raw: Rotation | None, where: Where) -> Any:
    """Return a rotation as the user wrote it, its shape and entries checked."""
    if raw is None:
        return None
    if isinstance(raw, Mapping):
        if set(raw) != {"axis", "angle"}:
            raise where.error(f"found {', '.join(map(str, raw)) or 'nothing'}, expected axis and angle")
        return {"axis": kept(raw["axis"], where.key("axis"), (3,)), "angle": kept(raw["angle"], where.key("angle"), ())}
    return kept(raw, where, (4,), (3, 3))


def rotation_matrix(raw: Any, scope: Scope, where: Where) -> Array | None:
    """Return the matrix (3, 3) of a kept rotation; None stays None."""
    if raw is None:
        return None
    if isinstance(raw, Mapping):
        axis = unit(scope.array(raw["axis"], where.at("axis")), where.key("axis"))
        return about(axis, scope.number(raw["angle"], where.key("angle")))
    values = scope.array(raw, where)
    if values.shape == (4,):
        length = float(np.linalg.norm(values))
        if abs(length - 1.0) > _ROUNDING:
            raise where.error(f"the quaternion w, x, y, z has length {length:.6g}, expected 1; divide it by that")
        return quaternion_to_matrix(values)
    error = float(np.abs(values.T @ values - np.eye(3)).max())
    if error > _ROUNDING:
        raise where.error(f"the matrix is not a rotation: its columns miss unit length or right angles by {error:.2g}")
    if np.linalg.det(values) < 0:
        raise where.error("the matrix is a reflection (determinant -1), expected right-handed axes")
    u, _, vt = np.linalg.svd(values)  # the nearest exact rotation
    return u @ vt
