"""`floatframe assess` in curves: accelerations in the axes of the vehicle, gravity included."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h, railway
from floatframe.cli.main import run

GRAVITY, RADIUS, CANT = 9.81, 400.0, 0.12


@pytest.fixture(scope="module", params=[0.0, CANT], ids=["level", "canted"])
def curve(request, tmp_path_factory):
    """A coach that the track itself guides, and an axle that spins in it; in a curve to the left from the start."""
    speed = 25.0
    track = railway.Track(sections=[railway.Curve(300.0, RADIUS, cant=request.param)])
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    frame = h.add_track_frame(model, f"100 + {speed}*t")
    here = railway.on_track(track, 100.0, speed=speed)
    spinning = railway.on_track(track, 100.0, speed=speed, rotation=speed / 0.46)
    coach = model.add(h.RigidBody("coach", 1e3, (1e3, 1e3, 1e3), **here))
    axle = model.add(h.RigidBody("axle", 1e3, (1e3, 1e2, 1e3), **spinning))
    model.add(h.fixed("held", coach.at(), frame.at()))
    model.add(h.revolute("spin", axle.at(), frame.at(), axis=(0, 1, 0)))
    path = tmp_path_factory.mktemp("curve") / "run.h5"
    record = h.Record(every=5e-3)
    model.compile().simulate(t_end=5.0, step=5e-3, method="generalised-alpha", record=record, path=path)
    lean = math.asin(request.param / track.rail_distance)
    return path, speed**2 / RADIUS, lean


@pytest.mark.parametrize("body", ["coach", "axle"])
def test_quasi_static_acceleration_is_that_of_the_curve_less_that_of_its_cant(curve, body, capsys):
    path, push, lean = curve
    channels = ["--accelerations", f"{body}.com_acceleration.y", "--accelerations", f"{body}.com_acceleration.z"]
    assert run(["assess", str(path), *channels, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["findings"]
    value = {(row["subject"], row["quantity"]): row for row in rows}
    lateral = value[f"{body}.com_acceleration.y", "lateral acceleration quasi-static"]
    # v²/R − g h/b, exact with the cosine of the cant; the spline of the track's frame bends it by 1e-6
    assert_allclose(lateral["value"], abs(push * math.cos(lean) - GRAVITY * math.sin(lean)), rtol=1e-4)
    assert lateral["limit"] == 1.5
    # nothing shakes, though the curve leads from x to y: in world axes 0.1 m/s² of it would remain
    assert value[f"{body}.com_acceleration.y", "lateral acceleration"]["value"] < 1e-3
    assert value[f"{body}.com_acceleration.z", "vertical acceleration"]["value"] < 1e-3


def test_felt_acceleration_follows_the_axes_of_the_body(curve):
    path, push, lean = curve
    result = h.Results.open(path)
    assert_allclose(result.gravity, (0, 0, -GRAVITY))
    a, rotation, velocity = (result[f"coach.{what}"] for what in ("acceleration", "rotation", "velocity"))
    found = railway.felt_acceleration(a, rotation, velocity, result.gravity)
    left = push * math.cos(lean) - GRAVITY * math.sin(lean)
    up = push * math.sin(lean) + GRAVITY * (math.cos(lean) - 1.0)
    assert_allclose(found, np.broadcast_to((0.0, left, up), found.shape), atol=2e-3 * push)
    # axes of the body that are named otherwise: its x to the right
    w, x, y, z = rotation.T
    turned = np.stack([w + z, x - y, x + y, z - w], axis=1) * math.sqrt(0.5)  # times a turn by -90° about z
    assert_allclose(railway.felt_acceleration(a, turned, velocity, result.gravity), found, atol=1e-9)
    assert_allclose(
        railway.felt_acceleration(a, rotation, velocity, np.zeros(3))[:, 1], push * math.cos(lean), rtol=1e-3
    )


def test_axes_that_are_not_recorded_are_one_sentence(tmp_path, capsys):
    model = h.Model()
    model.add(h.RigidBody("coach", 1.0, (1, 1, 1)))
    record = ff.hybrid.Record(every=5e-3, channels=("coach.acceleration",))
    model.compile().simulate(t_end=1.0, record=record, path=tmp_path / "run.h5")
    assert run(["assess", str(tmp_path / "run.h5"), "--accelerations", "coach.acceleration"]) == 2
    said = capsys.readouterr().err
    assert "'coach.rotation' is not recorded" in said
    assert said.count("\n") == 1
