"""A part on an arm of a spinning carrier, held by a joint of some kind until it leaves."""

from __future__ import annotations

from floatframe import hybrid as h

G = 9.81

KINDS = {
    "fixed": lambda a, b: h.fixed("J", a, b),
    "revolute": lambda a, b: h.revolute("J", a, b, axis=(0.2, 1, 0)),
    "prismatic": lambda a, b: h.prismatic("J", a, b, axis=(1, 0.3, 0)),
    "cylindrical": lambda a, b: h.cylindrical("J", a, b, axis=(0, 0, 1)),
    "planar": lambda a, b: h.planar("J", a, b, normal=(0, 0.1, 1)),
    "spherical": lambda a, b: h.spherical("J", a, b),
    "universal": lambda a, b: h.universal("J", a, b, axis_a=(1, 0, 0), axis_b=(0, 0, 1)),
    "screw": lambda a, b: h.screw("J", a, b, pitch=0.05),
}


def held_part(kind, back=None):
    """A spinning carrier, an arm hinged to it, and a part on the arm, held by a joint of some kind until it leaves."""
    model = h.Model(gravity=(0, 0, -G))
    carrier = model.add(h.RigidBody("carrier", 5.0, (2, 3, 1.5), velocity=(1, 0, 2), angular_velocity=(0.3, -0.4, 0.5)))
    arm = model.add(h.RigidBody("arm", 2.0, (0.1, 0.3, 0.25), com=(0.4, 0, 0)))
    part = model.add(h.RigidBody("part", 1.0, (0.02, 0.03, 0.04), com=(0.05, 0.1, 0)))
    model.add(h.revolute("hinge", arm.at(), carrier.at((0.5, 0, 0.2)), axis=(0, 1, 0), start=0.2, start_rate=1.0))
    joint = KINDS[kind](part.at((0, -0.1, 0)), arm.at((0.8, 0, 0)))
    model.add(joint)
    model.add(h.spring("band", part.at(), carrier.at(), stiffness=20.0, damping=0.5, length=0.5))
    model.add(h.Stage("leave", 0.3, release=["J"]))
    if back is not None:
        model.add(h.Stage("back", back, lock=["J"]))
    return model
