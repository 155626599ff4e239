"""`floatframe linear --at steady --vary`: rotating frequencies over speed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from tests.hybrid.stiffened_models import BEAM_UNIT, beam

MODEL = """
format = "floatframe-model/1"

[parameters]
speed = 0.0

[[body]]
name = "hub"
mass = 1.0
inertia = [1, 1, 1]

[[flexible]]
name = "blade"
file = "blade.h5"

[[joint]]
name = "axle"
type = "revolute"
place = { body = "hub", point = [0, 0, 0] }
against = { body = "ground", point = [0, 0, 0] }

[[joint]]
name = "root"
type = "fixed"
place = { body = "blade", node = 1 }
against = { body = "hub", point = [0, 0, 0] }

[[joint]]
name = "turn"
type = "motion"
joint = "axle"
value = "speed*t"
"""
# Wright et al. (1982), hub radius 0: Ω -> first flap frequency, both in units of sqrt(EI / (m L^4))
FLAP = {0: 3.5160, 4: 5.5850, 8: 9.2568, 12: 13.1702}


@pytest.fixture(scope="module")
def rotor(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rotor")
    ff.io.write(folder / "blade.h5", beam())
    (folder / "rotor.toml").write_text(MODEL, encoding="utf-8")
    return folder / "rotor.toml"


def test_frequencies_over_speed(rotor, capsys):
    vary = f"speed=0:{12 * BEAM_UNIT!r}:{4 * BEAM_UNIT!r}"
    assert run(["linear", str(rotor), "--at", "steady", "-n", "2", "--vary", vary, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["parameter"], found["at"]) == ("speed", "steady")
    assert len(found["points"]) == len(FLAP)
    for row, (speed, flap) in zip(found["points"], FLAP.items(), strict=True):
        assert row["value"] == pytest.approx(speed * BEAM_UNIT)
        lag = np.sqrt(flap**2 - speed**2)  # in the plane of rotation
        assert 2 * np.pi * np.array(row["frequency_hz"]) / BEAM_UNIT == pytest.approx([lag, flap], rel=5e-3)
        assert row["stable"]


def test_the_table(rotor, capsys):
    assert run(["linear", str(rotor), "--at", "steady", "-n", "2", "--vary", "speed=0:20:10"]) == 0
    words = capsys.readouterr().out
    assert "frequencies over speed, at steady" in " ".join(words.split())
    assert [line.split()[0] for line in words.splitlines() if line.strip()[:1].isdigit()] == ["0", "10", "20"]
    assert run(["linear", str(rotor), "--at", "steady", "-n", "2", "--set", "speed=30"]) == 0
    assert "at steady" in " ".join(capsys.readouterr().out.split())


def test_critical_speeds_need_a_unit_of_rotation(rotor, capsys, tmp_path):
    vary = f"speed [rad/s]=0:{4 * BEAM_UNIT!r}:{2 * BEAM_UNIT!r}"
    picture = tmp_path / "locus.png"
    words = ["linear", str(rotor), "--at", "steady", "-n", "2", "--vary", vary, "-o", str(picture)]
    assert run([*words, "--json"]) == 0
    [lag] = json.loads(capsys.readouterr().out)["resonances"]
    # flap² grows by Ω² almost exactly, so that lag² = flap² - Ω² meets Ω² at this Ω
    growth = (FLAP[4] ** 2 - FLAP[0] ** 2) / 4**2
    assert lag["speed"] / BEAM_UNIT == pytest.approx(FLAP[0] / np.sqrt(2 - growth), rel=5e-3)
    assert lag["mode"] == 1
    assert picture.stat().st_size > 0
    assert run(words[:-2]) == 0
    assert "critical speeds, modes at the frequency of rotation" in " ".join(capsys.readouterr().out.split())


def test_the_picture_follows_modes(rotor, capsys, tmp_path):
    picture = tmp_path / "campbell.svg"
    words = ["linear", str(rotor), "--at", "steady", "-n", "2", "--campbell", str(picture)]
    assert run([*words, "--vary", "speed=0:20:10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == [str(picture)]
    assert picture.stat().st_size > 0
    assert run(words) == 2
    assert "over a parameter; give --vary" in " ".join(capsys.readouterr().err.split())
    assert run([*words, "--vary", "speed=1:1:1"]) == 2
    assert "needs two or more values of --vary" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("wrong", ["speed", "speed=1:2", "speed=0:1:0", "=0:1:1", "speed=0:1:-1", "speed=0:1:1e-9"])
def test_wrong_spans(rotor, wrong, capsys):
    assert run(["linear", str(rotor), "--vary", wrong]) == 2
    assert "must have the form NAME=FIRST:LAST:STEP" in " ".join(capsys.readouterr().err.split())


TWO_MASSES = """
format = "floatframe-model/1"

