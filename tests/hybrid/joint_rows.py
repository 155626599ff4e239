"""States with closed joints, and constraint rows checked by differences."""

from __future__ import annotations

import numpy as np

from floatframe import hybrid as h


def moving(rng, system):
    """A state with the joints closed and any speed that keeps them closed."""
    G = system.constraint_jacobian(system.start)
    v = rng.normal(size=system.nv)
    v[system.tables.dofs["link"] < 0] *= 0.1
    if len(G):
        v = v - np.linalg.pinv(G) @ (G @ v)
    return h.State(0.0, system.start.q, v, system.start.memory)


def check_jacobian_by_differences(system, state, G):
    """G against the rows themselves, moved along every coordinate."""
    step = 1e-5
    for j, e in enumerate(np.eye(system.nv)):
        ahead, behind = (system.constraints(system.move(state, s * step * e)) for s in (1, -1))
        # truncated at step^2 times curvatures of order one to ten, rounded at 1e-16 / step
        np.testing.assert_allclose((ahead - behind) / (2.0 * step), G[:, j], rtol=1e-7, atol=1e-7)


def convective_terms(system, state):
    from floatframe.hybrid.kernels.system import CONVECTIVE, VELOCITY

    now = system.evaluation(state)(state.t, state.q, VELOCITY | CONVECTIVE, state.v)
    return np.array(now.data.rows["convective"])
