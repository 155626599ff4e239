"""Wheels on a track in simulations: Klingel's wave, critical speed, curving, errors."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h, railway
from floatframe.errors import ModelError
from floatframe.hybrid.results.rebuilding import rebuilt
from tests.hybrid.running_wheelset import (
    GRAVITY,
    HALF,
    INERTIA,
    MASS,
    PROFILE,
    RADIUS,
    critical_speed,
    free_wheelset,
    held_wheelset,
    kinematic_wave,
    waves,
    wheels,
)


@pytest.mark.parametrize("law", ["linear", "polach", "fastsim"])
def test_wheelset_hunts_with_klingels_wave(law):
    """By linear analysis, by simulation and by formula."""
    speed = 1.0
    system = free_wheelset(speed, law=law).compile()
    linear = system.linearise(system.initial_state())
    rate = linear.frequency / speed
    hunting = float(rate[(rate > 1e-3) & (rate < 1.0) & (np.abs(linear.damping) < 0.5)][0])
    run = free_wheelset(speed, yaw=2e-4, law=law).compile()
    result = run.simulate(t_end=40.0, step=1e-3, method="generalised-alpha", record=h.Record(every=0.05))
    simulated = waves(*result["axle.position"][:, :2].T)[-2:]
    # the formula has no mass, no creep and no elastic approach of 2e-5 m: 1e-4 each at 1 m/s
    assert 1 / hunting == pytest.approx(kinematic_wave(), rel=1e-3)
    assert simulated == pytest.approx(1 / hunting, rel=1e-4)


def test_rolling_wheelset_carries_its_weight_without_creepage():
    system = free_wheelset(20.0).compile()
    result = system.simulate(t_end=0.5, step=1e-3, method="generalised-alpha", record=h.Record(every=0.1))
    for side in ("left", "right"):
        assert result[f"{side}.Q"][-1] == pytest.approx(0.5 * MASS * GRAVITY, rel=1e-3)
        assert abs(result[f"{side}.creep_along"][-1, 0]) < 1e-5
        # a cone presses outward against the gauge side: its normal leans by the conicity
        assert result[f"{side}.contact_angle"][-1, 0] == pytest.approx(-math.atan(0.05), rel=2e-3)
    assert result["left.distance"][-1] == pytest.approx(result["axle.position"][-1, 0], abs=1e-9)
    assert result["left.lateral"][-1] == pytest.approx(HALF, abs=1e-6)
    np.testing.assert_allclose(result["left.Y"], result["right.Y"], rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize(("rail", "profile", "widening"), [("arc:0.3", PROFILE, 0.0), ("60E1", "S1002", 0.01)])
def test_a_start_beside_the_middle_rests_on_both_wheels(rail, profile, widening):
    """The axle leans, and knows the widened gauge: neither wheel is pressed into its rail at the start."""
    load, lateral = 0.5 * MASS * GRAVITY, 3e-3
    track = railway.Track([railway.Curve(50.0, 1e6, widening=widening)], rail=rail)
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    wheels = h.Wheels(RADIUS, load, profile, HALF)
    start = h.OnTrack(5.0, speed=5.0, lateral=lateral, wheels=wheels)
    axle = model.add(h.RigidBody("axle", MASS, INERTIA, on_track=start))
    for side, way in (("left", 1), ("right", -1)):
        model.add(h.wheel_on_track(side, axle.at((0, way * HALF, 0)), side, radius=RADIUS, profile=profile))
    result = model.compile().simulate(t_end=0.1, step=1e-3, method="generalised-alpha")
    for side in ("left", "right"):
        # lateral creep tilts the contact forces a little
        np.testing.assert_allclose(result[f"{side}.Q"], load, rtol=0.03)
    assert result["left.lateral"][0] == pytest.approx(HALF + lateral, abs=1e-7)


def test_a_cone_beside_the_middle_leans_by_its_slope():
    """It turns about the point where the normals of both contacts meet, which pass through the heads' centres."""
    head, slope, lateral = 0.3, 0.05, 3e-3
    track = railway.Track([railway.Straight(50.0)], rail=f"arc:{head}")
    level, seat = (railway.seat(track, PROFILE, RADIUS, HALF, 1e4, lateral=y) for y in (0.0, lateral))
    above = HALF / slope - head - RADIUS  # of that point over the axle; heights of order slope² are left out
    assert level.roll == 0.0
    assert seat.roll == pytest.approx(lateral / above, rel=1e-3)
    assert seat.height == pytest.approx(level.height, abs=1e-6)
    assert seat.rolling_radius == pytest.approx(level.rolling_radius, abs=1e-6)


