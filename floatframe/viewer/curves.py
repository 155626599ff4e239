"""Signals to be drawn: curves, the diagrams that hold them, and how they come from the results of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, BoolArray, short_repr
from floatframe.errors import ModelError
from floatframe.signals import SHAKING, checked, resample

if TYPE_CHECKING:
    from floatframe.hybrid import Results

MOST_POINTS = 20_000  # of a curve; beyond, the lowest and highest of each group of points are drawn
HIDDEN = 0.1  # share of its height below which a diagram hides how its curves change
ROUNDING = 1e-12  # of the largest change in a run: what changes less is shown last


@short_repr
@dataclass(frozen=True)
class Curve:
    """One signal of a plot: its name and unit, times t (nt,) [s] and values y (nt,)."""

    name: str
    unit: str
    t: Array
    y: Array

    def __post_init__(self) -> None:
        t, y = checked(self.t, self.y)
        if y.ndim != 1:
            raise ModelError(f"plot: '{self.name}' has shape {y.shape}, expected (nt,); give one curve per component.")
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "y", y)


@short_repr
@dataclass(frozen=True)
class Diagram:
    """Curves of one unit over a common axis: name of what they show, and of the axis."""

    name: str
    unit: str
    curves: tuple[Curve, ...]
    over: str = "time [s]"


def channel_diagrams(result: Results, channels: Sequence[str]) -> tuple[Diagram, ...]:
    """Return one diagram for each channel of a run, its components as curves; none of a run with a single record."""
    if len(result) < 2:
        return ()
    return tuple(Diagram(name, result.unit(name), channel_curves(result, name)) for name in dict.fromkeys(channels))


def channel_curves(result: Results, channel: str, inside: BoolArray | slice = slice(None)) -> tuple[Curve, ...]:
    """Return the components of a channel as curves, at the records inside (default: all)."""
    t = result.t[inside]
    columns = result.history(channel, inside).reshape(len(t), -1).T
    unit = result.unit(channel)
    return tuple(Curve(name, unit, t, y) for name, y in zip(result.column_names(channel), columns, strict=True))


def span_curves(
    result: Results,
    channels: Sequence[str],
    start: float | None = None,
    end: float | None = None,
    step: float | None = None,
) -> list[Curve]:
    """Return the components of channels from start to end [s] (default: all times), at equal steps [s] if given."""
    t, inside = result.t, result.between(start, end)
    if inside.sum() < 2:
        span = f"{t[0]:g} … {t[-1]:g} s" if len(t) else "none"
        raise ModelError(f"fewer than two records lie between the given times; the run covers {span}")
    cut = [curve for channel in dict.fromkeys(channels) for curve in channel_curves(result, channel, inside)]
    return cut if step is None else [_resampled(curve, step) for curve in cut]


def acceleration_curves(result: Results, channels: Sequence[str], step: float | None = None) -> list[Curve]:
    """Return the components of accelerations, all of one unit, at equal steps [s] if given; others are refused."""
    curves = span_curves(result, channels, step=step)
    for curve in curves:
        if curve.unit not in SHAKING:
            raise ModelError(
                f"'{curve.name}' is in {curve.unit or 'no unit'}, expected an acceleration in {' or '.join(SHAKING)}"
            )
        if curve.unit != curves[0].unit:
            raise ModelError(
                f"'{curve.name}' is in {curve.unit}, '{curves[0].name}' in {curves[0].unit}; ask for one kind at a time"
            )
    return curves


def _resampled(curve: Curve, step: float) -> Curve:
    signal = resample(curve.t, curve.y, step)
    return Curve(curve.name, curve.unit, signal.t, signal.y)


def measured(result: Results, texts: Sequence[str], start: float | None, end: float | None) -> list[dict[str, Any]]:
    """Return what texts such as "A.force.x:lowpass(20):rms,crest" measure between two times [s], a row per number."""
    from floatframe.hybrid import split_numbers

    rows = []
    for text in texts:
        history, chain = split_numbers(text)
        for curve in span_curves(result, [history], start, end) if chain.numbers else []:
            for each, value in zip(chain.numbers, chain.measured(curve.t, curve.y), strict=True):
                rows.append({"signal": curve.name, "measure": each.text, "value": value, "unit": each.unit(curve.unit)})
    return rows


def moving_channels(result: Results) -> Iterator[str]:
    """Yield the channels that change in a run, after them those that stay; none that contains NaN.

    A failed run may end in numbers that are not finite. Changes far below those of other channels are rounding.
    """
    change = {}
    for channel in result.channels:
        values = result[channel.name]
        if np.isfinite(values).all():
            change[channel.name] = float(np.ptp(values, axis=0).max(initial=0.0)) if len(values) else 0.0
    least = ROUNDING * max(change.values(), default=0.0)
    first = sorted(change, key=lambda name: not _of_joint(name))  # stable: else as they are recorded
    yield from (name for name in first if change[name] > least)
    yield from (name for name in first if change[name] <= least)


def seen_best(result: Results, channel: str) -> str:
    """Return a channel, or its component that changes most where they lie so far apart that one diagram hides it."""
    values = np.atleast_2d(result[channel].T)
    change, span = np.ptp(values, axis=1), float(np.ptp(values))
    if len(values) < 2 or not 0.0 < change.max() < HIDDEN * span:
        return channel
    return result.column_names(channel)[int(change.argmax())]


def _of_joint(channel: str) -> bool:
    """Whether a channel is a force, torque or coordinate of a joint or force, by which a machine is judged first."""
    owner, _, quantity = channel.rpartition(".")
    return quantity in ("force", "torque", "angle", "displacement") and "[" not in owner


UNITS = {
    "N": {"kN": 1e-3, "MN": 1e-6},
    "N m": {"kN m": 1e-3, "N mm": 1e3},
    "m": {"mm": 1e3, "cm": 1e2, "um": 1e6, "km": 1e-3},
    "rad": {"deg": 180.0 / np.pi, "mrad": 1e3},
    "m/s": {"km/h": 3.6, "mm/s": 1e3},
    "rad/s": {"rpm": 30.0 / np.pi, "deg/s": 180.0 / np.pi},
    "m/s2": {"g": 1.0 / 9.80665, "mm/s2": 1e3},
    "Pa": {"MPa": 1e-6, "kPa": 1e-3, "bar": 1e-5},
    "J": {"kJ": 1e-3},
    "W": {"kW": 1e-3},
}  # units that curves can be shown in, and how many of them are one of ours


def in_units(curves: Sequence[Curve], units: Sequence[str]) -> list[Curve]:
    """Return curves in other units, those of another quantity as they are; refuse units that fit none."""
    found = list(curves)
    for unit in units:
        fits = [k for k, curve in enumerate(curves) if unit in UNITS.get(curve.unit, {})]
        if not fits:
            have = dict.fromkeys(curve.unit or "none" for curve in curves)
            known = ", ".join(other for own in have for other in UNITS.get(own, {})) or "no others"
            raise ModelError(f"plot: unit '{unit}' does not fit curves in {', '.join(have)}; known for them: {known}.")
        for k in fits:
            curve = curves[k]
            found[k] = Curve(curve.name, "°" if unit == "deg" else unit, curve.t, UNITS[curve.unit][unit] * curve.y)
    return found


def unit_factor(own: str, wanted: str) -> float:
    """Return how many of another unit one of ours is; refuse one of another quantity."""
    known = {own: 1.0, **UNITS.get(own, {})}
    if wanted not in known:
        raise ModelError(
            f"unit '{wanted}' does not fit numbers in {own or 'no unit'}; known for them: {', '.join(known)}"
        )
    return known[wanted]


def thinned(x: Array, y: Array, most: int = MOST_POINTS) -> tuple[Array, Array]:
    """Return a curve of no more points than a picture can show, with all its extremes."""
    group = -(-len(x) // (most // 2))
    if group < 2 or len(x) <= most:
        return x, y
    whole = len(x) // group * group
    blocks = y[:whole].reshape(-1, group)
    ends = np.sort(np.column_stack([blocks.argmin(axis=1), blocks.argmax(axis=1)]), axis=1)
    keep = np.unique(np.concatenate([(np.arange(len(blocks))[:, None] * group + ends).ravel(), [0, len(x) - 1]]))
    return x[keep], y[keep]
