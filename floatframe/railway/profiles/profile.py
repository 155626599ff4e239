"""The cross-section of a wheel or a rail as a smooth curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from floatframe.arrays import Array, frozen
from floatframe.errors import ModelError

WHEEL, RAIL = "wheel", "rail"
FEWEST_POINTS = 8
STEEPEST = math.tan(math.radians(88.0))  # slope of the steepest part that is kept
TOUCHED = math.tan(math.radians(80.0))  # slope of the steepest part that contact is looked for: flanges have 60° to 75°
_DEEP, _WIDE = 0.008, 0.02  # m: a curve may turn back only so far below or beside its running surface
_LONGEST = 0.5  # m: profiles that are wider are in other units


@dataclass(frozen=True)
class Profile:
    """A wheel or rail from its field side to its gauge side, as points that a cubic spline joins.

    A wheel is drawn from its nominal rolling circle, where its radius is that of the wheel; z is the increase of the
    radius. A rail may have its origin anywhere, the gauge says where it lies.
    """

    name: str
    kind: str  # "wheel" or "rail"
    y: Array  # (n,) outward from the middle of the track, increasing [m]
    z: Array  # (n,) down [m]
    gauge_face: float | None = None  # y where the gauge is measured, for a rail whose drawing says it [m]

    @classmethod
    def from_points(cls, name: str, kind: str, points: Any, *, mirror: bool = False) -> Profile:
        """Return the profile through points (n, 2) [m] in the order of the curve, either way round, z up or down.

        The flange of a wheel shows which side is inside; a rail is taken as it is, or mirrored. Parts that are steeper
        than 88°, as the sides of a rail and the back of a flange, are left out.
        """
        y, z = _checked(name, kind, np.array(points, float))
        if y[-1] < y[0]:
            y, z = y[::-1], z[::-1]
        y, z = _oriented(kind, y, z)
        if mirror:
            y, z = -y[::-1], z[::-1]
        first, last = _running_part(name, kind, y, z)
        return cls(name, kind, frozen(y[first : last + 1].copy()), frozen(z[first : last + 1].copy()))

    def inclined(self, slope: float) -> Profile:
        """Return a rail that leans inward by a slope, such as 1/40."""
        angle = math.atan(slope)
        cos, sin = math.cos(angle), math.sin(angle)
        y = cos * self.y + sin * self.z
        if (np.diff(y) <= 0.0).any():
            raise ModelError(
                f"{self.kind} '{self.name}': turns back where it leans by {slope:g}; "
                "expected an inclination such as 0.025"
            )
        return replace(self, y=frozen(y), z=frozen(cos * self.z - sin * self.y), gauge_face=None)

    def smoothed(self, noise: float) -> Profile:
        """Return the profile without measuring errors of a standard deviation [m], as a smoothing spline."""
        from scipy.interpolate import splev, splprep

        along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(self.y), np.diff(self.z)))))
        spline, _ = splprep([self.y, self.z], u=along, s=2.0 * len(along) * noise**2)
        y, z = splev(np.linspace(0.0, along[-1], len(along)), spline)
        if (np.diff(y) <= 0.0).any():
            raise ModelError(f"{self.kind} '{self.name}': turns back after smoothing with {noise:g} m; smooth it less")
        return replace(self, y=frozen(np.array(y)), z=frozen(np.array(z)))

    @cached_property
    def spline(self) -> Any:
        """The curve as a function z(y) [m] with its derivatives, a cubic spline of SciPy."""
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.y, self.z)

    def curvature(self, y: Array) -> Array:
        """Curvature [1/m] of the curve, positive where a rail is round and a wheel hollow."""
        curvature: Array = self.spline(y, 2) / (1.0 + self.spline(y, 1) ** 2) ** 1.5
        return curvature

    def gauge_point(self, height: float = 0.014) -> float:
        """Y of the inner side of a rail [m] at a depth [m] below its top, where the gauge is measured."""
        if self.gauge_face is not None:
            return self.gauge_face
        _, z, top = self._fine()
        inside = z[:top] - z[top]
        if top == 0 or inside[0] < height:
            deepest = 0.0 if top == 0 else inside[0]
            raise ModelError(
                f"rail '{self.name}': its inner side ends {1e3 * deepest:.1f} mm below the top, expected at least "
                f"{1e3 * height:g} mm, where the gauge is measured; give a longer profile or mirror it"
            )
        return self._inner_side(height)

    def flange_face(self, depth: float = 0.01) -> float | None:
        """Y of the flange [m] at a depth [m] below the rolling circle, where it is measured; None without one."""
        y, z, middle = self._fine()
        inside = self.z[self.y < y[middle]]
        return self._inner_side(depth) if (inside - z[middle] >= depth).any() else None

    def _inner_side(self, depth: float) -> float:
        """Y of the innermost part of the running surface that is a depth [m] below it.

        By a spline along the curve: over y, few points of a steep side would be joined badly.
        """
        from scipy.interpolate import CubicSpline
        from scipy.optimize import brentq

        y, z, start = self._fine()
        wanted = z[start] + depth
        along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(self.y), np.diff(self.z)))))
        below = int(np.flatnonzero((self.z >= wanted) & (self.y < y[start]))[-1])
        curve = CubicSpline(along, np.column_stack([self.y, self.z]))
        at = brentq(lambda place: float(curve(place)[1]) - wanted, along[below], along[below + 1])
        return float(curve(at)[0])

    def _fine(self) -> tuple[Array, Array, int]:
        """Many points of the curve, and which of them is the top of a rail or the rolling circle of a wheel."""
        y = np.linspace(self.y[0], self.y[-1], 4001)
        z = self.spline(y)
        return y, z, int(np.argmin(z) if self.kind == RAIL else np.argmin(np.abs(y)))

    def table(self, step: float = 2.5e-4) -> Array:
        """The curve for kernels as far as it may touch.

        First y, step, its reciprocal, last y, then z and slope at every place.
        """
        flat = np.abs(np.diff(self.z)) <= TOUCHED * np.diff(self.y)
        start = int(np.argmin(self.z)) if self.kind == RAIL else int(np.argmin(np.abs(self.y)))
        steep = np.flatnonzero(~flat)
        first = self.y[max((k + 1 for k in steep if k < start), default=0)]
        last = self.y[min((k for k in steep if k >= start), default=len(self.y) - 1)]
        count = max(2, math.ceil((last - first) / step) + 1)
        y = np.linspace(first, last, count)
        table = np.empty(4 + 2 * count)
        table[:4] = y[0], y[1] - y[0], 1.0 / (y[1] - y[0]), y[-1]
        table[4::2], table[5::2] = self.spline(y), self.spline(y, 1)
        return table


def _checked(name: str, kind: str, points: Array) -> tuple[Array, Array]:
    """Y and z of points that can be a profile."""
    what = f"{kind} '{name}'"
    if kind not in (WHEEL, RAIL):
        raise ModelError(f"profile '{name}': found kind {kind!r}, expected 'wheel' or 'rail'")
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise ModelError(f"{what}: found an array of shape {points.shape}, expected finite points (n, 2)")
    if len(points) < FEWEST_POINTS:
        raise ModelError(f"{what}: found {len(points)} points, expected {FEWEST_POINTS} at least")
    width = float(np.ptp(points[:, 0]))
    if not 1e-3 < width < _LONGEST:
        raise ModelError(f"{what}: is {width:g} m wide, expected some centimetres; check the units of its lengths")
    apart = np.concatenate(([True], np.hypot(*np.diff(points, axis=0).T) > 1e-9))  # repeated points say nothing
    y, z = points[apart].T
    return y, z


def _oriented(kind: str, y: Array, z: Array) -> tuple[Array, Array]:
    """The same with z down, and the flange of a wheel on the inner side."""
    if kind == RAIL:
        ends = 0.5 * (z[0] + z[-1])
        return (y, -z) if ends < np.median(z) else (y, z)
    if np.median(z) - z.min() > z.max() - np.median(z):
        z = -z
    return (-y[::-1], z[::-1]) if y[np.argmax(z)] > np.median(y) else (y, z)


def _running_part(name: str, kind: str, y: Array, z: Array) -> tuple[int, int]:
    """First and last point of the part that is a curve z(y), from the running surface to both sides."""
    start = int(np.argmin(z)) if kind == RAIL else int(np.argmin(np.abs(y)))
    first = last = start
    rising = np.diff(y) > np.abs(np.diff(z)) / STEEPEST
    while last < len(y) - 1 and rising[last]:
        last += 1
    while first > 0 and rising[first - 1]:
        first -= 1
    for end, outermost in ((first, 0), (last, len(y) - 1)):
        deep = z[min(start, end) : max(start, end) + 1].max() - z[start] > _DEEP
        wide = kind == WHEEL and y[end] > _WIDE
        if end != outermost and not (deep or wide):
            raise ModelError(
                f"{kind} '{name}': crosses itself or turns back at y = {1e3 * y[end]:.2f} mm, z = {1e3 * z[end]:.2f} "
                "mm, expected points in the order of the curve"
            )
    if last - first + 1 < FEWEST_POINTS:
        raise ModelError(f"{kind} '{name}': found {last - first + 1} usable points, expected {FEWEST_POINTS} at least")
    return first, last
