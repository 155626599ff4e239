"""The grid of a sweep: which values its parameters take, written as "0:330:30", "1,2,5" or "normal(1000, 50)".

Places of a model file may take what is not a number too, "[1, 2, 3] | [1, 2, 5]" or "radau5 | bdf2": such choices are
counted from 1 on the axis. A name may end with the unit of its values, "phi [°]", for headings and axes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from numbers import Real
from typing import Any, TypeAlias

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.modelfile import split_addresses
from floatframe.hybrid.sweep.random_values import Distribution, Samples, distribution
from floatframe.io import SAMPLE, grid_points

MOST_VALUES = 100_000  # of one parameter; more are a mistake in the step
BETWEEN = "|"  # choices
_HEADING = re.compile(r"(?P<name>.*\S)\s+\[(?P<unit>[^\[\]]*)\]")

Values: TypeAlias = "str | float | Sequence[float | str | Sequence[Any]] | Distribution | Choices"


@dataclass(frozen=True)
class Choices:
    """What a place of a model file takes in turn, as texts that could stand there."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, name: str, values: Sequence[Any]) -> Choices:
        """Return what is not all numbers as choices."""
        if not split_addresses({name: 0.0})[1]:
            raise ModelError(
                f"'{name}' is a parameter, whose values are numbers; places of the model file such as "
                "flexible[rod].modes take lists and texts too"
            )
        texts = tuple(_text(value) for value in values)
        if "" in texts:
            raise ModelError(f"'{name}': a choice is empty; write something on both sides of each |")
        twice = [text for text in texts if texts.count(text) > 1]
        if twice:
            raise ModelError(f"'{name}' has the choice {twice[0]} twice; give it once")
        return cls(texts)


def _text(value: Any) -> str:
    """Return a value as it stands in a model file."""
    return value.strip() if isinstance(value, str) else json.dumps(value)


def name_and_unit(heading: str) -> tuple[str, str]:
    """Return name and unit of "phi [°]"; a place such as flexible[rod].modes has no blank before its bracket."""
    found = _HEADING.fullmatch(heading.strip())
    return (found["name"], found["unit"].strip()) if found else (heading.strip(), "")


def parse_vary(text: str) -> tuple[str, tuple[float, ...] | Distribution | Choices]:
    """Return name, with its unit, and values of "phi=0:330:30", the distribution "phi=normal(90, 2)", choices at |."""
    heading, equals, values = (part.strip() for part in text.partition("="))
    if not (heading and equals and values):
        raise ModelError(f"'{text}' must have the form NAME=VALUES, e.g. phi=0:330:30 or phi=0,45,90")
    name, _ = name_and_unit(heading)
    if BETWEEN in values or values.startswith("["):  # a list alone is one choice
        return heading, Choices.of(name, values.split(BETWEEN))
    return heading, distribution(name, values) or parse_values(name, values)


def parse_values(name: str, text: str) -> tuple[float, ...]:
    """Return the values of "0:330:30" (from, to, step; the end belongs to them if the steps meet it), "1,2,5" or both.

    Steps are counted in decimals as they are written: 0:0.3:0.1 ends with 0.3.
    """
    values = [value for piece in text.split(",") for value in _piece(name, piece.strip())]
    return checked_values(name, values)


def checked_values(name: str, values: str | float | Sequence[float]) -> tuple[float, ...]:
    """Return the values of a parameter as numbers; those that are none, or given twice, are refused."""
    if isinstance(values, str):
        return parse_values(name, values)
    if isinstance(values, float | int):
        values = (values,)
    found: dict[float, None] = {}
    for value in values:
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise ModelError(f"'{name}': {value!r} must be finite")
        if float(value) in found:
            raise ModelError(f"'{name}' has the value {value:g} twice; give it once")
        found[float(value)] = None
    if not found:
        raise ModelError(f"'{name}' has no values; give some, or leave it out")
    return tuple(found)


@dataclass(frozen=True)
class Grid:
    """Axes by name, one of them the number of the sample if there are random parameters, and their samples.

    choices: texts for which the numbers of an axis stand, from 1; units: of what varies, where they are given.
    """

    axes: dict[str, tuple[float, ...]]
    samples: dict[str, Array]  # (nsample,)
    random: dict[str, str]  # distributions as texts
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)

    def points(self) -> list[dict[str, Scalar]]:
        """The parameters of every point, the last axis running fastest."""
        points = grid_points(self.axes, self.samples)
        return [{name: self._taken(name, value) for name, value in point.items() if name != SAMPLE} for point in points]

    def _taken(self, name: str, value: float) -> Scalar:
        return self.choices[name][int(value) - 1] if name in self.choices else value


def grid(vary: Mapping[str, Values], samples: Samples | None = None) -> Grid:
    """Return the grid of what varies; samples: of its random parameters."""
    if not vary:
        raise ModelError("a sweep varies at least one parameter; give its name and values")
    axes: dict[str, tuple[float, ...]] = {}
    random: dict[str, Distribution] = {}
    choices: dict[str, tuple[str, ...]] = {}
    units: dict[str, str] = {}
    for heading, values in vary.items():
        name, unit = name_and_unit(heading)
        if name in axes or name in random:
            raise ModelError(f"sweep: '{name}' varies twice; give all its values at once")
        if unit:
            units[name] = unit
        found = distribution(name, values) if isinstance(values, str) else values
        if isinstance(found, Distribution):
            random[name] = found
        elif (chosen := _choices(name, values)) is not None:
            choices[name] = chosen.texts
            axes[name] = tuple(float(k) for k in range(1, len(chosen.texts) + 1))
        else:
            axes[name] = checked_values(name, values)  # type: ignore[arg-type]
    if samples is None:
        if random:
            raise ModelError(
                f"sweep: '{next(iter(random))}' is random; give the number of samples= (on the command line --samples)"
            )
        return Grid(axes, {}, {}, choices, units)
    if SAMPLE in axes or SAMPLE in random:
        raise ModelError(f"sweep: '{SAMPLE}' is the number of a sample; rename the parameter")
    drawn = samples.of(random)
    axes[SAMPLE] = tuple(float(k) for k in range(1, samples.count + 1))
    return Grid(axes, drawn, {name: str(one) for name, one in random.items()}, choices, units)


def _choices(name: str, values: Any) -> Choices | None:
    """Return values that are not all numbers as choices, None for others."""
    if isinstance(values, Choices):
        return values
    if isinstance(values, str):
        return Choices.of(name, values.split(BETWEEN)) if BETWEEN in values else None
    if isinstance(values, Sequence) and any(isinstance(value, str | Sequence) for value in values):
        return Choices.of(name, values)
    return None


def _piece(name: str, text: str) -> list[float]:
    """Return one value, or those of a range."""
    parts = [_number(name, part.strip(), text) for part in text.split(":")]
    if len(parts) == 1:
        return [float(parts[0])]
    if len(parts) != 3:
        raise ModelError(f"'{name}': '{text}' has {len(parts)} numbers, expected FROM:TO:STEP such as 0:330:30")
    start, stop, step = parts
    if step == 0:
        raise ModelError(f"'{name}': '{text}' has the step 0, expected another number")
    if (stop - start) / step < 0:
        raise ModelError(f"'{name}': '{text}' steps away from its end; change the sign of the step {step}")
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise ModelError(f"'{name}': '{text}' has {count} values, expected at most {MOST_VALUES}; take a larger step")
    return [float(start + k * step) for k in range(count)]


def _number(name: str, text: str, whole: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise ModelError(f"'{name}': '{text}' in '{whole}' must be a number, expected e.g. 0:330:30 or 0,45,90")
    return number
