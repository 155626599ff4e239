"""How three quantities are found: least squares on the three published frequencies of the assembled machine.

Height of the girders, height of the hopper's carrier and stiffness of the springs under the frame move second bending,
first bending and suspension, each mostly one of them. The modes are known by what they do (`named_modes`): in each of
three bands of frequencies the one with the largest part in the vertical vibration of point 4 in run-down, the shafts a
quarter of a turn apart so that all are excited. Whatever else is not published was chosen by hand. Places and dampers
that were chosen later moved the frequencies by less than half a percent; the suspension alone was set again then. The
optimum of all three would be closer by that, but halves the part of the first bending that table 3.5 has.

    python -m floatframe.samples.ballast_cleaner.tuning
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.optimize import least_squares

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.ballast_cleaner.machine import POINT, PUBLISHED, named_modes, prepare, simulated
from floatframe.samples.ballast_cleaner.model import Design

START = (1.46, 0.089, 3.1e6)  # height [m], carrier [m], suspension [N/m]
SHIFT = 90.0  # degrees between the shafts


def frequencies(height: float, carrier: float, suspension: float) -> Array:
    """Return the three frequencies of the machine (3,) [Hz], in the order of `PUBLISHED`."""
    design = replace(Design(), height=height, carrier=carrier)
    with TemporaryDirectory() as folder:
        machine = prepare(Path(folder), design)
        run = simulated(machine, {"suspension": suspension, "height": height, "phi": SHIFT, "work": 0.5})
        parts = ff.hybrid.contributions(run, POINT, start=5.5, at="start")
    return np.array([parts.frequency[k] for k in named_modes(parts).values()])


def tune(start: tuple[float, float, float] = START, rounds: int = 6) -> tuple[float, float, float]:
    """Return height, carrier and suspension to four digits, by about `rounds` · 4 machines."""
    wanted = np.array(list(PUBLISHED.values()))
    found = least_squares(
        lambda change: frequencies(*(np.array(start) * np.exp(change))) / wanted - 1.0,
        np.zeros(3),
        diff_step=1e-2,
        max_nfev=rounds,
        xtol=1e-3,
    )
    height, carrier, suspension = (float(f"{value:.4g}") for value in np.array(start) * np.exp(found.x))
    return height, carrier, suspension


if __name__ == "__main__":
    best = tune()
    print("height {} m, carrier {} m, suspension {:g} N/m".format(*best))
    for (name, published), ours in zip(PUBLISHED.items(), frequencies(*best), strict=True):
        print(f"{name:15} {ours:7.3f} Hz, published {published:5.2f}")
