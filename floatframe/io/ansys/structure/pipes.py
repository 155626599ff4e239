"""Pipes of ANSYS files: straight ones as beams with contents and insulation, elbows as arcs of beams.

The wall of an elbow ovalises under bending: its bending stiffness is divided by a flexibility factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.errors import ModelError
from floatframe.fem import BeamSection
from floatframe.io.ansys.apdl import padded
from floatframe.io.ansys.commands import SectionData
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.ansys.structure.sections import BeamData

_SHEAR = 0.5  # shear area over area of the thin rings of PIPE16 to PIPE59
_STRAIGHT = 1e-4  # rise over length below which three nodes lie on a line
_PIECES = 16  # beams in an elbow: chords make 90 degrees stiffer by 0.2 %


def pipe_by_constants(builder: Builder, group: Group) -> BeamData:
    """PIPE16, PIPE18, PIPE20 and PIPE59 by their real constants."""
    number = group.type.number
    r = [*builder.needed_reals(group), *[0.0] * 14]
    diameter, wall = r[0], r[1]
    if number == 59:
        fluid, insulation, cover = 0.0, r[11], r[12]
        extra = r[6]
        builder.log.skip(group.name, "water around it is left out")
    elif number == 18:
        fluid, insulation, cover, extra = r[6], r[7], r[8], 0.0
    else:
        fluid, insulation, cover, extra = (*r[5:8], 0.0) if number == 16 else (0.0, 0.0, 0.0, 0.0)
        if number == 16 and any(r[9:12]):
            builder.log.lose("PIPE16 R", "mass", f"set {group.real}: AREAIN, MWALL and STIFF are not read")
    ring = _ring(builder, group, diameter, wall, f"real constants {group.real}").with_shear_factors(_SHEAR, _SHEAR)
    added = (
        extra + fluid * _disc(diameter - 2.0 * wall) + insulation * (_disc(diameter + 2.0 * cover) - _disc(diameter))
    )
    if number == 16 and r[4] > 1.0:
        ring = _softened(ring, r[4], r[4])
    return BeamData(ring, added=added)


def pipe_by_section(builder: Builder, group: Group, data: SectionData) -> BeamData:
    """PIPE288, PIPE289: Do, Tw, …, fluid inside, material and thickness of the insulation; SECCONTROL adds mass."""
    values = [*(data.rows[0] if data.rows else []), *[0.0] * 8][:8]
    diameter, wall, cover = values[0], values[1], values[7]
    ring = _ring(builder, group, diameter, wall, data.name or f"section {group.section}")
    added = data.control[0] if data.control else 0.0
    if values[5]:
        added += builder.deck.materials.density(int(values[5])) * _disc(diameter - 2.0 * wall)
        builder.log.warn(
            f"{group.name} section {group.section} is taken as full of its fluid (material {values[5]:g}); ANSYS fills "
            "pipes up to a surface that SFE may give."
        )
    if values[6] and cover:
        added += builder.deck.materials.density(int(values[6])) * (_disc(diameter + 2.0 * cover) - _disc(diameter))
    return BeamData(ring, added=added)


def _ring(builder: Builder, group: Group, diameter: float, wall: float, name: str) -> BeamSection:
    try:
        if not wall or 2.0 * wall >= diameter:
            return BeamSection.circle(diameter, nu=0.0, name=name)
        return BeamSection.tube(diameter, wall, nu=0.0, name=name)
    except ModelError as error:
        raise builder.log.error(f"{group.name} element {group.ids[0]} has an invalid section: {error}") from error


def _disc(diameter: float) -> float:
    return math.pi * diameter**2 / 4.0


def _softened(ring: BeamSection, in_plane: float, across: float) -> BeamSection:
    """Return the ring with bending stiffness divided: about z (bending in the plane of x and y), then about y."""
    return replace(ring, Iz=ring.Iz / in_plane, Iy=ring.Iy / across)


def elbow(builder: Builder, group: Group, data: BeamData) -> tuple[BeamData, float]:
    """Return the softened section of PIPE18 and its radius; local z is normal to the plane of the arc."""
    r = [*builder.needed_reals(group), *[0.0] * 12]
    radius = r[2]
    mean = (r[0] - r[1]) / 2.0
    if not (radius > 0.0 and mean > 0.0):
        raise builder.log.error(f"{group.name} real constants {group.real} need a diameter and a radius of curvature.")
    own = _factor(r[1] * radius / mean**2, group.type.key(3))
    in_plane = r[5] or own
    across = r[11] or in_plane
    return replace(data, section=_softened(data.section, max(1.0, in_plane), max(1.0, across))), radius


def bent_pipes(builder: Builder, group: Group, data: BeamData, ends: IntArray) -> Iterator[tuple[BoolArray, BeamData]]:
    """Yield masks of ELBOW290 elements with nodes (n, 3), the middle one second, and their sections.

    The wall of a bend ovalises: it is softened as a long one is, by Kármán's factor.
    """
    a, b, c = builder.places(ends, f"{group.name} element", group.ids).swapaxes(0, 1)
    sides = [np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))]
    twice = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    # the radius of the circle through three points; straight pipes have none
    straight = twice <= _STRAIGHT * sides[2] ** 2
    curvature = np.where(straight, 0.0, 2.0 * twice / np.where(straight, 1.0, np.prod(sides, axis=0)))
    values, which = np.unique([float(f"{value:.6g}") for value in curvature.tolist()], return_inverse=True)
    outer = 2.0 * data.section.y_max
    wall = (outer - math.sqrt(max(0.0, outer**2 - 4.0 * data.section.A / math.pi))) / 2.0
    for k, value in enumerate(values.tolist()):
        if not value:
            yield which == k, data
            continue
        factor = _factor(wall / value / ((outer - wall) / 2.0) ** 2, 2)
        builder.log.warn(
            f"{group.name} bends of radius {1.0 / value:.4g} are softened by the flexibility factor {factor:.3g} of "
            "long bends, whose walls ovalise; stiff ends next to a bend make it stiffer."
        )
        yield which == k, replace(data, section=_softened(data.section, factor, factor))


def _factor(h: float, rule: int) -> float:
    """Return the flexibility factor of an elbow of h = wall · radius / (mean radius)²: ANSYS' own or Kármán's."""
    karman = (10.0 + 12.0 * h**2) / (1.0 + 12.0 * h**2)
    return karman if rule == 2 else max(1.0, 1.65 / h)


def arcs(ends: Array, towards: Array, radius: float) -> tuple[Array, Array] | None:
    """Return points (n, k, 3) on arcs between ends (n, 2, 3) and normals of their planes (n, 3); None where an arc of
    this radius does not span its ends.

    The centre lies on the side of the points `towards` (n, 3).
    """
    chord = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(chord, axis=1)
    if not (length > 0.0).all() or (length > 2.0 * radius * (1.0 + 1e-3)).any():
        return None
    along = chord / length[:, None]
    side = towards - ends[:, 0]
    side = side - np.einsum("ni,ni->n", side, along)[:, None] * along
    size = np.linalg.norm(side, axis=1)
    if not (size > 1e-9 * length).all():
        return None
    side /= size[:, None]
    half = np.arcsin(np.minimum(1.0, length / (2.0 * radius)))
    # a chord a little longer than the diameter is one
    true = length / (2.0 * np.sin(half))
    centre = ends.mean(axis=1) + (true * np.cos(half))[:, None] * side
    turn = np.linspace(-1.0, 1.0, _PIECES + 1)[None, :] * half[:, None]
    points = centre[:, None] + true[:, None, None] * (
        np.sin(turn)[:, :, None] * along[:, None] - np.cos(turn)[:, :, None] * side[:, None]
    )
    return points, np.cross(along, side)


def add_elbows(builder: Builder, group: Group) -> None:
    """PIPE18: node K lies on the side of the centre of curvature."""
    data, radius = elbow(builder, group, pipe_by_constants(builder, group))
    nodes = padded(group.nodes, 3)
    places = builder.places(nodes[:, :3], f"{group.name} element", group.ids)
    found = arcs(places[:, :2], places[:, 2], radius)
    if found is None:
        raise builder.log.error(
            f"{group.name} elements with real constants {group.real}: an arc of radius {radius:g} does not join the "
            f"nodes of each element (first: {group.ids[0]}) round a centre on the side of node K."
        )
    points, normals = found
    inner = [builder.add_nodes(points[:, k]) for k in range(1, _PIECES)]
    chain = np.column_stack([nodes[:, 0], *inner, nodes[:, 1]])
    numbers = builder.split(group.ids, _PIECES)
    material = data.loaded(builder.material(group.material))
    for k in range(_PIECES):
        more = {"orientation": normals}
        builder.add_block("beam", group, numbers[:, k], chain[:, k : k + 2], material, data.section, more)
