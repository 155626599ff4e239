"""Bodies and places of a model in their flat form."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.expressions import Mistakes
from floatframe.hybrid.description import (
    BODY_LIMITS,
    GROUND,
    FlexibleBody,
    Place,
    RigidBody,
    damping_matrix,
    describe_damping,
    doubtful_damping,
    ratios_as_held,
    rotation_matrix,
)
from floatframe.hybrid.flat.body_frames import PreparedBodies, doubtful_frame
from floatframe.hybrid.flat.checks import (
    geometric_terms,
    interface_words,
    node_number,
    positive_limit,
    positive_mass,
)
from floatframe.hybrid.flat.model import FlatBody, FlatPlace
from floatframe.hybrid.flat.parts import Part
from floatframe.hybrid.flat.reuse import Reuse
from floatframe.hybrid.flat.shapes import Shapes, mass_of_rigid
from floatframe.modal import ReducedBody
from floatframe.wording import did_you_mean


@dataclass
class Bodies:
    """The bodies found so far, by their full names."""

    reuse: Reuse
    flat: list[FlatBody] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    prepared: PreparedBodies = field(default_factory=PreparedBodies)
    shapes: Shapes = field(default_factory=Shapes)

    def add(self, part: Part, mistakes: Mistakes) -> None:
        """Take in the bodies of a part."""
        for item in part.assembly:
            if isinstance(item, RigidBody | FlexibleBody):
                with mistakes.of(part.path + item.name, item.name):
                    self.flat.append(self.reuse.flat(part, item.name, partial(self._flat, body=item)))
                    for sentence in self.flat[-1].doubts:
                        warnings.warn(sentence, stacklevel=2)
                    self.number[part.path + item.name] = len(self.flat) - 1

    def _flat(self, part: Part, body: RigidBody | FlexibleBody) -> FlatBody:
        name, scope = part.path + body.name, part.scope
        where = Where.of("body", name)
        position = scope.optional(body.position, where.key("position"))
        rotation = rotation_matrix(body.rotation, scope, where.key("rotation"))
        velocity = scope.optional(body.velocity, where.key("velocity"))
        reduced, damping, held_ratios, given, shape = None, np.zeros((0, 0)), None, None, None
        limits: tuple[float, ...] = ()
        doubts: list[str] = []
        if isinstance(body, FlexibleBody):
            reduced, own_damping = self._reduced(part, body, where)
            if body.stiffening in ("interface", "full"):
                geometric_terms(reduced, body, where)
            limits = tuple(
                positive_limit(scope.number(getattr(body, name), where.key(name)), where.key(name))
                for name in BODY_LIMITS
            )
            omega = np.sqrt(np.diag(reduced.stiffness))
            damping = own_damping + damping_matrix(body.damping, omega, scope, where.key("damping"))
            held_ratios = ratios_as_held(body.damping, omega.size, scope, where.key("damping"))
            given = describe_damping(body.damping, scope, where.key("damping"))
            doubts += doubtful_frame(reduced, tuple(body.frame), where)
            doubts += doubtful_damping(given, where.key("damping"))
            mass, com = positive_mass(reduced.inertia.m, where), reduced.inertia.com
            inertia = reduced.inertia.inertia_about_com
        else:
            earlier = self.reuse.earlier(part, body.name)
            shape = self.shapes.surface(body, scope, where, None if earlier is None else earlier.shape)
            mass, com, inertia = mass_of_rigid(body, shape, scope, where)
        return FlatBody(
            name=name,
            mass=mass,
            com=com,
            inertia=inertia,
            reduced=reduced,
            damping=damping,
            position=None if position is None else part.position + part.rotation @ position,
            rotation=None if rotation is None else part.rotation @ rotation,
            velocity=None if velocity is None else part.rotation @ velocity,
            angular_velocity=scope.optional(body.angular_velocity, where.key("angular_velocity")),
            subsystem=part.subsystem,
            coriolis=body.coriolis if isinstance(body, FlexibleBody) else True,
            stiffening=body.stiffening if isinstance(body, FlexibleBody) else "off",
            limits=limits,
            home_position=part.position,
            home_rotation=part.rotation,
            damping_given=given,
            held_ratios=held_ratios,
            doubts=tuple(doubts),
            shape=shape,
        )

    def _reduced(self, part: Part, body: FlexibleBody, where: Where) -> tuple[ReducedBody, Array]:
        """The reduced body in its frame, which no parameter changes, and the damping (n, n) of its own dampers."""
        earlier = self.reuse.earlier(part, body.name)
        if earlier is None:
            return self.prepared.body(body, where)
        return earlier.reduced, earlier.reduced.damping

    def place(self, part: Part, place: Place, where: Where) -> FlatPlace:
        """Return a place with the number of its body."""
        point = part.scope.array(place.point, where.key("point"))
        rotation = rotation_matrix(place.rotation, part.scope, where.key("rotation", f"rotation of {place}"))
        if place.body == GROUND:
            if place.node is not None:
                raise where.at("node").error(f"the ground has no node {place.node}; give a point")
            home = None if np.array_equal(part.rotation, np.eye(3)) else part.rotation
            axes = home if rotation is None else part.rotation @ rotation
            return FlatPlace(-1, part.position + part.rotation @ point, None, axes, home)
        name = part.path + place.body
        if name not in self.number:
            known = [key.removeprefix(part.path) for key in self.number if key.startswith(part.path)]
            words = f"body '{place.body}' does not exist{did_you_mean(place.body, [GROUND, *known])}"
            raise where.at("body").error(words, missing=place.body)
        number = self.number[name]
        reduced = self.flat[number].reduced
        if reduced is None:
            if place.node is not None:
                raise where.at("node").error(f"body '{name}' is rigid and has no node {place.node}; give a point")
            return FlatPlace(number, point, None, rotation)
        if place.node is None:
            raise where.error(f"body '{name}' is flexible, a place on it is a node; {interface_words(reduced)}")
        node = node_number(reduced, place.node, where.at("node"), name)
        row = int(reduced.node_index([node])[0])
        return FlatPlace(number, reduced.nodes[row], node, rotation)

    def require_two_ends(self, a: FlatPlace, b: FlatPlace, where: Where) -> None:
        """Refuse a joint or force whose places cannot move against each other."""
        if a.body == b.body and (a.node is None or a.node == b.node):
            name = self.flat[a.body].name if a.body >= 0 else GROUND
            raise where.error(f"both places are on '{name}', expected two bodies or a body and the ground")
