"""Work of the fronts of a tree, and its division into substructures that keep all threads busy."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray

# what threaded BLAS reaches on the large fronts at the top, relative to independent threads
TOP_EFFICIENCY = 0.8


def work_of(own: IntArray, below: IntArray) -> Array:
    """Multiply-add pairs to eliminate own columns above `below` boundary rows."""
    m, b = own.astype(np.float64), below.astype(np.float64)
    return m * m * m / 6.0 + m * m * b / 2.0 + m * b * b / 2.0


def boundary_fronts(parent: IntArray, work: Array, total: Array, threads: int) -> Any:
    """Mark the fronts of the boundary system so that the substructures below keep all threads busy.

    The heaviest substructure is opened again and again; the division with the least estimated time wins.
    """
    children: list[list[int]] = [[] for _ in range(parent.size)]
    heap: list[tuple[float, int]] = []
    for f in range(parent.size):
        if parent[f] >= 0:
            children[parent[f]].append(f)
        else:
            heap.append((-total[f], f))
    heapq.heapify(heap)
    opened: list[int] = []
    best, best_time, above, everything = 0, np.inf, 0.0, float(work.sum())
    for _ in range(64 * threads):
        # even a perfect balance below could not win any more
        if (everything - above) / threads + above / (TOP_EFFICIENCY * threads) >= best_time:
            break
        estimate = _makespan([-value for value, _ in heap], threads) + above / (TOP_EFFICIENCY * threads)
        if estimate < best_time:
            best, best_time = len(opened), estimate
        if not heap or len(heap) > 32 * threads + parent.size // 4:
            break
        _, f = heapq.heappop(heap)
        opened.append(f)
        above += work[f]
        for c in children[f]:
            heapq.heappush(heap, (-total[c], c))
    top = np.zeros(parent.size, dtype=np.bool_)
    top[opened[:best]] = True
    return top


def _makespan(loads: list[float], threads: int) -> float:
    """Time of the busiest of some threads that take the loads by falling size."""
    busy = [0.0] * threads
    for load in sorted(loads, reverse=True):
        heapq.heapreplace(busy, busy[0] + load)
    return max(busy)
