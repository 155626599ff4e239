"""Plots of histories and what frequencies they hold, drawn by Matplotlib into files (.png, .svg, .pdf)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.signals import Spectrogram, psd, spectrum
from floatframe.viewer.curves import Curve, thinned
from floatframe.viewer.plots.style import COLOUR_MAP, Frame, PathLike, add_legend, density_unit, label, saved_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALLEST_DRIFT = 1e-18  # that is drawn: less is nothing
ALL = Frame()
_MEASURED = {
    "N": "force",
    "kN": "force",
    "N m": "torque",
    "kN m": "torque",
    "m": "displacement",
    "mm": "displacement",
    "rad": "angle",
    "°": "angle",
    "m/s": "speed",
    "rad/s": "angular velocity",
    "m/s2": "acceleration",
    "rad/s2": "angular acceleration",
    "J": "energy",
    "W": "power",
    "Pa": "stress",
    "MPa": "stress",
}
DECADES = 5.0  # shown below the largest density of a map


def plot_histories(curves: Sequence[Curve], path: PathLike, title: str = "", frame: Frame = ALL) -> Path:
    """Draw signals over time; those of one unit share a diagram."""

    def draw(axes: Axes, curve: Curve) -> None:
        axes.plot(*thinned(curve.t, curve.y), label=curve.name)

    return _by_unit(curves, path, title, "time", "s", draw, lambda unit: unit, "", frame)


def plot_drift(runs: Sequence[tuple[str, Array, Array, Array]], path: PathLike, title: str = "") -> Path:
    """Draw drift of constraints and of their speeds over time, logarithmic; runs: name, times, and both."""
    with saved_figure(path, 8.0, 6.5, title) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True)
        for number, (name, t, drift, velocity_drift) in enumerate(runs):
            style = ("-", "--", ":")[number % 3]
            for axes, values in ((upper, drift), (lower, velocity_drift)):
                shown = np.maximum.accumulate(np.nan_to_num(values, posinf=0.0))
                visible = shown > SMALLEST_DRIFT
                axes.semilogy(*thinned(t[visible], shown[visible]), style, label=name)
        upper.set_ylabel(label("drift so far", "m, rad"))
        lower.set_ylabel(label("drift of speeds so far", "m/s, rad/s"))
        lower.set_xlabel(label("time", "s"))
        add_legend(upper, len(runs))
    return Path(path)


def plot_spectra(
    curves: Sequence[Curve],
    path: PathLike,
    title: str = "",
    window: str = "hann",
    highest: float | None = None,
    frame: Frame = ALL,
) -> Path:
    """Draw the amplitudes of signals over frequency, up to the `highest` [Hz] if given."""

    def draw(axes: Axes, curve: Curve) -> None:
        found = spectrum(curve.t, curve.y, window)
        shown = slice(1, _up_to(found.frequency, highest))
        axes.plot(*thinned(found.frequency[shown], found.amplitude[shown]), label=curve.name)
        highest_line = max(float(np.max(line.get_ydata())) for line in axes.lines)
        axes.set_ylim(0.0 if "y" not in frame.log else None, 1.05 * highest_line or 1.0)

    return _by_unit(curves, path, title, "frequency", "Hz", draw, lambda unit: unit, "amplitude", frame)


def plot_psd(
    curves: Sequence[Curve],
    path: PathLike,
    title: str = "",
    segment: float | None = None,
    highest: float | None = None,
    frame: Frame = ALL,
) -> Path:
    """Draw the power spectral densities of signals (Welch, pieces of `segment` seconds), up to the `highest` [Hz]."""

    def draw(axes: Axes, curve: Curve) -> None:
        found = psd(curve.t, curve.y, segment)
        shown = slice(1, _up_to(found.frequency, highest))
        axes.semilogy(found.frequency[shown], found.density[shown], label=curve.name)

    return _by_unit(curves, path, title, "frequency", "Hz", draw, density_unit, "power density", frame)


def plot_spectrogram(
    found: Spectrogram, path: PathLike, name: str = "", unit: str = "", title: str = "", highest: float | None = None
) -> Path:
    """Draw a map of power spectral density over time and frequency, its colours over `DECADES` powers of ten."""
    from matplotlib.colors import LogNorm

    shown = slice(0, _up_to(found.frequency, highest))
    top = float(found.density[shown].max()) or 1.0
    floor = top / 10**DECADES
    with saved_figure(path, 8.0, 4.5, title) as figure:
        axes = figure.add_subplot()
        density = np.maximum(found.density[shown], floor)
        image = axes.pcolormesh(found.t, found.frequency[shown], density, norm=LogNorm(floor, top), cmap=COLOUR_MAP)
        image.set_rasterized(True)  # in .svg and .pdf one picture instead of a million rectangles
        axes.grid(False)
        axes.set(xlabel=label("time", "s"), ylabel=label("frequency", "Hz"), title=name)
        figure.colorbar(image, ax=axes, label=label("density", density_unit(unit)), pad=0.02)
    return Path(path)


def plot_waterfall(
    found: Spectrogram, path: PathLike, name: str = "", unit: str = "", title: str = "", highest: float | None = None
) -> Path:
    """Draw the root densities of the pieces of a history one behind the other, time going up."""
    shown = slice(0, _up_to(found.frequency, highest))
    # about forty lines can be distinguished
    every = max(1, len(found.t) // 40)
    times, height = found.t[::every], np.sqrt(found.density[shown, ::every])
    apart = np.ptp(times) / max(len(times) - 1, 1) or 1.0
    scale = 4 * apart / (height.max() or 1.0)
    with saved_figure(path, 8.0, 5.5, title) as figure:
        axes = figure.add_subplot()
        for k in range(len(times) - 1, -1, -1):
            ridge = times[k] + scale * height[:, k]
            front = 2 + len(times) - k
            axes.fill_between(found.frequency[shown], times[k], ridge, color="white", zorder=front, linewidth=0)
            axes.plot(found.frequency[shown], ridge, color="#1f5f99", linewidth=0.9, zorder=front)
        axes.grid(False)
        axes.margins(x=0)
        root = f"√({density_unit(unit)})"
        axes.set(xlabel=label("frequency", "Hz"), ylabel=label("time", "s"))
        axes.set_title(f"{name}   highest ridge {height.max():.3g} {root}".strip())
    return Path(path)


def _by_unit(
    curves: Sequence[Curve],
    path: PathLike,
    title: str,
    over: str,
    over_unit: str,
    draw: Callable[[Axes, Curve], None],
    unit_of: Callable[[str], str],
    quantity: str,
    frame: Frame,
) -> Path:
    """Draw curves below each other, one diagram per unit, over a common axis."""
    if not curves:
        raise ModelError("plot: no curve to draw.")
    from matplotlib import rcParams

    units = list(dict.fromkeys(curve.unit for curve in curves))
    with saved_figure(path, 9.0, 1.0 + 2.8 * len(units), title) as figure:
        rows = figure.subplots(len(units), sharex=True, squeeze=False)[:, 0]
        cycle = rcParams["axes.prop_cycle"]
        for axes, unit in zip(rows, units, strict=True):
            members = [curve for curve in curves if curve.unit == unit]
            for curve in members:
                draw(axes, curve)
            what = quantity_of([curve.name for curve in members], unit)
            name = members[0].name if len(members) == 1 else _common_name([curve.name for curve in members])
            axes.set_title(name or what)
            axes.set_ylabel(label(f"{quantity} of {what}" if quantity and what else quantity or what, unit_of(unit)))
            axes.margins(x=0)
            frame.put(axes)
            add_legend(axes, len(members))
            # no colour twice in one picture
            drawn = sum(len(one.lines) for one in rows) % len(cycle)
            for later in rows:
                later.set_prop_cycle(cycle[drawn:].concat(cycle))
        rows[-1].set_xlabel(label(over, over_unit))
        figure.align_ylabels(rows)
    return Path(path)


def _common_name(names: Sequence[str]) -> str:
    """Return what names have in common at their beginning or end: "A.force" or "force", else ""."""
    parts = [name.rpartition(": ")[2].split(".") for name in names]  # without the run they are of
    start = [column[0] for column in zip(*parts, strict=False)]
    common = []
    for word, column in zip(start, zip(*parts, strict=False), strict=True):
        if set(column) != {word}:
            break
        common.append(word)
    if common:
        return ".".join(common)
    for back in (1, 2):  # "A.force", "B.force"; "A.force.x", "B.force.y"
        words = {part[-back] for part in parts if len(part) >= back}
        if len(words) == 1 and len(next(iter(words))) > 1:
            return next(iter(words))
    return ""


def quantity_of(names: Sequence[str], unit: str) -> str:
    """Return what names of channels measure, in words: "force" for A.force.x; of several what their unit measures."""
    words = set()
    for name in names:
        parts = name.rpartition(": ")[2].split(".")
        last = parts[-1] if len(parts[-1]) > 2 or len(parts) < 2 else parts[-2]
        words.add(last.replace("_", " "))
    if len(words) == 1 and (word := next(iter(words))).replace(" ", "").isalpha():
        return word
    return _MEASURED.get(unit, "" if unit else "quantity")


def _up_to(frequency: Array, highest: float | None) -> int:
    """Return the number of frequencies not above a limit [Hz]."""
    count = len(frequency) if highest is None else int(np.searchsorted(frequency, highest, side="right"))
    if count < 2:
        raise ModelError(f"plot: no frequency is below {highest} Hz; they go up to {frequency[-1]:g} Hz.")
    return count
