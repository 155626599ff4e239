"""Wheels and rails in scenes: the rails lie where the track says, and the wheels stand on them."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h, railway

RADIUS = 0.46


def wheelset(track, distance, speed=0.0):
    model = h.Model((0, 0, -9.81), track=track)
    data = h.Wheelset(1500.0, (900.0, 100.0, 900.0), RADIUS)
    h.add_wheelset(model, "axle", data, h.Run(distance, speed), 0.5 * 1550 * 9.81)
    return model.compile()


def points(scene, name, clip=None, moment=0.0):
    state = scene.rest if clip is None else scene.state(clip, moment)
    return np.concatenate([p for part, p in zip(scene.parts, scene.positions(state), strict=True) if part.name == name])


@pytest.mark.parametrize("distance", [20.0, 130.0])
def test_wheels_stand_on_the_rails(distance):
    """On the straight and in the curve with cant."""
    sections = [railway.Straight(60.0), railway.Transition(40.0), railway.Curve(60.0, 300.0, cant=0.1)]
    track = railway.Track(sections=sections)
    scene = ff.viewer.scene_of(wheelset(track, distance))
    here = track.frame(distance)
    rails, wheels = ((points(scene, name) - here.p) @ here.R for name in ("rails", "wheels"))
    near = rails[np.abs(rails[:, 0]) < 0.3]
    # the tops of the rails are the plane of the track; they are drawn every half metre of a curve, 0.1 mm
    assert near[:, 2].max() == pytest.approx(0.0, abs=2e-4)
    sides = [near[near[:, 1] > 0, 1].min(), near[near[:, 1] < 0, 1].max()]  # feet, 0.039 m within the heads
    assert sides[0] - sides[1] == pytest.approx(track.gauge - 2 * 0.039, abs=2e-3)
    # flanges hang 28 mm under the rolling circle, which touches the rail
    assert wheels[:, 2].min() == pytest.approx(-0.028, abs=1e-3)
    assert np.abs(wheels[:, 1]).max() == pytest.approx(0.75 + 0.06, abs=2e-3)
    # some metres before and behind
    assert 3.0 < rails[:, 0].max() < 6.0


def test_rails_lie_under_the_whole_run(tmp_path):
    """Drawn from the file of the run alone, with the rails it ran over."""
    track = railway.Track(sections=[railway.Straight(100.0)])
    path = tmp_path / "run.h5"
    wheelset(track, 10.0, speed=20.0).simulate(t_end=1.0, method="generalised-alpha", step=1e-3, path=path)
    scene = ff.viewer.scene_of(h.Results.open(path))
    rails = points(scene, "rails")
    assert rails[:, 0].min() == pytest.approx(6.0, abs=1.0)
    assert rails[:, 0].max() == pytest.approx(34.0, abs=1.0)
    wheels = points(scene, "wheels", scene.clips[0], 1.0)
    assert wheels[:, 0].mean() == pytest.approx(30.0, abs=0.1)
    axle = next(part for part in scene.parts if part.name == "axle")
    assert np.ptp(axle.points[:, 1]) == pytest.approx(1.5)
