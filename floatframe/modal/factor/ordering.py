"""Elimination orders: equal columns joined to vertices, dissection by METIS or wave fronts, division by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.modal.factor._kernels_graph import equal_inside, guess_nodes, quotient_graph
from floatframe.modal.factor.renumber import dissect_by_waves

Ordering = Literal["metis", "wave"]

# equations per node at most, how far apart their neighbours may be numbered, the share that may be further
NODE_EQUATIONS, NODE_REACH, NODE_STRAYS = 6, 3, 0.1
# full node blocks may hold so many times the entries of the matrix
NODE_FILL = 2.5


@dataclass(frozen=True)
class Graph:
    """The matrix graph with equations of equal pattern (the dofs of an FE node) joined to one vertex."""

    start: IntArray  # (nvertex + 1,)
    neighbours: IntArray
    group: IntArray  # (n,) vertex of each equation
    weight: IntArray  # (nvertex,) equations per vertex


def equation_codes(n: int) -> Any:
    """A random 64-bit number for each equation; sums of them represent sets of equations."""
    return np.random.default_rng(20240229).integers(1, 2**63, n, dtype=np.uint64)


def equal_columns(sums: Any, nodes: IntArray | None = None) -> IntArray:
    """Group (n,) of the columns with the same pattern, inside each of the `nodes` (runs of columns) if given.

    Patterns are compared through their `sums` of random codes.
    """
    if nodes is not None:
        return np.asarray(equal_inside(nodes, sums))
    _, first, group = np.unique(sums, return_index=True, return_inverse=True)
    # number the groups by their first equation: neighbours stay close in memory
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[group.ravel()]


def compress(indptr: IntArray, indices: IntArray, group: IntArray) -> Graph:
    """The graph of groups of equal columns."""
    weight = np.bincount(group)
    first = np.empty(weight.size, dtype=np.int64)
    first[group[::-1]] = np.arange(group.size - 1, -1, -1)  # the first equation of a group is written last
    start, neighbours = quotient_graph(indptr, indices, group, np.arange(first.size + 1), first)
    return Graph(start, neighbours, group, weight)


def node_graph(indptr: IntArray, indices: IntArray) -> Graph | None:
    """The graph of FE nodes where the patterns of their dofs differ because zeros were left out of the matrix.

    Nodes are guessed from runs of equations with close neighbours; None if blocks of nodes fit the matrix badly. The
    guess steers the order of elimination only, never the result.
    """
    group = guess_nodes(indptr, indices, NODE_EQUATIONS, NODE_REACH, NODE_STRAYS)
    weight = np.bincount(group)
    member_start = np.concatenate([[0], np.cumsum(weight)])
    start, neighbours = quotient_graph(indptr, indices, group, member_start, np.arange(group.size))
    owner = np.repeat(weight, np.diff(start))
    filled = int((weight**2).sum() + (owner * weight[neighbours]).sum())
    return Graph(start, neighbours, group, weight) if filled < NODE_FILL * indices.size else None


def dissect(start: IntArray, neighbours: IntArray, weight: IntArray, ordering: Ordering) -> IntArray:
    """Fill-reducing order (nvertex,) of a graph; without METIS the separators are wave fronts."""
    if ordering not in ("metis", "wave"):
        raise ModelError(f"ordering is {ordering!r}, expected 'metis' or 'wave'.")
    if ordering == "wave" or neighbours.size == 0:
        return dissect_by_waves(start, neighbours)
    metis = _metis()
    if metis is None:
        return dissect_by_waves(start, neighbours)
    dtype = metis.zero_copy_dtype()
    adjacency = metis.CSRAdjacency(adj_starts=start.astype(dtype), adjacent=neighbours.astype(dtype))
    weights = None if (weight == weight[0]).all() else weight.astype(dtype)
    order, _ = metis.nested_dissection(adjacency, vweights=weights)
    return np.asarray(order, dtype=np.int64)


def by_planes(coordinates: Array | None, cuts: Sequence[float], axis: int, n: int) -> IntArray:
    """Return the number (n,) of the substructure that each equation is in, between planes `cuts` across an axis.

    coordinates (n, 3): where each equation is [m].
    """
    planes = np.sort(np.asarray(cuts, dtype=np.float64).ravel())
    if planes.size == 0 or not np.isfinite(planes).all():
        raise ModelError(f"cuts are {list(cuts)}, expected at least one finite coordinate.")
    if coordinates is None or np.shape(coordinates) != (n, 3):
        found = "nothing" if coordinates is None else f"an array of shape {np.shape(coordinates)}"
        raise ModelError(f"cuts need the coordinates ({n}, 3) of each equation, found {found}.")
    if axis not in (0, 1, 2):
        raise ModelError(f"axis is {axis}, expected 0, 1 or 2.")
    values = np.asarray(coordinates, dtype=np.float64)[:, axis]
    if not np.isfinite(values).all():
        raise ModelError(
            f"the coordinate of equation {int(np.argmin(np.isfinite(values)))} along axis {axis} is not finite; "
            "cuts need the position of each equation."
        )
    return np.searchsorted(planes, values)


def checked_division(division: object, n: int) -> IntArray:
    """Return labels (n,) of equations as whole numbers."""
    labels = np.asarray(division)
    if labels.shape != (n,) or labels.dtype.kind not in "iu":
        found = f"{labels.dtype} {labels.shape}"
        raise ModelError(f"division is {found}, expected a whole number for each of {n} equations.")

    return labels.astype(np.int64)


def cut(graph: Graph, division: IntArray, ordering: Ordering) -> tuple[IntArray, int, int]:
    """Order by parts: interiors C_1 .. C_n first, then the boundary sets D_1 .. D_n-1.

    `division` (n,) is the part that each equation is in. Returns the order, the number of interior vertices and the
    number of interiors C_i.
    """
    part = np.full(graph.weight.size, np.iinfo(np.int64).max)
    np.minimum.at(part, graph.group, division)
    # a vertex belongs to the section when it is joined to a part further along
    owner = np.repeat(np.arange(part.size), np.diff(graph.start))
    boundary = np.zeros(part.size, dtype=np.bool_)
    boundary[owner[part[graph.neighbours] > part[owner]]] = True
    pieces = []
    for label in np.unique(part):
        inside = np.flatnonzero((part == label) & ~boundary)
        if inside.size:
            pieces.append(inside[dissect(*_subgraph(graph, inside), ordering)])
    interior = int(sum(piece.size for piece in pieces))
    section = np.flatnonzero(boundary)
    section = section[np.argsort(part[section], kind="stable")]
    return np.concatenate([*pieces, section]), interior, len(pieces)


def _subgraph(graph: Graph, vertices: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Start, neighbours and weights of the part of a graph spanned by some vertices."""
    number = np.full(graph.weight.size, -1, dtype=np.int64)
    number[vertices] = np.arange(vertices.size)
    size = np.diff(graph.start)[vertices]
    owner = np.repeat(np.arange(vertices.size), size)
    offset = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    neighbours = number[graph.neighbours[np.repeat(graph.start[vertices], size) + offset]]
    keep = neighbours >= 0
    start = np.concatenate([[0], np.cumsum(np.bincount(owner[keep], minlength=vertices.size))])
    return start, neighbours[keep], graph.weight[vertices]


def _metis() -> Any:
    """The pymetis module, or None where it is not installed."""
    try:
        import pymetis
    except ImportError:
        return None
    return pymetis
