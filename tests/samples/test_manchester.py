"""The Manchester coach against hand calculation: loads, two-stage suspension, curve, parts of its suspension."""

from __future__ import annotations

import json
from shutil import copyfile

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import root

from floatframe import hybrid as h
from floatframe.cli.main import run as command
from floatframe.samples.manchester import study
from floatframe.samples.manchester.study import AXLES, GRAVITY, HERE, LOAD, MASS, WHEELS

BODY, FRAME, WHEELSET = 32000.0, 2615.0, 1813.0
PIVOT, SPRING, STOP, ROD, AXLE, CENTRE = 9.5, 0.8275, 0.65, 0.6, 0.46, 1.8
K1, C1 = 1.22e6, 4e3  # vertical, of an axle box
K2, C2, LATERAL, BENDING = 430e3, 20e3, 160e3, 10.5e3  # of a side of a bogie
WAY = [0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04]
PUSH = [0, 600, 1760, 3730, 6870, 11580, 17170, 29200, 230000]
SPIN = 111.5  # kg m2, of an axle


def coach():
    return h.read_model(HERE / "vehicle.toml").model


def run(model, t_end, every=0.01):
    record = h.Record(every=every)
    return model.compile().simulate(t_end=t_end, method="generalised-alpha", step=1e-3, record=record)


def test_wheels_carry_the_weight():
    assert pytest.approx((BODY + 2 * FRAME + 4 * WHEELSET) * GRAVITY / 8) == LOAD
    loads = study.static_loads()
    assert loads.keys() == set(WHEELS)
    # the centre of the frame counts from the unloaded radius: 2e-4 m
    assert_allclose(list(loads.values()), LOAD, rtol=1e-4)


def test_a_smooth_straight_track_moves_nothing_sideways():
    result = run(coach(), 2.0)
    assert np.abs(result["body.position"][:, 1]).max() < 1e-12
    for axle in AXLES:
        assert_allclose(result[f"{axle}_left.Y"], result[f"{axle}_right.Y"], rtol=1e-6)
    # it starts at rest: nothing rings
    for wheel in WHEELS:
        assert_allclose(result[f"{wheel}.Q"], LOAD, rtol=1e-4)


def two_stages(mass, lever):
    """Roots of a body on frames on rails: bounce of mass [kg], or pitch of inertia [kg m2] with springs at a lever."""
    M = np.diag([mass, 2 * FRAME])
    upper, lower = np.array([[lever**2, -lever], [-lever, 1.0]]), np.diag([0.0, 1.0])
    K, C = 4 * K2 * upper + 8 * K1 * lower, 4 * C2 * upper + 8 * C1 * lower
    first = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    roots = np.linalg.eigvals(first)
    return sorted((root for root in roots if root.imag > 0), key=abs)


def test_bounce_and_pitch_are_those_of_a_suspension_in_two_stages():
    system = coach().compile()
    found = system.linearise(system.initial_state()).eigenvalues
    found = found[found.imag > 0]
    bounce, pitch = two_stages(BODY, 1.0), two_stages(1.97e6, PIVOT)
    for expected, allowed in (
        # the contacts give way too: some 1e-3 of the primary springs
        (bounce[0], 2e-3),
        (bounce[1], 5e-3),
        # a body that pitches pulls its bogies along by their rods, 1 % of its inertia
        (pitch[0], 1e-2),
        (pitch[1], 5e-3),
    ):
        assert np.abs(found / expected - 1.0).min() < allowed


def test_modes_over_speed_and_critical_speed():
    locus = study.modes((20.0, 60.0, 75.0, 100.0))
    critical = [one.speed for one in locus.crossings if one.unstable_above]
    assert 60.0 < critical[0] < 75.0


