"""A picture of a railway track: plan, curvature, cant, elevation, irregularities and their spectra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.railway import QUANTITIES, RailSpectrum, Track, rail_spectra
from floatframe.viewer.curves import thinned
from floatframe.viewer.plots.style import COLOURS, PathLike, label, saved_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from floatframe.arrays import Array, BoolArray
    from floatframe.railway import TrackFrame

_POINTS = 2001  # of the curves along the smooth track
_TICKS = 8  # distances that are marked in the plan, about
_DECADES = 6.0  # shown below the largest density


def plot_track(track: Track, path: PathLike, title: str = "") -> Path:
    """Draw plan, curvature, cant and elevation of a track; with irregularities these and their spectra too."""
    s = np.linspace(track.layout.start, track.end, _POINTS)
    frame = track.frame(s)
    spectra = rail_spectra(track) if track.irregularities else {}
    rows: Any = [["plan"] * 2 + ["curvature"] * 2, ["plan"] * 2 + ["cant"] * 2, ["height"] * 2 + ["gradient"] * 2]
    heights = [1.0, 1.0, 1.0]
    if spectra:
        rows += [["heights"] * 2 + ["differences"] * 2, [f"{name} spectrum" for name in QUANTITIES]]
        heights += [1.0, 1.4]
    with saved_figure(path, 11.0, 2.0 * sum(heights) + 0.6, title or track.name) as figure:
        axes = figure.subplot_mosaic(rows, height_ratios=heights)
        _draw_plan(axes["plan"], frame)
        _draw_along(axes["curvature"], s, {"": 1e3 * frame.curvature}, "curvature", "1/km")
        widening = 1e3 * (frame.gauge - track.gauge)
        cants = {"cant, right over left": 1e3 * frame.cant} | ({"widening": widening} if widening.any() else {})
        _draw_along(axes["cant"], s, cants, "cant", "mm")
        _draw_along(axes["height"], s, {"": frame.p[:, 2]}, "height", "m")
        _draw_along(axes["gradient"], s, {"": 1e3 * frame.gradient}, "gradient", "‰")
        if spectra:
            _draw_irregularities(axes, track, spectra)
    return Path(path)


def _draw_plan(axes: Axes, frame: TrackFrame) -> None:
    x, y = frame.p[:, 0], frame.p[:, 1]
    axes.plot(x, y, linewidth=2.0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel=label("x", "m"), ylabel=label("y", "m"), title="plan, with distances in m")
    axes.ticklabel_format(style="plain", useOffset=False)
    length = frame.s[-1] - frame.s[0]
    every = _round_step(length / _TICKS)
    marks = np.arange(np.ceil(frame.s[0] / every), np.floor(frame.s[-1] / every) + 1) * every
    for mark in marks:
        k = int(np.abs(frame.s - mark).argmin())
        axes.plot(x[k], y[k], "o", color=COLOURS[1], markersize=4)
        beside = (-11.0 * np.sin(frame.heading[k]), 11.0 * np.cos(frame.heading[k]))
        axes.annotate(
            f"{mark:.10g}", (x[k], y[k]), beside, textcoords="offset points", ha="center", va="center", fontsize=8
        )


def _draw_along(axes: Axes, s: Array, curves: dict[str, Array], quantity: str, unit: str) -> None:
    """Draw curves over the distance."""
    for name, value in curves.items():
        axes.plot(*thinned(s, value), label=name, linewidth=0.9 if len(s) > _POINTS else 1.2)
    axes.margins(x=0)
    axes.set(ylabel=label(quantity, unit), xlabel=label("distance", "m"))
    axes.ticklabel_format(axis="x", style="plain", useOffset=False)
    largest = max(float(np.abs(value).max()) for value in curves.values())
    if largest < 1e-9:
        axes.set_ylim(-1.0, 1.0)
    if len(curves) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1, ncols=2)


def _draw_irregularities(axes: dict[str, Axes], track: Track, spectra: dict[str, RailSpectrum]) -> None:
    s, quantities = track.rails.s, track.rails.quantities
    for place, names in (("heights", QUANTITIES[:2]), ("differences", QUANTITIES[2:])):
        shown = {name.replace("_", " "): 1e3 * quantities[name] for name in names}
        _draw_along(axes[place], s, shown, "irregularity", "mm")
    for name in QUANTITIES:
        one = axes[f"{name} spectrum"]
        one.set_title(name.replace("_", " "))
        if name in spectra and (_shown(spectra[name]).sum() > 2):
            _draw_spectrum(one, spectra[name])
        else:
            one.text(0.5, 0.5, "no waves", transform=one.transAxes, ha="center")
            one.set(xticks=[], yticks=[])
    axes[f"{QUANTITIES[0]} spectrum"].set_ylabel(label("density", "m²/(rad/m)"))


def _draw_spectrum(axes: Axes, found: RailSpectrum) -> None:
    shown = _shown(found)
    axes.set_xlabel(label("Ω", "rad/m"))
    axes.loglog(found.omega[shown], found.density[shown], linewidth=0.9, label="of the rails")
    inside = found.target > 0.0
    if inside.any():
        axes.loglog(found.omega[inside], found.target[inside], linewidth=1.6, label="target")
        low, high = found.target[inside].min() / 30.0, found.target[inside].max() * 30.0
        axes.set_ylim(low, high)
        axes.set_xlim(0.7 * found.omega[inside].min(), 1.5 * found.omega[inside].max())
        axes.legend(loc="lower left")


def _shown(found: RailSpectrum) -> BoolArray:
    """Return which densities are not too small to be drawn."""
    return found.density > found.density.max() / 10**_DECADES


def _round_step(size: float) -> float:
    """Return 1, 2 or 5 times a power of ten near a size."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(power * next(k for k in (1, 2, 5, 10) if k * power >= 0.8 * size))
