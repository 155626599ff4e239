"""Geometric terms of a body seen from another floating frame (docs/theory/geometric-stiffness.md, "Other frames").

The terms of new shapes h' = h - a - b × ρ are Hᵀ K_G H of these shapes. What rigid motion adds to them needs no finite
elements: K_G turns the loads f of a state along, K_G (b × ρ) = b × f, moments by half. The loads are those at a node
and the inertia forces that balance them, or the centrifugal ones; both are linear fields of the mass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, skew
from floatframe.modal import ReducedBody

WEIGHTLESS = 1e-12  # of the largest rigid inertia: a straight line of masses does not resist turning about itself

_PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # order of the centrifugal terms
_SKEW = skew(np.eye(3))
#: B (6, 3, 3) of the centrifugal forces m B ρ in that order
CENTRIFUGAL = np.array([-sum(_SKEW[p] @ _SKEW[q] for p, q in {(i, j), (j, i)}) for i, j in _PRODUCTS])


def turned_terms(body: ReducedBody, moved: ReducedBody, a: Array, b: Array) -> Any:
    """Return the terms of a free body for a frame that follows the rigid motion a_i + b_i × ρ, both (3, n), of shape i.

    body has the terms and shapes h, moved the shapes h'. Shapes turn a node by φ, and load f, m at it adds
    f · (-b × h' - ½ b × (b × ρ)) - ½ m · (b × φ') to its second-order displacement.
    """
    terms: Any = body.geometric
    field = _Fields(moved.inertia, b)
    interface = np.array(terms.interface)
    for k, (node, component) in enumerate(np.asarray(body.interface)):
        row, axis = int(body.node_index([int(node)])[0]), int(component) % 3
        shapes, load = moved.shapes[6 * row : 6 * row + 6], np.zeros(6)
        if component < 3:
            other = shapes[:3] + np.cross(b, body.nodes[row][:, None], axis=0) / 2.0
            load[:3], load[3:] = np.eye(3)[axis], np.cross(body.nodes[row], np.eye(3)[axis])
        else:
            other = shapes[3:] / 2.0
            load[3 + axis] = 1.0
        # component `axis` of b × other as a quadratic form in w
        p, q = (axis + 1) % 3, (axis + 2) % 3
        form = np.outer(b[p], other[q]) - np.outer(b[q], other[p])
        interface[k] += _twice_symmetric(form - field.work(*field.balance(load)))
    centrifugal = np.array(terms.centrifugal)
    for k, turning in enumerate(CENTRIFUGAL):
        rest = field.work(np.zeros(3), turning) - field.work(*field.balance(field.load(turning)))
        centrifugal[k] += _twice_symmetric(rest)
    return replace(terms, interface=interface, centrifugal=centrifugal)


class MassField:
    """Inertia forces m (α + B ρ) of an undeformed body."""

    def __init__(self, J: Any) -> None:
        self.J = J
        self.positions = np.trace(J.rhorho) / 2.0 * np.eye(3) - J.rhorho  # Σ m ρ ρᵀ
        self.inverse = np.linalg.pinv(rigid_mass(J), rcond=WEIGHTLESS, hermitian=True)

    def load(self, B: Array) -> Array:
        """Resultant force and moment about the origin (6,) of m B ρ."""
        x = B @ self.positions
        return np.concatenate([B @ self.J.rho, [x[2, 1] - x[1, 2], x[0, 2] - x[2, 0], x[1, 0] - x[0, 1]]])

    def balance(self, load: Array) -> tuple[Array, Array]:
        """The field of the rigid acceleration that a load (6,) about the origin causes."""
        acceleration = self.inverse @ load
        return acceleration[:3], skew(acceleration[3:])


class _Fields(MassField):
    """Their work on the second-order motion b × h' + ½ b × (b × ρ).

    Rotary inertia counts as masses near the nodes that turn with the frame and not with the shapes.
    """

    def __init__(self, J: Any, b: Array) -> None:
        super().__init__(J)
        self.turns = skew(b.T)  # (n, 3, 3)
        self.with_position = mass_moments(J.rhoh)  # Σ m ρ h'_jᵀ (n, 3, 3)

    def work(self, alpha: Array, B: Array) -> Array:
        """The quadratic form (n, n) in w."""
        linear = np.einsum("p,ipq,qj->ij", alpha, self.turns, self.J.H)
        linear += np.einsum("rp,irq,jpq->ij", B, self.turns, self.with_position)
        twice = np.einsum("ipq,jqr->ijpr", self.turns, self.turns)
        square = np.einsum("p,ijpr,r->ij", alpha, twice, self.J.rho)
        square += np.einsum("sp,ijsr,pr->ij", B, twice, self.positions)
        return np.asarray(linear + square / 2.0)


def rigid_mass(J: Any) -> Array:
    """Return the mass matrix (6, 6) of the undeformed body: translations, then rotations about the origin."""
    return np.block([[J.m * np.eye(3), -skew(J.rho)], [skew(J.rho), J.rhorho]])


def mass_moments(double_skew: Array) -> Array:
    """Return Σ m a bᵀ (…, 3, 3) from Σ m ã b̃ = (Σ m a bᵀ)ᵀ - trace · E."""
    trace = np.trace(double_skew, axis1=-2, axis2=-1)[..., None, None]
    return (double_skew - trace / 2.0 * np.eye(3)).swapaxes(-1, -2)


def _twice_symmetric(form: Array) -> Array:
    """The matrix G with ½ wᵀ G w = wᵀ form w."""
    return form + form.T
