"""Small solids for what has no mesh: masses, springs, joints, marks. NumPy only.

All have unit size about the origin; `copies` puts many of one on the nodes of a carrier, `stretched` and `turned` give
poses for a carrier of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from floatframe.viewer.drawing.polygons import contours, grouped
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray


class Glyph(NamedTuple):
    """A solid: points (n, 3), faces (arrays (k, corners) of rows), contours or lines (k, 2)."""

    points: Array
    faces: tuple[IntArray, ...]
    edges: IntArray


def line() -> Glyph:
    """Return a line along x from 0 to 1."""
    return Glyph(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), (), np.array([[0, 1]]))


def sphere(rings: int = 8, around: int = 16) -> Glyph:
    """Return a ball of radius 1, round enough for a mark."""
    polar = np.pi * np.arange(1, rings)[:, None] / rings
    angle = 2.0 * np.pi * np.arange(around) / around
    height = np.cos(polar) + 0.0 * angle
    belt = np.stack([np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), height], axis=2).reshape(-1, 3)
    points = np.vstack([belt, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
    k = np.arange(around)
    after, low = (k + 1) % around, (rings - 2) * around
    quads = [r * around + np.stack([k, k + around, after + around, after], axis=1) for r in range(rings - 2)]
    top = np.stack([k, after, np.full(around, len(belt))], axis=1)
    bottom = np.stack([low + after, low + k, np.full(around, len(belt) + 1)], axis=1)
    return Glyph(points, (np.concatenate([top, bottom]), np.concatenate(quads)), np.empty((0, 2), dtype=np.int64))


def box() -> Glyph:
    """Return a cube with sides of 1."""
    points = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    return Glyph(points, (faces,), contours(points, (faces,)))


def cylinder(sides: int = 24) -> Glyph:
    """Return a cylinder of radius 1 along x from -1/2 to 1/2."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.column_stack([np.full(sides, -0.5), np.cos(angle), np.sin(angle)])
    points = np.vstack([ring, ring + np.array([1.0, 0.0, 0.0])])
    k = np.arange(sides)
    after = (k + 1) % sides
    walls = np.stack([k, after, after + sides, k + sides], axis=1)
    ends = np.stack([k[::-1], k + sides])
    return Glyph(points, (walls, ends), np.vstack([walls[:, :2], walls[:, 2:]]))


def cylinder_along(sides: int = 16) -> Glyph:
    """Return a cylinder of radius 1 along x from 0 to 1."""
    return moved(cylinder(sides), np.eye(3), np.array([0.5, 0.0, 0.0]))


def capsule(length: float, radius: float, around: int = 20) -> Glyph:
    """Return a rod with round ends along x from 0 to `length` [m]; its edge is the line in its middle."""
    # an odd number of rings leaves none on the equator, where the ball is pulled apart
    ball = sphere(9, around)
    points = radius * ball.points[:, [2, 0, 1]]
    points[points[:, 0] > 0, 0] += length
    ends = np.array([[0.0, 0.0, 0.0], [length, 0.0, 0.0]])
    return Glyph(np.vstack([points, ends]), ball.faces, len(points) + np.array([[0, 1]]))


def arrow(sides: int = 12) -> Glyph:
    """Return an arrow along x from 0 to 1, the tip at 1."""
    radius = np.array([0.035, 0.035, 0.1, 0.0])
    return turned_outline(np.array([0.0, 0.68, 0.68, 1.0]), radius, sides)


def round_arrow(around: int = 28, sides: int = 8) -> Glyph:
    """Return an arrow of radius 1 that goes three quarters round the x axis, right-handed."""
    bend = 2.0 * np.pi * 0.62
    angle = np.concatenate([np.linspace(0.0, bend, around), [bend, bend + 0.55]]) + 0.5
    thick = np.concatenate([np.full(around, 0.08), [0.22, 0.0]])
    outward = np.column_stack([np.zeros_like(angle), np.cos(angle), np.sin(angle)])
    ring = 2.0 * np.pi * np.arange(sides) / sides
    tube = np.cos(ring)[:, None] * outward[:, None] + np.sin(ring)[:, None] * np.array([1.0, 0.0, 0.0])
    points = outward[:, None] + thick[:, None, None] * tube
    return Glyph(points.reshape(-1, 3), (tube_walls(len(angle), sides),), np.empty((0, 2), dtype=np.int64))


