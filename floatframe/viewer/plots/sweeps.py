"""Plots of sweeps: curves over a parameter, maps over two of them, frequencies over a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.io import FAILED, SweepResult
from floatframe.viewer.plots.histories import quantity_of
from floatframe.viewer.plots.modes import NUMBERED, plot_campbell
from floatframe.viewer.plots.style import COLOUR_MAP, COLOURS, PathLike, add_legend, label, saved_figure
from floatframe.wording import chain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

FAILURE_COLOUR = "#b3261e"
NEAR_ZERO = 1e-4  # share of the largest value of a map below which a number says no more than that it is small


def plot_sweep(result: SweepResult, columns: Sequence[str], path: PathLike, over: str = "", title: str = "") -> Path:
    """Draw columns over a parameter, by default the first; a second one gives a curve for each of its values.

    Columns of one unit share a diagram if there is no second parameter. Points that failed leave a gap and a cross.
    """
    result = _free(result)
    over = over or next(iter(result.parameters))
    if over not in result.parameters:
        raise ModelError(f"plot: '{over}' does not vary here; {', '.join(result.parameters)} do.")
    others = [name for name in result.parameters if name != over]
    if len(others) > 1:
        raise ModelError(f"plot: curves over '{over}' for all values of {chain(others)} are too many; fix all but one.")
    groups = [[name] for name in columns]
    if not others:
        groups = [[c for c in columns if result.unit(c) == unit] for unit in dict.fromkeys(map(result.unit, columns))]
    with saved_figure(path, 8.5, 1.0 + 3.0 * len(groups), title) as figure:
        rows = figure.subplots(len(groups), sharex=True, squeeze=False)[:, 0]
        for axes, group in zip(rows, groups, strict=True):
            if others:
                _family(axes, result, group[0], over, others[0])
            else:
                for name in group:
                    _line(axes, result, name, over, label=name)
                add_legend(axes, len(group))
            axes.set_title(group[0] if len(group) == 1 else "")
            axes.set_ylabel(label(_quantity(result, group), result.unit(group[0])))
            _mark_failures(axes, result, over)
        rows[-1].set_xlabel(result.heading(over))
        _write_choices(rows[-1].xaxis, result, over)
        figure.align_ylabels(rows)
    return Path(path)


def plot_sweep_map(result: SweepResult, column: str, path: PathLike, title: str = "") -> Path:
    """Draw a column over two parameters as a map of colours, small ones with their numbers; crosses: failed points."""
    result = _free(result)
    if len(result.parameters) != 2:
        raise ModelError(
            f"plot: a map is drawn over two parameters, {chain(list(result.parameters)) or 'none'} vary; "
            "fix the others at a value, or draw curves."
        )
    (down, y), (across, x) = ((name, np.array(values)) for name, values in result.parameters.items())
    rows, order = np.argsort(y), np.argsort(x)
    values = result[column][np.ix_(rows, order)]
    x, y = x[order], y[rows]
    if not np.isfinite(values).any():
        raise ModelError(f"plot: '{column}' has no value at any of {values.size} points.")
    with saved_figure(path, 8.0, 5.6, title) as figure:
        axes = figure.add_subplot()
        image = axes.pcolormesh(_edges(x), _edges(y), np.ma.masked_invalid(values), cmap=COLOUR_MAP)
        axes.grid(False)
        axes.set_facecolor("#eceff2")
        power = 0
        if max(values.shape) <= NUMBERED:
            axes.set_xticks(x)
            axes.set_yticks(y)
            power = _write_numbers(axes, x, y, values, image)
        _write_choices(axes.xaxis, result, across)
        _write_choices(axes.yaxis, result, down)
        states = np.array(result.states).reshape(result.shape)[np.ix_(rows, order)]
        for i, j in np.argwhere(states == FAILED):
            axes.plot(x[j], y[i], marker="x", color=FAILURE_COLOUR, markersize=7)
        scale = f"   (numbers in 1e{power} {result.unit(column)})" if power else ""
        axes.set(xlabel=result.heading(across), ylabel=result.heading(down), title=column + scale)
        figure.colorbar(image, ax=axes, label=label(_quantity(result, [column]), result.unit(column)), pad=0.02)
    return Path(path)


def plot_sweep_frequencies(
    result: SweepResult, path: PathLike, title: str = "", orders: Sequence[float] = (), per_hertz: float = 60.0
) -> Path:
    """Draw the natural frequencies of a linear study over its one parameter, as in a Campbell diagram.

    orders: of excitation, whose rays are drawn where the parameter is a speed, `per_hertz` of it to a turn per second.
    Modes are joined in the order of their frequencies.
    """
    result = _free(result)
    frequency = result.frequency
    if not frequency.shape[-1]:
        raise ModelError(f"plot: a sweep of study '{result.study}' has no frequencies; sweep a linear study.")
    if len(result.parameters) != 1:
        raise ModelError(
            f"plot: frequencies are drawn over one parameter, {chain(list(result.parameters))} vary; "
            "fix the others at a value, or draw a map of one frequency."
        )
    ((name, values),) = result.parameters.items()
    order = np.argsort(values)
    # motions without stiffness have no frequency to show
    shown = [k for k in range(frequency.shape[-1]) if np.nanmax(frequency[:, k], initial=0.0) > 0.0]
    return plot_campbell(
        np.array(values)[order],
        frequency[order][:, shown],
        path,
        quantity=name,
        speed_unit=result.units.get(name, ""),
        orders=orders,
        per_hertz=per_hertz,
        names=[f"mode {k + 1}" for k in shown],
        title=title,
    )


def _free(result: SweepResult) -> SweepResult:
    """Return a sweep without the parameters that have one value only; one of them stays if there is no other."""
    fixed = {name: values[0] for name, values in result.parameters.items() if len(values) == 1}
    if len(fixed) == len(result.parameters):
        fixed.pop(next(iter(fixed)))
    return result.where(fixed)


def _line(axes: Axes, result: SweepResult, column: str, over: str, **style: Any) -> None:
    x = np.array(result.parameters[over])
    order = np.argsort(x)
    axes.plot(x[order], result[column].ravel()[order], marker="o", markersize=3.5, **style)


def _family(axes: Axes, result: SweepResult, column: str, over: str, other: str) -> None:
    """One curve for each value of another parameter; many are distinguished by a scale of colours."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    values = sorted(result.parameters[other])
    few = len(values) <= len(COLOURS)
    scale = Normalize(values[0], values[-1])
    for k, value in enumerate(values):
        colour = COLOURS[k] if few else colormaps[COLOUR_MAP](scale(value))
        name = f"{other} = {result.word(other, value)}"
        _line(axes, result.where({other: value}), column, over, color=colour, label=name)
    if few:
        add_legend(axes, len(values))
    else:
        axes.figure.colorbar(ScalarMappable(scale, COLOUR_MAP), ax=axes, label=result.heading(other), pad=0.02)


