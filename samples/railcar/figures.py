"""Figures of the study: shapes, accelerations over speed, spectra, parts of the forms, frame forces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import floatframe as ff
from floatframe.samples.railcar.model import HALF, SIDE
from floatframe.samples.railcar.runs import FORMS, POINTS
from floatframe.viewer.plots.style import COLOURS, label, saved_figure

if TYPE_CHECKING:
    from floatframe.fem import FEModel
    from floatframe.samples.railcar.study import Study

MOST = max(FORMS)
_COLOUR = dict(zip(FORMS, COLOURS, strict=False))
_SHOWN = 9  # shapes the source names
_LARGEST = 0.8  # drawn displacement [m]


def draw(folder: Path, study: Study, standing: FEModel) -> dict[str, Path]:
    """Draw all figures into a folder; return them by caption. `standing` is the body on its springs."""
    return {
        "forms of the vehicle, wheelsets held by the rails": _shapes(folder / "forms.png", study, standing),
        "vertical acceleration over speed": _over_speed(folder / "accelerations.png", study),
        "spectral density under mid-saloon": _spectra(folder / "spectrum.png", study),
        "parts of the forms under mid-saloon": _parts(folder / "parts.png", study),
        "frame forces in the curve": _frame_forces(folder / "frame-forces.png", study),
    }


def _shapes(path: Path, study: Study, standing: FEModel) -> Path:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    modes = ff.modal.eigenmodes(standing, n=_SHOWN)
    shapes = standing.expand(modes.shapes)[:, :3]
    panels = np.concatenate([block.connectivity for block in standing.blocks if block.kind == "shell4"])
    with saved_figure(path, 14.0, 8.0) as figure:
        for k, (name, (frequency, _)) in zip(range(_SHOWN), study.frequencies.items(), strict=False):
            axes: Any = figure.add_subplot(3, 3, k + 1, projection="3d")
            place = standing.nodes + shapes[:, :, k] * (_LARGEST / np.abs(shapes[:, :, k]).max())
            axes.add_collection3d(
                Poly3DCollection(place[panels], facecolor="#b9d0e6", edgecolor="#1f5f99", linewidth=0.2)
            )
            axes.set(
                xlim=(-HALF, HALF), ylim=(-2 * SIDE, 2 * SIDE), zlim=(-1.0, 3.2), title=f"{frequency:.2f} Hz {name}"
            )
            axes.set_box_aspect((2 * HALF, 4 * SIDE, 4.2), zoom=1.05)
            axes.view_init(18, -55)
            axes.set_axis_off()
    return path


def _over_speed(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 8.0) as figure:
        rows = figure.subplots(len(POINTS), sharex=True)
        for axes, (point, where) in zip(rows, POINTS.items(), strict=True):
            for forms in FORMS:
                values = study.rms(forms, point)
                axes.plot(study.speeds, values, "o-", color=_COLOUR[forms], label=f"{forms} forms")
            axes.set(title=where, ylabel=label("RMS", "m/s²"), ylim=(0, None))
        rows[0].legend(loc="upper left")
        rows[-1].set_xlabel(label("speed", "km/h"))
    return path


def _spectra(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 4.5) as figure:
        axes = figure.add_subplot()
        for forms in FORMS:
            ride = study.rides[forms, study.speeds[-1]]
            found = ff.signals.psd(ride.t, ride.acceleration["middle"][:, 2], segment=min(5.0, np.ptp(ride.t) / 2))
            shown = (found.frequency > 0.3) & (found.frequency < 30.0)
            axes.semilogy(found.frequency[shown], found.density[shown], color=_COLOUR[forms], label=f"{forms} forms")
        axes.set(
            title=f"{POINTS['middle']} at {study.speeds[-1]:g} km/h",
            xlabel=label("frequency", "Hz"),
            ylabel=label("density", "(m/s²)²/Hz"),
            ylim=(1e-6, None),
        )
        axes.legend()
    return path


def _parts(path: Path, study: Study) -> Path:
    parts = study.parts()
    with saved_figure(path, 9.0, 4.0) as figure:
        axes = figure.add_subplot()
        axes.bar(np.arange(1, parts.size + 1), parts, color=COLOURS[0])
        axes.set(
            title=f"{POINTS['middle']} at {study.speeds[-1]:g} km/h: {study.forms_that_matter()} of {MOST} matter",
            xlabel="form (1 to 6: the rigid body)",
            ylabel=label("RMS of the part", "m/s²"),
        )
    return path


def _frame_forces(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 6.0) as figure:
        rows = figure.subplots(2, sharex=True)
        for axes, runs, title in zip(rows, (study.smooth, study.irregular), ("smooth", "irregular"), strict=True):
            for forms, run in runs.items():
                axes.plot(run.t, run.force / 1e3, color=_COLOUR[forms], label=f"{forms} forms", linewidth=0.9)
            axes.set(title=f"{title} curve, R = 300 m, 80 km/h", ylabel=label("frame force", "kN"))
            axes.margins(x=0)
        rows[0].legend(loc="lower right")
        rows[-1].set_xlabel(label("time", "s"))
    return path
