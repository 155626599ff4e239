"""Modes of a deck of 52 000 dofs from the command line to the table, beside CalculiX on the same file; loose parts.

`floatframe modes` and `ccx` run as whole programs on one thread; their ten frequencies must agree before a time is
printed. Times are processor times, best of three, which a busy machine does not change. Decks of loose parts have the
same number of dofs in 1, 10 and 100 bodies: each mode is a rigid motion then.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import floatframe as ff
from floatframe.fem import FEModel, Material, join, solid_box

AGREE = 1e-4  # of a frequency; ccx integrates the mass of C3D10 at four points, which differs by 3e-5 here
RATIO_LIMIT = 1.0  # of the time of ccx
LOOSE_LIMIT = 1.5  # of the time of one body
TIMES = 3
STEEL = Material(2.1e11, 0.3, 7850.0)
_COMMAND = "from floatframe.cli.main import main; main()"
_STEP = "*STEP\n*FREQUENCY\n10\n*END STEP\n"
_ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")}


def clamped(size: tuple[int, int, int], kind: str) -> FEModel:
    """Return a bar of cubes of 10 mm that is held at one end."""
    lengths = tuple(0.01 * n for n in size)
    fe = solid_box(lengths, size, material=STEEL, kind=kind)
    return fe.with_support([(int(node), "u") for node in fe.node_ids[fe.nodes[:, 0] < 1e-9]])


def loose(count: int, size: tuple[int, int, int]) -> FEModel:
    """Return so many bodies side by side."""
    lengths = tuple(0.01 * n for n in size)
    pitch = 2.0 * lengths[1]
    return join(*(solid_box(lengths, size, material=STEEL, origin=(0.0, k * pitch, 0.0)) for k in range(count)))


def timed(command: list[str], folder: Path) -> tuple[float, str]:
    """Run a program; its processor time [s] and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **_ONE_THREAD}, capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def best(command: list[str], folder: Path) -> tuple[float, str]:
    return min((timed(command, folder) for _ in range(TIMES)), key=lambda run: run[0])


def ours(path: Path) -> tuple[float, np.ndarray]:
    seconds, text = best([sys.executable, "-c", _COMMAND, "modes", path.name, "-n", "10", "--json"], path.parent)
    return seconds, np.array([row["frequency_hz"] for row in json.loads(text)["modes"]])


def theirs(path: Path) -> tuple[float, np.ndarray]:
    seconds, _ = best(["ccx", path.stem], path.parent)
    rows = [line.split() for line in path.with_suffix(".dat").read_text().splitlines()]
    return seconds, np.array([float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()][:10])


def main() -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("ten modes of a deck, processor times of whole programs on one thread, best of three")
        for kind, size in (("hex20", (40, 10, 9)), ("tet10", (20, 11, 9))):
            path = folder / f"{kind}.inp"
            fe = clamped(size, kind)
            ff.io.write(path, fe)
            path.write_text(path.read_text() + ("" if "*STEP" in path.read_text() else _STEP))
            seconds, frequency = ours(path)
            line = f"{kind}: {fe.ndof} dofs, floatframe {seconds:.1f} s"
            if shutil.which("ccx") is None:
                print(f"{line}; no ccx here to compare with")
                continue
            other, expected = theirs(path)
            worst = float(np.abs(frequency / expected - 1.0).max())
            if not worst < AGREE:
                raise SystemExit(f"{kind}: frequencies differ by {worst:.1e} from those of ccx, expected {AGREE:g}")
            print(f"{line}, ccx {other:.1f} s, ratio {seconds / other:.2f} (limit {RATIO_LIMIT:g})")
            missed += seconds > RATIO_LIMIT * other
        base = None
        for count, size in ((1, (60, 16, 12)), (10, (14, 9, 8)), (100, (5, 4, 4))):
            path = folder / f"loose{count}.inp"
            fe = loose(count, size)
            ff.io.write(path, fe)
            seconds, frequency = ours(path)
            if count > 1 and frequency.any():
                raise SystemExit(f"{count} loose parts: the first modes are not at rest but at {frequency.max():g} Hz")
            each = seconds / fe.ndof
            base = base or each
            print(f"{count} bodies: {fe.ndof} dofs, {seconds:.1f} s, {each / base:.2f} of one body per dof")
            missed += each > LOOSE_LIMIT * base
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
