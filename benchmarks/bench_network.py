"""Networks: a thermal grid of up to 10 000 nodes, and small circuits beside ngspice where it is installed."""

from __future__ import annotations

import math
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.targets import met
from floatframe.arrays import Array
from floatframe.hybrid import Record
from floatframe.network import Equations, Network, NetworkSettings, NetworkSystem, Stepper

STEPS = 50
ROUNDS = 5
AGREE = 2e-3  # of the largest voltage: ngspice takes the trapezoidal rule, we BDF2, with some hundred steps per period


@dataclass(frozen=True)
class Circuit:
    """A circuit for both programs: how to build it, the deck, the node that is compared."""

    name: str
    network: Callable[[], Network]
    deck: str
    node: str
    t_end: float
    step: float
    jumps: bool = False  # then our steps are controlled and no longer than that, as those of ngspice always are

    @property
    def looks(self) -> Array:
        """Times at which voltages are compared."""
        return np.linspace(0.1, 1.0, 91) * self.t_end


def rc() -> Network:
    net = Network("rc")
    net.add("V1", "voltage_source", ["in"], voltage="10*sin(100*pi*t)")
    net.add("R1", "resistor", ["in", "out"], resistance=100.0)
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-5)
    return net


def rlc() -> Network:
    net = rc()
    net.add("L1", "inductor", ["out", "end"], inductance=0.1)
    net.add("C2", "capacitor", ["end", "ground"], capacitance=1e-5)
    net.add("R2", "resistor", ["end", "ground"], resistance=1e3)
    return net


def rectifier() -> Network:
    net = Network("rectifier")
    net.add("V1", "voltage_source", ["in"], voltage="10*sin(100*pi*t)")
    net.add("R1", "resistor", ["in", "a"], resistance=0.5)
    net.add("D1", "diode", ["a", "out"], saturation=1e-12, voltage=0.03)
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-3)
    net.add("R2", "resistor", ["out", "ground"], resistance=100.0)
    return net


def motor() -> Network:
    """A motor with its rotor and bearing; for ngspice speed is a voltage and inertia a capacitor."""
    net = Network("motor")
    net.add("V1", "voltage_source", ["in"], voltage="24*sin(20*pi*t)")
    net.add("M1", "dc_motor", ["in", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.1)
    net.add("J1", "inertia", ["shaft"], inertia=1e-3)
    net.add("B1", "rotary_damper", ["shaft", "ground"], damping=1e-3)
    net.add("V2", "voltage_source", ["speed"], voltage="shaft.angular_velocity")
    return net


def buck() -> Network:
    """A converter of 10 kHz, its switch closed for 40 of 100 us."""
    wave = "mod(t - 5e-7, 1e-4) < 4e-5"
    net = Network("buck")
    net.add("V1", "voltage_source", ["in"], voltage=24.0)
    net.add("S1", "switch", ["in", "x"], closed=wave, resistance=0.01, open_resistance=1e5)
    net.add("D1", "diode", ["ground", "x"], saturation=1e-9, voltage=0.03)
    net.add("L1", "inductor", ["x", "out"], inductance=5e-4)
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-4)
    net.add("R1", "resistor", ["out", "ground"], resistance=5.0)
    return net


_RC = "V1 in 0 SIN(0 10 50)\nR1 in out 100\nC1 out 0 10u IC=0\n"
CIRCUITS = (
    Circuit("RC", rc, _RC, "out", 1.0, 5e-5),
    Circuit("RLC", rlc, _RC + "L1 out end 0.1 IC=0\nC2 end 0 10u IC=0\nR2 end 0 1k", "end", 1.0, 5e-5),
    Circuit(
        "rectifier",
        rectifier,
        "V1 in 0 SIN(0 10 50)\nR1 in a 0.5\nD1 a out dm\n.model dm D(IS=1e-12 N=1.1599)\n"
        "C1 out 0 1m IC=0\nR2 out 0 100",
        *("out", 1.0, 5e-5),
    ),
    Circuit(
        "DC motor",
        motor,
        "V1 in 0 SIN(0 24 10)\nR1 in a 0.5\nL1 a b 1m IC=0\nE1 b c speed 0 0.1\nV2 c 0 0\nF1 0 speed V2 0.1\n"
        "C1 speed 0 1m IC=0\nR2 speed 0 1k",
        *("speed", 1.0, 5e-5),
    ),
    Circuit(
        "buck",
        buck,
        "V1 in 0 24\nS1 in x g 0 sw\nV2 g 0 PULSE(0 1 0 1u 1u 39u 100u)\n.model sw SW(VT=0.5 RON=0.01 ROFF=1e5)\n"
        "D1 0 x dm\n.model dm D(IS=1e-9 N=1.1599)\nL1 x out 500u IC=0\nC1 out 0 100u IC=0\nR1 out 0 5",
        *("out", 0.02, 5e-7),
        jumps=True,
    ),
)


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


