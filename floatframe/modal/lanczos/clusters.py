"""Clusters of equal frequencies, as symmetric bodies have them: pairs of a square bar, triples of a cube.

Any rotation of the shapes of a cluster is as good as another, so a basis that ends inside one has no definite value: it
takes the whole. Where single shapes are wanted, a rule picks them that depends on the cluster alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from floatframe.arrays import Array, BoolArray

EQUAL = 1e-6  # relative difference of eigenvalues that count as one cluster: what a Sturm count can resolve
_MIXED = 1e-9  # difference below which the shapes found depend on the way they were sought
_TIE = 1e-6  # parts of the kinetic energy that count as equal


def end_of_cluster(value: Array, n: int) -> int:
    """Return how many of the ascending eigenvalues it takes that the first n are not cut off within a cluster."""
    while 0 < n < len(value) and value[n] - value[n - 1] <= EQUAL * abs(value[n]):
        n += 1
    return n


def cluster_notes(found: int, asked: int, up_to: float | None) -> tuple[str, ...]:
    """Say that a basis has more eigenmodes than were requested by number."""
    if up_to is not None or found <= asked:
        return ()
    if found == asked + 1:
        more = f"mode {found} forms a pair with mode {asked}, whose frequency it shares"
    else:
        more = f"modes {asked + 1} to {found} form a cluster with mode {asked}, whose frequency they share"
    return (f"{found} eigenmodes instead of {asked}: {more}",)


def halved_clusters(frequency: Array, kept: BoolArray) -> tuple[str, ...]:
    """Say which clusters of eigenmodes are kept in part; frequency (n,) [Hz] is NaN for other shapes."""
    eigen = np.flatnonzero(frequency > 0.0)
    order = eigen[np.argsort(frequency[eigen], kind="stable")]
    value = frequency[order] ** 2
    notes, first = [], 0
    while first < len(order):
        last = end_of_cluster(value, first + 1)
        members = np.sort(order[first:last])
        if kept[members].any() and not kept[members].all():
            gone, left = (", ".join(str(k + 1) for k in members[mask]) for mask in (~kept[members], kept[members]))
            notes.append(
                f"mode {gone} left out, but mode {left} of the same frequency kept: the choice between them is "
                "arbitrary"
            )
        first = last
    return tuple(notes)


def with_definite_shapes(value: Array, shapes: Array, mass: Array, leave: BoolArray) -> Array:
    """Return shapes (ndof, n) turned within their clusters and signed by a rule, whatever they were sought with.

    value (n,) ascending; mass (ndof,) the diagonal of the mass matrix; leave (n,) shapes that stay as they are.
    The rule: of all motions of a cluster the one with the most kinetic energy at a single dof comes first, positive
    there; of equal ones that of the lowest dof. The next is the same among those orthogonal to it, and so on.
    """
    shapes = np.asfortranarray(shapes)
    for first, last in _spans(value):
        if not leave[first:last].any():
            X = shapes[:, first:last]
            shapes[:, first:last] = X @ _turn(X, mass)
    return shapes


def _spans(value: Array) -> Iterator[tuple[int, int]]:
    """Yield first and end of every cluster of values that differ by no more than round-off."""
    gap = np.abs(np.diff(value)) > _MIXED * np.maximum(np.abs(value[1:]), np.abs(value[:-1]))
    edges = [0, *(np.flatnonzero(gap) + 1).tolist(), len(value)]
    yield from ((a, b) for a, b in pairwise(edges) if b > a)


def _turn(X: Array, mass: Array) -> Array:
    """Return the rotation (k, k) that turns M-orthonormal shapes X (ndof, k) of a cluster as the rule says."""
    rest = X.copy()
    directions: list[Array] = []
    weight = np.maximum(mass, 0.0)
    for _ in range(X.shape[1]):
        energy = weight * np.einsum("ij,ij->i", rest, rest)
        place = int(np.argmax(energy >= (1.0 - _TIE) * energy.max()))
        c = rest[place].copy()
        for other in directions:
            c -= other * (other @ c)
        c /= np.sqrt(c @ c)
        directions.append(c)
        rest -= np.outer(rest @ c, c)
    return np.array(directions).T
