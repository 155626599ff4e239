"""Derivatives of the equations of motion at a state: mass, damping and stiffness matrices in velocity coordinates.

The residual r = M a + k - f - G^T lam is differentiated by tangent coordinates x (as `move` takes them) and by
speeds. Elastic forces and damping of the modes are linear and taken from the bodies' matrices; everything else comes
from central differences, extrapolated to fourth order, at the step where rounding and truncation balance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.hybrid.assembly import mechanism_size, workspace
from floatframe.hybrid.build import flexible_part
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.layout import FREE, PRISMATIC, SPHERICAL, Tables
from floatframe.hybrid.rotations import quaternion_to_matrix
from floatframe.hybrid.state import Evaluation, State

LONGEST_STEP = 4e-3  # in natural units: rounding and truncation of smooth forces both stay near 1e-13
STEP_RATIO = 4.0
FRICTION = ("friction", "joint_friction")


@dataclass(frozen=True)
class Tangent:
    """M δa + C δv + K x = G^T δlam near a state; x, δv, δa (nv,) are changes of coordinates, speeds, accelerations.

    On a moving system the joints ask for G δv + gap_rate x = 0 and G δa + gap_x x + gap_v δv = 0; at rest these
    three matrices are zero.

    Attitudes, and positions of floating bodies that joints hold, are measured in the axes of the body, so that what
    turns steadily as a whole has constant matrices: x' = δv - turning_x x, δv' = δa - turning_v δv.
    """

    M: Array  # (nv, nv)
    C: Array  # (nv, nv)
    K: Array  # (nv, nv), with the part of the modes
    G: Array  # (nrow, nv)
    error: Array  # (nv, nv): of K, estimated
    gap_rate: Array  # (nrow, nv)
    gap_x: Array  # (nrow, nv)
    gap_v: Array  # (nrow, nv)
    turning_x: Array  # (nv, nv)
    turning_v: Array  # (nv, nv)


def without_friction(system: CompiledSystem) -> Tables:
    """The tables of a system without its dry friction, which carries no load at rest and has no slope there."""
    keep = [force.kind not in FRICTION for force in system.model.forces]
    return system.tables._replace(forces=np.ascontiguousarray(system.tables.forces[keep]))


def evaluation(system: CompiledSystem, tables: Tables, state: State) -> Evaluation:
    """The kernels with other tables than the system's own."""
    return Evaluation(tables, workspace(system.names, tables, state.memory))


def force_size(system: CompiledSystem, tables: Tables, state: State, scale: Array) -> float:
    """Size of the forces at rest as a norm scaled by coordinate (nv,): weight along any axis, elastic, applied.

    Weight is tried along all three axes, because the hanging position of a pendulum shows nothing of it.
    """
    from floatframe.hybrid._kernels_system import APPLIED, ELASTIC, INERTIA, VELOCITY

    def size(of: Tables, kind: int) -> float:
        residual = evaluation(system, of, state)(state.t, state.q, VELOCITY | kind).residual
        return float(np.linalg.norm(scale * residual))

    g = float(np.linalg.norm(tables.gravity))
    weights = [size(tables._replace(gravity=g * axis), INERTIA) for axis in np.eye(3)] if g > 0.0 else [0.0]
    return max(weights) + size(tables, ELASTIC) + size(tables, APPLIED)


def turning_coordinates(system: CompiledSystem) -> BoolArray:
    """Which velocity coordinates (nv,) are angles; the others are lengths or modal coordinates."""
    turns = np.zeros(system.nv, dtype=bool)
    for link in system.tables.links[1:]:
        lengths = {PRISMATIC: 1, FREE: 3}.get(int(link["kind"]), 0)
        turns[link["iv"] + lengths : link["iv"] + link["nv"]] = True
    return turns


def natural_units(system: CompiledSystem) -> Array:
    """What counts as a large change of each velocity coordinate (nv,): 1 rad, or the size of the mechanism [m]."""
    size = mechanism_size(system.names)
    units = np.where(turning_coordinates(system), 1.0, size)
    for span, body in _modes(system):
        shapes = np.abs(np.asarray(flexible_part(system.model.bodies[body]).shapes))
        reach = shapes.reshape(-1, 6, shapes.shape[1])
        units[span] = 1.0 / np.maximum(reach[:, :3].max(axis=(0, 1)) / size, reach[:, 3:].max(axis=(0, 1)))
    return units


def elastic_matrices(system: CompiledSystem) -> tuple[Array, Array]:
    """Stiffness and damping (nv, nv) of the modes of all flexible bodies."""
    K, C = np.zeros((system.nv, system.nv)), np.zeros((system.nv, system.nv))
    for span, body in _modes(system):
        description = system.model.bodies[body]
        K[span, span] = flexible_part(description).stiffness
        damping = np.asarray(description.damping)
        C[span, span] = np.diag(damping) if damping.ndim == 1 else damping
    return K, C


def _modes(system: CompiledSystem) -> list[tuple[slice, int]]:
    """Velocity coordinates of the modes of every flexible body, with the body's number."""
    records = system.tables.flexible
    return [
        (slice(int(records[k]["iv"]), int(records[k]["iv"] + records[k]["n"])), body)
        for body, k in system.names.flexible_of.items()
    ]


