"""Runs that begin from an equilibrium or a steady motion, in Python, in model files and on the command line."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run

h = ff.hybrid
G = 9.81
# a mass on a spring and a bob on a driven crank: at t = 0 the crank turns already
TEXT = """
format = "floatframe-model/1"
gravity = [0, 0, -9.81]
[parameters]
mass = 2.0
[[body]]
name = "block"
mass = "mass"
inertia = [1, 1, 1]
[[joint]]
name = "guide"
type = "prismatic"
place = { body = "block", point = [0, 0, 0] }
against = { body = "ground", point = [0, 0, 0] }
axis = [0, 0, 1]
[[force]]
name = "spring"
type = "joint_force"
joint = "guide"
force = "-800*displacement"
[record]
every = 0.05
[simulate]
t_end = 0.2
step = 0.01
"""
REST = -2.0 * G / 800.0


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "block.toml"
    path.write_text(TEXT)
    return path


def heights(path):
    return ff.hybrid.Results.open(path)["guide.displacement"]


def test_python(file):
    model = h.read_model(file)
    system = model.model.compile()
    for begin in ("equilibrium", system.equilibrium()):
        result = system.simulate(begin, record=model.record, **model.simulate)
        assert result["guide.displacement"] == pytest.approx(REST, rel=1e-9)
    assert system.simulate(record=model.record, **model.simulate)["guide.displacement"][0] == 0.0
    with pytest.raises(ff.errors.ModelError, match="begins from 'rest', expected one of start, equilibrium, steady"):
        system.simulate("rest", t_end=0.1)


def test_model_file(file):
    file.write_text(TEXT + 'from = "equilibrium"\n')
    model = h.read_model(file)
    result = model.model.compile().simulate(record=model.record, **model.simulate)
    assert result["guide.displacement"] == pytest.approx(REST, rel=1e-9)
    file.write_text(TEXT + 'from = "rest"\n')
    with pytest.raises(ff.hybrid.ModelFileError, match="expected one of start, equilibrium, steady"):
        h.read_model(file)


def test_command_line_and_resume(file, tmp_path):
    output = str(tmp_path / "run.h5")
    assert run(["simulate", str(file), "-o", output, "--from", "equilibrium"]) == 0
    assert heights(output) == pytest.approx(REST, rel=1e-9)
    # the resumed run goes on from there without being asked again
    assert run(["simulate", str(file), "-o", output, "--t-end", "0.4", "--resume"]) == 0
    assert len(heights(output)) == 9
    assert heights(output) == pytest.approx(REST, rel=1e-9)


def test_resume_from_another_place_is_refused(file, tmp_path, capsys):
    output = str(tmp_path / "run.h5")
    assert run(["simulate", str(file), "-o", output]) == 0
    assert run(["simulate", str(file), "-o", output, "--t-end", "0.4", "--resume", "--from", "equilibrium"]) != 0
    assert "begun with from start, found equilibrium" in " ".join(capsys.readouterr().err.split())


def test_sweep(file, tmp_path):
    result = h.sweep(file, {"mass": "1,3"}, "simulate", ["guide.displacement:peak"], workers=1, state="equilibrium")
    assert result["guide.displacement:peak"] == pytest.approx(np.array([1.0, 3.0]) * G / 800.0, rel=1e-9)
    output = str(tmp_path / "s.h5")
    words = ["sweep", str(file), "--vary", "mass=1,3", "--measure", "guide.displacement:peak", "-o", output]
    assert run([*words, "--workers", "1", "--from", "equilibrium"]) == 0


def test_drive_that_moves_at_the_start_stays_consistent():
    """A bob hangs from a carriage driven at 2 m/s: position at rest, speeds of the drive, joints closed."""
    model = h.Model(gravity=(0, 0, -G))
    carriage = model.add(h.RigidBody("carriage", mass=1.0, inertia=(1, 1, 1)))
    bob = model.add(h.RigidBody("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), com=(0, 0, -0.5)))
    model.add(h.prismatic("rail", carriage.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.motion("drive", "rail", "2*t"))
    model.add(h.revolute("pin", bob.at(), carriage.at(), axis=(0, 1, 0), start=0.4))
    system = model.compile()
    result = system.simulate("equilibrium", t_end=0.5, record=h.Record(0.1))
    assert result["carriage.velocity"][:, 0] == pytest.approx(2.0, rel=1e-9)
    # a uniform motion is as good as rest: the bob does not swing
    assert np.abs(result["pin.angle"]).max() <= 1e-6
