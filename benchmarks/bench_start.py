"""How long a user waits before anything is computed: the first use with nothing compiled, and every later one.

Every command runs in a process of its own. Cold: its cache folder is empty, wall time counts, two processes compile.
Warm: everything is compiled, processor time counts, best of several. A cold and a warm run must record the same.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.targets import met
from floatframe.hybrid import Results

ROUNDS = 3
COLD_SIMULATE, COLD_REDUCE = 20.0, 8.0  # s, wall time
WARM, COMPILE = 1.0, 0.1  # s, processor time
COMPILATION = """
import time
import floatframe as ff
from pathlib import Path
model = ff.hybrid.read_model(Path("flexible.toml")).model
began = time.process_time()
model.compile()
print(time.process_time() - began)
"""
SAMPLE = [["samples", "slider-crank", "-o", "."], ["samples", "beam", "-o", "."]]
REDUCE = ["reduce", "beam.h5", "--interface", "1,201", "-n", "20", "-o", "input.fum"]
SIMULATE = ["simulate", "flexible.toml", "-o"]


class Cost(NamedTuple):
    wall: float  # s
    cpu: float  # s, with those of its own processes
    text: str


def run(words: Sequence[str], folder: Path, cache: Path) -> Cost:
    """Run Python with some words in a process of its own."""
    chosen = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    chosen |= {"NUMBA_CACHE_DIR": str(cache), "PYTHONPYCACHEPREFIX": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **chosen},
        capture_output=True,
        text=True,
        check=False,
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr.strip()}")
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout)


def command(words: Sequence[str], folder: Path, cache: Path) -> Cost:
    """Run a command of the program."""
    return run(["-m", "floatframe", *words], folder, cache)


def cold(folder: Path, cache: Path) -> Iterator[bool]:
    """First reduction and first simulation; the caches are filled afterwards."""
    for words in SAMPLE:
        command(words, folder, cache)
    for name, words, limit in (
        ("reduce", REDUCE, COLD_REDUCE),
        ("simulate", [*SIMULATE, "cold.h5"], COLD_SIMULATE),
    ):
        cost = command(words, folder, cache)
        print(f"  {name:24}{cost.wall:10.1f}{cost.cpu:10.1f}")
        yield met(f"first {name}, wall time", cost.wall, limit, " s")


def warm(folder: Path, cache: Path) -> Iterator[bool]:
    """Processor times of commands on small models with everything compiled."""
    small = [
        ["info", "input.fum"],
        ["info", "rigid.toml"],
        ["equilibrium", "pendulum.toml"],
        ["linear", "pendulum.toml"],
        ["plot", "warm.h5", "A.force", "--rms"],
        [*SIMULATE, "warm.h5"],
    ]
    command(["samples", "pendulum", "-o", "."], folder, cache)
    command(small[-1], folder, cache)
    for words in small:
        costs = [command(words, folder, cache) for _ in range(ROUNDS + 1)]
        best = min(costs, key=lambda cost: cost.cpu)
        name = " ".join(words[:2])
        print(f"  {name:24}{best.wall:10.2f}{best.cpu:10.2f}")
        yield met(name, best.cpu, WARM, " s")
    seconds = min(float(run(["-c", COMPILATION], folder, cache).text) for _ in range(ROUNDS))
    yield met("compile() of the slider-crank", seconds, COMPILE, " s")
    for what in ("pass", "import floatframe", "import floatframe.cli.main", "import numba"):
        cost = min((run(["-c", what], folder, cache) for _ in range(ROUNDS)), key=lambda cost: cost.cpu)
        print(f"  {what:24}{cost.wall:10.2f}{cost.cpu:10.2f}")


def main() -> int:
    """Print all times with their targets; 1 if one is missed."""
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name) / "work", Path(name) / "cache"
        folder.mkdir()
        print(f"  {'command':24}{'wall s':>10}{'CPU s':>10}")
        verdicts = list(cold(folder, cache))
        verdicts += warm(folder, cache)
        first, second = (Results.open(folder / f"{run}.h5") for run in ("cold", "warm"))
        if not np.array_equal(first["A.force"], second["A.force"]):
            raise SystemExit("the cold and the warm run differ: the times are void")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
