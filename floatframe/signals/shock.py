"""Shock: response spectra of accelerations, and displacements of supports from accelerations.

A response spectrum is the largest motion of single oscillators on the same base, over their natural frequencies.
Between samples the acceleration of the base is a straight line, for which oscillators are solved exactly
(Smallwood 1981).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.signals.histories import Signal, uniform

Quantity = Literal["acceleration", "displacement", "pseudo_velocity"]
Part = Literal["whole", "primary", "residual"]
Drift = Literal["mean", "line", "none"]
SHAKING = ("m/s2", "rad/s2")  # units of accelerations
RESOLVED = 0.1  # of an oscillator's period: longest step over which a straight line is good enough
SEEN = 40  # parts of a period, so that largest values between them are missed by 0.3 % at most; and of a step
SHORTEST = 4  # samples of a history


@short_repr
@dataclass(frozen=True)
class ResponseSpectrum:
    """Largest responses (nf,) of oscillators of natural frequency (nf,) [Hz], and those of either sign."""

    frequency: Array
    positive: Array
    negative: Array
    ratio: float  # of critical damping
    quantity: Quantity
    trusted: float = np.inf  # highest frequency [Hz] that the steps of the history resolve
    shaking: str = "m/s2"  # unit of the acceleration of the base, one of SHAKING

    @property
    def unit(self) -> str:
        """Unit of the responses."""
        length = self.shaking.removesuffix("/s2")
        return {"acceleration": self.shaking, "displacement": length, "pseudo_velocity": f"{length}/s"}[self.quantity]

    @property
    def largest(self) -> Array:
        """Largest magnitudes (nf,), also called maximax."""
        return np.maximum(self.positive, -self.negative)


def response_spectrum(
    t: Array,
    acceleration: Array,
    frequency: Array,
    ratio: float = 0.05,
    quantity: Quantity = "acceleration",
    part: Part = "whole",
) -> ResponseSpectrum:
    """Return the response spectrum of the acceleration of a base.

    Parameters
    ----------
    t, acceleration
        Times (nt,) [s] at equal steps, and the acceleration (nt,) there.
    frequency
        Natural frequencies (nf,) [Hz] of the oscillators.
    ratio
        Their ratio of critical damping (0.05 is a quality of 10).
    quantity
        "acceleration" of the mass in space, "displacement" of it relative to the base, or "pseudo_velocity", the
        displacement times 2π frequency.
    part
        During the history ("primary"), for one period after it ("residual"), or the larger of both.
    """
    from scipy.signal import lfilter

    signal = uniform(t, acceleration, SHORTEST)
    f = np.atleast_1d(np.asarray(frequency, dtype=float))
    if signal.y.ndim != 1 or f.ndim != 1 or not ((f > 0.0) & np.isfinite(f)).all():
        raise ModelError("response spectrum: expected an acceleration (nt,) and positive natural frequencies (nf,)")
    if not 0.0 <= ratio < 1.0 or quantity not in ("acceleration", "displacement", "pseudo_velocity"):
        raise ModelError(
            f"response spectrum: ratio {ratio} and quantity '{quantity}', expected a ratio from 0 up to 1 and "
            "acceleration, displacement or pseudo_velocity"
        )
    if part not in ("whole", "primary", "residual"):
        raise ModelError(f"response spectrum: part is '{part}', expected whole, primary or residual")
    positive, negative = np.zeros(len(f)), np.zeros(len(f))
    count = len(signal.t)
    for k, one in enumerate(f):
        parts = int(np.clip(np.ceil(SEEN * one * signal.step), 1, SEEN))
        step = signal.step / parts
        base = np.interp(np.arange(parts * (count - 1) + 1) / parts, np.arange(count), signal.y)
        b, a = _oscillator(2.0 * np.pi * one, ratio, step, quantity == "acceleration")
        rest = int(np.ceil(1.0 / (one * step))) + 1
        y = lfilter(b, a, np.concatenate((base, np.zeros(rest))))
        y = {"whole": y, "primary": y[: len(base)], "residual": y[len(base) :]}[part]
        size = 2.0 * np.pi * one if quantity == "pseudo_velocity" else 1.0
        positive[k], negative[k] = size * max(y.max(), 0.0), size * min(y.min(), 0.0)
    return ResponseSpectrum(f, positive, negative, ratio, quantity, RESOLVED / signal.step)


def shock_spectrum(
    t: Array,
    acceleration: Array,
    band: tuple[float, float] | None = None,
    points: int = 200,
    ratio: float = 0.05,
    quantity: str = "acceleration",
    part: str = "whole",
) -> ResponseSpectrum:
    """Return the response spectrum at natural frequencies of equal ratios over a band [Hz].

    By default the band goes from one period in the history to what its steps resolve. The rest is that of
    `response_spectrum`.
    """
    signal = uniform(t, acceleration, SHORTEST)
    low, high = band or (1.0 / float(signal.t[-1] - signal.t[0]), RESOLVED / signal.step)
    if band is None and low >= high:
        raise ModelError(
            f"response spectrum: a history of {len(signal.t)} values is too short for a band of its own; give a band, "
            "or record longer and more often"
        )
    if not 0.0 < low < high < np.inf or points < 2:
        raise ModelError(
            f"response spectrum: {points} frequencies from {low:g} to {high:g} Hz, expected two or more, rising"
        )
    return response_spectrum(t, acceleration, np.geomspace(low, high, points), ratio, quantity, part)  # type: ignore[arg-type]


def _oscillator(omega: float, ratio: float, step: float, absolute: bool) -> tuple[Array, Array]:
    """Coefficients of the digital filter that an oscillator is for straight lines between samples."""
    from scipy.linalg import expm

    A, B = np.array([[0.0, 1.0], [-(omega**2), -2.0 * ratio * omega]]), np.array([0.0, -1.0])
    C = A[1] + 0.0 if absolute else np.array([1.0, 0.0])  # base and relative acceleration together, or displacement
    whole = np.zeros((4, 4))
    whole[:2, :2], whole[:2, 2], whole[2, 3] = step * A, step * B, 1.0
    found = expm(whole)
    F, rise = found[:2, :2], found[:2, 3]
    first = found[:2, 2] - rise
    trace = np.trace(F) * np.eye(2)
    b = np.array([C @ rise, C @ (first + (F - trace) @ rise), C @ (F - trace) @ first])
    return b, np.array([1.0, -np.trace(F), np.linalg.det(F)])


def displacement_of(t: Array, acceleration: Array, drift: Drift = "mean") -> Array:
    """Return the displacement (nt,) of a base from its acceleration (nt,), straight lines between the samples.

    It begins at rest. Small errors in a record grow into large drifts: what `drift_of` gives is taken off first.
    """
    signal = _one_history(t, acceleration)
    return _twice(signal.y - drift_of(t, acceleration, drift), signal.step)[1]


def drift_of(t: Array, acceleration: Array, kind: Drift = "mean") -> Array:
    """Return the part (nt,) of an acceleration (nt,) by which a base that begins at rest does not end as it should.

    "mean" is a constant: without it the base ends at rest, where it may have gone to another place. "line" is a
    straight line: without it the base ends at rest where it began. "none" is zero. A record that ends at rest is left
    as it is by "mean".
    """
    signal = _one_history(t, acceleration)
    if kind not in ("mean", "line", "none"):
        raise ModelError(f"displacement: drift is '{kind}', expected mean, line or none")
    share = (signal.t - signal.t[0]) / (signal.t[-1] - signal.t[0])
    shapes = {"mean": [np.ones_like(share)], "line": [np.ones_like(share), share], "none": []}[kind]
    # speeds and displacements at the end: of the record, and of each shape
    end, *ends = (np.array([x[-1] for x in _twice(a, signal.step)]) for a in (signal.y, *shapes))
    n = len(shapes)
    return np.zeros_like(share) if n == 0 else np.linalg.solve(np.transpose(ends)[:n], end[:n]) @ np.array(shapes)


def _one_history(t: Array, acceleration: Array) -> Signal:
    signal = uniform(t, acceleration, SHORTEST)
    if signal.y.ndim != 1:
        raise ModelError(f"displacement: the acceleration has shape {signal.y.shape}, expected (nt,)")
    return signal


def _twice(a: Array, h: float) -> tuple[Array, Array]:
    """Speeds and displacements of an acceleration of straight lines, from rest."""
    v = np.concatenate(([0.0], np.cumsum(0.5 * h * (a[1:] + a[:-1]))))
    x = np.concatenate(([0.0], np.cumsum(h * v[:-1] + h * h * (a[:-1] / 3.0 + a[1:] / 6.0))))
    return v, x
