"""Rigid arms that carry forces: what they add to the geometric stiffness."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array


def arm_stiffness(force: Array, arm: Array) -> Array:
    """Return (..., 3, 3) stiffness against turning of arms (..., 3) whose far ends pull back with forces (..., 3).

    An arm turned by the rotation vector θ ends at θ x a + ½ θ x (θ x a); the second part does the work
    f · ½ θ x (θ x a) = ½ θᵀ [½ (f aᵀ + a fᵀ) - (f·a) E] θ.
    """
    product = force[..., :, None] * arm[..., None, :]
    work = np.trace(product, axis1=-2, axis2=-1)
    return 0.5 * (product + product.swapaxes(-1, -2)) - work[..., None, None] * np.eye(3)
