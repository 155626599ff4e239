"""How the quantities of `Design` were found: least squares on the published frequencies.

Targets are the frequencies of the body on its springs, wheelsets at rest, each found by its shape (`naming`), not by
its number; the 24th and the 70th are known by number only. Unknowns are the logarithms of the quantities of `Design`,
held near their start by a weak pull: what the targets do not tell apart stays where an engineer put it.

    python -m floatframe.samples.railcar.tuning
"""

from __future__ import annotations

from dataclasses import asdict, fields

import numpy as np
from scipy.optimize import least_squares

from floatframe.arrays import Array
from floatframe.modal import Modes, eigenmodes
from floatframe.samples.railcar.design import Design
from floatframe.samples.railcar.model import SIDE, build, on_springs
from floatframe.samples.railcar.naming import deck_motion

#: Mikheev (2004), table 3.3 and the text below it [Hz]
PUBLISHED = {
    "lower sway": 0.92,
    "pitch": 1.04,
    "yaw": 1.15,
    "bounce": 1.30,
    "longitudinal": 1.37,
    "upper sway": 1.51,
    "torsion": 2.98,
    "bending": 6.02,
    "lateral bending with torsion": 6.32,
    "24th": 12.0,
    "70th": 22.0,
}
START = Design(1.9e5, 1.9e5, 1.9e5, 0.95, -0.2, 1500.0, 0.30, 0.012, 3e8, 4e8, 2e9, 2000.0)
PULL = 0.02  # weight of a change of one natural logarithm, beside relative errors of frequencies


def named_modes(design: Design) -> tuple[Modes, dict[str, int]]:
    """Return 70 modes of the body on its springs and the numbers, from 0, of those the source names."""
    standing = on_springs(build(design), design)
    modes = eigenmodes(standing, n=70)
    motion = deck_motion(standing, standing.expand(modes.shapes), SIDE)
    rigid = np.arange(modes.frequency.size) < 6

    def most(part: str, among: Array) -> int:
        return int(np.argmax(np.where(among, motion.parts[part], 0.0)))

    sway = (motion.share("lateral") + motion.share("roll")) * rigid
    lower, upper = sorted(int(k) for k in np.argsort(sway)[-2:])
    number = {"lower sway": lower, "upper sway": upper, "24th": 23, "70th": 69}
    number |= {name: most(name, rigid) for name in ("pitch", "yaw", "bounce", "longitudinal")}
    number |= {name: most(name, ~rigid) for name in ("torsion", "bending")}
    number["lateral bending with torsion"] = most("lateral bending", ~rigid)
    return modes, {name: number[name] for name in PUBLISHED}


def errors(design: Design) -> Array:
    """Return the relative errors of the published frequencies (11,)."""
    modes, number = named_modes(design)
    return np.array([modes.frequency[number[name]] / value - 1.0 for name, value in PUBLISHED.items()])


def tune(start: Design = START, rounds: int = 12) -> Design:
    """Return the design with the least squares of errors, to four digits, by about `rounds` · 13 modal analyses."""
    names = [field.name for field in fields(Design)]
    given = np.array([getattr(start, name) for name in names])

    def moved(change: Array) -> Design:
        return Design(**dict(zip(names, given * np.exp(change), strict=True)))

    found = least_squares(
        lambda change: np.concatenate([errors(moved(change)), PULL * change]),
        np.zeros(given.size),
        diff_step=1e-2,
        bounds=(-1.5, 1.5),
        max_nfev=rounds,
        xtol=1e-4,
    )
    return Design(*(float(f"{value:.4g}") for value in given * np.exp(found.x)))


if __name__ == "__main__":
    best = tune()
    for name, value in asdict(best).items():
        print(f"{name:14} {value:.4g}")
    modes, number = named_modes(best)
    for name, value in PUBLISHED.items():
        k = number[name]
        print(f"{k + 1:3} {name:30} {modes.frequency[k]:7.3f} Hz, published {value:5.2f}")
