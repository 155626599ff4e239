"""Road surfaces by their spectrum: densities and profiles of the classes of ISO 8608.

The one-sided density of the height over the spatial frequency n [cycles/m] is G(n) = G(n0) (n/n0)^-2 with n0 = 0.1/m.
A vehicle at speed v meets it at the frequency f = n v with the density G(f/v) / v.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.wording import did_you_mean

REFERENCE = 0.1  # spatial frequency n0 [1/m]
ROAD_CLASSES = {name: 16e-6 * 4.0**k for k, name in enumerate("ABCDEFGH")}  # G(n0) [m3], geometric means
ROAD_WAVES = (0.011, 2.83)  # spatial frequencies [1/m] for which the classes are defined
MOST = 10_000_000  # heights of a profile


def road_density(grade: str | float, n: Array) -> Array:
    """Return the density [m3] of the height of a road at spatial frequencies n [1/m], all of them positive.

    grade: a class, "A" (very good) to "H", or G(n0) [m3] itself.
    """
    n = np.asarray(n, dtype=float)
    if not (n > 0.0).all():
        raise ModelError("road: spatial frequencies must be positive")
    return _roughness(grade) * (n / REFERENCE) ** -2.0


def road_density_at_speed(grade: str | float, speed: float, frequency: Array) -> Array:
    """Return the density [m2/Hz] of the height under a wheel at a speed [m/s] at frequencies [Hz].

    Beyond the waves of the standard, 0.35 m to 91 m, it is zero.
    """
    if not 0.0 < speed < np.inf:
        raise ModelError(f"road: the speed is {speed:g} m/s, expected a positive one")
    n = np.asarray(frequency, dtype=float) / speed
    return np.where((n >= ROAD_WAVES[0]) & (n <= ROAD_WAVES[1]), road_density(grade, n) / speed, 0.0)


def road_profile(
    grade: str | float,
    length: float,
    step: float = 0.05,
    seed: int = 1,
    waves: tuple[float, float] = ROAD_WAVES,
) -> tuple[Array, Array]:
    """Return distances (n,) [m] at equal steps and heights (n,) [m] of a random road, periodic over its length.

    Every harmonic has the amplitude of the density and a random phase; waves: lowest and highest frequency [1/m].
    """
    if not (length > 0.0 and step > 0.0 and 2.0 <= length / step <= MOST and 0.0 < waves[0] < waves[1]):
        raise ModelError(
            f"road: length {length:g} m, step {step:g} m and waves {waves}, expected from two steps to {MOST} of them "
            "and rising waves"
        )
    if seed < 0:
        raise ModelError(f"road: the seed of the random phases is {seed}, expected a whole number from 0 on")
    count = round(length / step)
    if waves[1] > 0.5 / step:
        raise ModelError(
            f"road: waves up to {waves[1]:g}/m need steps of at most {0.5 / waves[1]:.3g} m, found {step:g} m"
        )
    n = np.fft.rfftfreq(count, step)
    inside = (n >= waves[0]) & (n <= waves[1])
    amplitude = np.zeros(len(n))
    amplitude[inside] = np.sqrt(2.0 * road_density(grade, n[inside]) * n[1])
    phase = 2.0 * np.pi * np.random.default_rng(seed).random(len(n))
    return step * np.arange(count), np.fft.irfft(0.5 * count * amplitude * np.exp(1j * phase), n=count)


def _roughness(grade: str | float) -> float:
    if isinstance(grade, str):
        if grade not in ROAD_CLASSES:
            raise ModelError(f"road: class '{grade}' does not exist{did_you_mean(grade, ROAD_CLASSES)}; use A to H")
        return ROAD_CLASSES[grade]
    if not 0.0 < grade < np.inf:
        raise ModelError(f"road: a roughness of {grade} m3 must be positive")
    return float(grade)
