"""`floatframe export-code MODEL.toml -o model.c`: equations of motion as code that stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import (
    Json,
    ModelPath,
    Set,
    Verbose,
    compiled,
    progress,
    read_model_file,
    show_json,
    with_suffix,
)
from floatframe.cli.info import show

EXAMPLES = """
floatframe export-code crank.toml -o crank.c
floatframe export-code crank.toml --set torque=50 -o crank.py
"""


def run_command(
    file: ModelPath,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", callback=with_suffix(".c", ".py"), help="C, or Python that needs NumPy alone."),
    ],
    values: Set = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Write the equations of motion as C or Python that runs without this program.

    The numbers of the model are folded into formulas, which are compared with the model before they are written; the
    top of the file says what its functions take. Wheels on rails, stages, friction that sticks, Python functions and
    sampled or delayed values cannot be exported.
    """
    from floatframe.hybrid import export_code

    system = compiled(read_model_file(file, values))
    with progress(f"writing {output.name}"):
        made = export_code(system, output)
    description = {
        "written": str(made.path),
        "coordinate_count": system.nq,
        "speed_count": system.nv,
        "state_count": system.nz,
        "constraint_count": system.nlambda,
        "operation_count": made.operations,
        "solved_rows": made.solved,
        "compared_states": made.states,
        "largest_error": made.error,
    }
    if as_json:
        show_json("floatframe-export-code/1", description)
    else:
        show(description)
