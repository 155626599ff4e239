"""Modes over a parameter: frequencies and damping, Campbell diagram, root locus, limits of stability."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from floatframe.cli.common import (
    compiled,
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
from floatframe.hybrid import Start

if TYPE_CHECKING:
    from collections.abc import Callable

    from floatframe.hybrid import Linear, System
    from floatframe.railway import RootLocus

NARROW = 1e-6  # share of a step of --vary to which --limit goes
BESIDE = 8  # frequencies in a table that fits a terminal


def linearised(system: System, at: Start, n: int | None = None) -> tuple[Linear, list[str]]:
    """The linear system at the requested state, and the motions that nothing resists in an equilibrium."""
    from floatframe.hybrid import find_equilibrium

    # what a corner means is shown with the modes
    with warnings.catch_warnings(), progress(f"modes of {system.ndof} dofs"):
        warnings.filterwarnings("ignore", message="linear analysis: the state lies on a corner")
        if at is Start.equilibrium:
            found = find_equilibrium(system)
            return system.linearise(found.state, n=n), list(found.free)
        state = system.steady_motion() if at is Start.steady else system.initial_state()
        return system.linearise(state, n=n), []


def show_over_parameter(
    file: Path,
    values: list[str],
    n: int,
    at: Start | None,
    vary: str,
    output: Path | None,
    as_json: bool,
    campbell: Path | None,
    limit: bool,
) -> None:
    """Frequencies and damping for every value of a parameter, and where damping passes zero."""
    import numpy as np

    from floatframe import viewer
    from floatframe.hybrid import ROTATION, mode_loci, usual_start

    name, unit, numbers = values_of(vary)
    found: list[Linear] = []
    read_model_file(file, values)  # what is wrong with these is not said of --vary
    if campbell is not None and len(numbers) < 2:
        raise typer.BadParameter("--campbell: a picture needs two or more values of --vary")

    def system_at(value: float) -> System:
        return compiled(read_model_file(file, [*values, f"{name}={value!r}"], "--vary"))

    for value in numbers:
        system = system_at(value)
        at = at or usual_start(system)
        found.append(linearised(system, at)[0])  # all modes: one beyond those shown may lose its damping
    locus = _locus(numbers, found)
    if output is not None and locus is None:
        raise typer.BadParameter("--output: a picture needs two or more rising values of --vary")
    rolls = usual_start(system) is Start.steady
    loci = None
    if len(numbers) > 1 and (campbell is not None or unit in ROTATION or (output is not None and not rolls)):
        with progress("following modes"):
            loci = mode_loci(system_at, np.array(numbers), n, None if at is None else at.value)
    if campbell is not None and loci is not None:
        viewer.plot_loci_over(loci, campbell, name, unit, file.name)
    if output is not None and loci is not None and not rolls:
        viewer.plot_mode_loci(loci, output, f"{name} [{unit}]" if unit else name, file.name)
    elif output is not None and locus is not None:
        highest = max(float(linear.frequency[:n].max(initial=0.0)) for linear in found)
        viewer.plot_root_locus(locus, output, name, file.name, highest)
    with printed_warnings(file), progress("critical speeds"):
        critical = [] if loci is None or unit not in ROTATION else loci.resonances(ROTATION[unit])
    limits = _limits(system_at, numbers, found, at) if limit else []
    written = [str(path) for path in (output, campbell) if path is not None]
    place = "" if at is None else at.value
    if as_json:
        points = [
            {
                "value": value,
                "frequency_hz": linear.frequency[:n].tolist(),
                "damping_ratio": linear.damping[:n].tolist(),
                "stable": bool(linear.stable),
            }
            for value, linear in zip(numbers, found, strict=True)
        ]
        content = {"name": file.stem, "at": place, "parameter": name, "points": points}
        crossings = {"critical_speed": None, "crossings": []} if locus is None else crossings_as_json(locus)
        resonances = [{"mode": one.mode, "speed": one.speed, "frequency_hz": one.frequency} for one in critical]
        content |= {**crossings, "resonances": resonances, "limits": limits}
        show_json("floatframe-linear/1", {**content, "written": written})
        return
    over = {name: [f"{value:.6g}" for value in numbers]}
    damping = {
        "least damping [%]": [_least_damping(linear) for linear in found],
        "stable": ["yes" if linear.stable else "no" for linear in found],
    }
    count = min(n, max(len(linear.frequency) for linear in found))
    for first in range(0, count, BESIDE):
        cells = {}
        for k in range(first, min(first + BESIDE, count)):
            column = [linear.frequency[k : k + 1] for linear in found]
            cells[f"{k + 1} [Hz]"] = [f"{f[0]:.5g}" if len(f) else "" for f in column]
        title = f"{file.stem}: frequencies over {name}, at {place}"
        console().print(table(title, {**over, **cells, **({} if first else damping)}))
    if locus is not None:
        show_crossings(locus, name, file.name)
    if critical:
        cells = {
            f"{name} [{unit}]": [f"{one.speed:.5g}" for one in critical],
            "mode": [str(one.mode) for one in critical],
            "frequency [Hz]": [f"{one.frequency:.5g}" for one in critical],
        }
        console().print(table(f"{file.name}: critical speeds, modes at the frequency of rotation", cells))
    if limits:
        cells = {
            name: [f"{row['value']:.7g}" for row in limits],
            "± at most": [f"{row['tolerance']:.1e}" for row in limits],
            "growing at [Hz]": [f"{row['frequency_hz']:.5g}" for row in limits],
            "beyond": ["unstable" if row["is_unstable_beyond"] else "stable" for row in limits],
        }
        console().print(table(f"{file.name}: limits of stability, by bisection", cells))
    elif limit:
        whole = "stable" if found[0].stable else "unstable"
        console().print(f"{file.name}: no limit of stability, {whole} at all values of {name}", markup=False)
    show_written(written)


def _limits(
    system_at: Callable[[float], System], numbers: list[float], found: list[Linear], at: Start | None
) -> list[dict[str, Any]]:
    """Values between those of --vary at which a motion begins or ceases to grow."""
    from floatframe.hybrid import stability_limit

    rows = []
    for left, right, one, other in zip(numbers, numbers[1:], found, found[1:], strict=False):
        if one.stable == other.stable:
            continue
        with progress(f"limit between {left:g} and {right:g}"):
            value = stability_limit(system_at, left, right, NARROW, None if at is None else at.value)
        system = system_at(value)
        linear = linearised(system, at or Start.equilibrium)[0]
        values = linear.eigenvalues[~linear.rigid]
        marginal = values[(values.real / abs(values)).argmax()]
        rows.append(
            {
                "value": value,
                "tolerance": 0.5 * NARROW * abs(right - left),
                "frequency_hz": float(abs(marginal.imag)) / (2.0 * math.pi),
                "is_unstable_beyond": one.stable,
            }
        )
    return rows


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
