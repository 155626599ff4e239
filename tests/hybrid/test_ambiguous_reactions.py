"""Joints whose reactions redundant constraints leave open."""

from __future__ import annotations

from floatframe import hybrid as h
from floatframe.hybrid.redundancy import ambiguous_joints


def door(hinges):
    """A door on hinges on one line, with a handle that turns and hangs on the door alone."""
    model = h.Model(gravity=(0, 0, -9.81))
    panel = model.add(h.RigidBody("panel", 30.0, (5, 7, 3), com=(0.1, 0.5, 1.0)))
    handle = model.add(h.RigidBody("handle", 0.3, (0.01, 0.01, 0.01)))
    for k in range(hinges):
        model.add(h.revolute(f"hinge{k + 1}", panel.at((0, 0, k)), model.ground.at((0, 0, k))))
    model.add(h.revolute("turn", handle.at(), panel.at((0, 1, 1)), axis=(1, 0, 0)))
    return model.compile()


def test_both_hinges_of_a_door_share_its_weight_in_no_certain_way():
    """One hinge is a branch of the tree, the other is cut; the handle has a reaction of its own."""
    assert ambiguous_joints(door(2)) == ("hinge1", "hinge2")


def test_one_hinge_is_certain():
    assert ambiguous_joints(door(1)) == ()


def test_loops_apart_are_told_apart():
    """Beside a doubly held door a four-bar of spheres and a distance is free of doubt."""
    model = h.Model()
    panel = model.add(h.RigidBody("panel", 1.0, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", 1.0, (1, 1, 1), position=(5, 0, 0)))
    model.add(h.revolute("low", panel.at(), model.ground.at(), cut=True))
    model.add(h.revolute("high", panel.at((0, 0, 1)), model.ground.at((0, 0, 1)), cut=True))
    model.add(h.spherical("ball", rod.at(), model.ground.at((5, 0, 0))))
    model.add(h.distance("stay", rod.at((1, 0, 0)), model.ground.at((6, 1, 0))))
    assert ambiguous_joints(model.compile()) == ("low", "high")
