"""The modal assurance criterion: how alike two sets of shapes are."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError


def mac(a: Array, b: Array) -> Array:
    """Return the MAC (n, m) 0 … 1 of shapes a (ndof, n) and b (ndof, m): (aᵀb)² / (aᵀa · bᵀb), 0 for a zero shape."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.ndim != 2 or b.ndim != 2 or len(a) != len(b):
        raise ModelError(f"mac: shapes {a.shape} and {b.shape}, expected (ndof, n) and (ndof, m) on the same dofs.")
    size = np.outer((a**2).sum(axis=0), (b**2).sum(axis=0))
    values: Array = np.divide((a.T @ b) ** 2, size, out=np.zeros_like(size), where=size > 0)
    return np.minimum(values, 1.0)
