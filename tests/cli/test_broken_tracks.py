"""Broken input of vehicles on tracks, by the command line: one sentence each, and what was computed before is kept."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h, railway
from floatframe.cli.main import run

WHEELSET = """\
format = "floatframe-model/1"
gravity = [0, 0, -9.81]

[parameters]
speed = 10.0
gauge = 1.435
half = 0.75
push = 0.0
radius = 500.0

[track]
gauge = "gauge"
section = [{{ type = "straight", length = 20 }}, {{ type = "transition", length = 10 }}, {curve}]
{irregularities}

[[body]]
name = "axle"
mass = 1813
inertia = [1120, 112, 1120]
on_track = {{ distance = 5, speed = "speed", wheels = {{ radius = 0.46, load = 8893, half_distance = "half" }} }}

[[force]]
name = "left"
type = "wheel_on_track"
place = {{ body = "axle", point = [0, "half", 0] }}
side = "left"
radius = 0.46
{profile}
law = "{law}"

[[force]]
name = "right"
type = "wheel_on_track"
place = {{ body = "axle", point = [0, "-half", 0] }}
side = "right"
radius = 0.46
{profile}
law = "{law}"

[[force]]
name = "push"
type = "point_force"
place = {{ body = "axle" }}
force = [0, "push*t", 0]

[record]
every = 0.01

[simulate]
t_end = 1.0
method = "generalised-alpha"
step = 1e-3
"""
CURVE = '{ type = "curve", length = 30, radius = "radius" }'


def simulated(folder, *sets, **parts):
    """Exit code of a run with parameters set; parts of the model's text."""
    given = {"curve": CURVE, "irregularities": "", "profile": "", "law": "polach"} | parts
    (folder / "wheelset.toml").write_text(WHEELSET.format(**given), encoding="utf-8")
    options = [word for one in sets for word in ("--set", one)]
    return run(["simulate", str(folder / "wheelset.toml"), "-o", str(folder / "run.h5"), *options])


def one_sentence(capsys, words, places=1):
    """Whether one sentence was said, at every place of the model where it holds."""
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("floatframe: ")
    assert said.count("\n") == places


@pytest.mark.parametrize(
    ("sets", "words", "reached"),
    [
        (["push=1e5"], "has left the rail, 693 mm beside the middle of the track at 10", 0.5),
        (["speed=60"], "is 60.0", 0.9),  # the run is longer than the track
    ],
    ids=["derailment", "end of the track"],
)
def test_runs_that_break_off_say_why_and_keep_what_was_before(tmp_path, capsys, sets, words, reached):
    assert simulated(tmp_path, *sets) == 1
    one_sentence(capsys, words)
    result = h.Results.open(tmp_path / "run.h5")
    assert result.status.reason == "failed"
    assert result.t[-1] > reached
    assert np.isfinite(result["left.Q"]).all()
    assert run(["info", str(tmp_path / "run.h5")]) == 0


def test_wheels_that_touch_nothing_fall_below_the_rail(tmp_path, capsys):
    """The profile of a rail, given as that of a wheel."""
    rail = railway.profile("60E1", "rail")
    np.savetxt(tmp_path / "rail.csv", 1e3 * np.column_stack([rail.y, rail.z]), delimiter=",")
    assert simulated(tmp_path, profile='profile = "rail.csv"') == 1
    one_sentence(capsys, "has fallen below the rail")
    assert len(h.Results.open(tmp_path / "run.h5")) > 20  # 0.46 m are fallen in 0.3 s


@pytest.mark.parametrize(
    ("sets", "parts", "words"),
    [
        (["gauge=1.41"], {}, "are 1.425 m apart from face to face, more than the gauge of 1.41 m between the rails"),
        (["half=0.77"], {}, "move the wheels inward or widen the track"),
        (["radius=-12"], {}, "radius of 12 m, expected at least 14.35 m: no vehicle passes a curve tighter than 10"),
        (["radius=0"], {}, "expected a radius other than 0"),
        (
            [],
            {"irregularities": '[[track.irregularity]]\ntype = "measured"\nfile = "rough.csv"'},
            "cover 0 … 40 m, the track 0 … 60 m; give a longer record",
        ),
    ],
    ids=["gauge too narrow", "wheels too far apart", "curve too tight", "no radius", "irregularities too short"],
)
def test_tracks_that_wheels_do_not_fit(tmp_path, capsys, sets, parts, words):
    s = np.arange(0.0, 40.1, 0.25)
    rough = np.column_stack([s, 1e-4 * np.sin(s)])
    np.savetxt(tmp_path / "rough.csv", rough, delimiter=",", header="s,vertical", comments="")
    assert simulated(tmp_path, *sets, **parts) == 1
    one_sentence(capsys, words)
    assert not (tmp_path / "run.h5").exists()


def drawn(path, change):
    """Write S1002 in mm, changed."""
    wheel = railway.profile("S1002", "wheel")
    points = 1e3 * np.column_stack([wheel.y, wheel.z])
    np.savetxt(path, change(points), delimiter=",")


def crossing(points):
    """Points of the tread in a wrong order."""
    points[(points[:, 0] > 5) & (points[:, 0] < 15)] = points[(points[:, 0] > 5) & (points[:, 0] < 15)][::-1]
    return points


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (crossing, "crosses itself or turns back at y = "),
        (lambda points: points[:, ::-1], "crosses itself or turns back at y = "),
        (lambda points: 1e3 * points, "check the units of its lengths"),
        (lambda points: points[:5], "found 5 points, expected 8 at least"),
    ],
    ids=["crossing", "columns swapped", "wrong units", "too few points"],
)
def test_profiles_that_cannot_be(tmp_path, capsys, change, words):
    drawn(tmp_path / "wheel.csv", change)
    assert simulated(tmp_path, profile='profile = "wheel.csv"') == 1
    one_sentence(capsys, words, places=2)  # both wheels


@pytest.mark.parametrize("signs", [(1, -1), (-1, 1), (-1, -1)], ids=["upside down", "mirrored", "both"])
def test_profiles_the_wrong_way_round_are_turned(tmp_path, signs):
    """The flange shows which way is up and inside."""
    found = []
    for turn in ((1, 1), signs):
        drawn(tmp_path / "wheel.csv", lambda points, turn=turn: points * turn)
        assert simulated(tmp_path, profile='profile = "wheel.csv"') == 0
        found.append(h.Results.open(tmp_path / "run.h5")["left.Q"])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)


@pytest.mark.parametrize("law", ["saturated", "polach", "fastsim"])
def test_a_wheelset_may_stand(tmp_path, law, capsys):
    """At speed 0, pushed by less than friction holds: it stays where it is, but for the creep that holds it."""
    assert simulated(tmp_path, "speed=0", "push=3000", law=law) == 0
    assert "Newton" not in capsys.readouterr().out
    result = h.Results.open(tmp_path / "run.h5")
    weight = 1813 * 9.81
    assert result["left.Q"][-1] + result["right.Q"][-1] == pytest.approx(weight, rel=1e-3)
    # both rails push back: Y is outward on the left and inward on the right rail
    assert result["left.Y"][-1] - result["right.Y"][-1] == pytest.approx(3000.0, rel=0.02)
    assert np.abs(result["axle.position"][-1, :2] - (5.0, 0.0)).max() < 1e-4