@pytest.mark.parametrize("law", ["saturated", "fastsim"])
def test_hunting_dies_out_as_fast_as_linear_analysis_says(law, tmp_path):
    """Laws of creep that have a tangent where nothing slides; Polach's has none, and runs differ from it."""
    for name in ("vehicle.toml", "cycles.toml"):
        text = (HERE / name).read_text(encoding="utf-8").replace('law = "polach"', f'law = "{law}"')
        (tmp_path / name).write_text(text, encoding="utf-8")
    system = h.read_model(tmp_path / "vehicle.toml", {"speed": 70.0}).model.compile()
    roots = system.linearise(system.steady_motion()).eigenvalues
    hunting = roots[(roots.imag > 2 * np.pi * 5.2) & (roots.imag < 2 * np.pi * 7.0) & (roots.real > -10.0)]
    assert len(hunting) == 2  # bogies in phase and against each other
    model = h.read_model(tmp_path / "cycles.toml", {"speed": 70.0, "blow": 100.0}).model
    result = run(model, 4.0, every=5e-3)
    front, rear = (result[f"coach.{bogie}.frame_front.position"][:, 1] for bogie in ("front", "rear"))
    late = result.t > 1.5
    slowest, fastest = -hunting.real.max(), -hunting.real.min()
    envelope = [np.abs((front + rear)[late & (abs(result.t - at) < 0.25)]).max() for at in (2.0, 3.5)]
    rate = np.log(envelope[0] / envelope[1]) / 1.5
    # the two beat: between both rates but for 5 %
    assert 0.95 * slowest < rate < 1.05 * fastest


