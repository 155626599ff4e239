"""Velocity constraints and relations that are expressions in runs: every method, both levels, stages, resumed runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.hybrid.simulation import run as running
from tests.hybrid.interrupted import StopAfter, same_bits
from tests.hybrid.sleigh import AHEAD, INERTIA, MASS as MASS_OF_SLEIGH, exact, sleigh
from tests.hybrid.two_wheeled_cart import HALF, MASS, WHEEL, R, accelerations, cart

CHANNELS = ("plane.rate[1]", "plane.rate[2]", "plane.rate[3]", "plane.angle", "edge.lateral_force", "energy.total")
T_END = 3.0
IMPLICIT = ["generalised-alpha", "hht", "newmark", "bdf1", "bdf2", "park"]


def run(system: h.System, **settings) -> h.Results:
    result = system.simulate(t_end=T_END, record=h.Record(every=0.1, channels=CHANNELS), **settings)
    assert result.status.ok, result.status
    return result


def along_and_across(result: h.Results) -> tuple[np.ndarray, np.ndarray]:
    """Speed of the edge along itself and across."""
    x, y, angle = (result[name] for name in ("plane.rate[1]", "plane.rate[2]", "plane.angle"))
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


@pytest.fixture(scope="module")
def system() -> h.System:
    return sleigh().compile()


@pytest.mark.parametrize("method", ["auto", "dop853", "rk45", "radau5", "scipy:DOP853"])
def test_sleigh_follows_its_closed_form(system, method):
    result = run(system, method=method, rtol=1e-10)
    along, across = along_and_across(result)
    wanted = np.array([exact(t) for t in result.t]).T
    # what the issue asks for; rtol leaves 1e-10 at most
    assert_allclose(along, wanted[0], atol=1e-8)
    assert_allclose(result["plane.rate[3]"], wanted[1], atol=1e-8)
    assert_allclose(result["edge.lateral_force"], wanted[2], atol=1e-8)
    assert_allclose(across, 0.0, atol=1e-14)  # projected: rounding
    assert_allclose(result["energy.total"], result["energy.total"][0], rtol=1e-9)  # its force does no work


@pytest.mark.parametrize("method", IMPLICIT)
def test_implicit_methods_keep_the_velocity_constraint(system, method):
    coarse, fine = (run(system, method=method, step=step) for step in (0.02, 0.01))
    for result in (coarse, fine):
        assert_allclose(along_and_across(result)[1], 0.0, atol=1e-12)  # Newton's tolerance is far below
    wanted = np.array([exact(t)[:2] for t in coarse.t]).T
    errors = [
        max(np.abs(along_and_across(one)[0] - wanted[0]).max(), np.abs(one["plane.rate[3]"] - wanted[1]).max())
        for one in (coarse, fine)
    ]
    order = np.log2(errors[0] / errors[1])
    assert order == pytest.approx(1.0 if method == "bdf1" else 2.0, abs=0.25)  # 0.94 to 2.2 measured


@pytest.mark.parametrize(("method", "settings"), [("dop853", {"rtol": 1e-10}), ("generalised-alpha", {"step": 1e-3})])
def test_two_wheeled_cart(method, settings):
    system = cart().compile()
    # the wheels stand in one line: one of them is enough to hold the cart across
    assert [(row.joint, row.row) for row in system.redundant] == [("right_tyre", 1)]
    channels = ("plane.*", "left_tyre.*", "left_axle.rate", "energy.total", "left_motor.power", "right_motor.power")
    result = system.simulate(t_end=2.0, method=method, record=h.Record(every=0.1, channels=channels), **settings)
    t, (forward, turning) = result.t, accelerations()
    # second order is exact for constant accelerations, but for the turn of the path
    tolerance = 1e-8 if method == "dop853" else 1e-6
    assert_allclose(result["plane.rate[3]"], turning * t, atol=tolerance)
    assert_allclose(result["plane.angle"], 0.5 * turning * t**2, atol=tolerance)
    assert_allclose(result["left_axle.rate"], (forward - HALF * turning) * t / R, atol=20.0 * tolerance)
    speed = np.hypot(result["plane.rate[1]"], result["plane.rate[2]"])
    assert_allclose(speed, forward * t, atol=tolerance)
    whole = MASS + 2.0 * WHEEL
    assert_allclose(result["left_tyre.lateral_force"], whole * forward * turning * t**2, atol=1e3 * tolerance)
    power = result["left_motor.power"] + result["right_motor.power"]
    # constant accelerations: the work of the motors is half their last power times the time
    assert_allclose(result["energy.total"], 0.5 * power * t, atol=100.0 * tolerance)


def test_a_steered_car_drives_its_circle():
    """Wheels L apart, the front one turned by δ: a circle of radius L/tan δ, and wheels that carry m ω² r of it."""
    length, ahead, angle, speed, mass = 2.5, 1.0, 0.2, 3.0, 4.0
    radius, turning = length / np.tan(angle), speed * np.tan(angle) / length
    model = h.Model(gravity=(0, 0, 0))
    start = {"velocity": (speed, 0, 0), "angular_velocity": (0, 0, turning)}
    car = model.add(h.RigidBody("car", mass, (1, 1, 2), com=(ahead, 0, 0), **start))
    model.add(h.planar("plane", car.at(), model.ground.at()))
    model.add(h.wheel("rear", car.at(), model.ground.at()))
    model.add(h.wheel("front", car.at((length, 0, 0)), model.ground.at(), steering=angle))
    record = h.Record(every=0.5, channels=("plane.*", "rear.*", "front.*"))
    result = model.compile().simulate(t_end=8.0, method="dop853", rtol=1e-10, record=record)
    turned = turning * result.t
    assert_allclose(result["plane.angle"], turned, atol=1e-9)
    assert_allclose(result["plane.displacement[1]"], radius * np.sin(turned), atol=1e-8)
    assert_allclose(result["plane.displacement[2]"], radius * (1.0 - np.cos(turned)), atol=1e-8)
    assert_allclose(result["front.lateral_force"], mass * turning**2 * ahead / np.sin(angle), atol=1e-8)
    assert_allclose(result["rear.lateral_force"], mass * turning**2 * (length - ahead) / np.tan(angle), atol=1e-8)


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"method": "dop853", "rtol": 1e-10}, 1e-9),
        ({"method": "radau5", "rtol": 1e-10}, 1e-9),
        ({"method": "generalised-alpha", "step": 1e-3}, 2e-5),  # second order: 8e-6 measured
    ],
    ids=["dop853", "radau5", "generalised-alpha"],
)
def test_energy_balance_counts_what_a_driven_constraint_gives(settings, left):
    model = sleigh()
    model.add(h.velocity_constraint("push", "plane.rate[3] - 1.5 - sin(3*t)"))
    result = model.compile().simulate(t_end=1.0, record=h.Record(every=0.1, channels=("energy.total",)), **settings)
    assert np.ptp(result["energy.total"]) > 1.0
    assert np.abs(result.statistics["energy_balance"]).max() < left


def test_a_blade_that_is_lifted_and_put_down():
    model = sleigh()
    model.add(h.Stage("up", when=1.0, release=["edge"]))
    model.add(h.Stage("down", when=2.0, lock=["edge"]))
    result = model.compile().simulate(
        t_end=3.0, method="dop853", rtol=1e-11, record=h.Record(every=0.25, channels=(*CHANNELS, "momentum.linear"))
    )
    across, up = along_and_across(result)[1], (result.t > 1.0) & (result.t < 2.0)
    momentum = result["momentum.linear"]
    free = momentum[up]
    assert_allclose(free, np.broadcast_to(free[0], free.shape), atol=1e-12)  # nothing acts on it
    assert_allclose(across[(result.t < 1.0) | (result.t > 2.0)], 0.0, atol=1e-12)
    assert np.abs(across[up]).max() > 0.1
    assert_allclose(result["edge.lateral_force"][up], 0.0, atol=0.0)
    # the impulse of the edge acts across it: what it takes off is the energy of that motion
    first, last = (np.flatnonzero(result.t == 2.0)[k] for k in (0, -1))
    before, after = result["energy.total"][[first, last]]
    light = 1.0 / (1.0 / MASS_OF_SLEIGH + AHEAD**2 / INERTIA)  # what it feels like to push at the edge
    assert before - after == pytest.approx(0.5 * light * across[first] ** 2, rel=1e-9)


@pytest.mark.parametrize("method", ["generalised-alpha", "radau5", "auto"])
def test_resumed_run_has_the_same_bits(system, tmp_path, method, monkeypatch):
    monkeypatch.setattr(running, "BLOCK_SECONDS", 0.25)
    settings = {"t_end": T_END, "method": method, "record": h.Record(every=0.01, channels=CHANNELS)}
    if method == "generalised-alpha":
        settings["step"] = 1e-3
    whole = system.simulate(**settings)
    broken = system.simulate(**settings, path=tmp_path / "run.h5", progress=StopAfter(1, KeyboardInterrupt))
    assert 0.0 < broken.status.t < T_END
    same_bits(system.simulate(**settings, path=tmp_path / "run.h5", resume=True), whole)


def test_other_parameters_take_over_what_stays():
    model = cart()
    first = model.compile()
    for values in ({"left": 0.1}, {"r": 0.2}):
        again, fresh = model.compile(parameters=values, like=first), model.compile(parameters=values)
        for one, other in zip(again.accelerations(again.start), fresh.accelerations(fresh.start), strict=True):
            assert_allclose(one, other, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("method", IMPLICIT)
def test_a_speed_follows_a_state_in_every_step(method):
    model = h.Model()
    bead = model.add(h.RigidBody("bead", 2.0, (1, 1, 1)))
    model.add(h.prismatic("rail", bead.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.StateVariable("speed", rate="-2*speed", start=3.0))
    model.add(h.velocity_constraint("drive", "rail.rate - speed", unit="m/s"))
    result = model.compile().simulate(t_end=1.0, method=method, step=0.01)
    assert str(result.status) == "finished at t = 1 s"  # Newton's method fails nowhere
    assert_allclose(
        result["rail.rate"], result["speed.value"], atol=1e-9
    )  # its tolerance, 1e-6 of the change in a step
    error = np.abs(result["rail.rate"] - 3.0 * np.exp(-2.0 * result.t)).max()
    assert error < (0.02 if method == "bdf1" else 1e-3)  # what its order leaves of the state itself
