"""Modes of systems that roll: constraints of speeds hold more motions than places.

Near a state, x (nv,) are changes of the coordinates and δv those of the speeds. Rows of places hold both, G_p x = 0;
rows of speeds hold δv alone, so there are more displacements y than speeds z:

    x = N_q y,  δv = N_v z + P x,      G_p N_q = 0,  G N_v = 0,  G P + gap_rate = 0
    y' = δv - turning_x x  in the displacements,   M z' + C δv + K x + ... = 0  in the speeds

State variables come behind them, over what is large for them.

Displacements that enter no force, as the place of what rolls on a plane, have eigenvalues zero, one for each row of
speeds at least. They are split off one layer after another, since multiple zeros spoil each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.hybrid.kernels import SPEEDS, Tables
from floatframe.hybrid.studies.free_motions import FreeDirections, coordinate_scales, free_directions
from floatframe.hybrid.studies.state_slopes import StateSlopes
from floatframe.hybrid.studies.state_space import STATES_ALONE, Modes, normalised
from floatframe.hybrid.studies.tangent import Tangent

SMALL = 1e-7  # 1/s: of a layer of zeros, over what differences leave of larger numbers
ROUNDED = 1e-10  # share of the largest rate that differences leave


@dataclass(frozen=True)
class FirstOrder:
    """(y', z') = A (y, z), with displacements x = free.N y (nv,) and speeds z, then state variables."""

    A: Array  # (n + m + nz, n + m + nz)
    free: FreeDirections


def rolls(tables: Tables) -> bool:
    """Whether rows of speeds hold a system."""
    return bool(np.any(tables.rows["level"] == SPEEDS))


def first_order(t: Tangent, speeds: BoolArray, slopes: StateSlopes | None = None) -> FirstOrder:
    """The equations of small motions; speeds (nrow,): which rows are of speeds; slopes: of the state variables."""
    scale = coordinate_scales(t.M, t.K)
    places, all_rows = free_directions(t.G[~speeds], scale), free_directions(t.G, scale)
    Nq, Nv = places.N, all_rows.N
    P = all_rows.opening(-t.gap_rate @ Nq)
    by_y = all_rows.opening(-(t.gap_x @ Nq + t.gap_v @ P))
    by_z = all_rows.opening(-t.gap_v @ Nv)
    mass = Nv.T @ t.M @ Nv
    n, both = Nq.shape[1], Nq.shape[1] + Nv.shape[1]
    size = both + (0 if slopes is None else len(slopes.rate))
    A = np.zeros((size, size))
    A[:n, :n] = places.coordinates(P - t.turning_x @ Nq)
    A[:n, n:both] = places.coordinates(Nv)
    A[n:both, :n] = -np.linalg.solve(mass, Nv.T @ (t.K @ Nq + t.C @ P + t.M @ by_y))
    A[n:both, n:both] = -np.linalg.solve(mass, Nv.T @ (t.C @ Nv + t.M @ by_z))
    A[n:both, :n] -= all_rows.coordinates(t.turning_v @ P)
    A[n:both, n:both] -= all_rows.coordinates(t.turning_v @ Nv)
    if slopes is not None:
        units = slopes.units[:, None]
        A[n:both, both:] = -np.linalg.solve(mass, Nv.T @ slopes.force) * slopes.units
        A[both:, :n] = (slopes.by_x @ Nq + slopes.by_v @ P) / units
        A[both:, n:both] = slopes.by_v @ Nv / units
        A[both:, both:] = slopes.by_z * slopes.units / units
    return FirstOrder(A, places)


def modes(t: Tangent, speeds: BoolArray, slopes: StateSlopes | None = None) -> Modes:
    """Modes with the imaginary part of their eigenvalues >= 0; rigid-body motions are those that are zero.

    A displacement that nothing brings back and its speed are one motion, as for systems without rows of speeds.
    """
    equations = first_order(t, speeds, slopes)
    A, n = equations.A, equations.free.N.shape[1]
    nz = 0 if slopes is None else len(slopes.rate)
    small = max(SMALL, ROUNDED * float(np.abs(A).max(initial=0.0)))
    basis, layers = np.eye(len(A)), [np.zeros((len(A), 0))]
    while True:
        part = basis.T @ A @ basis
        s, Vt = np.linalg.svd(part)[1:]
        rank = int(np.count_nonzero(s > small))
        if rank == len(part):
            break
        layers.append(basis @ Vt[rank:].T)
        basis = basis @ Vt[:rank].T
    values, vectors = (found.astype(complex) for found in np.linalg.eig(part))
    keep = values.imag >= 0.0
    # the layers behind the first are the speeds of its displacements; all of them follow the other motions
    split = np.hstack(layers)
    zeros = np.hstack(layers[:2])
    own, beside = split.T @ A @ split, split.T @ A @ basis @ vectors[:, keep]
    follow = [
        np.linalg.solve(value * np.eye(len(own)) - own, column)
        for value, column in zip(values[keep], beside.T, strict=True)
    ]
    states = basis @ vectors[:, keep] + split @ np.array(follow).reshape(-1, len(own)).T
    found = np.concatenate((np.zeros(zeros.shape[1], dtype=complex), values[keep]))
    # what is split off follows and leads nowhere: eigenvectors of the left have no part in it
    weight = np.abs((np.linalg.pinv(vectors) @ basis.T)[keep].T * states)
    last = slice(len(A) - nz, None)
    shares = np.hstack((np.abs(zeros[last]), weight[last] / weight.sum(axis=0)))
    shapes = equations.free.N @ np.hstack((zeros, states))[:n]
    shapes[:, shares.sum(axis=0, initial=0.0) > STATES_ALONE] = 0.0
    return Modes(found, normalised(t.M, shapes), np.arange(len(found)) < zeros.shape[1], shares)


def changes(t: Tangent, then: Tangent, units: Array) -> float:
    """How much the constraints of one tangent differ from those of another, as a share of themselves."""
    G, later = t.G * units, then.G * units
    size = np.linalg.norm(G, axis=1, keepdims=True)
    return float(np.abs((later - G) / np.where(size > 0.0, size, 1.0)).max(initial=0.0))
