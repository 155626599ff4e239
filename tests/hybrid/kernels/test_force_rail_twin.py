"""Wheels on rails against their NumPy twin: random poses and speeds, every creep law, a track that moves itself."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from floatframe import hybrid as h
from floatframe.hybrid.description.rail import wheel_rail
from floatframe.hybrid.kernels.system import APPLIED, VELOCITY
from tests.hybrid import random_systems as make
from tests.hybrid.rail_twin import RailTwin

R0, GAUGE = 0.46, 0.75
BUMPS = h.Table([-100.0, 9.0, 11.0, 100.0], [0.0, 0.0, 2e-4, 2e-4])
WHEELS = {
    "linear": {"law": "linear", "stiffness": 1e9, "damping": 1e4},
    "saturated": {"law": "saturated", "conicity": 0.1, "friction": 0.35},
    "polach": {"law": "polach", "adhesion": 0.8, "slip": 0.3, "friction_ratio": 0.4, "friction_decay": 0.6},
    "ellipse": {"law": "polach", "semi_axes": (6e-3, 4e-3), "poisson": 0.25},
    "rough": {"law": "saturated", "lateral": "1e-3*sin(0.5*distance)", "vertical": BUMPS},
    "hollow": {"law": "linear", "profile": f"{R0} - 0.05*distance - 2*distance^2"},
}
# 1.4e-11 measured; the rate by differences over 1e-6 s is good for 7e-10 m/s
CLOSE, RATE = 1e-10, 1e-8
# the kernel takes a curved profile by its tangent abreast of the axle: 9e-5 of the spin and 4e-6 of the forces measured
TANGENT = 2e-4


@cache
def wheelset(kind):
    """A free wheelset on the track of a bridge that moves."""
    rng = np.random.default_rng(1)
    model = h.Model()
    bridge = model.add(make.rigid_body(rng, "bridge", position=(0, 0, 0)))
    model.add(h.free("soil", bridge.at(), model.ground.at()))
    axle = model.add(h.RigidBody("axle", 1813.0, (1120, 112, 1120), position=(10, 0, R0)))
    model.add(h.free("roll", axle.at(), model.ground.at()))
    for side, y in (("left", GAUGE), ("right", -GAUGE)):
        wheel = {"radius": R0, "half_gauge": GAUGE, **WHEELS[kind]}
        model.add(wheel_rail(side, wheel=axle.at((0, y, 0)), track=bridge.at(), side=side, **wheel))
    return model.compile()


def rolling(system, seed, forward):
    """A state on the rails, wheels a fraction of a millimetre deep; the bridge turns and shakes."""
    rng = np.random.default_rng(seed)
    turn = Rotation.from_rotvec(rng.normal(scale=0.5, size=3))
    place, q, v = rng.normal(size=3), np.array(system.start.q), np.array(system.start.v)
    yaw, roll, spin = rng.uniform(-1, 1, 3) * (0.01, 2e-4, 3.0)
    on_track = Rotation.from_euler("ZXY", (yaw, roll, spin))
    position = np.array([10 + rng.uniform(-1, 1), rng.uniform(-0.004, 0.004), R0 - 6e-4])
    speed = np.array([20.0 * forward, 0.0, 0.0]) + rng.normal(scale=0.05, size=3)
    rate = on_track.apply([0.0, 20.0 / R0 * forward, 0.0]) + rng.normal(scale=0.05, size=3)
    drift, sway = rng.normal(scale=0.1, size=(2, 3))
    poses = {"bridge": (place, turn, drift, sway)}
    at = turn.apply(position)
    poses["axle"] = (
        place + at,
        turn * on_track,
        drift + np.cross(sway, at) + turn.apply(speed),
        sway + turn.apply(rate),
    )
    for number, body in enumerate(system.model.bodies):
        p, R, velocity, spinning = poses[body.name]
        link = system.tables.links[system.index.tree.carriers[number].link]
        q[link["iq"] : link["iq"] + 7] = *p, *R.as_quat(scalar_first=True)
        v[link["iv"] : link["iv"] + 6] = *velocity, *R.inv().apply(spinning)
    return h.State(0.0, q, v, system.start.memory)


@pytest.mark.parametrize("forward", [1, -1])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", WHEELS)
def test_wheels(kind, seed, forward):
    system = wheelset(kind)
    state = rolling(system, seed, forward)
    twin = RailTwin(system, state)
    now = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v)
    close = TANGENT if kind == "hollow" else CLOSE
    total = np.zeros(system.nv)
    for number, report in enumerate(now.data.forces):
        load, work = twin.work(number)
        total += work
        assert load.value > 1e3
        assert report["elongation"] == pytest.approx(load.elongation, rel=close)
        assert report["rate"] == pytest.approx(load.rate, abs=max(close, RATE))
        assert report["value"] == pytest.approx(load.value, rel=close)
        np.testing.assert_allclose(report["state"], load.state, rtol=0, atol=close * np.abs(load.state).max())
        np.testing.assert_allclose(report["force"], load.force, rtol=0, atol=close * np.abs(load.force).max())
        np.testing.assert_allclose(report["torque"], load.torque, rtol=0, atol=close * np.abs(load.torque).max())
    np.testing.assert_allclose(-now.residual, total, rtol=0, atol=close * np.abs(total).max())


@pytest.mark.parametrize("kind", ["saturated", "polach"])
def test_both_sides_of_the_limit_of_friction_are_met(kind):
    """The states above reach from nearly free rolling to sliding."""
    used = []
    for seed in range(3):
        system = wheelset(kind)
        state = rolling(system, seed, 1)
        now = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v)
        for report in now.data.forces:
            creep = np.sqrt((report["force"] ** 2).sum() - report["value"] ** 2)
            used.append(creep / report["value"])
    assert min(used) < 0.8 * max(used)
