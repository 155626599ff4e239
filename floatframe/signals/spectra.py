"""What frequencies a history holds: spectrum, power spectral density, spectrogram, transfer function.

Times t (nt,) [s] at equal steps; values y (nt,), for `spectrum` and `psd` also (nt, n), one signal per column. Windows
are named as in SciPy ("hann", "boxcar", "flattop", "blackmanharris", …). The mean of each piece is removed first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.signals.histories import Signal, uniform

SHORTEST = 8  # values in a piece; below, a spectrum says nothing
PIECES = 8  # of a record by default, each overlapping the next by half


@short_repr
@dataclass(frozen=True)
class Spectrum:
    """Amplitudes (nf,) or (nf, n) of the harmonics at frequency (nf,) [Hz], in the unit of the signal."""

    frequency: Array
    amplitude: Array
    window: str


@short_repr
@dataclass(frozen=True)
class PowerDensity:
    """One-sided power spectral density (nf,) or (nf, n), unit²/Hz, at frequency (nf,) [Hz], mean of `pieces`."""

    frequency: Array
    density: Array
    window: str
    pieces: int

    @property
    def resolution(self) -> float:
        """Distance of two frequencies [Hz]."""
        return float(self.frequency[1] - self.frequency[0])

    def rms(self, low: float = 0.0, high: float = np.inf) -> Array:
        """Return the root mean square of what lies between two frequencies [Hz]: a number, or (n,)."""
        inside = (self.frequency >= low) & (self.frequency <= high)
        return np.sqrt(self.density[inside].sum(axis=0) * self.resolution)


@short_repr
@dataclass(frozen=True)
class Spectrogram:
    """Power spectral density (nf, npiece), unit²/Hz, of the pieces about the times t (npiece,) [s]."""

    t: Array
    frequency: Array
    density: Array
    window: str


@short_repr
@dataclass(frozen=True)
class TransferFunction:
    """Response y per input x, complex (nf,), at frequency (nf,) [Hz], with the coherence (nf,) of both, 0 … 1."""

    frequency: Array
    response: Array
    coherence: Array
    pieces: int

    @property
    def magnitude(self) -> Array:
        """Absolute value of the response."""
        return np.abs(self.response)

    @property
    def phase(self) -> Array:
        """Phase of y against x [rad], -π … π."""
        return np.angle(self.response)


def spectrum(t: Array, y: Array, window: str = "hann") -> Spectrum:
    """Return the amplitudes of a whole history; a harmonic that fits into it shows its amplitude exactly."""
    signal = uniform(t, y, SHORTEST)
    count = len(signal.t)
    weights = _window(window, count)
    centred = signal.y - signal.y.mean(axis=0)
    spectral = np.abs(np.fft.rfft((centred.T * weights).T, axis=0)) * (2 / weights.sum())
    spectral[0] /= 2
    if count % 2 == 0:
        spectral[-1] /= 2  # at half the sampling rate there is no pair of frequencies to share
    return Spectrum(np.fft.rfftfreq(count, signal.step), spectral, window)


def psd(t: Array, y: Array, segment: float | None = None, overlap: float = 0.5, window: str = "hann") -> PowerDensity:
    """Return the power spectral density by the method of Welch (1967): the mean over pieces of `segment` seconds."""
    from scipy.signal import welch

    signal = uniform(t, y, SHORTEST)
    size, shared, pieces = _division(signal, segment, overlap)
    frequency, density = welch(signal.y, axis=0, **_settings(signal, size, shared, window))
    return PowerDensity(frequency, density, window, pieces)


def spectrogram(
    t: Array, y: Array, segment: float | None = None, overlap: float = 0.75, window: str = "hann"
) -> Spectrogram:
    """Return how the power spectral density changes in time, from overlapping pieces of `segment` seconds."""
    from scipy.signal import spectrogram as pieces_of

    signal = _one(uniform(t, y, SHORTEST), "spectrogram")
    size, shared, _ = _division(signal, segment, overlap)
    frequency, centre, density = pieces_of(signal.y, mode="psd", **_settings(signal, size, shared, window))
    return Spectrogram(signal.t[0] + centre, frequency, density, window)


def transfer_function(
    t: Array, x: Array, y: Array, segment: float | None = None, overlap: float = 0.5, window: str = "hann"
) -> TransferFunction:
    """Return the response of y to x by the ratio of cross to input density (H1: noise in y averages out)."""
    from scipy.signal import coherence, csd, welch

    cause, effect = (_one(uniform(t, part, SHORTEST), "transfer function") for part in (x, y))
    size, shared, pieces = _division(cause, segment, overlap)
    if pieces < 2:
        raise ModelError(
            "transfer function: the history is one piece, its coherence would always be 1; shorten the segment."
        )
    settings = _settings(cause, size, shared, window)
    frequency, power = welch(cause.y, **settings)
    if not power.all():
        raise ModelError("transfer function: the input has no power at some frequencies; excite all of them.")
    _, cross = csd(cause.y, effect.y, **settings)
    common = coherence(cause.y, effect.y, **settings)[1] if effect.y.any() else np.zeros_like(power)
    return TransferFunction(frequency, cross / power, common, pieces)


def _settings(signal: Signal, size: int, shared: int, window: str) -> dict[str, Any]:
    weights = _window(window, size)
    return {"fs": 1 / signal.step, "window": weights, "nperseg": size, "noverlap": shared, "detrend": "constant"}


def _window(name: str, count: int) -> Array:
    from scipy.signal import get_window

    try:
        return np.asarray(get_window(name, count))
    except ValueError as error:
        raise ModelError(
            f"window '{name}' is unknown; use for instance hann, boxcar, flattop or blackmanharris."
        ) from error


def _one(signal: Signal, what: str) -> Signal:
    if signal.y.ndim != 1:
        raise ModelError(f"{what}: the signal has shape {signal.y.shape}, expected (nt,); take one component.")
    return signal


def _division(signal: Signal, segment: float | None, overlap: float) -> tuple[int, int, int]:
    """Return the number of values in a piece, of those shared with the next one, and the number of pieces."""
    count = len(signal.t)
    if not 0 <= overlap < 1:
        raise ModelError(f"overlap is {overlap}, expected 0 up to, not including, 1.")
    if segment is not None and not np.isfinite(segment):
        raise ModelError(f"segment is {segment} s, expected a time.")
    size = max(2 * count // (PIECES + 1), SHORTEST) if segment is None else round(segment / signal.step)
    if not SHORTEST <= size <= count:
        raise ModelError(
            f"a segment of {size * signal.step:g} s does not suit a history of {count * signal.step:g} s at steps of "
            f"{signal.step:g} s; use {SHORTEST * signal.step:g} … {count * signal.step:g} s."
        )
    shared = min(int(size * overlap), size - 1)
    return size, shared, (count - shared) // (size - shared)
