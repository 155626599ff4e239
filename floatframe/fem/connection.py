"""Which nodes hold together through elements and couplings."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

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
    links.append(spider_lines(fe, couplings))
    i, j = np.concatenate(links).T
    if not fe.nnode:
        return np.empty(0, dtype=np.int64)
    graph = coo_array((np.ones(i.size, dtype=bool), (i, j)), shape=(fe.nnode, fe.nnode))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def spider_lines(fe: NodalModel, couplings: Iterable[Coupling]) -> IntArray:
    """Return rows (k, 2) of the first node of every coupling and of each of its nodes."""
    touched = [coupling.nodes for coupling in couplings]
    count = np.fromiter(map(len, touched), np.int64, len(touched))
    index = fe.node_index(np.fromiter(chain.from_iterable(touched), np.int64))
    return np.column_stack([np.repeat(index[np.cumsum(count) - count], count), index])