def test_critical_speed_by_formula_linear_analysis_and_simulation():
    lateral, yaw = 4e5, 8e5
    slow = INERTIA[0], 1.0, INERTIA[2]  # hardly a gyroscope, which the formula leaves out
    formula = critical_speed(lateral, yaw, slow)

    def damping(speed):
        system = held_wheelset(speed, lateral, yaw, inertia=slow, law="linear").compile()
        found = system.linearise(system.initial_state())
        near = (found.frequency > 0.5) & (found.frequency < 20) & (np.abs(found.damping) < 0.9)
        return float(found.damping[near].min())

    low, high = 0.9 * formula, 1.1 * formula
    assert damping(low) > 0 > damping(high)
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if damping(middle) > 0 else (low, middle)
    critical = 0.5 * (low + high)
    assert critical == pytest.approx(formula, rel=0.05)

    def growth(speed):
        run = held_wheelset(speed, lateral, yaw, turned=2e-5, inertia=slow, law="linear").compile()
        result = run.simulate(t_end=4.0, step=1e-3, method="generalised-alpha", record=h.Record(every=5e-3))
        y = np.abs(result["axle.position"][:, 1])
        return y[-200:].max() / y[300:500].max()

    assert growth(0.97 * critical) < 1 < growth(1.03 * critical)


def trolley(track, speed, distance, **contact):
    """A frame with two wheelsets in stiff springs."""
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    mass, half_base, radius, half = 8000.0, 1.2, 0.46, 0.75
    load = 0.25 * (mass + 2 * MASS) * GRAVITY
    seat = railway.seat(track, "S1002", radius, half, load)
    frame = model.add(
        h.RigidBody(
            "frame",
            mass,
            (4000, 6000, 8000),
            **railway.on_track(track, distance, height=seat.height, speed=speed),
        )
    )
    k, c = [2e7, 5e6, 2e7, 0, 0, 0], [1e5, 5e4, 1e5, 0, 0, 0]
    for name, x in (("front", half_base), ("rear", -half_base)):
        start = railway.on_track(track, distance + x, height=seat.height, speed=speed)
        box = model.add(h.RigidBody(f"{name}_box", 100.0, (50, 10, 50), **start))
        rolling = railway.on_track(
            track, distance + x, height=seat.height, speed=speed, rotation=speed / seat.rolling_radius
        )
        axle = model.add(h.RigidBody(f"{name}_axle", MASS - 100.0, INERTIA, **rolling))
        model.add(h.revolute(f"{name}_spin", axle.at(), box.at(), axis=(0, 1, 0)))
        for side, y in (("left", 1.0), ("right", -1.0)):
            preload = [0, 0, mass * GRAVITY / 4, 0, 0, 0]
            model.add(
                h.bushing(
                    f"{name}_{side}_spring",
                    frame.at((x, y, 0)),
                    box.at((0, y, 0)),
                    stiffness=k,
                    damping=c,
                    preload=preload,
                )
            )
        wheels(model, axle, radius, "S1002", half, f"{name}_", **contact)
    return model, mass + 2 * MASS


