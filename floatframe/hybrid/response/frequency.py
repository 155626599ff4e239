"""Frequency response of an assembled model: outputs per unit of harmonic inputs over a band.

The linear equations are solved at every frequency as they are, without a choice of modes, so that there is no
truncation but that of the flexible bodies' own bases. How far these reach is checked against the band.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State, highest_frequency
from floatframe.hybrid.compile import flexible_part
from floatframe.hybrid.response.equations import LinearSystem, corner_warning, linear_system
from floatframe.hybrid.response.modes import ModalParts, eigenvalues, modal_parts
from floatframe.hybrid.response.ports import Port, listed, number_of
from floatframe.hybrid.response.states import state_at

TRUSTED = 0.5  # share of the highest frequency that a basis resolves up to which responses are trusted
POINTS = 400  # of a band
AROUND = np.array([-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0])  # half widths about a resonance
UNDAMPED = 1e-9  # damping ratio below which there is none
NARROW = 1e-4  # damping ratio that resonances have at least where points are put about them
Spacing = Literal["log", "linear"]


@short_repr
@dataclass(frozen=True)
class Deflection:
    """A harmonic motion about a state: displacements (nv,), complex, of all coordinates, and its frequency [Hz]."""

    title: str
    shape: AnyArray
    frequency: float


@short_repr
@dataclass(frozen=True)
class FrequencyResponse:
    """Outputs per unit input, complex values (nf, p, m), at frequency (nf,) [Hz].

    Inputs are harmonic, u = Re(û e^(iωt)); the phase of an output is ahead of its input where it is positive.
    """

    frequency: Array
    values: AnyArray
    linear: LinearSystem = field(repr=False)
    trusted: float = np.inf  # highest frequency [Hz] up to which the bases of all flexible bodies are good enough

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What drives the model."""
        return self.linear.inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What is measured."""
        return self.linear.outputs

    def __getitem__(self, ports: tuple[str, str]) -> AnyArray:
        """Response (nf,) of an output to an input: found["seat.acceleration.z", "drive"]."""
        return self.values[:, number_of(self.outputs, ports[0], "output"), number_of(self.inputs, ports[1], "input")]

    @property
    def magnitude(self) -> Array:
        """Absolute values (nf, p, m)."""
        return np.abs(self.values)

    @property
    def phase(self) -> Array:
        """Phases (nf, p, m) [rad], without jumps over the frequency."""
        return np.unwrap(np.angle(self.values), axis=0)

    def transmissibility(self, output: str, other: str, input: str) -> AnyArray:
        """Ratio (nf,) of two outputs for the same input."""
        return np.asarray(self[output, input] / self[other, input])

    def peaks(self, output: str, input: str) -> Array:
        """Frequencies [Hz] of the local maxima of the magnitude, the highest first."""
        size = np.abs(self[output, input])
        inner = np.flatnonzero((size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])) + 1
        return np.asarray(self.frequency[inner[np.argsort(-size[inner], kind="stable")]])

    def contributions(self, output: str, input: str, frequency: float) -> ModalParts:
        """Parts of the modes in a response at a frequency [Hz]; they add up to it."""
        numbers = number_of(self.outputs, output, "output"), number_of(self.inputs, input, "input")
        return modal_parts(self.linear, frequency, *numbers)

    def deflection(self, input: str, frequency: float) -> Deflection:
        """How everything moves at a frequency [Hz], the operating deflection shape; `viewer.scene_of` draws it."""
        shape = self.linear.motion(frequency)[:, number_of(self.inputs, input, "input")]
        return Deflection(f"driven by {input} at {frequency:.4g} Hz", np.asarray(shape), frequency)


def frequency_response(
    system: CompiledSystem,
    inputs: Sequence[str] | str,
    outputs: Sequence[str] | str,
    band: tuple[float, float] | None = None,
    *,
    frequency: Array | None = None,
    points: int = POINTS,
    spacing: Spacing = "log",
    state: State | str | None = None,
) -> FrequencyResponse:
    """Return the response of an assembled system to harmonic inputs.

    Parameters
    ----------
    system
        The compiled system.
    inputs, outputs
        Names, see `linear_system`.
    band
        Lowest and highest frequency [Hz].
    frequency
        Frequencies (nf,) [Hz] in place of a band.
    points
        How many frequencies the band is divided into; about the resonances in it some more are added, so that no peak
        is missed.
    spacing
        Whether their ratios ("log") or differences ("linear") are equal.
    state
        The state about which motions are small, or "start", "equilibrium" or "steady" (default: the equilibrium, for
        wheels on a track steady rolling).
    """
    linear = linear_system(system, state_at(system, state), listed(inputs), listed(outputs))
    if words := corner_warning(linear):
        warnings.warn(words, stacklevel=2)
    if frequency is None:
        if band is None:
            raise ModelError("response: neither a band nor frequencies are given; give band=(0.1, 200) in Hz")
        frequency = frequencies_of(linear, band, points, spacing)
    frequency = np.asarray(frequency, dtype=float)
    if frequency.ndim != 1 or not len(frequency) or not np.all((frequency > 0.0) & np.isfinite(frequency)):
        raise ModelError("response: frequencies must be a list of positive numbers in Hz")
    trusted = warn_of_bases(system, float(frequency.max()))
    try:
        values = linear.response(frequency)
    except np.linalg.LinAlgError:
        raise ModelError(
            "response: a frequency is exactly that of an undamped motion, whose response is infinite; shift the band a "
            "little, or give the model damping"
        ) from None
    if not np.isfinite(values).all():
        worst = frequency[~np.isfinite(values).all(axis=(1, 2))][0]
        raise ModelError(f"response: it is not finite at {worst:g} Hz; choose a band nearer to the natural frequencies")
    return FrequencyResponse(frequency, values, linear, trusted)


def frequencies_of(linear: LinearSystem, band: tuple[float, float], points: int, spacing: Spacing) -> Array:
    """Return frequencies [Hz] over a band, closer about the resonances of the equations."""
    low, high = band
    if not 0.0 < low < high < np.inf:
        raise ModelError(f"response: the band is {low:g} to {high:g} Hz, expected two rising positive frequencies")
    if points < 2:
        raise ModelError(f"response: the band has {points} points, expected 2 or more")
    if spacing not in ("log", "linear"):
        raise ModelError(f"response: the spacing is '{spacing}', expected log or linear")
    even = np.geomspace(low, high, points) if spacing == "log" else np.linspace(low, high, points)
    values = eigenvalues(linear)
    values = values[values.imag > 0.0]
    size = np.abs(values)
    ratio = np.maximum(np.abs(values.real) / size, NARROW)
    oscillating = ratio < 0.5
    size, ratio, real = size[oscillating, None], ratio[oscillating, None], values.real[oscillating]
    near = size / (2.0 * np.pi) * (1.0 + ratio * AROUND)
    # the resonance of an undamped motion is infinite
    near[np.ix_(np.abs(real) <= UNDAMPED * size[:, 0], AROUND == 0.0)] = np.nan
    near = near[(near > low) & (near < high)]
    return np.unique(np.concatenate((even, near)))


def warn_of_bases(system: CompiledSystem, highest: float) -> float:
    """Return the highest trusted frequency [Hz] of the flexible bodies, with a warning if a band goes beyond it."""
    trusted, lowest = np.inf, ""
    for number in system.index.flexible_of:
        reach = TRUSTED * highest_frequency(flexible_part(system.model.bodies[number]))
        if reach < trusted:
            trusted, lowest = reach, system.model.bodies[number].name
    if highest > trusted:
        warnings.warn(
            f"response: the band reaches {highest:.4g} Hz, but the basis of body '{lowest}' is trusted up to "
            f"{trusted:.4g} Hz, half the frequency of its highest mode with the interface held; reduce it with more "
            "modes, or end the band there",
            stacklevel=3,
        )
    return float(trusted)
