"""What a rigid body looks like, guessed from its places, mass and inertia: rods between its joints, a box, a ball."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.glyphs import Glyph

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.viewer.scene import Part

_STEEL = 7850.0  # kg/m3
_THINNEST, _THICKEST = 0.005, 0.012  # radius of rods in units of the scene's size
_SMALLEST = 0.05  # side of a box or diameter of a ball in units of the scene's size
_SLENDER = 0.2  # a box with sides below this share of its length is a rod
_BULKY = 0.2  # share of steel in a box below which it must be hollow
_APART = 1e-3  # places nearer than this share of the scene's size are one


def rigid_parts(
    name: str, mass: float, com: Array, inertia: Array, places: Array, size: float, **look: Any
) -> list[Part]:
    """Return the drawing of a body: mass [kg], com (3,), inertia (3, 3) about it, places (k, 3) where others hold it.

    Between its places a body is drawn as rods as thick as steel of its mass, within limits; where its inertia says that
    it is more than that, as a box with the same inertia, hollow if solid steel would be heavier by far.
    """
    places = distinct(places, _APART * size)
    sides, axes = inertia_box(mass, inertia)
    slender = sides[1] < _SLENDER * sides[0]
    joined = distinct(np.vstack([places, com]), _APART * size)
    if slender and len(places) < 2 and sides[0] > _SMALLEST * size:
        # the places show less than the inertia
        half = 0.5 * sides[0] * axes[:, 0]
        rods = [(com - half, com + half)]
    else:
        rods = bars(places, com, joined)
    solids = _rods(rods, mass, size)
    boxed = not slender and sides[0] > 0
    density = mass / float(np.prod(sides)) if boxed and sides[2] > 0 else np.inf
    if boxed and density < _BULKY * _STEEL:
        sides = sides * np.sqrt(0.6)  # of a hollow cube with the inertia of a solid one
    tiny = sides[0] < _SMALLEST * size
    parts = []
    if boxed and not (tiny and rods):
        sides = sides * max(1.0, _SMALLEST * size / sides[0]) if tiny else sides
        box = glyphs.moved(glyphs.box(), axes * np.maximum(sides, 0.1 * sides[0]), com)
        # what is joined inside a large box must be seen
        through = 0.4 if rods else 1.0
        parts.append(glyphs.merged(name, [box], **{"opacity": through, **look}))
    elif (tiny or sides[0] == 0) and not _within(rods, places, com, size):
        radius = max((3.0 * mass / (4.0 * np.pi * _STEEL)) ** (1 / 3), 0.4 * _SMALLEST * size)
        solids.append(glyphs.moved(glyphs.sphere(12, 24), radius * np.eye(3), com))
    if solids:
        parts.insert(0, glyphs.merged(name, solids, **look))
    return parts


def inertia_box(mass: float, inertia: Array) -> tuple[Array, Array]:
    """Return sides (3,), longest first, and axes (3, 3) in columns of the solid box with this mass and inertia."""
    moments, axes = np.linalg.eigh(inertia)
    square = 6.0 / mass * (moments.sum() - 2.0 * moments)
    order = np.argsort(-square, kind="stable")
    return np.sqrt(np.maximum(square[order], 0.0)), axes[:, order]


def distinct(points: Array, apart: float) -> Array:
    """Return points (k, 3) without those that are nearer than `apart` to one before."""
    kept: list[Array] = []
    for point in np.asarray(points, dtype=float).reshape(-1, 3):
        if all(np.linalg.norm(point - other) > apart for other in kept):
            kept.append(point)
    return np.array(kept).reshape(-1, 3)


def bars(places: Array, com: Array, joined: Array) -> list[tuple[Array, Array]]:
    """Return the rods (start, end) of a body: along the line of its places, else from the middle to each of them."""
    if len(joined) < 2:
        return []
    if len(places) < 2:
        return [(joined[0], joined[1])]
    middle = places - places.mean(axis=0)
    _, spread, directions = np.linalg.svd(middle, full_matrices=False)
    if spread[1:].max(initial=0.0) > 0.02 * spread[0]:
        return [(com, place) for place in places if np.linalg.norm(place - com) > 0]
    along = middle @ directions[0]
    found = [(places[along.argmin()], places[along.argmax()])]
    foot = places.mean(axis=0) + (com - places.mean(axis=0)) @ directions[0] * directions[0]
    if np.linalg.norm(com - foot) > 0.02 * spread[0]:
        found.append((foot, com))
    return found


def _rods(rods: list[tuple[Array, Array]], mass: float, size: float) -> list[Glyph]:
    length = sum(float(np.linalg.norm(b - a)) for a, b in rods)
    if not length:
        return []
    radius = np.clip(np.sqrt(mass / (_STEEL * np.pi * length)), _THINNEST * size, _THICKEST * size)
    return [
        glyphs.moved(glyphs.capsule(float(np.linalg.norm(b - a)), radius), glyphs.turned(b - a), a) for a, b in rods
    ]


def _within(rods: list[tuple[Array, Array]], places: Array, com: Array, size: float) -> bool:
    """Whether the centre of mass is somewhere in a rod that has places at both ends."""
    if len(places) < 2:
        return False
    for a, b in rods:
        share = float((com - a) @ (b - a) / ((b - a) @ (b - a)))
        if 0.1 < share < 0.9 and np.linalg.norm(a + share * (b - a) - com) < _APART * size:
            return True
    return False
