"""Critical speed: where the roots of linear equations lose their damping, and where oscillations stay or begin.

Roots (eigenvalues) are in 1/s, their real parts negative where motions decay; speeds in any one unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.signals import checked, period

UNDAMPED = 1e-9  # damping ratio that is rounding
SLOWEST = 0.05  # [Hz]; slower roots are motions that nothing holds, such as that along the track


@dataclass(frozen=True)
class Crossing:
    """A speed at which a root loses or gains its damping."""

    speed: float
    frequency: float  # [Hz]
    root: int  # column of `RootLocus.roots`
    unstable_above: bool


@short_repr
@dataclass(frozen=True)
class RootLocus:
    """Roots over speed, each followed in a column, and where their damping passes zero."""

    speed: Array  # (nspeed,)
    roots: AnyArray  # (nspeed, nroot) [1/s]
    crossings: tuple[Crossing, ...]  # by speed

    @property
    def frequency(self) -> Array:
        """Frequencies (nspeed, nroot) [Hz]."""
        return np.asarray(np.abs(self.roots.imag) / (2.0 * np.pi))

    @property
    def damping(self) -> Array:
        """Damping ratios (nspeed, nroot), 1 of motions that do not oscillate."""
        size = np.abs(self.roots)
        return np.asarray(-self.roots.real / np.where(size > 0.0, size, 1.0))

    @property
    def critical_speed(self) -> float | None:
        """Lowest speed at which a motion loses its damping; None if none does."""
        return next((one.speed for one in self.crossings if one.unstable_above), None)


@short_repr
@dataclass(frozen=True)
class Settled:
    """What is left of a motion after its transients: mean, half of the range, frequency [Hz], relative growth.

    frequency is NaN if there is less than one oscillation; growth compares the amplitude with that just before.
    """

    mean: float
    amplitude: float
    frequency: float
    growth: float


@short_repr
@dataclass(frozen=True)
class LimitCycles:
    """Amplitudes that stay, over speed: from small disturbances (`rising`) and from large ones (`falling`)."""

    speed: Array  # (n,)
    rising: Array  # (n,)
    falling: Array  # (n,)
    least: float  # amplitude that counts as a limit cycle

    @property
    def starts(self) -> float | None:
        """Lowest speed at which a small disturbance grows into a limit cycle; linear analysis gives the same."""
        return self._first(self.rising)

    @property
    def lowest(self) -> float | None:
        """Lowest speed at which a limit cycle exists, the nonlinear critical speed."""
        return self._first(np.fmax(self.falling, self.rising))

    def _first(self, amplitude: Array) -> float | None:
        moving = np.flatnonzero(amplitude > self.least)
        return float(self.speed[moving[0]]) if len(moving) else None


def root_locus(speed: Array, roots: AnyArray, slowest: float = SLOWEST) -> RootLocus:
    """Return roots (nspeed, nroot) at rising speeds, in any order at each, followed over speed.

    A root continues in the one nearest to where its last step leads; NaN where there are fewer. Between speeds a
    cubic through four of them is taken. slowest: frequency [Hz] below which roots are free motions that are not looked
    at.
    """
    speed, roots = np.asarray(speed, dtype=float), np.asarray(roots, dtype=complex)
    if roots.ndim != 2 or roots.shape[:1] != speed.shape or len(speed) < 2 or (np.diff(speed) <= 0.0).any():
        raise ModelError(
            f"root locus: {speed.shape} speeds and roots of shape {roots.shape}, expected two or more rising speeds "
            "(n,) and roots (n, nroot)."
        )
    followed = _followed(speed, roots)
    crossings = []
    real, frequency = followed.real, np.abs(followed.imag) / (2.0 * np.pi)
    real = np.where(np.abs(real) <= UNDAMPED * np.abs(followed), 0.0, real)
    for k, root in np.argwhere(((real[:-1] < 0.0) & (real[1:] >= 0.0)) | ((real[:-1] >= 0.0) & (real[1:] < 0.0))):
        place, turned = _crossing(speed, real[:, root], frequency[:, root], int(k))
        if turned > slowest and followed[k : k + 2, root].imag.sum() > 0.0:  # one of a conjugate pair
            crossings.append(Crossing(place, turned, int(root), bool(real[k, root] < 0.0)))
    return RootLocus(speed, followed, tuple(sorted(crossings, key=lambda one: one.speed)))


def _crossing(speed: Array, real: Array, frequency: Array, k: int) -> tuple[float, float]:
    """Return the speed at which a real part passes zero after its value k, and the frequency there."""
    from scipy.optimize import brentq

    near = np.arange(max(k - 1, 0), min(k + 3, len(speed)))
    near = near[np.isfinite(real[near])]
    through = [np.polynomial.Polynomial.fit(speed[near], values[near], len(near) - 1) for values in (real, frequency)]
    low, high = float(speed[k]), float(speed[k + 1])
    if through[0](low) * through[0](high) >= 0.0:  # zero at one of them
        place = low if abs(real[k]) < abs(real[k + 1]) else high
    else:
        place = float(brentq(through[0], low, high))
    return place, float(through[1](place))


def _followed(speed: Array, roots: AnyArray) -> AnyArray:
    from scipy.optimize import linear_sum_assignment

    followed = roots.copy()
    for k in range(1, len(speed)):
        expected = followed[k - 1]
        if k > 1:
            ahead = (speed[k] - speed[k - 1]) / (speed[k - 1] - speed[k - 2])
            led = expected + ahead * (expected - followed[k - 2])
            expected = np.where(np.isfinite(led), led, expected)
        # in proportion to their size, or those that die out at once, which move much, would decide for all
        size = np.abs(expected)[:, None] + np.abs(roots[k]) + 2.0 * np.pi * SLOWEST
        distance = np.abs(expected[:, None] - roots[k]) / size
        _, order = linear_sum_assignment(np.nan_to_num(distance, nan=2.0))  # what is missing fits nothing
        followed[k] = roots[k][order]
    return followed


def critical_speed(
    roots_at: Callable[[float], AnyArray], low: float, high: float, tolerance: float = 1e-6, slowest: float = SLOWEST
) -> float:
    """Return the speed between two others at which the least damped root passes zero, to a relative tolerance.

    roots_at(speed) gives the roots (nroot,) [1/s].
    """
    from scipy.optimize import brentq

    def least_damped(speed: float) -> float:
        roots = np.asarray(roots_at(speed), dtype=complex)
        oscillating = roots[np.abs(roots.imag) > 2.0 * np.pi * slowest]
        if not len(oscillating):
            raise ModelError(f"critical speed: at {speed:g} no root is faster than {slowest:g} Hz.")
        return float(oscillating.real.max())

    ends = least_damped(low), least_damped(high)
    if (ends[0] < 0.0) == (ends[1] < 0.0):
        found = "stable" if ends[0] < 0.0 else "unstable"
        raise ModelError(f"critical speed: the motion is {found} both at {low:g} and at {high:g}; choose other speeds.")
    return float(brentq(least_damped, low, high, xtol=tolerance * high, rtol=tolerance))


def settled(t: Array, y: Array, share: float = 0.25) -> Settled:
    """Return what a motion y(t) does in the last share of its time."""
    t, y = checked(t, y, shortest=8)
    if not 0.0 < share <= 0.5:
        raise ModelError(f"settled: share is {share:g}, expected more than 0 and at most a half.")
    length = t[-1] - t[0]
    last, before = t >= t[-1] - share * length, (t >= t[-1] - 2 * share * length) & (t <= t[-1] - share * length)
    mean = float(np.trapezoid(y[last], t[last]) / (t[last][-1] - t[last][0]))
    amplitude, earlier = 0.5 * float(np.ptp(y[last])), 0.5 * float(np.ptp(y[before]))
    growth = amplitude / earlier - 1.0 if earlier > 0.0 else (np.inf if amplitude > 0.0 else 0.0)
    return Settled(mean, amplitude, 1.0 / period(t[last], y[last]), growth)


def limit_cycles(speed: Array, rising: Array, falling: Array | None = None, least: float | None = None) -> LimitCycles:
    """Return the diagram of amplitudes over speed; NaN where a run failed.

    rising, falling: amplitudes (n,) after transients, from a small and from a large disturbance, or with speed going up
    and down; least: amplitude above which a motion counts as a limit cycle, by default a tenth of the largest.
    """
    speed, rising = np.asarray(speed, dtype=float), np.asarray(rising, dtype=float)
    falling = np.full_like(rising, np.nan) if falling is None else np.asarray(falling, dtype=float)
    if not speed.shape == rising.shape == falling.shape or speed.ndim != 1 or not len(speed):
        raise ModelError(
            f"limit cycles: {speed.shape} speeds, amplitudes of shapes {rising.shape} and {falling.shape}, expected "
            "one amplitude of each kind per speed."
        )
    order = np.argsort(speed)
    known = [one for one in (*rising, *falling) if np.isfinite(one)]
    if least is None:
        least = 0.1 * max(known, default=0.0)
    return LimitCycles(speed[order], rising[order], falling[order], least)
