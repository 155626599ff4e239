"""Formulas behind the standard beam profiles, in drawing axes y (to the right) and z (up), SI units.

Areas and moments are exact sums over rectangles. Shear areas and shear centres of thin-walled profiles follow from the
shear flow in the middle lines of the walls. Fillets and roundings of rolled profiles are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve

from floatframe.arrays import Array

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # y_min, y_max, z_min, z_max
_CORNER = 1.0 - 2.0 * math.log(2.0) / math.pi  # length over width of a square corner in a potential flow
_SERIES = np.arange(1, 60, 2)  # odd terms; the torsion series falls like 1/n^5


@dataclass(frozen=True)
class AreaMoments:
    """Area, centroid and second moments about the centroid."""

    A: float
    centroid: Array  # (2,)
    Iy: float
    Iz: float
    Iyz: float


def area_moments(rectangles: Sequence[Rectangle]) -> AreaMoments:
    """Return the moments of a figure made of rectangles that do not overlap."""
    y0, y1, z0, z1 = np.array(rectangles, dtype=float).T
    b, h = y1 - y0, z1 - z0
    area = b * h
    A = float(area.sum())
    centre = np.stack([y0 + y1, z0 + z1]) / 2.0
    centroid = centre @ area / A
    dy, dz = centre - centroid[:, None]
    Iy = float((area * (h**2 / 12.0 + dz**2)).sum())
    Iz = float((area * (b**2 / 12.0 + dy**2)).sum())
    return AreaMoments(A, centroid, Iy, Iz, float((area * dy * dz).sum()))


def rectangle_torsion(width: float, height: float) -> tuple[float, float]:
    """Return J [m4] and the torsion modulus W [m3] (greatest shear stress = T / W) by St-Venant's series."""
    a, b = max(width, height), min(width, height)
    # tanh and cosh of large arguments: the first is one, the second only divides
    angle = np.minimum(_SERIES * np.pi * a / (2.0 * b), 300.0)
    J = a * b**3 * (1.0 / 3.0 - 64.0 * b / (np.pi**5 * a) * float((np.tanh(angle) / _SERIES**5).sum()))
    slope = 1.0 - 8.0 / np.pi**2 * float((1.0 / (_SERIES**2 * np.cosh(angle))).sum())
    return J, J / (b * slope)


def rectangle_shear_factor(nu: float) -> float:
    """Return Cowper's (1966) factor of a rectangle: 5/6 for nu = 0, 0.85 for nu = 0.3."""
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)


def ring_shear_factor(ratio: float, nu: float) -> float:
    """Return the strain-energy shear factor of a circular ring, `ratio` = inner / outer diameter (0: solid)."""
    m2 = ratio**2
    solid = (1.0 + m2) ** 2
    bottom = solid * (7.0 + 14.0 * nu + 8.0 * nu**2) + 4.0 * m2 * (5.0 + 10.0 * nu + 4.0 * nu**2)
    return 6.0 * (1.0 + nu) ** 2 * solid / bottom


def box_torsion(
    width: float, height: float, right: float, top: float, left: float, bottom: float
) -> tuple[float, float]:
    """Return J and torsion modulus of a closed box: Bredt's cell and the small part the walls carry by themselves.

    Sharp corners let the flow cut across: each counts as 0.559 square instead of the one square of its middle lines.
    """
    b, h = width - right - left, height - top - bottom
    middle = (width - (right + left) / 2.0) * (height - (top + bottom) / 2.0)
    cell = 4.0 * middle**2 / (b / top + b / bottom + h / right + h / left + 4.0 * _CORNER)
    J = cell + (b * (top**3 + bottom**3) + h * (right**3 + left**3)) / 3.0
    # stress per unit of twist: flow of the cell plus the linear part across the wall
    stress = max(cell / (2.0 * middle * t) + t for t in (right, top, left, bottom))
    return J, J / stress


def tee_junction(web: float, flange: float) -> float:
    """Return the torsion constant added where a web meets the middle of a flange (El Darwish & Johnston 1965)."""
    ratio = web / flange
    diameter = (flange**2 + 0.25 * web**2) / flange
    return (-0.042 + 0.2204 * ratio - 0.0725 * ratio**2) * diameter**4


