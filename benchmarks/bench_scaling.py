"""How the work grows with the model: the locomotive body from 20 thousand to a million dofs, pivots clamped.

Order and factorisation, and 20 modes with their Sturm proof, run in processes of their own; their times and memory may
grow no faster than n^1.5. Then table 2.1 of Mikheev (2004) on the body of 164 thousand dofs: its one-level division by
planes into 10 and 16 substructures beside the automatic tree.
`python -m benchmarks.bench_scaling [--largest DOFS] [--table REFINE]`
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
PLANES = (10, 16)  # substructures of the printed divisions
AGREEMENT = 1e-8  # of the eigenvalues of all divisions


def write_matrices(refine: float, folder: Path) -> None:
    """Leave K, lumped M and the place of every equation of the clamped body in the folder."""
    fe = build(refine)
    free = fe.free_rows(["pivots"])
    for name, A in (("K", fe.stiffness()), ("M", fe.mass("lumped"))):
        sparse.save_npz(folder / f"{name}.npz", sparse.csc_array(A[free][:, free]), compressed=False)
    np.save(folder / "xyz.npy", fe.nodes[fe.node_index(fe.dofs[free, 0])])


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


def divide(parts: int, folder: Path) -> dict[str, Any]:
    """Ten modes by single-vector Lanczos on planes that make so many substructures (0: the automatic tree)."""
    from floatframe.modal import LanczosOptions, factorize, lanczos

    K, M = (sparse.csc_array(sparse.load_npz(folder / name)) for name in ("K.npz", "M.npz"))
    division: dict[str, Any] = {}
    if parts:
        xyz = np.load(folder / "xyz.npy")
        axis = int(np.argmax(np.ptp(xyz, axis=0)))
        # as many equations in each part
        cuts = np.quantile(xyz[:, axis], np.arange(1, parts) / parts)
        division = {"coordinates": xyz, "cuts": cuts + 1e-6 * np.ptp(xyz[:, axis]), "axis": axis}
    made = []

    def solver(A: sparse.csc_array, *, kind: str, symbolic: Any) -> Any:
        made.append(factorize(A, kind=kind, **division))
        return made[-1]

    modes = lanczos(K, M, 10, options=LanczosOptions(block=1, check=False), factorize=solver)
    report, cost = made[0].report(), modes.statistics
    return {
        "substructures": report.substructures,
        "interior": report.interior_memory / 2**20,
        "boundary": report.boundary_size,
        "boundary_memory": report.boundary_memory / 2**20,
        "factor": report.factor_seconds,
        "step": (cost.solve_seconds + cost.orthogonalisation_seconds) / cost.steps,
        "steps": cost.steps,
        "value": modes.value.tolist(),
    }


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


def divisions(refine: float) -> None:
    """Print table 2.1 of Mikheev (2004) for our body."""
    with tempfile.TemporaryDirectory() as folder:
        matrix = child("matrices", refine, folder)
        rows = {parts: child("divide", parts, folder) for parts in (*PLANES, 0)}
    automatic = np.array(rows[0]["value"])
    for parts, row in rows.items():
        apart = np.abs(np.array(row["value"]) / automatic - 1.0).max()
        if apart > AGREEMENT:
            raise SystemExit(f"{parts} substructures: eigenvalues differ by {apart:.1e}; the table means nothing.")
    print(f"\ntable 2.1 on {matrix['dofs']} dofs, 10 modes, one vector per step; eigenvalues agree to {AGREEMENT:g}")
    heads = ("substructures", "interiors MB", "rows of G", "G MB", "factor s", "steps", "step s")
    print(f"{'division':<14}" + "".join(f"{head:>14}" for head in heads))
    for parts, row in rows.items():
        print(
            f"{f'{parts} by planes' if parts else 'automatic':<14}{row['substructures']:>14}{row['interior']:>14.1f}"
            f"{row['boundary']:>14}{row['boundary_memory']:>14.1f}{row['factor']:>14.2f}{row['steps']:>14}{row['step']:>14.4f}"
        )


def run_child(task: str, *words: str) -> dict[str, Any]:
    folder = Path(words[-1])
    if task == "matrices":
        write_matrices(float(words[0]), folder)
        K = sparse.load_npz(folder / "K.npz")
        return {"dofs": int(K.shape[0]), "nnz": int(K.nnz)}
    return divide(int(words[0]), folder) if task == "divide" else measure(task, folder)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=LARGEST, help="leave out larger bodies [dofs]")
    parser.add_argument("--table", type=float, default=1.0, metavar="REFINE", help="mesh of table 2.1; 1 by default")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args([] if arguments is None else arguments)
    if chosen.child:
        print(json.dumps(run_child(*chosen.child)))
        return 0
    well = growth(chosen.largest)
    divisions(chosen.table)
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
