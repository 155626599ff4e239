"""What rolls or glides: discs with a spoke that shows how they turn, balls, wheels, edges, and the plane under them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.hybrid_glyphs import GROUND, JOINT, LINK, axes_of, on_place

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.hybrid import CompiledSystem, FlatConstraint, FlatPlace
    from floatframe.viewer.drawing.glyphs import Glyph
    from floatframe.viewer.drawing.hybrid_motion import Motion
    from floatframe.viewer.scene import Part

_THIN = 0.03  # thickness of a disc or wheel over its radius
_SMALL = 0.04  # radius of a wheel that has none, and half length of an edge, over the scene's size
_BEYOND = 1.5  # radii, or _SMALL, by which the plane goes on beyond the path


def rolling_parts(system: CompiledSystem, motion: Motion, size: float) -> list[Part]:
    """Return the marks of all that rolls or glides."""
    parts: list[Part] = []
    for one in system.model.constraints:
        if one.a is None or one.b is None:
            continue
        radius = one.radius or _SMALL * size
        if not _is_body(system, one):
            solids = _solids(system, one, one.a, one.b, radius)
            parts.append(on_place(system, glyphs.merged("wheels", solids, color=LINK, opacity=0.8), one.a))
        if one.shape == "disc":
            spoke = _scaled(glyphs.box(), axes_of(one.a), (1.5 * _THIN * radius, 0.08 * radius, 1.8 * radius))
            parts.append(on_place(system, glyphs.merged("wheels", [spoke], color=JOINT), one.a))
        if one.shape == "disc" or (one.shape == "sphere" and one.rows[0].law.names == {"ground.z"}):
            parts.append(_plane(system, one.a, one.b, motion, _BEYOND * radius))
    return parts


def round_body(system: CompiledSystem, number: int, **look: Any) -> list[Part]:
    """Return a body that is a disc or ball as what it rolls as; nothing of other bodies."""
    for one in system.model.constraints:
        if one.a is not None and one.b is not None and one.a.body == number and _is_body(system, one):
            solids = _solids(system, one, one.a, one.b, one.radius)
            part = glyphs.merged(system.model.bodies[number].name, solids, **look)
            return [on_place(system, part, one.a)]
    return []


def _is_body(system: CompiledSystem, one: FlatConstraint) -> bool:
    """Whether what rolls is the body itself: a disc or ball about its centre of mass."""
    if one.a is None or one.a.body < 0 or one.shape not in ("disc", "sphere"):
        return False
    body = system.model.bodies[one.a.body]
    return body.reduced is None and np.array_equal(one.a.point, body.com)


def _solids(system: CompiledSystem, one: FlatConstraint, a: FlatPlace, b: FlatPlace, radius: float) -> list[Glyph]:
    axes = axes_of(a)
    if one.shape == "sphere":
        return [glyphs.moved(glyphs.sphere(16, 32), radius * np.eye(3), np.zeros(3))]
    if one.shape == "disc":
        return [_scaled(glyphs.cylinder(64), axes, (_THIN * radius, radius, radius))]
    if one.shape == "blade":
        return [_scaled(glyphs.box(), axes, (4.0 * radius, 0.2 * radius, 0.8 * radius))]
    # the axle of a wheel: across its direction and the normal at the start
    normal = system.index.pose(b.body).R @ axes_of(b)[:, 2]
    across = np.cross(system.index.pose(a.body).R.T @ normal, axes[:, 0])
    return [_scaled(glyphs.cylinder(48), glyphs.turned(across), (6.0 * _THIN * radius, radius, radius))]


def _scaled(glyph: Glyph, axes: Array, sides: tuple[float, float, float]) -> Glyph:
    return glyphs.moved(glyph, axes * np.array(sides), np.zeros(3))


def _plane(system: CompiledSystem, a: FlatPlace, b: FlatPlace, motion: Motion, beyond: float) -> Part:
    """Return a plate in the plane of b under the path of a."""
    gap = motion.of_place(system, a) - motion.of_place(system, b)
    seen = np.einsum("mi,mij->mj", gap, motion.frame[:, b.body + 1, :, :3] @ axes_of(b))[:, :2]
    low, high = seen.min(axis=0) - beyond, seen.max(axis=0) + beyond
    thick = 0.02 * beyond
    plate = _scaled(glyphs.box(), axes_of(b), (high[0] - low[0], high[1] - low[1], thick))
    middle = axes_of(b) @ np.array([*(low + high) / 2.0, -thick / 2.0])
    return on_place(system, glyphs.merged("planes", [glyphs.moved(plate, np.eye(3), middle)], color=GROUND), b)
