"""The noise of measured columns as a fit shows it, and how far parameters are known with it.

Each column has its own noise, which its deviations show over the numbers that the parameters leave to chance: as many
as it has, less its share in the parameters (the leverages of its rows). Where a column leaves next to none, all columns
are taken to have the same noise relative to their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array

FEWEST = 0.9  # numbers left to chance from which a column shows a noise of its own
LEAST = 1e-9  # of the values of a column: the least noise that is assumed


@dataclass(frozen=True)
class Noise:
    """Standard deviations (ncolumn,), and on how many numbers each rests; one number if all rest on the same."""

    deviations: Array
    free: Array

    @classmethod
    def shown(cls, left: Sequence[Array], sizes: Array, free: Array) -> Noise:
        """What deviations show of columns of some sizes (ncolumn,), with so many numbers left to chance (ncolumn,)."""
        squares = np.array([float(np.sum(part**2)) for part in left])
        if len(left) > 1 and (free >= FEWEST).all():
            return cls(np.maximum(np.sqrt(squares / free), LEAST * sizes), free)
        share = np.sqrt(np.sum(squares / sizes**2) / free.sum())
        return cls(max(share, LEAST) * sizes, free.sum(keepdims=True))

    @property
    def own(self) -> bool:
        """Whether each column has its own."""
        return len(self.free) == len(self.deviations) > 1


def left_to_chance(slopes: Sequence[Array], weights: Array, counts: Array) -> Array:
    """How many of the numbers (ncolumn,) of each column the parameters leave; slopes (n, nparameter) of the columns."""
    parts = [part / weight for part, weight in zip(slopes, weights, strict=True)]
    U, sizes, _ = np.linalg.svd(np.concatenate(parts), full_matrices=False)
    leverage = np.sum(U[:, sizes > 1e-12 * sizes[0]] ** 2, axis=1)
    ends = np.cumsum([len(part) for part in parts])[:-1]
    return counts - np.array([part.sum() for part in np.split(leverage, ends)])


def known_to(slopes: Sequence[Array], noise: Noise) -> tuple[Array, Array]:
    """Covariance of the parameters, and degrees of freedom of each by Welch and Satterthwaite."""
    slopes = [part / size for part, size in zip(slopes, noise.deviations, strict=True)]
    covariance = np.linalg.inv(sum(part.T @ part for part in slopes))
    if not noise.own:
        return covariance, np.full(len(covariance), noise.free[0])
    shares = np.array([np.diagonal(covariance @ part.T @ part @ covariance) for part in slopes])
    return covariance, np.diagonal(covariance) ** 2 / np.sum(shares**2 / noise.free[:, None], axis=0)
