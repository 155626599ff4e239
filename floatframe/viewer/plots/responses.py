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
    with saved_figure(path, 9.0, 6.0, title) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
        phase, units = np.degrees(found.phase), set()
        for number, (i, j) in enumerate(np.ndindex(found.values.shape[1:])):
            name = _name(found, i, j)
            units.add(found.unit(found.outputs[i], found.inputs[j]))
            colour = COLOURS[number % len(COLOURS)]
            above.loglog(found.frequency, found.magnitude[:, i, j], label=name, color=colour)
            turns = 360.0 * np.round(phase[0, i, j] / 360.0)
            below.semilogx(found.frequency, phase[:, i, j] - turns, color=colour)
        _limit_decades(above)
        below.yaxis.set_major_locator(_quarters(below))
        above.set_ylabel(label("magnitude", units.pop() if len(units) == 1 else ""))
        below.set(xlabel=label("frequency", "Hz"), ylabel=label("phase", "°"))
        _mark_doubt((above, below), found)
        above.margins(x=0)
        add_legend(above, found.values[0].size)
        if found.values[0].size == 1:
            above.set_title(_name(found, 0, 0))
    return Path(path)


def plot_nyquist(found: FrequencyResponse, path: PathLike, title: str = "") -> Path:
    """Draw real and imaginary parts, a curve for each output and input, with marks at some frequencies."""
    if not np.isfinite(found.values).all():
        raise ModelError("nyquist: a response is not finite; give the model damping")
    with saved_figure(path, 7.0, 6.0, title) as figure:
        axes = figure.add_subplot()
        units = set()
        for number, (i, j) in enumerate(np.ndindex(found.values.shape[1:])):
            curve, colour = found.values[:, i, j], COLOURS[number % len(COLOURS)]
            units.add(found.unit(found.outputs[i], found.inputs[j]))
            name = _name(found, i, j)
            axes.plot(curve.real, curve.imag, label=name, color=colour)
            large = np.abs(curve).max() > _SEEN * found.magnitude.max()
            for k in _spread_along(curve) if large else ():
                axes.plot(curve[k].real, curve[k].imag, "o", color=colour, markersize=3)
                axes.annotate(
                    f"{found.frequency[k]:.3g} Hz",
                    (curve[k].real, curve[k].imag),
                    (4, 4),
                    textcoords="offset points",
                    fontsize=8,
                )
        axes.axhline(0.0, color="#4d5560", linewidth=0.8)
        axes.axvline(0.0, color="#4d5560", linewidth=0.8)
        axes.set_aspect("equal", adjustable="datalim")
        unit = units.pop() if len(units) == 1 else ""
        axes.set(xlabel=label("real part", unit), ylabel=label("imaginary part", unit))
        add_legend(axes, found.values[0].size)
    return Path(path)


def plot_random_response(found: RandomResponse, path: PathLike, title: str = "") -> Path:
    """Draw densities of the outputs over the frequency, with their root mean squares."""
    with saved_figure(path, 9.0, 4.8, title) as figure:
        axes = figure.add_subplot()
        units = {port.unit for port in found.outputs}
        for port, density, rms in zip(found.outputs, found.density.T, found.rms(), strict=True):
            axes.loglog(found.frequency, density, label=f"{port.name}, RMS {rms:.3g} {port.unit}")
        _limit_decades(axes)
        axes.margins(x=0)
        unit = density_unit(units.pop()) if len(units) == 1 else ""
        axes.set(xlabel=label("frequency", "Hz"), ylabel=label("density", unit))
        axes.legend(loc="best")
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
    """Leave out what rounding shows far below the curves."""
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
