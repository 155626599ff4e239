"""The nine inertia constants: direct nodal sums, a Lagrangian differentiated by the complex step, exact integrals."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.arrays import skew
from floatframe.modal.body.inertia import exact_inertia_constants, nodal_inertia_constants

NMODE = 5
NNODE = 7


class Cloud:
    """Random rigid pieces on nodes with random shapes: masses, full inertia tensors, offsets."""

    def __init__(self, seed, nnode=NNODE, nmode=NMODE, offsets=False):
        random = np.random.default_rng(seed)
        self.nodes = random.standard_normal((nnode, 3))
        self.mass = random.uniform(0.1, 2.0, nnode)
        root = random.standard_normal((nnode, 3, 3))
        self.inertia = 0.1 * root @ root.swapaxes(1, 2)
        self.offset = random.standard_normal((nnode, 3)) if offsets else np.zeros((nnode, 3))
        self.shapes = random.standard_normal((6 * nnode, nmode))
        self.constants = nodal_inertia_constants(self.nodes, self.shapes, self.mass, self.inertia, self.offset)

    def pieces(self):
        """Yield mass, inertia, place and shape rows of the centre of every piece."""
        for k, by_node in enumerate(self.shapes.reshape(len(self.nodes), 6, -1)):
            move = by_node[:3] - skew(self.offset[k]) @ by_node[3:]
            yield self.mass[k], self.inertia[k], self.nodes[k] + self.offset[k], move, by_node[3:]


@pytest.mark.parametrize("offsets", [False, True])
def test_constants_are_the_sums_over_nodes(offsets):
    cloud = Cloud(1, offsets=offsets)
    n = NMODE
    m, rho, H, rhoH = 0.0, np.zeros(3), np.zeros((3, n)), np.zeros((3, n))
    hH, HH = np.zeros((n, 3, n)), np.zeros((n, n))
    rhorho, rhoh, hh = np.zeros((3, 3)), np.zeros((n, 3, 3)), np.zeros((n, n, 3, 3))
    for mass, J, place, move, turn in cloud.pieces():
        m += mass
        rho += mass * place
        H += mass * move
        rhoH += mass * skew(place) @ move + J @ turn
        HH += mass * move.T @ move + turn.T @ J @ turn
        rhorho += mass * skew(place).T @ skew(place) + J
        for i in range(n):
            hH[i] += mass * skew(move[:, i]) @ move
            rhoh[i] += mass * skew(place) @ skew(move[:, i])
            for j in range(n):
                hh[i, j] += mass * skew(move[:, i]) @ skew(move[:, j])
    J = cloud.constants
    expected = {"m": m, "rho": rho, "H": H, "rhoH": rhoH, "hH": hH, "HH": HH, "rhorho": rhorho, "rhoh": rhoh, "hh": hh}
    for name, value in expected.items():
        # two orders of summation differ by rounding only
        assert_allclose(getattr(J, name), value, rtol=1e-12, atol=1e-12 * np.abs(value).max(), err_msg=name)


def rotation(angles):
    """Cardan rotation x-y-z and B with ω = B φ̇ in body axes; complex angles allowed."""
    (ca, cb, cc), (sa, sb, sc) = np.cos(angles), np.sin(angles)
    zero, one = 0 * ca, 0 * ca + 1
    Rx = np.array([[one, zero, zero], [zero, ca, -sa], [zero, sa, ca]])
    Ry = np.array([[cb, zero, sb], [zero, one, zero], [-sb, zero, cb]])
    Rz = np.array([[cc, -sc, zero], [sc, cc, zero], [zero, zero, one]])
    B = np.array([[cb * cc, sc, zero], [-cb * sc, cc, zero], [sb, zero, one]])
    return Rx @ Ry @ Rz, B


def complex_skew(v):
    zero = 0 * v[0]
    return np.array([[zero, -v[2], v[1]], [v[2], zero, -v[0]], [-v[1], v[0], zero]])


def kinetic_energy(cloud, q, v):
    """Sum over pieces of translational and rotational energy; knows nothing of the constants."""
    A, B = rotation(q[3:6])
    omega = B @ v[3:6]
    energy = 0.0
    for mass, J, place, move, turn in cloud.pieces():
        u = place + move @ q[6:]
        velocity = v[:3] + A @ (complex_skew(omega) @ u + move @ v[6:])
        spin = omega + turn @ v[6:]
        energy += 0.5 * mass * velocity @ velocity + 0.5 * spin @ (J @ spin)
    return energy


def shape_sums(J, w):
    s = J.rho + J.H @ w
    inertia = J.rhorho - np.tensordot(w, J.rhoh + J.rhoh.swapaxes(1, 2), 1) - np.einsum("ijab,i,j->ab", J.hh, w, w)
    coupling = J.rhoH + np.tensordot(w, J.hH, 1)
    return s, inertia, coupling


def mass_matrix(J, q):
    A, B = rotation(q[3:6])
    s, inertia, coupling = shape_sums(J, q[6:])
    top = np.hstack([J.m * np.eye(3), -A @ skew(s) @ B, A @ J.H])
    middle = np.hstack([top[:, 3:6].T, B.T @ inertia @ B, B.T @ coupling])
    return np.vstack([top, middle, np.hstack([top[:, 6:].T, middle[:, 6:].T, J.HH])])


def inertia_forces(J, q, v):
    A, B = rotation(q[3:6])
    w, rate = q[6:], v[6:]
    s, inertia, coupling = shape_sums(J, w)
    omega = B @ v[3:6]
    step = 1e-30
    B_rate = rotation(q[3:6] + 1j * step * v[3:6])[1].imag / step
    epsilon = B_rate @ v[3:6]
    W = skew(omega)
    slope = -(J.rhoh + J.rhoh.swapaxes(1, 2)) - np.einsum("ijab,j->iab", J.hh + J.hh.swapaxes(0, 1), w)
    k_r = -A @ (skew(s) @ epsilon + W @ skew(s) @ omega) + 2 * A @ W @ J.H @ rate
    k_phi = B.T @ (inertia @ epsilon + W @ inertia @ omega)
    k_phi += B.T @ (np.tensordot(rate, slope, 1) @ omega + W @ coupling @ rate)
    k_w = coupling.T @ epsilon - 0.5 * np.einsum("a,iab,b->i", omega, slope, omega)
    k_w += np.tensordot(rate, J.hH, 1).T @ omega - np.einsum("a,iab,b->i", omega, J.hH, rate)
    return np.concatenate([k_r, k_phi, k_w])


def complex_step(f, x, direction, step=1e-30):
    return f(x + 1j * step * direction).imag / step


@pytest.mark.parametrize("seed", range(4))
def test_mass_matrix_and_inertia_forces_follow_from_the_lagrangian(seed):
    cloud = Cloud(seed, offsets=seed % 2 == 1)
    random = np.random.default_rng(100 + seed)
    n = 6 + NMODE
    q, v = random.standard_normal(n), random.standard_normal(n)
    q[3:6] *= 0.5
    unit = np.eye(n)
    M = mass_matrix(cloud.constants, q)
    # T is quadratic in v, so the difference of two energies gives every entry without a step
    energy = np.array([kinetic_energy(cloud, q, e) for e in unit])
    direct = np.array([[kinetic_energy(cloud, q, a + b) for b in unit] for a in unit]) - energy[:, None] - energy
    assert_allclose(M, direct, rtol=0, atol=1e-10 * np.abs(direct).max())
    # k = d(∂T/∂v)/dt at constant v less ∂T/∂q; complex steps cancel nothing, so the tolerance is rounding of the sums

    def momentum(position):
        def energy(velocity):
            return kinetic_energy(cloud, position, velocity)

        return np.array([energy(v + e) - energy(v) - energy(e) for e in unit])

    slope = np.array([complex_step(lambda x: kinetic_energy(cloud, x, v), q, e) for e in unit])
    expected = complex_step(momentum, q, v) - slope
    assert_allclose(inertia_forces(cloud.constants, q, v), expected, rtol=0, atol=1e-10 * np.abs(expected).max())


def test_constants_follow_a_change_of_basis():
    cloud = Cloud(3, offsets=True)
    T = np.random.default_rng(7).standard_normal((NMODE, 3))
    direct = nodal_inertia_constants(cloud.nodes, cloud.shapes @ T, cloud.mass, cloud.inertia, cloud.offset)
    for name, value in vars(cloud.constants.transformed(T)).items():
        assert_allclose(value, getattr(direct, name), rtol=1e-12, atol=1e-12, err_msg=name)


STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def second_moments_of_a_box(size):
    """∫ x xᵀ dm of a box with one corner in the origin."""
    size = np.asarray(size)
    mass = STEEL.rho * size.prod()
    return mass * (np.outer(size, size) / 4.0 + np.diag(size**2) / 12.0)


def test_exact_constants_of_a_solid_are_its_integrals():
    size = (0.4, 0.3, 0.2)
    fe = ff.fem.solid_box(size, (2, 1, 1), material=STEEL)
    gradients = np.random.default_rng(2).standard_normal((4, 3, 3))  # fields u = G x, exact in every element
    shapes = np.zeros((fe.nnode, 6, 4))
    shapes[:, :3] = np.einsum("iab,kb->kai", gradients, fe.nodes)
    J = exact_inertia_constants(fe, shapes.reshape(-1, 4))
    S = second_moments_of_a_box(size)
    for i, G in enumerate(gradients):
        moment = S @ G.T  # ∫ ρ hᵀ dm
        assert_allclose(J.rhoh[i], moment.T - np.trace(moment) * np.eye(3), rtol=1e-12, atol=1e-12)
        for j, F in enumerate(gradients):
            moment = G @ S @ F.T
            assert_allclose(J.hh[i, j], moment.T - np.trace(moment) * np.eye(3), rtol=1e-12, atol=1e-12)
            skew_part = moment - moment.T
            assert_allclose(J.hH[i, :, j], [skew_part[1, 2], skew_part[2, 0], skew_part[0, 1]], rtol=1e-11, atol=1e-12)
            assert_allclose(J.HH[i, j], np.trace(moment), rtol=1e-12)
    assert_allclose(J.rhorho, np.trace(S) * np.eye(3) - S, rtol=1e-12)


def test_exact_and_nodal_constants_of_a_beam_meet_with_second_order():
    def difference(n):
        section = ff.fem.BeamSection.rectangle(0.02, 0.02)
        fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=n, section=section, material=STEEL)
        x = fe.nodes[:, 0]
        shapes = np.zeros((fe.nnode, 6, 2))
        shapes[:, 1, 0], shapes[:, 5, 0] = np.sin(x), np.cos(x)
        shapes[:, 2, 1], shapes[:, 4, 1] = np.cos(2 * x), 2 * np.sin(2 * x)
        shapes = shapes.reshape(-1, 2)
        exact = exact_inertia_constants(fe, shapes)
        blocks = fe.mass("lumped").diagonal().reshape(-1, 6)
        inertia = blocks[:, 3:, None] * np.eye(3)
        nodal = nodal_inertia_constants(fe.nodes, shapes, blocks[:, 0], inertia)
        assert_allclose(exact.m, STEEL.rho * section.A * 2.0, rtol=1e-12)
        return {name: np.abs(getattr(exact, name) - getattr(nodal, name)).max() for name in vars(exact)}

    coarse, fine = difference(80), difference(160)
    for name in ("H", "rhoH", "hH", "HH", "rhorho", "rhoh", "hh"):
        # the trapezoidal rule: halving the elements quarters the difference, up to terms of higher order
        assert coarse[name] / fine[name] > 3.7, name
