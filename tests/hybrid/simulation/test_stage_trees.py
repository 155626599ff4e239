"""Stages on a tree of their own: the same motion and channels as with the joints that come and go as constraints."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h
from floatframe.hybrid.assembly import own_tree, switched
from floatframe.hybrid.simulation import stages
from tests.hybrid.simulation.held_part import KINDS, G, held_part

# steps of 1e-10 relative error each, some hundred of them; 2e-9 measured
INTEGRATED = 2e-7

BRANCHES = {"fixed": 0, "revolute": 1, "prismatic": 1, "cylindrical": 2, "planar": 3, "spherical": 3}
BRANCHES |= {"universal": 2, "screw": 1}


def both_ways(model, monkeypatch, **more):
    """The run with a tree for every stage, and the one with the joints as constraints."""
    settings = {"t_end": 0.6, "method": "rk45", "rtol": 1e-10, "record": h.Record(every=0.02), **more}
    own = model.compile().simulate(**settings)
    with monkeypatch.context() as patch:
        patch.setattr(stages, "own_tree", lambda system, state: (system, state, None))
        shared = model.compile().simulate(**settings)
    return own, shared


def require_same(own, shared, tolerance=INTEGRATED):
    assert own.status.ok
    assert [channel.name for channel in own.channels] == [channel.name for channel in shared.channels]
    assert_allclose(own.t, shared.t, atol=1e-9)
    for channel in shared.channels:
        one, other = own[channel.name], shared[channel.name]
        if channel.name.endswith("rotation"):  # a quaternion and its opposite are one attitude
            one = one * np.sign(np.sum(one * other, axis=-1, keepdims=True))
        assert_allclose(one, other, atol=tolerance * max(1.0, np.abs(other).max()), err_msg=channel.name)


@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_carries_the_tree_and_moves_as_before(kind, monkeypatch):
    model = held_part(kind)
    system = model.compile()
    own, _, back = own_tree(system, system.start)
    assert (own.nv, own.nlambda) == (6 + 1 + BRANCHES[kind], 0)
    assert back is not None
    there = back.state(own.start)
    assert_allclose(there.q, system.start.q, atol=1e-12)
    assert_allclose(there.v, system.start.v, atol=1e-12)
    loose, state = switched(system, system.model.stages[0], system.start)
    assert own_tree(loose, state) == (loose, state, None)
    require_same(*both_ways(model, monkeypatch))


@pytest.mark.parametrize("kind", ["fixed", "spherical", "revolute", "prismatic"])
def test_a_part_that_comes_back_is_held_where_it_is_found(kind, monkeypatch):
    model = held_part(kind, back=0.4)
    own, shared = both_ways(model, monkeypatch)
    require_same(own, shared)
    # the system of the last stage: joints that have coordinates stay constraints, since these count from other places
    system, state = model.compile(), None
    state = system.start
    for stage in system.model.stages:
        system, state = switched(system, stage, state)
    last, _, _ = own_tree(system, state)
    assert last.nlambda == {"fixed": 0, "spherical": 0, "revolute": 5, "prismatic": 5}[kind]


def test_loops_flexible_bodies_drives_and_friction_pass_from_tree_to_tree(monkeypatch, beam):
    """A loop that opens, a drive on a joint that goes, dry friction that remembers, a filter, a flexible rod."""
    model = h.Model(gravity=(0, 0, -G))
    ground = model.ground
    crank = model.add(h.RigidBody("crank", 1.0, (0.01, 0.1, 0.1), com=(0.25, 0, 0)))
    bar = model.add(h.RigidBody("bar", 2.0, (0.01, 0.2, 0.2), com=(0.5, 0, 0)))
    model.add(h.revolute("A", crank.at(), ground.at(), axis=(0, 1, 0), start=-0.5))
    model.add(h.revolute("B", bar.at(), crank.at((0.5, 0, 0)), axis=(0, 1, 0)))
    closed = 0.5 * np.cos(0.5) + np.sqrt(1 - (0.5 * np.sin(0.5)) ** 2)
    block = model.add(h.RigidBody("block", 0.5, (0.1, 0.1, 0.1), position=(closed, 0, 0)))
    model.add(h.prismatic("slide", block.at(), ground.at(), axis=(1, 0, 0)))
    model.add(h.revolute("grip", bar.at((1, 0, 0)), block.at(), axis=(0, 1, 0)))
    model.add(h.joint_friction("rub", "slide", 0.5, stick=True, stiffness=1e4, damping=20.0))
    model.add(h.joint_torque("motor", "A", "5*sin(3*t) - filtered"))
    model.add(h.StateVariable("filtered", "(A.rate - filtered)/0.05"))
    rod = model.add(h.FlexibleBody("rod", ff.modal.reduce(beam, interface=[1, 21], n_modes=4), position=(0, 1, 0)))
    model.add(h.fixed("foot", rod.node(1), ground.at((0, 1, 0))))
    model.add(h.Stage("open", 0.2, release=["grip"]))
    model.add(h.Stage("free", "bar.position.z + 0.6", release=["A", "foot"], off=["motor"]))
    own, shared = both_ways(model, monkeypatch)
    require_same(own, shared)


def test_a_run_on_trees_of_its_own_resumes_to_the_same_bits(tmp_path):
    settings = {"step": 1e-3, "record": h.Record(every=0.02)}
    whole = held_part("revolute").compile().simulate(t_end=0.5, **settings)
    path = tmp_path / "run.h5"
    for t_end in (0.1, 0.4, 0.5):
        parts = held_part("revolute").compile().simulate(t_end=t_end, path=path, resume=path.exists(), **settings)
    for one, other in ((parts.q, whole.q), (parts.v, whole.v), (parts["J.force"], whole["J.force"])):
        assert np.array_equal(one, other)
