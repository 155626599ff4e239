"""A run warns of loads at nodes where the shapes of a flexible body cannot follow, and of no others."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

import floatframe as ff

LOADED = 118  # a node inside the plate
CORNERS = [1, 11, 221, 231]


@pytest.fixture(scope="module")
def plate():
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    return ff.fem.plate_grid(1.0, 2.0, nx=10, ny=20, thickness=0.01, material=steel)


def warnings_of(body, load):
    """Messages of a short run of a free plate with a load on one of its nodes."""
    model = ff.hybrid.Model(gravity=(0, 0, 0))
    plate = model.add(ff.hybrid.FlexibleBody("plate", body, damping=0.01))
    model.add(load(plate.node(LOADED)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.compile().simulate(t_end=1e-3, step=1e-3, method="generalised-alpha")
    return [str(one.message) for one in caught if "static displacement" in str(one.message)]


def shaker(place):
    return ff.hybrid.point_force("shaker", place, (0, 0, "10*sin(20*t)"))


def wrench(place):
    return ff.hybrid.point_torque("wrench", place, ("10*sin(20*t)", 0, 0))


def test_a_force_that_few_shapes_carry_is_named_with_its_cure(plate):
    body = ff.modal.reduce(plate, interface=CORNERS, n_modes=0)
    (message,) = warnings_of(body, shaker)
    assert "body 'plate'" in message
    assert f"'shaker' loads node {LOADED} by a force, 100 % missing" in message
    assert f"reduce --loads {LOADED}" in message


@pytest.mark.parametrize(
    "how",
    [
        {"interface": CORNERS, "n_modes": 20},
        {"interface": CORNERS, "n_modes": 0, "extra": ff.modal.ExtraShapes(loads=[LOADED])},
        {"interface": [*CORNERS, LOADED], "n_modes": 0},
    ],
    ids=["modes", "loads", "interface"],
)
def test_the_cures_silence_it(plate, how):
    assert warnings_of(ff.modal.reduce(plate, **how), shaker) == []


def test_a_moment_is_another_load_than_a_force(plate):
    """Twenty modes of a plate follow a force but not a moment, which bends it in a small place."""
    body = ff.modal.reduce(plate, interface=CORNERS, n_modes=20)
    assert warnings_of(body, shaker) == []
    (message,) = warnings_of(body, wrench)
    assert f"'wrench' loads node {LOADED} by a moment" in message


def test_a_body_that_does_not_know_is_silent(plate):
    body = ff.modal.reduce(plate, interface=CORNERS, n_modes=0)
    assert warnings_of(replace(body, flexibility=None), shaker) == []
