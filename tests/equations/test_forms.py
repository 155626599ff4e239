"""Six forms of the equations against each other and against the kernels: chains, stars, random trees, driven bases."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.equations import equations, integrate_momenta, tree_matrices
from floatframe.errors import ModelError
from floatframe.hybrid.kernels import ALL_FORCES
from tests.equations.pendulum import energy, pendulum, swinging
from tests.hybrid.random_systems import TREE_KINDS, any_state, direction, joint, rigid_body, tree

GRAVITY = (0.3, -1.0, -9.81)
FORMS = range(1, 7)
# joints of 1, 2, 3, 4, 5 and 6 dofs
BY_DOFS = ("revolute", "cylindrical", "spherical", "four", "general", "free")


def of_dofs(rng, n, name, a, b):
    kind = BY_DOFS[n - 1]
    if kind == "four":
        steps = [h.rotate(direction(rng)), h.translate(direction(rng)), h.rotate(direction(rng), 0.3)]
        return h.general(name, a, b, [*steps, h.rotate(direction(rng)), h.translate(direction(rng))])
    if kind == "general":
        moves = [h.translate(direction(rng)) for _ in range(3)]
        return h.general(name, a, b, [*moves, h.rotate((1, 0, 0)), h.rotate((0, 1, 0))])
    return joint(rng, kind, name, a, b)


def shaped(rng, parents, dofs):
    """A tree of bodies, each on the one whose number is given (-1: the ground), by joints of so many dofs."""
    model = h.Model(gravity=GRAVITY)
    bodies = []
    for k, (parent, n) in enumerate(zip(parents, dofs, strict=True)):
        bodies.append(model.add(rigid_body(rng, f"body{k}")))
        near = (model.ground if parent < 0 else bodies[parent]).at(rng.normal(size=3))
        model.add(of_dofs(rng, n, f"joint{k}", bodies[k].at(rng.normal(size=3)), near))
    return model


def with_forces(model):
    """Add a spring between bodies, a force at a place, and drives in a joint."""
    model.add(
        h.spring("spring", h.Place("body0", (0, 0.1, 0)), h.Place("body1", (1, 0, 0)), stiffness=30.0, damping=2.0)
    )
    model.add(h.point_force("push", h.Place("body1", (0.2, 0, 0.4)), ("1", "2*t", "-3")))
    model.add(h.joint_torque("motor", "joint0", "5 - rate"))
    return model


def check(system, state):
    """All forms at a state against the kernels; returns the last."""
    expected, lam = system.accelerations(state)
    evaluated = system.evaluation(state)(state.t, state.q, ALL_FORCES, state.v, expected, lam).data.links
    links = [evaluated[link] for link in tree_matrices(system, state).links]
    # what a link carries to its parent, in its own axes
    reactions = np.array([np.concatenate((one["R"].T @ one["force"], one["R"].T @ one["torque"])) for one in links])
    first = equations(system, state, 1)
    inertia = np.abs(tree_matrices(system, state).M @ first.body_accelerations.ravel()).max()
    for form in FORMS:
        found = equations(system, state, form)
        for one, other, size in (
            (found.accelerations, expected, 0.0),
            (found.reactions, reactions, inertia),  # free joints carry nothing
            (found.speeds, state.v, 0.0),
            (found.body_accelerations, first.body_accelerations, 0.0),
            (found.momentum_rates, first.momentum_rates, inertia),
        ):
            assert_allclose(one, other, rtol=0, atol=1e-10 * max(size, np.abs(other).max()))
        residual = found.matrix @ found.unknowns - found.right_side
        assert np.abs(residual).max() < 1e-10 * np.abs(found.right_side).max()
        assert_allclose(found.matrix, found.matrix.T, atol=1e-13 * np.abs(found.matrix).max())
    return found


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("shape", ["chain", "star"])
def test_forms_agree_on_chains_and_stars(shape, n):
    rng = np.random.default_rng(10 * n)
    parents = [-1, *(range(5) if shape == "chain" else [0] * 5)]
    system = shaped(rng, parents, [n] * 6).compile()
    check(system, any_state(rng, system))


@pytest.mark.parametrize("seed", [1, 2])
def test_forms_agree_on_random_trees_of_thirty_bodies(seed):
    rng = np.random.default_rng(seed)
    parents = [int(rng.integers(-1, k)) for k in range(30)]
    dofs = [1, *rng.integers(1, 7, size=29)]
    system = with_forces(shaped(rng, parents, dofs)).compile()
    check(system, any_state(rng, system, far=0.3))  # short of the attitudes where two axes of a joint are in one line


def test_forms_agree_on_joints_of_every_kind_from_either_side():
    rng = np.random.default_rng(5)
    system = with_forces(tree(rng, TREE_KINDS, GRAVITY)).compile()
    check(system, any_state(rng, system))


def test_a_base_that_follows_the_time():
    rng = np.random.default_rng(8)
    model = shaped(rng, [-1, 0, 1, 1], [1, 3, 2, 1])
    model.add(h.motion("drive", "joint0", "0.4*sin(3*t)"))
    model.add(h.motion("second", "joint3", "t^2"))
    system = model.compile()
    t, start = 0.7, system.initial_state(0.7)
    v = rng.normal(size=system.nv)
    moved = system.move(start, np.where(np.any(system.constraint_jacobian(start) != 0, axis=0), 0.0, 0.5))
    v[np.flatnonzero(system.constraint_jacobian(start)[0])] = 0.4 * 3 * np.cos(3 * t)
    v[np.flatnonzero(system.constraint_jacobian(start)[1])] = 2 * t
    found = check(system, h.State(t, moved.q, v, moved.memory))
    assert len(found.momenta) == system.nv - 2


def test_reactions_are_those_that_runs_record():
    """The weight of a hanging chain and what its drive turns, against the channels of a run."""
    model = shaped(np.random.default_rng(2), [-1, 0], [1, 1])
    model.add(h.joint_torque("motor", "joint1", "3"))
    system = model.compile()
    state = any_state(np.random.default_rng(3), system)
    run = system.simulate(state, t_end=1e-3, step=1e-3, method="rk4", record=h.Record(channels=["joint1.force"]))
    found = equations(system, state, 3)
    link = tree_matrices(system, state).links[1]
    force = system.moving(state).data.links[link]["R"] @ found.reactions[1, :3]
    assert_allclose(run["joint1.force"][0], force, rtol=1e-10)


@pytest.mark.parametrize("form", [4, 5, 6])
def test_hamilton_moves_as_simulation_does(form):
    system = pendulum(2)
    state = swinging(system)
    expected = system.simulate(state, t_end=0.3, rtol=1e-10, record=h.Record(every=0.1))
    motion = integrate_momenta(system, state, [0.1, 0.2, 0.3], form, rtol=1e-9)
    assert_allclose(motion.q, expected.q[1:], atol=1e-8)
    assert_allclose(motion.v, expected.v[1:], atol=1e-7)
    assert energy(system, motion.state(-1)) == pytest.approx(energy(system, state), abs=1e-8)
    assert_allclose(motion.p[-1], equations(system, motion.state(-1), 1).momenta, rtol=1e-12)


@pytest.mark.parametrize("form", [4, 5, 6])
def test_hamilton_moves_a_tree_whose_base_follows_the_time(form):
    """Joints of one to three dofs on a drive: coordinates that follow the time have no momenta."""
    model = shaped(np.random.default_rng(8), [-1, 0, 1, 1], [1, 3, 2, 1])
    model.add(h.motion("drive", "joint0", "0.4*sin(3*t)"))
    system = model.compile()
    state = system.initial_state()
    expected = system.simulate(state, t_end=0.1, rtol=1e-10, record=h.Record(every=0.1))
    motion = integrate_momenta(system, state, [0.1], form, rtol=1e-9)
    # the run's own steps err by 1e-10 each
    assert_allclose(motion.q[-1], expected.q[-1], atol=1e-9)
    assert_allclose(motion.v[-1], expected.v[-1], atol=1e-8)


def test_momenta_of_a_floating_pair_are_kept():
    """Without forces the three first momenta of a free body, along fixed axes of the ground, stay."""
    rng = np.random.default_rng(4)
    model = h.Model()
    first, second = model.add(rigid_body(rng, "first")), model.add(rigid_body(rng, "second"))
    model.add(h.free("floating", first.at((0, 0, 0)), model.ground.at((0, 0, 0))))
    model.add(h.spherical("ball", second.at((1, 0, 0)), first.at((0, 1, 0))))
    system = model.compile()
    motion = integrate_momenta(system, any_state(rng, system), [0.0, 0.2], rtol=1e-9)
    assert_allclose(motion.p[1, :3], motion.p[0, :3], rtol=1e-12)
    assert np.abs(motion.p[1, 3:] - motion.p[0, 3:]).max() > 0.1


def test_kinematic_identities():
    """T S = E; Aᵀ Z = 0; the rate of the mass matrix by differences along the motion."""
    rng = np.random.default_rng(6)
    system = tree(rng, ("free", "universal", "screw", "general")).compile()
    state = any_state(rng, system)
    one = tree_matrices(system, state)
    assert_allclose(one.T @ one.S, np.eye(len(one.S)), atol=1e-12)
    assert_allclose(one.A.T @ one.Z, 0.0, atol=1e-12)
    assert one.Z.shape[1] == len(one.S) - system.nv
    assert_allclose(one.mass, system.mass_matrix(state), atol=1e-12 * np.abs(one.mass).max())
    h_ = 1e-5
    there, back = (system.mass_matrix(system.move(state, s * h_ * state.v)) for s in (1.0, -1.0))
    # differences of second order: 1e-10, and rounding 1e-16/1e-5
    assert_allclose(one.mass_rate, (there - back) / (2 * h_), atol=1e-8 * np.abs(one.mass_rate).max())


def test_what_is_refused():
    system = pendulum(2)
    with pytest.raises(ModelError, match="form 7 does not exist; expected 1, 2, 3, 4, 5 or 6"):
        equations(system, system.start, 7)
    with pytest.raises(ModelError, match="form 2 has no momenta; expected 4, 5 or 6"):
        integrate_momenta(system, system.start, [1.0], form=2)
    model = h.Model()
    one, two = (model.add(h.RigidBody(name, mass=1.0, inertia=(1, 1, 1))) for name in ("one", "two"))
    model.add(h.revolute("a", one.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 1, 0)))
    model.add(h.revolute("b", two.at((0, 0, 0)), one.at((1, 0, 0)), axis=(0, 1, 0)))
    model.add(h.distance("rod", two.at((1, 0, 0)), model.ground.at((1, 0, 2))))
    closed = model.compile()
    with pytest.raises(ModelError, match="'rod' closes a loop or couples"):
        equations(closed, closed.start, 2)
