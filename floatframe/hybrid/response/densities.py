"""Random response: densities of stationary random inputs in, densities and root mean squares of outputs out.

With the matrix H of frequency responses and the matrix S_u of one-sided densities of the inputs

    S_y = H S_u H*

Inputs may be independent, share a part (coherence), or be one and the same a little later, as the road under front and
rear wheels. All of it is in the cross densities of S_u, complex and Hermitian.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.response.frequency import NARROW, TURN, FrequencyResponse
from floatframe.hybrid.response.modes import eigenvalues, is_undamped
from floatframe.hybrid.response.ports import Port, number_of

Density: TypeAlias = "float | tuple[Sequence[float], Sequence[float]] | tuple[Array, Array] | Array"
NEGATIVE = 1e-9  # share of the largest eigenvalue of input densities that may be negative by rounding


@short_repr
@dataclass(frozen=True)
class RandomResponse:
    """One-sided densities (nf, p), unit²/Hz, of outputs at frequency (nf,) [Hz], and their cross densities."""

    frequency: Array
    cross: AnyArray = field(repr=False)  # (nf, p, p), Hermitian
    outputs: tuple[Port, ...]

    @property
    def density(self) -> Array:
        """Densities (nf, p) of the outputs."""
        return np.asarray(np.einsum("fii->fi", self.cross).real)

    def of(self, output: str) -> Array:
        """Density (nf,) of an output."""
        return self.density[:, number_of(self.outputs, output, "output")]

    def only(self, names: Sequence[str]) -> RandomResponse:
        """Return the response of some of the outputs."""
        places = [number_of(self.outputs, name, "output") for name in names]
        cross = self.cross[:, places][:, :, places]
        return RandomResponse(self.frequency, cross, tuple(self.outputs[k] for k in places))

    def moment(self, order: float = 0.0, low: float = 0.0, high: float = np.inf) -> Array:
        """Spectral moments (p,): integrals of f^order times density over the band, or over a part of it [Hz]."""
        f = self.frequency
        values = f[:, None] ** order * self.density
        pieces = 0.5 * (values[1:] + values[:-1]) * np.diff(f)[:, None]
        below = np.vstack((np.zeros(values.shape[1]), np.cumsum(pieces, axis=0)))
        return np.array([np.interp(high, f, one) - np.interp(low, f, one) for one in below.T])

    def rms(self, low: float = 0.0, high: float = np.inf) -> Array:
        """Root mean squares (p,) of what lies between two frequencies [Hz]."""
        return np.sqrt(self.moment(0.0, low, high))

    def upcrossings(self) -> Array:
        """Mean numbers (p,) per second with which outputs cross their mean upwards (Rice 1944); 0 of those at rest."""
        size, speed = self.moment(0.0), self.moment(2.0)
        return np.sqrt(np.divide(speed, size, out=np.zeros_like(size), where=size > 0.0))

    def extreme(self, duration: float) -> Array:
        """Mean largest values (p,) of Gaussian outputs in a duration [s] (Davenport 1964)."""
        count = np.maximum(self.upcrossings() * duration, np.e)
        size = np.sqrt(2.0 * np.log(count))
        return np.asarray(self.rms() * (size + np.euler_gamma / size))

    def correlation(self, one: str, other: str) -> float:
        """Correlation of two outputs at the same time, -1 … 1."""
        i, j = (number_of(self.outputs, name, "output") for name in (one, other))
        mean = np.trapezoid(self.cross[:, i, j].real, self.frequency)
        return float(mean / np.sqrt(self.moment(0.0)[i] * self.moment(0.0)[j]))


def random_response(found: FrequencyResponse, inputs: AnyArray) -> RandomResponse:
    """Return densities of the outputs of a frequency response.

    inputs: one-sided densities at its frequencies, (nf, m) of independent inputs or (nf, m, m) with their cross
    densities; `input_densities` makes them.
    """
    if found.reference is not None:
        other = found.linear.outputs[found.reference].name
        raise ModelError(
            f"random response: found ratios to '{other}', which have no density; expected the response before "
            f"relative_to('{other}')"
        )
    H, S = found.values, np.asarray(inputs)
    nf, _, m = H.shape
    if S.shape == (nf, m):
        S = S[:, :, None] * np.eye(m)
    if S.shape != (nf, m, m):
        raise ModelError(f"random response: densities have shape {S.shape}, expected ({nf}, {m}) or ({nf}, {m}, {m})")
    if not np.isfinite(S).all():
        raise ModelError("random response: a density of the inputs is not finite")
    require_densities(S)
    _warn_of_undamped(found)
    return RandomResponse(found.frequency, H @ S @ H.conj().transpose(0, 2, 1), found.outputs)


def _warn_of_undamped(found: FrequencyResponse) -> None:
    """Warn of outputs whose mean square is infinite, since a motion in the band that nothing damps moves them."""
    f = found.frequency
    for value in filter(is_undamped, eigenvalues(found.linear)):
        natural = abs(value) / TURN
        if f[0] < natural < f[-1]:
            near, far = np.abs(found.linear.response(natural * (1.0 + np.array([NARROW, 100.0 * NARROW]))))
            if (infinite := np.flatnonzero((near > 10.0 * far).any(axis=1))).size:
                warnings.warn(
                    f"random response: nothing damps the motion at {natural:.4g} Hz, so that mean squares such as that "
                    f"of '{found.outputs[infinite[0]].name}' are infinite; give the model damping",
                    stacklevel=3,
                )


def require_densities(S: AnyArray) -> None:
    """Refuse matrices (nf, m, m) that are not densities of anything: not Hermitian, or with negative power."""
    size = np.abs(S).max(axis=(1, 2), initial=0.0)
    if (np.abs(S - S.conj().transpose(0, 2, 1)).max(axis=(1, 2), initial=0.0) > NEGATIVE * size).any():
        raise ModelError("random response: the cross densities of two inputs must be complex conjugates of each other")
    if (np.linalg.eigvalsh(S)[:, 0] < -NEGATIVE * size).any():
        raise ModelError(
            "random response: densities of the inputs are negative or cross densities exceed what they allow; check "
            "them and that every coherence lies between 0 and 1"
        )


def input_densities(
    found: FrequencyResponse,
    densities: Mapping[str, Density],
    coherence: Mapping[tuple[str, str], Density] | None = None,
    delay: Mapping[str, float] | None = None,
) -> AnyArray:
    """Return densities (nf, m, m) of the inputs of a frequency response, with what they have in common.

    Parameters
    ----------
    found
        The frequency response.
    densities
        For every input its one-sided density [unit²/Hz]: a number, values (nf,), or a table (frequencies [Hz], values);
        a table is a straight line in logarithms between its points and zero outside. Inputs without one are zero.
    coherence
        For pairs of inputs the ordinary coherence, 0 … 1, as a number, values or a table: 0 for independent inputs, 1
        for the same one.
    delay
        Inputs that come later than the others by a time [s], such as the rear wheels: {"rear": 2.7 / speed}.
    """
    f = found.frequency
    m = len(found.inputs)
    own = np.zeros((len(f), m))
    for name, given in densities.items():
        own[:, number_of(found.inputs, name, "input")] = values = _values(given, f, f"density of '{name}'")
        if isinstance(given, tuple) and np.any(given[1]) and not values.any():
            covered, band = (f"{at[0]:g} … {at[-1]:g} Hz" for at in (given[0], f))
            raise ModelError(
                f"random response: the density of '{name}' covers {covered}, the band is {band}; it is zero there"
            )
    S = np.zeros((len(f), m, m), dtype=complex)
    S[:, np.arange(m), np.arange(m)] = own
    for (one, other), given in (coherence or {}).items():
        i, j = (number_of(found.inputs, name, "input") for name in (one, other))
        if i == j:
            raise ModelError(f"random response: the coherence of '{one}' with itself is always 1; name two inputs")
        shared = _values(given, f, f"coherence of '{one}' and '{other}'")
        if ((shared < 0.0) | (shared > 1.0)).any():
            raise ModelError(f"random response: the coherence of '{one}' and '{other}' must lie between 0 and 1")
        S[:, i, j] = S[:, j, i] = np.sqrt(shared * own[:, i] * own[:, j])
    later = np.zeros(m)
    for name, time in (delay or {}).items():
        later[number_of(found.inputs, name, "input")] = time
    phase = np.exp(-2j * np.pi * f[:, None] * later)
    S = phase[:, :, None] * S * phase.conj()[:, None, :]
    require_densities(S)
    return S


def _values(given: Density, f: Array, what: str) -> Array:
    """A density at frequencies f (nf,) from a number, values or a table."""
    if isinstance(given, tuple):
        at, value = (np.asarray(part, dtype=float) for part in given)
        if at.shape != value.shape or at.ndim != 1 or len(at) < 2 or (np.diff(at) <= 0).any() or (at < 0).any():
            raise ModelError(f"random response: the {what} must be a table of rising frequencies and as many values")
        if (value < 0).any():
            raise ModelError(f"random response: the {what} must not be negative")
        if (value > 0).all() and at[0] > 0:
            found = np.exp(np.interp(np.log(f), np.log(at), np.log(value)))
        else:
            found = np.interp(f, at, value)
        return np.where((f >= at[0]) & (f <= at[-1]), found, 0.0)
    values = np.asarray(given, dtype=float)
    if values.shape not in ((), f.shape):
        raise ModelError(f"random response: the {what} has shape {values.shape}, expected a number or ({len(f)},)")
    return np.broadcast_to(values, f.shape)
