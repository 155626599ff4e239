"""`floatframe linear MODEL.toml`: frequencies, damping and participants of the assembled hybrid model."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Picture,
    Set,
    Verbose,
    compiled,
    complain,
    console,
    crossings_as_json,
    progress,
    read_model_file,
    roots_of,
    show_crossings,
    show_json,
    show_written,
    table,
    values_of,
    with_suffix,
)
from floatframe.cli.networks import show_network_modes
from floatframe.hybrid import Start
from floatframe.viewer import PLOT_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable

    from floatframe.hybrid import Linear, System
    from floatframe.railway import RootLocus

EXAMPLES = """
floatframe linear bogie.toml -n 10
floatframe linear slider_crank.toml --at start --set torque=0
floatframe linear rotor.toml --at steady --vary speed=0:100:10
floatframe linear rotor.toml --at steady -n 6 --vary speed=0:400:20 --campbell campbell.png
floatframe linear vehicle.toml --vary speed=10:80:5 -o root-locus.png
floatframe linear pipe.toml --vary flow=0:40:5 --limit
floatframe linear network.toml --set R=50
"""
NARROW = 1e-6  # share of a step of --vary to which --limit goes
BESIDE = 8  # frequencies in a table that fits a terminal


def run_command(
    file: ModelPath,
    values: Set = None,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of modes, from the lowest up.")] = 20,
    at: Annotated[
        Start | None,
        typer.Option(
            "--at",
            help="State to linearise about; steady: the motion that constant drives, or wheels on a track, maintain "
            "(default: equilibrium, with wheels on a track steady).",
        ),
    ] = None,
    vary: Annotated[
        str,
        typer.Option(metavar="NAME=FIRST:LAST:STEP", help="Frequencies and damping over a parameter: speed=0:100:10."),
    ] = "",
    output: Picture = None,
    campbell: Annotated[
        Path | None,
        typer.Option(
            callback=with_suffix(*PLOT_SUFFIXES),
            help="Picture of the frequencies over the parameter of --vary, modes followed by their shapes (MAC).",
        ),
    ] = None,
    limit: Annotated[
        bool,
        typer.Option("--limit", help="Find the values at which a motion begins to grow, by bisection within --vary."),
    ] = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print natural frequencies and damping ratios of the assembled model, each with the bodies that move most."""
    from floatframe.network import is_network_file

    if is_network_file(file):
        if vary or output is not None or campbell is not None or limit:
            raise typer.BadParameter(
                "--vary, --limit, --output and --campbell apply to machines; "
                f"floatframe sweep {file.name} --study linear varies parameters of a network"
            )
        show_network_modes(file, values, n, at is Start.start, as_json)
        return
    if vary:
        _show_curve(file, values or [], n, at, vary, output, as_json, campbell, limit)
        return
    if limit:
        raise typer.BadParameter("--limit: the limit of a parameter lies between values of it; give --vary")
    if campbell is not None:
        raise typer.BadParameter("--campbell: the picture shows frequencies over a parameter; give --vary")
    if output is not None:
        raise typer.BadParameter("--output: a picture shows frequencies over a parameter; give --vary")
    from floatframe.hybrid import corner_words, describe_linear, usual_start

    system = compiled(read_model_file(file, values))
    at = at or usual_start(system)
    linear, free = _linearised(system, at, n)
    modes = describe_linear(linear, n)
    if as_json:
        content: dict[str, Any] = {
            "name": system.model.name,
            "at": at.value,
            "dof_count": system.ndof,
            "stable": linear.stable,
            "acceleration_m_per_s2": linear.acceleration,
            "free_motions": free,
            "modes": modes,
            "corners": list(linear.corners),
            "one_sided_modes": [describe_linear(side, n) for side in linear.one_sided],
        }
        show_json("floatframe-linear/1", content)
        return
    title = f"{system.model.name}: {system.ndof} dof{'s' if system.ndof != 1 else ''}, at {at.value}"
    _show_modes(title, modes)
    if linear.corners:
        complain(f"the state {corner_words(linear.corners)}; above with growing penetration, below with falling")
        _show_modes(f"{title}, other side of the corner", describe_linear(linear.one_sided[1], n))
    if linear.growing_beyond:
        complain(f"unstable by {linear.growing_beyond} of the modes beyond these {n}; a larger -n shows them")
    if linear.acceleration > 0.0 and at is Start.start:
        complain(
            f"the start is not an equilibrium: its bodies accelerate by {linear.acceleration:.3g} m/s2 in the mean"
        )


def _show_modes(title: str, modes: list[dict[str, Any]]) -> None:
    from floatframe.viewer import word_of

    cells = {
        "mode": [str(mode["mode"]) for mode in modes],
        "frequency [Hz]": [f"{mode['frequency_hz']:.6g}" for mode in modes],
        "damping [%]": [f"{100 * mode['damping_ratio']:.3f}" for mode in modes],
        "kind": [word_of("kind", mode["kind"]) for mode in modes],
        "moving most": [_shares({**mode["participants"], **mode["states"]}) for mode in modes],
    }
    console().print(table(title, cells))


def _linearised(system: System, at: Start, n: int | None = None) -> tuple[Linear, list[str]]:
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


def _show_curve(
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
    from floatframe.hybrid import mode_loci, usual_start

    name, numbers = values_of(vary)
    found: list[Linear] = []
    read_model_file(file, values)  # what is wrong with these is not said of --vary
    if campbell is not None and len(numbers) < 2:
        raise typer.BadParameter("--campbell: a picture needs two or more values of --vary")

    def system_at(value: float) -> System:
        return compiled(read_model_file(file, [*values, f"{name}={value!r}"], "--vary"))

    for value in numbers:
        system = system_at(value)
        at = at or usual_start(system)
        found.append(_linearised(system, at)[0])  # all modes: one beyond those shown may lose its damping
    locus = _locus(numbers, found)
    if output is not None:
        if locus is None:
            raise typer.BadParameter("--output: a picture needs two or more rising values of --vary")
        highest = max(float(linear.frequency[:n].max(initial=0.0)) for linear in found)
        viewer.plot_root_locus(locus, output, name, file.name, highest)
    if campbell is not None:
        with progress("following modes"):
            loci = mode_loci(system_at, np.array(numbers), n, None if at is None else at.value)
        shown = loci.frequency, campbell, "", ()
        viewer.plot_campbell(loci.values, *shown, title=file.name, quantity=name)
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
        show_json("floatframe-linear/1", {**content, **crossings, "limits": limits, "written": written})
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
        linear = _linearised(system, at or Start.equilibrium)[0]
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


def _shares(participants: dict[str, float]) -> str:
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in participants.items() if share > 0.005)
