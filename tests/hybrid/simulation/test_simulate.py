"""Simulations against analytic motions: records, channels, events, prescribed motions, energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

from floatframe import hybrid, hybrid as h
from floatframe.errors import ModelError

G = 9.81


def pendulum(angle: float = 0.0, **motor: str) -> hybrid.Model:
    """A point mass of 2 kg on a bar of 1 m about the z axis, hanging along -y at angle 0."""
    model = hybrid.Model(gravity=(0, -G, 0))
    body = model.add(hybrid.RigidBody("bob", mass=2.0, inertia=(1e-12, 1e-12, 1e-12), com=(0, -1, 0)))
    model.add(hybrid.revolute("A", body.at(), model.ground.at(), axis=(0, 0, 1), start=angle))
    for name, law in motor.items():
        model.add(hybrid.joint_torque(name, joint="A", torque=law))
    return model


# records


def test_records_stand_at_the_times_asked_for():
    system = pendulum(0.5).compile()
    result = system.simulate(t_end=0.35, step=1e-2, record=hybrid.Record(every=0.1))
    assert_allclose(result.t, [0, 0.1, 0.2, 0.3, 0.35], rtol=1e-15)
    controlled = system.simulate(t_end=0.35, rtol=1e-8, record=hybrid.Record(every=0.1))
    assert_allclose(controlled.t, [0, 0.1, 0.2, 0.3, 0.35], rtol=1e-15)
    # phase error of second order: (omega h)² / 12 of 1 rad is 8e-5
    assert_allclose(controlled["A.angle"], result["A.angle"], atol=8e-5)


@pytest.mark.parametrize(
    "settings", [{"step": 0.01}, {"method": "bdf2", "step": 0.01}, {"method": "rk4", "step": 0.01}]
)
def test_every_fixed_step_is_recorded_without_every(settings):
    result = pendulum(0.5).compile().simulate(t_end=0.5, **settings)
    assert_allclose(result.t, np.arange(51) * 0.01, rtol=1e-14)
    assert result.statistics["steps"].tolist() == list(range(51))


@pytest.mark.parametrize("settings", [{"method": "generalised-alpha", "rtol": 1e-6}, {"method": "rk45"}])
def test_every_controlled_step_is_recorded_without_every(settings):
    result = pendulum(0.5).compile().simulate(t_end=0.5, **settings)
    assert result.t[-1] == 0.5
    assert result.statistics["steps"].tolist() == list(range(len(result)))
    assert (np.diff(result.t) > 0).all()


def test_auto_records_a_thousand_times():
    result = pendulum(0.5).compile().simulate(t_end=0.5)
    assert_allclose(result.t, np.linspace(0.0, 0.5, 1001), atol=1e-15)


def test_default_step_is_a_thousandth_of_the_run():
    result = pendulum(0.5).compile().simulate(t_end=0.5, method="rk4")
    assert len(result) == 1001


def test_records_can_start_later_and_hold_few_channels():
    record = hybrid.Record(every=0.1, start=0.3, channels=("A.angle", "energy.total"), coordinates=False)
    result = pendulum(0.5).compile().simulate(t_end=0.6, step=1e-2, record=record)
    assert_allclose(result.t, [0.3, 0.4, 0.5, 0.6], rtol=1e-15)
    assert [channel.name for channel in result.channels] == ["A.angle", "energy.total"]
    assert (result.q.shape, result.v.shape) == ((4, 0), (4, 0))


def test_files_hold_what_memory_holds(tmp_path):
    system = pendulum(0.5).compile()
    settings = {"t_end": 0.5, "step": 1e-2}
    here, there = system.simulate(**settings), system.simulate(**settings, path=tmp_path / "run.h5")
    for channel in here.channels:
        assert np.array_equal(here[channel.name], there[channel.name])
    assert there.meta.settings["method"] == "generalised-alpha"
    assert np.array_equal(hybrid.Results.open(tmp_path / "run.h5").q, here.q)


def test_state_to_start_from():
    system = pendulum(0.5).compile()
    first = system.simulate(t_end=0.5, method="rk4", step=1e-3)
    middle = hybrid.State(0.5, first.q[-1], first.v[-1], system.start.memory)
    second = system.simulate(middle, t_end=1.0, method="rk4", step=1e-3)
    whole = system.simulate(t_end=1.0, method="rk4", step=1e-3)
    assert second.t[0] == 0.5
    assert_allclose(second["A.angle"], whole["A.angle"][500:], atol=1e-13)  # rounding of 500 steps


def test_progress_is_reported():
    seen = []
    pendulum(0.5).compile().simulate(t_end=2.0, step=1e-3, progress=seen.append)
    assert seen[-1].t == seen[-1].t_end == 2.0
    assert seen[-1].steps == 2000
    assert seen[-1].step == pytest.approx(1e-3)
    assert [p.t for p in seen] == sorted(p.t for p in seen)


# motion against theory


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        # second order, error per period about (omega h)² / 12 of the phase; rk45 by its rtol of 1e-8
        ({"step": 1e-3}, 1e-5),
        ({"rtol": 1e-7}, 1e-4),
        ({"method": "rk4", "step": 1e-3}, 1e-10),
        ({"method": "rk45"}, 1e-6),
    ],
    ids=str,
)
def test_period_of_a_large_swing(settings, error):
    swing = 2.5
    period = 4 * math.sqrt(1 / G) * ellipk(math.sin(swing / 2) ** 2)
    result = pendulum(swing).compile().simulate(t_end=period, **settings)
    assert result["A.angle"][-1] == pytest.approx(swing, abs=error)
    assert_allclose(result["energy.total"], result["energy.total"][0], atol=50 * error)
    # work of no force: the balance is the energy itself
    assert_allclose(result.statistics["energy_balance"], result["energy.total"] - result["energy.total"][0], atol=1e-12)


def test_channels_of_a_pendulum():
    result = pendulum(1.0).compile().simulate(t_end=1.0, method="rk4", step=1e-3)
    angle, rate = result["A.angle"], result["A.rate"]
    along = np.column_stack([np.sin(angle), -np.cos(angle), 0 * angle])
    across = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    acceleration = -G * np.sin(angle)
    assert_allclose(result["bob.com_position"], along, atol=1e-14)
    assert_allclose(result["bob.com_velocity"], rate[:, None] * across, atol=1e-14)
    # at the exact angles accelerations are exact, up to the hinge's 1e-12 kg m2
    exact = acceleration[:, None] * across - (rate**2)[:, None] * along
    assert_allclose(result["bob.com_acceleration"], exact, atol=1e-10)
    assert_allclose(result["A.coordinate_acceleration"], acceleration, atol=1e-10)
    assert_allclose(result["bob.angular_velocity"], np.outer(rate, [0, 0, 1]), atol=1e-14)
    assert_allclose(result["energy.kinetic"], rate**2, rtol=1e-12)
    assert_allclose(result["energy.potential"], -2 * G * np.cos(angle), rtol=1e-12)
    assert_allclose(result["momentum.linear"], 2 * result["bob.com_velocity"], atol=1e-13)
    assert_allclose(result["momentum.angular"][:, 2], 2 * rate, rtol=1e-11, atol=1e-13)
    # Newton: the hinge carries what gravity does not
    force = 2 * (result["bob.com_acceleration"] + [0, G, 0])
    assert_allclose(result["A.force"], force, atol=1e-9)


# events


@pytest.mark.parametrize(
    "settings", [{"step": 1e-2}, {"rtol": 1e-6}, {"method": "rk45"}, {"method": "rk4", "step": 1e-2}]
)
def test_event_stops_where_it_crosses_zero(settings):
    result = pendulum(1.0).compile().simulate(t_end=5.0, events=["A.angle + 0.4", "t - 4"], **settings)
    assert result.status.ok
    assert result.status.reason == "stopped by event"
    assert "'A.angle + 0.4' crossed zero" in str(result.status)
    # the event is met to 1e-9 of its largest value 1.4; sensors are read one Newton correction early, 1e-6 of a step
    assert result["A.angle"][-1] == pytest.approx(-0.4, abs=1e-7)
    assert result.t[-1] == result.status.t
    # time from rest at 1 rad to -0.4 rad by quadrature of the energy integral
    from scipy.integrate import quad

    speed = lambda a: 1 / math.sqrt(2 * G * (math.cos(a) - math.cos(1.0)))  # noqa: E731
    exact = quad(lambda u: 2 * u * speed(1.0 - u * u), 0, math.sqrt(1.4))[0]
    assert result.t[-1] == pytest.approx(exact, abs=2e-4)  # steps of 0.01 s: (omega h)²/12 of 1 s


def test_event_in_the_first_step_and_at_a_time():
    result = pendulum(1.0).compile().simulate(t_end=1.0, step=1e-2, events=["t - 0.0042"])
    assert result.t.tolist() == pytest.approx([0, 0.0042], abs=1e-12)
    # an event that is zero at the start is not crossed there
    result = pendulum(1.0).compile().simulate(t_end=1.0, step=1e-2, events=["A.rate"])
    half = 2 * math.sqrt(1 / G) * ellipk(math.sin(0.5) ** 2)
    assert result.status.t == 1.0 if half > 1.0 else result.status.t == pytest.approx(half, abs=1e-4)


# prescribed motions


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"method": "rk4", "step": 1e-3}])
def test_prescribed_motion_and_the_torque_it_takes(settings):
    model = pendulum()
    model.add(hybrid.motion("swing", "A", "0.5*sin(3*t)"))
    result = model.compile().simulate(t_end=2.0, spectral_radius=0.6, **settings)
    t = result.t
    assert_allclose(result["A.angle"], 0.5 * np.sin(3 * t), atol=1e-10)
    assert_allclose(result["A.rate"], 1.5 * np.cos(3 * t), atol=1e-9)
    torque = 2 * (-4.5 * np.sin(3 * t)) + 2 * G * np.sin(result["A.angle"])
    # multipliers of the implicit method are of second order: (3 h)²/12 of the inertia torque 9 N m, and a start
    # transient from accelerations at the middle of steps
    assert_allclose(result["swing.force"], torque, atol=1e-9 if "method" in settings else 2e-2)
    assert result.statistics["constraint_drift"].max() < 1e-10
    # power of the drive is in the balance: trapezoidal rule over 1e-3 s, h² T³ / 12 of the power's curvature
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-4


def test_energy_balance_with_motor_and_drag():
    system = pendulum(0.3, motor="5*sin(2*t)", drag="-0.4*rate").compile()
    result = system.simulate(t_end=5.0, method="rk4", step=1e-3)
    energy = result["energy.total"]
    assert np.ptp(energy) > 1.0
    # the work is integrated in the steps, with their order: 5 s of steps of (2 h)⁴ / 120 of the power, 5 W
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-10
    work = np.concatenate(
        [[0], np.cumsum(0.5e-3 * np.convolve(result["motor.power"] + result["drag.power"], [1, 1], "valid"))]
    )
    # trapezoidal rule over 1 ms: T h² / 12 of the second derivative of the power, some 100 W/s²
    assert_allclose(energy - energy[0], work, atol=1e-4)


def test_a_record_that_begins_after_the_end_of_the_run_is_refused():
    model = h.Model()
    model.add(h.RigidBody("block", mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(ModelError, match="start is 3 s and the run ends at 2 s, so nothing would be recorded"):
        model.compile().simulate(t_end=2.0, record=h.Record(start=3.0))