def cone(sides: int = 4) -> Glyph:
    """Return a pyramid with its tip at the origin, its foot of radius 1/2 at z = -1: a support under a node."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    foot = np.column_stack([0.5 * np.cos(angle), 0.5 * np.sin(angle), np.full(sides, -1.0)])
    k = np.arange(sides)
    walls = np.stack([k, (k + 1) % sides, np.full(sides, sides)], axis=1)
    points = np.vstack([foot, [[0.0, 0.0, 0.0]]])
    faces = (walls, k[None, ::-1])
    return Glyph(points, faces, contours(points, faces) if sides < 8 else walls[:, :2])


def coil(turns: int = 6, wire: float = 0.12, sides: int = 6) -> Glyph:
    """Return a spring of radius 1 along x from 0 to 1, its wire round only when it is about as long as wide."""
    steps = 12 * turns
    s = np.linspace(0.0, 1.0, steps + 1)
    angle = 2.0 * np.pi * turns * s
    # the ends run out on the axis
    radius = np.minimum(1.0, 12.0 * np.minimum(s, 1.0 - s))
    outward = np.column_stack([np.zeros_like(s), np.cos(angle), np.sin(angle)])
    round_ = 2.0 * np.pi * np.arange(sides) / sides
    # the wire is drawn for a spring five times as long as its radius
    thick = wire * (np.cos(round_)[:, None] * outward[:, None] + np.sin(round_)[:, None] * np.array([0.2, 0.0, 0.0]))
    points = np.column_stack([s, np.zeros((len(s), 2))])[:, None] + radius[:, None, None] * outward[:, None] + thick
    return Glyph(points.reshape(-1, 3), (tube_walls(steps + 1, sides),), np.empty((0, 2), dtype=np.int64))


def damper(sides: int = 16) -> Glyph:
    """Return a piston in a cylinder of radius 1 along x from 0 to 1."""
    along = np.array([0.0, 0.2, 0.2, 0.65, 0.65, 1.0])
    radius = np.array([0.25, 0.25, 1.0, 1.0, 0.35, 0.35])
    return turned_outline(along, radius, sides)


def turned_outline(along: Array, radius: Array, sides: int) -> Glyph:
    """Return the solid that an outline (n,) makes when it turns round the x axis."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    rings = radius[:, None, None] * np.stack([0.0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    rings[..., 0] = along[:, None]
    return Glyph(rings.reshape(-1, 3), (tube_walls(len(along), sides),), np.empty((0, 2), dtype=np.int64))


def tube_walls(rings: int, sides: int) -> IntArray:
    """Return the walls (k, 4) between rings of points."""
    k = np.arange(sides)
    ring = np.stack([k, (k + 1) % sides, (k + 1) % sides + sides, k + sides], axis=1)
    return (sides * np.arange(rings - 1)[:, None, None] + ring).reshape(-1, 4)


def moved(glyph: Glyph, linear: Array, shift: Array) -> Glyph:
    """Return a glyph under a linear map (3, 3) and a shift (3,)."""
    return Glyph(glyph.points @ np.asarray(linear).T + shift, glyph.faces, glyph.edges)


def merged(name: str, glyphs: list[Glyph], **look: Any) -> Part:
    """Return one part of several glyphs where they are; look: other fields of `Part`."""
    start = np.cumsum([0, *(len(glyph.points) for glyph in glyphs)])[:-1]
    faces = grouped([first + group for first, glyph in zip(start, glyphs, strict=True) for group in glyph.faces])
    edges = np.concatenate([first + glyph.edges for first, glyph in zip(start, glyphs, strict=True)])
    return Part(name, np.concatenate([glyph.points for glyph in glyphs]), tuple(faces), edges=edges, **look)


def copies(
    name: str, glyph: Glyph, places: Array, size: float | Array, anchor: IntArray | None = None, **look: Any
) -> Part:
    """Return one part of many glyphs at places (k, 3), scaled by size (one or k numbers), each on one node (k,).

    Glyphs move with their nodes but do not turn, which would distort them when motions are magnified. look: other
    fields of `Part`.
    """
    count, n = len(places), len(glyph.points)
    arm = glyph.points * np.broadcast_to(np.asarray(size, dtype=float).reshape(-1, 1, 1), (count, 1, 1))
    start = n * np.arange(count)[:, None, None]
    return Part(
        name,
        (places[:, None] + arm).reshape(-1, 3),
        tuple((start + group).reshape(-1, group.shape[1]) for group in glyph.faces),
        edges=(start + glyph.edges).reshape(-1, 2),
        anchor=None if anchor is None else np.repeat(anchor, n),
        **look,
    )


def turned(axis: Array) -> Array:
    """Return rotations (..., 3, 3) that take x to a direction (..., 3), in the shortest way that is not singular."""
    x = np.asarray(axis, dtype=float)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    upright = np.abs(x[..., 2:]) > 0.9
    y = np.cross(np.where(upright, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]), x)
    y /= np.linalg.norm(y, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def stretched(a: Array, b: Array, radius: float | Array) -> Array:
    """Return poses (..., 3, 4) that lay a glyph along x from 0 to 1 between places a and b (..., 3), so thick [m]."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    line = b - a
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    R = turned(np.where(length > 0, line, [1.0, 0.0, 0.0]))
    thick = np.asarray(radius, dtype=float)[..., None, None] * R[..., 1:]
    return np.concatenate([line[..., None], thick, a[..., None]], axis=-1)
