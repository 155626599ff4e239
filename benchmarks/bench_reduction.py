"""Reduction of the locomotive body beside its eigenanalysis alone, and the cost of reading a large input.fum.

The reduction makes eight interface nodes (48 static shapes) and 30 fixed-interface modes; the eigenanalysis finds the
same 30 modes, whose frequencies are compared before times are printed. Each file is read in a process of its own, which
reports how much memory it used at most.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

N_MODES = 30
AGREEMENT = 1e-7  # of the frequencies of both ways
TARGET = 1.6  # reduction over eigenanalysis, no more
LARGE = 1_000_000_000  # bytes of the file that is read

_READ = """
import resource, sys, time
import numpy as np
import floatframe as ff
ff.io.read, ff.modal.ReducedBody
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
body = ff.io.read(sys.argv[1])
took = time.perf_counter() - start
print(took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


def timed(action: Callable[[], Any], repeat: int) -> tuple[Any, float, float]:
    """The result, and the best wall and processor time of some runs [s]."""
    wall, processor, result = np.inf, np.inf, None
    for _ in range(repeat):
        start, begin = perf_counter(), process_time()
        result = action()
        wall, processor = min(wall, perf_counter() - start), min(processor, process_time() - begin)
    return result, wall, processor


def reduction(repeat: int) -> bool:
    from floatframe.modal import eigenmodes, reduce
    from floatframe.samples.locomotive_body import build

    fe = build()
    modes, alone, alone_processor = timed(lambda: eigenmodes(fe, n=N_MODES, fixed=["pivots"]), repeat)
    body, both, both_processor = timed(
        lambda: reduce(fe, interface=["pivots"], n_modes=N_MODES, geometric=False), repeat
    )
    _, full, full_processor = timed(lambda: reduce(fe, interface=["pivots"], n_modes=N_MODES), repeat)
    difference = np.abs(body.frequency[:N_MODES] / modes.frequency - 1.0).max()
    sys.stdout.write(
        f"locomotive body: {fe.ndof} equations, {len(body.interface_nodes)} interface nodes, "
        f"{body.n_static} static shapes\n"
        f"  eigenanalysis alone, {N_MODES} modes      {alone:8.2f} s, processor {alone_processor:.2f} s\n"
        f"  reduction                           {both:8.2f} s, processor {both_processor:.2f} s\n"
        f"  reduction with geometric terms      {full:8.2f} s, processor {full_processor:.2f} s\n"
        f"  ratio without them                  {both / alone:8.2f} , processor {both_processor / alone_processor:.2f}"
        f" (target {TARGET})\n"
        f"  largest difference of frequencies   {difference:.1e}\n"
    )
    return bool(difference < AGREEMENT and both <= TARGET * alone)


def reading() -> bool:
    """Write a body of about a gigabyte in both forms and read it in fresh processes."""
    import floatframe as ff

    nmode = 100
    nnode = LARGE // (48 * nmode)
    random = np.random.default_rng(0)
    column = random.standard_normal(6 * nnode)
    matrix = np.eye(nmode)
    body = ff.modal.ReducedBody(
        nodes=random.standard_normal((nnode, 3)),
        node_ids=np.arange(1, nnode + 1),
        shapes=np.broadcast_to(column[:, None], (6 * nnode, nmode)),
        kind=("eigen",) * nmode,
        origin=tuple(f"mode {k + 1}" for k in range(nmode)),
        frequency=np.arange(1.0, nmode + 1),
        mass=matrix,
        stiffness=matrix,
        nodal_mass=np.ones(nnode),
        nodal_inertia=np.zeros((nnode, 3, 3)),
    )
    well = True
    with tempfile.TemporaryDirectory() as folder:
        for name in ("input.fum", "body.h5"):
            path = Path(folder) / name
            ff.io.write(path, body)
            said = subprocess.run(
                [sys.executable, "-c", _READ, str(path)], check=True, capture_output=True, text=True
            ).stdout.split()
            size, seconds, peak = path.stat().st_size, float(said[0]), float(said[1])
            well &= peak < 1.2 * size
            sys.stdout.write(
                f"reading {name}: {size / 1e9:.2f} GB in {seconds:.2f} s, "
                f"memory grows by {peak / size:.2f} of the file at most\n"
            )
            path.unlink()
    return well


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_reduction", description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, help="runs of which the best counts")
    parser.add_argument("--only", choices=("reduction", "reading"))
    arguments = parser.parse_args(argv if argv is not None else [])
    well = True
    if arguments.only != "reading":
        well &= reduction(arguments.repeat)
    if arguments.only != "reduction":
        well &= reading()
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
