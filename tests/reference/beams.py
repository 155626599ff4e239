"""Analytic solutions of straight beams."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

# characteristic equations of Euler-Bernoulli beams in the form f(beta L) = 0, divided by cosh to stay finite
_CHARACTERISTIC = {
    "clamped-free": lambda x: np.cos(x) + 1.0 / np.cosh(x),
    "clamped-clamped": lambda x: np.cos(x) - 1.0 / np.cosh(x),
    "free-free": lambda x: np.cos(x) - 1.0 / np.cosh(x),
    "clamped-pinned": lambda x: np.tan(x) - np.tanh(x),
    "free-pinned": lambda x: np.tan(x) - np.tanh(x),
    "clamped-guided": lambda x: np.tan(x) + np.tanh(x),
    "pinned-pinned": np.sin,
}
_FIRST_GUESS = {  # the n-th root lies within 0.5 of guess + (n - 1) pi
    "clamped-free": 1.875,
    "clamped-clamped": 4.73,
    "free-free": 4.73,
    "clamped-pinned": 3.927,
    "free-pinned": 3.927,
    "clamped-guided": 2.365,
    "pinned-pinned": np.pi,
}


def root(supports: str, n: int) -> float:
    """Return beta L of the n-th elastic bending mode of an Euler-Bernoulli beam, n = 1, 2, ..."""
    guess = _FIRST_GUESS[supports] + (n - 1) * np.pi
    return float(brentq(_CHARACTERISTIC[supports], guess - 0.5, guess + 0.5, xtol=1e-14))


def bending_frequency(supports: str, n: int, EI: float, mass_per_length: float, L: float) -> float:
    """Return the n-th Euler-Bernoulli frequency [Hz]."""
    return root(supports, n) ** 2 / (2.0 * np.pi * L**2) * np.sqrt(EI / mass_per_length)


def timoshenko_frequencies(supports: str, count: int, EI, kGA, rhoA, rhoI, L, highest: float):
    """Return exact bending frequencies [Hz] of a Timoshenko beam below `highest`, from its transfer matrix.

    State: deflection, rotation, moment, shear force; supports "clamped-free" or "pinned-pinned".
    """
    given, wanted = {"clamped-free": ([2, 3], [2, 3]), "pinned-pinned": ([1, 3], [0, 2])}[supports]
    scale = np.diag([L, 1.0, EI / L, EI / L**2])

    def determinant(f):
        w2 = (2.0 * np.pi * f) ** 2
        A = np.array([[0, 1, 0, 1 / kGA], [0, 0, 1 / EI, 0], [0, -rhoI * w2, 0, -1], [-rhoA * w2, 0, 0, 0]])
        T = np.linalg.inv(scale) @ expm(A * L) @ scale
        return np.linalg.det(T[np.ix_(wanted, given)])

    grid = np.linspace(highest / 2000, highest, 2000)
    values = np.array([determinant(f) for f in grid])
    crossing = np.flatnonzero(np.sign(values[1:]) != np.sign(values[:-1]))[:count]
    return np.array([brentq(determinant, grid[i], grid[i + 1], xtol=1e-12) for i in crossing])


def timoshenko_pinned(n: int, EI, kGA, rhoA, rhoI, L) -> float:
    """Return the n-th bending frequency [Hz] of a pinned Timoshenko beam (lower branch of the closed form)."""
    q = n * np.pi / L
    a = rhoA * rhoI / kGA
    b = rhoA + rhoI * q**2 + rhoA * EI / kGA * q**2
    c = EI * q**4
    return float(np.sqrt((b - np.sqrt(b**2 - 4.0 * a * c)) / (2.0 * a)) / (2.0 * np.pi))


def fitted_order(n, error) -> float:
    """Return the slope of log(error) over log(1/n)."""
    return float(-np.polyfit(np.log(n), np.log(np.abs(error)), 1)[0])
