"""What the samples of a random sweep say: mean, standard deviation and percentiles of a measure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.io.results.schema import Channel

PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class SampleStatistics:
    """One measure at one point of the grid over all its samples that are done and have a value.

    The standard deviation is that of the population the samples come from (n - 1); NaN of fewer than two samples.
    """

    point: Mapping[str, float]  # parameters that are not random
    column: Channel
    count: int
    mean: float
    standard_deviation: float
    percentiles: Mapping[int, float]  # linear between samples

    @classmethod
    def of(cls, point: Mapping[str, float], column: Channel, values: Array) -> SampleStatistics:
        """The statistics of values (n,), those that are not finite left out."""
        kept = values[np.isfinite(values)]
        n = len(kept)
        shares = np.percentile(kept, PERCENTILES).tolist() if n else [math.nan] * len(PERCENTILES)
        return cls(
            point,
            column,
            n,
            float(kept.mean()) if n else math.nan,
            float(kept.std(ddof=1)) if n > 1 else math.nan,
            dict(zip(PERCENTILES, shares, strict=True)),
        )

    def row(self) -> dict[str, Any]:
        """A row of a table for people."""
        name = f"{self.column.name} [{self.column.unit}]" if self.column.unit else self.column.name
        return {
            **self.point,
            "measure": name,
            "samples": self.count,
            "mean": self.mean,
            "standard deviation": self.standard_deviation,
            **{f"{percent} %": value for percent, value in self.percentiles.items()},
        }
