"""`floatframe linear MODEL.toml`: frequencies, damping and participants of the assembled hybrid model."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from floatframe.cli.hybrid_models import ModelPath, Set, compiled, read_model_file
from floatframe.cli.terminal import Json, Verbose, complain, console, progress, show_json, table

EXAMPLES = "Example: floatframe linear slider_crank.toml -n 10 --set torque=0"


class At(StrEnum):
    start = "start"
    equilibrium = "equilibrium"


def run_command(
    file: ModelPath,
    values: Set = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many modes, from the lowest up.")] = 20,
    at: Annotated[At, typer.Option("--at", help="The state to look at.")] = At.equilibrium,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Print natural frequencies and damping ratios of the assembled model, each with the bodies that move most."""
    from floatframe.hybrid.describe_model import describe_linear
    from floatframe.hybrid.equilibrium import find_equilibrium

    system = compiled(read_model_file(file, values))
    with progress(f"modes of {system.ndof} degrees of freedom"):
        found = find_equilibrium(system) if at is At.equilibrium else None
        linear = system.linearise(found.state if found else system.initial_state(), n=n)
    modes = describe_linear(linear, n)
    if as_json:
        content = {
            "name": system.model.name,
            "at": at.value,
            "degrees of freedom": system.ndof,
            "stable": linear.stable,
            "acceleration at the state [m/s2]": linear.acceleration,
            "without stiffness": list(found.free) if found else [],
            "modes": modes,
        }
        show_json(content)
        return
    cells = {
        "mode": [str(mode["mode"]) for mode in modes],
        "frequency [Hz]": [f"{mode['frequency [Hz]']:.6g}" for mode in modes],
        "damping [%]": [f"{100 * mode['damping ratio']:.3f}" for mode in modes],
        "kind": [mode["kind"] for mode in modes],
        "moving most": [_shares(mode["participants"]) for mode in modes],
    }
    console().print(table(f"{system.model.name}: {system.ndof} degrees of freedom, at {at.value}", cells))
    if linear.acceleration > 0.0:
        complain(f"the start is no equilibrium: its bodies accelerate by {linear.acceleration:.3g} m/s2 in the mean")


def _shares(participants: dict[str, float]) -> str:
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in participants.items() if share > 0.005)
