"""Eigenmodes of the locomotive body, pivots clamped: our Lanczos beside eigsh on SuperLU, CHOLMOD and MKL PARDISO.

Every competitor runs in a process of its own with its best setting: symmetric mode and minimum degree for SuperLU, the
better of AMD and METIS for CHOLMOD, the best of several basis sizes for ARPACK. All have the same tolerance; times hold
ordering, factorisation and iteration. All run several times in turns and the fastest run of each counts. Answers are
compared before times are printed. The targets are judged for the same work, without the Sturm proof, which no
competitor offers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from benchmarks.processes import forget_peak, peak, resident, warm_memory
from benchmarks.targets import met
from floatframe.samples.locomotive_body import build

TOLERANCE = 1e-8  # of the residual, relative to theta, for all
AGREEMENT = 1e-8  # of the eigenvalues of two solvers
TIMES = {"eigsh + SuperLU": 1 / 3, "eigsh + CHOLMOD": 1 / 2, "eigsh + PARDISO": 1 / 2}  # our time over theirs, at most
MEMORY = 1 / 2  # our memory over SuperLU's, at most
WARM_UP = 200  # points along the sides of a membrane solved before the measurement
BASIS = (2.0, 3.0, 4.0, 6.0)  # columns of ARPACK's basis per wanted mode that are tried; the first is its default

Matrix = sparse.csc_array
Solve = Callable[[np.ndarray], np.ndarray]


def superlu(K: Matrix) -> Solve:
    options = {"SymmetricMode": True}
    return splu(sparse.csc_matrix(K), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options).solve


def cholmod(K: Matrix, ordering: str) -> Callable[[], Solve]:
    """The conversion to CHOLMOD's matrix is not timed; ordering, analysis and factorisation are."""
    from kvxopt import cholmod as library, matrix, spmatrix

    from floatframe.modal import analyse

    lower = sparse.tril(K).tocoo()
    A = spmatrix(lower.data.tolist(), lower.row.tolist(), lower.col.tolist(), K.shape)

    def factorise() -> Solve:
        if ordering == "METIS":
            symbolic = library.symbolic(A, matrix([int(i) for i in analyse(K).order]))
        else:
            symbolic = library.symbolic(A)
        library.numeric(A, symbolic)

        def solve(b: np.ndarray) -> np.ndarray:
            x = matrix(b)
            library.solve(symbolic, x)
            return np.array(x).ravel()

        return solve

    return factorise


def pardiso(K: Matrix) -> Solve:
    from pypardiso import PyPardisoSolver

    upper = sparse.csr_matrix(sparse.triu(K))
    solver = PyPardisoSolver(mtype=2)
    solver.set_phase(12)
    solver._call_pardiso(upper, np.zeros((K.shape[0], 1)))
    solver.set_phase(33)  # calling the phase itself avoids a comparison of matrices in every solution
    return lambda b: solver._call_pardiso(upper, b.reshape(-1, 1)).ravel()


def arpack(K: Matrix, M: Matrix, n: int, factorise: Callable[[], Solve]) -> dict[str, object]:
    """Factor once, iterate with several basis sizes, keep the fastest."""
    begin = perf_counter()
    solve = factorise()
    factor = perf_counter() - begin
    times: list[float] = []
    best: dict[str, object] = {}
    for columns in BASIS:
        count = 0

        def counted(b: np.ndarray) -> np.ndarray:
            nonlocal count
            count += 1
            return solve(b)

        inverse = LinearOperator(K.shape, matvec=counted, dtype=float)
        start = np.random.default_rng(0).standard_normal(K.shape[0])
        begin = perf_counter()
        size = min(K.shape[0] - 1, max(20, round(columns * n) + 1))
        value, _ = eigsh(K, n, M, 0.0, OPinv=inverse, tol=TOLERANCE, ncv=size, v0=start)
        times.append(factor + perf_counter() - begin)
        if times[-1] == min(times):
            best = {"factor": factor, "solves": count, "value": np.sort(value).tolist()}
    return {"seconds": min(times), "default": times[0], **best}


def ours(K: Matrix, M: Matrix, n: int, check: bool) -> dict[str, object]:
    from floatframe.modal import LanczosOptions, lanczos

    begin = perf_counter()
    modes = lanczos(K, M, n, options=LanczosOptions(tol=TOLERANCE, check=check))
    seconds = perf_counter() - begin
    cost = {"factor": modes.statistics.factor_seconds, "solves": modes.statistics.solves}
    return {"seconds": seconds, "default": seconds, "value": modes.value.tolist(), **cost}


RUNS: dict[str, Callable[[Matrix, Matrix, int], dict[str, object]]] = {
    "Floatframe, Sturm proof": lambda K, M, n: ours(K, M, n, check=True),
    "Floatframe, no proof": lambda K, M, n: ours(K, M, n, check=False),
    "eigsh + SuperLU": lambda K, M, n: arpack(K, M, n, lambda: superlu(K)),
    "eigsh + CHOLMOD (AMD)": lambda K, M, n: arpack(K, M, n, cholmod(K, "AMD")),
    "eigsh + CHOLMOD (METIS)": lambda K, M, n: arpack(K, M, n, cholmod(K, "METIS")),
    "eigsh + PARDISO": lambda K, M, n: arpack(K, M, n, lambda: pardiso(K)),
}


