"""Pictures of assessments: forces on the rails and rides, root loci, limit cycles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from floatframe.railway import RATIO_LIMIT, Assessment, LimitCycles, RootLocus, axle_limit, ride_density
from floatframe.viewer.curves import thinned
from floatframe.viewer.plots.style import COLOURS, PathLike, add_legend, label, saved_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from floatframe.arrays import Array

_LIMIT = "#b3261e"
_HIGHEST = 40.0  # [Hz] of densities
_TIMES = 5.0  # the frequency of what loses its damping, up to which roots are drawn
_DYING = 0.7  # damping ratio beyond which a motion hardly oscillates
_DECADES = 6.0  # shown below the largest density


def plot_assessment(found: Assessment, path: PathLike, title: str = "") -> Path:
    """Draw forces, their ratio and sum over the distance with their limits, accelerations and their densities."""
    rows = [*(["Q", "Y", "Y/Q"] if found.wheels else []), *(["ΣY"] if found.axles else [])]
    rows += ["acceleration", "density"] if found.accelerations else []
    with saved_figure(path, 10.0, 0.8 + 2.2 * max(len(rows), 1), title) as figure:
        axes = dict(zip(rows, figure.subplots(len(rows), squeeze=False)[:, 0], strict=True))
        if found.wheels:
            wheels = found.wheels.items()
            _draw_along(axes["Q"], {name: (one.s, 1e-3 * one.vertical) for name, one in wheels}, label("Q", "kN"))
            add_legend(axes["Q"], len(wheels))
            _draw_along(axes["Y"], {name: (one.s, 1e-3 * one.lateral) for name, one in wheels}, label("Y", "kN"))
            _draw_along(axes["Y/Q"], {name: (one.ratio.s, one.ratio.y) for name, one in wheels}, "Y/Q over 2 m")
            _draw_limit(axes["Y/Q"], RATIO_LIMIT)
        if found.axles:
            means = {name: (one.mean.s, 1e-3 * one.mean.y) for name, one in found.axles.items()}
            _draw_along(axes["ΣY"], means, label("ΣY over 2 m", "kN"))
            add_legend(axes["ΣY"], len(means))
            for load in {round(one.load) for one in found.axles.values()}:
                _draw_limit(axes["ΣY"], 1e-3 * axle_limit(load, found.limits.factor))
        for row in [row for row in rows if row not in ("acceleration", "density")][-1:]:
            axes[row].set_xlabel(label("distance", "m"))
        if found.accelerations:
            _draw_ride(axes["acceleration"], axes["density"], found)
        figure.align_ylabels(list(axes.values()))
    return Path(path)


def _draw_along(axes: Axes, curves: Mapping[str, tuple[Array, Array]], quantity: str) -> None:
    for name, (s, y) in curves.items():
        axes.plot(*thinned(s, y), label=name, linewidth=0.9)
    axes.set(ylabel=quantity)
    axes.margins(x=0)


def _draw_limit(axes: Axes, limit: float) -> None:
    """Draw a limit to both sides where it is near the curves, else say what it is."""
    reached = max(abs(value) for value in axes.get_ylim())
    if reached < 0.4 * limit:
        axes.set_title(f"limit {limit:.3g}, beyond the picture", fontsize=9, color=_LIMIT)
        return
    for side in (limit, -limit):
        if side > 0.0 or axes.get_ylim()[0] < -0.4 * limit:
            axes.axhline(side, color=_LIMIT, linewidth=1.0, linestyle="--")


def _draw_ride(over_time: Axes, over_frequency: Axes, found: Assessment) -> None:
    count = 0
    for place, histories in found.accelerations.items():
        for axis, a in histories.items():
            over_time.plot(*thinned(found.t, a), label=f"{place}.{axis}", linewidth=0.9)
            density = ride_density(found.t, a)
            shown = (density.frequency > 0.0) & (density.frequency <= _HIGHEST)
            over_frequency.semilogy(density.frequency[shown], density.density[shown], linewidth=0.9)
            count += 1
    over_time.set(xlabel=label("time", "s"), ylabel=label("acceleration", "m/s²"))
    over_frequency.set(xlabel=label("frequency", "Hz"), ylabel=label("density", "m²/s⁴/Hz"))
    highest = max(float(np.max(line.get_ydata())) for line in over_frequency.lines)
    if highest > 0.0:
        over_frequency.set_ylim(max(highest * 10**-_DECADES, over_frequency.get_ylim()[0]), None)
    for axes in (over_time, over_frequency):
        axes.margins(x=0)
    add_legend(over_time, count)


def plot_root_locus(
    found: RootLocus, path: PathLike, quantity: str = "speed", title: str = "", up_to: float = np.inf
) -> Path:
    """Draw frequencies and damping of roots over speed, and roots in their plane; dots: critical speeds.

    up_to: highest frequency [Hz] drawn where damping does not pass zero; else it follows from where it does.
    """
    with saved_figure(path, 10.0, 6.5, title) as figure:
        axes = figure.subplot_mosaic([["frequency", "plane"], ["damping", "plane"]])
        highest = max((_TIMES * one.frequency for one in found.crossings), default=up_to)
        turning = (found.roots.imag > 0.0) & (found.frequency <= highest) & (found.damping < _DYING)
        shown = [k for k in range(found.roots.shape[1]) if turning[:, k].any()]
        for number, k in enumerate(shown):
            colour = COLOURS[number % len(COLOURS)]
            inside = turning[:, k]
            axes["frequency"].plot(found.speed[inside], found.frequency[inside, k], color=colour)
            axes["damping"].plot(found.speed[inside], 100.0 * found.damping[inside, k], color=colour)
            axes["plane"].plot(
                found.roots[inside, k].real, found.frequency[inside, k], ".-", color=colour, markersize=3
            )
        for one in found.crossings:
            axes["frequency"].plot(one.speed, one.frequency, "o", color=_LIMIT)
            axes["damping"].plot(one.speed, 0.0, "o", color=_LIMIT)
            axes["plane"].plot(0.0, one.frequency, "o", color=_LIMIT)
        for place in ("damping", "plane"):
            draw = axes[place].axhline if place == "damping" else axes[place].axvline
            draw(0.0, color=_LIMIT, linewidth=1.0)
        axes["frequency"].set(ylabel=label("frequency", "Hz"))
        axes["damping"].set(xlabel=quantity, ylabel=label("damping ratio", "%"))
        axes["plane"].set(xlabel=label("real part", "1/s"), ylabel=label("frequency", "Hz"))
    return Path(path)


def plot_limit_cycles(
    found: LimitCycles, path: PathLike, quantity: str = "speed", amplitude: str = "amplitude", title: str = ""
) -> Path:
    """Draw amplitudes that stay over speed, from small disturbances and from large ones."""
    with saved_figure(path, 8.0, 4.5, title) as figure:
        axes = figure.add_subplot()
        if np.isfinite(found.falling).any():
            axes.plot(found.speed, found.falling, "v-", markersize=4, color=COLOURS[1], label="large disturbance")
        axes.plot(found.speed, found.rising, "^-", markersize=4, color=COLOURS[0], label="small disturbance")
        for speed in (found.starts, found.lowest):
            if speed is not None:
                axes.axvline(speed, color=_LIMIT, linewidth=1.0, linestyle="--")
        axes.set(xlabel=quantity, ylabel=amplitude)
        axes.set_ylim(0.0, None)
        axes.legend(loc="upper left")
    return Path(path)
