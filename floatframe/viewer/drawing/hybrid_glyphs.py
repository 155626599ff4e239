"""Joints, force elements and ground of a hybrid system as small solids.

What belongs to one place rides on its body; what spans two places has a carrier of its own, whose pose stretches it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.viewer.drawing import glyphs
from floatframe.viewer.drawing.glyphs import Glyph
from floatframe.viewer.scene import Part

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.hybrid import CompiledSystem, FlatForce, FlatJoint, FlatPlace
    from floatframe.viewer.drawing.hybrid_motion import Motion

JOINT, SPRING, DAMPER, LINK, LOAD, GROUND = "#39434d", "#2f8f5b", "#5d7f4e", "#98a3ad", "#d2691e", "#aab3bc"
_PIN, _HALF_PIN = 0.014, 0.024  # radius and half length of a hinge in units of the scene's size
_NEAR = 0.02  # places nearer than this share of the scene's size get a glyph that needs no length
_NONE = np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True)
class Span:
    """A glyph stretched between two places, so thick [m]."""

    name: str
    glyph: Glyph
    a: FlatPlace
    b: FlatPlace
    radius: float
    color: str
    opacity: float = 1.0
    thing: str = ""  # the joint or force

    def poses(self, system: CompiledSystem, motion: Motion) -> Array:
        """Return the poses (m, 3, 4) of its carrier."""
        return glyphs.stretched(motion.of_place(system, self.a), motion.of_place(system, self.b), self.radius)

    def part(self, carrier: int) -> Part:
        lines = self.glyph.edges if not self.glyph.faces else _NONE
        return Part(
            self.name,
            self.glyph.points,
            self.glyph.faces,
            lines=lines,
            carrier=carrier,
            color=self.color,
            opacity=self.opacity,
            thing=self.thing,
        )


def on_place(system: CompiledSystem, part: Part, place: FlatPlace) -> Part:
    """Return a part, drawn in the axes of a body about a place, hung on that place."""
    reduced = None if place.body < 0 else system.model.bodies[place.body].reduced
    anchor = None
    if reduced is not None and place.node is not None:
        anchor = np.full(len(part.points), int(reduced.node_index([place.node])[0]))
    return replace(part, points=part.points + place.point, carrier=place.body + 1, anchor=anchor)


def axes_of(place: FlatPlace) -> Array:
    """Return the axes (3, 3) of a place in those of its body."""
    return np.eye(3) if place.rotation is None else place.rotation


def joint_parts(system: CompiledSystem, joint: FlatJoint, motion: Motion, size: float) -> list[Part]:
    """Return the mark of a joint: pin, rail, ball, cross, plate or block by its kind."""
    axis = axes_of(joint.b) @ joint.axis
    solids = _joint_solids(joint, axis, size, _travel(system, joint, axis, motion))
    part = glyphs.merged("joints", solids, color=JOINT) if solids else None
    return [] if part is None else [on_place(system, part, joint.b)]


def _joint_solids(joint: FlatJoint, axis: Array, size: float, travel: tuple[float, float]) -> list[Glyph]:
    R = glyphs.turned(axis)
    low, high = travel

    def shaft(radius: float, start: float, end: float, turn: Array = R) -> Glyph:
        scale = np.array([end - start, radius, radius])
        return glyphs.moved(glyphs.cylinder(), turn * scale, turn[:, 0] * (start + end) / 2)

    def bar(length: tuple[float, float], width: float, height: float) -> Glyph:
        scale = np.array([length[1] - length[0], width, height])
        return glyphs.moved(glyphs.box(), R * scale, R[:, 0] * sum(length) / 2)

    ball = glyphs.moved(glyphs.sphere(10, 20), 1.2 * _PIN * size * np.eye(3), np.zeros(3))
    pin, half = _PIN * size, _HALF_PIN * size
    if joint.kind in ("revolute", "screw"):
        return [shaft(pin, -half, half)]
    if joint.kind == "prismatic":
        return [bar((low - 2 * half, high + 2 * half), 0.6 * pin, 0.6 * pin)]
    if joint.kind in ("cylindrical", "point_on_line"):
        return [shaft(0.5 * pin, low - 2 * half, high + 2 * half), *([ball] if joint.kind == "point_on_line" else [])]
    if joint.kind == "universal":
        return [shaft(0.6 * pin, -half, half), shaft(0.6 * pin, -half, half, R[:, [1, 2, 0]])]
    if joint.kind in ("planar", "point_on_plane"):
        plate = glyphs.moved(glyphs.box(), R * np.array([0.2 * pin, 4 * half, 4 * half]), np.zeros(3))
        return [plate, ball]
    if joint.kind == "fixed":
        return [glyphs.moved(glyphs.box(), 1.6 * pin * np.eye(3), np.zeros(3))]
    return [] if joint.kind in ("free", "distance") else [ball]


def _travel(system: CompiledSystem, joint: FlatJoint, axis: Array, motion: Motion) -> tuple[float, float]:
    """Return how far a slides along the axis of b, from where to where [m]."""
    if joint.kind not in ("prismatic", "cylindrical", "point_on_line"):
        return 0.0, 0.0
    gap = motion.of_place(system, joint.a) - motion.of_place(system, joint.b)
    along = np.einsum("mi,mij,j->m", gap, motion.frame[:, joint.b.body + 1, :, :3], axis)
    return float(along.min()), float(along.max())


def spans(system: CompiledSystem, motion: Motion, size: float) -> list[Span]:
    """Return what is stretched between two places: springs, dampers, stops, links of fixed length."""
    found = []
    for joint in system.model.joints:
        if joint.kind == "distance":
            glyph = glyphs.cylinder_along()
            found.append(Span("links", glyph, joint.a, joint.b, 0.004 * size, JOINT, thing=joint.name))
    for force in system.model.forces:
        if force.a is None or force.b is None or force.kind in ("contact_plane", "wheel_rail"):
            continue
        if force.options.get("look") == "none":
            continue
        gap = np.linalg.norm(motion.of_place(system, force.a) - motion.of_place(system, force.b), axis=1)
        if gap.max() < _NEAR * size:
            continue
        glyph, radius, color = _span_look(force, size)
        found.append(Span("springs", glyph, force.a, force.b, radius, color, thing=force.name))
    return found


def _span_look(force: FlatForce, size: float) -> tuple[Glyph, float, str]:
    wanted = force.options.get("look")
    if wanted == "coil":
        return glyphs.coil(), 0.018 * size, SPRING
    if wanted == "cylinder":
        return glyphs.damper(), 0.014 * size, LINK
    if wanted == "rope":
        return glyphs.cylinder_along(), 0.0025 * size, JOINT
    if force.kind == "spring":
        if np.any(force.numbers.get("stiffness", 0.0)) or "force" in force.expressions:
            return glyphs.coil(), 0.018 * size, SPRING
        return glyphs.damper(), 0.012 * size, DAMPER
    if force.kind == "bump_stop":
        return glyphs.damper(), 0.016 * size, LINK
    if force.kind == "bushing" and np.any(_translational(force)):
        return glyphs.coil(), 0.018 * size, SPRING
    return glyphs.line(), 1.0, LINK


def _translational(force: FlatForce) -> Array:
    stiffness = np.asarray(force.numbers.get("stiffness", 0.0), dtype=float)
    return stiffness[:3, :3] if stiffness.ndim == 2 else stiffness[:3]


def force_parts(system: CompiledSystem, force: FlatForce, motion: Motion, size: float, down: Array) -> list[Part]:
    """Return the mark of a force element that belongs to one place."""
    if force.joint:
        joint = next(joint for joint in system.model.joints if joint.name == force.joint)
        return _drive(system, force, joint, size)
    if force.a is None:
        return []
    if force.kind == "point_load":
        return _load(system, force, size)
    if force.b is None:
        return []
    if force.kind == "contact_plane":
        return _contact(system, force, size)
    if force.kind == "wheel_rail":
        radius = float(force.numbers["radius"])
        R = axes_of(force.a) @ glyphs.turned(np.array([0.0, 1.0, 0.0]))
        wheel = glyphs.moved(glyphs.cylinder(48), R * np.array([0.12 * radius, radius, radius]), np.zeros(3))
        return [on_place(system, glyphs.merged("wheels", [wheel], color=LINK), force.a)]
    if force.options.get("look") == "none":
        return []
    gap = motion.of_place(system, force.a) - motion.of_place(system, force.b)
    if np.linalg.norm(gap, axis=1).max() >= _NEAR * size:
        return []
    # a rubber block where the two places lie in each other
    frame = motion.frame[0, force.b.body + 1, :, :3]
    R = frame.T @ glyphs.turned(down) * np.array([0.035, 0.022, 0.022]) * size
    return [on_place(system, glyphs.merged("springs", [glyphs.moved(_block(), R, np.zeros(3))], color=SPRING), force.b)]


def _block() -> Glyph:
    """Return three discs on each other, along x from -1/2 to 1/2."""
    disc = glyphs.cylinder()
    parts = [glyphs.moved(disc, np.diag([0.24, 1.0, 1.0]), np.array([shift, 0, 0])) for shift in (-0.38, 0.0, 0.38)]
    parts += [glyphs.moved(disc, np.diag([0.14, 0.7, 0.7]), np.array([shift, 0, 0])) for shift in (-0.19, 0.19)]
    whole = glyphs.merged("block", parts)
    return Glyph(whole.points, whole.faces, whole.edges)


def _drive(system: CompiledSystem, force: FlatForce, joint: FlatJoint, size: float) -> list[Part]:
    """Return a round or straight arrow at the joint that a force acts in."""
    axis = axes_of(joint.b) @ joint.axis
    turning = joint.coordinates[force.coordinate] == "angle" if force.coordinate < len(joint.coordinates) else True
    R, half = glyphs.turned(axis), _HALF_PIN * size
    if any({"angle", "displacement"} & law.names for law in force.expressions.values()):
        # a spring in the joint
        glyph = glyphs.moved(glyphs.cylinder(), R * np.array([0.5 * half, 0.9 * half, 0.9 * half]), np.zeros(3))
        return [on_place(system, glyphs.merged("springs", [glyph], color=SPRING), joint.b)]
    if turning:
        glyph = glyphs.moved(glyphs.round_arrow(), 1.4 * half * R, 0.8 * half * axis)
    else:
        glyph = glyphs.moved(glyphs.arrow(), 5.0 * half * R, 0.9 * half * R[:, 2])
    return [on_place(system, glyphs.merged("loads", [glyph], color=LOAD), joint.b)]


def _load(system: CompiledSystem, force: FlatForce, size: float) -> list[Part]:
    """Return an arrow along the force or torque on a place; a component that varies counts as one."""
    if force.a is None:
        return []
    parts = [e.evaluate() if e.is_constant else 1.0 for e in force.expressions.values()]
    if not np.any(parts):
        return []
    direction = np.array(parts) / np.linalg.norm(parts)
    if not force.numbers.get("body_axes") and force.a.body >= 0:
        direction = motion_free_axes(system, force.a.body).T @ direction
    elif force.numbers.get("body_axes"):
        direction = axes_of(force.a) @ direction
    R = glyphs.turned(direction)
    if "fx" in force.expressions:
        glyph = glyphs.moved(glyphs.arrow(), 0.1 * size * R, -0.1 * size * direction)
    else:
        glyph = glyphs.moved(glyphs.round_arrow(), 0.04 * size * R, np.zeros(3))
    return [on_place(system, glyphs.merged("loads", [glyph], color=LOAD), force.a)]


def motion_free_axes(system: CompiledSystem, body: int) -> Array:
    """Return the attitude (3, 3) of a body at the start."""
    return system.index.poses[body].R


def _contact(system: CompiledSystem, force: FlatForce, size: float) -> list[Part]:
    if force.a is None or force.b is None:
        return []
    normal = axes_of(force.b) @ np.asarray(force.numbers["normal"])
    plate = glyphs.moved(
        glyphs.box(), glyphs.turned(normal) * np.array([0.004, 0.4, 0.4]) * size, -0.002 * size * normal
    )
    parts = [on_place(system, glyphs.merged("planes", [plate], color=GROUND, opacity=0.6), force.b)]
    radius = float(force.numbers.get("radius", 0.0))
    if radius > 0:
        ball = glyphs.moved(glyphs.sphere(16, 32), radius * np.eye(3), np.zeros(3))
        parts.append(on_place(system, glyphs.merged("balls", [ball], color=LINK, opacity=0.7), force.a))
    return parts


def ground_parts(system: CompiledSystem, size: float, down: Array) -> list[Part]:
    """Return a foot under every place of the ground."""
    from floatframe.viewer.drawing.rigid_shapes import distinct

    ends = [end for joint in system.model.joints for end in (joint.a, joint.b)]
    ends += [end for force in system.model.forces if force.kind != "contact_plane" for end in (force.a, force.b) if end]
    places = [end.point for end in ends if end.body < 0]
    if not places:
        return []
    # the foot of a cone is at -z
    R = glyphs.turned(down)[:, [1, 2, 0]] * np.array([1.0, 1.0, -1.0])
    feet = [glyphs.moved(glyphs.cone(), 0.045 * size * R, point) for point in distinct(np.array(places), 1e-3 * size)]
    return [glyphs.merged("supports", feet, color=GROUND)]
