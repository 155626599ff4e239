"""How much every mode contributes to a measured quantity of a flexible body.

A quantity that follows from the modal coordinates is a sum over modes, a(t) = Σ_j h_j ẅ_j(t): for an acceleration of a
node in the body frame h_j is the row of the basis for that dof, for a strain the strain of shape j (then with w).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError


@short_repr
@dataclass(frozen=True)
class ModeContributions:
    """The parts of quantities a_k = Σ_j h_kj ẅ_j, with k the leading index where several rows were given.

    rms, peak (…, nmode): root mean square and largest magnitude of the part of each mode, in the unit of a;
    rms_share (…, nmode): mean of part times whole over mean of whole²; parts that cancel each other are negative;
    peak_share (…, nmode): the part at the moment of the largest magnitude of the whole, relative to it;
    both kinds of shares add up to 1; total_rms, total_peak (…): of the whole.
    """

    rms: Array
    peak: Array
    rms_share: Array
    peak_share: Array
    total_rms: Array
    total_peak: Array

    def ranking(self) -> Array:
        """Return the modes (…, nmode), counted from 0, by the root mean square of their parts, largest first."""
        return np.argsort(-self.rms, axis=-1, kind="stable")


def mode_contributions(shape_rows: Array, wddot: Array) -> ModeContributions:
    """Return the part of every mode in quantities measured at equal steps.

    shape_rows h (nmode,) or (k, nmode): the quantity per unit of each modal coordinate; wddot (nt, nmode).
    """
    h, w = np.asarray(shape_rows, dtype=float), np.asarray(wddot, dtype=float)
    if h.ndim not in (1, 2) or w.ndim != 2 or not w.size or h.shape[-1] != w.shape[1]:
        raise ModelError(
            f"shape_rows {h.shape} and wddot {w.shape} do not fit, expected (nmode,) or (k, nmode) and (nt, nmode)."
        )
    if not (np.isfinite(h).all() and np.isfinite(w).all()):
        raise ModelError("shape_rows and wddot must be finite.")
    whole = h @ w.T  # (…, nt)
    # the history of each part is h_j times that of the mode, so no (k, nt, nmode) array is needed
    total_square = np.mean(whole**2, axis=-1)
    together = h * (whole @ w) / len(w)  # mean of part times whole
    at = np.abs(whole).argmax(axis=-1)
    extreme = np.take_along_axis(whole, np.expand_dims(at, -1), axis=-1)
    if not np.all(total_square):
        raise ModelError("the measured quantity is zero at all times; it has no contributions.")
    return ModeContributions(
        rms=np.abs(h) * np.sqrt(np.mean(w**2, axis=0)),
        peak=np.abs(h) * np.abs(w).max(axis=0),
        rms_share=together / np.expand_dims(total_square, -1),
        peak_share=h * w[at] / extreme,
        total_rms=np.sqrt(total_square),
        total_peak=np.abs(extreme[..., 0]),
    )


def parts_of(parts: Array) -> ModeContributions:
    """Return the numbers of parts (nt, nmode) of one quantity, their sum, measured at equal steps."""
    return mode_contributions(np.ones(parts.shape[1]), parts)
