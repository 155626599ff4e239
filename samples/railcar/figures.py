"""Figures of the study, each standing for one of Mikheev: shapes, frame forces, accelerations, spectra, parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import floatframe as ff
from floatframe.arrays import Array
from floatframe.samples.railcar.cases import CURVE_SPEED, FEWEST, FORMS, MIDDLE, MOST, SEEDS
from floatframe.samples.railcar.findings import FRAME_FORCE
from floatframe.samples.railcar.model import HALF, SIDE
from floatframe.samples.railcar.runs import POINTS, TREND, Run
from floatframe.viewer.plots.style import COLOURS, label, saved_figure

if TYPE_CHECKING:
    from floatframe.fem import FEModel
    from floatframe.samples.railcar.study import Study

_COLOUR = dict(zip(FORMS, COLOURS, strict=False))
_SHOWN = 9  # shapes the source names
_LARGEST = 0.8  # drawn displacement [m]
_SECONDS = 10.0  # of a rough run that are shown


def draw(folder: Path, study: Study, standing: FEModel) -> dict[str, Path]:
    """Draw all figures into a folder; return them by caption. `standing` is the body on its springs."""
    curve = f"in the curve of 300 m at {CURVE_SPEED:g} km/h"
    top = f"at {study.speeds[-1]:g} km/h"
    return {
        "Table 3.3: forms of the vehicle, wheelsets held by the rails": _shapes(folder / "forms.png", study, standing),
        f"Figure 3.13: frame forces of the front wheelset {curve}, smooth": _frame_forces(
            folder / "figure-3.13-smooth-curve.png", study, lambda run: run.force["front"], smooth=True
        ),
        f"Figure 3.14: frame forces of the front wheelset {curve}, rough": _frame_forces(
            folder / "figure-3.14-rough-curve.png", study, lambda run: run.force["front"]
        ),
        f"Figure 3.15: the same without what is slower than {TREND:g} Hz": _frame_forces(
            folder / "figure-3.15-without-trend.png", study, lambda run: run.without_trend()
        ),
        "Figure 3.16: vertical acceleration of the frame over speed, straight rough track": _over_speed(
            folder / "figure-3.16-accelerations.png", study
        ),
        f"Figure 3.17: spectral density under mid-saloon {top}": _spectra(folder / "figure-3.17-spectrum.png", study),
        f"Figure 3.18: parts of the forms under mid-saloon {top}": _parts(folder / "figure-3.18-parts.png", study),
        f"Change of the frame force {curve}, rough, for each seed of the irregularities": _seeds(
            folder / "frame-force-seeds.png", study
        ),
    }


def _shapes(path: Path, study: Study, standing: FEModel) -> Path:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    modes = ff.modal.eigenmodes(standing, n=_SHOWN)
    shapes = standing.expand(modes.shapes)[:, :3]
    panels = np.concatenate([block.connectivity for block in standing.blocks if block.kind == "shell4"])
    with saved_figure(path, 12.0, 7.0) as figure:
        for k, (name, (frequency, _)) in zip(range(_SHOWN), study.frequencies.items(), strict=False):
            axes: Any = figure.add_subplot(3, 3, k + 1, projection="3d")
            place = standing.nodes + shapes[:, :, k] * (_LARGEST / np.abs(shapes[:, :, k]).max())
            axes.add_collection3d(
                Poly3DCollection(place[panels], facecolor="#b9d0e6", edgecolor="#1f5f99", linewidth=0.2, clip_on=False)
            )
            axes.set(
                xlim=(-HALF, HALF), ylim=(-2 * SIDE, 2 * SIDE), zlim=(-1.0, 3.2), title=f"{frequency:.2f} Hz {name}"
            )
            axes.set_box_aspect((2 * HALF, 4 * SIDE, 4.2), zoom=1.7)
            axes.view_init(18, -55)
            axes.set_axis_off()
    return path


def _frame_forces(path: Path, study: Study, of: Callable[[Run], Array], smooth: bool = False) -> Path:
    """Draw the frame force with all forms over time: smooth from the entry on, rough the first measured seconds."""
    with saved_figure(path, 9.0, 1.0 + 2.4 * len(study.vehicles)) as figure:
        rows = figure.subplots(len(study.vehicles), sharex=True, squeeze=False)[:, 0]
        for axes, (which, name) in zip(rows, study.vehicles.items(), strict=True):
            for forms in FORMS:
                run = study.run(forms, CURVE_SPEED, which, curved=True, smooth=smooth)
                begin = 0.0 if smooth else run.t[run.measured][0]
                shown = (run.t >= begin) & (run.t <= begin + (np.inf if smooth else _SECONDS))
                style = {6: "-", 24: "-", 70: "--"}[forms]
                axes.plot(
                    run.t[shown], of(run)[shown] / 1e3, style, color=_COLOUR[forms], label=f"{forms} forms", linewidth=1
                )
            axes.set(title=name, ylabel=label("frame force", "kN"))
            axes.margins(x=0)
        rows[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3)
        rows[-1].set_xlabel(label("time", "s"))
    return path


def _over_speed(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 8.0) as figure:
        rows = figure.subplots(len(POINTS), sharex=True)
        for axes, (point, where) in zip(rows, POINTS.items(), strict=True):
            for which, name in study.vehicles.items():
                for forms in FORMS:
                    style = "o-" if which == study.best else "x:"
                    values = study.rms(forms, point, which)
                    axes.plot(study.speeds, values, style, color=_COLOUR[forms], label=f"{forms} forms, {name}")
            axes.set(title=where, ylabel=label("RMS", "m/s²"), ylim=(0, None))
        rows[0].legend(loc="upper left", ncols=len(study.vehicles))
        rows[-1].set_xlabel(label("speed", "km/h"))
    return path


def _spectra(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 1.0 + 3.0 * len(study.vehicles)) as figure:
        rows = figure.subplots(len(study.vehicles), sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, (which, name) in zip(rows, study.vehicles.items(), strict=True):
            for forms in FORMS:
                run = study.run(forms, study.speeds[-1], which)
                t, y = run.t[run.measured], run.acceleration["middle"][run.measured]
                found = ff.signals.psd(t, y, segment=min(5.0, float(np.ptp(t)) / 2))
                shown = (found.frequency > 0.3) & (found.frequency < 30.0)
                axes.semilogy(
                    found.frequency[shown], found.density[shown], color=_COLOUR[forms], label=f"{forms} forms"
                )
            axes.set(title=name, ylabel=label("density", "(m/s²)²/Hz"), ylim=(1e-5, None))
        rows[0].legend(loc="lower left")
        rows[-1].set_xlabel(label("frequency", "Hz"))
    return path


def _parts(path: Path, study: Study) -> Path:
    with saved_figure(path, 9.0, 4.0) as figure:
        axes = figure.add_subplot()
        width = 0.8 / len(study.vehicles)
        for k, (which, name) in enumerate(study.vehicles.items()):
            parts = study.parts(which)
            place = np.arange(1, parts.size + 1) + width * (k - (len(study.vehicles) - 1) / 2)
            count = study.forms_that_matter(which)
            axes.bar(place, parts, width, color=COLOURS[k], label=f"{name}: {count} of {MOST} matter")
        axes.set(xlabel="form (1 to 6: the rigid body)", ylabel=label("RMS of the part", "m/s²"))
        axes.margins(x=0.01)
        axes.legend(loc="upper right")
    return path


def _seeds(path: Path, study: Study) -> Path:
    """Draw how much the frame force rises with 24 and 70 forms for each seed, beside the published rise."""
    with saved_figure(path, 9.0, 3.5) as figure:
        axes = figure.add_subplot()
        for forms in (MIDDLE, MOST):
            for which, name in study.vehicles.items():
                raised = 100 * study.raised(forms, which)
                seeds = SEEDS[: raised.size]
                axes.plot(
                    seeds,
                    raised,
                    "o" if which == study.best else "x",
                    color=_COLOUR[forms],
                    label=f"{forms} forms, {name}",
                )
            published = 100 * (FRAME_FORCE[forms] / FRAME_FORCE[FEWEST] - 1)
            axes.axhline(published, color=_COLOUR[forms], linestyle="--", label=f"{forms} forms, published")
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set(xlabel="seed", ylabel=label("change of RMS from 6 forms", "%"), xticks=SEEDS)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return path
