"""The stages of one evaluation of a whole system: position, velocity, force, acceleration."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.constraints import (
    apply_reactions,
    constraint_jacobian,
    row_accelerations,
    row_values,
)
from floatframe.hybrid.kernels.coordinates import coordinate_accelerations, coordinate_rates, coordinate_values
from floatframe.hybrid.kernels.flexible import (
    composite_frame,
    elastic_forces,
    inertia_wrench,
    modal_inertia,
    shape_rates,
    shape_terms,
)
from floatframe.hybrid.kernels.forces import apply_forces
from floatframe.hybrid.kernels.held import read_delays
from floatframe.hybrid.kernels.markers import marker_accelerations, marker_positions, marker_velocities
from floatframe.hybrid.kernels.options import DATA, FLOATS, MATRIX, TABLES, inner, piece
from floatframe.hybrid.kernels.sensors import read_sensors
from floatframe.hybrid.kernels.tree import (
    accelerations,
    clear_loads,
    composite_bodies,
    drifts,
    inertia_wrenches,
    joint_space_inertia,
    motions,
    positions,
    project_wrenches,
    start_wrenches,
    velocities,
)
from floatframe.native import FLOAT, WHOLE

# what an evaluation does, as bits; positions are brought up to date unless they are PLACED by the one before
VELOCITY, INERTIA, ELASTIC, APPLIED, MASS, JACOBIAN, CONVECTIVE, PLACED = 1, 2, 4, 8, 16, 32, 64, 128
# loads, and accelerations as `tree.drifts`, stay in the links; in the residual is only what acts along coordinates
GATHERED = 256
ALL_FORCES = VELOCITY | INERTIA | ELASTIC | APPLIED


@piece(TABLES, DATA, FLOAT, FLOATS, FLOATS, FLOATS, FLOATS, WHOLE, FLOATS, MATRIX, MATRIX)
def evaluate(tables, data, t, q, v, acc, lam, what, residual, M, G):
    """One evaluation of a system; the stages follow each other, those not in `what` are left out.

    residual (nv,) = M acc + k - f - G^T lam with the kinds of force in `what`; M (nv, nv); G (nrow, nv).
    With CONVECTIVE the rows' second derivatives at coordinate accelerations acc are left in data.rows.
    """
    links, flexible, pool = tables.links, tables.flexible, tables.pool
    if not what & PLACED:
        positions(links, tables.dofs, data.links, data.dofs, q)
        for i in range(len(flexible)):
            shape_terms(flexible[i], pool, data.pool, q)
        marker_positions(tables.markers, data.markers, flexible, data.links, pool, data.pool, q)
        coordinate_values(tables.coordinates, data.coordinates, data.markers, data.memory, q)
        row_values(tables, data, tables.rows, data.rows, q, t)
    if what & JACOBIAN:
        constraint_jacobian(tables, data, G)
    if what & MASS:
        mass_matrix(tables, data, M)
    if what & VELOCITY:
        if what & GATHERED:
            drifts(links, data.links, data.dofs, v, tables.gravity)
        elif what & (INERTIA | CONVECTIVE):
            motions(links, data.links, data.dofs, v, acc, tables.gravity)
        else:
            velocities(links, data.links, data.dofs, v)
        for i in range(len(flexible)):
            shape_rates(flexible[i], pool, data.pool, v)
        marker_velocities(tables.markers, data.markers, flexible, data.links, data.pool, v)
        coordinate_rates(tables.coordinates, data.coordinates, data.markers, v)
    elif what & (INERTIA | CONVECTIVE):
        accelerations(links, data.links, data.dofs, v, acc, tables.gravity)
    if what & CONVECTIVE:
        marker_accelerations(tables.markers, data.markers, flexible, data.links, pool, data.pool, q, v, acc)
        coordinate_accelerations(tables.coordinates, data.coordinates, data.markers, acc)
        row_accelerations(tables, data, q, v, acc, t)
    if what & (INERTIA | ELASTIC | APPLIED):
        residual[:] = 0.0
        clear_loads(data.links)
        if what & APPLIED:
            read_sensors(tables, data, q, v, t)
            apply_forces(tables, data, residual)
        if len(lam) > 0:
            apply_reactions(tables, data, lam, residual)
        if what & GATHERED:
            return
        start_wrenches(data.links)
        if what & INERTIA:
            inertia_wrenches(links, data.links)
        for i in range(len(flexible)):
            if what & INERTIA:
                inertia_wrench(flexible[i], pool, data.pool, data.links[flexible[i].link], v, acc, residual)
            if what & ELASTIC:
                elastic_forces(flexible[i], pool, q, v, residual)
        project_wrenches(links, data.links, data.dofs, residual)


@inner
def mass_matrix(tables, data, M):
    """Mass matrix (nv, nv) at the poses in the workspace."""
    M[:, :] = 0.0
    composite_bodies(tables.links, data.links)
    for i in range(len(tables.flexible)):
        body = tables.flexible[i]
        here = data.links[body.link]
        composite_frame(body, tables.pool, data.pool, here)
        last = tables.links[body.link].last_dof
        modal_inertia(body, tables.pool, data.pool, here, tables.dofs, data.links, data.dofs, last, M)
    joint_space_inertia(tables.links, tables.dofs, data.links, data.dofs, M)


@inner
def evaluate_now(tables, data, w, t, what, residual):
    """Evaluate at the tried coordinates, speeds, accelerations and multipliers; the residual goes to `residual`."""
    if w.traits.delays == 1:
        read_delays(tables, data, w, t)
    evaluate(tables, data, t, w.q, w.v, w.x, w.lam, what, residual, w.M, w.G)
