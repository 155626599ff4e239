"""Kalker's coefficients of the linear creep law."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError

# Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), table E3. Rows: a/b = .1, …, .9, 1, then b/a = .9,
# …, .1; a lies in the direction of rolling. Columns: C11, C22, C23, C33, each for the Poisson ratios 0, 1/4, 1/2.
_TABLE = np.array(
    [
        [2.51, 3.31, 4.85, 2.51, 2.52, 2.53, 0.334, 0.473, 0.731, 6.42, 8.28, 11.7],
        [2.59, 3.37, 4.81, 2.59, 2.63, 2.66, 0.483, 0.603, 0.809, 3.46, 4.27, 5.66],
        [2.68, 3.44, 4.80, 2.68, 2.75, 2.81, 0.607, 0.715, 0.889, 2.49, 2.96, 3.72],
        [2.78, 3.53, 4.82, 2.78, 2.88, 2.98, 0.720, 0.823, 0.977, 2.02, 2.32, 2.77],
        [2.88, 3.62, 4.83, 2.88, 3.01, 3.14, 0.827, 0.929, 1.07, 1.74, 1.93, 2.22],
        [2.98, 3.72, 4.91, 2.98, 3.14, 3.31, 0.930, 1.03, 1.18, 1.56, 1.68, 1.86],
        [3.09, 3.81, 4.97, 3.09, 3.28, 3.48, 1.03, 1.14, 1.29, 1.43, 1.50, 1.60],
        [3.19, 3.91, 5.05, 3.19, 3.41, 3.65, 1.13, 1.25, 1.40, 1.34, 1.37, 1.42],
        [3.29, 4.01, 5.12, 3.29, 3.54, 3.82, 1.23, 1.36, 1.51, 1.27, 1.27, 1.27],
        [3.40, 4.12, 5.20, 3.40, 3.67, 3.98, 1.33, 1.47, 1.63, 1.21, 1.19, 1.16],
        [3.51, 4.22, 5.30, 3.51, 3.81, 4.16, 1.44, 1.59, 1.77, 1.16, 1.11, 1.06],
        [3.65, 4.36, 5.42, 3.65, 3.99, 4.39, 1.58, 1.75, 1.94, 1.10, 1.04, 0.954],
        [3.82, 4.54, 5.58, 3.82, 4.21, 4.67, 1.76, 1.95, 2.18, 1.05, 0.965, 0.852],
        [4.06, 4.78, 5.80, 4.06, 4.50, 5.04, 2.01, 2.23, 2.50, 1.01, 0.892, 0.751],
        [4.37, 5.10, 6.11, 4.37, 4.90, 5.56, 2.35, 2.62, 2.96, 0.958, 0.819, 0.650],
        [4.84, 5.57, 6.57, 4.84, 5.48, 6.31, 2.88, 3.24, 3.70, 0.912, 0.747, 0.549],
        [5.57, 6.34, 7.34, 5.57, 6.40, 7.51, 3.79, 4.32, 5.01, 0.868, 0.674, 0.446],
        [6.96, 7.78, 8.82, 6.96, 8.14, 9.79, 5.72, 6.63, 7.89, 0.828, 0.601, 0.341],
        [10.7, 11.7, 12.9, 10.7, 12.8, 16.0, 12.2, 14.6, 18.0, 0.795, 0.526, 0.228],
    ]
).reshape(19, 4, 3)
# the rows are evenly spaced in min(a/b, b/a); this variable runs through them: a/b up to 1, then 2 - b/a
_PLACES = np.linspace(0.1, 1.9, 19)


class Kalker(NamedTuple):
    """Coefficients of the linear creep law."""

    c11: float
    c22: float
    c23: float
    c33: float


def kalker_table(poisson: float) -> Array:
    """Rows (19, 4) of C11, C22, C23, C33 for a Poisson ratio, whose reciprocals are quadratic in it."""
    n = 4.0 * poisson
    weights = np.array([(1 - n) * (2 - n) / 2, n * (2 - n), n * (n - 1) / 2])
    rows: Array = 1.0 / ((1.0 / _TABLE) @ weights)
    return rows


def kalker_coefficients(ratio: float, poisson: float) -> Kalker:
    """Creep coefficients for a contact ellipse with ratio = a/b, a being the semi-axis along the rail.

    Linear between the rows of the table.
    """
    if not 0.1 <= ratio <= 10.0 or not 0.0 <= poisson <= 0.5:
        raise ModelError(
            f"creep coefficients: found a contact with a/b = {ratio:.3g} and Poisson ratio {poisson:.3g}, expected a/b "
            "between 0.1 and 10 and a ratio between 0 and 0.5; check the radii of wheel and rail"
        )
    rows = kalker_table(poisson)
    place = ratio if ratio <= 1.0 else 2.0 - 1.0 / ratio
    return Kalker(*(float(np.interp(place, _PLACES, rows[:, k])) for k in range(4)))
