"""Modes over a parameter: frequencies and damping, Campbell diagram, root locus, limits of stability."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from floatframe.cli.common import (
    compiled,
    complain,
    console,
    crossings_as_json,
    printed_warnings,
    progress,
    read_model_file,
    roots_of,
    show_crossings,
    show_json,
    show_written,
    table,
    values_of,
)
from floatframe.errors import NotConverged
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from collections.abc import Callable

    from floatframe.hybrid import Linear, ModeLoci, Resonance, StabilityLimit, State, System
    from floatframe.railway import RootLocus

NARROW = 1e-6  # share of a step of --vary to which --limit goes
BESIDE = 8  # frequencies in a table that fits a terminal


def linearised(system: System, at: Start, n: int | None = None) -> tuple[Linear, State, list[str]]:
    """The linear system at the requested state, that state, and the motions that nothing resists in an equilibrium."""
    from floatframe.hybrid import find_equilibrium

    # what a corner means is shown with the modes
    with warnings.catch_warnings(), progress(f"modes of {system.ndof} dofs"):
        warnings.filterwarnings("ignore", message="linear analysis: the state lies on a corner")
        if at is Start.equilibrium:
            found = find_equilibrium(system)
            return system.linearise(found.state, n=n), found.state, list(found.free)
        state = system.steady_motion() if at is Start.steady else system.initial_state()
        return system.linearise(state, n=n), state, []


@dataclass(frozen=True)
class OverParameter:
    """Linear systems at all values (nvalue) of a parameter, n modes of each to be shown, at a state.

    seen: the same with the frequencies of whirl in space, as in the pictures; rolls: whether wheels roll on a track;
    locus: the roots followed, if the values rise.
    """

    file: Path
    name: str
    unit: str
    n: int
    system_at: Callable[[float], System]
    values: list[float]
    found: list[Linear]
    seen: list[Linear]
    at: Start
    rolls: bool
    locus: RootLocus | None

    @property
    def stable(self) -> list[bool]:
        """Whether nothing grows (nvalue,)."""
        return [bool(linear.stable) for linear in self.found]


def systems_over_parameter(file: Path, values: list[str], n: int, at: Start | None, vary: str) -> OverParameter:
    """Return the linear systems of a model at all values of a parameter, by default at its usual state."""
    from floatframe.hybrid import seen_at_rest, usual_start

    name, unit, numbers = values_of(vary)
    found: list[Linear] = []
    seen: list[Linear] = []
    read_model_file(file, values)  # what is wrong with these is not said of --vary

    def system_at(value: float) -> System:
        return compiled(read_model_file(file, [*values, f"{name}={value!r}"], "--vary"))

    asked, numbers, lost = numbers, [], []
    for value in asked:
        system = system_at(value)
        at = at or usual_start(system)
        try:
            linear, state, _ = linearised(system, at)  # all modes: one beyond those shown may lose its damping
        except NotConverged as failure:
            lost.append(f"at {name} = {value:.6g}: {failure}")
            continue
        numbers.append(value)
        found.append(linear)
        seen.append(seen_at_rest(system, state, linear))
    if len(numbers) < min(2, len(asked)):
        raise NotConverged(lost[0])
    for failure_there in lost:
        complain(f"{file.name}: left out {failure_there}")
    rolls = usual_start(system) is Start.steady
    locus = _locus(numbers, found)
    return OverParameter(file, name, unit, n, system_at, numbers, found, seen, at or Start.equilibrium, rolls, locus)


def show_over_parameter(
    over: OverParameter, output: Path | None, campbell: Path | None, limit: bool, as_json: bool
) -> None:
    """Show frequencies and damping for every value of a parameter, and where damping passes zero."""
    from floatframe.hybrid import ROTATION, stability_limits

    if campbell is not None and len(over.values) < 2:
        raise typer.BadParameter("--campbell: a picture needs two or more values of --vary")
    if output is not None and over.locus is None:
        raise typer.BadParameter("--output: a picture needs two or more rising values of --vary")
    loci = _drawn(over, output, campbell)
    with printed_warnings(over.file), progress("critical speeds"):
        critical = [] if loci is None or over.unit not in ROTATION else loci.resonances(ROTATION[over.unit])
    limits = []
    if limit:
        with progress("limits of stability"):
            limits = stability_limits(over.system_at, over.values, over.stable, NARROW, over.at.value)
    written = [str(path) for path in (output, campbell) if path is not None]
    if as_json:
        show_json("floatframe-linear/1", {**_as_json(over, critical, limits), "written": written})
        return
    _show_modes(over)
    _show_critical(over, critical)
    if limit:
        _show_limits(over, limits)
    show_written(written)


def _drawn(over: OverParameter, output: Path | None, campbell: Path | None) -> ModeLoci | None:
    """Draw the pictures that are wanted; returns the modes over the parameter if they had to be followed."""
    import numpy as np

    from floatframe import viewer
    from floatframe.hybrid import ROTATION, mode_loci

    loci, file, name = None, over.file.name, over.name
    followed = output is not None and not over.rolls
    if len(over.values) > 1 and (campbell is not None or over.unit in ROTATION or followed):
        with progress("following modes"):
            loci = mode_loci(over.system_at, np.array(over.values), over.n, over.at.value)
    if campbell is not None and loci is not None:
        viewer.plot_loci_over(loci, campbell, name, over.unit, file)
    if output is not None and loci is not None and not over.rolls:
        viewer.plot_mode_loci(loci, output, f"{name} [{over.unit}]" if over.unit else name, file)
    elif output is not None and over.locus is not None:
        highest = max(float(linear.frequency[: over.n].max(initial=0.0)) for linear in over.seen)
        viewer.plot_root_locus(over.locus, output, name, file, highest)
    return loci


def _as_json(over: OverParameter, critical: list[Resonance], limits: list[StabilityLimit]) -> dict[str, Any]:
    points = [
        {
            "value": value,
            "frequency_hz": linear.frequency[: over.n].tolist(),
            "damping_ratio": linear.damping[: over.n].tolist(),
            "stable": stable,
        }
        for value, linear, stable in zip(over.values, over.seen, over.stable, strict=True)
    ]
    crossings = {"critical_speed": None, "crossings": []} if over.locus is None else crossings_as_json(over.locus)
    rows = [
        {
            "value": one.value,
            "tolerance": one.tolerance,
            "frequency_hz": one.frequency,
            "is_unstable_beyond": one.stable_before,
        }
        for one in limits
    ]
    return {
        "name": over.file.stem,
        "at": over.at.value,
        "parameter": over.name,
        "points": points,
        **crossings,
        "resonances": [{"mode": one.mode, "speed": one.speed, "frequency_hz": one.frequency} for one in critical],
        "limits": rows,
    }


def _show_modes(over: OverParameter) -> None:
    """Print frequencies and damping, and where roots cross the axis."""
    values = {over.name: [f"{value:.6g}" for value in over.values]}
    damping = {
        "least damping [%]": [_least_damping(linear) for linear in over.found],
        "stable": ["yes" if stable else "no" for stable in over.stable],
    }
    count = min(over.n, max(len(linear.frequency) for linear in over.seen))
    for first in range(0, count, BESIDE):
        cells = {}
        for k in range(first, min(first + BESIDE, count)):
            column = [linear.frequency[k : k + 1] for linear in over.seen]
            cells[f"{k + 1} [Hz]"] = [f"{f[0]:.5g}" if len(f) else "" for f in column]
        title = f"{over.file.stem}: frequencies over {over.name}, at {over.at.value}"
        console().print(table(title, {**values, **cells, **({} if first else damping)}))
    if over.locus is not None:
        show_crossings(over.locus, over.name, over.file.name)


def _show_critical(over: OverParameter, critical: list[Resonance]) -> None:
    if critical:
        cells = {
            f"{over.name} [{over.unit}]": [f"{one.speed:.5g}" for one in critical],
            "mode": [str(one.mode) for one in critical],
            "frequency [Hz]": [f"{one.frequency:.5g}" for one in critical],
        }
        console().print(table(f"{over.file.name}: critical speeds, modes at the frequency of rotation", cells))


def _show_limits(over: OverParameter, limits: list[StabilityLimit]) -> None:
    if not limits:
        whole = "stable" if over.stable[0] else "unstable"
        text = f"{over.file.name}: no limit of stability, {whole} at all values of {over.name}"
        console().print(text, markup=False)
        return
    cells = {
        over.name: [f"{one.value:.7g}" for one in limits],
        "± at most": [f"{one.tolerance:.1e}" for one in limits],
        "growing at [Hz]": [f"{one.frequency:.5g}" for one in limits],
        "beyond": ["unstable" if one.stable_before else "stable" for one in limits],
    }
    console().print(table(f"{over.file.name}: limits of stability, by bisection", cells))


def _least_damping(linear: Linear) -> str:
    """The smallest damping ratio [%] of what oscillates, in words of the table."""
    oscillating = linear.damping[~linear.rigid & (linear.eigenvalues.imag != 0.0)]
    return f"{100 * oscillating.min():.3f}" if len(oscillating) else ""


def _locus(numbers: list[float], found: list[Linear]) -> RootLocus | None:
    """The roots followed over the parameter; None if it does not rise."""
    import numpy as np

    from floatframe import railway

    if len(numbers) < 2 or numbers[1] <= numbers[0]:
        return None
    count = max(len(linear.frequency) for linear in found)
    roots = np.full((len(found), count), complex(np.nan, np.nan))
    for row, linear in zip(roots, found, strict=True):
        row[: len(linear.frequency)] = roots_of(linear.frequency, linear.damping)
    return railway.root_locus(np.array(numbers), roots)
