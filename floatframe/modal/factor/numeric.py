"""Numeric phase: substructures in threads with one BLAS thread each, then the boundary fronts strip by strip."""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array, IntArray
from floatframe.modal.factor import _kernels_fronts as kernels
from floatframe.modal.factor.blas import addresses
from floatframe.modal.factor.memory import require_room
from floatframe.modal.factor.scaling import equilibrate
from floatframe.modal.factor.symbolic import Symbolic


@dataclass(frozen=True)
class Numeric:
    """The factor of S A S = L D L^T (D absent for Cholesky) with powers of two in the diagonal S."""

    factor: Array  # (nnz_factor,) panels one after the other
    scale: Array  # (n,) diagonal of S, by equation
    pivot_order: IntArray  # (n,) order of the pivots inside each panel
    d: Array  # (n,) diagonal of D; empty for Cholesky
    e: Array  # (n,) second diagonal of D
    negative: int
    raised: int  # pivots that were too small and have been replaced
    broken: int  # column where Cholesky broke down, -1 if it did not
    seconds: float


def eliminate(A: csc_array, symbolic: Symbolic, *, indefinite: bool, threads: int) -> Numeric:
    """Factor the matrix A on the tree of `symbolic`."""
    begun = time.perf_counter()
    require_room(
        symbolic.estimate_memory(threads),
        None,
        f"the factorisation of {symbolic.n} equations",
        "close other programs, coarsen the mesh or use a machine with more memory",
    )
    s, n = symbolic, symbolic.n
    scale = equilibrate(A)
    matrix = (A.indptr, A.indices, s.order, s.place, scale)
    fronts = (s.front_column, s.front_panel, s.front_row)
    panels = (s.panel_column, s.panel_offset)
    factor = np.zeros(s.nnz_factor)
    pivot_order = np.zeros(n, dtype=np.int32)
    d, e = (np.zeros(n), np.zeros(n)) if indefinite else (np.zeros(0), np.zeros(0))
    blas = addresses()
    update_order = s.update_order
    updates: dict[int, Array] = {}
    counts = np.zeros((s.subtree.size, 2), dtype=np.int64)

    def substructure(index: int) -> int:
        begin, end = int(s.subtree[index]), int(s.subtree[index + 1])
        stacks = tuple(_scratch(int(entries)) for entries in s.stack_entries(begin, end))
        broken: int = kernels.factor_subtree(
            begin,
            end,
            fronts,
            panels,
            s.rows,
            s.relative,
            (s.stack_side, s.child_start, s.children),
            matrix,
            A.data,
            factor,
            stacks,
            blas,
            indefinite,
            pivot_order,
            d,
            e,
            counts[index],
        )
        updates[end - 1] = _scratch(int(update_order[end - 1]) ** 2)
        updates[end - 1][:] = stacks[s.stack_side[end - 1]][: updates[end - 1].size]
        return broken

    heaviest_first = np.argsort([-s.work[b:e].sum() for b, e in zip(s.subtree[:-1], s.subtree[1:], strict=True)])
    local = np.empty(n, dtype=np.int32)
    with blas_threads(1), ThreadPoolExecutor(threads) as pool:
        broken = max(pool.map(substructure, heaviest_first.tolist()), default=-1)
        for front in range(int(s.subtree[-1]), s.parent.size):
            if broken >= 0:
                break
            kernels.assemble_front(front, fronts, panels, s.rows, matrix, A.data, local, factor)
            nu = int(update_order[front])
            update = np.zeros(nu * nu)
            for child in s.children[s.child_start[front] : s.child_start[front + 1]].tolist():
                places = s.relative[s.front_row[child + 1] - update_order[child] : s.front_row[child + 1]]
                add = (front, fronts, panels, places, updates.pop(child), 0, factor, update, 0)
                _in_slices(pool, kernels.extend_add, places.size, 4 * threads, *add)
            broken = _eliminate_in_threads(
                pool, threads, front, fronts, panels, factor, update, indefinite, pivot_order, d, e, counts[-1], blas
            )
            updates[front] = update
    if not indefinite:
        pivot_order = _plain_order(s)
    negative, raised = (int(value) for value in counts.sum(axis=0))
    return Numeric(factor, scale, pivot_order, d, e, negative, raised, broken, time.perf_counter() - begun)


def _eliminate_in_threads(
    pool: ThreadPoolExecutor,
    threads: int,
    front: int,
    fronts: Any,
    panels: Any,
    factor: Array,
    update: Array,
    indefinite: bool,
    order: Any,
    d: Array,
    e: Array,
    counts: IntArray,
    blas: Any,
) -> int:
    """What the kernel _eliminate_front does, with the rows and column strips of each panel shared among threads."""
    front_column, front_panel, front_row = fronts
    panel_column, panel_offset = panels
    for panel in range(int(front_panel[front]), int(front_panel[front + 1])):
        column = int(panel_column[panel])
        width = int(panel_column[panel + 1]) - column
        height = int(front_row[front + 1] - front_row[front]) - (column - int(front_column[front]))
        below = height - width
        broken: int = kernels.start_panel(panel, height, panels, factor, indefinite, order, d, e, blas)
        if broken >= 0:
            return broken
        work = np.empty(below * width if indefinite else 0)
        _in_slices(
            pool, kernels.solve_rows, below, threads, panel, height, panels, factor, indefinite, order, work, blas
        )
        if indefinite:
            kernels.divide_by_pivots(
                width, below, work, int(panel_offset[panel]) + width, height, factor, column, d, e, counts
            )
        arguments = (front, panel, fronts, panels, factor, update, 0, 1.0, indefinite, work, blas)
        strips = range(kernels.strip_count(front, panel, fronts))
        for _ in pool.map(lambda strip, fixed: kernels.update_strip(strip, *fixed), strips, repeat(arguments)):
            pass
    return -1


def _in_slices(pool: ThreadPoolExecutor, kernel: Any, size: int, count: int, *arguments: Any) -> None:
    """Run kernel(low, high, *arguments) over [0, size) in slices, in threads."""
    ends = np.unique(np.linspace(0, size, count + 1).astype(np.int64)).tolist()
    for _ in pool.map(lambda low, high: kernel(low, high, *arguments), ends[:-1], ends[1:]):
        pass


def _scratch(entries: int) -> Array:
    """Numbers for a while: their memory goes back to the system at once, an allocator may keep what threads free."""
    size = 8 * max(entries, 1)
    if hasattr(mmap, "MAP_PRIVATE"):
        # memory that could be shared would come in small pages, each at the price of an interruption
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    else:
        pages = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a mere hint
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype=np.float64, count=entries)


@contextmanager
def blas_threads(count: int) -> Iterator[None]:
    """Let BLAS use this many threads inside the block."""
    with _controller().limit(limits=count, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401  loads the library to be controlled
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _plain_order(s: Symbolic) -> Any:
    """Pivot order without interchanges: each column's place inside its panel."""
    width = np.diff(s.panel_column)
    return (np.arange(s.n) - np.repeat(s.panel_column[:-1], width)).astype(np.int32)
