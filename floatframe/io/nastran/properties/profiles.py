"""Profiles of PBARL and PBEAML by their dimensions, drawn with y to the right and z up.

Torsion: walls of open profiles and cells of closed ones are thin; that of solid sections is St-Venant's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, Rectangle, ThinWall, profiles as shapes
from floatframe.io.deck import Walls as _Walls, profiles

DIMENSIONS = {
    **{"ROD": 1, "TUBE": 2, "TUBE2": 2, "BAR": 2, "BOX": 4, "BOX1": 6, "DBOX": 10, "I": 6, "I1": 4, "H": 4},
    **{"CHAN": 4, "CHAN1": 4, "CHAN2": 4, "L": 4, "T": 4, "T1": 4, "T2": 4, "Z": 4, "CROSS": 4, "HEXA": 3},
    **{"HAT": 4, "HAT1": 5},
}


def drawn(shape: str, v: Sequence[float], nu: float, name: str) -> BeamSection:
    """Return a profile in drawing axes."""
    if shape == "ROD":
        # the shear factors that Nastran prints for it
        return replace(BeamSection.circle(2.0 * v[0], nu, name), ky=0.9, kz=0.9)
    if shape == "TUBE":
        return BeamSection.circle(2.0 * v[0], nu, name) if not v[1] else _tube(v[0], v[0] - v[1], nu, name)
    if shape == "TUBE2":
        return _tube(v[0], v[1], nu, name)
    if shape == "BAR":
        return BeamSection.rectangle(v[0], v[1], nu, name)
    if shape == "BOX":
        return BeamSection.box(v[0], v[1], v[3], v[2], name)
    if shape == "BOX1":
        # thicknesses on top, below, on the left and on the right
        return profiles.hollow_rectangle(v[0], v[1], v[5], v[2], v[4], v[3], name).section
    if shape == "I":
        return profiles.i_section(v[1], v[2], v[0], v[4], v[5], v[3], name).section
    if shape == "I1":
        return BeamSection.i_section(v[0] + v[1], v[3], v[1], (v[3] - v[2]) / 2.0, name)
    if shape == "CHAN":
        return BeamSection.channel(v[0], v[1], v[2], v[3], name)
    if shape == "CHAN1":
        return BeamSection.channel(v[0] + v[1], v[3], v[1], (v[3] - v[2]) / 2.0, name)
    if shape == "L":
        return profiles.angle(v[0], v[1], v[2], v[3], name).section
    if shape == "T":
        return profiles.i_section(0.0, v[0], v[1], 0.0, v[2], v[3], name).section
    if shape == "T2":
        return profiles.i_section(v[0], 0.0, v[1], v[2], 0.0, v[3], name).section
    if shape == "HEXA":
        return _hexagon(v[0], v[1], v[2], name)
    if shape == "HAT1":
        return _closed_hat(v[0], v[1], v[2], v[3], v[4], name)
    if shape == "DBOX":
        return _double_box(v, name)
    return profiles.open_walls(*_OPEN[shape](*v), name).section


def _tube(radius: float, wall: float, nu: float, name: str) -> BeamSection:
    return BeamSection.tube(2.0 * radius, wall, nu, name)


def _cross(arms: float, web: float, height: float, t: float) -> _Walls:
    """Two arms of half the first size each on an upright web."""
    rectangles = [(-web / 2, web / 2, -height / 2, height / 2)]
    rectangles += [(-(web + arms) / 2, -web / 2, -t / 2, t / 2), (web / 2, (web + arms) / 2, -t / 2, t / 2)]
    joints = {"o": (0.0, 0.0), "a": (0.0, height / 2), "b": (0.0, -height / 2)}
    joints |= {"c": (-(web + arms) / 2, 0.0), "d": ((web + arms) / 2, 0.0)}
    walls = [ThinWall("a", "o", web), ThinWall("b", "o", web), ThinWall("c", "o", t), ThinWall("d", "o", t)]
    return rectangles, joints, walls


def _lying_i(web: float, legs: float, height: float, t: float) -> _Walls:
    """H: two upright legs of half the second size each, joined by a flat web."""
    half, leg = (web + legs) / 2, legs / 2
    rectangles = [(-half, -web / 2, -height / 2, height / 2), (web / 2, half, -height / 2, height / 2)]
    rectangles += [(-web / 2, web / 2, -t / 2, t / 2)]
    y = half - leg / 2
    joints = {"l": (-y, 0.0), "r": (y, 0.0)}
    for side, sign in (("l", -1.0), ("r", 1.0)):
        joints |= {f"{side}a": (sign * y, height / 2), f"{side}b": (sign * y, -height / 2)}
    legs_of = [ThinWall(f"{side}{end}", side, leg) for side in "lr" for end in "ab"]
    return rectangles, joints, [*legs_of[:2], ThinWall("l", "r", t), *legs_of[2:]]


def _lying_tee(height: float, web: float, flange: float, t: float) -> _Walls:
    """T1: an upright flange on the right, its web to the left."""
    rectangles = [(0.0, flange, -height / 2, height / 2), (-web, 0.0, -t / 2, t / 2)]
    joints = {"o": (flange / 2, 0.0), "a": (flange / 2, height / 2), "b": (flange / 2, -height / 2), "c": (-web, 0.0)}
    return rectangles, joints, [ThinWall("a", "o", flange), ThinWall("b", "o", flange), ThinWall("c", "o", t)]


def _zed(flange: float, web: float, inner: float, height: float) -> _Walls:
    """Z: flanges without the web, the height between them and over all."""
    t = (height - inner) / 2
    return profiles.zed(flange + web, flange + web, height, t, t, web)


def _upright_channel(leg: float, t: float, height: float, width: float) -> _Walls:
    """CHAN2: a flat bottom and two legs upwards."""
    rectangles = [(-width / 2, width / 2, 0.0, t)]
    rectangles += [(-width / 2, leg - width / 2, t, height), (width / 2 - leg, width / 2, t, height)]
    y = (width - leg) / 2
    joints = {"a": (-y, height), "b": (-y, t / 2), "c": (y, t / 2), "d": (y, height)}
    return rectangles, joints, [ThinWall("a", "b", leg), ThinWall("b", "c", t), ThinWall("c", "d", leg)]


def _hat(height: float, t: float, top: float, brim: float) -> _Walls:
    """HAT: a top, two webs and a brim on either side, all of one thickness."""
    return profiles.hat((brim, brim), top, height, (t, t), t, (t, t))


_OPEN = {"CROSS": _cross, "H": _lying_i, "T1": _lying_tee, "Z": _zed, "CHAN2": _upright_channel, "HAT": _hat}


def _hexagon(side: float, width: float, height: float, name: str) -> BeamSection:
    """HEXA: a rectangle between two triangles of width `side`; torsion by St-Venant's rule for compact sections."""
    middle = width - 2.0 * side
    if not (middle > 0 and side >= 0 and height > 0):
        raise ModelError(f"beam section '{name}': its sides {side:g} m do not fit into the width {width:g} m.")
    A = height * (middle + side)
    Iy = middle * height**3 / 12.0 + side * height**3 / 24.0
    # both triangles about the middle: about their own centroid, then moved there
    Iz = height * middle**3 / 12.0 + height * side**3 / 18.0 + height * side * (middle / 2.0 + side / 3.0) ** 2
    J = A**4 / (40.0 * (Iy + Iz))
    y, z = width / 2.0, height / 2.0
    outline = ((y, 0.0), (middle / 2, z), (-middle / 2, z), (-y, 0.0), (-middle / 2, -z), (middle / 2, -z))
    return BeamSection(A=A, Iy=Iy, Iz=Iz, J=J, ky=5 / 6, kz=5 / 6, y_max=y, z_max=z, outline=outline, name=name)


