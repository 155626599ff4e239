"""The terms of geometric stiffening one by one: node kinematics, inertia, frames, against differences and elements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from floatframe.arrays import skew
from floatframe.errors import Where
from floatframe.hybrid.flat.body_frames import framed, in_mean_axes
from floatframe.modal.reduction.geometric import geometric_terms
from tests.hybrid.stiffened_models import STEEL, beam

pytestmark = pytest.mark.filterwarnings("ignore:.*frame is clamped to node")


def tied(stiffening: str = "full", frame: str = "mean") -> h.System:
    """A beam with a bearing at one end and a fixed block at the other, so that positions and rotations enter rows."""
    model = h.Model()
    rod = model.add(h.FlexibleBody("rod", beam(n=10, modes=4), stiffening=stiffening, frame=frame))
    block = model.add(h.RigidBody("block", 2.0, (0.1, 0.2, 0.3)))
    model.add(h.revolute("bearing", rod.node(1), model.ground.at()))
    model.add(h.fixed("weld", block.at(), rod.node(11)))
    return model.compile()


def bent(system: h.System, seed: int = 0) -> h.State:
    """A state away from rest: second-order displacements are a few per cent of the linear ones."""
    rng = np.random.default_rng(seed)
    body = system.tables.flexible[0]
    modes = slice(int(body["iv"]), int(body["iv"] + body["n"]))
    step, v = rng.normal(size=system.nv), rng.normal(size=system.nv)
    frequency = np.sqrt(np.diag(system.model.bodies[0].reduced.stiffness))
    step[modes] *= 30.0 / frequency  # soft modes bend by a tenth of the length
    v[modes] *= 300.0 / frequency
    return replace(system.move(system.start, step), v=v)


@pytest.mark.parametrize("frame", ["mean", "chord", "node"])
def test_jacobian_is_the_derivative_of_the_rows(frame):
    system = tied(frame=frame)
    state = bent(system)
    G, x, size = system.constraint_jacobian(state), np.random.default_rng(1).normal(size=system.nv), 1e-5
    x /= np.maximum(1.0, np.abs(G).max(axis=0))
    ahead, back = (system.constraints(system.move(state, sign * size * x)) for sign in (1, -1))
    difference = (ahead - back) / (2 * size)
    # truncation size² and rounding 1e-16 / size
    np.testing.assert_allclose(G @ x, difference, atol=1e-8 * np.abs(difference).max())
    linear = tied("off", frame).constraint_jacobian(state)
    assert np.abs((G - linear) @ x).max() > 1e-3 * np.abs(difference).max()  # the terms are there


@pytest.mark.parametrize("frame", ["mean", "chord"])
def test_convective_part_is_the_rate_of_the_jacobian(frame):
    from floatframe.hybrid.kernels.system import CONVECTIVE, JACOBIAN, VELOCITY

    system = tied(frame=frame)
    state, dt = bent(system), 1e-6
    found = system.evaluation(state)(state.t, state.q, VELOCITY | JACOBIAN | CONVECTIVE, state.v)
    convective = np.array(found.data.rows["convective"])
    ahead, back = (system.constraint_jacobian(system.move(state, sign * dt * state.v)) for sign in (1, -1))
    rate = (ahead - back) @ state.v / (2 * dt)
    np.testing.assert_allclose(convective, rate, atol=1e-6 * np.abs(rate).max())


def test_inertia_forces_follow_from_the_kinetic_energy():
    """k = Ṁ v - ∂T/∂q for the modal coordinates, where T = ½ vᵀ M v has the second-order inertia tensor."""
    system = tied()
    state = bent(system, seed=2)
    body = system.tables.flexible[0]
    first, n = int(body["iv"]), int(body["n"])

    def momentum(at: h.State) -> np.ndarray:
        return system.mass_matrix(at) @ state.v

    dt = 1e-6
    rate = (momentum(system.move(state, dt * state.v)) - momentum(system.move(state, -dt * state.v))) / (2 * dt)
    wanted = rate[first : first + n].copy()
    for i in range(n):
        unit = 1e-3 * np.eye(system.nv)[first + i]  # the energy is a polynomial of second degree in w
        ahead, back = (state.v @ system.mass_matrix(system.move(state, sign * unit)) @ state.v for sign in (1, -1))
        wanted[i] -= 0.5 * (ahead - back) / 2e-3
    found = system.inertia_forces(state)[first : first + n]
    np.testing.assert_allclose(found, wanted, atol=1e-6 * np.abs(wanted).max())


def test_inertia_tensor_gets_the_centrifugal_terms():
    """½ ωᵀ J₂ ω = -½ wᵀ G(ω) w."""
    full, off = tied("full"), tied("off")
    state = bent(full)
    body = full.tables.flexible[0]
    w = state.q[int(body["iq"]) : int(body["iq"] + body["n"])]
    reduced = full.model.bodies[0].reduced
    link = full.tables.links[int(body["link"])]
    spin = np.zeros(full.nv)
    omega = np.array([0.3, -0.7, 0.5])
    spin[int(link["iv"]) + 3 : int(link["iv"]) + 6] = omega
    change = spin @ (full.mass_matrix(state) - off.mass_matrix(state)) @ spin
    assert change == pytest.approx(-w @ reduced.geometric.turned_by(omega) @ w, rel=1e-9)


class TestFrames:
    """Terms seen from another frame are Hᵀ K_G H of its shapes, computed here from the finite elements again."""

    @pytest.fixture(scope="class")
    @classmethod
    def both(cls):
        section = ff.fem.BeamSection.rectangle(0.02, 0.03)
        fe = ff.fem.beam_line((0.3, 0.1, 0.2), (2.3, 0.5, 0.2), n=20, section=section, material=STEEL)
        reduced = ff.modal.reduce(fe, interface=[1, 21], n_modes=6, mass="lumped")
        return fe, in_mean_axes(reduced.orthonormalised(), Where("rod"))

    @pytest.mark.parametrize("frame", ["chord", "node"])
    def test_terms_are_those_of_the_new_shapes(self, both, frame):
        fe, body = both
        moved = framed(body, (frame,), Where("rod"))
        rows = np.array([fe.row_of(int(fe.node_index([int(n)])[0]), int(c)) for n, c in body.interface])
        wanted = geometric_terms(fe, fe.stiffness(), fe.mass("lumped"), "lumped", rows, np.asarray(moved.shapes))
        # which rigid motion of second order is left out depends on rotary inertia; all else must be equal
        rigid = np.zeros((12, 6))
        for k, node in enumerate((1, 21)):
            rigid[6 * k : 6 * k + 6] = np.block(
                [[np.eye(3), -skew(fe.nodes[fe.node_index([node])[0]])], [np.zeros((3, 3)), np.eye(3)]]
            )
        difference = (moved.geometric.interface - wanted.interface).reshape(12, -1)
        difference = difference - rigid @ np.linalg.lstsq(rigid, difference, rcond=None)[0]
        assert np.abs(difference).max() < 1e-11 * np.abs(wanted.interface).max()
        # torsion apart, whose rotary inertia the constants do not turn with the shapes
        plain = np.abs(np.einsum("c,kcj->kj", (1, 0.2, 0), body.shapes.reshape(-1, 6, body.nmode)[:, 3:])).max(0) < 1.0
        for found, exact in zip(moved.geometric.centrifugal, wanted.centrifugal, strict=True):
            some = np.ix_(plain, plain)
            largest = np.abs(wanted.centrifugal).max()
            np.testing.assert_allclose(found[some], exact[some], atol=3e-3 * largest)
