"""`floatframe umexport`: flexible bodies with the shapes ANSYS computed, and the macro that computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from floatframe.cli.common import Json, Units, Verbose, asked, progress, show_json, with_suffix, write
from floatframe.cli.info import show

EXAMPLES = """
floatframe umexport --macro
floatframe umexport flexmodel -o input.fum
floatframe umexport --matrices file.full --modes file.rst --static static.rst -o input.fum
"""


def run_command(
    job: Annotated[
        Path | None, typer.Argument(help="Job of the macro: JOB.free, JOB.mlmp, JOB_eig.rst, JOB_sta.rst.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            callback=with_suffix(".fum", ".h5", ".hdf5", marks=("input.fum-hdf5",)),
            help="input.fum or an HDF5 file.",
        ),
    ] = None,
    matrices: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Instead of JOB: .full of the free structure,")
    ] = None,
    modes: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="and .rst of the modes with the interface held,")
    ] = None,
    static: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="and .rst of unit motions of the interface,")
    ] = None,
    lumped: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="and .full with the lumped mass.")
    ] = None,
    macro: Annotated[
        bool, typer.Option("--macro", help="Write umexport.mac into this folder, to be run in ANSYS.")
    ] = False,
    orthonormalise: Annotated[
        bool, typer.Option("--orthonormalise", help="Transform the modes so that both matrices are diagonal.")
    ] = False,
    units: Units = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Build a flexible body from matrices and shapes of ANSYS; nothing is computed again.

    In ANSYS: select the interface nodes (NSEL), then UMEXPORT,20,0 for 20 modes and the full mass.
    """
    from floatframe import io

    if macro:
        written = {"written": str(io.write_umexport())}
        if as_json:
            show_json("floatframe-umexport/1", written)
        else:
            show(written)
        return
    if output is None or (job is None) == (matrices is None):
        raise typer.BadParameter("give a JOB or --matrices and --modes, and -o FILE; or --macro alone")
    if (modes is None) != (matrices is None):
        raise typer.BadParameter("--matrices and --modes must be given together")
    with asked("--units"):
        system = io.unit_system(units or "SI")
    with progress("reading matrices and shapes"):
        if job is not None:
            body = io.body_from_umexport(job, system)
        elif matrices is not None and modes is not None:
            body = io.body_from_ansys(matrices, modes, static, lumped, system)
    body = body.orthonormalised() if orthonormalise else body
    description = io.describe(body)
    write(output, body)
    description["written"] = str(output)
    if as_json:
        show_json("floatframe-umexport/1", description)
    else:
        show(description)
