"""Models without dofs, and joints that say the same twice."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run

h = ff.hybrid
G = 9.81
WELDED = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
[parameters]
mass = 2.0
[[body]]
name = "block"
mass = "mass"
com = [0.1, 0, 0]
inertia = [1, 1, 1]
[[joint]]
name = "weld"
type = "fixed"
place = { body = "block", point = [0, 0, 0] }
against = { body = "ground", point = [0, 0, 0] }
[record]
every = 0.05
[simulate]
t_end = 0.1
"""


class TestWithoutDofs:
    """A block welded to the ground: nothing moves, and the weld carries the weight."""

    @pytest.mark.parametrize("cut", [False, True])
    def test_studies(self, cut):
        model = h.Model(gravity=(0, 0, -G))
        block = model.add(h.RigidBody("block", mass=2.0, inertia=(1, 1, 1), com=(0.1, 0, 0)))
        model.add(h.fixed("weld", block.at(), model.ground.at(), cut=cut))
        system = model.compile()
        assert system.ndof == 0
        found = h.find_equilibrium(system)
        assert found.stable
        assert found.free == ()
        assert len(system.linearise().frequency) == 0
        assert not system.steady_motion().v.any()
        for method in ("generalised-alpha", "rk45", "scipy:Radau"):
            result = system.simulate(t_end=0.1, method=method, record=h.Record(0.05))
            assert result.status.ok
            # weight, and its moment about the weld: x times -m g in z is along +y on the block's side
            assert result["weld.force"][-1] == pytest.approx([0, 0, 2.0 * G], abs=1e-9)
            assert result["weld.torque"][-1] == pytest.approx([0, -0.1 * 2.0 * G, 0], abs=1e-9)

    def test_commands(self, tmp_path, capfd):
        file = tmp_path / "welded.toml"
        file.write_text(WELDED)
        result = str(tmp_path / "run.h5")
        for words in (
            ["info", str(file)],
            ["equilibrium", str(file), "--json"],
            ["linear", str(file)],
            ["linear", str(file), "--at", "steady", "--json"],
            ["simulate", str(file), "-o", result],
            ["info", result],
            ["view", str(file), "--save", str(tmp_path / "a.html")],
            ["view", result, "--save", str(tmp_path / "b.html")],
            ["report", str(file), "-o", str(tmp_path / "c.html")],
            ["report", result, "-o", str(tmp_path / "d.html")],
            ["sweep", str(file), "--vary", "mass=1,2", "-o", str(tmp_path / "s.h5"), "--workers", "1"],
        ):
            assert run(words) == 0, capfd.readouterr().err
        capfd.readouterr()
        assert run(["equilibrium", str(file), "--json"]) == 0
        assert '"force_n"' in capfd.readouterr().out


@pytest.mark.parametrize("grounded", [True, False])
def test_two_bodies_hinged_twice_at_one_point(grounded):
    """The second hinge adds nothing, whether the pair floats or not: all its rows are redundant."""
    model = h.Model(gravity=(0, 0, -G))
    one = model.add(h.RigidBody("one", mass=2.0, inertia=(1, 1, 1)))
    two = model.add(h.RigidBody("two", mass=1.0, inertia=(0.5, 0.5, 0.5), com=(0.3, 0, 0)))
    if grounded:
        model.add(h.fixed("base", one.at(), model.ground.at()))
    for name in ("first", "second"):
        model.add(h.revolute(name, two.at(), one.at(), axis=(0, 1, 0)))
    system = model.compile()
    assert system.ndof == (1 if grounded else 7)
    assert len(system.redundant) == 5
    result = system.simulate(t_end=0.1, record=h.Record(0.1))
    assert result.status.ok
    if not grounded:
        # it falls freely: the common centre of mass drops by g t^2 / 2
        drop = (2.0 * result["one.com_position"][-1] + result["two.com_position"][-1])[2] / 3.0
        assert drop == pytest.approx(-0.5 * G * 0.01, rel=1e-6)
    assert np.isfinite(result["first.force"]).all()


@pytest.mark.parametrize("method", ["generalised-alpha", "auto"])
def test_singular_start_is_named(method):
    """A parallelogram that lies flat may go on as one or fold: runs and equilibria say that the start is singular."""
    model = h.Model()
    rods = []
    for name, length in (("left", 1.0), ("bar", 2.0), ("right", 1.0)):
        rods.append(model.add(h.RigidBody(name, mass=1.0, inertia=(0.1, 0.1, 0.1), com=(length / 2, 0, 0))))
    left, bar, right = rods
    model.add(h.revolute("A", left.at(), model.ground.at()))
    model.add(h.revolute("B", bar.at(), left.at((1, 0, 0))))
    model.add(h.revolute("D", right.at(), model.ground.at((2, 0, 0))))
    model.add(h.revolute("C", bar.at((2, 0, 0)), right.at((1, 0, 0))))
    model.add(h.joint_torque("motor", "A", 1.0))
    system = model.compile()
    status = system.simulate(t_end=0.1, record=h.Record(0.1), method=method).status
    assert not status.ok
    assert "singular position (dead centre): joints 'C'" in str(status)
    with pytest.raises(ff.errors.NotConverged, match=r"singular position \(dead centre\)"):
        h.find_equilibrium(system)
