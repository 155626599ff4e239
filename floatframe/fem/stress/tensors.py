"""Numbers made of stresses, and where in an element these are; NumPy only, for all that have no elements at hand."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array

SOLID, TOP, BOTTOM = 0, 1, 2  # places of points; fibres of beams count down from -1


def von_mises(tensor: Array) -> Array:
    """Return the von Mises stress (...) of tensors (..., 6) ordered xx, yy, zz, xy, yz, zx."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(tensor, -1, 0)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))


def joined_shear(parts: Array) -> Array:
    """Return the shear stress (...,) on the safe side: that of both forces, and that of the torque along it."""
    return np.asarray(np.hypot(parts[..., 0], parts[..., 1]) + np.abs(parts[..., 2]))
