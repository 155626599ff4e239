"""What joints and bodies of a system do: accelerations, poses, coordinates and rates."""

from __future__ import annotations

import numpy as np


def motions(system, state, a):
    """Accelerations of the origins (less gravity), angular accelerations and poses of both bodies."""
    from floatframe.hybrid.kernels.system import INERTIA, VELOCITY

    data = system.evaluation(state)(state.t, state.q, VELOCITY | INERTIA, state.v, a).data
    found = []
    for k in range(len(system.model.bodies)):
        carrier = system.index.tree.carriers[k]
        link = data.links[carrier.link]
        arm = link["R"] @ carrier.pose.p
        w = link["w"]
        found.append(
            (
                link["a"] + np.cross(link["e"], arm) + np.cross(w, np.cross(w, arm)),
                np.array(link["e"]),
                link["p"] + arm,
                link["R"] @ carrier.pose.R,
                link["v"] + np.cross(w, arm),
                np.array(w),
            )
        )
    return found


def reported(system, state):
    """Coordinate and rate that the loads in the joint see."""
    from floatframe.hybrid.kernels.system import APPLIED, VELOCITY

    forces = system.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v).data.forces
    return forces["elongation"].tolist(), forces["rate"].tolist()
