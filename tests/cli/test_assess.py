"""`floatframe assess`: a sledge on two guides whose forces are known, and sweeps with known critical speeds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.cli.main import run
from tests.cli.json_page import undocumented

SPEED, MASS = 20.0, 6000.0
SLEDGE = f"""\
format = "floatframe-model/1"
gravity = [0, 0, -10]

[[body]]
name = "left"
mass = {MASS}
inertia = [1, 1, 1]
velocity = [{SPEED}, 0, 0]

[[body]]
name = "right"
mass = {MASS}
inertia = [1, 1, 1]
velocity = [{SPEED}, 0, 0]

[[body]]
name = "coach"
mass = 1000
inertia = [1, 1, 1]

[[joint]]
name = "rail_left"
type = "prismatic"
place = {{ body = "left" }}
against = {{ body = "ground" }}
axis = [1, 0, 0]

[[joint]]
name = "rail_right"
type = "prismatic"
place = {{ body = "right" }}
against = {{ body = "ground" }}
axis = [1, 0, 0]

[[joint]]
name = "sill"
type = "prismatic"
place = {{ body = "coach" }}
against = {{ body = "ground" }}
axis = [0, 1, 0]

[[force]]
name = "push"
type = "point_force"
place = {{ body = "left" }}
force = [0, "-12000 - 6000*sin(2*pi*2*t)", 0]

[[force]]
name = "sway"
type = "point_force"
place = {{ body = "coach" }}
force = [0, "500*sin(2*pi*1.0*t)", 0]

[record]
every = 2e-3
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("assess")
    (place / "sledge.toml").write_text(SLEDGE, encoding="utf-8")
    system = ff.hybrid.read_model(place / "sledge.toml").model.compile()
    record = ff.hybrid.Record(every=2e-3)
    system.simulate(t_end=20.0, record=record, path=place / "run.h5")
    return place


CHANNELS = [
    *("--y", "rail_left.force.y", "--q", "rail_left.force.z", "--y", "rail_right.force.y", "--q", "rail_right.force.z"),
    *("--distance", "left.position.x"),
]
LOADED = [*CHANNELS, "--load", "60e3"]