@pytest.mark.parametrize("cant", [0.0, 0.12])
def test_steady_curving_balances_the_forces(cant):
    radius, speed = 300.0, 15.0
    track = railway.Track(
        sections=[railway.Straight(20.0), railway.Transition(60.0), railway.Curve(400.0, radius, cant=cant)]
    )
    model, mass = trolley(track, speed, 5.0, friction=0.3)
    result = model.compile().simulate(t_end=20.0, step=1e-3, method="generalised-alpha", record=h.Record(every=0.05))
    last = slice(-20, None)
    names = [f"{axle}_{side}" for axle in ("front", "rear") for side in ("left", "right")]
    outward = {"left": 1.0, "right": -1.0}
    lateral = sum(outward[n.rpartition("_")[2]] * result[f"{n}.Y"][last].mean() for n in names)
    vertical = sum(result[f"{n}.Q"][last].mean() for n in names)
    v = np.linalg.norm(result["frame.velocity"][last], axis=1).mean()
    # the centre of mass runs on a circle that cant and the inner shift make a little smaller
    centre = result["frame.position"][last]
    middle = np.array(
        [
            track.frame(track.end).p + radius * np.array([-math.sin(h0), math.cos(h0), 0])
            for h0 in [float(track.frame(track.end).heading)]
        ]
    )[0]
    own = np.linalg.norm(centre[:, :2] - middle[:2], axis=1).mean()
    lean = math.asin(cant / track.rail_distance)
    push = mass * v**2 / own
    weight = mass * GRAVITY
    # left curve: the track pushes the vehicle to the left, the wheels push the rails to the right
    assert lateral == pytest.approx(weight * math.sin(lean) - push * math.cos(lean), abs=0.01 * push)
    assert vertical == pytest.approx(weight * math.cos(lean) + push * math.sin(lean), rel=2e-3)
    # the outer wheel in front guides: its flange touches
    assert result["front_right.Y"][last].mean() > 0.1 * result["front_right.Q"][last].mean()
    np.testing.assert_allclose(result["front_left.distance"][last], result["front_right.distance"][last], atol=0.05)


def test_irregularities_lift_the_wheels():
    fault = railway.Fault("dip", at=20.0, depth=0.005, length=4.0, rail="left")
    track = railway.Track(sections=[railway.Straight(100.0)], rail="arc:0.3", irregularities=[fault])
    result = (
        free_wheelset(10.0, track=track)
        .compile()
        .simulate(t_end=3.0, step=5e-4, method="generalised-alpha", record=h.Record(every=5e-3))
    )
    s, z = result["left.distance"], result["axle.position"][:, 2]
    deepest = int(np.argmin(z))
    # half of what the left rail sinks
    assert z[0] - z[deepest] == pytest.approx(0.0025, rel=0.05)
    assert s[deepest] == pytest.approx(20.0, abs=0.3)


def test_rail_on_springs_gives_way():
    k = 5e7
    stiff, soft = (
        free_wheelset(5.0, **given)
        .compile()
        .simulate(t_end=3.0, step=1e-3, method="generalised-alpha", record=h.Record(every=0.1))
        for given in ({}, {"vertical_stiffness": k, "damping": 5.0})
    )
    sag = stiff["axle.position"][-1, 2] - soft["axle.position"][-1, 2]
    assert sag == pytest.approx(0.5 * MASS * GRAVITY / k, rel=1e-2)


def test_rail_on_springs_goes_aside():
    """The angle of a cone leaves the contact where it is on an arc, so that it moves on the wheel by the rail's way."""
    k = 2e6
    stiff, soft = (
        free_wheelset(5.0, **given)
        .compile()
        .simulate(t_end=1.0, step=1e-3, method="generalised-alpha", record=h.Record(every=0.1))
        for given in ({}, {"lateral_stiffness": k, "damping": 5.0})
    )
    for side in ("left", "right"):
        aside = soft[f"{side}.on_wheel"][-1, 0] - stiff[f"{side}.on_wheel"][-1, 0]
        assert aside == pytest.approx(soft[f"{side}.Y"][-1] / k, rel=1e-2)
        assert aside > 1e-5


