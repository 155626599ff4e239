"""What pages show of a sweep: its columns, curves over one parameter, maps over two, histograms of samples, points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from floatframe.errors import ModelError
from floatframe.io import SweepResult
from floatframe.studio.charts import Chart, chart, heat_map, line, numbers, plain, with_unit
from floatframe.studio.texts import word

MOST_ROWS = 500  # of the table of points
MOST_COLUMNS = 12  # of it
MOST_VALUES = 1000  # of a parameter, that are listed one by one
DIGITS = ".15g"  # of values: as many as every decimal number keeps
MOST_MODES = 12  # curves of frequencies
WRITTEN = 12  # most values of a parameter at which the cells of a map have their numbers


@dataclass(frozen=True)
class Axis:
    """A parameter that varies, with its values as they are read."""

    name: str
    values: tuple[str, ...]


def axes_of(result: SweepResult) -> list[Axis]:
    """Return the parameters of a grid that have several values."""
    return [Axis(name, _read(result, name)) for name, values in result.parameters.items() if len(values) > 1]


def _read(result: SweepResult, name: str) -> tuple[str, ...]:
    """Return the values of a parameter as they are read, with all their digits if they would look alike."""
    values = result.parameters[name]
    words = tuple(str(result.word(name, value)) for value in values)
    return words if len(set(words)) == len(words) else tuple(f"{value:{DIGITS}}" for value in values)


def values_between(low: float, high: float, count: int) -> str:
    """Return evenly spaced values, both ends among them, as --vary takes them."""
    if count > MOST_VALUES:
        raise ModelError(word("sweep.many", count, MOST_VALUES))
    return ",".join(f"{value:{DIGITS}}" for value in np.linspace(low, high, count))


def columns_of(result: SweepResult) -> list[str]:
    """Return the columns that have numbers, first those in which they differ."""
    known = [column.name for column in result.columns if np.isfinite(result[column.name]).any()]
    return sorted(known, key=lambda name: bool(np.nanmin(result[name]) == np.nanmax(result[name])))


def sweep_chart(result: SweepResult, column: str, fixed: Mapping[str, str]) -> Chart:
    """Return a column as a curve over the parameter that varies, or as a map over the last two of them.

    column: "" for all frequencies of a linear study; fixed: values of the parameters before those.
    """
    axes = axes_of(result)
    if result.samples:
        drawn = result[column].ravel()
        trace = {"type": "histogram", "x": numbers(drawn[np.isfinite(drawn)]), "marker": {"color": "#1f6fb4"}}
        return chart([trace], {"title": with_unit(column, result.unit(column))}, {"title": "samples"}, bargap=0.05)
    where = held(result, column, fixed)
    where |= {name: values[0] for name, values in result.parameters.items() if len(values) == 1 and axes}
    part = result.where(where)
    if column and len(axes) > 1:
        return _map(part, column)
    name, values = list(part.parameters.items())[-1]
    order = np.argsort(values)
    x = np.array(values)[order]
    names = [column] if column else [f"frequency.{k + 1}" for k in range(min(part.frequency.shape[-1], MOST_MODES))]
    marks = {"mode": "lines+markers", "marker": {"size": 5}}
    data = [line(one, x, part[one].ravel()[order], k, **marks) for k, one in enumerate(names)]
    quantity = column or "frequency"
    ticks = {"tickvals": list(values), "ticktext": _words(part, name)} if name in part.choices else {}
    return chart(data, {"title": name, **ticks}, {"title": with_unit(quantity, part.unit(names[0]))})


def held(result: SweepResult, column: str, fixed: Mapping[str, str]) -> dict[str, float | str]:
    """Return the values at which a chart of a column shows the parameters before its own, by their names."""
    others = axes_of(result)[: -2 if column else -1] if not result.samples else []
    return {axis.name: _value(result, axis, fixed.get(axis.name, axis.values[0])) for axis in others}


def _map(part: SweepResult, column: str) -> Chart:
    (down, y), (across, x) = list(part.parameters.items())[-2:]
    rows, order = np.argsort(y), np.argsort(x)
    values = part[column].reshape(len(y), len(x))[np.ix_(rows, order)]
    ends = [_words(part, name) if name in part.choices else sorted(part.parameters[name]) for name in (across, down)]
    small = max(values.shape) <= WRITTEN
    return heat_map(ends[0], ends[1], values, (across, down), with_unit(column, part.unit(column)), small)


def _words(part: SweepResult, name: str) -> list[str]:
    return [plain(str(part.word(name, value))) for value in sorted(part.parameters[name])]


def _value(result: SweepResult, axis: Axis, words: str) -> float | str:
    """Return the value of a parameter that reads like this."""
    if words not in axis.values:
        raise ModelError(f"'{axis.name}' has no value {words} in this sweep; it has {', '.join(axis.values)}")
    if axis.name in result.choices:
        return words
    return result.parameters[axis.name][axis.values.index(words)]


def point_table(result: SweepResult, names: list[str]) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Return headers and rows of the points: parameters, and numbers of some columns."""
    shown = {f"c{k}": name for k, name in enumerate((*result.parameters, *names[:MOST_COLUMNS]))}
    number = {column.name: k for k, column in enumerate(result.columns)}
    rows = [
        {key: _word(values[number[name]] if name in number else point[name]) for key, name in shown.items()}
        for point, values in list(zip(result.points, result.values.tolist(), strict=True))[:MOST_ROWS]
    ]
    return [{"title": name, "key": key} for key, name in shown.items()], rows


def _word(value: float) -> str:
    return "" if value != value else f"{value:.5g}"
