"""Assembly of K and lumped M of the locomotive body against SciPy's conversion of the same triplets.

The conversion alone (COO to CSC, duplicates summed) is the least any assembly through SciPy can cost, element matrices
not counted. Both run in this process, best of three, and their matrices must agree before a time is printed.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.fem import FEModel
from floatframe.fem.assembly import element_matrices
from floatframe.samples.locomotive_body import build

RATIO_LIMIT = 3.0
MEMORY_LIMIT = 1.5e9  # bytes
AGREEMENT = 1e-12  # sums of the same numbers in another order, relative to the largest entry

Triplets = tuple[Array, IntArray, IntArray]


def triplets(fe: FEModel, quantity: str) -> Triplets:
    """Return values, rows and columns of all element and point mass matrices of a model without couplings."""
    values, rows, cols = [], [], []

    def add(matrices: Array, dofs: IntArray) -> None:
        n = dofs.shape[1]
        diagonal = matrices.ndim == 2
        values.append(matrices.ravel())
        rows.append(dofs.ravel() if diagonal else np.repeat(dofs, n, axis=1).ravel())
        cols.append(dofs.ravel() if diagonal else np.tile(dofs, n).ravel())

    for block in fe.blocks:
        for part, batch in fe.batches(block):
            slots = 6 * block.connectivity[part][:, :, None] + np.arange(6)
            add(element_matrices(block.element, batch, quantity), fe.dof_table.equation[slots].reshape(batch.size, -1))
    for mass in fe.point_masses if quantity == "lumped" else ():
        add(mass.matrix()[None], fe.dof_table.equation[6 * fe.node_index(mass.node)[:, None] + np.arange(6)])
    return np.concatenate(values), np.concatenate(rows), np.concatenate(cols)


def convert(parts: Triplets, n: int) -> SparseMatrix:
    values, rows, cols = parts
    return csc_array((values, (rows, cols)), shape=(n, n))


def best_of(*tasks: Callable[[], Any], repeat: int = 3) -> list[tuple[float, Any]]:
    """Return the shortest time [s] and the last result of each task; taking turns, they share what disturbs them."""
    shortest, results = np.full(len(tasks), np.inf), [None] * len(tasks)
    for _ in range(repeat):
        for k, task in enumerate(tasks):
            start = time.perf_counter()
            results[k] = task()
            shortest[k] = min(shortest[k], time.perf_counter() - start)
    return list(zip(shortest.tolist(), results, strict=True))


def difference(A: SparseMatrix, B: SparseMatrix) -> float:
    """Return the largest difference of two matrices over the largest entry."""
    return float(abs(A - B).max() / abs(B).max())


def assemble_and_measure(refine: float, answer: Any) -> None:
    """Assemble in a fresh process and send its peak memory [bytes]."""
    fe = build(refine)
    fe.stiffness(), fe.mass("lumped")
    unit = 1 if sys.platform == "darwin" else 1024
    answer.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def peak_memory(refine: float) -> int:
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=assemble_and_measure, args=(refine, send))
    child.start()
    child.join()
    return int(receive.recv())


def judge(ratio: float, memory: float) -> None:
    """End the program if a limit is broken."""
    for what, found, limit in (("ratio", ratio, RATIO_LIMIT), ("memory [GB]", memory / 1e9, MEMORY_LIMIT / 1e9)):
        if not found <= limit:
            raise SystemExit(f"assembly: {what} is {found:.3g}, at most {limit:g} is allowed")


def main(refine: float = 1.0) -> dict[str, float]:
    """Print the table and return its numbers."""
    # first of all: a child inherits the peak of its parent
    memory = peak_memory(refine)
    fe = build(refine)
    n = len(fe.dof_table.slots)
    stiffness, mass = triplets(fe, "stiffness"), triplets(fe, "lumped")
    (ours, (K, M)), (bare, (K_bare, M_bare)) = best_of(
        lambda: (fe.stiffness(), fe.mass("lumped")), lambda: (convert(stiffness, n), convert(mass, n))
    )
    worst = max(difference(K, K_bare), difference(M, M_bare))
    if worst > AGREEMENT:
        raise SystemExit(f"the two assemblies differ by {worst:.1e}: the times mean nothing")
    print(f"Assembly of K and lumped M: {fe.nnode} nodes, {fe.nelement} elements, {n} dofs, {K.nnz} non-zeros in K")
    for what, value, unit in (
        ("floatframe, element matrices included", f"{ours:.3f}", "s"),
        ("SciPy COO to CSC of the same triplets alone", f"{bare:.3f}", "s"),
        ("ratio", f"{ours / bare:.2f}", f"{RATIO_LIMIT:g} allowed"),
        ("peak memory of a process that only assembles", f"{memory / 1e9:.2f}", f"GB, {MEMORY_LIMIT / 1e9:g} allowed"),
        ("largest difference over largest entry", f"{worst:.1e}", ""),
    ):
        print(f"  {what:46s} {value:>9s} {unit}")
    judge(ours / bare, memory)
    return {"ours": ours, "bare": bare, "ratio": ours / bare, "memory": float(memory), "difference": worst}


if __name__ == "__main__":
    main()
