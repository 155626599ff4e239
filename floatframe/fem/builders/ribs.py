"""Beams laid on what is already meshed: along chains of nodes or along the edges of shells."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.joining import element_numbers
from floatframe.fem.builders.lines import beam_block
from floatframe.fem.builders.regions import shell_edges
from floatframe.fem.model import FEModel
from floatframe.fem.numbering import picked_rows
from floatframe.fem.properties import BeamSection, Material

# one vector (3,), or a function of points (n, 3) giving vectors (n, 3)
Vectors = Iterable[float] | Callable[[Array], Array]


def nodes_between(fe: FEModel, a: Iterable[float], b: Iterable[float], tol: float = 1e-6) -> IntArray:
    """Return the numbers of the nodes on the straight line from a to b [m], in order from a."""
    start, end = check.point(a, "nodes_between: a"), check.point(b, "nodes_between: b")
    along = check.direction(end - start, "nodes_between: direction b - a")
    way = (fe.nodes - start) @ along
    across = fe.nodes - start - way[:, None] * along
    length = (end - start) @ along
    found = np.flatnonzero(((across**2).sum(axis=1) <= tol**2) & (way >= -tol) & (way <= length + tol))
    return fe.node_ids[found[np.argsort(way[found])]]


def with_beams(
    fe: FEModel,
    chain: Iterable[int],
    section: BeamSection,
    material: Material,
    orientation: Iterable[float] | Array | None = None,
    offsets: Iterable[float] | Array | None = None,
    name: str = "beams",
) -> FEModel:
    """Return the model with beams from node to node along a chain of node numbers, such as `nodes_between` gives.

    orientation and offsets as in `beam_line`; the beams join the element set `name`.
    """
    index = fe.node_index(chain, what=f"chain of '{name}'")
    if index.size < 2:
        raise ModelError(f"{name}: a chain of beams needs at least two nodes; found {index.size}.")
    return _with_pairs(fe, np.column_stack([index[:-1], index[1:]]), section, material, orientation, offsets, name)


def with_ribs(
    fe: FEModel,
    pick: Callable[[Array], AnyArray],
    section: BeamSection,
    material: Material,
    orientation: Vectors = (0.0, 0.0, 1.0),
    offset: Vectors = (0.0, 0.0, 0.0),
    name: str = "ribs",
) -> FEModel:
    """Return the model with beams along every shell edge whose two ends and middle are picked by a function of points.

    Ribs so end at openings by themselves. orientation (see the beam element) is evaluated at the middle of the edge,
    offset from the node to the centroid of the beam [m] at its ends; the beams join the element set `name`.
    """
    edges = shell_edges(fe)
    ends = fe.nodes[edges]
    picked = np.ones(len(edges), dtype=bool)
    for points in (ends[:, 0], ends[:, 1], ends.mean(axis=1)):
        picked &= np.isin(np.arange(len(edges)), picked_rows(pick, points, f"ribs '{name}'"))
    if not picked.any():
        raise ModelError(f"model '{fe.name}': ribs '{name}' found no shell edge; check how they are picked.")
    ends = ends[picked]
    towards = _vectors(orientation, ends.mean(axis=1))
    arms = np.stack([_vectors(offset, ends[:, 0]), _vectors(offset, ends[:, 1])], axis=1)
    return _with_pairs(fe, edges[picked], section, material, towards, arms if arms.any() else None, name)


def _with_pairs(
    fe: FEModel,
    pairs: IntArray,
    section: BeamSection,
    material: Material,
    orientation: Iterable[float] | Array | None,
    offsets: Iterable[float] | Array | None,
    name: str,
) -> FEModel:
    grown = fe.with_block(beam_block(pairs, section, material, orientation, offsets, name))
    added = element_numbers(grown.blocks[-1])
    return grown.with_element_set(name, np.union1d(fe.element_sets.get(name, added), added))


def _vectors(value: Vectors, points: Array) -> Array:
    """Return one vector for each point."""
    given = np.asarray(value(points) if callable(value) else value, dtype=float)
    return np.broadcast_to(given, points.shape)
