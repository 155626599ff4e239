"""Compiled kernels of the wave renumbering: layers of a graph, far start vertices, separators taken from wave fronts.

Graphs are adjacency lists (start, neighbours); `member` marks the part of the graph a wave may enter.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from floatframe.compiled import kernel


@kernel(nogil=True)
def wave(start, neighbours, member, part, source, queue, layer):
    """Number the vertices reached from `source` as they are met; returns their count and the number of layers.

    queue[:count] receives the vertices in order, layer[v] the layer of each; only vertices with member[v] == part and
    layer[v] < 0 are entered.
    """
    queue[0] = source
    layer[source] = 0
    count, head = 1, 0
    while head < count:
        i = queue[head]
        head += 1
        for k in range(start[i], start[i + 1]):
            j = neighbours[k]
            if member[j] == part and layer[j] < 0:
                layer[j] = layer[i] + 1
                queue[count] = j
                count += 1
    return count, layer[queue[count - 1]] + 1


@kernel(nogil=True)
def far_vertex(start, neighbours, member, part, source, queue, layer):
    """A vertex at (nearly) the greatest distance from others: repeat the wave from a lean vertex of the last layer."""
    depth = 0
    while True:
        count, layers = wave(start, neighbours, member, part, source, queue, layer)
        best = source
        if layers > depth:
            fewest = start[-1] + 1
            for k in range(count - 1, -1, -1):
                i = queue[k]
                if layer[i] < layers - 1:
                    break
                degree = start[i + 1] - start[i]
                if degree < fewest:
                    best, fewest = i, degree
        for k in range(count):
            layer[queue[k]] = -1
        if layers <= depth or best == source:
            return source
        source, depth = best, layers


@kernel(nogil=True)
def wave_numbers(start, neighbours, first):
    """Order (n,) of all vertices by waves; `first` < 0 asks for far start vertices, else it starts the first wave."""
    n = start.size - 1
    order = np.empty(n, dtype=np.int64)
    queue = np.empty(n, dtype=np.int64)
    layer = np.full(n, -1, dtype=np.int64)
    member = np.zeros(n, dtype=np.int64)
    done = 0
    seed = first if first >= 0 else 0
    while done < n:
        source = seed
        if first < 0 or done > 0:
            source = far_vertex(start, neighbours, member, 0, seed, queue, layer)
        count, _ = wave(start, neighbours, member, 0, source, queue, layer)
        for k in range(count):
            order[done + k] = queue[k]
            member[queue[k]] = 1
        done += count
        if done == count:
            seed = 0
        while seed < n and member[seed] == 1:
            seed += 1
    return order


@kernel(nogil=True)
def profile_size(start, neighbours, place):
    """Sum over rows of the distance from the first non-zero to the diagonal, both ends counted."""
    total = 0
    for i in range(start.size - 1):
        lowest = place[i]
        for k in range(start[i], start[i + 1]):
            lowest = min(lowest, place[neighbours[k]])
        total += place[i] - lowest + 1
    return total


@kernel(nogil=True)
def _thin_layer(queue, layer, count, layers):
    """The layer with the fewest vertices among those that leave at least a third on either side, never an end one."""
    sizes = np.zeros(layers, dtype=np.int64)
    for k in range(count):
        sizes[layer[queue[k]]] += 1
    best = min(max(layer[queue[count // 2]], 1), layers - 2)
    before = 0
    for i in range(layers - 1):
        after = count - before - sizes[i]
        if i > 0 and 3 * before >= count and 3 * after >= count and sizes[i] < sizes[best]:
            best = i
        before += sizes[i]
    return best


@kernel(nogil=True)
def _touches(i, start, neighbours, layer, member, label, wanted):
    """Whether vertex i has a neighbour of the same part in the wanted layer."""
    for k in range(start[i], start[i + 1]):
        j = neighbours[k]
        if member[j] == label and layer[j] == wanted:
            return True
    return False


@kernel(nogil=True)
def wave_dissection(start, neighbours, leaf):
    """Elimination order (n,): halves left and right of a middle wave front first, the front itself last, recursively.

    Parts of at most `leaf` vertices are numbered by waves.
    """
    n = start.size - 1
    order = np.empty(n, dtype=np.int64)
    queue = np.empty(n, dtype=np.int64)
    layer = np.full(n, -1, dtype=np.int64)
    member = np.zeros(n, dtype=np.int64)
    # parts wait as (vertex list segment of `pool`); results fill `order` from the end
    pool = np.arange(n)
    waiting_begin, waiting_end = [0], [n]
    label = 0
    while len(waiting_begin) > 0:
        begin, end = waiting_begin.pop(), waiting_end.pop()
        label += 1
        for k in range(begin, end):
            member[pool[k]] = label
        source = far_vertex(start, neighbours, member, label, pool[begin], queue, layer)
        count, layers = wave(start, neighbours, member, label, source, queue, layer)
        if count < end - begin:
            # not connected: this component and the rest are parts of their own
            fill = begin + count
            rest = np.empty(end - begin - count, dtype=np.int64)
            r = 0
            for k in range(begin, end):
                if layer[pool[k]] < 0:
                    rest[r] = pool[k]
                    r += 1
            for k in range(count):
                pool[begin + k] = queue[k]
                layer[queue[k]] = -1
            pool[fill:end] = rest
            waiting_begin.append(begin)
            waiting_end.append(fill)
            waiting_begin.append(fill)
            waiting_end.append(end)
            continue
        if count <= leaf or layers < 3:
            for k in range(count):
                order[begin + k] = queue[k]
                layer[queue[k]] = -1
            continue
        middle = _thin_layer(queue, layer, count, layers)
        separator = 0
        for k in range(count):
            i = queue[k]
            if layer[i] == middle and _touches(i, start, neighbours, layer, member, label, middle + 1):
                member[i] = -1
                separator += 1
        last = end - separator
        left, right, fill = begin, last, last
        for k in range(count):
            i = queue[k]
            if member[i] == -1:
                order[fill] = i
                fill += 1
            elif layer[i] <= middle:
                pool[left] = i
                left += 1
            else:
                right -= 1
                pool[right] = i
        for k in range(count):
            layer[queue[k]] = -1
        waiting_begin.append(begin)
        waiting_end.append(left)
        waiting_begin.append(left)
        waiting_end.append(last)
    return order


@kernel(nogil=True)
def connected_parts(indptr, indices):
    """Number the connected parts of a graph from zero: part of each vertex, and how many there are."""
    n = indptr.size - 1
    part = np.full(n, -1, dtype=np.int64)
    reached = np.empty(n, dtype=np.int64)
    count = 0
    for seed in range(n):
        if part[seed] >= 0:
            continue
        part[seed] = count
        reached[0] = seed
        waiting = 1
        while waiting > 0:
            waiting -= 1
            v = reached[waiting]
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if part[w] < 0:
                    part[w] = count
                    reached[waiting] = w
                    waiting += 1
        count += 1
    return part, count
