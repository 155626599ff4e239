"""Local axes of line elements."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, BoolArray
from floatframe.errors import ModelError
from floatframe.fem.elements.base import Batch

_PARALLEL = 1e-6  # sine of the angle below which two directions count as one
AXES_TOLERANCE = 1e-9  # how far given axes may be from orthonormal: a few digits above rounding
_NO_LENGTH = 1e-12  # length over largest coordinate that rounding alone can produce


def complain(batch: Batch, bad: BoolArray, kind: str, sentence: str) -> None:
    """Raise ModelError naming the first of the bad elements (nel,), if any."""
    if bad.any():
        row = int(np.argmax(bad))
        number = row + 1 if batch.element_ids is None else int(batch.element_ids[row])
        more = f" ({int(bad.sum()) - 1} more like it)" if bad.sum() > 1 else ""
        raise ModelError(f"{kind} {number}{more}: {sentence}")


def line_axes(batch: Batch, ends: Array, kind: str) -> tuple[Array, Array]:
    """Return unit vectors (nel, 3) along lines between ends (nel, 2, 3) and their lengths (nel,)."""
    line = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(line, axis=1)
    reach = np.abs(ends).max(axis=(1, 2))
    complain(batch, length <= _NO_LENGTH * reach, kind, "its two ends coincide; it has no length.")
    return line / length[:, None], length


def beam_axes(batch: Batch, ends: Array, kind: str) -> tuple[Array, Array]:
    """Return rows x, y, z of the local axes (nel, 3, 3) and lengths (nel,).

    x runs from end to end; z lies in the plane of x and data "orientation" (nel, 3), on its side. Without orientation
    z points as far up (along global z) as it can; for lines parallel to global z it is global y.
    """
    x, length = line_axes(batch, ends, kind)
    if "orientation" in batch.data:
        up = np.asarray(batch.data["orientation"], dtype=float)
        if up.shape != (batch.size, 3):
            raise ModelError(f"{kind}: data 'orientation' has shape {up.shape}, expected ({batch.size}, 3).")
        size = np.linalg.norm(up, axis=1)
        complain(batch, ~(np.isfinite(size) & (size > 0)), kind, "its orientation vector is zero or not finite.")
        up = up / size[:, None]
    else:
        vertical = np.hypot(x[:, 0], x[:, 1]) < _PARALLEL
        up = np.where(vertical[:, None], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    y = np.cross(up, x)
    sine = np.linalg.norm(y, axis=1)
    complain(batch, sine < _PARALLEL, kind, "it lies along its orientation vector; give a vector across the line.")
    y /= sine[:, None]
    return np.stack([x, y, np.cross(x, y)], axis=1), length


def given_axes(batch: Batch, kind: str) -> Array:
    """Return data "axes" after checking that its rows are orthonormal and right-handed."""
    axes = np.asarray(batch.data["axes"], dtype=float)
    if axes.shape != (batch.size, 3, 3):
        raise ModelError(f"{kind}: data 'axes' has shape {axes.shape}, expected ({batch.size}, 3, 3).")
    error = np.abs(axes @ axes.swapaxes(1, 2) - np.eye(3)).max(axis=(1, 2))
    wrong = ~(error < AXES_TOLERANCE) | ~(np.linalg.det(axes) > 0)
    complain(batch, wrong, kind, "its axes are not three orthonormal right-handed rows x, y, z.")
    return axes
