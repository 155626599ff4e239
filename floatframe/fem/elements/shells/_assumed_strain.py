"""Assumed strains: polynomials that meet the true strains at chosen points, where thin curved walls do not lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag, inv

from floatframe.arrays import Array
from floatframe.fem.elements._gauss import Rule

# values (npoint, nbasis, ncomponent) of the polynomials that span the assumed field
Basis = Callable[[Array], Array]


@dataclass(frozen=True)
class Tie:
    """What is tied: true strains at points (npoint, 2), summed over their components with directions (npoint, ncomp).

    Components are rr, ss and 2 rs of a surface, or rt and st across it, in the directions of the reference coordinates.
    means (nbasis, npoint): sums over the points that the assumed strains must meet; none: every single value.
    """

    points: Array
    directions: Array
    basis: Basis
    means: Array | None = None

    def at(self, points: Array) -> Array:
        """Return (npoint, ncomponent, npoint of the tie): assumed strains at points per true strain that is tied."""
        own = np.einsum("kbc,kc->kb", self.basis(self.points), self.directions)
        met = inv(own) if self.means is None else inv(self.means @ own) @ self.means
        return np.einsum("pbc,bk->pck", self.basis(points), met)


def tie_at_sides(sides: list[tuple[Array, Array]], inside: list[Array], rule: Rule, basis: Basis) -> Tie:
    """Return a tie at points (n, 2) of sides in one direction each, and of means over the rule in others."""
    points = [at for at, _ in sides] + [rule.points] * len(inside)
    directions = [np.tile(direction, (len(at), 1)) for at, direction in sides]
    directions += [np.tile(direction, (len(rule.points), 1)) for direction in inside]
    single = sum(len(at) for at, _ in sides)
    mean = rule.weights / rule.weights.sum()
    means = block_diag(np.eye(single), *[mean[None]] * len(inside))
    return Tie(np.vstack(points), np.vstack(directions), basis, means)


def monomial_basis(components: list[list[tuple[int, int]]]) -> Basis:
    """Return the basis in which each component has its own monomials r^i s^j."""

    def basis(points: Array) -> Array:
        r, s = points.T
        values = [(c, r**i * s**j) for c, terms in enumerate(components) for i, j in terms]
        table = np.zeros((len(points), len(values), len(components)))
        for k, (c, value) in enumerate(values):
            table[:, k, c] = value
        return table

    return basis
