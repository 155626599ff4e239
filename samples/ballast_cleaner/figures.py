"""Figures of the study, each standing for one of Mikheev: machine, maps, spectra, modes; and the regimes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.samples.ballast_cleaner.findings import MIDDLE
from floatframe.samples.ballast_cleaner.machine import MODELS, PUBLISHED
from floatframe.samples.ballast_cleaner.measures import DISPLACEMENT, POINTS, REGIMES, RMS, RUN_DOWN, UNIT, column
from floatframe.samples.ballast_cleaner.model import POINTS as PLACES
from floatframe.samples.ballast_cleaner.pictures import bending_pictures, machine_picture
from floatframe.samples.ballast_cleaner.study import PHASES, Study
from floatframe.signals import psd
from floatframe.viewer import plot_contributions, plot_sweep_map, rendering_problem
from floatframe.viewer.plots.style import label, saved_figure

HIGHEST = 16.0  # Hz, of the spectra
SEGMENT = 5.0  # s


def draw(folder: Path, study: Study) -> dict[str, Path]:
    """Draw all figures into a folder; return them by caption."""
    maps = {
        f"Figure 3.23: {quantity} of point {MIDDLE} in run-down over φ and α": plot_sweep_map(
            study.sweep, column(RUN_DOWN, MIDDLE, quantity), folder / f"figure-3.23-{number}.png"
        )
        for number, quantity in zip("ab", (DISPLACEMENT, RMS), strict=True)
    }
    parts = {phase: closer.parts.times(1e3, "mm") for phase, closer in study.closer.items()}
    bars = {
        f"Parts of modes at point {MIDDLE}, φ = {phase:.0f}°": plot_contributions(
            parts[phase].numbers,
            folder / f"parts-{phase:.0f}.png",
            parts[phase].frequency,
            unit="mm",
            title=f"φ = {phase:.0f}°, run-down",
            most=12,
        )
        for phase in PHASES
    }
    machine, bendings = _pictures(folder, study)
    return {
        **machine,
        **maps,
        f"Figure 3.24: spectral density at point {MIDDLE} in run-down": _spectra(folder / "figure-3.24.png", study),
        **bendings,
        **bars,
        "Largest vertical vibration along the girder": _along(folder / "girder.png", study),
    }


def _pictures(folder: Path, study: Study) -> tuple[dict[str, Path], dict[str, Path]]:
    """Draw the machine, and how its frame bends; nothing where solids cannot be drawn."""
    if rendering_problem():
        return {}, {}
    machine, parts = folder / MODELS[-1], study.closer[PHASES[0]].parts
    whole = machine_picture(machine, folder / "figure-3.22.png")
    shapes = bending_pictures(machine, [folder / f"figure-3.25-{k}.png" for k in (1, 2)], parts)
    return (
        {"Figure 3.22: the machine and its measuring points": whole},
        {f"Figure 3.25: {title}": path for title, path in shapes.items()},
    )


def _spectra(path: Path, study: Study) -> Path:
    """Draw the power spectral densities of the displacement; the dashed lines are the published frequencies."""
    with saved_figure(path, 9.0, 4.5) as figure:
        axes = figure.add_subplot()
        for phase, closer in study.closer.items():
            found = psd(closer.t, 1e3 * closer.y, SEGMENT)
            shown = (found.frequency > 0) & (found.frequency <= HIGHEST)
            axes.semilogy(found.frequency[shown], found.density[shown], label=f"φ = {phase:.0f}°")
        for frequency in PUBLISHED.values():
            axes.axvline(frequency, color="grey", linestyle="--", linewidth=0.8)
        axes.set(xlabel=label("frequency", "Hz"), ylabel=label("density", "mm²/Hz"))
        axes.margins(x=0)
        axes.legend()
    return path


def _along(path: Path, study: Study) -> Path:
    """Draw the largest values over the grid at the eight points, by regime."""
    with saved_figure(path, 9.0, 4.5) as figure:
        for axes, quantity in zip(figure.subplots(1, 2), (DISPLACEMENT, RMS), strict=True):
            for regime in REGIMES:
                largest = [float(np.nanmax(study.grid(regime, point, quantity))) for point in POINTS]
                axes.plot(PLACES, largest, marker="o", label=regime)
            axes.set(xlabel=label("from the rear end", "m"), ylabel=label(quantity, UNIT[quantity]))
            axes.set_ylim(bottom=0.0)
            axes.legend()
    return path