@pytest.mark.slow
def test_critical_speed_and_limit_cycles_from_the_command_line(tmp_path, capsys):
    """Linear analysis has 67 m/s; at 60 m/s blows die out, at 80 m/s small ones grow to what large ones leave."""
    for name in ("vehicle.toml", "cycles.toml"):
        copyfile(HERE / name, tmp_path / name)
    vary = ["linear", str(tmp_path / "vehicle.toml"), "--vary", "speed=60:80:10"]
    assert command([*vary, "-o", str(tmp_path / "locus.png"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 65.0 < found["critical_speed"] < 70.0
    assert [point["stable"] for point in found["points"]] == [True, False, False]
    lateral = "coach.front.frame_front.position.y"
    cycles = str(tmp_path / "cycles.h5")
    varied = ["--vary", "speed=60:80:20", "--vary", "blow=1e3,6e4", "--measure", f"{lateral}:max,min", "--from", "6.5"]
    assert command(["sweep", str(tmp_path / "cycles.toml"), *varied, "--workers", "1", "-o", cycles, "--json"]) == 0
    capsys.readouterr()
    assert command(["assess", cycles, "--over", "speed", "--amplitude", lateral, "--least", "5e-4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["lowest"], found["starts"]) == (80.0, 80.0)
    assert_allclose(found["falling"][1], 6.4e-3, rtol=0.1)  # flanges end it: 1435 - 1425 mm, and some


# the curve


def leaning(speed, roll_bar, radius=600.0, cant=0.1):
    """Lateral way of the springs [m], roll of the body against its frames [rad] and push of a stop [N], steady."""
    lean = np.arcsin(cant / 1.5)
    outward = speed**2 / radius * np.cos(lean) - GRAVITY * np.sin(lean)
    down = GRAVITY * np.cos(lean) + speed**2 / radius * np.sin(lean)
    weight, roll = BODY * down, 2 * (2 * K2 + 2 * BENDING + roll_bar)

    def stop(way, turn):
        return np.interp(way - turn * (SPRING - STOP) - 0.025, WAY, PUSH)

    def unbalanced(x):
        way, turn, frame = x
        springs, stops = 4 * LATERAL * way, 2 * stop(way, turn)
        sideways = springs + stops - BODY * (outward + down * frame)
        body = roll * turn - springs * (CENTRE - SPRING) - stops * (CENTRE - STOP) - weight * (CENTRE - SPRING) * turn
        frames = 8 * K1 * frame - springs * (SPRING - AXLE) - stops * (STOP - AXLE) - roll * turn
        frames -= weight * (way + (SPRING - AXLE) * frame) + 2 * FRAME * (outward + down * frame) * (0.6 - AXLE)
        return np.array([sideways, body, frames]) / weight

    way, turn, _ = root(unbalanced, [0.03, 0.01, 0.002], method="hybr").x
    return way, turn, stop(way, turn)


@pytest.mark.parametrize(("speed", "roll_bar"), [(25.0, 940e3), (25.0, 0.0), (30.0, 940e3)])
def test_curve_roll_bar_and_bump_stop(speed, roll_bar):
    """Sum of Y by the balance of forces; roll of the body with and without its bars, and push of its stops, by hand."""
    values = {"speed": speed, "roll_bar": roll_bar, "time": 14.0}
    curve = study.curving(values)
    centrifugal = MASS * speed**2 / 600.0
    assert curve.total == pytest.approx(curve.balance, abs=1e-3 * centrifugal)
    assert sum(curve.vertical.values()) == pytest.approx(
        MASS * (GRAVITY * np.sqrt(1 - (0.1 / 1.5) ** 2) + curve.speed**2 / 600.0 * 0.1 / 1.5), rel=1e-3
    )
    file = h.read_model(HERE / "curve.toml", values)
    result = file.model.compile().simulate(record=file.record, **file.simulate)
    last = result.t > 12.0
    _, turn, push = leaning(curve.speed, roll_bar)
    for bogie in ("front", "rear"):
        # springs bend about y too, 1 % of the roll with bars; wheelsets lean by conicity: 1 % of it
        torque = np.linalg.norm(result[f"coach.{bogie}_left.torque"][last], axis=1).mean()
        assert torque == pytest.approx(BENDING * turn, rel=0.04)
        bar = np.linalg.norm(result[f"coach.{bogie}_roll_bar.torque"][last], axis=1).mean()
        assert bar == pytest.approx(roll_bar * turn, rel=0.02)
        # 0.1 mm of way are 20 N
        pushed = np.abs(result[f"coach.{bogie}_stop.value"][last]).mean()
        assert pushed == pytest.approx(push, rel=0.05)
        assert (push > 0.0) == (speed == 30.0)


# other parts


def test_traction_rods_pull_the_bogies():
    """A force along the coach: rods and springs beside them accelerate bogies with what turns in them."""
    model, force = coach(), 20e3
    pull = h.Table([0.0, 3.0, 10.0], [0.0, -force, -force])
    model.add(h.point_force("pull", model["body"].at((0, 0, CENTRE - AXLE)), [pull, 0, 0]))
    result = run(model, 6.0)
    turning = SPIN / 0.46**2
    braked = force / (MASS + 4 * turning)
    late = result.t > 5.0
    slower = -np.polyfit(result.t[late], result["body.velocity"][late, 0], 1)[0]
    assert slower == pytest.approx(braked, rel=1e-3)
    share = 5e6 / (5e6 + 2 * LATERAL)
    expected = share * braked * (FRAME + 2 * WHEELSET + 2 * turning)
    # the body pitches: 1e-5 m at rods that are 6e-4 m longer
    assert result["front_rod.value"][late].mean() == pytest.approx(expected, rel=0.03)  # tension, to the rear
    assert result["rear_rod.value"][late].mean() == pytest.approx(-expected, rel=0.03)


@pytest.mark.parametrize("load", [4e3, 9e3])
def test_friction_dampers_hold_until_they_slide(load):
    """Four dampers of 1500 N beside the secondary springs, which carry what those cannot."""
    model, limit, stiff = coach(), 1500.0, 1e7
    for bogie, x in (("front", PIVOT), ("rear", -PIVOT)):
        for side, y in (("left", 1.0), ("right", -1.0)):
            here = model["body"].at((x, y, SPRING - AXLE))
            there = model[f"{bogie}.frame"].at((0, y, SPRING - AXLE))
            damper = h.friction(
                f"{bogie}_{side}_damper", here, there, limit, stick=True, stiffness=stiff, damping=1e5, axis=(0, 0, 1)
            )
            model.add(damper)
    ramp = h.Table([0.0, 10.0], [0.0, -load])
    model.add(h.point_force("load", model["body"].at((0, 0, CENTRE - AXLE)), [0, 0, ramp]))
    result = run(model, 10.0)
    late = result.t > 9.0  # a period of the body, so that what is left of its bounce cancels out
    share = load / 4 * result.t[late].mean() / 10.0
    held = min(share * stiff / (stiff + K2), limit)
    for name in ("front_left", "rear_right"):
        spring = result[f"{name}.force"][late, 2].mean() - 0.25 * BODY * GRAVITY
        assert spring == pytest.approx(share - held, abs=10.0)
        assert np.abs(result[f"{name}_damper.value"][late]).mean() == pytest.approx(held, abs=10.0)


def test_the_ride_keeps_the_limits():
    ride = study.riding(5.0)
    assert not ride.exceeded
    assert {one.quantity for one in study.worst(ride)} >= {"ΣY", "Y/Q", "Q", "Wz vertical", "Wz lateral"}


def test_the_models_survive_writing(tmp_path):
    model = h.read_model(HERE / "curve.toml").model
    h.write_model(tmp_path / "again.toml", model)
    again = h.read_model(tmp_path / "again.toml").model.flatten()
    for one, other in zip(model.flatten().bodies, again.bodies, strict=True):
        assert_allclose(one.position, other.position)
        assert one.name == other.name
