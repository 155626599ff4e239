"""Shapes of Hertz's ellipses over the ratio of the curvatures, as a table for the kernels."""

from __future__ import annotations

from functools import cache

import numpy as np

from floatframe.arrays import Array
from floatframe.railway.contact import kernels

_START, _TURNS = 0.64, 8  # ln of the ratio of the axes over that of the curvatures, about; turns of Newton's method


@cache
def ellipse_table() -> Array:
    """Rows (129, 4): share of the approach at the end of the longer axis, the complete integral K, each with its slope.

    Rows are even in x = ln(B/A), with A and B the smaller and larger curvature of z = A x² + B y², from 0 to ln(1e4);
    slopes are by the number of the row. Cubic pieces between them are good to 1e-8.
    """
    x = np.linspace(0.0, np.log(kernels.SHARPEST), kernels.ELLIPSE_ROWS)
    table = np.empty((len(x), 4))
    table[0] = 1 / 2, 1 / 12, np.pi / 2, np.pi / 6  # the circle
    g = _START * x[1:]  # ln(a/b)
    for _turn in range(_TURNS):
        major, by_g, _K, _by_g = _shapes(g)
        g = g + (x[1:] - 2.0 * g - np.log(1.0 / major - 1.0)) / _rate(major, by_g)
    major, by_g, K, K_by_g = _shapes(g)
    rate = _rate(major, by_g)
    table[1:] = np.column_stack((major, by_g / rate, K, K_by_g / rate))
    table[:, 1::2] *= x[1]
    return table


def _shapes(g: Array) -> tuple[Array, Array, Array, Array]:
    """Share (K - E) / (m K) and K of ellipses with m = 1 - exp(-2 g), each with its derivative by g."""
    m = 1.0 - np.exp(-2.0 * g)
    integrals: list[tuple[float, float]] = [kernels.complete_integrals(one) for one in m.tolist()]  # type: ignore[no-untyped-call]
    K, E = np.array(integrals).T
    by_m = (E - (1.0 - m) * K) / (2.0 * m * (1.0 - m))
    E_by_m = (E - K) / (2.0 * m)
    major = (K - E) / (m * K)
    major_by_m = (by_m - E_by_m) / (m * K) - major * (1.0 / m + by_m / K)
    return major, 2.0 * (1.0 - m) * major_by_m, K, 2.0 * (1.0 - m) * by_m


def _rate(major: Array, by_g: Array) -> Array:
    """Derivative of ln(B/A) by ln(a/b)."""
    return 2.0 - by_g / (major * (1.0 - major))