def corner_junction(web: float, flange: float) -> float:
    """Return the torsion constant added where a web meets the end of a flange (El Darwish & Johnston 1965)."""
    ratio = web / flange
    diameter = 2.0 * (web + flange - math.sqrt(2.0 * web * flange))
    return (-0.0908 + 0.2621 * ratio - 0.0945 * ratio**2) * diameter**4


@dataclass(frozen=True)
class ThinWall:
    """A straight wall from one joint to another, directed away from the free edges."""

    start: str
    end: str
    thickness: float


@dataclass(frozen=True)
class ShearFlow:
    """What follows from the shear flow in a thin-walled profile: shear areas Ay, Az [m2] and the shear centre [m]."""

    Ay: float
    Az: float
    centre: Array  # (2,) drawing axes


def shear_flow(joints: dict[str, Point], walls: Sequence[ThinWall], closed: bool = False) -> ShearFlow:
    """Follow the shear flow of unit forces along y and z from the free edges of a tree of walls to its root.

    Walls come in an order in which everything that flows into a joint stands before what flows out of it; closed: they
    form one cell, round which a constant flow is added that keeps it from twisting.
    """
    xi, weight = np.polynomial.legendre.leggauss(3)  # exact for the square of a parabola
    xi, weight = (1.0 + xi) / 2.0, weight / 2.0
    ends = [(np.array(joints[w.start]), np.array(joints[w.end])) for w in walls]
    length = np.array([math.dist(a, b) for a, b in ends])
    area = length * np.array([w.thickness for w in walls])
    centroid = sum(s * (a + b) / 2.0 for s, (a, b) in zip(area, ends, strict=True)) / area.sum()
    inertia = np.zeros((2, 2))
    for s, (a, b) in zip(area, ends, strict=True):
        a, b = a - centroid, b - centroid
        inertia += s * (np.outer(a, a) + np.outer(b, b) + np.outer(a + b, a + b)) / 6.0
    gradient = solve(inertia, np.eye(2), assume_a="pos")  # columns: slope of normal stress per unit Vy, Vz
    inflow: dict[str, Array] = {name: np.zeros(2) for name in joints}
    flow = np.empty((len(walls), xi.size, 2))
    x = xi[:, None]
    for k, (wall, s, (a, b)) in enumerate(zip(walls, area, ends, strict=True)):
        at_start, at_end = (a - centroid) @ gradient, (b - centroid) @ gradient
        flow[k] = inflow[wall.start] - s * (at_start * x + (at_end - at_start) * x**2 / 2.0)
        inflow[wall.end] = inflow[wall.end] + inflow[wall.start] - s * (at_start + at_end) / 2.0
    slip = length / np.array([w.thickness for w in walls])
    if closed:
        flow -= np.einsum("w,g,wgi->i", slip, weight, flow) / slip.sum()
    compliance = np.einsum("w,g,wgi->i", slip, weight, flow**2)
    arm = np.array([(a - centroid)[0] * (b - centroid)[1] - (a - centroid)[1] * (b - centroid)[0] for a, b in ends])
    moment = np.einsum("w,g,wgi->i", arm, weight, flow)
    # a force along y at height e_z turns by -e_z, one along z at e_y by +e_y
    Ay, Az = (1.0 / compliance).tolist()
    return ShearFlow(Ay, Az, centroid + np.array([moment[1], -moment[0]]))


@dataclass(frozen=True)
class OpenProfile:
    """An open profile of flat walls: exact rectangles, middle lines, torsion constant [m4] and outline."""

    rectangles: tuple[Rectangle, ...]
    joints: dict[str, Point]
    walls: tuple[ThinWall, ...]
    J: float
    outline: tuple[Point, ...]


