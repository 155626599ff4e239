"""Strain gauges that need not be glued: strains along a direction at a node, and rosettes of three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.hybrid import Recovered

ROSETTE = (0.0, 45.0, 90.0)  # degrees from the first gauge, about the normal


def gauge(found: Recovered, node: int, direction: Sequence[float], place: str = "") -> Array:
    """Return the strain (nt,) along a direction (3,) of the body's axes at a node.

    place: "top" or "bottom" of a shell, "fibre[1]" … of a beam; in solids none.
    """
    along = _unit(direction, "direction")
    return np.asarray(_tensor(found, node, place) @ _products(along))


@short_repr
@dataclass(frozen=True)
class Rosette:
    """Strains (nt, 3) of three gauges at 0°, 45° and 90°; principal strains (nt, 2) and angle (nt,) of the first [rad].

    The angle goes from the first gauge towards the third.
    """

    strain: Array
    principal: Array
    angle: Array


def rosette(
    found: Recovered, node: int, direction: Sequence[float], normal: Sequence[float], place: str = ""
) -> Rosette:
    """Return what three gauges on a surface measure: one along a direction, the others turned about the normal."""
    z = _unit(normal, "normal")
    x = np.asarray(direction, dtype=float)
    x = _unit(x - (x @ z) * z, "direction in the surface")
    y = np.cross(z, x)
    angles = np.radians(ROSETTE)
    rows = np.stack([_products(np.cos(angle) * x + np.sin(angle) * y) for angle in angles])
    strain = _tensor(found, node, place) @ rows.T
    a, b, c = strain.T
    radius = np.hypot((a - c) / 2.0, b - (a + c) / 2.0)
    principal = np.stack([(a + c) / 2.0 + radius, (a + c) / 2.0 - radius], axis=1)
    return Rosette(strain, principal, np.arctan2(2.0 * b - a - c, a - c) / 2.0)


def _tensor(found: Recovered, node: int, place: str) -> Array:
    return found.values(".".join(word for word in (f"{found.name}.node[{node}]", place, "strain") if word))


def _products(n: Array) -> Array:
    """Return what a tensor xx yy zz xy yz zx is multiplied with to be taken along a unit vector."""
    x, y, z = n
    return np.array([x * x, y * y, z * z, 2.0 * x * y, 2.0 * y * z, 2.0 * z * x])


def _unit(vector: Sequence[float] | Array, what: str) -> Array:
    v = np.asarray(vector, dtype=float)
    size = float(np.linalg.norm(v)) if v.shape == (3,) else 0.0
    if not size > 0.0 or not np.isfinite(size):
        raise ModelError(f"gauge: {what} is {vector!r}; expected three numbers that are not all zero")
    return v / size
