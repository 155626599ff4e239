"""A ball that rolls in a round trough: as a distance, as a height and as a table of heights, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError

G, R, RADIUS, MASS = 9.81, 1.0, 0.2, 3.0
INERTIA = 0.4 * MASS * RADIUS**2
SHAPES = {"surface": f"{R} - sqrt(x^2 + (z - {R})^2)", "height": f"{R} - sqrt({R}^2 - x^2)"}


def trough(angle: float, **shape) -> h.System:
    """The ball with its centre at an angle from the lowest place, at rest."""
    model = h.Model(gravity=(0, 0, -G))
    place = ((R - RADIUS) * np.sin(angle), 0.0, R - (R - RADIUS) * np.cos(angle))
    ball = model.add(h.RigidBody("ball", MASS, (INERTIA, INERTIA, INERTIA), position=place))
    model.add(h.rolling("on", ball.at(), model.ground.at(), RADIUS, **shape))
    return model.compile()


@pytest.mark.parametrize("kind", SHAPES)
def test_frequency_at_the_bottom(kind):
    system = trough(0.0, **{kind: SHAPES[kind]})
    lin = system.linearise(system.equilibrium())
    assert_allclose(lin.frequency[~lin.rigid], np.sqrt(G / (1.4 * (R - RADIUS))) / (2.0 * np.pi), rtol=1e-7)


def test_energy_and_normal_force_on_a_large_swing():
    """v² = (10/7) g h of a solid ball, and the trough carries weight and centripetal force."""
    record = h.Record(every=0.05, channels=("ball.*", "on.*", "energy"))
    runs = [
        trough(1.0, **{kind: text}).simulate(t_end=1.0, method="dop853", rtol=1e-11, record=record)
        for kind, text in SHAPES.items()
    ]
    for result in runs:
        x, _, z = result["ball.position"].T
        angle = np.arctan2(x, R - z)
        assert_allclose(np.hypot(x, z - R), R - RADIUS, atol=1e-12)  # projected
        square = (result["ball.velocity"] ** 2).sum(axis=1)
        assert_allclose(square, 10.0 / 7.0 * G * (R - RADIUS) * (np.cos(angle) - np.cos(1.0)), atol=1e-9)
        wanted = MASS * (G * np.cos(angle) + square / (R - RADIUS))
        assert_allclose(result["on.normal_force"], wanted, atol=1e-7)
        assert_allclose(result["energy.total"], result["energy.total"][0], atol=1e-9)
    assert_allclose(runs[0]["ball.position"], runs[1]["ball.position"], atol=1e-9)


def test_a_table_of_heights():
    x = np.linspace(-0.9, 0.9, 181)
    system = on_table(h.Table(x, R - np.sqrt(R**2 - x**2), kind="spline"))
    lin = system.linearise(system.equilibrium())
    # curvature of a spline through points 0.01 apart: 1e-5 of it
    assert lin.frequency[-1] == pytest.approx(np.sqrt(G / (1.4 * (R - RADIUS))) / (2.0 * np.pi), rel=1e-4)
    with pytest.raises(ModelError, match="has kind 'cubic', whose curvature jumps; use kind 'spline'"):
        on_table(h.Table(x, x**2, kind="cubic"))


def on_table(profile: h.Table) -> h.System:
    """The ball on a profile, at its lowest place."""
    model = h.Model(gravity=(0, 0, -G), tables={"profile": profile})
    ball = model.add(h.RigidBody("ball", MASS, (INERTIA, INERTIA, INERTIA), position=(0, 0, RADIUS)))
    model.add(h.rolling("on", ball.at(), model.ground.at(), RADIUS, height="table(profile, x)"))
    return model.compile()
