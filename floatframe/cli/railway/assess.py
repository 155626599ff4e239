"""`floatframe assess RUN.h5`: forces on the rails, ride and comfort of a run; critical speed of a sweep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Picture,
    Verbose,
    asked,
    console,
    positive,
    progress,
    show_json,
    show_written,
    table,
)
from floatframe.cli.railway.assess_sweep import SweepChoice, assess_sweep

if TYPE_CHECKING:
    from floatframe.arrays import Array
    from floatframe.hybrid import Results
    from floatframe.railway import Assessment, Finding, Limits, WheelHistory

# of a place in a body: its axes and its way are asked for, too
_OF_BODY = re.compile(r"(?P<channel>(?P<body>[^:+*/()]+?)(\.node\[[^\]]+\])?\.(com_)?acceleration)(\.[xyz])?")
EXAMPLES = """
floatframe assess run.h5 --accelerations body.acceleration -o assessment.png
floatframe assess run.h5 --wheels front.left --wheels front.right --from 5 --json
floatframe assess run.h5 --y rail.force.y --q rail.force.z --distance axle.position.x
floatframe assess run.h5 --accelerations 'body.node[12].acceleration'
floatframe assess speeds.h5 --over speed -o root-locus.png
"""


@dataclass(frozen=True)
class Channels:
    """Which channels are looked at."""

    wheels: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A wheel on the track (default: all in the run).")
    ] = None
    accelerations: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANNEL", help="Of a place: y and z give the ride, x, y, z the comfort."),
    ] = None
    y: Annotated[
        list[str] | None,
        typer.Option("--y", metavar="CHANNEL", help="Force on the rail outward, of a wheel that is no element."),
    ] = None
    q: Annotated[
        list[str] | None, typer.Option("--q", metavar="CHANNEL", help="Force on the rail down, one for each --y.")
    ] = None
    distance: Annotated[
        str | None, typer.Option(metavar="CHANNEL", help="Distance along the track of these wheels.")
    ] = None


@dataclass(frozen=True)
class Times:
    """Which times are looked at."""

    start: Annotated[float | None, typer.Option("--from", help="First time [s]: leave out how a run begins.")] = None
    end: Annotated[float | None, typer.Option("--to", help="Last time [s].")] = None


@dataclass(frozen=True)
class Vehicle:
    """What limits depend on."""

    load: Annotated[
        float | None, typer.Option(callback=positive, help="Static force of a wheel [N] (default: mean of its Q).")
    ] = None
    factor: Annotated[float, typer.Option(callback=positive, help="Of the limit of ΣY: 1, of freight wagons 0.85.")] = (
        1.0
    )
    flange_angle: Annotated[float, typer.Option(min=1.0, max=89.0, help="Of the flange [°], for Nadal's limit.")] = 70.0
    friction: Annotated[float, typer.Option(min=0.0, help="Of the flange, for Nadal's limit.")] = 0.36

    @property
    def limits(self) -> Limits:
        """The same as the library has it."""
        from floatframe import railway

        return railway.Limits(self.factor, radians(self.flange_angle), self.friction)


def run_command(
    *,
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A run, or a sweep over the speed of a vehicle.")
    ],
    chosen: Channels,
    times: Times,
    vehicle: Vehicle,
    sweep: SweepChoice,
    output: Picture = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Assess forces on the rails (EN 14363, Nadal), ride (Sperling) and comfort (EN 12299) of a run.

    Of a linear sweep over speed the speeds at which damping passes zero are found, of a sweep of runs the limit cycles.
    """
    from floatframe import hybrid, io, railway, viewer

    if file.suffix.lower() == ".toml":
        raise typer.BadParameter(f"'{file.name}' is a model file without results; first run: floatframe simulate")
    if io.format_of(file).holds is io.SweepResult:
        assess_sweep(file, sweep, output, as_json)
        return
    for option in sweep.given:
        raise typer.BadParameter(f"--{option} applies to sweeps only; '{file.name}' does not hold one")
    results = hybrid.Results.open(file)
    with asked(), progress(f"assessing {file.name}"):
        t, wheels, accelerations = _histories(results, chosen, times)
        found = railway.assess_run(t, wheels, accelerations, vehicle.limits, vehicle.load)
        if output is not None:
            viewer.plot_assessment(found, output, file.name)
    written = [] if output is None else [str(output)]
    if as_json:
        status = results.status.reason.replace(" ", "_")
        show_json("floatframe-assess/1", {"file": str(file), "status": status, **_content(found), "written": written})
        return
    _show(found, file.name)
    show_written(written)


