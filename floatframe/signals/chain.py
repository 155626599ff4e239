"""What texts ask of a history: filters in a row, "detrend:lowpass(20)", then numbers, "rms,line(14)".

chain = read_chain("highpass(0.5):rms,crest")
y = chain.filtered(t, y)
[number.of(t, y) for number in chain.numbers]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import ModelError
from floatframe.signals.histories import bandpass, checked, detrend, highpass, lowpass, peak, period, rms
from floatframe.wording import did_you_mean

_CALL = re.compile(r"(?P<name>\w+)\s*(?:\((?P<arguments>[^()]*)\))?")


@dataclass(frozen=True)
class Kind:
    """A filter or a number: the parameters it takes, what it does, and the unit of a number ("" is that of y)."""

    parameters: tuple[str, ...]
    do: Callable[..., Any]  # of t, y and the parameters: a Signal of a filter, a number
    unit: str = ""
    fitted: bool = False  # a filter that takes off what the records `inside` have


def mean(t: Array, y: Array) -> float:
    """Return the mean over time of y (nt,)."""
    t, y = checked(t, y)
    return float(np.trapezoid(y, t) / (t[-1] - t[0]))


def deviation(t: Array, y: Array) -> float:
    """Return the root mean square of y (nt,) about its mean."""
    return float(rms(t, y - mean(t, y)))


def amplitude(t: Array, y: Array) -> float:
    """Return the largest distance of y (nt,) from its mean."""
    return float(abs(peak(t, y - mean(t, y)).value))


def crest(t: Array, y: Array) -> float:
    """Return the crest factor of y (nt,): largest magnitude over root mean square; NaN where y is zero."""
    size = float(rms(t, y))
    return float(abs(peak(t, y).value)) / size if size else float("nan")


def line(t: Array, y: Array, frequency: float) -> float:
    """Return the amplitude of the harmonic of a frequency [Hz] in y (nt,), fitted together with mean and trend.

    The frequency need not fit into the history; equal steps are not needed.
    """
    t, y = checked(t, y, shortest=5)
    if not frequency * (t[-1] - t[0]) >= 1:
        raise ModelError(
            f"line({frequency:g}): a history of {t[-1] - t[0]:g} s does not hold one period; measure a longer one."
        )
    steps = np.diff(t)
    if frequency > 0.5 / steps.max():
        raise ModelError(
            f"line({frequency:g}): records every {steps.max():g} s show frequencies up to {0.5 / steps.max():g} Hz; "
            "record more often."
        )
    middle = t - t.mean()
    angle = 2 * np.pi * frequency * middle
    columns = np.column_stack((np.cos(angle), np.sin(angle), np.ones_like(t), middle))
    weight = np.sqrt(np.gradient(t))  # times may lie close to each other about an event
    fitted = np.linalg.lstsq(columns * weight[:, None], y * weight, rcond=None)[0]
    return float(np.hypot(fitted[0], fitted[1]))


FILTERS: Mapping[str, Kind] = {
    "detrend": Kind((), detrend, fitted=True),
    "demean": Kind((), partial(detrend, kind="mean"), fitted=True),
    "lowpass": Kind(("Hz",), lowpass),
    "highpass": Kind(("Hz",), highpass),
    "bandpass": Kind(("Hz", "Hz"), bandpass),
}

NUMBERS: Mapping[str, Kind] = {
    "rms": Kind((), lambda t, y: float(rms(t, y))),
    "std": Kind((), deviation),
    "peak": Kind((), lambda t, y: float(abs(peak(t, y).value))),
    "peak_to_peak": Kind((), lambda t, y: float(np.ptp(y))),
    "amplitude": Kind((), amplitude),
    "crest": Kind((), crest, "1"),
    "mean": Kind((), mean),
    "min": Kind((), lambda t, y: float(y.min())),
    "max": Kind((), lambda t, y: float(y.max())),
    "end": Kind((), lambda t, y: float(y[-1])),
    "period": Kind((), period, "s"),
    "line": Kind(("Hz",), line),
}


@dataclass(frozen=True)
class Wanted:
    """A filter or number of a text with its arguments."""

    kind: Kind
    text: str
    arguments: tuple[float, ...]

    def unit(self, of: str) -> str:
        """Return the unit of a number of a history in a unit."""
        return {"": of, "1": ""}.get(self.kind.unit, self.kind.unit)


@dataclass(frozen=True)
class Chain:
    """Filters of a history, then numbers that stand for it."""

    filters: tuple[Wanted, ...] = ()
    numbers: tuple[Wanted, ...] = ()

    def filtered(self, t: Array, y: Array, inside: BoolArray | slice = slice(None)) -> Array:
        """Return y (nt,) or (nt, n) behind all filters.

        inside: the records (nt,) that are looked at (default: all). Filters see all of them, so that they have swung in
        where one begins to look; means and lines that are taken off are those of the records inside.
        """
        for each in self.filters:
            y = each.kind.do(t, y, *each.arguments, **({"inside": inside} if each.kind.fitted else {})).y
        return y

    def measured(self, t: Array, y: Array) -> list[float]:
        """Return the numbers of a history y (nt,) that has passed the filters."""
        return [float(each.kind.do(t, y, *each.arguments)) for each in self.numbers]


def read_chain(text: str) -> Chain:
    """Return what "detrend:lowpass(20):rms,line(14)" asks for; numbers come last."""
    filters: list[Wanted] = []
    for place, part in enumerate(parts := text.split(":")):
        words = re.split(r",(?![^(]*\))", part)
        name = words[0].partition("(")[0].strip()
        if name in FILTERS and len(words) == 1:
            filters.append(_wanted(words[0], FILTERS))
        elif place + 1 < len(parts):
            raise ModelError(f"'{part.strip()}' is not a filter{did_you_mean(name, FILTERS)}")
        else:
            return Chain(tuple(filters), tuple(_wanted(word, NUMBERS) for word in words))
    return Chain(tuple(filters))


def _wanted(text: str, known: Mapping[str, Kind]) -> Wanted:
    found = _CALL.fullmatch(text.strip())
    name = found["name"] if found else text.strip()
    if found is None or name not in known:
        raise ModelError(f"'{name}' is neither a filter nor a measure{did_you_mean(name, {**FILTERS, **NUMBERS})}")
    kind = known[name]
    words = [word.strip() for word in (found["arguments"] or "").split(",") if word.strip()]
    form = f"{name}({', '.join(kind.parameters)})" if kind.parameters else name
    if len(words) != len(kind.parameters):
        count = "one argument" if len(words) == 1 else f"{len(words)} arguments"
        raise ModelError(f"'{text.strip()}' has {count}, expected {form}")
    try:
        arguments = tuple(map(float, words))
    except ValueError:
        raise ModelError(f"'{text.strip()}' needs numbers: {form}") from None
    if not np.isfinite(arguments).all():
        raise ModelError(f"'{text.strip()}' needs finite numbers: {form}")
    return Wanted(kind, f"{name}({', '.join(words)})" if words else name, arguments)
