"""`floatframe linear MODEL.toml`: frequencies, damping and participants of the assembled hybrid model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    read_model_file,
    show_json,
    table,
    with_suffix,
)
from floatframe.cli.networks import show_network_modes
from floatframe.cli.responses import linearised, show_over_parameter, systems_over_parameter
from floatframe.hybrid import Start
from floatframe.viewer import PLOT_SUFFIXES

EXAMPLES = """
floatframe linear bogie.toml -n 10
floatframe linear slider_crank.toml --at start --set torque=0
floatframe linear rotor.toml --at steady --vary speed=0:100:10
floatframe linear rotor.toml --at steady -n 6 --vary 'speed [rad/s]=0:400:20' --campbell campbell.png
floatframe linear vehicle.toml --vary speed=10:80:5 -o root-locus.png
floatframe linear pipe.toml --vary flow=0:40:5 --limit
floatframe linear network.toml --set R=50
"""


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
        typer.Option(
            metavar="NAME=FIRST:LAST:STEP",
            help="Frequencies (of whirl: in space) and damping over a parameter: speed=0:100:10. "
            "With a unit of rotation, 'speed [rad/s]=0:100:10' (rev/min, rev/s …), critical speeds too.",
        ),
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
        show_over_parameter(systems_over_parameter(file, values or [], n, at, vary), output, campbell, limit, as_json)
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
    linear, _, free = linearised(system, at, n)
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


def _shares(participants: dict[str, float]) -> str:
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in participants.items() if share > 0.005)
