"""A table of kilometres: curvature, cant, gauge and gradient of a line at increasing distances."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from floatframe.arrays import Array, short_repr
from floatframe.errors import Where
from floatframe.railway.track.columns import read_columns
from floatframe.railway.track.profile import LINEAR, Profile, Ramp
from floatframe.railway.track.sections import GAUGE, RAMPS, checked_choice

_COLUMNS = ("s", "km", "curvature", "radius", "cant", "widening", "gauge", "gradient")


@short_repr
@dataclass(frozen=True, eq=False)
class Kilometres:
    """Values (n,) at distances s (n,) that increase; the same distance twice makes a jump.

    Between the rows curvature, cant and widening are ramps of one shape, the gradient is linear (a vertical parabola).
    """

    s: ArrayLike  # [m]
    curvature: ArrayLike  # in plan [1/m], positive to the left
    cant: ArrayLike = ()  # right rail over left [m]
    widening: ArrayLike = ()  # of the gauge [m]
    gradient: ArrayLike = ()  # rise over run
    shape: str = LINEAR

    def __post_init__(self) -> None:
        checked_choice(self.shape, "shape", RAMPS)
        s = _numbers(self.s, "s")
        if fault := _backwards(s):
            raise Where(field="s").error(f"row {fault[0] + 1}: {fault[1]}")
        if s.size < 2 or s[-1] == s[0]:
            raise Where(field="s").error(f"found {s.size} distances, expected two or more that increase")
        object.__setattr__(self, "s", s)
        for name in ("curvature", "cant", "widening", "gradient"):
            value = _numbers(getattr(self, name), name)
            value = value if value.size else np.zeros_like(s)
            if value.shape != s.shape:
                raise Where(field=name).error(f"found {value.size} values of {name}, expected {s.size} as of s")
            object.__setattr__(self, name, value)

    def profile(self, name: str, shape: str, offset: float = 0.0) -> Profile:
        """Return the ramps of a quantity."""
        s, value = np.asarray(self.s), np.asarray(getattr(self, name)) + offset
        rows = zip(np.diff(s).tolist(), value[:-1].tolist(), value[1:].tolist(), strict=True)
        return Profile.of_ramps(float(s[0]), [Ramp(*row, shape) for row in rows])


def read_kilometres(path: str | Path, shape: str = LINEAR, gauge: float = GAUGE) -> Kilometres:
    """Read a table of kilometres from a text file with headings.

    Columns: `s` or `km`; `curvature` or `radius` (0 or empty: straight; negative to the right); if wanted `cant` (right
    rail over left), `widening` or `gauge`, `gradient`. Units stand in brackets: cant [mm], gradient [‰].
    """
    table = read_columns(path, _COLUMNS)
    values = table.values
    for one, other in (("s", "km"), ("curvature", "radius")):
        if (one in values) == (other in values):
            raise table.error(0, f"found columns {', '.join(values)}; expected one of '{one}' and '{other}'")
    if "widening" in values and "gauge" in values:
        raise table.error(0, "found columns 'widening' and 'gauge'; expected one of them")
    required = [name for name in values if name != "radius"]
    table.require_complete(*required)
    s = values["s"] if "s" in values else 1e3 * values["km"]
    if fault := _backwards(s):
        raise table.error(*fault)
    if "radius" in values:
        radius = values["radius"]
        bent = np.isfinite(radius) & (radius != 0.0)
        curvature = np.divide(1.0, radius, out=np.zeros_like(radius), where=bent)
    else:
        curvature = values["curvature"]
    widening = values["gauge"] - gauge if "gauge" in values else values.get("widening", ())
    return Kilometres(s, curvature, values.get("cant", ()), widening, values.get("gradient", ()), shape)


def _backwards(s: Array) -> tuple[int, str] | None:
    """Return the first row that lies before the one above it, and what to say."""
    back = np.flatnonzero(np.diff(s) < 0)
    if not back.size:
        return None
    k = int(back[0])
    words = f"the distance {s[k + 1]:g} m follows {s[k]:g} m, expected increasing ones; the table runs backwards"
    return k + 1, words


def _numbers(values: ArrayLike, name: str) -> Array:
    try:
        found = np.array(values, dtype=float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise Where(field=name).error(f"found {name} that is not a list of finite numbers")
    found.setflags(write=False)
    return found
