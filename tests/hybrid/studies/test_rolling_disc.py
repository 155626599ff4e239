"""A disc that rolls: steady solutions, small motions and the limit of stability, linearised and simulated."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.rolling_disc import MASS, SLOWEST, A, G, R, circle, euler, small_motions, spin_on_circle, straight

CHANNELS = ("pose.angle[4]", "pose.angle[5]", "pose.rate[1]", "pose.rate[4]", "pose.rate[5]", "pose.rate[6]")


def leading(lin: h.Linear) -> complex:
    """The eigenvalue that is not zero, the growing one of a real pair."""
    return max(lin.eigenvalues[~lin.rigid], key=lambda value: (value.real, value.imag))


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 1.01, 2.0])
def test_upright_disc_stands_above_its_speed_only(share):
    speed = share * SLOWEST
    system = straight(speed)
    lin = system.linearise(system.start)
    # differences of fourth order leave 1e-10 of the terms, which cancel near the limit
    assert_allclose(leading(lin), small_motions(0.0, 0.0, speed / R), atol=1e-7)
    assert lin.stable == (share > 1.0)


@pytest.mark.parametrize(("lean", "turn"), [(0.3, -2.0), (-0.2, 1.5), (1.2, 6.0)])
def test_disc_on_a_circle(lean, turn):
    system = circle(lean, turn)
    n = spin_on_circle(lean, turn)
    acceleration, forces = system.accelerations(system.start)
    assert_allclose(acceleration, 0.0, atol=1e-11)  # rounding: the steady solution of Euler's equations
    # weight, and what turns its centre: m r n Ω
    assert_allclose(forces, [MASS * G, 0.0, MASS * R * n * turn], atol=1e-10)
    lin, wanted = system.linearise(system.start), small_motions(lean, turn, n)
    # beside those of the lean there are motions of the middle of the circle, which turn with the axes
    found = lin.eigenvalues[~lin.rigid]
    others = found[np.abs(found**2 - wanted**2) > 1e-8 * abs(wanted) ** 2]
    assert len(others) < len(found)
    assert_allclose(others, 1j * abs(turn), atol=1e-8)


def test_sweep_over_the_speed_of_a_disc_finds_its_limit():
    file = Path(__file__).parents[3] / "samples" / "rolling_disc" / "disc.toml"
    speeds = [0.98 * SLOWEST, 1.02 * SLOWEST]  # the disc of the sample is that of these tests
    found = h.sweep(file, {"speed": speeds}, "linear", parameters={"push": 0.0}, at="start")
    # the first mode behind three of rolling on: it grows below the limit, and swings above it
    assert_allclose(found["damping.4"], [-1.0, 0.0], atol=1e-9)
    rates = [abs(small_motions(0.0, 0.0, speed / R)) / (2.0 * np.pi) for speed in speeds]
    assert_allclose(found["frequency.4"], rates, rtol=1e-6)  # terms that cancel near the limit


def test_poles_of_a_disc_that_a_controller_keeps_upright():
    """A torque k s on the lean, T s' = lean - s, at half of the slowest speed: ((A + m r²) p² - w)(T p + 1) + k = 0."""
    k, T, inertia = 9.0, 0.05, A + MASS * R**2
    speed = 0.5 * SLOWEST
    filtered = h.StateVariable("filtered", rate=f"(pose.angle[5] - filtered)/{T}")
    system = straight(speed, more=[filtered, h.joint_torque("control", "pose", f"-{k}*filtered", coordinate=4)])
    lin = system.linearise(system.start)
    free = inertia * (small_motions(0.0, 0.0, speed / R) ** 2).real
    wanted = np.roots(np.polyadd(np.polymul([inertia, 0.0, -free], [T, 1.0]), [k]))
    wanted = wanted[wanted.imag >= 0.0]
    found = lin.eigenvalues[~lin.rigid]
    assert_allclose(np.sort_complex(found), np.sort_complex(wanted), rtol=1e-7)
    assert lin.states == ("filtered",)
    # the pole of the filter is its own for the most part
    assert lin.state_shares[0, np.argmin(lin.eigenvalues.real)] > 0.5


def test_poles_of_a_motor_that_rolls_are_those_of_the_same_row_of_places():
    """A carriage on a spring whose wheel a motor turns; that it rolls is a row of speeds, or of places."""
    m, J, r, R_i, L, k, c, stiffness = 5.0, 0.02, 0.1, 1.0, 0.05, 0.4, 3.0, 400.0
    found = []
    for rolls in (h.velocity_constraint("rolls", f"slide.rate - {r}*axle.rate"), None):
        model = h.Model(gravity=(0, 0, 0))
        carriage = model.add(h.RigidBody("carriage", m, (1, 1, 1)))
        wheel = model.add(h.RigidBody("wheel", 1e-9, (J, J, J)))
        model.add(h.prismatic("slide", carriage.at(), model.ground.at(), axis=(1, 0, 0)))
        model.add(h.revolute("axle", wheel.at(), carriage.at(), axis=(0, 1, 0)))
        model.add(h.joint_force("spring", "slide", f"-{stiffness}*displacement - {c}*rate"))
        model.add(h.StateVariable("current", rate=f"-({R_i}*current + {k}*axle.rate)/{L}"))
        model.add(h.joint_torque("motor", "axle", f"{k}*current"))
        model.add(rolls or h.relation("rolls", expression=f"slide.displacement - {r}*axle.angle"))
        system = model.compile()
        lin = system.linearise(system.start)
        found.append(np.sort_complex(lin.eigenvalues[~lin.rigid]))
        assert lin.rigid.sum() == (1 if rolls else 0)  # where the wheel stands to the carriage is left open
    whole = m + 1e-9 + J / r**2
    rates = [[0, 1, 0], [-stiffness / whole, -c / whole, k / r / whole], [0, -k / r / L, -R_i / L]]
    wanted = np.linalg.eigvals(rates)
    assert_allclose(found[0], np.sort_complex(wanted[wanted.imag >= 0.0]), rtol=1e-8)
    assert_allclose(found[0], found[1], rtol=1e-8)