def tangent(
    system: CompiledSystem,
    state: State,
    acceleration: Array | None = None,
    reactions: Array | None = None,
    tables: Tables | None = None,
    units: Array | None = None,
    levels: int = 5,
    speeds: bool = True,
) -> Tangent:
    """The tangent at a state with accelerations (nv,), zero if not given, and multipliers (nlambda,).

    levels: number of difference steps tried, each a quarter of the one before; 2 is enough for an iteration.
    speeds=False leaves C at that of the modes.
    """
    from floatframe.hybrid._kernels_system import APPLIED, CONVECTIVE, INERTIA, JACOBIAN, MASS, VELOCITY

    tables = system.tables if tables is None else tables
    units = natural_units(system) if units is None else units
    now = evaluation(system, tables, state)
    now(state.t, state.q, MASS | JACOBIAN)
    M, G = now.M.copy(), now.G.copy()
    a = np.zeros(system.nv) if acceleration is None else acceleration
    nv, nrow = system.nv, len(G)
    moving = bool(nrow and (np.any(state.v) or np.any(a)))
    what = VELOCITY | INERTIA | APPLIED | ((CONVECTIVE | JACOBIAN) if moving else 0)

    def equations(q: Array, v: Array) -> Array:
        """Residual without elastic forces; on a moving system also rates and accelerations of the joints' gaps."""
        now(state.t, q, what, v, a, reactions)
        if not moving:
            return now.residual.copy()
        rows = now.data.rows
        return np.concatenate((now.residual, now.G @ v + rows["rate"], rows["convective"]))

    def moved(step: Array) -> Array:
        return equations(now.moved(state.q, step), state.v)

    def faster(change: Array) -> Array:
        return equations(state.q, state.v + change)

    by_x, error = differentiate(moved, LONGEST_STEP * units, levels)
    rates = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))
    by_v = np.zeros((nv + 2 * nrow, nv))
    if speeds:
        by_v, _ = differentiate(faster, LONGEST_STEP * rates, levels)
    K, C = elastic_matrices(system)
    none = np.zeros((nrow, nv))
    rate, gap_x, gap_v = (by_x[nv : nv + nrow], by_x[nv + nrow :], by_v[nv + nrow :]) if moving else (none, none, none)
    return Tangent(M, by_v[:nv] + C, by_x[:nv] + K, G, error[:nv], rate, gap_x, gap_v, *turning(tables, state))


def differentiate(function: Callable[[Array], Array], longest: Array, levels: int) -> tuple[Array, Array]:
    """Jacobian (m, n) at zero of a function of n variables, and an estimate of its error (m, n).

    Central differences at steps longest (n,), longest / 4, ... make fourth-order values in pairs; of these every
    column takes the one that differs least from its neighbour: the longest step for smooth functions, where rounding
    is smallest, a shorter one where the function bends within the step.
    """
    columns, errors = [], []
    for j, long in enumerate(longest):
        differences = []
        for level in range(levels):
            step = np.zeros(len(longest))
            step[j] = long / STEP_RATIO**level
            differences.append((function(step) - function(-step)) / (2.0 * step[j]))
        coarse, fine = np.array(differences[:-1]), np.array(differences[1:])
        values = (STEP_RATIO**2 * fine - coarse) / (STEP_RATIO**2 - 1.0)
        changes = np.abs(np.diff(values, axis=0))
        if not len(changes):
            columns.append(values[0])
            errors.append(np.zeros_like(values[0]))
            continue
        best = int(np.argmin(np.linalg.norm(changes, axis=1)))
        # changes that still shrink at the shortest step are truncation, and the shortest step is the best
        columns.append(values[-1] if best == len(changes) - 1 else values[best])
        errors.append(4.0 * changes[best:].max(axis=0))
    if not columns:
        return np.zeros((0, 0)), np.zeros((0, 0))
    return np.column_stack(columns), np.column_stack(errors)


def turning(tables: Tables, state: State) -> tuple[Array, Array]:
    """The matrices `turning_x` and `turning_v` (nv, nv) of a tangent."""
    nv = len(state.v)
    by_x, by_v = np.zeros((nv, nv)), np.zeros((nv, nv))
    markers = np.concatenate((tables.rows["a"], tables.rows["b"]))
    jointed = set(tables.markers["link"][markers[markers >= 0]].tolist())
    for number, link in enumerate(tables.links):
        kind, at = int(link["kind"]), int(link["iv"])
        if kind == SPHERICAL:
            by_x[at : at + 3, at : at + 3] = skew(state.v[at : at + 3])
        elif kind == FREE:
            spin = state.v[at + 3 : at + 6]
            by_x[at + 3 : at + 6, at + 3 : at + 6] = skew(spin)
            if number in jointed:
                first = int(link["iq"]) + 3
                across = skew(quaternion_to_matrix(state.q[first : first + 4]) @ spin)
                by_x[at : at + 3, at : at + 3] = across
                by_v[at : at + 3, at : at + 3] = across
    return by_x, by_v


def skew(a: Array) -> Array:
    """The matrix (3, 3) of the cross product with a (3,)."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
