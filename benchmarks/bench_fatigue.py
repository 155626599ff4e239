"""Rainflow damage of a whole body from modal stresses: seconds and memory, beside pylife on the same histories.

One stress per node as the product of its stress shapes with modal coordinates of ringing modes, counted by rainflow and
summed by Miner's rule. pylife counts some of the same histories and sums them with its own curve; its time is scaled to
all nodes. It leaves open what ASTM E1049 counts as half cycles, so that whole cycles are compared.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import sys
import time

import numpy as np

from benchmarks.targets import met
from floatframe.arrays import Array
from floatframe.durability import history_damages, own_curve, rainflow

NODES, SAMPLES, MODES = 10_000, 100_000, 30
COMPARED = 20  # nodes that pylife counts
WANTED = 0.1  # of the time of pylife
KNEE, CYCLES, SLOPE = 50e6, 1e6, 5.0


def shapes_and_drive(nodes: int, samples: int) -> tuple[Array, Array]:
    """Return stress shapes (nodes, MODES) [Pa] and modal coordinates (samples, MODES)."""
    random = np.random.default_rng(0)
    t = np.arange(samples) * 1e-3
    drive = np.zeros((samples, MODES))
    for k in range(MODES):
        # a mode that rings at its frequency, its amplitude wandering
        slow = np.interp(t, np.linspace(0.0, t[-1], 200), random.normal(size=200))
        drive[:, k] = slow * np.sin(2.0 * np.pi * (2.0 + 4.0 * k) * t + random.random()) / (1.0 + k)
    return 50e6 * random.normal(size=(nodes, MODES)), drive


def by_pylife(rows: Array, drive: Array) -> tuple[Array, float, float]:
    """Return damages, processor time [s], and the part of it that is counting, node by node."""
    import pandas as pd
    import pylife.strength.fatigue
    import pylife.stress.collective  # noqa: F401  (registers what collectives can do)
    import pylife.stress.rainflow as counting

    curve = pd.Series({"SD": KNEE, "ND": CYCLES, "k_1": SLOPE, "k_2": np.inf, "TN": 1.0, "TS": 1.0})
    damage, counted = [], 0.0
    begin = time.process_time()
    for row in rows:
        before = time.process_time()
        recorder = counting.FullRecorder()
        counting.FourPointDetector(recorder=recorder).process(drive @ row)
        counted += time.process_time() - before
        damage.append(float(curve.fatigue.damage(recorder.collective.load_collective).sum()))
    return np.array(damage), time.process_time() - begin, counted


def of_whole_cycles(history: Array) -> float:
    """Return the damage of the cycles that close."""
    cycles = rainflow(history)
    amplitude = cycles.range[cycles.count == 1.0] / 2.0
    return float(((amplitude[amplitude >= KNEE] / KNEE) ** SLOPE).sum() / CYCLES)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    given = parser.parse_args([] if arguments is None else arguments)
    rows, drive = shapes_and_drive(given.nodes, given.samples)
    curve = own_curve(KNEE, CYCLES, SLOPE)
    history_damages(rows[:2], drive[:100], curve)  # compiled
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    damage, _ = history_damages(rows, drive, curve)
    own = time.process_time() - begin
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"Rainflow damage of {given.nodes} nodes x {given.samples} samples x {MODES} modes, processor time")
    print(f"floatframe  {own:8.1f} s  {own / given.nodes * 1e3:7.2f} ms per node   {memory:.0f} MB more at the peak")
    print(f"            {np.count_nonzero(damage)} nodes are damaged, most {damage.max():.4g}")
    if importlib.util.find_spec("pylife") is None:
        print("pylife is not installed; there is nothing to compare with")
        return 0
    theirs, seconds, counted = by_pylife(rows[:COMPARED], drive)
    ours = np.array([of_whole_cycles(drive @ row) for row in rows[:COMPARED]])
    scale = given.nodes / COMPARED
    print(f"pylife      {scale * seconds:8.1f} s  {seconds / COMPARED * 1e3:7.2f} ms per node   from {COMPARED} nodes")
    print(f"  counting  {scale * counted:8.1f} s  {counted / COMPARED * 1e3:7.2f} ms per node")
    print(f"largest difference of the damage of whole cycles {np.abs(theirs / ours - 1.0).max():.1e}")
    return 0 if met("processor time over that of pylife", own / (scale * seconds), WANTED) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