def test_steering_by_a_state_is_refused():
    model = h.Model(gravity=(0, 0, 0))
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1), velocity=(1, 0, 0)))
    model.add(h.planar("plane", body.at(), model.ground.at()))
    model.add(h.StateVariable("course", rate="-course"))
    model.add(h.wheel("front", body.at((1, 0, 0)), model.ground.at(), steering="course"))
    system = model.compile()
    with pytest.raises(ModelError, match="state 'course': linear analysis knows no constraints that depend on state"):
        system.linearise(system.start)


def test_linear_modes_warn_of_coordinates_in_which_the_constraints_change():
    system = straight(2.0)
    turned = h.State(0.0, system.start.q, np.array([2.0, 0.0, 0.0, 1.0, 0.0, 4.0]), system.start.memory)
    with pytest.warns(UserWarning, match="turn about the middle of a circle"):
        system.linearise(turned)


@pytest.mark.parametrize("share", [0.8, 1.2])
def test_limit_of_stability_in_runs(share):
    """A small push grows below the limit, and swings above it, as the closed form says."""
    speed, push, t_end = share * SLOWEST, 1e-5, 1.5
    system = straight(speed, lean_rate=push)
    result = system.simulate(t_end=t_end, record=h.Record(every=0.05, channels=CHANNELS), method="dop853", rtol=1e-11)
    rate = small_motions(0.0, 0.0, speed / R)
    wanted = (push * np.sinh(rate * result.t) / rate).real
    assert_allclose(result["pose.angle[5]"], wanted, atol=1e-4 * np.abs(wanted).max())  # square of the push is left out


def test_wobbling_disc_follows_eulers_equations():
    system = straight(2.0, lean=0.3, lean_rate=0.5)
    result = system.simulate(t_end=2.0, record=h.Record(every=0.1, channels=CHANNELS), method="dop853", rtol=1e-11)
    rates = system.start.v
    wanted = euler(2.0, 0.3, rates[4], rates[3], rates[5] + rates[3] * sin(0.3))
    lean, turn = result["pose.angle[5]"][-1], result["pose.rate[4]"][-1]
    ours = [lean, result["pose.rate[5]"][-1], turn, result["pose.rate[6]"][-1] + turn * sin(lean)]
    assert_allclose(ours, wanted, atol=1e-9)  # rtol over two seconds


def test_a_disc_that_floats_freely_rolls_the_same_way():
    """The same disc by a quaternion instead of angles, with the methods for machines."""
    start = {"position": (0, 0, R * cos(0.3)), "rotation": {"axis": (1, 0, 0), "angle": 0.3}}
    model = h.Model(gravity=(0, 0, -G))
    body = model.add(h.RigidBody("disc", MASS, (0.25 * MASS * R**2, 0.5 * MASS * R**2, 0.25 * MASS * R**2), **start))
    model.add(h.rolling("contact", body.at(), model.ground.at(), R, axis=(0, 1, 0)))
    angles = straight(2.0, lean=0.3, lean_rate=0.5)
    free = model.compile()
    R_WB = np.array([[1, 0, 0], [0, cos(0.3), -sin(0.3)], [0, sin(0.3), cos(0.3)]])
    spin = R_WB.T @ np.array([0.5, 0, 0]) + np.array([0, angles.start.v[5], 0])
    v = np.concatenate((angles.start.v[:3], spin))
    start_free = h.State(0.0, free.start.q, v, free.start.memory)
    record = h.Record(every=0.1, channels=("disc.*", "contact.*", "energy"))
    settings = {"t_end": 1.0, "method": "dop853", "rtol": 1e-11, "record": record}
    one, other = angles.simulate(**settings), free.simulate(start_free, **settings)
    for name in ("disc.position", "contact.normal_force", "contact.longitudinal_force", "contact.lateral_force"):
        assert_allclose(other[name], one[name], atol=1e-8)
    assert_allclose(one["energy.total"], one["energy.total"][0], rtol=1e-10)
    implicit = free.simulate(start_free, t_end=1.0, step=1e-3, record=record)
    assert_allclose(implicit["disc.position"], one["disc.position"], atol=2e-5)  # second order: 4e-6 measured
    assert implicit.statistics["constraint_drift"].max() < 1e-10  # 1e-12 measured, by Newton's tolerance
