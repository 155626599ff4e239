"""A look over the couplings of a model: dofs that two of them claim, that are held besides, or that run in circles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import IntArray
from floatframe.errors import ModelError
from floatframe.fem.couplings import RBE3, Coupling, existing_dependencies
from floatframe.fem.dofs import DOF_NAMES
from floatframe.fem.wording import numbers

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel

Finding = tuple[str, IntArray]  # a sentence and the node numbers concerned


def coupling_problems(fe: FEModel) -> Iterator[Finding]:
    """Yield what keeps the couplings of a model from being eliminated, each with the couplings by name."""
    claims: list[tuple[Coupling, IntArray, IntArray]] = []  # with dependent and independent slots that exist
    for coupling in fe.couplings:
        try:
            claims += [(coupling, slots, sources) for slots, _, sources in existing_dependencies(fe, coupling)]
        except ModelError as error:
            text = str(error)
            yield f"{text[0].upper()}{text[1:]}", np.array(coupling.nodes)
    yield from _claimed_twice(fe, claims)
    yield from _held_besides(fe, claims)
    yield from _circles(fe, claims)


def _claimed_twice(fe: FEModel, claims: list[tuple[Coupling, IntArray, IntArray]]) -> Iterator[Finding]:
    owner: dict[int, Coupling] = {}
    both: dict[tuple[str, str], list[int]] = {}
    for coupling, slots, _ in claims:
        for slot in slots.tolist():
            first = owner.setdefault(slot, coupling)
            if first is not coupling:
                both.setdefault((first.title, coupling.title), []).append(slot)
    for (first_title, second_title), found in both.items():
        yield (
            f"{_dofs(fe, found)} dependent in both {first_title} and {second_title}; let one of them use another "
            "dependent node or other components.",
            _nodes(fe, found),
        )


def _held_besides(fe: FEModel, claims: list[tuple[Coupling, IntArray, IntArray]]) -> Iterator[Finding]:
    held = {6 * int(fe.node_index(node)[0]) + int(part) for node, part in fe.supports.tolist()}
    for coupling, slots, _ in claims:
        found = [slot for slot in slots.tolist() if slot in held]
        if found:
            cure = "hold its independent node instead"
            if isinstance(coupling, RBE3):
                cure = f"make it independent by fe.with_independent([{coupling.reference}])"
            what = f"{_dofs(fe, found)} dependent in {coupling.title} and held by a support; {cure}."
            yield what, _nodes(fe, found)


def _circles(fe: FEModel, claims: list[tuple[Coupling, IntArray, IntArray]]) -> Iterator[Finding]:
    n = 6 * fe.nnode
    links = [np.array([np.repeat(slots, sources.size), np.tile(sources, slots.size)]) for _, slots, sources in claims]
    if not links:
        return
    rows, columns = np.hstack(links)
    graph = coo_array((np.ones(rows.size), (rows, columns)), shape=(n, n)).tocsr()
    _, member = connected_components(graph, connection="strong")
    size = np.bincount(member)
    around: dict[int, dict[str, None]] = {}
    for coupling, slots, sources in claims:
        for ring in np.intersect1d(member[slots], member[sources]):
            if size[ring] > 1:
                around.setdefault(int(ring), {})[coupling.title] = None
    shown: set[tuple[str, ...]] = set()
    for ring, titles in around.items():
        if tuple(titles) in shown:
            continue
        shown.add(tuple(titles))
        found = np.flatnonzero(member == ring).tolist()
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
