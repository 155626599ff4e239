"""Parts of a mesh: elements by place, openings, free edges, connected pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders.joining import element_numbers, remove_unused_nodes
from floatframe.fem.connection import part_of_nodes
from floatframe.fem.model import FEModel
from floatframe.fem.numbering import picked_rows, whole_numbers

ElementPick = Callable[[Array], AnyArray] | Iterable[int] | str


def pick_elements(fe: FEModel, pick: ElementPick, dimension: int | None = None) -> IntArray:
    """Return element numbers for a set name, numbers, or a function of element centres (n, 3) giving a mask.

    dimension: only points (0), lines (1), surfaces (2) or volumes (3).
    """
    blocks = [block for block in fe.blocks if dimension in (None, block.element.dimension) and len(block)]
    ids = element_numbers(*blocks)
    if callable(pick):
        centres = [fe.nodes[block.connectivity].mean(axis=1) for block in blocks]
        return ids[picked_rows(pick, np.concatenate(centres), f"model '{fe.name}': elements")] if centres else ids
    if isinstance(pick, str):
        if pick not in fe.element_sets:
            known = ", ".join(sorted(fe.element_sets)) or "none"
            raise ModelError(f"model '{fe.name}': element set '{pick}' is unknown; sets here: {known}.")
        return np.intersect1d(fe.element_sets[pick], ids)
    wanted = np.unique(whole_numbers(pick, f"model '{fe.name}': element numbers"))
    unknown = np.setdiff1d(wanted, ids)
    if unknown.size:
        where = "" if dimension is None else f" among those of dimension {dimension}"
        raise ModelError(f"model '{fe.name}': element {unknown[0]} is unknown{where}.")
    return wanted


def remove_elements(fe: FEModel, pick: ElementPick, dimension: int | None = None) -> FEModel:
    """Return the model without the picked elements (see `pick_elements`); nodes stay, see `remove_unused_nodes`."""
    gone = pick_elements(fe, pick, dimension)
    kept = (block.take(~np.isin(element_numbers(block), gone)) for block in fe.blocks)
    sets = {name: np.setdiff1d(members, gone) for name, members in fe.element_sets.items()}
    return replace(fe, blocks=tuple(block for block in kept if len(block)), element_sets=sets)


def cut_openings(fe: FEModel, *openings: Callable[[Array], AnyArray]) -> FEModel:
    """Return the model with holes: shells whose centre lies in an opening go, and nodes that nothing holds any more.

    An opening is a function of points such as `in_box` or `in_ellipse`; one that meets no shell is an error.
    """
    for number, opening in enumerate(openings, start=1):
        gone = pick_elements(fe, opening, dimension=2)
        if not gone.size:
            raise ModelError(f"model '{fe.name}': opening {number} contains no shell centre; check its place and size.")
        fe = remove_elements(fe, gone)
    return remove_unused_nodes(fe)


def shell_edges(fe: FEModel) -> IntArray:
    """Return (n, 2) rows of `nodes` at the ends of all straight shell edges, each once, lower row first."""
    edges = np.sort(_edges_of_shells(fe), axis=1)
    key = np.unique(edges[:, 0] * fe.nnode + edges[:, 1])
    return np.column_stack([key // fe.nnode, key % fe.nnode])


def boundary_edges(fe: FEModel) -> IntArray:
    """Return (n, 2) node numbers of the edges that belong to one shell only, in the direction of that shell."""
    directed = _edges_of_shells(fe)
    edges = np.sort(directed, axis=1)
    _, inverse, uses = np.unique(edges[:, 0] * fe.nnode + edges[:, 1], return_inverse=True, return_counts=True)
    return fe.node_ids[directed[uses[inverse] == 1]]


def connected_parts(fe: FEModel) -> list[IntArray]:
    """Return the node numbers of each piece that holds together through elements and couplings, largest first."""
    label = part_of_nodes(fe, fe.blocks, fe.couplings)
    parts = np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))[:-1])
    return sorted((np.sort(fe.node_ids[part]) for part in parts), key=len, reverse=True)


def _edges_of_shells(fe: FEModel) -> IntArray:
    """Return (n, 2) node rows of every edge of every shell, in the direction of the shell."""
    edges = [np.empty((0, 2), dtype=np.int64)]
    for block in fe.blocks:
        if block.element.dimension == 2:
            ring = block.connectivity[:, list(block.element.faces[0])]
            edges.append(np.stack([ring, np.roll(ring, -1, axis=1)], axis=2).reshape(-1, 2))
    return np.concatenate(edges)
