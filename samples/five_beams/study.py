"""Frequencies of a beam in five supports: one input.fum, one model, the table beside theory and the published values.

Study and published figures are those of Mikheev (2004, §3.2.1, table 3.1).
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.beam import build

HERE = Path(__file__).parent
E, DENSITY, LENGTH, SIDE = 2.1e11, 7800.0, 2.0, 0.02
WHOLE = 0.999  # share of the kinetic energy that a mode of one beam has in it
PAIR = 1e-3  # relative distance of the frequencies in the two planes
LOWEST = 1.0  # Hz, above the motions on the soft bushings
#: by body: published frequencies [Hz], as printed
PUBLISHED = {
    "free": ("26.66", "73.47"),
    "clamped_clamped": ("26.66", "73.49"),
    "clamped_free": ("4.191", "26.26", "73.51", "144.02"),
    "hinged_hinged": ("11.76", "47.04", "105.82", "188.08", "293.76", "422.82"),
    "clamped_hinged": ("18.38", "59.54", "124.20"),
}
#: characteristic functions of x = beta L, and where their k-th root is alone: about so many half turns
EQUATIONS: dict[str, tuple[Callable[[float], float], float]] = {
    "free": (lambda x: np.cos(x) - 1.0 / np.cosh(x), 0.5),
    "clamped_clamped": (lambda x: np.cos(x) - 1.0 / np.cosh(x), 0.5),
    "clamped_free": (lambda x: np.cos(x) + 1.0 / np.cosh(x), -0.5),
    "hinged_hinged": (np.sin, 0.0),
    "clamped_hinged": (lambda x: np.sin(x) - np.cos(x) * np.tanh(x), 0.25),
}


@dataclass(frozen=True)
class Row:
    """A bending frequency of one beam [Hz]; it appears in both planes."""

    beam: str
    mode: int
    theory: float  # Euler and Bernoulli
    published: str
    found: tuple[float, float]

    @property
    def error(self) -> float:
        """Of ours against theory, relative."""
        return max((value / self.theory - 1.0 for value in self.found), key=abs)

    @property
    def published_error(self) -> float:
        return float(self.published) / self.theory - 1.0


@dataclass(frozen=True)
class Study:
    """The rows of the table, and the files written."""

    rows: tuple[Row, ...]
    files: tuple[Path, ...]


def theory(beam: str, mode: int) -> float:
    """Return a bending frequency [Hz] of a beam of Euler and Bernoulli, modes counted from 1."""
    function, offset = EQUATIONS[beam]
    about = (mode + offset) * np.pi
    x = brentq(function, about - 0.3 * np.pi, about + 0.3 * np.pi, xtol=1e-13)
    return float((x / LENGTH) ** 2 * np.sqrt(E * SIDE**2 / (12.0 * DENSITY)) / (2.0 * np.pi))


def bending(frequency: Array, kinetic: Array) -> list[tuple[float, float]]:
    """Return the pairs of frequencies of the modes that are in one beam; torsion and extension come alone.

    kinetic (nmode,): share of the beam in the kinetic energy of each mode.
    """
    own = frequency[(kinetic > WHOLE) & (frequency > LOWEST)]
    return [(float(f), float(g)) for f, g in pairwise(own) if g - f < PAIR * g]


def run(folder: Path, say: Callable[[str], None] = lambda text: None) -> Study:
    """Reduce the beam, put it into the model five times, compute the frequencies; `say` hears what is being done."""
    folder.mkdir(parents=True, exist_ok=True)
    say("reducing the beam")
    body, file = folder / "input.fum", folder / "five_beams.toml"
    ff.io.write(body, ff.modal.reduce(build(density=DENSITY), interface=[1, 201], n_modes=20))
    shutil.copyfile(HERE / file.name, file)
    say("frequencies of the five beams")
    modes = ff.hybrid.read_model(file).model.compile().linearise(up_to=1000.0)
    rows = []
    for beam, published in PUBLISHED.items():
        pairs = bending(modes.frequency, modes.kinetic[modes.bodies.index(beam)])
        for k, printed in enumerate(published):
            rows.append(Row(beam, k + 1, theory(beam, k + 1), printed, pairs[k]))
    numbers = folder / "frequencies.csv"
    with open(numbers, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["beam", "mode", "theory_hz", "published_hz", "first_plane_hz", "second_plane_hz"])
        writer.writerows([row.beam, row.mode, f"{row.theory:.6f}", row.published, *row.found] for row in rows)
    return Study(tuple(rows), (body, file, numbers))


def table(study: Study) -> str:
    """Return the frequencies beside theory and the published ones, with both errors."""
    heads = ("theory [Hz]", "published", "ours", "published, error", "ours, error")
    lines = [f"{'beam':<17}{'mode':>4}" + "".join(f"{head:>18}" for head in heads)]
    for row in study.rows:
        errors = f"{100 * row.published_error:17.3f}%{100 * row.error:17.3f}%"
        lines.append(f"{row.beam:<17}{row.mode:>4}{row.theory:18.4f}{row.published:>18}{row.found[0]:18.4f}{errors}")
    return "\n".join(lines)
