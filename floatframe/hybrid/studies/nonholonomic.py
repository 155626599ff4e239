"""Modes of systems that roll: constraints of speeds hold more motions than places.

Near a state, x (nv,) are changes of the coordinates and δv those of the speeds. Rows of places hold both, G_p x = 0;
rows of speeds hold δv alone, so there are more displacements y than speeds z:

    x = N_q y,  δv = N_v z + P x,      G_p N_q = 0,  G N_v = 0,  G P + gap_rate = 0
    y' = δv - turning_x x  in the displacements,   M z' + C δv + K x + ... = 0  in the speeds

Displacements that enter no force, as the place of what rolls on a plane, have eigenvalues zero, one for each row of
speeds at least. They are split off one layer after another, since multiple zeros spoil each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray
from floatframe.hybrid.kernels import SPEEDS, Tables
from floatframe.hybrid.studies.free_motions import FreeDirections, coordinate_scales, free_directions
from floatframe.hybrid.studies.tangent import Tangent

SMALL = 1e-7  # 1/s: of a layer of zeros, over what differences leave of larger numbers
ROUNDED = 1e-10  # share of the largest rate that differences leave


@dataclass(frozen=True)
class FirstOrder:
    """(y', z') = A (y, z), with displacements x = free.N y (nv,)."""

    A: Array  # (n + m, n + m)
    free: FreeDirections


def rolls(tables: Tables) -> bool:
    """Whether rows of speeds hold a system."""
    return bool(np.any(tables.rows["level"] == SPEEDS))


def first_order(t: Tangent, speeds: BoolArray) -> FirstOrder:
    """The equations of small motions; speeds (nrow,): which rows are of speeds."""
    scale = coordinate_scales(t.M, t.K)
    places, all_rows = free_directions(t.G[~speeds], scale), free_directions(t.G, scale)
    Nq, Nv = places.N, all_rows.N
    P = all_rows.opening(-t.gap_rate @ Nq)
    by_y = all_rows.opening(-(t.gap_x @ Nq + t.gap_v @ P))
    by_z = all_rows.opening(-t.gap_v @ Nv)
    mass = Nv.T @ t.M @ Nv
    n, m = Nq.shape[1], Nv.shape[1]
    A = np.zeros((n + m, n + m))
    A[:n, :n] = places.coordinates(P - t.turning_x @ Nq)
    A[:n, n:] = places.coordinates(Nv)
    A[n:, :n] = -np.linalg.solve(mass, Nv.T @ (t.K @ Nq + t.C @ P + t.M @ by_y))
    A[n:, n:] = -np.linalg.solve(mass, Nv.T @ (t.C @ Nv + t.M @ by_z))
    A[n:, :n] -= all_rows.coordinates(t.turning_v @ P)
    A[n:, n:] -= all_rows.coordinates(t.turning_v @ Nv)
    return FirstOrder(A, places)


def modes(t: Tangent, speeds: BoolArray) -> tuple[AnyArray, AnyArray, BoolArray]:
    """Eigenvalues (k,) with imaginary part >= 0, displacements (nv, k), and which of them are zero.

    A displacement that nothing brings back and its speed are one motion, as for systems without rows of speeds.
    """
    equations = first_order(t, speeds)
    A, n = equations.A, equations.free.N.shape[1]
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
    shapes = equations.free.N @ np.hstack((zeros, states))[:n]
    return found, shapes, np.arange(len(found)) < zeros.shape[1]


def changes(t: Tangent, then: Tangent, units: Array) -> float:
    """How much the constraints of one tangent differ from those of another, as a share of themselves."""
    G, later = t.G * units, then.G * units
    size = np.linalg.norm(G, axis=1, keepdims=True)
    return float(np.abs((later - G) / np.where(size > 0.0, size, 1.0)).max(initial=0.0))
