"""Compiled kernels of assembly: the columns of a sparse matrix from its node pairs, and the sum of element matrices.

Rows of one node follow each other and have the same columns, so a place in the matrix is known from its pair of nodes:
entry (a, b) of pair p with row node i is number start[i] + a * width[i] + offset[p] + b of the data.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.compiled import kernel


@kernel(nogil=True)
def fill_columns(indices, pair_start, pair_node, first, size, start, width):
    """Write the column of every entry; the pairs of row node i are pair_start[i] to pair_start[i + 1]."""
    for i in range(first.size):
        for a in range(size[i]):
            k = start[i] + a * width[i]
            for p in range(pair_start[i], pair_start[i + 1]):
                j = pair_node[p]
                for b in range(size[j]):
                    indices[k] = first[j] + b
                    k += 1


@kernel(nogil=True)
def add_matrices(data, start, width, offset, nodes, pairs, matrices):
    """Add matrices (nel, m, m) of elements between `nodes` (nel, n); pairs (nel, n, n) numbers their node pairs.

    Their symmetric part is added, so that the sum is symmetric to the last bit and so is its pattern without zeros.
    """
    nel, n = nodes.shape
    d = matrices.shape[1] // n
    for e in range(nel):
        for r in range(n):
            i = nodes[e, r]
            for c in range(n):
                k = start[i] + offset[pairs[e, r, c]]
                for a in range(d):
                    row = r * d + a
                    for b in range(d):
                        column = c * d + b
                        data[k + b] += 0.5 * (matrices[e, row, column] + matrices[e, column, row])
                    k += width[i]
