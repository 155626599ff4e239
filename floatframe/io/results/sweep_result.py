"""What a sweep gives: one study at every point of a grid of parameters, as a value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.errors import ModelError
from floatframe.io.format import PathLike
from floatframe.io.results.csv import write_csv
from floatframe.io.results.sample_statistics import SampleStatistics
from floatframe.io.results.schema import Channel
from floatframe.wording import did_you_mean

WAITING, DONE, FAILED = "waiting", "done", "failed"  # states of a point
SAMPLE = "sample"  # the axis of random values, numbered from 1
SAME = 1e-9  # relative difference of two values of a parameter that comes from rounding


@dataclass(frozen=True, eq=False)
class SweepResult:
    """One study at every point of a grid; points are numbered with the last parameter running fastest.

    result["A.force.x:rms"] gives a column over the grid, one axis per parameter, NaN where a point failed or waits;
    result.at(phi=150.0) the part of the grid at one value of a parameter.
    """

    parameters: Mapping[str, tuple[float, ...]]  # values of each parameter: the axes of the grid
    columns: tuple[Channel, ...]  # name and unit of each number
    values: Array = field(repr=False)  # (npoint, ncolumn)
    states: tuple[str, ...] = field(repr=False)  # (npoint,) waiting, done or failed
    sentences: tuple[str, ...] = field(repr=False)  # (npoint,) how each point ended
    seconds: Array = field(repr=False)  # (npoint,) time on the clock
    model: str = field(default="", repr=False)  # text of the model file
    settings: Mapping[str, Any] = field(default_factory=dict, repr=False)  # study, measures …, as JSON can hold them
    samples: Mapping[str, Array] = field(default_factory=dict, repr=False)  # (nsample,) values of random parameters

    def __post_init__(self) -> None:
        samples = {name: np.asarray(values, dtype=float) for name, values in self.samples.items()}
        object.__setattr__(self, "samples", samples)
        n = math.prod(self.shape)
        sizes = (self.values.shape, len(self.states), len(self.sentences), self.seconds.shape)
        if sizes != ((n, len(self.columns)), n, n, (n,)):
            raise ModelError(f"a sweep of {n} points and {len(self.columns)} columns has arrays of sizes {sizes}.")
        if any(len(values) != len(self.parameters.get(SAMPLE, ())) for values in self.samples.values()):
            raise ModelError("a sweep with random parameters needs as many samples as its axis 'sample' has values.")
        if not set(self.states) <= {WAITING, DONE, FAILED}:
            raise ModelError(f"a sweep has points in states {sorted(set(self.states))}.")
        if not isinstance(self.settings, Mapping):
            raise ModelError("the settings of a sweep must be named values.")
        self._require_axes()

    def _require_axes(self) -> None:
        """Refuse values that are not finite numbers, and choices without a text for each of them."""
        choices = self.settings.get("choices", {})
        if not (isinstance(choices, Mapping) and all(isinstance(texts, list | tuple) for texts in choices.values())):
            raise ModelError("the choices of a sweep must be lists of texts by the names of parameters.")
        if not isinstance(self.settings.get("units", {}), Mapping):
            raise ModelError("the units of a sweep must be texts by the names of parameters.")
        drawn = {name: tuple(values.tolist()) for name, values in self.samples.items()}
        for name, values in (*self.parameters.items(), *drawn.items()):
            if not all(map(math.isfinite, values)):
                raise ModelError(f"the parameter '{name}' of a sweep has values that are not finite numbers.")
            if name in choices and not all(1 <= round(value) <= len(choices[name]) for value in values):
                raise ModelError(f"the parameter '{name}' of a sweep has other values than its choices.")

    @property
    def shape(self) -> tuple[int, ...]:
        """Size of the grid, one number per parameter."""
        return tuple(len(values) for values in self.parameters.values())

    @property
    def study(self) -> str:
        """What was done at every point: simulate, equilibrium or linear."""
        return str(self.settings.get("study", ""))

    @property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """The texts for which the numbers of a parameter stand, counted from 1, where it took what is not a number."""
        return {name: tuple(map(str, texts)) for name, texts in self.settings.get("choices", {}).items()}

    @property
    def units(self) -> dict[str, str]:
        """The units of parameters, where they were given."""
        return {name: str(unit) for name, unit in self.settings.get("units", {}).items()}

    def heading(self, name: str) -> str:
        """Return a parameter or column with its unit: "phi [°]"."""
        unit = self.units.get(name, "") if name in self.parameters or name in self.samples else self.unit(name)
        return f"{name} [{unit}]" if unit else name

    def word(self, name: str, value: float) -> str:
        """Return a value of a parameter as people read it."""
        return self.choices[name][round(value) - 1] if name in self.choices else f"{value:g}"

    @property
    def points(self) -> list[dict[str, float]]:
        """The parameters of every point, in the order of the rows of `values`; behind a sample its random values."""
        return grid_points(self.parameters, self.samples)

    def statistics(self) -> list[SampleStatistics]:
        """Mean, standard deviation and percentiles of every column over the samples, at each point of the grid."""
        axis = list(self.parameters).index(SAMPLE) if self.samples else 0
        grid = {name: values for name, values in self.parameters.items() if name != SAMPLE} if self.samples else {}
        found = []
        for column in self.columns if self.samples else ():
            values = np.moveaxis(self[column.name], axis, -1).reshape(-1, len(self.parameters[SAMPLE]))
            found += [
                SampleStatistics.of(point, column, row) for point, row in zip(grid_points(grid), values, strict=True)
            ]
        return found

    def to_csv(self, path: PathLike) -> None:
        """Write parameters and columns of all points; points without numbers have nan."""
        headings = [self.heading(name) for name in (*self.points[0], *(column.name for column in self.columns))]
        points = np.array([list(point.values()) for point in self.points]).reshape(len(self.states), -1)
        write_csv(path, headings, np.hstack([points, self.values]))

    @property
    def ok(self) -> BoolArray:
        """Which points of the grid are done, without failure."""
        return np.array([state == DONE for state in self.states]).reshape(self.shape)

    @property
    def nfailed(self) -> int:
        """Number of points that failed."""
        return self.states.count(FAILED)

    @property
    def nwaiting(self) -> int:
        """Number of points not computed yet."""
        return self.states.count(WAITING)

    @property
    def status(self) -> str:
        """How the sweep ended, in a sentence."""
        n = len(self.states)
        done = f"{n} points" if not self.nwaiting else f"{n - self.nwaiting} of {n} points"
        failed = f", {self.nfailed} failed" if self.nfailed else ""
        return f"{'unfinished' if self.nwaiting else 'finished'}: {done}{failed}"

    @property
    def failures(self) -> list[tuple[dict[str, float], str]]:
        """Parameters and sentence of every point that failed."""
        ended = zip(self.points, self.states, self.sentences, strict=True)
        return [(point, sentence) for point, state, sentence in ended if state == FAILED]

    @property
    def frequency(self) -> Array:
        """Natural frequencies [Hz] of a linear study, the grid with one more axis for the modes."""
        return self._numbered("frequency")

    @property
    def damping(self) -> Array:
        """Damping ratios of a linear study, the grid with one more axis for the modes."""
        return self._numbered("damping")

    def _numbered(self, what: str) -> Array:
        names = [column.name for column in self.columns if column.name.startswith(f"{what}.")]
        names.sort(key=lambda name: int(name.partition(".")[2]))
        return np.stack([self[name] for name in names], axis=-1) if names else np.empty((*self.shape, 0))

    def __contains__(self, name: object) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str) -> Array:
        """Return a column over the grid."""
        return self.values[:, self._number(name)].reshape(self.shape)

    def unit(self, name: str) -> str:
        """Return the unit of a column."""
        return self.columns[self._number(name)].unit

    def _number(self, name: str) -> int:
        for number, column in enumerate(self.columns):
            if column.name == name:
                return number
        known = ", ".join(column.name for column in self.columns[:12]) + (", …" if len(self.columns) > 12 else "")
        raise ModelError(f"column '{name}' does not exist in this sweep; its columns: {known or 'none'}.")

    def at(self, **fixed: float) -> SweepResult:
        """Return the part of the grid at given values of some parameters, which then are no longer axes."""
        return self.where(fixed)

    def where(self, fixed: Mapping[str, float | str]) -> SweepResult:
        """The same for names that Python does not take as arguments, such as front.mass; choices by number or text."""
        rows: IntArray = np.arange(len(self.states)).reshape(self.shape)
        for axis, (name, values) in reversed(list(enumerate(self.parameters.items()))):
            if name in fixed:
                rows = np.asarray(rows.take(self._index(name, values, fixed[name]), axis=axis))
        for name in fixed:
            if name not in self.parameters:
                raise ModelError(f"the sweep has no parameter '{name}'; it varies {', '.join(self.parameters)}.")
        kept = rows.ravel().tolist()
        return replace(
            self,
            parameters={name: values for name, values in self.parameters.items() if name not in fixed},
            samples={} if SAMPLE in fixed else self.samples,
            values=self.values[kept],
            states=tuple(self.states[row] for row in kept),
            sentences=tuple(self.sentences[row] for row in kept),
            seconds=self.seconds[kept],
        )

    def _index(self, name: str, values: tuple[float, ...], wanted: float | str) -> int:
        """Return which of the values of a parameter is wanted."""
        if isinstance(wanted, str):
            texts = self.choices.get(name, ())
            if wanted not in texts:
                raise ModelError(f"the sweep has no point at {name} = {wanted}{did_you_mean(wanted, texts)}")
            wanted = texts.index(wanted) + 1.0
        nearest = int(np.argmin(np.abs(np.asarray(values) - wanted)))
        scale = max(abs(value) for value in values) or 1.0
        if abs(values[nearest] - wanted) > SAME * scale:
            raise ModelError(
                f"the sweep has no point at {name} = {wanted:g}, the nearest is {values[nearest]:g}; "
                f"it has {', '.join(f'{value:g}' for value in values[:12])}{', …' if len(values) > 12 else ''}."
            )
        return nearest

    def rows(self, most: int | None = None) -> list[dict[str, Any]]:
        """Return the table: parameters, columns (None where a value is missing) and status of every point.

        most: of so many points at the beginning.
        """
        headings = [self.heading(column.name) for column in self.columns]
        return [
            {
                **{self.heading(name): self.word(name, x) if name in self.choices else x for name, x in point.items()},
                **{name: float(x) if math.isfinite(x) else None for name, x in zip(headings, numbers, strict=True)},
                "status": sentence or state,
            }
            for point, numbers, state, sentence in zip(
                *(part[:most] for part in (self.points, self.values, self.states, self.sentences)), strict=True
            )
        ]

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}: {len(values)}" for name, values in self.parameters.items())
        return f"SweepResult({self.study} over {axes}; {len(self.columns)} columns; {self.status})"


def grid_points(
    parameters: Mapping[str, tuple[float, ...]], samples: Mapping[str, Array] | None = None
) -> list[dict[str, float]]:
    """Return all points of a grid, the last parameter running fastest; behind a sample its random values."""
    points: list[dict[str, float]] = [{}]
    for name, values in parameters.items():
        drawn = {other: some.tolist() for other, some in samples.items()} if samples and name == SAMPLE else {}
        steps = [{name: value, **{other: drawn[other][k] for other in drawn}} for k, value in enumerate(values)]
        points = [{**point, **step} for point in points for step in steps]
    return points