@pytest.mark.parametrize("law", ["linear", "polach", "fastsim"])
def test_wear_is_the_energy_that_sliding_takes(law):
    """A wheelset that spins too fast and yaws, until it rolls: its energy goes into creep.

    The wear number is that per metre, at the mean of the speeds of wheel and rail. What the contact damps is 0.2 %.
    """
    model = free_wheelset(10.0, yaw=1e-2, law=law)
    joint = model.items["J"]
    model.items["J"] = replace(joint, start_rate=(*joint.start_rate[:5], 1.3 * joint.start_rate[5]))
    result = model.compile().simulate(t_end=0.2, step=1e-4, method="generalised-alpha", record=h.Record(every=1e-4))
    energy = result["energy.total"]
    rolling = 0.5 * (result["J.rate[1]"] + RADIUS * result["J.rate[6]"])
    lost = np.trapezoid((result["left.wear"] + result["right.wear"]) * rolling, result.t)
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=4e-3)
    assert lost > 1000.0


def test_the_end_of_the_track_is_said_and_results_are_kept():
    track = railway.Track(sections=[railway.Straight(20.0)], rail="arc:0.3")
    result = (
        free_wheelset(10.0, track=track)
        .compile()
        .simulate(t_end=3.0, step=1e-3, method="generalised-alpha", record=h.Record(every=0.01))
    )
    assert "wheel_on_track 'left' is 20" in result.status.message
    assert "reaches from 0 to 20 m" in result.status.message
    assert result["left.distance"][-1] == pytest.approx(20.0, abs=0.15)


def test_a_wheel_beside_the_rail_is_said():
    model = free_wheelset(10.0)
    model.items["J"] = model.items["J"].__class__(**{**vars(model.items["J"]), "start": (1.0, 0.2, 0.46, 0, 0, 0)})
    with pytest.raises(
        ModelError, match=r"wheel_on_track 'left' has left the rail at the start, .* mm beside the middle"
    ):
        model.compile().simulate(t_end=1.0)


def test_a_wheel_needs_a_track():
    model = h.Model()
    axle = model.add(h.RigidBody("axle", 1.0, (1, 1, 1)))
    wheels(model, axle)
    with pytest.raises(ModelError, match="the model has no track to run on"):
        model.compile()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"side": "up"}, "found side 'up', expected 'left' or 'right'"),
        ({"law": "coulomb"}, "found law 'coulomb', expected 'linear'"),
        ({"profile": "S1003"}, "no standard profile"),
        ({"frction": 0.3}, "unknown key 'frction'; did you mean friction"),
    ],
)
def test_wrong_wheels_are_refused(given, said):
    body = h.RigidBody("axle", 1.0, (1, 1, 1))
    with pytest.raises(ModelError, match=said):
        h.wheel_on_track("W", **{"wheel": body.at(), "side": "left", "radius": 0.46, **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"damping": -1.0}, "wheel_on_track 'left': found damping -1 s/m, expected at least 0"),
        ({"strips": 16.5}, "found strips 16.5, expected a whole number"),
        ({"slip": -1.0}, "slip -1, expected more than 0 each"),
    ],
)
def test_wrong_numbers_are_refused(given, said):
    with pytest.raises(ModelError, match=said):
        free_wheelset(10.0, **given).compile()


def test_a_kept_run_is_rebuilt_without_doubts_about_its_model(tmp_path):
    """Its text has the track and its wheels, which were made in Python."""
    system = free_wheelset(10.0).compile()
    system.simulate(t_end=0.02, step=1e-3, method="generalised-alpha", path=tmp_path / "run.h5")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rebuilt(ff.io.read(tmp_path / "run.h5"))
    assert found.nv == system.nv
