"""Profiles of other programs' beams that the standard ones here do not cover: unequal walls and flanges, polygons.

Drawing axes are y to the right and z up. Area, moments, product of inertia and centroid are exact for the flat walls;
shear areas and shear centre follow from the flow in their middle lines. Open walls have the torsion constant
Σ length · thickness³ / 3, a cell adds Bredt's. Left out are fillets and the stiffness against warping.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg import LinAlgError

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Point, Rectangle, ThinWall, profiles as shapes

_SAME = 1e-9  # sizes that differ by less are equal


@dataclass(frozen=True)
class Drawn:
    """A section and where its centroid lies in the axes of the drawing [m]."""

    section: BeamSection
    centroid: Point = (0.0, 0.0)


def i_section(bottom: float, top: float, height: float, t_bottom: float, t_top: float, web: float, name: str) -> Drawn:
    """Return an I or, with one flange left out (zero), a T; the origin is in the middle of the lower edge."""
    if math.isclose(bottom, top, rel_tol=_SAME) and math.isclose(t_bottom, t_top, rel_tol=_SAME):
        return Drawn(BeamSection.i_section(bottom, height, web, t_bottom, name), (0.0, height / 2.0))
    t_bottom, t_top = t_bottom if bottom else 0.0, t_top if top else 0.0
    rectangles = [(-web / 2.0, web / 2.0, t_bottom, height - t_top)]
    joints = {"foot": (0.0, t_bottom / 2.0), "head": (0.0, height - t_top / 2.0)}
    branches: dict[str, list[ThinWall]] = {"foot": [], "head": []}
    for end, width, t, low in (("foot", bottom, t_bottom, 0.0), ("head", top, t_top, height - t_top)):
        if t:
            rectangles.append((-width / 2.0, width / 2.0, low, low + t))
            for side, y in (("left", -width / 2.0), ("right", width / 2.0)):
                joints[f"{end} {side}"] = (y, low + t / 2.0)
                branches[end].append(ThinWall(f"{end} {side}", end, t))
    walls = [*branches["head"], ThinWall("head", "foot", web), *branches["foot"]]
    return open_walls(rectangles, joints, walls, name)


def channel(bottom: float, top: float, height: float, t_bottom: float, t_top: float, web: float, name: str) -> Drawn:
    """Return a channel with its back along z at y = 0, open towards +y; the origin is its lower outer corner."""
    if math.isclose(bottom, top, rel_tol=_SAME) and math.isclose(t_bottom, t_top, rel_tol=_SAME):
        equal = BeamSection.channel(bottom, height, web, t_bottom, name)
        return Drawn(equal, (bottom - max(y for y, _ in equal.outline), height / 2.0))
    rectangles = [
        (0.0, bottom, 0.0, t_bottom), (0.0, top, height - t_top, height), (0.0, web, t_bottom, height - t_top),
    ]  # fmt: skip
    y, low, high = web / 2.0, t_bottom / 2.0, height - t_top / 2.0
    joints = {"a": (top, high), "head": (y, high), "foot": (y, low), "b": (bottom, low)}
    walls = [ThinWall("a", "head", t_top), ThinWall("head", "foot", web), ThinWall("foot", "b", t_bottom)]
    return open_walls(rectangles, joints, walls, name)


def angle(width: float, height: float, t_flat: float, t_upright: float, name: str) -> Drawn:
    """Return an angle with one leg along +y and one along +z; the origin is the outer corner."""
    rectangles = [(0.0, width, 0.0, t_flat), (0.0, t_upright, t_flat, height)]
    heel = (t_upright / 2.0, t_flat / 2.0)
    joints = {"a": (width, heel[1]), "heel": heel, "b": (heel[0], height)}
    walls = [ThinWall("a", "heel", t_flat), ThinWall("heel", "b", t_upright)]
    return open_walls(rectangles, joints, walls, name)


Walls = tuple[list[Rectangle], dict[str, Point], list[ThinWall]]  # what `open_walls` takes


def zed(lower: float, upper: float, height: float, t_lower: float, t_upper: float, web: float) -> Walls:
    """Return a Z: the upper flange to the left of the web, the lower one to its right; both lengths hold the web.

    The origin is the lower left corner of the web.
    """
    rectangles = [
        (0.0, web, 0.0, height), (web - upper, 0.0, height - t_upper, height), (web, lower, 0.0, t_lower),
    ]  # fmt: skip
    y, low, high = web / 2.0, t_lower / 2.0, height - t_upper / 2.0
    joints = {"a": (web - upper, high), "b": (y, high), "c": (y, low), "d": (lower, low)}
    return rectangles, joints, [ThinWall("a", "b", t_upper), ThinWall("b", "c", web), ThinWall("c", "d", t_lower)]


def hat(brims: Point, top: float, height: float, t_brims: Point, t_top: float, webs: Point) -> Walls:
    """Return a hat: a top above two webs, and brims to the left and right beyond the width of the top.

    The origin is below the middle of the top.
    """
    if not sum(webs) < top:
        raise ModelError(f"its webs of {webs[0]:g} and {webs[1]:g} do not fit below a top {top:g} wide.")
    rectangles = [(-top / 2, top / 2, height - t_top, height)]
    joints: dict[str, Point] = {}
    for side, sign in enumerate((-1.0, 1.0)):
        web, t, brim = webs[side], t_brims[side], brims[side]
        inner, outer, end = sign * (top / 2 - web), sign * top / 2, sign * (top / 2 + brim)
        rectangles.append((min(inner, outer), max(inner, outer), t, height - t_top))
        rectangles.append((min(inner, end), max(inner, end), 0.0, t))
        middle = (inner + outer) / 2
        joints |= {
            f"head {side}": (middle, height - t_top / 2), f"foot {side}": (middle, t / 2), f"end {side}": (end, t / 2)
        }  # fmt: skip
    walls = [
        ThinWall("end 0", "foot 0", t_brims[0]), ThinWall("foot 0", "head 0", webs[0]),
        ThinWall("head 0", "head 1", t_top), ThinWall("head 1", "foot 1", webs[1]),
        ThinWall("foot 1", "end 1", t_brims[1]),
    ]  # fmt: skip
    return rectangles, joints, walls


def hollow_rectangle(
    width: float, height: float, right: float, top: float, left: float, bottom: float, name: str
) -> Drawn:
    """Return a box with a thickness for each wall; the origin is the middle of its outer rectangle."""
    if math.isclose(right, left, rel_tol=_SAME) and math.isclose(top, bottom, rel_tol=_SAME):
        return Drawn(BeamSection.box(width, height, right, top, name))
    sizes = (width, height, right, top, left, bottom)
    if not all(math.isfinite(size) and size > 0 for size in sizes) or right + left >= width or top + bottom >= height:
        raise ModelError(f"beam section '{name}': the four walls do not fit into {width:g} by {height:g} m.")
    y, z = width / 2.0, height / 2.0
    rectangles = [
        (-y, y, z - top, z), (-y, y, -z, bottom - z), (-y, left - y, bottom - z, z - top),
        (y - right, y, bottom - z, z - top),
    ]  # fmt: skip
    points = [(y - right / 2.0, z - top / 2.0), (left / 2.0 - y, z - top / 2.0), (left / 2.0 - y, bottom / 2.0 - z),
              (y - right / 2.0, bottom / 2.0 - z)]  # fmt: skip
    names = ("a", "b", "c", "d")
    joints = dict(zip(names, points, strict=True))
    walls = [ThinWall("a", "b", top), ThinWall("b", "c", left), ThinWall("c", "d", bottom), ThinWall("d", "a", right)]
    area = shapes.area_moments(rectangles)
    J, Wt = shapes.box_torsion(*sizes)
    reach = np.array([y, z]) + np.abs(area.centroid)
    return _section(area, joints, walls, True, J, Wt, reach.tolist(), name)


def polygon(points: Sequence[Point], thickness: Sequence[float], name: str) -> Drawn:
    """Return walls (n) from point to point (n + 1); they form a cell when the last point is the first."""
    pairs = list(pairwise(points))
    t = np.array(thickness)
    length = np.array([math.dist(p, q) for p, q in pairs])
    if not (np.isfinite(length).all() and length.all() and np.isfinite(t).all() and (t > 0).all()):
        raise ModelError(f"beam section '{name}': a wall has no length or no thickness.")
    closed = math.dist(points[0], points[-1]) <= _SAME * float(length.max())
    names = [str(k) for k in range(len(points))]
    if closed:
        names[-1] = names[0]
    walls = [ThinWall(a, b, float(w)) for a, b, w in zip(names[:-1], names[1:], t, strict=True)]
    J = float((length * t**3).sum()) / 3.0
    stress = t  # per unit of twist
    if closed:
        y, z = np.array(points).T
        enclosed = abs(float(y[:-1] @ z[1:] - y[1:] @ z[:-1])) / 2.0
        J += 4.0 * enclosed**2 / float((length / t).sum())
        stress = t + 2.0 * enclosed / (t * (length / t).sum())
    area = _moments(pairs, t)
    reach = np.abs(np.array(points) - area.centroid).max(axis=0) + t.max() / 2.0
    joints = dict(zip(names, points, strict=True))
    return _section(area, joints, walls, closed, J, J / float(stress.max()), reach.tolist(), name)


def _moments(pairs: list[tuple[Point, Point]], t: Array) -> shapes.AreaMoments:
    """Return the moments of walls as turned rectangles, each of the length of its middle line."""
    ends = np.array(pairs)
    along = ends[:, 1] - ends[:, 0]
    length = np.sqrt((along**2).sum(axis=1))
    across = along[:, ::-1] * (-1.0, 1.0) / length[:, None]
    weight = length * t
    centroid = weight @ ends.mean(axis=1) / weight.sum()
    middle = ends.mean(axis=1) - centroid
    tensor = (
        np.einsum("w,wi,wj->ij", weight, middle, middle)
        + np.einsum("w,wi,wj->ij", weight / 12.0, along, along)
        + np.einsum("w,wi,wj->ij", weight * t**2 / 12.0, across, across)
    )
    return shapes.AreaMoments(float(weight.sum()), centroid, tensor[1, 1], tensor[0, 0], tensor[0, 1])


def open_walls(
    rectangles: Sequence[Rectangle], joints: dict[str, Point], walls: Sequence[ThinWall], name: str
) -> Drawn:
    """Return an open profile of upright and flat walls: rectangles that do not overlap, and their middle lines."""
    if not all(b > a and d > c for a, b, c, d in rectangles):
        raise ModelError(f"beam section '{name}': a wall has no length or no thickness.")
    area = shapes.area_moments(rectangles)
    y0, z0 = area.centroid.tolist()
    J = sum(max(b - a, d - c) * min(b - a, d - c) ** 3 for a, b, c, d in rectangles) / 3.0
    reach = (
        max(abs(y - y0) for a, b, _, _ in rectangles for y in (a, b)),
        max(abs(z - z0) for _, _, c, d in rectangles for z in (c, d)),
    )
    return _section(area, joints, walls, False, J, J / max(wall.thickness for wall in walls), reach, name)


def _section(
    area: shapes.AreaMoments, joints: dict[str, Point], walls: Sequence[ThinWall], closed: bool, J: float, Wt: float,
    reach: Sequence[float], name: str,
) -> Drawn:  # fmt: skip
    try:
        flow = shapes.shear_flow(joints, walls, closed)
    except LinAlgError as error:
        raise ModelError(f"beam section '{name}': its walls lie on one line; give it as a rectangle.") from error
    centre = flow.centre - area.centroid
    section = BeamSection(
        A=area.A, Iy=area.Iy, Iz=area.Iz, Iyz=area.Iyz, J=J, ky=flow.Ay / area.A, kz=flow.Az / area.A,
        shear_centre=(float(centre[0]), float(centre[1])), y_max=reach[0], z_max=reach[1], Wt=Wt,
        name=name,
    )  # fmt: skip
    return Drawn(section, (float(area.centroid[0]), float(area.centroid[1])))
