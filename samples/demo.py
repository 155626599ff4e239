"""The whole path: mesh a beam, check it, reduce it to input.fum, let it run as the rod of a slider-crank, draw.

`floatframe demo` prints what `run` returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from scipy.optimize import brentq

import floatframe as ff
from floatframe.samples.beam import build
from floatframe.samples.slider_crank import study


@dataclass(frozen=True)
class Check:
    """A number known from theory and ours."""

    quantity: str
    unit: str
    theory: float
    ours: float

    @property
    def error(self) -> float:
        return self.ours / self.theory - 1.0


@dataclass(frozen=True)
class Outcome:
    """What the demo found and wrote; `no_picture` says why pictures are missing, if they are."""

    checks: tuple[Check, ...]
    mechanism: study.Study
    files: tuple[Path, ...]
    no_picture: str = ""


def run(folder: Path, say: Callable[[str], None] = lambda text: None) -> Outcome:
    """Build the beam, bend it, find its modes clamped at one end, then run the slider-crank; all files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    say("sample beam")
    fe = build()
    load = 10.0  # N, about the weight of the beam
    bent = ff.modal.solve_static(fe, loads={("end", "uz"): -load}, fixed=["start"])
    modes = ff.modal.eigenmodes(fe, n=6, fixed=["start"])

    model_file, modes_file = folder / "beam.h5", folder / "beam-modes.h5"
    ff.io.write(model_file, fe)
    ff.io.write(modes_file, ff.io.NodalModes.of(fe, modes))
    pictures = {folder / "beam-static.png": "static", **{folder / f"beam-mode-{k}.png": k for k in (1, 3, 5)}}
    no_picture = ""
    try:
        for path, what in pictures.items():
            if isinstance(what, int):
                ff.viewer.mode_picture(fe, modes, path, what)
            else:
                ff.viewer.picture(fe, path, bent, title=f"beam clamped at one end, {load:g} N at the other")
    except ff.MissingDependency as error:
        no_picture, pictures = str(error), {}
    checks = (*_deflection(fe, load, bent), *_frequencies(fe, modes.frequency))
    mechanism = study.run(folder, say)
    files = dict.fromkeys((model_file, modes_file, *pictures, *mechanism.files))
    return Outcome(checks, mechanism, tuple(files), no_picture)


def _deflection(fe: ff.fem.FEModel, load: float, displacement: np.ndarray) -> Iterator[Check]:
    """Yield the tip deflection against P L³ / 3 E I."""
    steel, section, length = _beam_of(fe)
    tip = -displacement[fe.node_index(fe.node_sets["end"])[0], 2]
    yield Check("tip deflection", "mm", 1e3 * load * length**3 / (3 * steel.E * section.Iy), 1e3 * tip)


def _frequencies(fe: ff.fem.FEModel, ours: np.ndarray) -> Iterator[Check]:
    """Yield the bending frequencies against Euler–Bernoulli; a square section has each of them twice."""
    steel, section, length = _beam_of(fe)
    wave_speed = math.sqrt(steel.E * section.Iy / (steel.rho * section.A))
    for k, frequency in enumerate(ours):
        middle = (k // 2 + 0.5) * math.pi  # cos x cosh x = -1 has one root near each of these
        root = brentq(lambda x: math.cos(x) + 1.0 / math.cosh(x), middle - 0.6, middle + 0.6, xtol=1e-14)
        theory = (root / length) ** 2 * wave_speed / (2 * math.pi)
        yield Check(f"mode {k + 1}", "Hz", theory, float(frequency))


def _beam_of(fe: ff.fem.FEModel) -> tuple[ff.fem.Material, ff.fem.BeamSection, float]:
    """Return material, section and length of the beam."""
    block = fe.blocks[0]
    return cast(ff.fem.Material, block.material), cast(ff.fem.BeamSection, block.section), float(np.ptp(fe.nodes[:, 0]))
