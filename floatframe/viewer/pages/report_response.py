"""The parts of reports about responses: to harmonic and random inputs, modes over a parameter, response spectra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import short_repr
from floatframe.viewer.pages.report_page import Page, Section, drawn
from floatframe.viewer.plots import (
    plot_loci_over,
    plot_mode_loci,
    plot_nyquist,
    plot_random_response,
    plot_response,
    plot_response_spectra,
)

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.durability import SNCurve
    from floatframe.hybrid import FrequencyResponse, RandomResponse, Results, State, System

_PEAKS = 5  # of each response
_PARTS = 6  # modes of a peak
_MODES = 10  # followed over a parameter
_NARROW = 1e-6  # share of a step of the parameter to which limits are found


@dataclass(frozen=True)
class ResponseWanted:
    """A frequency response that a report shows: names of inputs and outputs, the band [Hz].

    other: the output over which the others are given, as transmissibilities.
    """

    inputs: Sequence[str]
    outputs: Sequence[str]
    band: tuple[float, float]
    other: str = ""

    def add(self, page: Page, system: System, state: State, system_at: Callable[[str, float], System]) -> None:
        """Add Bode diagram, Nyquist plot, peaks, and the modes that make up the highest one."""
        from floatframe.hybrid import frequency_response

        outputs = [*self.outputs, *([self.other] if self.other else [])]
        found = frequency_response(system, list(self.inputs), outputs, self.band, state=state)
        section = page.section("Transmissibility" if self.other else "Frequency response")
        _response(section, found.relative_to(self.other) if self.other else found)


@short_repr
@dataclass(frozen=True)
class RandomWanted:
    """A response to random inputs that a report shows: densities of inputs, outputs, the band [Hz].

    coherence, delay: see `input_densities`; duration [s] for which the largest value is expected; curve: S–N curve for
    the life of outputs that are stresses.
    """

    densities: Mapping[str, float | tuple[Array, Array]]
    outputs: Sequence[str]
    band: tuple[float, float]
    coherence: Mapping[tuple[str, str], float] = field(default_factory=dict)
    delay: Mapping[str, float] = field(default_factory=dict)
    duration: float = 600.0
    curve: SNCurve | None = None

    def add(self, page: Page, system: System, state: State, system_at: Callable[[str, float], System]) -> None:
        """Add densities, root mean squares, largest values and lives."""
        from floatframe.hybrid import frequency_response, input_densities, random_response

        response = frequency_response(system, list(self.densities), list(self.outputs), self.band, state=state)
        found = random_response(response, input_densities(response, self.densities, self.coherence, self.delay))
        section = page.section("Response to random inputs")
        section.figures(
            [("densities of the outputs", drawn(lambda path: plot_random_response(found, path)))], wide=True
        )
        section.table(f"From {self.band[0]:g} to {self.band[1]:g} Hz", self._rows(found))

    def _rows(self, found: RandomResponse) -> list[dict[str, object]]:
        from floatframe.durability import output_lives

        columns = zip(found.outputs, found.rms(), found.upcrossings(), found.extreme(self.duration), strict=True)
        rows: list[dict[str, object]] = []
        for port, rms, rate, largest in columns:
            row: dict[str, object] = {"output": port.name, "RMS": float(rms), "unit": port.unit}
            row |= {"upcrossings [1/s]": float(rate), f"largest in {self.duration:g} s": float(largest)}
            if self.curve is not None and port.unit == "Pa":
                life = output_lives(found, port.name, self.curve, self.duration)
                row |= {f"life [h], {name.replace('_', ' ')}": seconds / 3600.0 for name, seconds in life.items()}
            rows.append(row)
        return rows


@dataclass(frozen=True)
class LociWanted:
    """Modes over a parameter that a report shows: its name, its values in their order, how many modes, its unit.

    With a unit of rotation, such as "rev/min", the diagram has rays of once and twice per turn, and critical speeds.
    """

    parameter: str
    values: Sequence[float]
    modes: int = _MODES
    unit: str = ""

    def add(self, page: Page, system: System, state: State, system_at: Callable[[str, float], System]) -> None:
        """Add Campbell diagram, root locus, and the limits of stability."""
        from floatframe.hybrid import ROTATION, mode_loci, stability_limits

        def at(value: float) -> System:
            return system_at(self.parameter, value)

        loci = mode_loci(at, np.array(self.values), self.modes)
        section = page.section(f"Modes over {self.parameter}")
        quantity = f"{self.parameter} [{self.unit}]" if self.unit else self.parameter
        campbell = drawn(lambda path: plot_loci_over(loci, path, self.parameter, self.unit))
        section.figures([("natural frequencies, modes followed by their shapes (MAC)", campbell)], wide=True)
        picture = drawn(lambda path: plot_mode_loci(loci, path, quantity))
        section.figures([("root locus: frequencies, damping and roots", picture)], wide=True)
        if self.unit in ROTATION:
            critical = [
                {quantity: one.speed, "mode": one.mode, "frequency [Hz]": one.frequency}
                for one in loci.resonances(ROTATION[self.unit])
            ]
            section.table("Critical speeds, where a mode has the frequency of rotation", critical)
        rows: list[dict[str, object]] = [
            {self.parameter: one.value, "beyond": "unstable" if one.stable_before else "stable"}
            for one in stability_limits(at, self.values, loci.stable, _NARROW)
        ]
        section.table("Limits of stability, by bisection", rows)
        if not rows:
            always = "Stable" if loci.stable[0] else "Unstable"
            section.note(f"{always} at all values.", "good" if loci.stable[0] else "bad")


@dataclass(frozen=True)
class ShockWanted:
    """Response spectra that a report of a run shows: accelerations, the band [Hz], the damping ratio."""

    channels: Sequence[str]
    band: tuple[float, float] | None = None
    damping: float = 0.05


def shock_section(page: Page, result: Results, wanted: ShockWanted) -> None:
    """Add response spectra of accelerations of a run."""
    from floatframe.signals import shock_spectrum
    from floatframe.viewer.curves import acceleration_curves

    found = {
        curve.name: replace(shock_spectrum(curve.t, curve.y, wanted.band, ratio=wanted.damping), shaking=curve.unit)
        for curve in acceleration_curves(result, wanted.channels)
    }
    section = page.section("Shock response spectra")
    section.figures([("largest responses", drawn(lambda path: plot_response_spectra(found, path)))], wide=True)
    rows = []
    for name, one in found.items():
        k = int(np.argmax(one.largest))
        rows.append(
            {"channel": name, "at [Hz]": float(one.frequency[k]), f"largest [{one.unit}]": float(one.largest[k])}
        )
    section.table(f"Largest responses, damping {100 * wanted.damping:g} %", rows)


def _response(section: Section, found: FrequencyResponse) -> None:
    section.figures([("Bode diagram", drawn(lambda path: plot_response(found, path)))], wide=True)
    section.figures([("Nyquist plot", drawn(lambda path: plot_nyquist(found, path)))])
    rows: list[dict[str, object]] = []
    highest = None
    for output in found.outputs:
        for given in found.inputs:
            peaks = found.maxima(output.name, given.name, _PEAKS)
            highest = highest or (output.name, given.name, peaks[0].frequency) if peaks else highest
            for peak in sorted(peaks, key=lambda one: one.frequency):
                names = {"output": output.name, "input": given.name, "peak [Hz]": peak.frequency}
                size = peak.magnitude if np.isfinite(peak.magnitude) else None
                rows.append({**names, "magnitude": size, "unit": found.unit(output, given), "phase [°]": peak.phase})
    section.table("Peaks", rows)
    if any(row["magnitude"] is None for row in rows):
        section.note("Peaks without a magnitude are infinite: nothing damps them.")
    if highest is not None:
        parts = found.contributions(*highest).rows(_PARTS)
        title = f"Modes in {highest[0]} per {highest[1]} at {highest[2]:.5g} Hz"
        section.table(title, [_part(row) for row in parts])


def _part(row: Mapping[str, object]) -> dict[str, object]:
    return {
        "mode": row["mode"],
        "frequency [Hz]": row["frequency_hz"],
        "damping ratio": row["damping_ratio"],
        "magnitude": row["magnitude"],
        "share": row["share"],
    }