[parameters]
speed = 0.0

[[body]]
name = "slow"
mass = 2.0
inertia = [1, 1, 1]

[[body]]
name = "fast"
mass = 2.0
inertia = [1, 1, 1]

[[joint]]
name = "below"
type = "prismatic"
place = { body = "slow" }
against = { body = "ground" }
axis = [1, 0, 0]

[[joint]]
name = "above"
type = "prismatic"
place = { body = "fast" }
against = { body = "ground" }
axis = [1, 0, 0]

[[force]]
name = "soft"
type = "bushing"
place = { body = "slow" }
against = { body = "ground" }
stiffness = [200, 0, 0]
damping = [1, 0, 0]

[[force]]
name = "stiff"
type = "bushing"
place = { body = "fast" }
against = { body = "ground" }
stiffness = [20000, 0, 0]
damping = ["30 - speed", 0, 0]
"""


@pytest.fixture
def masses(tmp_path):
    """Two oscillators, 10 and 100 rad/s; the faster one loses its damping at speed 30."""
    path = tmp_path / "masses.toml"
    path.write_text(TWO_MASSES, encoding="utf-8")
    return path


def test_what_grows_beyond_the_modes_shown_is_seen(masses, tmp_path, capsys):
    picture = tmp_path / "locus.png"
    words = ["linear", str(masses), "-n", "1", "--vary", "speed=0:50:10"]
    assert run([*words, "-o", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [len(point["frequency_hz"]) for point in found["points"]] == [1] * 6
    assert [point["stable"] for point in found["points"]] == [True, True, True, True, False, False]
    assert found["critical_speed"] == pytest.approx(30.0, rel=1e-6)
    assert run(["linear", str(masses), "-n", "1", "--set", "speed=40", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert (len(one["modes"]), one["stable"]) == (1, False)
    assert run(["linear", str(masses), "-n", "1", "--set", "speed=40"]) == 0
    assert "unstable by 1 of the modes beyond these 1" in capsys.readouterr().err


def test_a_sweep_that_keeps_too_few_modes_says_so(masses, tmp_path, capsys):
    sweep = tmp_path / "speeds.h5"
    words = ["sweep", str(masses), "--study", "linear", "--vary", "speed=0:50:10", "-o", str(sweep)]
    assert run([*words, "-n", "1"]) == 0
    capsys.readouterr()
    assert run(["assess", str(sweep), "--over", "speed"]) == 0
    said = capsys.readouterr()
    assert "nowhere from 0 to 50" in said.out
    assert "at speed = 40 a mode grows that the sweep did not keep; sweep again with a larger -n" in said.err
    assert run([*words, "-n", "2", "--force"]) == 0
    capsys.readouterr()
    assert run(["assess", str(sweep), "--over", "speed"]) == 0
    said = capsys.readouterr()
    assert "sweep again" not in said.err
    assert "30" in said.out


def test_a_speed_without_steady_motion_costs_its_row_only(tmp_path, capsys):
    """A mass off the axis on a spring that turns along: nothing holds it at √(k/m) = 20 rad/s."""
    path = tmp_path / "arm.toml"
    hub, _, turn = MODEL.partition("[[flexible]]")
    path.write_text(hub + MASS_ON_ARM + turn[turn.index('[[joint]]\nname = "turn') :], encoding="utf-8")
    assert run(["linear", str(path), "--at", "steady", "--vary", "speed=10:30:10", "--json"]) == 0
    said = capsys.readouterr()
    points = json.loads(said.out)["points"]
    # √(k/m - Ω²); beyond 20 rad/s the mass flies off, e-fold in 1/√(30² - 20²) s
    assert [(one["value"], one["stable"]) for one in points] == [(10.0, True), (30.0, False)]
    assert 2 * np.pi * points[0]["frequency_hz"][0] == pytest.approx(np.sqrt(20.0**2 - 10.0**2), rel=1e-9)
    assert "arm.toml: left out at speed = 20: no steady motion" in " ".join(said.err.split())
    assert run(["linear", str(path), "--at", "steady", "--vary", "speed=20:20:1"]) == 1
    assert "at speed = 20: no steady motion" in " ".join(capsys.readouterr().err.split())


MASS_ON_ARM = """
[[body]]
name = "mass"
mass = 2.0
inertia = [1, 1, 1]
position = [0.1, 0, 0]

[[joint]]
name = "axle"
type = "revolute"
place = { body = "hub", point = [0, 0, 0] }
against = { body = "ground", point = [0, 0, 0] }

[[joint]]
name = "arm"
type = "prismatic"
place = { body = "mass" }
against = { body = "hub", point = [0.1, 0, 0] }
axis = [1, 0, 0]

[[force]]
name = "spring"
type = "joint_force"
joint = "arm"
force = "-800*displacement"

"""
