"""Which nodes hold together through elements and couplings."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from floatframe.arrays import IntArray
from floatframe.fem.blocks import ElementBlock
from floatframe.fem.couplings import Coupling
from floatframe.fem.nodal import NodalModel


def part_of_nodes(fe: NodalModel, blocks: Iterable[ElementBlock], couplings: Iterable[Coupling]) -> IntArray:
    """Return (nnode,) the number of the connected part each node belongs to, a node by itself being one."""
    links = [np.empty((0, 2), dtype=np.int64)]
    for block in blocks:
        links += [block.connectivity[:, [0, k]] for k in range(1, block.element.nnode)]
    for coupling in couplings:
        index = fe.node_index(coupling.nodes)
        links.append(np.column_stack([np.full(index.size, index[0]), index]))
    i, j = np.concatenate(links).T
    if not fe.nnode:
        return np.empty(0, dtype=np.int64)
    graph = coo_array((np.ones(i.size, dtype=bool), (i, j)), shape=(fe.nnode, fe.nnode))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)
