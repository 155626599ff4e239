"""Rainflow damage of a whole body from modal stresses: seconds and memory, beside pylife on the same histories.

One stress per node as the product of its stress shapes with modal coordinates of ringing modes, counted by rainflow and
summed by Miner's rule. pylife counts some of the same histories in a process of its own, one after the other, and
its time is scaled to all nodes; damages must agree.
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
from floatframe.durability import history_damages, own_curve

NODES, SAMPLES, MODES = 10_000, 100_000, 30
COMPARED = 20  # nodes that pylife counts
WANTED = 10.0  # times faster
AGREE = 1e-9


def histories(nodes: int, samples: int) -> tuple[Array, Array]:
    """Return stress shapes (nodes, MODES) [Pa] and modal coordinates (samples, MODES)."""
    random = np.random.default_rng(0)
    t = np.arange(samples) * 1e-3
    drive = np.zeros((samples, MODES))
    for k in range(MODES):
        # a mode that rings at its frequency, its amplitude wandering
        slow = np.interp(t, np.linspace(0.0, t[-1], 200), random.normal(size=200))
        drive[:, k] = slow * np.sin(2.0 * np.pi * (2.0 + 4.0 * k) * t + random.random()) / (1.0 + k)
    return 50e6 * random.normal(size=(nodes, MODES)), drive


def by_pylife(rows: Array, drive: Array) -> tuple[Array, float]:
    """Return the damages and the processor time of pylife's rainflow counting and the same sum, node by node."""
    import pylife.stress.rainflow as rainflow

    begin = time.process_time()
    damage = []
    for row in rows:
        recorder = rainflow.FullRecorder()
        rainflow.FourPointDetector(recorder=recorder).process(drive @ row)
        amplitude = np.abs(recorder.values_from - recorder.values_to) / 2.0
        damage.append(float(((amplitude[amplitude >= 50e6] / 50e6) ** 5.0).sum() / 1e6))
    return np.array(damage), time.process_time() - begin


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    given = parser.parse_args([] if arguments is None else arguments)
    curve = own_curve(50e6, 1e6, 5.0)
    rows, drive = histories(given.nodes, given.samples)
    history_damages(rows[:2], drive[:100], curve)  # compiled
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    damage, _ = history_damages(rows, drive, curve)
    own = time.process_time() - begin
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"Rainflow damage of {given.nodes} nodes x {given.samples} samples x {MODES} modes, processor time")
    print(f"floatframe  {own:8.1f} s   {own / given.nodes * 1e3:8.2f} ms per node   {memory:.0f} MB more at the peak")
    print(f"            {np.count_nonzero(damage)} nodes with damage, largest {damage.max():.4g}")
    if importlib.util.find_spec("pylife") is None:
        print("pylife is not installed; nothing to compare with")
        return 0
    theirs, seconds = by_pylife(rows[:COMPARED], drive)
    whole = seconds / COMPARED * given.nodes
    print(f"pylife      {whole:8.1f} s   {seconds / COMPARED * 1e3:8.2f} ms per node   (from {COMPARED} nodes)")
    # its detector leaves open what we count as half cycles at the end
    print(f"largest difference of damage {np.abs(theirs / damage[:COMPARED] - 1.0).max():.2e}")
    return 0 if met("times faster than pylife", whole / own, at_least=WANTED) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
