"""Random trees beside Pinocchio, built there from what the joints mean: accelerations and forces in the joints.

`pin` is in the extra `bench`; without it these tests are skipped.
"""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels import FREE, SPHERICAL
from tests.hybrid import random_systems as make
from tests.hybrid.simulation.solved import EPS, SOLVERS, accelerations, reactions

pin = pytest.importorskip("pinocchio")

GRAVITY = np.array([0.4, -1.0, -9.81])
KINDS = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "four", "five", "free")


STEPS = {
    "turn": pin.JointModelRevoluteUnaligned,
    "slide": pin.JointModelPrismaticUnaligned,
    "ball": lambda way: pin.JointModelSpherical(),
}


def joint_and_steps(rng, kind, ends):
    """A joint of a kind with random axes, and what it is in a row: motions and their axes."""
    one, other, third, *more = (make.direction(rng) for _ in range(5))
    across = np.cross(one, other) / np.linalg.norm(np.cross(one, other))
    if kind == "revolute":
        return h.revolute(*ends, one), [("turn", one)]
    if kind == "prismatic":
        return h.prismatic(*ends, one), [("slide", one)]
    if kind == "cylindrical":
        return h.cylindrical(*ends, one), [("slide", one), ("turn", one)]
    if kind == "universal":
        return h.universal(*ends, across, one), [("turn", one), ("turn", across)]
    if kind == "spherical":
        return h.spherical(*ends), [("ball", one)]
    if kind == "free":
        return h.free(*ends), [*(("slide", way) for way in np.eye(3)), ("ball", one)]
    steps = [("turn", one), ("slide", other), ("turn", third), ("slide", more[0]), ("turn", more[1])]
    steps = steps[: 4 if kind == "four" else 5]
    ways = {"turn": h.rotate, "slide": h.translate}
    return h.general(*ends, [ways[what](way) for what, way in steps]), steps


class Both:
    """The same tree as a model of ours and as one of Pinocchio, whose joints of several dofs are joints in a row."""

    def __init__(self):
        self.ours, self.theirs = h.Model(gravity=GRAVITY), pin.Model()
        self.theirs.gravity.linear = GRAVITY
        self.balls, self.ends = [], []  # Pinocchio's joints: those that turn like balls, the last ones of the bodies

    def add(self, rng, parent, kind):
        """A body on the body of a number (-1: the ground)."""
        k = len(self.ends)
        body = self.ours.add(make.rigid_body(rng, f"body{k}"))
        near, far = rng.normal(size=3), rng.normal(size=3)
        on = self.ours.ground.at(near) if parent < 0 else h.Place(f"body{parent}", near)
        joint, steps = joint_and_steps(rng, kind, (f"joint{k}", body.at(far), on))
        self.ours.add(joint)
        last, origin = (0, np.zeros(3)) if parent < 0 else self.ends[parent]
        place = near - origin
        for what, way in steps:
            last = self.theirs.addJoint(last, STEPS[what](way), pin.SE3(np.eye(3), place), str(self.theirs.njoints))
            place = np.zeros(3)
            if what == "ball":
                self.balls.append(last)
        inertia = pin.Inertia(body.mass, body.com - far, np.array(body.inertia))
        self.theirs.appendBodyToJoint(last, inertia, pin.SE3.Identity())
        self.ends.append((last, far))

    def order(self, system):
        """Numbers of our coordinates (nq,) and speeds (nv,) in the order of Pinocchio, which is that of the bodies."""
        q, v, first = [], [], 1
        for k, (last, _) in enumerate(self.ends):
            link = system.tables.links[system.index.tree.carriers[k].link]
            nq, nv = (sum(each[first : last + 1]) for each in (self.theirs.nqs, self.theirs.nvs))
            end = link["iq"] + {SPHERICAL: 4, FREE: 7}.get(int(link["kind"]), 1)
            q.append(np.arange(end - nq, end))
            v.append(np.arange(nv) + link["iv"] + link["nv"] - nv)
            if last in self.balls:
                q[-1][-4:] = np.roll(q[-1][-4:], -1)  # the scalar is their last
            first = last + 1
        return np.concatenate(q), np.concatenate(v)


def a_tree(seed, count):
    """A random tree on a base that moves freely, joints of 1 to 6 dofs."""
    rng = np.random.default_rng(seed)
    both = Both()
    both.add(rng, -1, "free")
    for k in range(1, count):
        both.add(rng, int(rng.integers(max(-1, k - 8), k)), str(rng.choice(KINDS)))
    return both


@pytest.mark.parametrize(("seed", "count"), [*((seed, 15) for seed in range(4)), (4, 30), (5, 80)])
def test_trees_accelerate_and_carry_as_in_pinocchio(seed, count):
    both = a_tree(seed, count)
    system = both.ours.compile()
    state = make.any_state(np.random.default_rng(seed), system, far=0.3)
    of_q, of_v = both.order(system)
    q, v, data = state.q[of_q], state.v[of_v], both.theirs.createData()
    exact = np.empty(system.nv)
    exact[of_v] = pin.aba(both.theirs, data, q, v, np.zeros(system.nv))
    weights = np.linalg.eigvalsh(system.mass_matrix(state))
    rounded = 100 * EPS * weights[-1] / weights[0]
    for solver in SOLVERS:
        # both go along the tree, which needs no mass matrix; the others have what it leaves of the digits
        close = 1e-12 if solver == "dec" else 1e-10 if count <= 30 else rounded
        found = accelerations(system, state, solver)
        np.testing.assert_allclose(found, exact, rtol=0, atol=close * np.abs(exact).max(), err_msg=solver)
    pin.rnea(both.theirs, data, q, v, exact[of_v])
    carriers = [system.index.tree.carriers[k] for k in range(count)]
    ours = reactions(system, state, accelerations(system, state, "dec"))[[one.link for one in carriers]]
    theirs = [
        [one.pose.R @ part for part in (data.f[joint].linear, data.f[joint].angular)]
        for one, (joint, _) in zip(carriers, both.ends, strict=True)
    ]
    np.testing.assert_allclose(ours, np.reshape(theirs, (-1, 6)), rtol=0, atol=1e-11 * np.abs(theirs).max())
