"""Pictures of responses: Bode diagram and Nyquist plot, densities, shock response spectra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import ModelError
from floatframe.viewer.plots.style import COLOURS, PathLike, add_legend, density_unit, label, saved_figure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator

    from floatframe.arrays import AnyArray
    from floatframe.hybrid import FrequencyResponse, RandomResponse
    from floatframe.signals import ResponseSpectrum

_DOUBT = "#f3e3d6"  # behind frequencies that a basis does not resolve
_QUARTER = 90.0  # degrees between two marks of the phase
_SEEN = 0.1  # of the largest response, for marks that can be read
_DECADES = 8.0  # of magnitudes shown at most


def plot_response(found: FrequencyResponse, path: PathLike, title: str = "") -> Path:
    """Draw magnitudes and phases over the frequency, a curve for each output and input (Bode diagram)."""
    pairs, units = _curves(found)
    with saved_figure(path, 9.0, 4.0 + 2.0 * len(units), title) as figure:
        *above, below = figure.subplots(len(units) + 1, 1, sharex=True, height_ratios=(*[2] * len(units), 1))
        phase = np.degrees(found.phase)
        for axes, (unit, numbers) in zip(above, units.items(), strict=True):
            for number in numbers:
                i, j = pairs[number]
                colour = COLOURS[number % len(COLOURS)]
                axes.loglog(found.frequency, found.magnitude[:, i, j], label=_name(found, i, j), color=colour)
                turns = 360.0 * np.round(phase[0, i, j] / 360.0)
                below.semilogx(found.frequency, phase[:, i, j] - turns, color=colour)
            _limit_decades(axes)
            axes.set_ylabel(label("magnitude", unit))
            _name_curves(axes, len(numbers))
        below.yaxis.set_major_locator(_quarters(below))
        below.set(xlabel=label("frequency", "Hz"), ylabel=label("phase", "°"))
        below.margins(x=0)
        _mark_doubt((*above, below), found)
    return Path(path)


def plot_nyquist(found: FrequencyResponse, path: PathLike, title: str = "") -> Path:
    """Draw real and imaginary parts, a curve for each output and input, with marks at some frequencies."""
    if not np.isfinite(found.values).all():
        raise ModelError("nyquist: a response is not finite; give the model damping")
    found = found.smooth()
    pairs, units = _curves(found)
    columns = min(len(units), 2)
    rows = (len(units) + 1) // 2
    with saved_figure(path, 2.0 + 5.0 * columns, 1.0 + 5.0 * rows, title) as figure:
        for place, (unit, numbers) in enumerate(units.items()):
            axes = figure.add_subplot(rows, columns, place + 1)
            largest = max(found.magnitude[:, i, j].max() for i, j in (pairs[number] for number in numbers))
            for number in numbers:
                i, j = pairs[number]
                curve, colour = found.values[:, i, j], COLOURS[number % len(COLOURS)]
                axes.plot(curve.real, curve.imag, label=_name(found, i, j), color=colour)
                large = np.abs(curve).max() > _SEEN * largest
                for k in _spread_along(curve) if large else ():
                    axes.plot(curve[k].real, curve[k].imag, "o", color=colour, markersize=3)
                    axes.annotate(
                        f"{found.frequency[k]:.4g} Hz",
                        (curve[k].real, curve[k].imag),
                        (4, 4),
                        textcoords="offset points",
                        fontsize=8,
                    )
            axes.axhline(0.0, color="#4d5560", linewidth=0.8)
            axes.axvline(0.0, color="#4d5560", linewidth=0.8)
            axes.set_aspect("equal", adjustable="datalim")
            axes.set(xlabel=label("real part", unit), ylabel=label("imaginary part", unit))
            _name_curves(axes, len(numbers))
    return Path(path)


def plot_random_response(found: RandomResponse, path: PathLike, title: str = "") -> Path:
    """Draw densities of the outputs over the frequency, with their root mean squares."""
    units = _by_unit([port.unit for port in found.outputs])
    with saved_figure(path, 9.0, 1.8 + 3.0 * len(units), title) as figure:
        panels = figure.subplots(len(units), 1, sharex=True, squeeze=False)[:, 0]
        density, rms = found.density, found.rms()
        for axes, (unit, numbers) in zip(panels, units.items(), strict=True):
            for number in numbers:
                name = f"{found.outputs[number].name}, RMS {rms[number]:.3g} {unit}"
                axes.loglog(found.frequency, density[:, number], label=name, color=COLOURS[number % len(COLOURS)])
            _limit_decades(axes)
            axes.margins(x=0)
            axes.set_ylabel(label("density", density_unit(unit)))
            axes.legend(loc="best")
        panels[-1].set_xlabel(label("frequency", "Hz"))
    return Path(path)


def plot_response_spectra(found: Mapping[str, ResponseSpectrum], path: PathLike, title: str = "") -> Path:
    """Draw response spectra by name: the largest response over natural frequency, thin lines for either sign."""
    with saved_figure(path, 9.0, 4.8, title) as figure:
        axes = figure.add_subplot()
        for number, (name, spectrum) in enumerate(found.items()):
            colour = COLOURS[number % len(COLOURS)]
            axes.loglog(spectrum.frequency, spectrum.largest, label=name, color=colour)
            axes.loglog(spectrum.frequency, spectrum.positive, color=colour, linewidth=0.8, linestyle="--")
            axes.loglog(spectrum.frequency, -spectrum.negative, color=colour, linewidth=0.8, linestyle=":")
        _limit_decades(axes)
        axes.margins(x=0)
        first = next(iter(found.values()))
        quantity = first.quantity.replace("_", " ")
        axes.set(xlabel=label("natural frequency", "Hz"), ylabel=label(f"largest {quantity}", first.unit))
        axes.plot([], [], color="#4d5560", linewidth=0.8, linestyle="--", label="positive")
        axes.plot([], [], color="#4d5560", linewidth=0.8, linestyle=":", label="negative")
        axes.legend(loc="best")
    return Path(path)


def _curves(found: FrequencyResponse) -> tuple[list[tuple[int, ...]], dict[str, list[int]]]:
    """Outputs and inputs of the curves, and numbers of curves by unit: each unit has axes of its own."""
    pairs = list(np.ndindex(found.values.shape[1:]))
    return pairs, _by_unit([found.unit(found.outputs[i], found.inputs[j]) for i, j in pairs])


def _name_curves(axes: Axes, count: int) -> None:
    """Name the curve above its axes, or several of them beside."""
    if count == 1:
        axes.set_title(str(axes.get_lines()[0].get_label()))
    add_legend(axes, count)


def _by_unit(units: list[str]) -> dict[str, list[int]]:
    """Places of equal units."""
    return {unit: [k for k, one in enumerate(units) if one == unit] for unit in dict.fromkeys(units)}


def _name(found: FrequencyResponse, i: int, j: int) -> str:
    """What a curve is; a ratio of outputs needs no input where there is only one."""
    driven = "for" if found.reference is not None else "per"
    both = f"{found.outputs[i].name} {driven} {found.inputs[j].name}"
    return found.outputs[i].name if found.reference is not None and len(found.inputs) == 1 else both


def _spread_along(curve: AnyArray) -> list[int]:
    """Places on a curve at equal shares of its length."""
    way = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(curve)))))
    if way[-1] == 0.0:
        return [0]
    return sorted({int(np.searchsorted(way, share * way[-1])) for share in np.linspace(0.05, 0.95, 9)})


def _quarters(axes: Axes) -> Locator:
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    low, high = axes.get_ylim()
    step = _QUARTER if high - low > 3 * _QUARTER else _QUARTER / 3
    return MultipleLocator(step) if high - low < 8 * _QUARTER else MaxNLocator(6, steps=[1, 1.8, 3.6, 4.5, 9, 10])


def _limit_decades(axes: Axes) -> None:
    """Leave out what rounding shows far below the curves; curves of zeros alone have no decades."""
    if not any(np.any(np.asarray(line.get_ydata()) > 0.0) for line in axes.lines):
        axes.set_yscale("linear")
        return
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, high / 10**_DECADES), high)


def _mark_doubt(panels: tuple[Axes, ...], found: FrequencyResponse) -> None:
    """Shade frequencies beyond those that are trusted."""
    if found.frequency[-1] <= found.trusted:
        return
    for axes in panels:
        axes.axvspan(max(found.trusted, found.frequency[0]), found.frequency[-1], color=_DOUBT, zorder=0)
    panels[0].annotate(
        "beyond the basis",
        (found.frequency[-1], 1.0),
        (-4, -12),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right",
        fontsize=8,
    )
