"""What it takes to keep a sweep of 100 000 points with 20 numbers each: its file, memory, processor time.

The numbers are made up, so that nothing but the keeping is measured: points go one by one into the sweep, and its
file is written when it is due, as in `floatframe sweep`. Then the file is read as `--resume` does, beside the first
sweep. Memory is the largest that the process had, less what the program takes by itself.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.targets import met
from floatframe.hybrid.sweep.grid import grid
from floatframe.hybrid.sweep.study import Outcome
from floatframe.hybrid.sweep.sweep import _collect, _Sweep
from floatframe.io.results import Channel, SweepWriter

POINTS, NUMBERS = 100_000, 20
MOST_FILE, MOST_MEMORY, MOST_TIME = 25.0, 300.0, 15.0  # MB, MB of a sweep, s


def outcomes(count: int) -> Iterator[tuple[int, Outcome]]:
    """Outcomes of points, with numbers that cannot be compressed."""
    channels = [Channel(f"measure {k}", "m") for k in range(NUMBERS)]
    values = np.random.default_rng(1).normal(size=(count, NUMBERS))
    for number in range(count):
        yield number, Outcome("done", "", dict(zip(channels, values[number].tolist(), strict=True)), 1.0)


def main() -> int:
    start = _memory()
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "sweep.h5", time.process_time()
        kept = _Sweep(grid({"push": np.arange(POINTS) * 1e-3}), "", {"study": "equilibrium"})
        with SweepWriter(path, kept.result()) as writer:
            _collect(kept, outcomes(POINTS), writer, None)
        memory = _memory() - start
        taken, size = time.process_time() - began, path.stat().st_size / 1e6
        again = _Sweep(grid({"push": np.arange(POINTS) * 1e-3}), "", {"study": "equilibrium"})
        again.take_over(path)
    print(f"A sweep of {POINTS} points with {NUMBERS} numbers each")
    good = met("file", size, MOST_FILE, " MB")
    good &= met("memory", memory, MOST_MEMORY, " MB")
    good &= met("memory of two, one of them resumed", _memory() - start, 2.0 * MOST_MEMORY, " MB")
    good &= met("processor time", taken, MOST_TIME, " s")
    good &= met("points left to be computed", len(again.left()), 0)
    return 0 if good else 1


def _memory() -> float:
    """Largest memory of this process [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    raise SystemExit(main())
