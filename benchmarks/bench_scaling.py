"""How the work grows with the model: the locomotive body from 20 thousand to a million dofs, pivots clamped.

Order and factorisation, and 20 modes with their Sturm proof, run in processes of their own; their times and memory may
grow no faster than n^1.5.
`python -m benchmarks.bench_scaling [--largest DOFS]`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.processes import forget_peak, peak, resident, warm_memory
from benchmarks.targets import met
from floatframe.samples.locomotive_body import build

SIZES = {20_000: 0.25, 60_000: 0.53, 164_000: 1.0, 400_000: 1.53, 1_000_000: 2.5}  # dofs, about: refinement
MODES = 20
GROWTH = 1.5  # exponent of time and memory against the number of dofs, at most
LARGEST, ROOM = 1_000_000, 12.0  # a body of so many dofs has so many gigabytes for its modes


def write_matrices(refine: float, folder: Path) -> None:
    """Leave K and lumped M of the clamped body in the folder."""
    fe = build(refine)
    free = fe.free_rows(["pivots"])
    for name, A in (("K", fe.stiffness()), ("M", fe.mass("lumped"))):
        sparse.save_npz(folder / f"{name}.npz", sparse.csc_array(A[free][:, free]), compressed=False)


def measure(what: str, folder: Path) -> dict[str, Any]:
    """Time and memory of "factor" or "modes" in this process, compiled kernels loaded before."""
    from floatframe.modal import factorize, lanczos

    K, M = (sparse.csc_array(sparse.load_npz(folder / name)) for name in ("K.npz", "M.npz"))
    line = sparse.csc_array(sparse.diags_array([-np.ones(99), np.full(100, 2.0), -np.ones(99)], offsets=[-1, 0, 1]))
    lanczos(line, sparse.csc_array(sparse.eye_array(100)), 2)
    warm_memory()
    before = resident()
    forget_peak()
    begun = perf_counter()
    if what == "factor":
        factorize(K, kind="spd")
    else:
        lanczos(K, M, MODES)
    return {"seconds": perf_counter() - begun, "memory": peak() - before, "peak": peak()}


def child(*task: object) -> dict[str, Any]:
    """Run a task of this module in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.bench_scaling", "--child", *map(str, task)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, task[:2]))}: {done.stderr.strip().splitlines()[-1]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def growth(largest: int) -> bool:
    """Print the table of sizes; whether time and memory grow as they may and the largest body fits."""
    print(f"locomotive body: order and factor, and {MODES} modes with proof")
    heads = ("dofs", "million nnz", "factor s", "factor GB", "modes s", "modes GB", "peak GB")
    print("".join(f"{head:>13}" for head in heads))
    sizes, costs = [], []
    well = True
    for refine in (refine for dofs, refine in SIZES.items() if dofs <= largest):
        with tempfile.TemporaryDirectory() as folder:
            matrix = child("matrices", refine, folder)
            factor, modes = child("factor", folder), child("modes", folder)
        sizes.append(matrix["dofs"])
        costs.append([factor["seconds"], factor["memory"], modes["seconds"], modes["memory"]])
        print(
            f"{matrix['dofs']:>13}{matrix['nnz'] / 1e6:>13.1f}{factor['seconds']:>13.2f}{factor['memory'] / 1e9:>13.2f}"
            f"{modes['seconds']:>13.2f}{modes['memory'] / 1e9:>13.2f}{modes['peak'] / 1e9:>13.2f}",
            flush=True,
        )
        if matrix["dofs"] > 0.9 * LARGEST:
            well &= met(f"memory of {MODES} modes of {matrix['dofs']} dofs", modes["peak"] / 1e9, ROOM, " GB")
    if len(sizes) > 1:
        names = ("time of the factor", "memory of the factor", "time of the modes", "memory of the modes")
        exponents = np.polyfit(np.log(sizes), np.log(np.array(costs)), 1)[0]
        for name, exponent in zip(names, exponents, strict=True):
            well &= met(f"{name} grows with n to the power", float(exponent), GROWTH)
    return well


def run_child(task: str, *words: str) -> dict[str, Any]:
    folder = Path(words[-1])
    if task == "matrices":
        write_matrices(float(words[0]), folder)
        K = sparse.load_npz(folder / "K.npz")
        return {"dofs": int(K.shape[0]), "nnz": int(K.nnz)}
    return measure(task, folder)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=LARGEST, help="leave out larger bodies [dofs]")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args([] if arguments is None else arguments)
    if chosen.child:
        print(json.dumps(run_child(*chosen.child)))
        return 0
    return 0 if growth(chosen.largest) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
