"""Constraint rows of every joint: closed after assembly, Jacobian, convective term, reactions that do no work."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid import random_systems as make
from tests.hybrid.joint_rows import check_jacobian_by_differences, convective_terms, moving
from tests.hybrid.twin import Twin

ROWS = {
    "revolute": 5,
    "prismatic": 5,
    "cylindrical": 4,
    "spherical": 3,
    "universal": 4,
    "planar": 3,
    "screw": 5,
    "fixed": 6,
    "free": 0,
    "point_on_line": 2,
    "point_on_plane": 1,
    "distance": 1,
}
SIDES = ("rigid", "flexible", "mixed")

pytestmark = pytest.mark.filterwarnings("ignore:body '")  # joints are open at the start on purpose


def pair(rng, kind, side, **more):
    """Two bodies near each other with a cut joint between them that is open at first, and a third body it hangs on."""
    model = h.Model(gravity=(1.0, 2.0, -9.0))
    carrier = model.add(make.rigid_body(rng, "carrier"))
    model.add(h.spherical("hook", carrier.at(rng.normal(size=3)), model.ground.at()))
    places = []
    beam = make.beam_body(2)
    for k, name in enumerate("ab"):
        start = {"position": 0.3 * rng.normal(size=3), "rotation": _near(rng)}
        if side == "rigid" or (side == "mixed" and k == 0):
            body = model.add(make.rigid_body(rng, name, **start))
            places.append(body.at(rng.normal(size=3), None if kind == "universal" else make.turn(rng)))
        else:
            body = model.add(h.FlexibleBody(name, beam, damping=0.01, **start))
            places.append(body.node(1 + 10 * k))
    model.add(make.joint(rng, kind, "J", *places, cut=True, **more))
    return model.compile()


def _near(rng):
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(0.2 * rng.normal(size=3)).as_matrix()


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", ROWS)
def test_cut_joint(kind, side):
    rng = np.random.default_rng(list(ROWS).index(kind))
    system = pair(rng, kind, side)
    assert system.nlambda == ROWS[kind]
    assert system.redundant == ()
    state = moving(rng, system)
    # assembled to a length of rounding
    assert np.abs(system.constraints(state)).max(initial=0.0) < 1e-11
    G = system.constraint_jacobian(state)
    check_jacobian_by_differences(system, state, G)
    twin = Twin(system, state)
    np.testing.assert_allclose(G, twin.jacobian(), rtol=0, atol=1e-12 * max(1.0, np.abs(G).max(initial=0.0)))
    convective = convective_terms(system, state)
    expected = twin.convective()
    # sixth-order differences with a step of 1 ms
    np.testing.assert_allclose(convective, expected, rtol=0, atol=1e-8 * max(1.0, np.abs(expected).max(initial=0.0)))
    check_reactions(rng, system, state, G)


def check_reactions(rng, system, state, G):
    """Reactions act on the two bodies in opposite pairs and do no work on speeds that keep the joint closed."""
    from floatframe.hybrid.kernels.system import APPLIED, VELOCITY

    lam = rng.normal(size=system.nlambda)
    assert lam @ G @ state.v == pytest.approx(0.0, abs=1e-11)
    now = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v, lam=lam)
    links = now.data.links
    np.testing.assert_allclose(now.residual, -G.T @ lam, rtol=1e-11, atol=1e-11)
    total = links["load"].sum(axis=0)
    moment = (links["load_torque"] + np.cross(links["p"], links["load"])).sum(axis=0)
    np.testing.assert_allclose(total, 0.0, atol=1e-12)
    np.testing.assert_allclose(moment, 0.0, atol=1e-11)
    if system.nlambda:
        assert np.abs(links["load"]).max() + np.abs(links["load_torque"]).max() > 1e-3


def related(kind):
    """Two bodies on the ground and a relation between their joints, which are cut."""
    rng = np.random.default_rng(3)
    model = h.Model()
    first, second = (model.add(make.rigid_body(rng, name)) for name in "ab")
    turning = h.revolute("turning", first.at(), model.ground.at(), axis=make.direction(rng), cut=True)
    sliding = make.joint(rng, "cylindrical", "sliding", second.at((1, 2, 3)), model.ground.at((0, 1, 0)), cut=True)
    model.add(turning)
    model.add(sliding)
    if kind == "gear":
        model.add(h.relation("gear", [(turning, 0, 1.0), (sliding, 1, 2.5)]))
    elif kind == "rack":
        model.add(h.rack("rack", sliding, turning, 0.3))
    else:
        model.add(h.motion("motion", turning, "0.5 + 2*t + 3*t^2"))
    return model.compile()


@pytest.mark.parametrize("kind", ["gear", "rack", "motion"])
def test_relations(kind):
    rng = np.random.default_rng(4)
    system = related(kind)
    assert system.nlambda == 5 + 4 + 1
    state = system.start
    G = system.constraint_jacobian(state)
    v = rng.normal(size=system.nv)
    if kind == "motion":
        assert G @ state.v == pytest.approx(np.array([0.0] * 9 + [2.0]), abs=1e-12)
    state = h.State(0.0, state.q, v - np.linalg.pinv(G) @ (G @ (v - state.v)), state.memory)
    assert np.abs(system.constraints(state)).max() < 1e-11
    check_jacobian_by_differences(system, state, G)
    twin = Twin(system, state)
    np.testing.assert_allclose(G, twin.jacobian(), rtol=0, atol=1e-12 * np.abs(G).max())
    # the function of time is no part of the twin's rows: f'' = 6
    expected = twin.convective() - np.array([0.0] * 9 + [6.0 if kind == "motion" else 0.0])
    np.testing.assert_allclose(convective_terms(system, state), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    a, _ = system.accelerations(state)
    assert G @ a + convective_terms(system, state) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("value", ["sin(3*t) + t^2", "exp(-t)*cos(t)"])
def test_prescribed_motion_follows_its_function(value):
    """Value, rate and acceleration of a driven tree joint at a time other than zero."""
    model = h.Model(gravity=(0, 0, -9.81))
    arm = model.add(h.RigidBody("arm", 2.0, (1, 1, 1), com=(0.5, 0, 0)))
    model.add(h.revolute("A", arm.at(), model.ground.at(), axis=(0, 1, 0)))
    model.add(h.motion("drive", "A", value))
    system = model.compile()
    t = 0.7
    state = system.initial_state(t=t)
    function = {
        "sin(3*t) + t^2": (np.sin(2.1) + t**2, 3 * np.cos(2.1) + 2 * t, -9 * np.sin(2.1) + 2),
        "exp(-t)*cos(t)": (
            np.exp(-t) * np.cos(t),
            -np.exp(-t) * (np.cos(t) + np.sin(t)),
            2 * np.exp(-t) * np.sin(t),
        ),
    }[value]
    a, lam = system.accelerations(state)
    assert (state.q[0], state.v[0], a[0]) == pytest.approx(function, rel=1e-11)
    # the torque of the drive: inertia about the hinge, weight at its arm (positive about y turns x to -z)
    assert lam[0] == pytest.approx(1.5 * a[0] - 2.0 * 9.81 * 0.5 * np.cos(state.q[0]), rel=1e-11)
