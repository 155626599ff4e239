"""`floatframe equilibrium MODEL.toml`: where a hybrid model rests."""

from __future__ import annotations

from typing import Annotated

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    compiled,
    complain,
    progress,
    read_model_file,
    show_json,
)
from floatframe.cli.info import show
from floatframe.cli.networks import show_operating_point

EXAMPLES = """
floatframe equilibrium pendulum.toml
floatframe equilibrium bogie.toml --set front.mass=2*600 --json
floatframe equilibrium circuit.toml
"""


def run_command(
    file: ModelPath,
    values: Set = None,
    hold_states: Annotated[
        bool, typer.Option("--hold-states", help="State variables keep their start values; else they come to rest too.")
    ] = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Find the static equilibrium reached from the start, and say whether it is stable and what is free to move."""
    from floatframe.hybrid import describe_equilibrium, find_equilibrium
    from floatframe.network import is_network_file

    if is_network_file(file):
        if hold_states:
            raise typer.BadParameter("--hold-states applies to machines; a constant in place of a state holds it")
        show_operating_point(file, values, as_json)
        return
    system = compiled(read_model_file(file, values))
    with progress("equilibrium"):
        found = find_equilibrium(system, hold_states=hold_states)
    description = describe_equilibrium(system, found)
    if as_json:
        show_json("floatframe-equilibrium/1", description)
        return
    for what in found.unstable:
        complain(f"the equilibrium is unstable: {what} falls away")
    if found.stable is None:
        complain(
            "whether the equilibrium is stable is not known, since loops with sampled or delayed values, or with "
            "states and velocity constraints, are not linearised; simulate a start beside it"
        )
    show(description)
