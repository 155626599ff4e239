"""Accelerations at a state, and the size of the forces that meet in every coordinate, to judge what is left of them."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.free_motions import coordinate_scales, free_directions
from floatframe.hybrid.studies.tangent import Tangent, elastic_matrices


def force_sizes(system: CompiledSystem, tables: Tables, state: State, t: Tangent) -> Array:
    """Size (nv,) of the forces at rest that meet in every coordinate, whichever way they point, without reactions.

    Weight is tried along all three axes, because the hanging position of a pendulum shows nothing of it; of a force
    element counts the size of its force, and of its torque, times the motion of its place.
    """
    from floatframe.hybrid.kernels import ELASTIC, INERTIA, VELOCITY

    def size(of: Tables, kind: int) -> Array:
        return np.abs(evaluation(system, of, state)(state.t, state.q, VELOCITY | kind).residual)

    total = size(tables, ELASTIC)
    g = float(np.linalg.norm(tables.gravity))
    if g > 0.0:
        total = total + np.max([size(tables._replace(gravity=g * axis), INERTIA) for axis in np.eye(3)], axis=0)
    for part in (slice(0, 3), slice(3, 6)):
        total = total + np.linalg.norm(t.forces[:, part], axis=1) @ np.linalg.norm(t.J[:, part], axis=1)
    return np.asarray(total)


def accelerations(system: CompiledSystem, tables: Tables, state: State) -> tuple[Array, float]:
    """Accelerations (nv,) that the joints allow at a state, and their mean [m/s2] weighted by mass."""
    from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS

    now = evaluation(system, tables, state)
    now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN | CONVECTIVE, state.v)
    free = free_directions(now.G, coordinate_scales(now.M, elastic_matrices(system)[0]))
    forced = free.opening(-np.array(now.data.rows["convective"]))
    N = free.N
    y = np.linalg.lstsq(N.T @ now.M @ N, -N.T @ (now.residual + now.M @ forced), rcond=1e-13)[0]
    a = forced + N @ y
    mass = float(sum(body.mass if body.reduced is None else body.reduced.inertia.m for body in system.model.bodies))
    return a, float(np.sqrt(max(a @ now.M @ a, 0.0) / mass)) if mass > 0.0 else 0.0