def grids() -> bool:
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
    return met("growth of the time per step with the number of nodes, exponent", growth, 1.3)


def circuits() -> bool:
    """Small circuits with fixed steps, beside ngspice where it is at hand; whether each keeps the aim."""
    ngspice = shutil.which("ngspice")
    if ngspice is None:
        print("ngspice is not installed; apt-get install ngspice gives the ratios")
    print(f"{'circuit':>12} {'unknowns':>9} {'steps':>7} {'ours us':>8} {'ngspice us':>11} {'ratio':>6} {'apart':>9}")
    kept = True
    for circuit in CIRCUITS:
        system = circuit.network().compile()
        ours, steps, mine = fastest(partial(own, system, circuit))
        row = f"{circuit.name:>12} {system.n:>9} {steps:>7} {1e6 * ours:>8.2f}"
        if ngspice is None:
            print(row)
            continue
        theirs, _, other = fastest(partial(spice, circuit))
        apart = float(np.abs(mine - other).max() / np.abs(mine).max())
        print(f"{row} {1e6 * theirs:>11.2f} {ours / theirs:>6.2f} {apart:>9.1e}")
        if apart > AGREE:
            print(f"  the answers differ by {apart:.1e} of the largest voltage: no ratio counts")
            kept = False
            continue
        kept &= met(f"{circuit.name}, time per accepted step over that of ngspice", ours / theirs, 1.0)
    return kept


Timed = tuple[float, int, Array]  # seconds per step, steps, voltages at the times of LOOKS


def fastest(timed: Callable[[], Timed]) -> Timed:
    """The best of some rounds."""
    return min((timed() for _ in range(ROUNDS)), key=lambda one: one[0])


def own(system: NetworkSystem, circuit: Circuit) -> Timed:
    """A run of ours that keeps all voltages at every step, as ngspice does."""
    names = tuple(f"{one.name}.voltage" for one in system.unknowns if f"{one.name}.voltage" in system.places)
    record = Record(channels=names, coordinates=False)
    lengths: dict[str, Any] = {"rtol": 1e-3, "step_max": circuit.step} if circuit.jumps else {"step": circuit.step}
    began = time.process_time()
    result = system.simulate(circuit.t_end, method="bdf2", record=record, **lengths)
    seconds = time.process_time() - began
    steps = int(result.statistics["steps"][-1])
    return seconds / steps, steps, np.interp(circuit.looks, result.t, result[f"{circuit.node}.voltage"])


def spice(circuit: Circuit) -> Timed:
    """A run of ngspice with steps of that length at most: its processor time less that of a hundredth of the run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (whole, steps), (start, few) = (spiced(circuit, folder, share) for share in (1.0, 0.01))
        spiced(circuit, folder, 1.0, f"wrdata {folder / 'out.txt'} v({circuit.node})")
        t, v = np.loadtxt(folder / "out.txt").T[:2]
    return (whole - start) / (steps - few), steps, np.interp(circuit.looks, t, v)


def spiced(circuit: Circuit, folder: Path, share: float, more: str = "") -> tuple[float, int]:
    """Processor time and accepted steps of a share of a run."""
    deck = folder / "circuit.cir"
    control = f"tran {circuit.step} {share * circuit.t_end} 0 {circuit.step} uic\n{more}\nrusage everything"
    text = f"{circuit.name}\n{circuit.deck}\n.control\nset numdgt=12\n{control}\n.endc\n.end\n"
    deck.write_text(text, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, check=False).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    accepted = re.search(r"Accepted timepoints\D+(\d+)", said)
    if accepted is None:
        raise SystemExit(f"ngspice did not say how many steps of '{circuit.name}' it accepted")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(accepted[1])


def main() -> int:
    np.seterr(all="ignore")
    kept = grids()
    return 0 if circuits() & kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
