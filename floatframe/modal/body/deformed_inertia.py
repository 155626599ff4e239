"""How a deformation changes the inertia of a body's vibration, and with it the frequencies of its softest modes.

See docs/theory/geometric-stiffness.md, "Limits of runs with it". With the states G_j of the softest modes x_j the
second-order motion has x_jᵀ M u₂ = -½ wᵀ G_j w, and the mass of these modes about a deformation w is E - B - Bᵀ, B_ij =
x_iᵀ G_j w.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.modal.body.geometric_terms import GeometricTerms

EQUAL = 0.01  # relative distance of frequencies of one cluster, whose modes mix


def frequency_shift(terms: GeometricTerms | None, stiffness: Array, w: Array) -> Array:
    """Return what deformations w (m, n) of a body add to the frequencies of its softest modes, (m, s) relative.

    stiffness (n, n) is that of the shapes. First order in w; s is zero for a body without these states.
    """
    w = np.atleast_2d(w)
    if terms is None or not len(np.asarray(terms.softest)):
        return np.zeros((len(w), 0))
    modes = np.linalg.pinv(np.asarray(terms.softest))  # (n, s) deformations of unit amplitudes
    slopes = np.einsum("ni,jnk->ijk", modes, np.asarray(terms.vibration))
    B = np.einsum("ijk,mk->mij", slopes, w)
    B = (B + B.swapaxes(1, 2)) / 2.0
    omega = np.sqrt(np.einsum("ni,nk,ki->i", modes, stiffness, modes))
    shift = np.empty(B.shape[:2])
    first = 0
    for last in range(1, len(omega) + 1):
        if last == len(omega) or omega[last] - omega[last - 1] > EQUAL * omega[last]:
            # modes of equal frequency mix; others feel each other in second order only
            shift[:, first:last] = np.linalg.eigvalsh(B[:, first:last, first:last])
            first = last
    return shift