def _write_choices(axis: Axis, result: SweepResult, name: str) -> None:
    """Write the texts of choices in place of their numbers."""
    if name in result.choices:
        axis.set_ticks(result.parameters[name], [result.word(name, value) for value in result.parameters[name]])


def _mark_failures(axes: Axes, result: SweepResult, over: str) -> None:
    """A cross at the foot of the diagram for every value of the parameter at which a point failed."""
    where = sorted({point[over] for point, _ in result.failures})
    if where:
        foot = axes.get_xaxis_transform()
        axes.plot(where, [0.0] * len(where), "x", color=FAILURE_COLOUR, transform=foot, clip_on=False, zorder=5)
        axes.annotate(
            "× failed", (1.0, 1.0), xycoords="axes fraction", ha="right", va="bottom", color=FAILURE_COLOUR, fontsize=9
        )


def _write_numbers(axes: Axes, x: Array, y: Array, values: Array, image: Any) -> int:
    """Write three digits of each value into its cell; returns the power of ten they are in."""
    largest = float(np.nanmax(np.abs(values)))
    power = int(np.floor(np.log10(largest))) if largest else 0
    power = power if power < -2 or power > 3 else 0  # as the scale beside the map
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            dark = image.norm(value) < 0.6
            text = f"{value / 10.0**power:.3g}" if abs(value) >= NEAR_ZERO * largest else "≈0"
            colour = "white" if dark else "#20252b"
            axes.text(float(x[j]), float(y[i]), text, ha="center", va="center", fontsize=7, color=colour)
    return power


def _edges(centres: Array) -> Array:
    """Borders (n + 1,) of cells around their centres (n,), halfway between neighbours."""
    middle = 0.5 * (centres[:-1] + centres[1:])
    return np.concatenate(([2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]))


def _quantity(result: SweepResult, columns: Sequence[str]) -> str:
    """Return what columns of one unit measure: "rms of force" for "A.force.x:rms", "frequency" for "frequency.1"."""
    kinds = {name.rpartition(":")[2] if ":" in name else "" for name in columns}
    channels = [name.partition(":")[0] for name in columns]
    numbered = {name.partition(".")[0] for name in channels}
    if len(numbered) == 1 and numbered <= {"frequency", "damping"}:
        return numbered.pop()
    what = quantity_of(channels, result.unit(columns[0]))
    kind = kinds.pop() if len(kinds) == 1 else ""
    return f"{kind} of {what}" if kind and what else kind or what
