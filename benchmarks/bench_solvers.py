"""Solvers of open trees: beside Pinocchio's articulated-body algorithm, and what `auto` loses against the fastest.

    pinocchio   accelerations of chains of revolute bodies, evaluations in turns. Its data take 32 bytes times
                the number of dofs cubed, so the chain of 1000 bodies stands beside twice one of 500
    auto        200 random trees with joints of 1 to 6 dofs: the solver predicted against the fastest one measured

Times are processor times; answers are compared first. `python -m benchmarks.bench_solvers`
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import numpy as np

from benchmarks.bench_evaluation import accelerate_often, chain, moving, prepared
from benchmarks.targets import met
from floatframe import hybrid as h

SHARE = 0.5  # of the time of Pinocchio, at most
CHAINS = ((100, 100), (1000, 500))  # bodies, ours and Pinocchio's
TREES, MEAN, WORST = 200, 1.05, 1.30
AGREE = 1e-9  # of the largest acceleration: what the condition of long chains leaves of the digits
ROUNDS = 60
JOINTS = ("revolute", "prismatic", "universal", "cylindrical", "spherical", "planar", "free")


def pinocchio_chain(pin: Any, count: int) -> Any:
    """The chain of `bench_evaluation` as a model of Pinocchio."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    rod = pin.Inertia(1.0, np.array([0.5, 0.0, 0.0]), np.diag([0.01, 0.08, 0.08]))
    joint = 0
    for k in range(count):
        place = pin.SE3(np.eye(3), np.array([1.0 if k else 0.0, 0.0, 0.0]))
        joint = model.addJoint(joint, pin.JointModelRY() if k % 2 else pin.JointModelRZ(), place, f"hinge{k}")
        model.appendBodyToJoint(joint, rod, pin.SE3.Identity())
    return model


def beside_pinocchio() -> bool:
    try:
        import pinocchio as pin
    except ImportError:
        print("pinocchio is not installed: pip install pin")
        return True
    well = True
    print(f"chains of revolute bodies beside Pinocchio {pin.__version__}: one evaluation [µs]")
    for ours, theirs in CHAINS:
        system = chain(ours)
        state, a, lam = moving(system)
        now = prepared(system, state, a, lam)
        arrays = now.tables, now.data, now.work, now.settings
        accelerate_often(*arrays, 1)
        model = pinocchio_chain(pin, theirs)
        data = model.createData()
        q, v, tau = np.array(state.q[:theirs]), np.array(state.v[:theirs]), np.zeros(theirs)
        found = pin.aba(model, data, q, v, tau)
        if ours == theirs:
            gap = float(np.abs(found - now.work.x).max() / np.abs(found).max())
            if not gap <= AGREE:
                raise SystemExit(f"chain of {ours}: accelerations differ by {gap:.1e}: the times mean nothing")
        times = max(1, 2000 // ours)
        best = [math.inf, math.inf]
        for _ in range(ROUNDS):
            begun = time.process_time()
            accelerate_often(*arrays, times)
            middle = time.process_time()
            for _ in range(times):
                pin.aba(model, data, q, v, tau)
            best = [min(best[0], middle - begun), min(best[1], time.process_time() - middle)]
        own, other = (1e6 * one / times for one in best)
        print(f"{ours:>8} bodies{own:>10.1f} ours{other * ours / theirs:>10.1f} Pinocchio (of {theirs} bodies)")
        well &= met(f"chain of {ours} over Pinocchio's", own / (other * ours / theirs), SHARE)
    return well


def random_tree(seed: int) -> h.System:
    """Up to 100 bodies on each other at random, with joints of any kind at random places."""
    rng = np.random.default_rng(seed)
    model = h.Model(gravity=(0, 0, -9.81))
    places = [model.ground]
    for k in range(int(2 ** rng.uniform(0, 6.7))):
        body = model.add(h.RigidBody(f"body{k}", rng.uniform(0.5, 3), rng.uniform(1.0, 1.9, 3), com=rng.normal(size=3)))
        near, far = places[rng.integers(max(0, len(places) - 6), len(places))].at(rng.normal(size=3)), body.at()
        kind, axis = str(rng.choice(JOINTS)), rng.normal(size=3)
        make = getattr(h, kind)
        if kind == "universal":
            joint = make(f"joint{k}", far, near, (1, 0, 0), (0, 1, 0))
        else:
            joint = make(f"joint{k}", far, near, *([] if kind in ("spherical", "free") else [axis]))
        model.add(joint)
        places.append(body)
    return model.compile()


def auto_beside_the_fastest() -> bool:
    lost, taken = [], {}
    for seed in range(TREES):
        system = random_tree(seed)
        rng = np.random.default_rng(seed)
        state = h.State(0.0, system.start.q, rng.normal(size=system.nv), system.start.memory)
        names = h.usable_solvers(system)
        seconds = {name: one.seconds for name, one in zip(names, h.solver_times(system, state, names), strict=True)}
        auto = h.chosen_solver(system, "auto")
        taken[auto] = taken.get(auto, 0) + 1
        lost.append(seconds[auto] / min(seconds.values()))
    print(f"auto for {TREES} random trees of 1 to 100 bodies; it took {taken}, factors of {h.known_factors().origin}")
    mean = met("time of auto over the fastest, mean", float(np.mean(lost)), MEAN)
    return met("time of auto over the fastest, worst", max(lost), WORST) and mean


def main() -> int:
    good = [beside_pinocchio(), auto_beside_the_fastest()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
