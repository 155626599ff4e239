"""Two bodies that tumble in space, with or without a loop."""

from __future__ import annotations

from floatframe import hybrid as h


def tumbling_pair(loop: bool = True) -> h.System:
    """A body on a ball joint and another hinged to it by a constraint: attitudes are quaternions, rows are coupled."""
    model = h.Model(gravity=(0, 0, -9.81))
    first = h.RigidBody("first", 1.0, (0.02, 0.1, 0.12), com=(0.5, 0, 0), angular_velocity=(2, 1, 0.5))
    second = h.RigidBody(
        "second", 0.8, (0.03, 0.05, 0.07), com=(0.3, 0.1, 0), position=(1, 0, 0), angular_velocity=(2, 1, 0.5)
    )
    model.add(first)
    model.add(second)
    model.add(h.spherical("ball", first.at(), model.ground.at()))
    model.add(h.revolute("hinge", second.at(), first.at((1, 0, 0)), axis=(0, 1, 0), cut=loop))
    return model.compile()
