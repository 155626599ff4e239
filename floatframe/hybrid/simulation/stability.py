"""Stability of deviations y' = K y from the constraints in explicit steps: limits, and what errors of steps leave.

A step h of a Runge-Kutta method takes y to R(h K) y, R its stability polynomial, and adds its local error e. Deviations
die out if the spectral radius of R(h K) is below one, and then stay below the sum of |R(h K)^j| |e|; for a single row
of speeds that is |e| / (1 - |R(h K)|).
"""

from __future__ import annotations

import math

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.kernels import stability_polynomial

ROUNDING = 1e-9  # share of one that a spectral radius is known to
DAMPED = 1e-12  # what is left of a deviation is not summed up
MOST_POWERS = 2**15  # of R(h K) that are summed one by one; of more, every second, fourth, ...


def amplification(method: str, K: Array, step: float) -> Array:
    """R(h K) (n, n): what a step [s] makes of deviations y (n,) with y' = K y."""
    z, result = step * K, np.zeros_like(K)
    for c in stability_polynomial(method)[::-1]:
        result = z @ result + c * np.eye(len(K))
    return result


def spectral_radius(method: str, K: Array, step: float) -> float:
    """Largest factor by which a step [s] multiplies deviations in the long run."""
    return float(np.abs(np.linalg.eigvals(amplification(method, K, step))).max())


def largest_step(method: str, K: Array) -> float:
    """Up to which step [s] no deviation with y' = K y grows; 0 if none is small enough, infinite if K is zero."""
    return min((_limit(method, complex(root)) for root in np.linalg.eigvals(K)), default=math.inf)


def largest_pair(method: str, step: float) -> float:
    """Up to which a = b [1/s] rows g'' + 2 a g' + b² g = 0 are stable in steps [s]."""
    return _limit(method, -1.0 + 0.0j) / step


def _limit(method: str, root: complex) -> float:
    """The smallest step [s] at which |R(h s)| grows beyond one, for one root s [1/s]."""
    size = abs(root)
    if size == 0.0:
        return math.inf
    c = stability_polynomial(method) * (root / size) ** np.arange(len(stability_polynomial(method)))
    # |R|² - 1 as a polynomial of h |s|, whose constant term is zero
    grown = np.convolve(c, c.conj()).real
    # what rounding leaves of coefficients that cancel decides whether purely oscillating deviations grow
    grown[np.abs(grown) < 1e-13 * np.convolve(np.abs(c), np.abs(c))] = 0.0
    leading = next((value for value in grown[1:] if value != 0.0), 0.0)
    if leading > 0.0:
        return 0.0
    roots = np.roots(grown[:0:-1])
    real = roots.real[(np.abs(roots.imag) < 1e-6) & (roots.real > 1e-6)]
    for place in np.sort(real):
        if np.polyval(grown[:0:-1], place * (1.0 + 1e-4)) > 0.0:
            return float(place / size)
    return math.inf


def accumulated(method: str, K: Array, step: float) -> Array:
    """Sum over j of |R(h K)^j| (n, n), element by element: what errors of steps add up to, at most, each being one."""
    A = amplification(method, K, step)
    radius = float(np.abs(np.linalg.eigvals(A)).max())
    if radius >= 1.0 - ROUNDING * step:
        return np.full_like(K, np.inf)
    # a defective eigenvalue, as of a = b, fades later than its powers
    count = len(K) + (math.ceil(2.0 * math.log(DAMPED) / math.log(radius)) if radius > 0.0 else 0)
    stride = max(1, math.ceil(count / MOST_POWERS))
    powers, square = np.eye(len(K))[None], np.linalg.matrix_power(A, stride)
    while len(powers) * stride < count:
        powers, square = np.concatenate((powers, powers @ square)), square @ square
    return np.asarray(stride * np.abs(powers).sum(axis=0))