def test_forces_and_ride_of_a_sledge(folder, capsys, tmp_path):
    picture = tmp_path / "assessment.png"
    words = [*LOADED, "--accelerations", "coach.acceleration", "-o", str(picture), "--json"]
    assert run(["assess", str(folder / "run.h5"), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    assert picture.stat().st_size > 20_000
    value = {(row["subject"], row["quantity"]): row for row in found["findings"]}
    # 12 kN and 6 kN at 2 Hz, 10 m long, less by the sinc of 2 m; low pass and percentiles take less than 0.1 %
    lateral = 12e3 + 6e3 * np.sinc(0.2)
    assert_allclose(value["rail_left.force.y", "Y/Q"]["value"], lateral / 60e3, rtol=2e-3)
    assert_allclose(value["rail.force.y", "ΣY"]["value"], lateral, rtol=2e-3)
    assert_allclose(value["rail.force.y", "ΣY"]["limit"], 50e3)
    assert_allclose(value["rail_left.force.y", "Q"]["value"], 60e3, rtol=1e-6)
    assert_allclose(value["rail_left.force.y", "Q"]["limit"], 150e3)
    assert_allclose(value["rail_left.force.y", "Y/Q, Nadal"]["limit"], 1.20, atol=5e-3)
    # the coach: 0.5 m/s² at 1 Hz
    weight = ff.railway.sperling_weight(1.0, "lateral")
    assert_allclose(value["coach.acceleration.y", "Wz lateral"]["value"], (50.0 * weight) ** 0.3, rtol=5e-3)
    assert_allclose(value["coach.acceleration.y", "lateral acceleration rms"]["value"], 0.5 / np.sqrt(2), rtol=0.02)
    comfort = 6.0 * 1.011 * 0.5 / np.sqrt(2.0)  # Wd at 1 Hz
    assert_allclose(value["coach.acceleration", "N_MV of x y z"]["value"], comfort, rtol=0.03)
    assert found["exceeded_count"] == 0


def test_table_says_what_is_exceeded(folder, capsys):
    assert run(["assess", str(folder / "run.h5"), *CHANNELS, "--load", "5e3", "--from", "2", "--factor", "0.85"]) == 0
    said = capsys.readouterr().out
    assert "ΣY" in said
    assert "EXCEEDED" in said
    assert "2 … 20 s" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "there is no wheel in the run"),
        (["--wheels", "front.left"], "channel 'front.left.Y' does not exist"),
        (["--y", "rail_left.force.y"], "every wheel needs one --y and one --q"),
        (["--y", "rail_left.force", "--q", "rail_left.force.z", "--distance", "left.position.x"], "several components"),
        (
            ["--y", "rail_left.force.y", "--q", "rail_left.force.z", "--distance", "coach.position.x"],
            "stands or turns back at t = ",
        ),
        (["--accelerations", "sill.rate"], "has no axis"),
        (["--over", "speed"], "applies to sweeps only"),
    ],
)
def test_mistakes_are_one_sentence(folder, capsys, words, sentence):
    assert run(["assess", str(folder / "run.h5"), *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def sweep_of(tmp_path, parameters, columns, study):
    """A sweep as it would come from `floatframe sweep`."""
    count = int(np.prod([len(values) for values in parameters.values()]))
    names = tuple(ff.io.Channel(name, "") for name in columns)
    result = ff.io.SweepResult(
        parameters={name: tuple(map(float, values)) for name, values in parameters.items()},
        columns=names,
        values=np.column_stack(list(columns.values())),
        states=("done",) * count,
        sentences=("",) * count,
        seconds=np.zeros(count),
        settings={"study": study},
    )
    path = tmp_path / "sweep.h5"
    ff.io.write(path, result)
    return str(path)


def test_critical_speed_of_a_linear_sweep(tmp_path, capsys):
    speed = np.arange(10.0, 91.0, 10.0)
    columns = {
        "frequency.1": 0.02 * speed + 0.4,
        "frequency.2": 0.05 * speed,
        "damping.1": 0.1 + 0.0 * speed,
        "damping.2": (55.0 - speed) / 200.0,
    }
    path = sweep_of(tmp_path, {"speed": speed}, columns, "linear")
    picture = tmp_path / "locus.png"
    assert run(["assess", path, "-o", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    assert_allclose(found["critical_speed"], 55.0, rtol=1e-9)  # a parabola, exact for a cubic
    # what turns is less than |root| by its damping, which is not quite zero at the speeds beside
    assert_allclose(found["crossings"][0]["frequency_hz"], 2.75, rtol=1e-3)
    assert picture.stat().st_size > 10_000
    assert run(["assess", path]) == 0
    assert "unstable" in capsys.readouterr().out


def test_limit_cycles_of_a_sweep_of_runs(tmp_path, capsys):
    speed, start = np.arange(20.0, 81.0, 10.0), np.array([1e-4, 8e-3])
    small = np.where(speed > 65.0, 6e-3, 1e-6)
    large = np.where(speed > 45.0, 6e-3, 1e-6)
    amplitude = np.column_stack([small, large]).ravel()
    columns = {"axle.position.y:max": 0.01 + amplitude, "axle.position.y:min": 0.01 - amplitude}
    path = sweep_of(tmp_path, {"speed": speed, "start": start}, columns, "simulate")
    picture = tmp_path / "cycles.png"
    words = ["assess", path, "--amplitude", "axle.position.y", "-o", str(picture)]
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not undocumented(found)
    assert (found["lowest"], found["starts"]) == (50.0, 70.0)
    assert_allclose(found["falling"], large, rtol=1e-9)
    assert run(words) == 0
    assert "limit cycles exist from speed = 50" in capsys.readouterr().out
    assert run(["assess", path]) == 2
    assert "--amplitude names the column" in capsys.readouterr().err
