"""Steady rolling of wheelsets and bogies on a track, and small motions about it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h, railway
from tests.hybrid.running_wheelset import GRAVITY, HALF, MASS, PROFILE, RADIUS, TRACK, free_wheelset, held_wheelset

LAWS = ("linear", "saturated", "polach", "fastsim")
STRAIGHT = railway.Track(sections=[railway.Straight(500.0)])
BOGIE_MASS, AXLE_MASS, BOX_MASS, WHEEL_RADIUS = 2615.0, 1500.0, 50.0, 0.46


def curve(radius=300.0, cant=0.1):
    return railway.Track(
        sections=[railway.Straight(60.0), railway.Transition(60.0), railway.Curve(400.0, radius, cant=cant)]
    )


def bogie_on(track, distance, speed, carried=False, **contact):
    """A bogie in world axes, or carried by the frame of the track."""
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    wheelset = h.Wheelset(AXLE_MASS, (900.0, 100.0, 900.0), radius=WHEEL_RADIUS, contact=contact)
    bogie = h.Bogie(
        mass=BOGIE_MASS,
        inertia=(1722.0, 1476.0, 3067.0),
        height=0.6,
        half_base=1.28,
        half_width=1.0,
        wheelset=wheelset,
        primary=h.Springs(stiffness=(3.1e7, 3.9e6, 1.2e6), damping=(1.5e4, 2e3, 4e3)),
    )
    parts = h.add_bogie(model, "bogie", bogie, h.Run(distance, speed))
    if carried:
        frame = h.add_track_frame(model, f"{distance} + {speed}*t")
        h.carried(model, frame, parts.frame.at(), *(wheelset.box.at() for wheelset in parts.wheelsets))
    return model.compile()


def channels(system, state, names):
    """Values of channels at a state."""
    run = system.simulate(state, t_end=state.t + 1e-6, step=1e-6, record=h.Record(every=1e-6))
    return np.array([run[name][0] for name in names])


@pytest.mark.parametrize("law", LAWS)
def test_wheelset_rolls_with_settled_loads(law):
    speed = 20.0
    system = held_wheelset(speed, 4e5, 8e5, law=law).compile()
    state = system.steady_motion()
    # rounding of the contact forces over the mass
    assert np.abs(system.accelerations(state)[0]).max() <= 1e-6
    seat = railway.seat(TRACK, PROFILE, RADIUS, HALF, 0.5 * (MASS + 1.0) * GRAVITY)
    # the pairs of patches that carry the load lean by the conicity: 1e-4 of rolling radius
    assert state.v[-1] == pytest.approx(speed / seat.rolling_radius, rel=1e-4)
    np.testing.assert_allclose(channels(system, state, ["left.Q", "right.Q"]), 0.5 * (MASS + 1.0) * GRAVITY, rtol=1e-6)


@pytest.mark.parametrize("law", LAWS)
def test_free_wheelset_coasts_and_spin_may_be_far_off(law):
    """Nothing drives: what is left is the slow loss of speed, spread over all masses."""
    model = free_wheelset(10.0, law=law)
    joint = model.items["J"]
    rates = (*joint.start_rate[:-1], 2.0)  # sliding
    model.items["J"] = joint.__class__(**{**vars(joint), "start_rate": rates})
    system = model.compile()
    state = system.steady_motion()
    assert state.v[0] == pytest.approx(10.0, rel=1e-12)
    a = system.accelerations(state)[0]
    # spins of the patches brake a little, all other coordinates are at rest
    assert np.abs(a[1:5]).max() <= 1e-6
    assert a[5] / state.v[5] == pytest.approx(a[0] / state.v[0], rel=1e-3, abs=1e-9)


def test_wheels_fall_on_their_rails():
    """From 2 mm above them."""
    model = free_wheelset(10.0)
    joint = model.items["J"]
    start = (1.0, 0.0, joint.start[2] + 2e-3, 0, 0, 0)
    model.items["J"] = joint.__class__(**{**vars(joint), "start": start})
    state = model.compile().steady_motion()
    # the same place as from the seat, which leaves out creep forces
    assert state.q[2] == pytest.approx(joint.start[2], abs=1e-6)


def test_bogie_in_a_curve_balances_its_forces():
    radius, cant, speed = 300.0, 0.1, 15.0
    track = curve(radius, cant)
    system = bogie_on(track, 200.0, speed)
    state = system.steady_motion()
    mass = BOGIE_MASS + 2 * (AXLE_MASS + BOX_MASS)
    ends = [f"bogie_{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
    y = channels(system, state, [f"{name}.Y" for name in ends]) @ [1, -1, 1, -1]
    q = channels(system, state, [f"{name}.Q" for name in ends]).sum()
    lean = math.asin(cant / track.rail_distance)
    push, weight = mass * speed**2 / radius, mass * GRAVITY
    # heights over the rails and their lean make the circles of the centres of mass smaller: 0.6 sin(lean) of 300 m
    assert y == pytest.approx(weight * math.sin(lean) - push * math.cos(lean), abs=2e-3 * push)
    assert q == pytest.approx(weight * math.cos(lean) + push * math.sin(lean), rel=1e-3)
    run = system.simulate(state, t_end=1.0, step=1e-3, record=h.Record(every=0.05))
    # creep takes speed away, and with it forces change slowly; the place of the axle hardly does
    lateral = run["bogie_front_left.lateral"]
    assert np.ptp(lateral) <= 2e-6


@pytest.mark.slow
def test_world_axes_and_the_moving_frame_have_the_same_modes():
    for track, distance, tolerance in ((STRAIGHT, 20.0, 1e-7), (curve(), 200.0, 1e-3)):
        # in the curve slopes of stiff contacts have four digits
        found = []
        for carried in (False, True):
            system = bogie_on(track, distance, 15.0, carried)
            linear = system.linearise(system.steady_motion())
            assert linear.stable
            values = linear.eigenvalues[~linear.rigid]
            found.append(values[(values.imag > 2.0) & (values.imag < 300.0)])
        np.testing.assert_allclose(*(one[np.argsort(one.imag)] for one in found), rtol=tolerance)


def test_modes_of_a_curve_decay_as_simulated():
    """The slowest motion of a bogie in a curve, against the logarithm of what a run has left of a push."""
    system = bogie_on(curve(), 200.0, 15.0)
    state = system.steady_motion()
    linear = system.linearise(state)
    k = int(np.argmin(np.where(linear.eigenvalues.imag > 1.0, -linear.eigenvalues.real, np.inf)))
    value, shape = linear.eigenvalues[k], linear.shapes[:, k]
    step = 1e-5 / np.abs(shape).max() * shape
    moved = system.move(state, step.real)
    pushed = h.State(state.t, moved.q, state.v + (value * step).real, state.memory)
    every = 1e-3
    names = ("bogie_front_left.lateral", "bogie_rear_left.lateral", "bogie.position")
    kept = h.Record(every=every, channels=names)
    runs = [system.simulate(one, t_end=0.6, step=2e-4, record=kept) for one in (pushed, state)]
    z = runs[0]["bogie.position"][:, 2] - runs[1]["bogie.position"][:, 2]
    # exponent and frequency of two points apart: z(t + 2 d) = 2 Re(q) z(t + d) - |q|² z(t), q = exp(value d)
    apart = 20
    rows = np.column_stack((z[apart:-apart], -z[: -2 * apart]))
    twice, square = np.linalg.lstsq(rows, z[2 * apart :], rcond=None)[0]
    q = complex(0.5 * twice, math.sqrt(max(square - 0.25 * twice**2, 0.0)))
    measured = np.log(q) / (apart * every)
    # second-order steps and what the push brings into other modes: 2 %
    assert measured.real == pytest.approx(value.real, rel=0.02)
    assert measured.imag == pytest.approx(value.imag, rel=0.02)


def test_an_axle_that_spins_in_its_attitude_has_the_modes_of_one_with_a_joint():
    speed, load = 10.0, 0.5 * MASS * GRAVITY
    seat = railway.seat(STRAIGHT, "S1002", 0.46, 0.75, load)
    model = h.Model(gravity=(0, 0, -GRAVITY), track=STRAIGHT)
    rolling = railway.on_track(STRAIGHT, 5.0, height=seat.height, speed=speed, rotation=speed / seat.rolling_radius)
    axle = model.add(h.RigidBody("axle", MASS, (1120.0, 112.0, 1120.0), **rolling))
    jointed = h.Model(gravity=(0, 0, -GRAVITY), track=STRAIGHT)
    other = jointed.add(h.RigidBody("axle", MASS, (1120.0, 112.0, 1120.0)))
    steps = [h.translate(a) for a in np.eye(3).tolist()]
    steps += [h.rotate((0, 0, 1)), h.rotate((1, 0, 0)), h.rotate((0, 1, 0))]
    rates = (speed, 0, 0, 0, 0, speed / seat.rolling_radius)
    start = (5.0, 0, seat.height, 0, 0, 0)
    jointed.add(h.general("J", other.at(), jointed.ground.at(), steps, start=start, start_rate=rates))
    found = []
    for one, body in ((model, axle), (jointed, other)):
        for side, y in (("left", 0.75), ("right", -0.75)):
            one.add(h.wheel_on_track(side, body.at((0, y, 0)), side, 0.46))
        linear = one.compile().linearise()
        values = linear.eigenvalues[~linear.rigid]
        found.append(values[np.argsort(np.abs(values))])
    np.testing.assert_allclose(*found, rtol=1e-5)


def test_standing_wheels_rest_on_their_rails():
    system = bogie_on(STRAIGHT, 20.0, 0.0)
    state = system.steady_motion()
    assert np.abs(state.v).max() <= 1e-12
    assert np.abs(system.accelerations(state)[0]).max() <= 1e-6


class TestNoSteadyRolling:
    def test_on_a_transition(self):
        with pytest.raises(ff.errors.NotConverged, match="its curvature changes between the wheels"):
            bogie_on(curve(), 90.0, 15.0).steady_motion()

    def test_on_irregular_track(self):
        fault = railway.Fault("dip", at=20.0, depth=0.005, length=40.0, rail="left")
        track = railway.Track(sections=[railway.Straight(100.0)], irregularities=[fault])
        with pytest.raises(ff.errors.NotConverged, match=r"irregular there\. Start before its irregularities"):
            bogie_on(track, 20.0, 15.0).steady_motion()

    def test_with_a_spring_to_the_ground(self):
        model = free_wheelset(10.0)
        axle = model.items["axle"]
        model.add(h.spring("leash", axle.at(), model.ground.at((0, 0, 3)), stiffness=5e3, length=1.0))
        with pytest.raises(ff.errors.NotConverged, match=r"change as it goes on\. Is there a spring to the ground"):
            model.compile().steady_motion()

    @pytest.mark.filterwarnings("ignore:body 'axle'")  # it stands, and its joint starts it at 9 m/s
    def test_where_a_joint_leads_straight_on(self):
        model = h.Model(gravity=(0, 0, -GRAVITY), track=curve())
        here = railway.on_track(model.track, 200.0, height=0.46)
        axle = model.add(h.RigidBody("axle", MASS, (1120, 112, 1120), **here))
        place = model.ground.at(here["position"], rotation=here["rotation"])
        model.add(h.general("J", axle.at(), place, [h.translate((1, 0, 0)), h.translate((0, 0, 1))], start_rate=(9, 0)))
        for side, y in (("left", 0.75), ("right", -0.75)):
            model.add(h.wheel_on_track(side, axle.at((0, y, 0)), side, 0.46))
        with pytest.raises(ff.errors.NotConverged, match="a joint on the ground keeps a body from following"):
            model.compile().steady_motion()


@pytest.mark.slow
def test_long_wheelbase_in_a_tight_curve_is_found_after_a_run():
    """Axles 9 m apart at R = 400 m stand 11 mrad from their radial places, at the flanges: from a start with radial
    axles Newton's method leads nowhere. Forces balance, and a run from there stays, but for the speed that creep takes.
    """
    radius, cant, speed, mass, half_base = 400.0, 0.1, 15.0, 20000.0, 4.5
    track = curve(radius, cant)
    model = h.Model(gravity=(0, 0, -GRAVITY), track=track)
    wheelset = h.Wheelset(1300.0, (700.0, 90.0, 700.0), radius=WHEEL_RADIUS, contact={"law": "polach"})
    start = railway.on_track(track, 250.0, height=1.0, speed=speed)
    car = model.add(h.RigidBody("car", mass, (2.5e4, 2.5e5, 2.5e5), **start))
    whole = float(wheelset.whole_mass)
    for name, x in (("front", half_base), ("rear", -half_base)):
        load = 0.25 * mass * GRAVITY + 0.5 * whole * GRAVITY
        parts = h.add_wheelset(model, name, wheelset, h.Run(250.0 + x, speed), load)
        for side, y in (("left", 1.0), ("right", -1.0)):
            place = parts.box.at((0, y, 1.0 - parts.height))
            stiffness, damping = [8e6, 4e6, 1e6, 0, 2e3, 0], [2e4, 2e4, 4e4, 0, 1e2, 0]
            preload = [0, 0, 0.25 * mass * GRAVITY, 0, 0, 0]
            spring = h.bushing(f"{name}_{side}_spring", car.at((x, y, 0)), place, stiffness, damping, preload=preload)
            model.add(spring)
    system = model.compile()
    state = system.steady_motion()
    wheels = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
    y = channels(system, state, [f"{name}.Y" for name in wheels])
    lean = math.asin(cant / track.rail_distance)
    total = mass + 2 * whole
    push, weight = total * speed**2 / radius, total * GRAVITY
    # heights over the leaning rails make circles smaller by 1 m sin(lean), the chord moves the car inward by 25 mm
    assert y @ [1, -1, 1, -1] == pytest.approx(weight * math.sin(lean) - push * math.cos(lean), abs=2e-3 * push)
    run = system.simulate(state, t_end=state.t + 1.0, step=1e-3, record=h.Record(every=0.05))
    for name in wheels:
        assert np.ptp(run[f"{name}.lateral"]) <= 2e-5
