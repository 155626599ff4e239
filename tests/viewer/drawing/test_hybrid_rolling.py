"""What rolls is drawn as what it is: a disc that touches the plane in every state, with the plane under its path."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe import hybrid as h

SAMPLES = Path(__file__).parents[3] / "samples"


def test_a_disc_touches_the_plane_it_rolls_on():
    system = h.read_model(SAMPLES / "rolling_disc" / "disc.toml").model.compile()
    scene = ff.viewer.scene_of(system.simulate(t_end=1.0, record=h.Record(every=0.1)))
    disc, plane = (next(k for k, part in enumerate(scene.parts) if part.name == name) for name in ("disc", "planes"))
    for moment in (0.0, 0.5, 1.0):
        points = scene.positions(scene.state(scene.clips[0], moment))
        # a polygon of 64 corners, three hundredths of its radius thick, on a plate whose top is the plane
        assert abs(points[disc][:, 2].min()) < 0.02 * 0.5
        assert np.ptp(points[disc][:, 2]) > 0.9
        assert points[plane][:, 2].max() == 0.0
        assert points[plane][:, 0].min() < points[disc][:, 0].min()
        assert points[plane][:, 0].max() > points[disc][:, 0].max()


def test_blades_wheels_and_balls_have_marks():
    model = h.Model(gravity=(0, 0, -9.81))
    cart = model.add(h.RigidBody("cart", 1.0, (1, 1, 1)))
    ball = model.add(h.RigidBody("ball", 1.0, (1, 1, 1), position=(2, 0, 0.2)))
    model.add(h.planar("plane", cart.at(), model.ground.at()))
    model.add(h.blade("edge", cart.at(), model.ground.at()))
    model.add(h.wheel("front", cart.at((1, 0, 0)), model.ground.at(), steering=0.1))
    model.add(h.rolling("on", ball.at(), model.ground.at(), 0.2))
    scene = ff.viewer.scene_of(model.compile())
    names = [part.name for part in scene.parts]
    assert names.count("wheels") == 2
    own = scene.parts[names.index("ball")]
    np.testing.assert_allclose(np.linalg.norm(own.points, axis=1), 0.2, atol=1e-12)
