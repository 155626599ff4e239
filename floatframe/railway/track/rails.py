"""Where both rails really lie: the sum of all irregularities, at distances in equal steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError, Where
from floatframe.railway.track.irregularities import AnyIrregularity
from floatframe.railway.track.spectra import QUANTITIES

# weights of left lateral, left vertical, right lateral, right vertical in each quantity
_PARTS = {
    "vertical": (0.0, 1.0, 0.0, 1.0),
    "lateral": (1.0, 0.0, 1.0, 0.0),
    "cross_level": (0.0, -0.5, 0.0, 0.5),
    "gauge": (0.5, 0.0, -0.5, 0.0),
    "left_vertical": (0.0, 1.0, 0.0, 0.0),
    "right_vertical": (0.0, 0.0, 0.0, 1.0),
    "left_lateral": (1.0, 0.0, 0.0, 0.0),
    "right_lateral": (0.0, 0.0, 1.0, 0.0),
}
_LARGEST = 0.5  # m, more than the worst class has with all its waves; what is larger has another unit


@short_repr
@dataclass(frozen=True, eq=False)
class RailTable:
    """How far both rails lie from their places, at distances in equal steps, with cubic splines between."""

    start: float  # [m]
    step: float  # [m]
    values: Array  # (n, 4) left rail to the left and upward, right rail likewise [m]

    @cached_property
    def table(self) -> Array:
        """Values and slopes (n, 8) for `kernels.rails_at`."""
        from scipy.interpolate import CubicSpline

        slopes = CubicSpline(self.s, self.values)(self.s, 1)
        return np.ascontiguousarray(np.hstack([self.values, slopes]))

    @property
    def s(self) -> Array:
        """Distances (n,) [m]."""
        return self.start + self.step * np.arange(len(self.values))

    @property
    def quantities(self) -> dict[str, Array]:
        """The quantities (n,) of `spectra.QUANTITIES` [m]."""
        left_y, left_z, right_y, right_z = self.values.T
        found = (0.5 * (left_z + right_z), 0.5 * (left_y + right_y), right_z - left_z, left_y - right_y)
        return dict(zip(QUANTITIES, found, strict=True))

    def at(self, s: ArrayLike, order: int = 0) -> Array:
        """Return the places (..., 4) of the rails (order 0) or their slopes (1) at s; beyond the ends they are held."""
        from scipy.interpolate import CubicHermiteSpline

        s = np.asarray(s, dtype=float)
        own = self.s
        spline = CubicHermiteSpline(own, self.table[:, :4], self.table[:, 4:])
        inside = (s >= own[0]) & (s <= own[-1])
        found = spline(np.clip(s, own[0], own[-1]), order)
        return found if order == 0 else np.where(inside[..., None], found, 0.0)


def rail_table(start: float, end: float, step: float, given: Sequence[AnyIrregularity]) -> RailTable:
    """Return the sum of irregularities of both rails between two distances [m], in steps not longer than given."""
    count = max(math.ceil((end - start) / step - 1e-9), 3)
    s = np.linspace(start, end, count + 1)
    values = np.zeros((count + 1, 4))
    for k, one in enumerate(given):
        try:
            found = one.sampled(s)
        except ModelError as error:
            raise Where(field=f"irregularities.{k}").at(error.field).error(str(error)) from None
        for name, value in found.items():
            if (size := float(np.abs(value).max())) > _LARGEST:
                raise Where(field=f"irregularities.{k}").error(
                    f"the irregularities '{one.name}' have a {name} of {size:.3g} m, expected {_LARGEST:g} m at most; "
                    "they are given in metres, in columns of files also in another unit: vertical [mm]"
                )
            values += np.multiply.outer(value, _PARTS[name])
    return RailTable(start, (end - start) / count, values)
