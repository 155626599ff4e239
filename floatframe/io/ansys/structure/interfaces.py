"""CEINTF of ANSYS files: nodes of one region follow the elements of another, whose meshes need not match."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.io.ansys.structure.builder import Builder
from floatframe.io.deck import LinearConstraints, bond, embedded


def add_interfaces(builder: Builder, found: LinearConstraints) -> None:
    """Tie the nodes that were selected to the elements that were selected, by their shape functions."""
    ids = builder.all_ids()
    for nodes, elements, components, tolerance in builder.deck.interfaces:
        hosts, faces = [], []
        for block in builder.blocks:
            chosen = np.isin(block.element_ids, elements)
            numbers = ids[block.connectivity[chosen]]
            if not chosen.any():
                continue
            if block.element.dimension == 3:
                hosts.append((block.kind, numbers, found.nodes.xyz[block.connectivity[chosen]]))
            elif block.element.dimension == 2:
                faces.append(numbers)
        own = [part.ravel() for part in (*(numbers for _, numbers, _ in hosts), *faces)]
        free = np.setdiff1d(nodes, np.unique(np.concatenate(own))) if own else np.empty(0, np.int64)
        builder.rows(free, "CEINTF")
        tied = _into_solids(found, free, hosts, components, tolerance) if hosts else 0
        if faces:
            tied += bond(np.setdiff1d(free, list(found.bonded)), faces, found, share=tolerance).tied
        if not tied:
            reason = (
                "no selected node is near a selected solid or shell; select nodes of one part, elements of the other"
            )
            builder.log.lose("CEINTF", "coupling", reason)
            continue
        builder.log.warn(
            f"CEINTF: {tied} nodes follow the selected elements, of {free.size} that do not belong to them."
        )


def _into_solids(
    found: LinearConstraints,
    nodes: IntArray,
    hosts: list[tuple[str, IntArray, np.ndarray]],
    components: list[int],
    tolerance: float,
) -> int:
    places = found.nodes.xyz[np.searchsorted(found.nodes.ids, nodes)]
    tied = 0
    for row, host, weights in embedded(places, hosts, tolerance):
        node = int(nodes[row])
        found.bonded.add(node)
        tied += 1
        for k in components:
            terms = [
                ((other, k), -weight) for other, weight in zip(host.tolist(), weights.tolist(), strict=True) if weight
            ]
            found.equation([((node, k), 1.0), *terms])
    return tied
