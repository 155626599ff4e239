"""Networks: a thermal grid of up to 10 000 nodes, and a small circuit beside ngspice where it is installed."""

from __future__ import annotations

import math
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from floatframe.hybrid import Record
from floatframe.network import Equations, Network, NetworkSettings, Stepper

STEPS = 50
CIRCUIT = """rectifier
V1 in 0 SIN(0 10 50)
R1 in a 0.5
D1 a out dm
C1 out 0 1m
R2 out 0 100
.model dm D(IS=1e-12 N=1.16)
.control
set filetype=ascii
tran 50u 2 0 50u
rusage time traniter totiter accept
.endc
.end
"""


def grid(side: int) -> Network:
    """Capacities on a square grid, conduction between neighbours, one corner heated."""
    net = Network("grid")
    for i in range(side):
        for j in range(side):
            net.add(f"C{i}_{j}", "heat_capacity", [f"n{i}_{j}"], capacity=1.0)
            if i:
                net.add(f"V{i}_{j}", "conduction", [f"n{i - 1}_{j}", f"n{i}_{j}"], conductance=1.0)
            if j:
                net.add(f"H{i}_{j}", "conduction", [f"n{i}_{j - 1}", f"n{i}_{j}"], conductance=1.0)
    net.add("heat", "heat_source", ["n0_0"], heat_flow=10.0)
    return net


def grids() -> None:
    print(f"{'nodes':>8} {'compile s':>10} {'factor ms':>10} {'ms/step':>9} {'peak MB':>8}")
    sizes, steps = [], []
    for side in (25, 50, 100):
        began = time.process_time()
        system = grid(side).compile()
        made = time.process_time() - began
        equations = Equations(system)
        y = system.start
        _, outs = equations.residual(y, 0.0)
        began = time.process_time()
        equations.solver(y, 0.0, outs, 0.005, 100.0)
        factored = time.process_time() - began
        stepper = Stepper.begun(equations, NetworkSettings(t_end=1.0, step=0.01, method="stormer"))
        stepper.attempt()
        began = time.process_time()
        for _ in range(STEPS):
            stepper.attempt()
        per_step = (time.process_time() - began) / STEPS
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{side * side:>8} {made:>10.2f} {1e3 * factored:>10.1f} {1e3 * per_step:>9.2f} {peak:>8.0f}")
        sizes.append(side * side)
        steps.append(per_step)
    growth = math.log(steps[-1] / steps[0]) / math.log(sizes[-1] / sizes[0])
    print(f"growth of the time per step with the number of nodes: exponent {growth:.2f} (aim: at most 1.3)")


def rectifier() -> None:
    """Per accepted step: ours, and ngspice's where it is at hand."""
    net = Network("rectifier")
    net.add("mains", "voltage_source", ["in"], voltage="10*sin(100*pi*t)")
    net.add("R1", "resistor", ["in", "a"], resistance=0.5)
    net.add("D", "diode", ["a", "out"], saturation=1e-12, voltage=0.03)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-3)
    net.add("R2", "resistor", ["out", "ground"], resistance=100.0)
    system, record = net.compile(), Record(every=0.2, channels=("out.voltage",), coordinates=False)
    system.simulate(0.01, step=5e-5, record=record)
    began = time.process_time()
    result = system.simulate(0.2, step=5e-5, record=record)
    ours = (time.process_time() - began) / float(result.statistics["steps"][-1])
    print(f"rectifier of 5 elements: {1e6 * ours:.0f} us per accepted step")
    if shutil.which("ngspice") is None:
        print("ngspice is not installed; apt-get install ngspice gives the ratio")
        return
    with tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / "rectifier.cir"
        deck.write_text(CIRCUIT, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, check=False).stdout
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    accepted = re.search(r"(?:accept\w*|Accepted timepoints)\D+(\d+)", said)
    if accepted is None:
        print("ngspice did not say how many steps it accepted")
        return
    theirs = seconds / int(accepted[1])
    print(
        f"ngspice: {1e6 * theirs:.1f} us per accepted step ({accepted[1]} steps); ratio ours/theirs {ours / theirs:.1f}"
    )


def main() -> None:
    np.seterr(all="ignore")
    grids()
    rectifier()


if __name__ == "__main__":
    main()
