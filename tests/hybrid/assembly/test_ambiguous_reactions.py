"""Joints whose reactions redundant constraints leave open."""

from __future__ import annotations

import json

from floatframe import hybrid as h
from floatframe.cli.main import run
from floatframe.hybrid.assembly.redundancy import ambiguous_joints


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


def test_loops_apart_are_distinguished():
    """Beside a doubly held door a four-bar of spheres and a distance is free of doubt."""
    model = h.Model()
    panel = model.add(h.RigidBody("panel", 1.0, (1, 1, 1)))
    rod = model.add(h.RigidBody("rod", 1.0, (1, 1, 1), position=(5, 0, 0)))
    model.add(h.revolute("low", panel.at(), model.ground.at(), cut=True))
    model.add(h.revolute("high", panel.at((0, 0, 1)), model.ground.at((0, 0, 1)), cut=True))
    model.add(h.spherical("ball", rod.at(), model.ground.at((5, 0, 0))))
    model.add(h.distance("stay", rod.at((1, 0, 0)), model.ground.at((6, 1, 0))))
    assert ambiguous_joints(model.compile()) == ("low", "high")


def test_equilibria_and_results_carry_the_names(tmp_path):
    """In memory and read back from the file; nothing is named where all is certain."""
    record = h.Record(channels=["hinge1.force"])
    for system, names in ((door(2), ("hinge1", "hinge2")), (door(1), ())):
        found = h.find_equilibrium(system)
        assert found.ambiguous == names
        assert ("reactions not unique: hinge1, hinge2" in str(found)) == bool(names)
        assert system.simulate(t_end=0.01, step=0.01, record=record).ambiguous == names
        path = tmp_path / "run.h5"
        system.simulate(t_end=0.01, step=0.01, record=record, path=path)
        assert h.Results.open(path).ambiguous == names


DOOR = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[[body]]
name = "panel"
mass = 30.0
inertia = [5, 7, 3]
com = [0.1, 0.5, 1.0]

[[joint]]
name = "low"
type = "revolute"
place = { body = "panel", point = [0, 0, 0] }
against = { body = "ground", point = [0, 0, 0] }

[[joint]]
name = "high"
type = "revolute"
place = { body = "panel", point = [0, 0, 1] }
against = { body = "ground", point = [0, 0, 1] }

[simulate]
t_end = 0.01
step = 0.01
"""


def test_commands_tell_machines(tmp_path, capsys):
    file, path = tmp_path / "door.toml", tmp_path / "run.h5"
    file.write_text(DOOR, encoding="utf-8")
    for arguments in (["equilibrium", file], ["simulate", file, "-o", path]):
        assert run([*map(str, arguments), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ambiguous_reactions"] == ["low", "high"]
