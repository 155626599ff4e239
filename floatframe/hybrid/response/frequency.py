"""Frequency response of an assembled model: outputs per unit of harmonic inputs over a band.

The linear equations are solved at every frequency as they are, without a choice of modes, so that there is no
truncation but that of the flexible bodies' own bases. How far these reach is checked against the band.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State, highest_frequency
from floatframe.hybrid.compile import flexible_part
from floatframe.hybrid.response.equations import LinearSystem, corner_warning, linear_system
from floatframe.hybrid.response.modes import ModalParts, eigenvalues, is_undamped, modal_parts
from floatframe.hybrid.response.peaks import ResponsePeak, refined_peaks
from floatframe.hybrid.response.ports import Port, listed, number_of
from floatframe.hybrid.response.smooth import smooth_curves
from floatframe.hybrid.response.states import state_at
from floatframe.io import PathLike, write_csv

TRUSTED = 0.5  # share of the highest frequency that a basis resolves up to which responses are trusted
POINTS = 400  # of a band
MOST_PEAKS = 20  # of one response that are refined
FINE = 0.125  # of points about a resonance: mean squares by the trapezoidal rule are within FINE²/6 = 0.3 %
NARROW = 1e-4  # damping ratio that undamped resonances have where points are put about them
TURN = 2.0 * np.pi
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
    reference: int | None = None  # the output of `linear` over which the others are given

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What drives the model."""
        return self.linear.inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What is measured, or its ratio to the reference."""
        if self.reference is None:
            return self.linear.outputs
        other = self.linear.outputs[self.reference]
        return tuple(Port(f"{_whole(port)} / {_whole(other)}", port.per(other)) for port in self._kept())

    def unit(self, output: Port, input: Port) -> str:
        """Unit of the response of an output to an input; a ratio of outputs is not per input."""
        return output.unit if self.reference is not None else output.per(input)

    def __getitem__(self, ports: tuple[str, str]) -> AnyArray:
        """Response (nf,) of an output to an input: found["seat.acceleration.z", "drive"]."""
        return self.values[:, number_of(self.outputs, ports[0], "output"), number_of(self.inputs, ports[1], "input")]

    def to_csv(self, path: PathLike) -> None:
        """Write real and imaginary parts of all responses over the frequency, a column each with its unit."""
        headings, columns = ["frequency [Hz]"], [self.frequency]
        for output, given in product(self.outputs, self.inputs):
            unit, values = self.unit(output, given) or "1", self[output.name, given.name]
            headings += [f"{part} {output.name} per {given.name} [{unit}]" for part in ("real", "imaginary")]
            columns += [values.real, values.imag]
        write_csv(path, headings, np.column_stack(columns))

    def _kept(self) -> list[Port]:
        return [port for k, port in enumerate(self.linear.outputs) if k != self.reference]

    def at(self, frequency: Array) -> AnyArray:
        """Responses (nf, p, m) at other frequencies (nf,) [Hz]."""
        return _over(self.linear.response(np.asarray(frequency, dtype=float)), self.reference)

    def smooth(self) -> FrequencyResponse:
        """Return the response at more frequencies: so many that its curves in the complex plane have no corners."""
        poles = eigenvalues(self.linear)
        undamped = np.sort(np.abs(poles[[is_undamped(complex(pole)) for pole in poles]])) / TURN
        frequency, values = smooth_curves(self.frequency, self.values, self.at, undamped)
        return replace(self, frequency=frequency, values=values)

    def relative_to(self, other: str) -> FrequencyResponse:
        """Return the transmissibilities: all other outputs over this one, for the same input."""
        if self.reference is not None:
            raise ModelError("transmissibility: the responses are ratios already; start from those of the inputs")
        number = number_of(self.outputs, other, "output")
        if len(self.outputs) < 2:
            raise ModelError(f"transmissibility: '{other}' is the only output; name another one to set in relation")
        still = ~np.abs(self.values[:, number]).any(axis=0)
        if still.any():
            given = self.inputs[int(np.argmax(still))].name
            raise ModelError(f"transmissibility: '{given}' does not move '{other}', so that there is no ratio to it")
        return replace(self, values=_over(self.values, number), reference=number)

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

    def maxima(self, output: str, input: str, most: int = MOST_PEAKS) -> list[ResponsePeak]:
        """Return the peaks of the magnitude, the highest first, refined between the frequencies of the band."""
        i, j = number_of(self.outputs, output, "output"), number_of(self.inputs, input, "input")
        return refined_peaks(self.frequency, self.values[:, i, j], lambda f: self.at(f)[:, i, j], most)

    def peaks(self, output: str, input: str) -> Array:
        """Frequencies [Hz] of the peaks of the magnitude, the highest first."""
        return np.array([peak.frequency for peak in self.maxima(output, input)])

    def contributions(self, output: str, input: str, frequency: float) -> ModalParts:
        """Parts of the modes in a response at a frequency [Hz]; they add up to it."""
        i, j = number_of(self.outputs, output, "output"), number_of(self.inputs, input, "input")
        if self.reference is None:
            return modal_parts(self.linear, frequency, i, j)
        found = modal_parts(self.linear, frequency, i + (i >= self.reference), j)
        other = self.linear.response(np.array([frequency]))[0, self.reference, j]
        return replace(found, parts=found.parts / other)

    def deflection(self, input: str, frequency: float) -> Deflection:
        """How everything moves at a frequency [Hz], the operating deflection shape; `viewer.scene_of` draws it."""
        shape = self.linear.motion(frequency)[:, number_of(self.inputs, input, "input")]
        return Deflection(f"driven by {input} at {frequency:.4g} Hz", np.asarray(shape), frequency)


def _whole(port: Port) -> str:
    """The name of an output as it stands in a ratio."""
    return f"({port.name})" if " " in port.name else port.name


def _over(values: AnyArray, number: int | None) -> AnyArray:
    """Responses (nf, p, m), or those over one of the outputs (nf, p - 1, m)."""
    if number is None:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.delete(values, number, axis=1) / values[:, number : number + 1])


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
    values = values[(values.imag > 0.0) & (np.abs(values.real) < 0.5 * np.abs(values))]
    apart = np.full(len(values), even[1] - low) if spacing == "linear" else np.abs(values) * (even[1] / low - 1) / TURN
    near = [_about(complex(value), float(each)) for value, each in zip(values, apart, strict=True)]
    whole = np.concatenate([even, *near])
    return np.unique(whole[(whole >= low) & (whole <= high)])


def _about(value: complex, apart: float) -> Array:
    """Frequencies [Hz] about the resonance of an eigenvalue, wider and wider until they are so far apart [Hz]."""
    natural, undamped = abs(value) / TURN, is_undamped(value)
    width = NARROW * natural if undamped else abs(value.real) / TURN  # half of it
    count = int(np.ceil(np.arcsinh(apart / (FINE * width)) / FINE))
    steps = np.arange(-count, count + 1)
    # the resonance of an undamped motion is infinite
    return natural + width * np.sinh(FINE * steps[(steps != 0) | (not undamped)])


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
