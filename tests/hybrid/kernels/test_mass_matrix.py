"""Mass matrices of arbitrary mixed systems against sums of J^T I J whose Jacobians are complex steps."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid import random_systems as make
from tests.hybrid.twin import Twin, moments_of_nodes

# complex steps are exact; what remains is rounding of a few hundred operations on numbers of order one
ROUNDING = 1e-11


def check(system, state, moments=None):
    M = system.mass_matrix(state)
    expected = Twin(system, state, moments).mass_matrix()
    np.testing.assert_allclose(M, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0.0


@pytest.mark.parametrize("seed", range(3))
def test_trees_of_all_joints(seed):
    rng = np.random.default_rng(seed)
    system = make.tree(rng, rng.permutation(make.TREE_KINDS)).compile()
    assert system.nlambda == 0
    check(system, make.any_state(rng, system))


def test_flexible_body_of_any_constants_by_its_nodes():
    """First moments and couplings that mean axes would have removed, rotary inertia, a full modal mass matrix."""
    rng = np.random.default_rng(3)
    body = make.reduced_body(rng)
    model = h.Model()
    model.add(h.FlexibleBody("flexible", make.beam_body()))
    system = make.compile_with(model, {"flexible": body})
    assert np.abs(body.inertia.H).min() > 1e-3
    check(system, make.any_state(rng, system), lambda _, w: moments_of_nodes(body, w))


def test_mixed_system():
    """Rigid trees, a body of random constants and one from a finite element model, cut joints between them."""
    rng = np.random.default_rng(4)
    system = make.mixed(rng)
    assert system.nlambda > 0
    check(system, make.any_state(rng, system, far=0.5, bend=0.05))


def test_reduced_beam():
    rng = np.random.default_rng(5)
    model = h.Model()
    model.add(h.FlexibleBody("mean", make.beam_body(5)))
    model.add(h.FlexibleBody("chord", make.beam_body(5), frame="chord"))
    system = model.compile()
    check(system, make.any_state(rng, system, far=0.5, bend=0.02))


def test_subsystems_are_blocks_and_joints_between_them_constraints():
    """Joint coordinates within an instance, rows between instances, though a tree would do."""
    part = h.Subsystem("part")
    first = part.add(h.RigidBody("a", 1.0, (1, 1, 1)))
    second = part.add(h.RigidBody("b", 1.0, (1, 1, 1), com=(0.3, 0, 0)))
    part.add(h.revolute("inside", second.at(), first.at((1, 0, 0))))
    model = h.Model()
    model.add(part.instance("one"))
    model.add(part.instance("two", position=(3, 0, 0)))
    model.add(h.spherical("between", h.Place("two.a"), h.Place("one.b", (2, 0, 0))))
    system = model.compile()
    assert (system.nv, system.row_names) == (14, ("between",) * 3)
    M = system.mass_matrix(system.start)
    np.testing.assert_array_equal(M[:7, 7:], 0.0)
    assert np.abs(M[:6, 6]).max() > 0.1  # within a block bodies are coupled
