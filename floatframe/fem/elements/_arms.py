"""Rigid arms that carry forces: what they add to the geometric stiffness."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem.elements.base import SecondOrder


def arm_stiffness(force: Array, arm: Array) -> Array:
    """Return (..., 3, 3) stiffness against turning of arms (..., 3) whose far ends pull back with forces (..., 3).

    An arm turned by the rotation vector θ ends at θ x a + ½ θ x (θ x a); the second part does the work
    f · ½ θ x (θ x a) = ½ θᵀ [½ (f aᵀ + a fᵀ) - (f·a) E] θ.
    """
    product = force[..., :, None] * arm[..., None, :]
    work = np.trace(product, axis1=-2, axis2=-1)
    return 0.5 * (product + product.swapaxes(-1, -2)) - work[..., None, None] * np.eye(3)


# rows θ and θ·a; components f, which work on θ (θ·a), and f·a, which works on -θ·θ
_FORMS = np.zeros((4, 4, 4))
_FORMS[range(3), range(3), 3] = _FORMS[range(3), 3, range(3)] = 0.5
_FORMS[3, range(3), range(3)] = -1.0


def arm_work(force: Array, arm: Array, turns: Array) -> SecondOrder:
    """Return the same for elements: forces (nel, 3, k) at the ends of arms (nel, 3) that turn by (nel, 3, n)."""
    across = arm[:, None, :]
    stress = np.concatenate([force, across @ force], axis=1)
    slopes = np.concatenate([turns, across @ turns], axis=1)
    return SecondOrder(stress[:, None], slopes[:, None], _FORMS)
