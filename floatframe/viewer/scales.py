"""The numbers at a colour bar: round ones between zero and the largest, in a unit in which they read well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.viewer.scene import unit_in

_READABLE = {
    "m": ((1.0, 1.0, "m"), (1e-4, 1e3, "mm"), (0.0, 1e6, "µm")),
    "Pa": ((1e5, 1e-6, "MPa"), (1e2, 1e-3, "kPa"), (0.0, 1.0, "Pa")),
    "N": ((1e4, 1e-3, "kN"), (0.0, 1.0, "N")),
    "N m": ((1e4, 1e-3, "kN m"), (0.0, 1.0, "N m")),
}  # by unit: from which number on, how many of them are one of ours, name
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps between numbers, but for a power of ten
_APART = 0.8  # of a step: a round number nearer to the largest one is left out
_PARTS, _MORE = 4, 2  # of a bar, about, and at most so many more


@dataclass(frozen=True)
class Scale:
    """What stands at a colour bar from 0 to a top.

    name: with the unit of the numbers; unit, factor: how many of it are one of ours; ticks: share of the bar, 0 to 1,
    and the number there.
    """

    name: str
    unit: str
    factor: float
    ticks: tuple[tuple[float, str], ...]

    def text(self, value: float) -> str:
        """Return a number of ours in words: 0.000161 as "0.161 mm"."""
        return f"{number(self.factor * value)} {self.unit}".strip()


def scale_of(legend: str, top: float, parts: int = _PARTS) -> Scale:
    """Return the scale of a colour bar from 0 to a top, named as "displacement [m]", with about so many parts."""
    unit = unit_in(legend)
    rows = _READABLE.get(unit, ((0.0, 1.0, unit),))
    _, factor, shown = next(row for row in rows if top >= row[0])
    name = legend.replace(f"[{unit}]", f"[{shown}]") if shown else legend.removesuffix(" [-]")
    largest = factor * top
    if not 0.0 < largest < np.inf:
        return Scale(name, shown, factor, ((0.0, "0"),))
    finest = largest / (parts + _MORE)
    power = 10.0 ** np.floor(np.log10(finest))
    step = power * next(size for size in _ROUND if size * power >= finest)
    between = step * np.arange(int(largest / step - _APART) + 1)
    ticks = [(float(x / largest), number(float(x))) for x in between]
    return Scale(name, shown, factor, (*ticks, (1.0, number(largest))))


def number(x: float) -> str:
    """Return three digits of a number, or all before the point where there is room: 1234, 0.0123, 1.2e-05."""
    rounded = abs(float(f"{x:.3g}"))
    return f"{x:.0f}" if 1e3 <= rounded < 1e6 else f"{x:.3g}"
