"""A small mechanism with a loop."""

from __future__ import annotations

from floatframe import hybrid


def closed_loop() -> hybrid.Model:
    """A four-bar under gravity, whose cut joint needs projection."""
    model = hybrid.Model(gravity=(0, -9.81, 0))
    bars = [model.add(hybrid.RigidBody(f"bar{k}", 1.0, (0.1, 0.1, 0.1), com=(0.5, 0, 0))) for k in range(3)]
    model.add(hybrid.revolute("A", bars[0].at(), model.ground.at(), start=1.2))
    model.add(hybrid.revolute("B", bars[1].at(), bars[0].at((1, 0, 0))))
    model.add(hybrid.revolute("C", bars[2].at(), bars[1].at((1, 0, 0))))
    model.add(hybrid.revolute("D", bars[2].at((1, 0, 0)), model.ground.at((1.8, 0, 0))))
    return model
