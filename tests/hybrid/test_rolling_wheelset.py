"""Linear analysis of a wheelset that rolls: Klingel's wave with an axle, a warning without."""

import math
import warnings

import pytest

import floatframe as ff

SPEED, RADIUS, HALF_GAUGE, CONICITY = 10.0, 0.46, 0.75, 0.05


def wheelset(axle: bool) -> ff.hybrid.System:
    """A wheelset on straight track, its spin in a joint against a light box or in its own attitude."""
    model = ff.hybrid.Model(gravity=(0, 0, -9.81))
    rolling = {"velocity": (SPEED, 0, 0)}
    spin = SPEED / RADIUS
    wheels = ff.hybrid.RigidBody(
        "wheels",
        mass=1500.0,
        inertia=(800, 100, 800),
        position=(0, 0, RADIUS),
        **({} if axle else rolling | {"angular_velocity": (0, spin, 0)}),
    )
    if axle:
        box = model.add(
            ff.hybrid.RigidBody("box", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, RADIUS), **rolling)
        )
        model.add(wheels)
        model.add(ff.hybrid.revolute("axle", wheels.at(), box.at(), axis=(0, 1, 0), start_rate=spin))
        upright = [0, 0, 0, 0, 1e3, 0]
        model.add(ff.hybrid.bushing("upright", box.at(), model.ground.at(), stiffness=upright, damping=upright))
    else:
        model.add(wheels)
    for side, y in (("left", HALF_GAUGE), ("right", -HALF_GAUGE)):
        place = wheels.at((0, y, 0))
        model.add(ff.hybrid.wheel_rail(side, place, model.ground.at(), side=side, radius=RADIUS, conicity=CONICITY))
    return model.compile()


def test_wheelset_with_an_axle_hunts_with_klingels_wave() -> None:
    system = wheelset(axle=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linear = system.linearise(system.steady_motion())
    hunting = SPEED / (2 * math.pi) * math.sqrt(CONICITY / (RADIUS * HALF_GAUGE))
    # Klingel has no mass and no roll: inertia changes the frequency in proportion to the square of the speed, by 1e-3
    found = float(linear.frequency[~linear.rigid & (abs(linear.damping) < 0.5)][0])
    assert found == pytest.approx(hunting, rel=3e-3)


def test_modes_of_a_wheelset_that_spins_in_its_attitude_are_doubted() -> None:
    # in turning axes yaw becomes roll: the equations are periodic, and an instant has no hunting
    system = wheelset(axle=False)
    with pytest.warns(UserWarning, match=r"spins freely.*Give the body an axle"):
        system.linearise(system.steady_motion())


def test_modes_of_a_free_gyroscope_are_not_doubted() -> None:
    model = ff.hybrid.Model()
    model.add(ff.hybrid.RigidBody("top", mass=1.0, inertia=(1, 1, 1.5), angular_velocity=(0, 0, 10.0)))
    system = model.compile()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linear = system.linearise(system.start)
    # Euler: nutation in body axes with (C - A) / A times the spin; an axis at rest is seen to turn with the spin
    turning = 2 * math.pi * linear.frequency[~linear.rigid]
    assert sorted(turning) == pytest.approx([5.0, 10.0], rel=1e-6)
