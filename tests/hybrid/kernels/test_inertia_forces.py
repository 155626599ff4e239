"""Inertia forces and weights of arbitrary mixed systems against Lagrange's equations, differentiated numerically."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid import random_systems as make
from tests.hybrid.twin import Twin, difference, moments_of_nodes

# of the largest force; the differences leave about 1e-11
LAGRANGE = 1e-9
GRAVITY = (1.0, -2.0, -9.0)


def check(system, state, moments=None):
    twin = Twin(system, state, moments)
    k, expected = system.inertia_forces(state), twin.inertia_forces()
    np.testing.assert_allclose(k, expected, rtol=0, atol=LAGRANGE * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(3))
def test_trees_of_all_joints(seed):
    rng = np.random.default_rng(10 + seed)
    system = make.tree(rng, rng.permutation(make.TREE_KINDS)).compile()
    check(system, make.any_state(rng, system))


def test_flexible_body_of_any_constants_by_its_nodes():
    rng = np.random.default_rng(13)
    body = make.reduced_body(rng)
    model = h.Model()
    model.add(h.FlexibleBody("flexible", make.beam_body()))
    system = make.compile_with(model, {"flexible": body})
    check(system, make.any_state(rng, system), lambda _, w: moments_of_nodes(body, w))


def test_mixed_system():
    rng = np.random.default_rng(14)
    system = make.mixed(rng)
    check(system, make.any_state(rng, system, far=0.5, bend=0.05))


@pytest.mark.parametrize("stiffening", ["off", "auto"])
@pytest.mark.parametrize("frame", ["mean", "chord"])
def test_reduced_beam(frame, stiffening):
    rng = np.random.default_rng(15)
    model = h.Model()
    model.add(h.FlexibleBody("beam", make.beam_body(5), frame=frame, stiffening=stiffening))
    system = model.compile()
    check(system, make.any_state(rng, system, far=0.5, bend=0.02))


def test_formulas_of_the_theory():
    """Inertia forces of docs/theory/floating-frame.md (Mikheev 2004, §2.2) in body axes, angular velocity as speed."""
    rng = np.random.default_rng(16)
    body = make.reduced_body(rng)
    model = h.Model()
    model.add(h.FlexibleBody("flexible", make.beam_body()))
    system = make.compile_with(model, {"flexible": body})
    state = make.any_state(rng, system)
    J, n = body.inertia, body.nmode
    w, rate, spin = state.q[7:], state.v[6:], state.v[3:6]
    R = Twin(system, state).links(state.q)[1][:3, :3].real
    s = J.rho + J.H @ w
    slope = -(J.rhoh + np.swapaxes(J.rhoh, 1, 2)) - np.einsum("ijpq,j->ipq", J.hh, w)
    slope = slope - np.einsum("jipq,j->ipq", J.hh, w)
    inertia = J.rhorho - np.einsum("ipq,i->pq", J.rhoh + np.swapaxes(J.rhoh, 1, 2), w)
    inertia = inertia - np.einsum("ijpq,i,j->pq", J.hh, w, w)
    coupling = J.rhoH + np.einsum("ipj,i->pj", J.hH, w)
    k_r = R @ (np.cross(spin, np.cross(spin, s)) + 2.0 * np.cross(spin, J.H @ rate))
    k_turn = np.cross(spin, inertia @ spin) + np.einsum("ipq,i,q->p", slope, rate, spin)
    k_turn = k_turn + np.cross(spin, coupling @ rate)
    k_w = np.array(
        [
            -0.5 * spin @ slope[i] @ spin + np.einsum("jp,j,p->", J.hH[:, :, i], rate, spin) - spin @ J.hH[i] @ rate
            for i in range(n)
        ]
    )
    expected = np.concatenate((k_r, k_turn, k_w))
    np.testing.assert_allclose(system.inertia_forces(state), expected, rtol=1e-11, atol=1e-11)


def test_coriolis_terms_can_be_switched_off():
    """Without them no force is linear in both the spin and the modal rates."""
    rng = np.random.default_rng(17)
    body = make.reduced_body(rng)
    forces = {}
    for coriolis in (True, False):
        model = h.Model()
        model.add(h.FlexibleBody("flexible", make.beam_body(), coriolis=coriolis))
        system = make.compile_with(model, {"flexible": body})
        start = system.start
        moved = system.move(start, np.random.default_rng(1).normal(size=system.nv))
        v = np.random.default_rng(2).normal(size=system.nv)

        def force(spin, rate, system=system, moved=moved, v=v):
            mixed = np.concatenate((v[:3], spin * v[3:6], rate * v[6:]))
            return system.inertia_forces(h.State(0.0, moved.q, mixed, moved.memory))

        forces[coriolis] = force(1, 1) - force(1, 0) - force(0, 1)
    assert np.abs(forces[True]).max() > 0.1
    assert np.abs(forces[False]).max() < 1e-12


@pytest.mark.parametrize("seed", range(2))
def test_weights(seed):
    rng = np.random.default_rng(20 + seed)
    system = make.mixed(rng, GRAVITY) if seed else make.tree(rng, make.TREE_KINDS, GRAVITY).compile()
    state = make.any_state(rng, system, far=0.5, bend=0.05)
    still = h.State(0.0, state.q, np.zeros(system.nv), state.memory)
    weight = Twin(system, still).weight()
    elastic = np.zeros(system.nv)
    for body, number in system.index.flexible_of.items():
        record = system.tables.flexible[number]
        w = state.q[record["iq"] : record["iq"] + record["n"]]
        elastic[record["iv"] : record["iv"] + record["n"]] = -system.model.bodies[body].reduced.stiffness @ w
    # rounding of stiff modes and of the complex steps
    tolerance = 1e-11 * np.abs(weight).max() + 1e-14 * np.abs(elastic).max()
    np.testing.assert_allclose(system.forces(still), weight + elastic, rtol=1e-11, atol=tolerance)


def test_residual_is_the_sum_of_its_parts():
    """M a + k - f - G^T lam."""
    rng = np.random.default_rng(30)
    system = make.mixed(rng, GRAVITY)
    state = make.any_state(rng, system, far=0.5, bend=0.05)
    a, lam = rng.normal(size=system.nv), rng.normal(size=system.nlambda)
    parts = system.mass_matrix(state) @ a + system.inertia_forces(state) - system.forces(state)
    parts = parts - system.constraint_jacobian(state).T @ lam
    scale = np.abs(system.forces(state)).max()
    np.testing.assert_allclose(system.residual(state, a, lam), parts, rtol=1e-11, atol=1e-13 * scale)


def test_power_of_inertia_forces_is_the_rate_of_energy():
    """v . (M a + k) = d/dt T along the motion with accelerations a."""
    rng = np.random.default_rng(31)
    system = make.mixed(rng)
    state = make.any_state(rng, system, far=0.5, bend=0.05)
    twin = Twin(system, state)
    a, v = rng.normal(size=system.nv), state.v
    energy_rate = difference(lambda s: twin.kinetic_energy(s * v + 0.5 * s**2 * a, v + s * a))
    power = v @ (system.mass_matrix(state) @ a + system.inertia_forces(state))
    assert power == pytest.approx(energy_rate, rel=LAGRANGE)