def _histories(
    results: Results, chosen: Channels, times: Times
) -> tuple[Array, list[WheelHistory], dict[str, dict[str, Array]]]:
    """Return times at equal steps, what is recorded of wheels, and accelerations by place and axis."""
    import numpy as np

    from floatframe import railway, viewer

    named = _wheel_channels(results, chosen)
    wanted = [name for channels in named.values() for name in channels.values()]
    wanted += chosen.accelerations or []
    bodies = _bodies(results, chosen.accelerations or [])
    wanted += [name for names in bodies for name in names]
    if not wanted:
        raise typer.BadParameter(
            "there is no wheel in the run, that is no channels NAME.Y, NAME.Q and NAME.distance; record them, or give "
            "--y, --q and --distance, or --accelerations"
        )
    curves = viewer.span_curves(results, wanted, times.start, times.end)
    steps = np.diff(curves[0].t)
    if np.ptp(steps) > 1e-6 * steps.mean():  # events, or steps that the integrator chose
        even = float(curves[0].t[-1] - curves[0].t[0]) / (len(curves[0].t) - 1)
        curves = viewer.span_curves(results, wanted, times.start, times.end, even)
    found = {curve.name: curve.y for curve in curves}
    for name in [one for channels in named.values() for one in channels.values()]:
        if name not in found:
            raise typer.BadParameter(f"channel '{name}' has several components; name one of them, such as {name}.y")
    wheels = [
        railway.WheelHistory(
            name,
            found[channels["distance"]],
            found[channels["Y"]],
            found[channels["Q"]],
            found[channels["wear"]] if "wear" in channels else None,
        )
        for name, channels in named.items()
    ]
    places: dict[str, dict[str, Array]] = {}
    for names in bodies:
        a, rotation, velocity = (np.stack([found[one] for one in results.column_names(name)], axis=1) for name in names)
        felt = railway.felt_acceleration(a, rotation, velocity, results.gravity)
        found |= {f"{names[0]}.{axis}": felt[:, k] for k, axis in enumerate("xyz")}
    for channel in chosen.accelerations or []:
        for name in results.column_names(channel):
            place, _, axis = name.rpartition(".")
            if axis not in ("x", "y", "z"):
                raise typer.BadParameter(
                    f"--accelerations: '{name}' has no axis; expected a name that ends in .y or .z"
                )
            places.setdefault(place, {})[axis] = found[name]
    return curves[0].t, wheels, places


def _bodies(results: Results, channels: list[str]) -> set[tuple[str, str, str]]:
    """Return the channels acceleration, rotation and velocity of the places in bodies that accelerations are of."""
    found = set()
    for channel in channels:
        of_body = _OF_BODY.fullmatch(channel)
        if of_body is None or of_body["channel"] not in results:
            continue  # a formula, or a mistake
        names = of_body["channel"], f"{of_body['body']}.rotation", f"{of_body['body']}.velocity"
        for name in names:
            if name not in results:
                raise typer.BadParameter(
                    f"--accelerations: '{name}' is not recorded, so that the axes of the body are unknown; record it"
                )
        found.add(names)
    return found


def _wheel_channels(results: Results, chosen: Channels) -> dict[str, dict[str, str]]:
    """Return the channels of each wheel by what they hold."""
    ys, qs = chosen.y or [], chosen.q or []
    if len(ys) != len(qs) or bool(ys) != bool(chosen.distance):
        raise typer.BadParameter(
            f"--y, --q, --distance: found {len(ys)}, {len(qs)} and {int(bool(chosen.distance))} of them; every wheel "
            "needs one --y and one --q, all share one --distance"
        )
    recorded = {channel.name for channel in results.channels}
    names = chosen.wheels
    if names is None:
        ending = {name.removesuffix(".Q") for name in recorded if name.endswith(".Q")}
        names = [name.removesuffix(".Y") for name in (c.name for c in results.channels) if name.endswith(".Y")]
        names = [name for name in names if name in ending and f"{name}.distance" in recorded]
    named = {
        name: {what: f"{name}.{what}" for what in ("Y", "Q", "distance", *(["wear"] * (f"{name}.wear" in recorded)))}
        for name in names
    }
    if chosen.distance is not None:
        named |= {y: {"Y": y, "Q": q, "distance": chosen.distance} for y, q in zip(ys, qs, strict=True)}
    return named


def _content(found: Assessment) -> dict[str, Any]:
    """Return an assessment as JSON can hold it."""
    return {
        "study": "run",
        "from_s": float(found.t[0]),
        "to_s": float(found.t[-1]),
        "exceeded_count": len(found.exceeded),
        "findings": [
            {
                "subject": one.subject,
                "quantity": one.quantity,
                "value": one.value,
                "unit": one.unit,
                "limit": one.limit,
                "is_kept": one.kept,
                "words": one.words or None,
            }
            for one in found.findings
        ],
    }


def _show(found: Assessment, name: str) -> None:
    """Print the findings and how many limits are exceeded."""
    columns = {
        "of": [one.subject for one in found.findings],
        "quantity": [one.quantity for one in found.findings],
        "value": [_number(one, one.value) for one in found.findings],
        "limit": ["-" if one.limit is None else _number(one, one.limit) for one in found.findings],
        "unit": ["kN" if one.unit == "N" and one.limit is not None else one.unit for one in found.findings],
        "": [_verdict(one) for one in found.findings],
    }
    console().print(table(f"{name}: {found.t[0]:g} … {found.t[-1]:g} s", columns))
    limited = sum(one.kept is not None for one in found.findings)
    if limited:
        console().print(f"{len(found.exceeded)} of {limited} limits exceeded", markup=False)


def _number(one: Finding, value: float) -> str:
    return f"{1e-3 * value:.1f}" if one.unit == "N" and one.limit is not None else f"{value:.3g}"


def _verdict(one: Finding) -> str:
    verdict = {None: "", True: "kept", False: "EXCEEDED"}[one.kept]
    return ", ".join(filter(None, (verdict, one.words)))
