"""How far a run has left its constraints, from what it says of its records."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from floatframe.arrays import Array

#: key of what is reported, and the statistics it is the largest of
_LARGEST = {
    "largest_constraint_drift": "constraint_drift",
    "largest_velocity_drift": "velocity_drift",
    "constraint_drift_bound": "drift_bound",
    "velocity_drift_bound": "velocity_drift_bound",
}


def largest_drift(statistics: Mapping[str, Array]) -> dict[str, float | None]:
    """Largest drift of constraints [m, rad] and of their rates [per s], and what bounds them; None if it is not known.

    Bounds are known of stabilised constraints in explicit steps.
    """
    found: dict[str, float | None] = {}
    for key, name in _LARGEST.items():
        values = statistics.get(name, np.zeros(0))
        largest = float(np.max(values)) if len(values) else np.nan
        found[key] = largest if np.isfinite(largest) else None
    return found


def drift_words(statistics: Mapping[str, Array]) -> str:
    """The same as a sentence; nothing of a run without constraints."""
    drift, rate, bound, rate_bound = largest_drift(statistics).values()
    if not drift and not rate:
        return ""
    places, speeds = f"{drift or 0.0:.2g} m or rad", f"{rate or 0.0:.2g} m/s or rad/s"
    words = f"constraints are off by at most {places}, their speeds by {speeds}"
    if bound is None or rate_bound is None:
        return words
    return f"{words}; bounds: {bound:.2g} and {rate_bound:.2g}"
