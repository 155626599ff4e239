"""`floatframe modes FE`: natural frequencies and mode shapes of a finite element model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    Mass,
    MassChoice,
    ReadingSupports,
    Verbose,
    asked,
    at_reference_nodes,
    console,
    kind_of_mass,
    picked_dofs,
    place_list,
    progress,
    read_model,
    require_other_file,
    show_json,
    table,
    with_suffix,
)

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MatrixModel, NodalModel
    from floatframe.modal import Modes

EXAMPLES = """
floatframe modes beam.h5 -n 6 --fixed start
floatframe modes beam.h5 --fixed start --save mode.png --mode 2
floatframe modes model.cdb -n 20 --write shapes.h5
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="FE", exists=True, dir_okay=False, help="A finite element model.")],
    n: Annotated[int, typer.Option("-n", min=1, help="Number of modes, from the lowest up.")] = 10,
    fixed: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Fix these nodes or dofs: base or 1,201 or base,7:uz+rx.")
    ] = "",
    as_json: Json = False,
    save: Annotated[
        Path | None, typer.Option(callback=with_suffix(".png"), help="Picture of a mode (see --mode).")
    ] = None,
    mode: Annotated[int | None, typer.Option(min=1, help="The mode to draw (default: the first elastic one).")] = None,
    write: Annotated[
        Path | None, typer.Option(callback=with_suffix(".h5", ".hdf5"), help="File for the shapes.")
    ] = None,
    mass: Mass = None,
    how: ReadingSupports,
    verbose: Verbose = False,
) -> None:
    """Print the natural frequencies of a model, each with its proof; draw or write the shapes."""
    from floatframe import fem, io, modal

    if save is not None:
        from floatframe import viewer

        viewer.require_rendering()
    if write is not None:
        require_other_file(write, file, "--write")
    fe = read_model(file, how)
    if save is not None and isinstance(fe, fem.MatrixModel):
        raise typer.BadParameter("--save: a model given by its matrices has no elements to draw")
    if mode is not None and mode > n:
        raise typer.BadParameter(f"--mode {mode} is not among the {n} computed modes; raise -n")
    held = at_reference_nodes(picked_dofs(fixed, "--fixed"), how.couple)
    with asked("--fixed"):
        fe.pick_dofs(held)
    with progress(f"{n} modes of {fe.ndof} equations") as show_progress:
        modes = _modes(fe, n, held, mass, show_progress)
    on_nodes = io.NodalModes.of(fe, modes)
    description = io.describe(on_nodes)
    if write is not None:
        io.write(write, on_nodes)
    if save is not None and isinstance(fe, fem.FEModel):
        viewer.mode_picture(fe, modes, save, mode)
    if as_json:
        sturm = modes.sturm
        content = {
            "model": fe.name,
            "fixed": place_list(held),
            "support_count": len(fe.supports),
            "mass_matrix": kind_of_mass(fe, mass),
            "dof_count": fe.ndof,
            **description,
            "sturm_found": sturm.found,
            "sturm_expected": sturm.expected,
            "sturm_passed": sturm.passed,
            "cut_mode_count": modes.cut,
            "idle_dofs": [{"node": node, "component": fem.DOF_NAMES[part]} for node, part in modes.idle.tolist()],
        }
        show_json("floatframe-modes/1", content)
    else:
        from floatframe.viewer import word_of

        rows = description["modes"]
        cells = {
            "mode": [str(row["mode"]) for row in rows],
            "frequency [Hz]": [f"{row['frequency_hz']:.6g}" for row in rows],
            "residual": [f"{row['residual']:.1e}" for row in rows],
            "kind": [row["kind"] for row in rows],
        }
        console().print(table(f"{fe.name}: {fe.ndof} equations, fixed: {_held(fe, fixed)}", cells))
        console().print(f"Sturm count: {modes.sturm}")
        console().print(f"Mass matrix: {word_of('mass_matrix', kind_of_mass(fe, mass))}")
        if len(modes) < n:
            console().print(f"The model has {len(modes)} modes, fewer than the {n} requested.")
        if len(modes.idle):
            console().print(f"{modal.idle_note(modes.idle)}.")
        if modes.cut:
            whole = len(modes) + modes.cut
            console().print(f"Mode {n} shares its frequency with {modes.cut} more; -n {whole} shows them all.")


def _modes(fe: FEModel | MatrixModel, n: int, held: Any, mass: MassChoice | None, progress: Any) -> Modes:
    """The lowest n modes, or all where a small model has fewer."""
    from floatframe import modal
    from floatframe.errors import TooManyModes

    while True:
        try:
            return modal.eigenmodes(fe, n=n, fixed=held, mass=mass.kind if mass else None, progress=progress)
        except TooManyModes as few:
            if not 0 < few.there < n:
                raise
            n = few.there


def _held(fe: NodalModel, fixed: str) -> str:
    """Say what is held: what the command names and the supports of the model itself."""
    own = f"{len(fe.supports)} supports" if len(fe.supports) else ""
    return " and ".join(filter(None, (fixed, own))) or "nothing"
