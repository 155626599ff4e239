"""`floatframe statespace MODEL.toml -o plant.mat`: the linear state space of the assembled model for control design."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    asked,
    compiled,
    console,
    printed_warnings,
    progress,
    read_model_file,
    show_json,
    show_written,
    table,
    with_suffix,
)
from floatframe.cli.responses.asked import At, Inputs, Outputs, found_state, required

EXAMPLES = """
floatframe statespace arm.toml --input motor --output tip.position.z -o plant.mat
floatframe statespace car.toml --input road.acceleration --input active --output body.acceleration.z -o plant.npz
floatframe statespace rotor.toml --at steady --input push.y --output disc.position.y -o plant.json --json
"""


def run_command(
    *,
    file: ModelPath,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "-o", "--save", callback=with_suffix(".mat", ".npz", ".json"), help="plant.mat, plant.npz or plant.json."
        ),
    ] = None,
    inputs: Inputs = None,
    outputs: Outputs = None,
    at: At = None,
    values: Set = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Write A, B, C, D of the linearised model, its constraints eliminated, with the names of states and signals."""
    from floatframe import hybrid

    system = compiled(read_model_file(file, values))
    names = required(inputs, "--input", system), required(outputs, "--output", system)
    with printed_warnings(file), progress(f"state space of {file.name}"):
        state = found_state(system, at)
        with asked():
            found = hybrid.state_space_of(system, *names, state=state)
    if output_file is not None:
        found.write(output_file)
    written = [] if output_file is None else [str(output_file)]
    if as_json:
        content: dict[str, Any] = {
            "name": found.name,
            "states": list(found.states),
            "inputs": [{"name": port.name, "unit": port.unit} for port in found.inputs],
            "outputs": [{"name": port.name, "unit": port.unit} for port in found.outputs],
            "poles": [{"real": float(pole.real), "imaginary": float(pole.imag)} for pole in found.poles],
            "written": written,
        }
        show_json("floatframe-statespace/1", content)
        return
    rows = [
        *(("state", name, "") for name in found.states),
        *(("input", port.name, port.unit) for port in found.inputs),
        *(("output", port.name, port.unit) for port in found.outputs),
    ]
    cells = {"": [row[0] for row in rows], "name": [row[1] for row in rows], "unit": [row[2] for row in rows]}
    console().print(table(f"{file.name}: {len(found.states)} states", cells))
    show_written(written)