def i_profile(b: float, h: float, web: float, flange: float) -> OpenProfile:
    """Return an I of width b and height h about its centre."""
    y, z, s, zi = b / 2.0, h / 2.0, web / 2.0, h / 2.0 - flange
    zm = z - flange / 2.0
    ends = 0.42 * flange**4  # what the four flange tips lack
    return OpenProfile(
        rectangles=((-y, y, zi, z), (-y, y, -z, -zi), (-s, s, -zi, zi)),
        joints={"a": (-y, zm), "b": (y, zm), "c": (-y, -zm), "d": (y, -zm), "top": (0.0, zm), "foot": (0.0, -zm)},
        walls=(
            ThinWall("a", "top", flange),
            ThinWall("b", "top", flange),
            ThinWall("top", "foot", web),
            ThinWall("c", "foot", flange),
            ThinWall("d", "foot", flange),
        ),
        J=(2.0 * b * flange**3 + 2.0 * zi * web**3) / 3.0 + 2.0 * tee_junction(web, flange) - ends,
        outline=(
            *((-y, -z), (y, -z), (y, -zi), (s, -zi), (s, zi), (y, zi)),
            *((y, z), (-y, z), (-y, zi), (-s, zi), (-s, -zi), (-y, -zi)),
        ),
    )


def channel_profile(b: float, h: float, web: float, flange: float) -> OpenProfile:
    """Return a channel with its back at y = 0 and mid-height at z = 0."""
    z, zi, zm = h / 2.0, h / 2.0 - flange, (h - flange) / 2.0
    ends = 0.42 * flange**4  # what the two flange tips and corners lack
    return OpenProfile(
        rectangles=((0.0, b, zi, z), (0.0, b, -z, -zi), (0.0, web, -zi, zi)),
        joints={"a": (b, zm), "top": (web / 2.0, zm), "foot": (web / 2.0, -zm), "b": (b, -zm)},
        walls=(ThinWall("a", "top", flange), ThinWall("top", "foot", web), ThinWall("foot", "b", flange)),
        J=(2.0 * b * flange**3 + 2.0 * zi * web**3) / 3.0 + 2.0 * corner_junction(web, flange) - ends,
        outline=((0.0, -z), (b, -z), (b, -zi), (web, -zi), (web, zi), (b, zi), (b, z), (0.0, z)),
    )


def angle_profile(b: float, h: float, t: float) -> OpenProfile:
    """Return an angle with its heel at the origin, legs along +y and +z."""
    ends = 0.21 * t**4
    return OpenProfile(
        rectangles=((0.0, b, 0.0, t), (0.0, t, t, h)),
        joints={"a": (b, t / 2.0), "heel": (t / 2.0, t / 2.0), "b": (t / 2.0, h)},
        walls=(ThinWall("a", "heel", t), ThinWall("heel", "b", t)),
        J=(b + h - t) * t**3 / 3.0 + corner_junction(t, t) - ends,
        outline=((0.0, 0.0), (b, 0.0), (b, t), (t, t), (t, h), (0.0, h)),
    )


def box_shear_areas(width: float, height: float, web: float, flange: float) -> tuple[float, float]:
    """Return the shear areas Ay, Az of a closed box, cut where by symmetry nothing flows."""
    return _half_box(height, width, flange, web), _half_box(width, height, web, flange)


def _half_box(width: float, height: float, web: float, flange: float) -> float:
    """Return the shear area along z of both halves of a box cut in the middle of its flanges."""
    y, z = (width - web) / 2.0, (height - flange) / 2.0
    joints = {"a": (0.0, z), "top": (y, z), "foot": (y, -z), "b": (0.0, -z)}
    walls = (ThinWall("a", "top", flange), ThinWall("top", "foot", web), ThinWall("foot", "b", flange))
    return 2.0 * shear_flow(joints, walls).Az


def circle_outline(diameter: float, points: int = 72) -> tuple[Point, ...]:
    """Return a polygon on the circle."""
    angle = 2.0 * np.pi * np.arange(points) / points
    return tuple(zip((np.cos(angle) * diameter / 2.0).tolist(), (np.sin(angle) * diameter / 2.0).tolist(), strict=True))


def rectangle_outline(width: float, height: float) -> tuple[Point, ...]:
    """Return the four corners of a rectangle about its centre."""
    y, z = width / 2.0, height / 2.0
    return ((-y, -z), (y, -z), (y, z), (-y, z))
