"""Parameters of a model by least squares, with what they are known to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import FloatframeError, ModelError, NotConverged
from floatframe.expressions import Scalar
from floatframe.hybrid.fitting.measured import Measured, MeasuredModes, read_measured
from floatframe.hybrid.fitting.noise import Noise, known_to, left_to_chance
from floatframe.hybrid.fitting.predicted import Predicted
from floatframe.wording import did_you_mean

STEP = 1e-4  # of a parameter, relative, for differences
BLIND = 1e-5  # least over largest sensitivity of the measured numbers, below which a combination is not seen
CONVERGED = 1e-7  # of the sum of squares and of the parameters, far below what noise leaves open
MOST_EVALUATIONS = 50  # of the residual by the solver, differences not counted
CORRELATED = 0.5  # of residuals with their neighbours, beyond which intervals are too narrow
POOR = 0.5  # what is left of a history over its variation, beyond which the model does not follow it
GROWING = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)  # shares of the time, in which oscillations that start together stay so

Bounds = tuple[float, float]


@dataclass(frozen=True)
class Found:
    """A parameter: its value in the model, the one found, the standard error, the confidence interval."""

    name: str
    before: float
    value: float
    error: float
    low: float
    high: float


@short_repr
@dataclass(frozen=True)
class Fit:
    """The outcome of a fit. Columns are those of the data: (n,) values each, before with the values of the model."""

    parameters: tuple[Found, ...]
    confidence: float  # of each interval
    correlation: Array  # (nparameter, nparameter)
    columns: tuple[str, ...]
    units: tuple[str, ...]
    measured: tuple[Array, ...]
    before: tuple[Array, ...]
    after: tuple[Array, ...]
    t: Array | None  # (n,) [s] of histories, None of modes
    noise: Array  # (ncolumn,) root mean square of what is left
    neighbours: Array  # (ncolumn,) correlation of what is left with its neighbour in time
    unexplained: Array  # (ncolumn,) noise over the standard deviation of what was measured; 0 of modes
    runs: int
    refused: str = ""  # the last values that were tried without an answer, and why there is none

    @property
    def values(self) -> dict[str, float]:
        """The values found, by name."""
        return {one.name: one.value for one in self.parameters}

    @property
    def left(self) -> tuple[float, float]:
        """Root mean square of the deviations over that of the data, before and after."""
        sizes = [max(float(np.sqrt(np.mean(values**2))), 1e-300) for values in self.measured]
        both = []
        for found in (self.before, self.after):
            shares = [np.mean((a - b) ** 2) / s**2 for a, b, s in zip(found, self.measured, sizes, strict=True)]
            both.append(float(np.sqrt(np.mean(shares))))
        return both[0], both[1]

    @property
    def doubts(self) -> tuple[str, ...]:
        """What to warn of."""
        poor = [
            f"{100 * share:.0f} % of the variation of '{name}'"
            for name, share in zip(self.columns, self.unexplained, strict=True)
            if share > POOR
        ]
        astray = (
            f"the model does not follow what was measured: {', '.join(poor)} are left, so neither values nor intervals "
            "are to be trusted. Most often start values are too far off, and oscillations out of step; start closer in "
            "[parameters], give narrower bounds, fit a shorter time first, or measured frequencies",
        )
        bounds = (f"the search stepped back from {self.refused}; give bounds that leave such values out",)
        return (
            (astray if poor else ())
            + (bounds if self.refused else ())
            + tuple(
                f"what is left of '{name}' is correlated in time ({value:.2f} with its neighbour), so the model lacks "
                "something that was measured, and the intervals are too narrow"
                for name, value, share in zip(self.columns, self.neighbours, self.unexplained, strict=True)
                if value > CORRELATED and share <= POOR
            )
        )


def fit(
    source: str | Path,
    measured: str | Path | Measured | MeasuredModes,
    vary: Sequence[str] | Mapping[str, Bounds | None],
    *,
    parameters: Mapping[str, Scalar] | None = None,
    confidence: float = 0.95,
    settings: Mapping[str, Any] | None = None,
) -> Fit:
    """Find the parameters of a model file with which it says what was measured.

    Least squares, every column weighed by its noise, which the deviations themselves show; Student's distribution for
    the intervals.

    Parameters
    ----------
    source
        The model file; its values are where the search begins.
    measured
        A table as CSV (see `read_measured`), or what it holds.
    vary
        Names of parameters, or bounds (low, high) by name, None for none.
    parameters
        Other values for parameters of the file.
    confidence
        Probability that a parameter lies in its interval.
    settings
        Of runs, in place of those of the model file; `at` of linear analyses.
    """
    if not 0.0 < confidence < 1.0:
        raise ModelError(f"fit: confidence is {confidence:g}, expected a number between 0 and 1")
    data = measured if isinstance(measured, Measured | MeasuredModes) else read_measured(measured)
    given = {name: None for name in vary} if not isinstance(vary, Mapping) else dict(vary)
    predicted = Predicted(Path(source), data, dict(parameters or {}), dict(settings or {}))
    search = _Search(predicted, given)
    before = predicted(search.named(search.start))
    # the first weights make columns comparable, the second are the noise that the first fit leaves
    x = search.found()
    noise = search.noise(x, search.sizes, search.slopes(x))
    if noise.own:
        x = search.minimum(x, noise.deviations)
    return _outcome(search, x, noise, before, confidence)


class _Search:
    """The least squares of a fit, in parameters over their sizes."""

    def __init__(self, predicted: Predicted, vary: Mapping[str, Bounds | None]) -> None:
        self.predicted, self.columns = predicted, predicted.columns
        self.refused = ""  # the last values without an answer, and why
        self.names = tuple(vary)
        known = predicted.start.model.parameters
        if not self.names:
            raise ModelError("fit: nothing to vary; name parameters of the model")
        for name in self.names:
            if name not in known:
                hint = did_you_mean(name, known) or "; give the number a name in [parameters]"
                raise ModelError(f"fit: parameter '{name}' does not exist{hint}", missing=name)
        count = sum(column.count for column in self.columns)
        if count <= len(self.names):
            raise ModelError(f"fit: {count} measured numbers cannot give {len(self.names)} parameters; measure more")
        self.before = np.array([known[name] for name in self.names])
        limits = [vary[name] or (-np.inf, np.inf) for name in self.names]
        self.scale = np.array([_size(*one) for one in zip(self.before, limits, strict=True)])
        self.low, self.high = (np.array(side) / self.scale for side in zip(*limits, strict=True))
        self.start = self.before / self.scale
        for name, value, (low, high) in zip(self.names, self.before, limits, strict=True):
            if not low < high:
                raise ModelError(f"fit: bounds of '{name}' are {low:g}:{high:g}, expected the lower one first")
            if not low <= value <= high:
                raise ModelError(f"fit: '{name}' is {value:g} in the model, outside of its bounds {low:g}:{high:g}")

    @property
    def sizes(self) -> Array:
        """(ncolumn,) how large the measured values are."""
        return np.array([float(np.sqrt(np.mean(column.values**2))) or 1.0 for column in self.columns])

    def named(self, x: Array) -> dict[str, float]:
        return dict(zip(self.names, (x * self.scale).tolist(), strict=True))

    def residual(self, x: Array, noise: Array, share: float = 1.0) -> Array:
        """Deviations (n,) of all columns over their noise, in a share of the time."""
        parts = [part / size for part, size in zip(self.left(x), noise, strict=True)]
        return np.concatenate([part[: math.ceil(share * len(part))] for part in parts])

    def tried(self, x: Array, noise: Array, share: float = 1.0) -> Array:
        """The same, infinite where the model gives no answer, as with a mass below zero: a search steps back."""
        try:
            return self.residual(x, noise, share)
        except FloatframeError as error:
            self.refused = f"{_listed(self.named(x))} ({str(error).rstrip('.')})"
            return np.full(sum(math.ceil(share * len(column.values)) for column in self.columns), np.inf)

    def slopes(self, x: Array, noise: Array | None = None, share: float = 1.0, centred: bool = False) -> Array:
        """Derivatives (n, nparameter) of the deviations, inwards at a bound; centred ones are exact to STEP squared."""
        noise = np.ones(len(self.columns)) if noise is None else noise
        here = self.residual(x, noise, share)
        columns = []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = STEP * max(abs(x[k]), 1e-3)
            inside = self.low[k] <= x[k] - step[k], x[k] + step[k] <= self.high[k]
            ahead = self.residual(x + step, noise, share) if inside[1] else here
            behind = self.residual(x - step, noise, share) if inside[0] and (centred or not inside[1]) else here
            count = (ahead is not here) + (behind is not here)
            columns.append((ahead - behind) / (count * step[k]))
        return np.column_stack(columns)

    def minimum(self, x: Array, noise: Array, share: float = 1.0) -> Array:
        """The parameters with the least squares in a share of the time."""
        from scipy.optimize import least_squares

        self.residual(x, noise, share)  # without an answer at its start there is no search
        found = least_squares(
            self.tried,
            x,
            jac=self.slopes,
            bounds=(self.low, self.high),
            args=(noise, share),
            ftol=CONVERGED,
            xtol=CONVERGED,
            gtol=CONVERGED,
            max_nfev=MOST_EVALUATIONS,
        )
        if found.status == 0 and share == 1.0:
            raise NotConverged(
                f"fit: no minimum after {MOST_EVALUATIONS} evaluations, the last values were "
                f"{_listed(self.named(found.x))}; begin closer to the solution, or give bounds"
            )
        return np.asarray(found.x)

    def found(self) -> Array:
        """The parameters with the least squares of all that was measured, columns weighed by their size.

        Oscillations that are out of step have many minima. At first they are not: where a search leaves most of a
        history, or does not end, another one begins in a short time, which grows.
        """
        ends: list[Array] = []
        failures: list[NotConverged] = []
        for shares in ((1.0,), GROWING) if isinstance(self.predicted.measured, Measured) else ((1.0,),):
            x = self.start
            try:
                for share in shares:
                    x = self.minimum(x, self.sizes, share)
            except NotConverged as failure:
                failures.append(failure)
                continue
            ends.append(x)
            if (self.unexplained(x) <= POOR).all():
                break
        if not ends:
            raise failures[0]
        return min(ends, key=lambda x: float(np.sum(self.residual(x, self.sizes) ** 2)))

    def unexplained(self, x: Array) -> Array:
        """What is left of each history (ncolumn,), over its standard deviation; 0 of modes."""
        if not isinstance(self.predicted.measured, Measured):
            return np.zeros(len(self.columns))
        sizes = [np.std(column.values) or np.inf for column in self.columns]
        return np.array([np.sqrt(np.mean(part**2)) / size for part, size in zip(self.left(x), sizes, strict=True)])

    def left(self, x: Array) -> list[Array]:
        """Deviations of every column."""
        return [y - c.values for y, c in zip(self.predicted(self.named(x)), self.columns, strict=True)]

    def by_column(self, slopes: Array) -> list[Array]:
        """Rows of slopes that belong to each column."""
        return np.split(slopes, np.cumsum([len(column.values) for column in self.columns])[:-1])

    def noise(self, x: Array, weights: Array, slopes: Array) -> Noise:
        """What the deviations show, of a fit with weights (ncolumn,)."""
        counts = np.array([column.count for column in self.columns])
        return Noise.shown(self.left(x), self.sizes, left_to_chance(self.by_column(slopes), weights, counts))

    def require_seen(self, x: Array, slopes: Array) -> None:
        """Refuse parameters, or combinations of them, that the measured numbers do not depend on."""
        sensitivities = np.linalg.norm(slopes, axis=0)
        largest = sensitivities.max(initial=0.0)
        for name, value in zip(self.names, sensitivities, strict=True):
            if not value > BLIND * largest:
                raise ModelError(
                    f"fit: what was measured does not depend on '{name}'; measure something that does, or hold it"
                )
        _, sizes, directions = np.linalg.svd(slopes / sensitivities, full_matrices=False)
        if sizes[-1] < BLIND * sizes[0]:
            # a step along it in relative changes of the parameters leaves everything measured as it is
            change = directions[-1] / sensitivities / np.where(x == 0.0, 1.0, x)
            change = change / change[np.abs(change).argmax()]
            parts = [f"{name} by {100 * part:+.0f} %" for name, part in zip(self.names, change, strict=True) if part]
            raise ModelError(
                "fit: what was measured does not tell these parameters apart: it stays the same if "
                f"{', '.join(parts)} change together; hold one of them, or measure more"
            )


def _size(value: float, limits: Bounds) -> float:
    finite = [abs(limit) for limit in limits if np.isfinite(limit) and limit]
    return abs(float(value)) or max(finite, default=1.0)


def _outcome(search: _Search, x: Array, noise: Noise, before: Sequence[Array], confidence: float) -> Fit:
    from scipy.stats import t as student

    slopes = search.slopes(x, centred=True)
    weighted = [part / size for part, size in zip(search.by_column(slopes), noise.deviations, strict=True)]
    search.require_seen(x, np.concatenate(weighted))
    if noise.own:
        noise = search.noise(x, noise.deviations, slopes)
    after, left = search.predicted(search.named(x)), search.left(x)
    covariance, free = known_to(search.by_column(slopes), noise)
    errors = np.sqrt(np.diagonal(covariance))
    reach = student.ppf(0.5 + 0.5 * confidence, free)
    values, wide = x * search.scale, errors * search.scale
    data = search.predicted.measured
    found = tuple(
        Found(name, float(old), float(value), float(error), float(value - half), float(value + half))
        for name, old, value, error, half in zip(search.names, search.before, values, wide, reach * wide, strict=True)
    )
    return Fit(
        parameters=found,
        confidence=confidence,
        correlation=covariance / np.outer(errors, errors),
        columns=tuple(column.name for column in search.columns),
        units=tuple(column.unit for column in search.columns),
        measured=tuple(column.values for column in search.columns),
        before=tuple(before),
        after=tuple(after),
        t=data.t if isinstance(data, Measured) else None,
        noise=np.array([np.sqrt(np.mean(part**2)) for part in left]),
        neighbours=np.array([_neighbours(part) if isinstance(data, Measured) else 0.0 for part in left]),
        unexplained=search.unexplained(x),
        runs=search.predicted.runs,
        refused=search.refused,
    )


def _neighbours(left: Array) -> float:
    total = float(left @ left)
    return float(left[1:] @ left[:-1]) / total if total > 0 else 0.0


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.6g}" for name, value in values.items())
