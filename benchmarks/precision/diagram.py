"""Curves of time over error: their values at decades, and who is ahead there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.precision.measure import Point
from benchmarks.precision.methods import LARGEST, SMALLEST

DECADES = tuple(10.0**k for k in range(round(np.log10(LARGEST)), round(np.log10(SMALLEST)) - 1, -1))


@dataclass(frozen=True)
class Curve:
    """The runs of a method; `family` is "ours" or another program."""

    label: str
    family: str
    points: Sequence[Point]

    @property
    def edge(self) -> list[Point]:
        """Those runs that no other one of the curve betters in both time and error, from coarse to fine."""
        best: list[Point] = []
        for point in sorted(self.points, key=lambda one: (one.seconds, one.error)):
            if not best or point.error < best[-1].error:
                best.append(point)
        return best

    @property
    def settled(self) -> Curve:
        """The curve with the largest error of each run and all finer ones: none of its errors is small by luck."""
        errors = [max(point.error for point in self.points[k:]) for k in range(len(self.points))]
        return replace(self, points=[replace(one, error=error) for one, error in zip(self.points, errors, strict=True)])

    def seconds(self, error: float) -> float:
        """Time for an error, interpolated in logarithms; a curve that begins below it takes its first run, NaN beyond
        its end."""
        edge = self.edge
        if not edge or error < edge[-1].error:
            return float("nan")
        errors = np.log10([max(point.error, 1e-16) for point in edge])[::-1]
        times = np.log10([point.seconds for point in edge])[::-1]
        return float(10.0 ** np.interp(np.log10(error), errors, times))


def fastest(curves: Iterable[Curve], error: float) -> tuple[Curve, float] | None:
    """The curve of least time for an error, and that time."""
    known = [(curve, curve.seconds(error)) for curve in curves]
    known = [(curve, seconds) for curve, seconds in known if np.isfinite(seconds)]
    return min(known, key=lambda one: one[1]) if known else None


def table(curves: Sequence[Curve]) -> str:
    """Milliseconds of each method at each decade."""
    lines = [f"    {'error':24s}" + "".join(f"{error:9.0e}" for error in DECADES)]
    for curve in curves:
        cells = (curve.seconds(error) for error in DECADES)
        row = "".join(f"{1e3 * seconds:9.2f}" if np.isfinite(seconds) else f"{'-':>9s}" for seconds in cells)
        lines.append(f"    {curve.label:24s}{row}")
    return "\n".join(lines)
