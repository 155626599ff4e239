"""Slopes of states and forces that implicit steps need, against differences of whole evaluations."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN, MASS, new_work
from floatframe.hybrid.kernels.steps.states import find_slopes
from tests.hybrid.fields import with_fields


def machine() -> h.System:
    """A flexible arm on a turning base and a free body, with states that measure everything there is to measure."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), n=4, section=ff.fem.BeamSection.rectangle(0.02, 0.03), material=steel)
    model = h.Model(gravity=(0, 0, -9.81))
    base = model.add(h.RigidBody("base", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0)))
    arm = model.add(h.FlexibleBody("arm", ff.modal.reduce(fe, interface=[1, 5], n_modes=2)))
    ball = model.add(h.RigidBody("ball", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(0, 1, 0)))
    model.add(h.revolute("turn", base.at(), model.ground.at(), axis=(0, 1, 0), start=0.3, start_rate=0.7))
    model.add(h.revolute("elbow", arm.node(1), base.at((0.2, 0, 0)), axis=(0, 1, 0), start=0.2, start_rate=-0.4))
    model.add(h.StateVariable("a", rate="sin(turn.angle)*b + elbow.rate - a", start=0.4))
    model.add(h.Signal("tip", "arm.node[5].position.z*arm.mode[1] + ball.angular_velocity.y"))
    model.add(h.StateVariable("b", rate="tip*a + arm.mode_rate[2] - ball.position.x^2", start=-0.3))
    model.add(h.StateVariable("c", rate="cos(b) - c*ball.velocity.z + a.rate", start=1.3))
    model.add(h.joint_torque("drive", "turn", torque="2*a - b*rate"))
    model.add(h.point_force("push", arm.node(5), ("c", "0", "a*c")))
    model.add(h.spring("pull", ball.at((0, 0.1, 0)), model.ground.at(), force="c^2*elongation"))
    return model.compile()


def differences(function, x, step=1e-6):
    """Slopes (m, n) of a function of x (n,)."""
    return np.column_stack([(function(x + step * e) - function(x - step * e)) / (2 * step) for e in np.eye(len(x))])


def test_slopes_are_those_of_whole_evaluations():
    system = machine()
    state = system.initial_state()
    v = state.v + np.random.default_rng(1).normal(size=system.nv)
    nv, nz, places = system.nv, system.nz, system.tables.states["memory"]
    tables, data, w = with_fields(system.tables), with_fields(system.data(state)), with_fields(new_work(system.tables))
    w.q[:], w.v[:] = state.q, v
    now = system.evaluation(state)
    now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN, v)
    for name in data._fields:
        getattr(data, name)[...] = getattr(now.data, name)
    find_slopes(tables, data, w, state.t)

    def rates(x, speeds, z):
        now.data.memory[places] = z
        now(state.t, now.moved(state.q, x), ALL_FORCES, speeds)
        return np.array(now.rates)

    def residual(z):
        now.data.memory[places] = z
        return np.array(now(state.t, state.q, ALL_FORCES, v).residual)

    still, z = np.zeros(nv), state.memory[places]
    # differences of first order: a millionth of the slopes. How speeds turn with the places is left out
    by_place = differences(lambda x: rates(x, 0 * v, z), still)
    assert_allclose(w.slopes[:, nv : 2 * nv], differences(lambda s: rates(still, s, z), v), atol=2e-5)
    assert_allclose(w.slopes[:, 2 * nv : 3 * nv].T, differences(residual, z), atol=2e-5)
    assert_allclose(w.slopes[:, 3 * nv :], differences(lambda value: rates(still, v, value), z), atol=2e-5)
    w.v[:] = 0.0
    now.data.memory[places] = z
    now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN, w.v)
    for name in data._fields:
        getattr(data, name)[...] = getattr(now.data, name)
    find_slopes(tables, data, w, state.t)
    assert_allclose(w.slopes[:, :nv], by_place, atol=2e-5)
    assert np.abs(by_place).max() > 0.1
    assert nz == 3
