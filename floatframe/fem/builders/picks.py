"""Choosing nodes by place: each function returns one for `fe.pick_nodes` and `fe.with_node_set`.

The returned functions take points (n, 3) and give a mask (n,), so they also serve to choose elements by their centres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check

Mask = Callable[[Array], BoolArray]

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def on_plane(axis: str | Iterable[float], value: float = 0.0, tol: float = 1e-6) -> Mask:
    """Pick points within `tol` [m] of the plane at distance `value` from the origin along an axis "x" or a normal."""
    normal = check.direction(axis_vector(axis), "on_plane: normal")

    def mask(points: Array) -> BoolArray:
        return np.asarray(np.abs(points @ normal - value) <= tol)

    return mask


def in_box(lo: Iterable[float], hi: Iterable[float], tol: float = 1e-6) -> Mask:
    """Pick points between two opposite corners lo and hi [m]; infinite limits leave a direction open."""
    low, high = np.asarray(list(lo), dtype=float), np.asarray(list(hi), dtype=float)
    if low.shape != (3,) or high.shape != (3,) or not (low <= high).all():
        raise ModelError(f"in_box: corners {low.tolist()} and {high.tolist()}; each of lo must be no greater than hi.")

    def mask(points: Array) -> BoolArray:
        return np.asarray(((points >= low - tol) & (points <= high + tol)).all(axis=1))

    return mask


def in_sphere(centre: Iterable[float], radius: float, tol: float = 1e-6) -> Mask:
    """Pick points no farther than `radius` [m] from the centre, by `tol` [m] more where rounding would decide."""
    middle, reach = check.point(centre, "in_sphere: centre"), check.positive(radius, "in_sphere: radius")
    return lambda points: ((points - middle) ** 2).sum(axis=1) <= (reach + tol) ** 2


def in_cylinder(a: Iterable[float], b: Iterable[float], radius: float, tol: float = 1e-6) -> Mask:
    """Pick points inside the cylinder with the axis from a to b [m], its end planes included."""
    start = check.point(a, "in_cylinder: a")
    axis = check.point(b, "in_cylinder: b") - start
    along, reach = check.direction(axis, "in_cylinder: axis b - a"), check.positive(radius, "in_cylinder: radius")
    length = axis @ along

    def mask(points: Array) -> BoolArray:
        arm = points - start
        height = arm @ along
        across = ((arm - height[:, None] * along) ** 2).sum(axis=1)
        return (across <= (reach + tol) ** 2) & (height >= -tol) & (height <= length + tol)

    return mask


def in_ellipse(centre: Iterable[float], u: Iterable[float], v: Iterable[float], tol: float = 1e-6) -> Mask:
    """Pick points inside the elliptic cylinder through `centre` with the perpendicular half axes u and v [m].

    The cylinder is infinite along u x v: the shape of an opening cut through a wall. Its half axes count as longer by
    `tol` [m], so that points on the rim are inside.
    """
    middle, a, b = (check.point(p, f"in_ellipse: {w}") for p, w in ((centre, "centre"), (u, "u"), (v, "v")))
    if not a.any() or not b.any() or abs(a @ b) > 1e-9 * np.sqrt((a @ a) * (b @ b)):
        raise ModelError(f"in_ellipse: half axes {a.tolist()} and {b.tolist()} must be perpendicular and not zero.")
    length = np.sqrt([a @ a, b @ b])
    # columns that give places in units of the half axes
    scale = np.column_stack([a, b]) / (length * (length + tol))
    return lambda points: (((points - middle) @ scale) ** 2).sum(axis=1) <= 1.0


def nearest(point: Iterable[float], n: int = 1) -> Callable[[Array], IntArray]:
    """Pick the n points closest to a place [m]; of equally close ones the first."""
    place, n = check.point(point, "nearest: point"), check.count(n, "nearest: n")
    return lambda points: np.argsort(((points - place) ** 2).sum(axis=1), kind="stable")[:n]


def axis_vector(axis: str | Iterable[float]) -> Iterable[float]:
    """Return the unit vector of an axis name, or the vector itself."""
    if isinstance(axis, str):
        if axis not in _AXES:
            raise ModelError(f"axis '{axis}' is unknown; use x, y, z or a vector.")
        return _AXES[axis]
    return axis
