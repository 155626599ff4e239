"""Kernels of large models compiled before they are needed: one is solved that is just too large for SuperLU."""

from __future__ import annotations

import numpy as np

from floatframe.fem import Material, plate_grid
from floatframe.modal.analysis import eigenmodes
from floatframe.modal.lanczos import overlaps, subtract_product
from floatframe.modal.reduction import reduce

_SIDE = 30  # elements along a side of the plate: matrices of twice the entries that small ones have


def warm_up() -> None:
    """Compile what the solution of large systems, the search for modes and reduction need."""
    fe = plate_grid(1.0, 1.0, _SIDE, _SIDE, 0.01, Material(E=2.1e11, nu=0.3, rho=7850.0, name="steel"))
    eigenmodes(fe, n=8)
    reduce(fe, interface=[1, 2], n_modes=2)
    # a basis as large as only huge models have it
    Q, few = np.zeros((500_000, 2), order="F"), np.zeros((500_000, 2), order="F")
    subtract_product(few, Q, overlaps(Q, few))
