"""Derivatives of the equations of motion at a state: mass, damping and stiffness matrices in velocity coordinates.

The residual r = M a + k - f - G^T lam is differentiated by tangent coordinates x (as `System.move` takes them) and by
speeds. Elastic forces and damping of the modes are linear and taken from the bodies' matrices; everything else comes
from central differences, extrapolated to fourth order, at the step where rounding and truncation balance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import mechanism_size, workspace
from floatframe.hybrid.build import flexible_part
from floatframe.hybrid.layout import FREE, PRISMATIC, SPHERICAL, Tables
from floatframe.hybrid.state import Evaluation, State
from floatframe.hybrid.system import System

LONGEST_STEP = 4e-3  # in natural units: rounding and truncation of smooth forces both stay near 1e-13
STEP_RATIO = 4.0
FRICTION = ("friction", "joint_friction")


@dataclass(frozen=True)
class Tangent:
    """M δa + C δv + K x = G^T δlam near a state; x, δv, δa (nv,) are changes of coordinates, speeds, accelerations.

    On a moving system the joints ask for G δv + gap_rate x = 0 and G δa + gap_x x + gap_v δv = 0; at rest these
    three matrices are zero.
    """

    M: Array  # (nv, nv)
    C: Array  # (nv, nv)
    K: Array  # (nv, nv), with the part of the modes
    G: Array  # (nrow, nv)
    elastic: Array  # (nv, nv): stiffness of the modes alone
    gap_rate: Array  # (nrow, nv)
    gap_x: Array  # (nrow, nv)
    gap_v: Array  # (nrow, nv)
    spin: Array  # (nv, nv): x' = δv - spin x, since attitudes are measured in turning axes


def without_friction(system: System) -> Tables:
    """The tables of a system without its dry friction, which carries no load at rest and has no slope there."""
    keep = [force.kind not in FRICTION for force in system.model.forces]
    return system.tables._replace(forces=np.ascontiguousarray(system.tables.forces[keep]))


def evaluation(system: System, tables: Tables, state: State) -> Evaluation:
    """The kernels with other tables than the system's own."""
    return Evaluation(tables, workspace(system.names, tables, state.memory))


def force_size(system: System, tables: Tables, state: State, scale: Array) -> float:
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


def natural_units(system: System) -> Array:
    """What counts as a large change of each velocity coordinate (nv,): 1 rad, or the size of the mechanism [m]."""
    size = mechanism_size(system.names)
    units = np.ones(system.nv)
    for link in system.tables.links[1:]:
        lengths = {PRISMATIC: 1, FREE: 3}.get(int(link["kind"]), 0)
        units[link["iv"] : link["iv"] + lengths] = size
    for span, body in _modes(system):
        shapes = np.abs(np.asarray(flexible_part(system.model.bodies[body]).shapes))
        reach = shapes.reshape(-1, 6, shapes.shape[1])
        units[span] = 1.0 / np.maximum(reach[:, :3].max(axis=(0, 1)) / size, reach[:, 3:].max(axis=(0, 1)))
    return units


def elastic_matrices(system: System) -> tuple[Array, Array]:
    """Stiffness and damping (nv, nv) of the modes of all flexible bodies."""
    K, C = np.zeros((system.nv, system.nv)), np.zeros((system.nv, system.nv))
    for span, body in _modes(system):
        description = system.model.bodies[body]
        K[span, span] = flexible_part(description).stiffness
        damping = np.asarray(description.damping)
        C[span, span] = np.diag(damping) if damping.ndim == 1 else damping
    return K, C


def _modes(system: System) -> list[tuple[slice, int]]:
    """Velocity coordinates of the modes of every flexible body, with the body's number."""
    records = system.tables.flexible
    return [
        (slice(int(records[k]["iv"]), int(records[k]["iv"] + records[k]["n"])), body)
        for body, k in system.names.flexible_of.items()
    ]


def tangent(
    system: System,
    state: State,
    acceleration: Array | None = None,
    reactions: Array | None = None,
    tables: Tables | None = None,
    units: Array | None = None,
    levels: int = 5,
) -> Tangent:
    """The tangent at a state with accelerations (nv,), zero if not given, and multipliers (nlambda,).

    levels: number of difference steps tried, each a quarter of the one before; 2 is enough for an iteration.
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
        return equations(system.move(state, step).q, state.v)

    def faster(change: Array) -> Array:
        return equations(state.q, state.v + change)

    by_x = differentiate(moved, LONGEST_STEP * units, levels)
    rates = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))
    by_v = differentiate(faster, LONGEST_STEP * rates, levels)
    K, C = elastic_matrices(system)
    none = np.zeros((nrow, nv))
    rate, gap_x, gap_v = (by_x[nv : nv + nrow], by_x[nv + nrow :], by_v[nv + nrow :]) if moving else (none, none, none)
    return Tangent(M, by_v[:nv] + C, by_x[:nv] + K, G, K, rate, gap_x, gap_v, _spin(tables, state.v))


def differentiate(function: Callable[[Array], Array], longest: Array, levels: int) -> Array:
    """Jacobian (m, n) at zero of a function of n variables.

    Central differences at steps longest (n,), longest / 4, ... make fourth-order values in pairs; of these every
    column takes the one that differs least from its neighbour: the longest step for smooth functions, where rounding
    is smallest, a shorter one where the function bends within the step.
    """
    columns = []
    for j, long in enumerate(longest):
        differences = []
        for level in range(levels):
            step = np.zeros(len(longest))
            step[j] = long / STEP_RATIO**level
            differences.append((function(step) - function(-step)) / (2.0 * step[j]))
        square = STEP_RATIO**2
        values = [
            (square * fine - coarse) / (square - 1.0)
            for coarse, fine in zip(differences[:-1], differences[1:], strict=True)
        ]
        change = [np.linalg.norm(b - a) for a, b in zip(values[:-1], values[1:], strict=True)]
        columns.append(values[int(np.argmin(change))] if change else values[0])
    return np.column_stack(columns) if columns else np.zeros((0, 0))


def _spin(tables: Tables, v: Array) -> Array:
    """The matrix (nv, nv) that turns attitudes with the speeds v."""
    S = np.zeros((len(v), len(v)))
    for link in tables.links[1:]:
        kind = int(link["kind"])
        if kind in (SPHERICAL, FREE):
            at = int(link["iv"]) + (3 if kind == FREE else 0)
            x, y, z = v[at : at + 3]
            S[at : at + 3, at : at + 3] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    return S
