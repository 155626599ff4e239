"""Products with sparse symmetric matrices, and work shared by threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, SparseMatrix

#: entries up to which a matrix is small: neither threads nor compiled code pay
SMALL = 100_000


def is_small(A: SparseMatrix) -> bool:
    """Whether a matrix is multiplied and factored by SciPy."""
    return bool(A.nnz <= SMALL)


def multiply(A: SparseMatrix, X: Array) -> Array:
    """A X for a symmetric sparse A and columns X (n, k); a few columns share a look at A, threads share its rows."""
    if is_small(A):
        return np.asfortranarray(A @ X)
    # compiled code loads only here
    from floatframe.modal.factor._kernels_solve import multiply_rows, pack, unpack
    from floatframe.modal.factor.vector import LANES

    def rows(kernel: Callable[..., None], *arguments: object) -> None:
        in_threads(lambda low, high: kernel(low, high, *arguments), X.shape[0])

    columns, X = sparse.csc_array(A), np.asfortranarray(X, dtype=np.float64)
    packed, image = np.empty((1, X.shape[0], LANES)), np.empty((1, X.shape[0], LANES))
    product = np.empty(X.shape, order="F")
    for first in range(0, X.shape[1], LANES):
        rows(pack, X.T[first : first + LANES], packed)
        rows(multiply_rows, columns.indptr, columns.indices, columns.data, packed[0], image[0])
        rows(unpack, image, product.T[first : first + LANES])
    return product


def in_threads(work: Callable[[int, int], Any], size: int) -> list[Any]:
    """Results of work(low, high) over equal parts of range(size), one for each processor."""
    pool, threads = _pool()
    ends = np.linspace(0, size, min(threads, size) + 1).astype(int).tolist()
    return list(pool.map(work, ends[:-1], ends[1:]))


@contextmanager
def large_products() -> Iterator[None]:
    """Products with many columns at once keep all processors busy by BLAS itself."""
    with threadpool_limits(_pool()[1], user_api="blas"):
        yield


@cache
def _pool() -> tuple[ThreadPoolExecutor, int]:
    threads = available_threads()
    return ThreadPoolExecutor(threads), threads


def available_threads() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