def _closed_hat(width: float, height: float, top: float, t: float, plate: float, name: str) -> BeamSection:
    """HAT1: a hat of thickness t on a plate."""
    brim = (width - top) / 2.0
    rectangles = [(y0, y1, z0 + plate, z1 + plate) for y0, y1, z0, z1 in _hat(height - plate, t, top, brim)[0]]
    rectangles.append((-width / 2, width / 2, 0.0, plate))
    across, up = top - t, height - t / 2 - plate / 2
    cell = 4.0 * (across * up) ** 2 / ((across + 2.0 * up) / t + across / plate)
    J = cell + 2.0 * brim * (t + plate) ** 3 / 3.0
    return _closed(rectangles, J, 2.0 * t * (height - plate), 2.0 * brim * t + top * t + width * plate, name)


def _double_box(v: Sequence[float], name: str) -> BeamSection:
    """DBOX: total width and height, place of the middle web, thickness of left, middle and right webs, and of the
    left cell's upper and lower, the right cell's upper and lower flanges."""
    width, height, place, left, middle, right, up1, down1, up2, down2 = v
    webs = [(0.0, left), (place - middle / 2, place + middle / 2), (width - right, width)]
    rectangles = [(a, b, 0.0, height) for a, b in webs]
    for start, stop, up, down in (
        (left, place - middle / 2, up1, down1),
        (place + middle / 2, width - right, up2, down2),
    ):
        rectangles += [(start, stop, height - up, height), (start, stop, 0.0, down)]
    # two cells with a common web: Bredt's equations for their flows per unit rate of twist
    areas = np.array([
        (place - left / 2) * (height - (up1 + down1) / 2), (width - right / 2 - place) * (height - (up2 + down2) / 2),
    ])  # fmt: skip
    spans, h = ((place - left / 2), (width - right / 2 - place)), height
    around = [
        spans[0] / up1 + spans[0] / down1 + h / left + h / middle,
        spans[1] / up2 + spans[1] / down2 + h / right + h / middle,
    ]
    flows = np.linalg.solve(np.array([[around[0], -h / middle], [-h / middle, around[1]]]), 2.0 * areas)
    flat = spans[0] * (up1 + down1) + spans[1] * (up2 + down2)
    return _closed(rectangles, float(2.0 * areas @ flows), height * (left + middle + right), flat, name)


def _closed(rectangles: list[Rectangle], J: float, upright: float, flat: float, name: str) -> BeamSection:
    """Return a section of cells: the walls along a shear force carry it."""
    if not all(b > a and d > c for a, b, c, d in rectangles) or not math.isfinite(J):
        raise ModelError(f"beam section '{name}': a wall has no length or no thickness.")
    area = shapes.area_moments(rectangles)
    y0, z0 = area.centroid.tolist()
    reach_y = max(abs(y - y0) for a, b, _, _ in rectangles for y in (a, b))
    reach_z = max(abs(z - z0) for _, _, c, d in rectangles for z in (c, d))
    return BeamSection(
        A=area.A, Iy=area.Iy, Iz=area.Iz, Iyz=area.Iyz, J=J, ky=min(1.0, flat / area.A), kz=min(1.0, upright / area.A),
        y_max=reach_y, z_max=reach_z, name=name,
    )  # fmt: skip
