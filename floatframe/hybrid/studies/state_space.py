"""Modes of systems with damping, spin and state variables: the equations of first order and their eigenvalues."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray
from floatframe.hybrid.studies.free_motions import NaturalModes, Projected
from floatframe.hybrid.studies.state_slopes import StateSlopes
from floatframe.hybrid.studies.tangent import Tangent

SLOW_ONWARD = 1e-4  # 1/s: roots of what rolls on that are rounding of its contacts
STATES_ALONE = 1.0 - 1e-9  # share of state variables in a mode beside which its motion is rounding


class Modes(NamedTuple):
    """Eigenvalues (k,), shapes (nv, k), which are rigid-body motions, and the share (nz, k) of state variables."""

    values: AnyArray
    shapes: AnyArray
    rigid: BoolArray
    state_shares: Array


def state_space_modes(
    t: Tangent,
    p: Projected,
    natural: NaturalModes,
    square: Array,
    skew: Array,
    C: Array,
    onward: int,
    slopes: StateSlopes | None,
) -> Modes:
    """Modes in state space, in the natural modes as coordinates, displacements times frequency and speeds alike.

    Rigid-body displacements enter no force and are set aside, since their double zeros would spoil each other; so are
    state variables that enter nothing.
    """
    n = len(square)
    omega = np.sqrt(np.maximum(np.abs(square), 1.0))
    drift = natural.y.T @ p.M @ p.drift @ natural.y
    nz = 0 if slopes is None else len(slopes.rate)
    A = np.zeros((2 * n + nz, 2 * n + nz))
    A[:n, :n] = -omega[:, None] * drift / omega
    A[:n, n : 2 * n] = np.diag(omega)
    A[n : 2 * n, :n] = -(np.diag(square) + skew) / omega
    A[n : 2 * n, n : 2 * n] = -C
    if slopes is not None:
        # speeds that keep the joints of a moving system closed while it is displaced
        along = p.free.opening(-t.gap_rate @ natural.shapes) if np.any(t.gap_rate) else np.zeros_like(natural.shapes)
        units = slopes.units[:, None]
        A[2 * n :, :n] = (slopes.by_x @ natural.shapes + slopes.by_v @ along) / (omega * units)
        A[2 * n :, n : 2 * n] = slopes.by_v @ natural.shapes / units
        A[2 * n :, 2 * n :] = slopes.by_z * slopes.units / units
        A[n : 2 * n, 2 * n :] = -natural.shapes.T @ slopes.force * slopes.units
    # motions that lead on may be none of the symmetric part of the stiffness
    zero = np.arange(2 * n) if onward else np.flatnonzero(square == 0.0)
    zero = np.concatenate((zero, np.arange(2 * n, 2 * n + nz)))
    small = max(SLOW_ONWARD if onward else 1e-7, 1e-13 * float(np.abs(A).max(initial=0.0)))
    _, s, Vt = np.linalg.svd(A[:, zero], full_matrices=True)
    still = np.concatenate((s, np.zeros(len(zero) - len(s)))) <= small
    if onward:
        still[: len(zero) - onward] = False
    basis = np.eye(len(A))
    basis[np.ix_(zero, zero)] = Vt.T
    aside = np.zeros(len(A), dtype=bool)
    aside[zero[still]] = True
    rest = basis[:, ~aside]
    values, vectors = (found.astype(complex) for found in np.linalg.eig(rest.T @ A @ rest))
    # one of each pair; zeros are the speeds that belong to the displacements set aside, unless there are more of them
    zeros = np.flatnonzero(np.abs(values) <= small)
    keep = (values.imag >= 0.0) & (np.abs(values) > small)
    moving = np.linalg.norm(basis[: 2 * n, aside], axis=0) > 0.5  # a state set aside has no speed
    keep[zeros[int(moving.sum()) :]] = True
    values[zeros] = 0.0
    shares = np.zeros((nz, int(still.sum() + keep.sum())))
    if nz:
        left = np.linalg.pinv(vectors) @ rest.T
        weight = np.abs(left.T * (rest @ vectors))[:, keep]
        shares = np.hstack((np.abs(basis[2 * n :, aside]), weight[2 * n :] / weight.sum(axis=0)))
    found = rest @ vectors[:, keep]
    # what was set aside moves along with the others
    lasting = np.where(values[keep] == 0.0, np.inf, values[keep])
    found = found + basis[:, aside] @ (basis[:, aside].T @ A @ found / lasting)
    states = np.hstack((basis[:, aside], found))
    values = np.concatenate((np.zeros(int(still.sum()), dtype=complex), values[keep]))
    shapes = natural.shapes @ (states[:n] / omega[:, None])
    shapes[:, shares.sum(axis=0, initial=0.0) > STATES_ALONE] = 0.0
    return Modes(values, normalised(t.M, shapes), values == 0.0, shares)


def normalised(M: Array, shapes: AnyArray) -> AnyArray:
    """Complex shapes (nv, k) with unit generalised mass and a phase that makes their largest motion real."""
    mass = np.einsum("ik,ij,jk->k", shapes.conj(), M, shapes).real
    shapes = shapes / np.sqrt(np.where(mass > 0.0, mass, 1.0))
    weighted = np.sqrt(np.abs(np.diag(M)))[:, None] * np.abs(shapes)
    largest = shapes[np.argmax(weighted, axis=0), np.arange(shapes.shape[1])]
    return np.asarray(shapes * (np.abs(largest) / np.where(largest == 0.0, 1.0, largest)))