def grid(side: int) -> Matrix:
    """Stiffness of a square membrane of side x side points."""
    line = sparse.diags_array([-np.ones(side - 1), np.full(side, 2.0), -np.ones(side - 1)], offsets=[-1, 0, 1])
    along = sparse.eye_array(side)
    return sparse.csc_array(sparse.kron(line, along) + sparse.kron(along, line))


def child(name: str, n: int, path: Path) -> None:
    K, M = (sparse.csc_array(sparse.load_npz(path / name)) for name in ("K.npz", "M.npz"))
    membrane = grid(WARM_UP)
    # libraries and compiled kernels load, also those for large matrices only
    RUNS[name](membrane, sparse.csc_array(sparse.eye_array(membrane.shape[0])), 10)
    warm_memory()
    before = resident()
    forget_peak()
    outcome = RUNS[name](K, M, n)
    outcome["memory"] = peak() - before
    sys.stdout.write(json.dumps(outcome))


def compare(refine: float, counts: tuple[int, ...], names: list[str], rounds: int) -> bool:
    """Run everything in turns, show that the answers agree, print the tables; whether the targets are met."""
    fe = build(refine)
    free = fe.free_rows(["pivots"])
    # round-off leaves zeros on one side only: all get the same symmetric pattern
    K, M = (sparse.csc_array(0.5 * (A + A.T)[free][:, free]) for A in (fe.stiffness(), fe.mass("lumped")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        sparse.save_npz(path / "K.npz", K, compressed=False)
        sparse.save_npz(path / "M.npz", M, compressed=False)
        well = True
        for n in counts:
            rows: dict[str, dict] = {}
            for name in names * rounds:
                row = run(name, n, path)
                if row is not None and (name not in rows or row["seconds"] < rows[name]["seconds"]):
                    rows[name] = row
            report(f"{K.shape[0]} dofs, {K.nnz} non-zeros, {n} modes", rows)
            well &= judge(rows)
    return well


def run(name: str, n: int, path: Path) -> dict | None:
    command = [sys.executable, "-m", "benchmarks.bench_modes", "--child", name, "--modes", str(n)]
    done = subprocess.run([*command, "--matrices", str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"{name}: left out, {done.stderr.strip().splitlines()[-1]}\n")
        return None
    outcome = json.loads(done.stdout)
    sys.stderr.write(f"{name}, {n} modes: {outcome['seconds']:.2f} s\n")
    return outcome


def report(title: str, rows: dict[str, dict]) -> None:
    first = next(iter(rows.values()))
    for name, row in rows.items():
        apart = np.abs(np.array(row["value"]) / np.array(first["value"]) - 1.0).max()
        if apart > AGREEMENT:
            raise SystemExit(f"{name}: eigenvalues differ by {apart:.1e}; times without agreement mean nothing.")
    print(f"\n{title}; eigenvalues agree to {AGREEMENT:g}")
    heads = ("best s", "default s", "factor s", "solves", "memory MB", "ours/best", "ours/default", "memory ratio")
    print(f"{'':<26}" + "".join(f"{head:>13}" for head in heads))
    for name, row in rows.items():
        times = f"{row['seconds']:>13.2f}{row['default']:>13.2f}{row['factor']:>13.2f}{row['solves']:>13}"
        ratios = f"{first['seconds'] / row['seconds']:>13.2f}{first['seconds'] / row['default']:>13.2f}"
        print(f"{name:<26}{times}{row['memory'] / 2**20:>13.0f}{ratios}{first['memory'] / row['memory']:>13.2f}")


def judge(rows: dict[str, dict]) -> bool:
    """Print the verdict on the targets of what was measured; whether all are met."""
    ours = rows.get("Floatframe, no proof")
    if ours is None:
        return True
    well = True
    for rival, limit in TIMES.items():
        best = min((row["seconds"] for name, row in rows.items() if name.startswith(rival)), default=None)
        if best is None:
            print(f"  not measured: {rival}")
        else:
            well &= met(f"time over that of {rival}", ours["seconds"] / best, limit)
    if "eigsh + SuperLU" in rows:
        well &= met("memory over that of SuperLU", ours["memory"] / rows["eigsh + SuperLU"]["memory"], MEMORY)
    return well


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refine", type=float, default=1.0)
    parser.add_argument("--modes", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, in turns; the fastest of each counts")
    parser.add_argument("--only", nargs="+", default=list(RUNS), choices=list(RUNS))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--matrices", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args([] if arguments is None else arguments)
    if chosen.child:
        child(chosen.child, chosen.modes[0], chosen.matrices)
        return 0
    return 0 if compare(chosen.refine, tuple(chosen.modes), chosen.only, max(1, chosen.rounds)) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
