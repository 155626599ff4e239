"""A look over the couplings of a model: dofs that two of them claim, that are held besides, or that run in circles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import IntArray
from floatframe.fem.couplings import RBE3, Claims, Coupling
from floatframe.fem.dofs import DOF_NAMES
from floatframe.wording import numbers

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel

Finding = tuple[str, IntArray]  # a sentence and the node numbers concerned


def coupling_problems(fe: FEModel) -> Iterator[Finding]:
    """Yield what keeps the couplings of a model from being eliminated, each with the couplings by name."""
    refused: list[tuple[Coupling, str]] = []
    claims = Claims.of(fe, fe.couplings, refused)
    for coupling, text in refused:
        yield f"{text[0].upper()}{text[1:]}", np.array(coupling.nodes)
    yield from _claimed_twice(fe, claims)
    yield from _held_besides(fe, claims)
    yield from _circles(fe, claims)


def _claimed_twice(fe: FEModel, claims: Claims) -> Iterator[Finding]:
    both: dict[tuple[str, str], list[int]] = {}
    for again, first in zip(*claims.repeated(), strict=True):
        titles = (fe.couplings[claims.claimed_by[first]].title, fe.couplings[claims.claimed_by[again]].title)
        both.setdefault(titles, []).append(int(claims.dependent[again]))
    for (first_title, second_title), found in both.items():
        yield (
            f"{_dofs(fe, found)} dependent in both {first_title} and {second_title}; let one of them use another "
            "dependent node or other components.",
            _nodes(fe, found),
        )


def _held_besides(fe: FEModel, claims: Claims) -> Iterator[Finding]:
    held = np.isin(claims.dependent, 6 * fe.node_index(fe.supports[:, 0]) + fe.supports[:, 1])
    by_coupling: dict[int, list[int]] = {}
    for owner, slot in zip(claims.claimed_by[held].tolist(), claims.dependent[held].tolist(), strict=True):
        by_coupling.setdefault(owner, []).append(slot)
    for owner, found in by_coupling.items():
        coupling = fe.couplings[owner]
        cure = "hold its independent node instead"
        if isinstance(coupling, RBE3):
            cure = f"make it independent by fe.with_independent([{coupling.reference}])"
        what = f"{_dofs(fe, found)} dependent in {coupling.title} and held by a support; {cure}."
        yield what, _nodes(fe, found)


def _circles(fe: FEModel, claims: Claims) -> Iterator[Finding]:
    n = 6 * fe.nnode
    if not claims.slot.size:
        return
    graph = coo_array((np.ones(claims.slot.size), (claims.slot, claims.source)), shape=(n, n)).tocsr()
    _, member = connected_components(graph, connection="strong")
    ring = member[claims.slot]
    around = np.flatnonzero((ring == member[claims.source]) & (np.bincount(member)[ring] > 1))
    titles_of: dict[int, dict[str, None]] = {}
    for owner, number in np.unique(np.column_stack([claims.entry_of[around], ring[around]]), axis=0).tolist():
        titles_of.setdefault(number, {})[fe.couplings[owner].title] = None
    shown: set[tuple[str, ...]] = set()
    for number, titles in titles_of.items():
        if tuple(titles) in shown:
            continue
        shown.add(tuple(titles))
        found = np.flatnonzero(member == number).tolist()
        yield (
            f"{' and '.join(titles)} depend on each other in a circle through nodes {numbers(_nodes(fe, found))}; make "
            "one of these nodes independent.",
            _nodes(fe, found),
        )


def _nodes(fe: FEModel, slots: list[int]) -> IntArray:
    return np.unique(fe.node_ids[np.array(slots) // 6])


def _dofs(fe: FEModel, slots: list[int]) -> str:
    """Return the dofs as the start of a sentence: "Node 3 (ux, uy) is"."""
    nodes = _nodes(fe, slots)
    names = ", ".join(DOF_NAMES[k] for k in sorted({slot % 6 for slot in slots}))
    return f"Node {nodes[0]} ({names}) is" if nodes.size == 1 else f"Nodes {numbers(nodes)} ({names}) are"
