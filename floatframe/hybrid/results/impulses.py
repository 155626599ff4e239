"""Impulses where a stage begins: what forces of joints would be with jumps of the speeds as accelerations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State, solve_constrained
from floatframe.hybrid.kernels import COUNTERS, JACOBIAN, MASS, Kept
from floatframe.hybrid.results.recovery import observed

IMPULSES = {"force": "impulse", "torque": "angular_impulse"}


def stage_impulses(system: CompiledSystem, before: Array, start: State) -> dict[str, Array]:
    """The values of the channels JOINT.impulse, JOINT.angular_impulse (3,) and RELATION.impulse (1,) of a stage.

    system: of the stage, in the coordinates that all stages share; before: speeds (nv,) before it; start: its start.
    """
    jump = start.v - before
    joints = [joint.name for joint in system.model.joints]
    names = {f"{joint}.{of}": f"{joint}.{what}" for joint in joints for of, what in IMPULSES.items()}
    names |= {f"{relation.name}.force": f"{relation.name}.impulse" for relation in system.model.relations}
    if not np.any(jump):
        return dict.fromkeys(names.values(), np.zeros(1))
    resting = replace(start, v=np.zeros(system.nv))
    now = system.evaluation(resting)(start.t, start.q, MASS | JACOBIAN, resting.v)
    _, p = solve_constrained(now.M, now.G, np.zeros(system.nv), now.G @ jump)
    # without speeds; a second state without the jump has the forces that act on both
    twice = [np.tile(one, (2, 1)) for one in (start.q, resting.v, start.memory)]
    x, lam = (np.array((one, np.zeros(len(one)))) for one in (jump, p))
    kept = Kept(np.full(2, start.t), twice[0], twice[1], x, lam, twice[2], np.zeros(2, COUNTERS))
    found = observed(system, tuple(names), kept)
    return {impulse: found[force][0] - found[force][1] for force, impulse in names.items()}
