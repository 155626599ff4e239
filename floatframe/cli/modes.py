"""`floatframe modes FE`: natural frequencies and mode shapes of a finite element model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    EigenSolver,
    Json,
    Mass,
    MassChoice,
    ModesWanted,
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
    show_json,
    table,
    with_suffix,
)
from floatframe.cli.info import show

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MatrixModel, NodalModel
    from floatframe.modal import LanczosOptions, Modes

EXAMPLES = """
floatframe modes beam.h5 -n 6 --fixed start
floatframe modes beam.h5 --fixed start --save mode.png --mode 2
floatframe modes model.cdb -n 20 --write shapes.h5
floatframe modes body.h5 --lumped --band 5:30 --cuts x=-5,0,5 --ordering wave --report
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="FE", exists=True, dir_okay=False, help="A finite element model.")],
    wanted: ModesWanted,
    fixed: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Fix these nodes or dofs: base or 1,201 or base,7:uz+rx.")
    ] = "",
    as_json: Json = False,
    save: Annotated[
        Path | None, typer.Option(callback=with_suffix(".png"), help="Picture of a mode (see --mode).")
    ] = None,
    mode: Annotated[int | None, typer.Option(min=1, help="The mode to draw (default: the first elastic one).")] = None,
    write: Annotated[
        Path | None,
        typer.Option(callback=with_suffix(".h5", ".hdf5", marks=("floatframe-modes",)), help="File for the shapes."),
    ] = None,
    mass: Mass = None,
    lumped: Annotated[bool, typer.Option("--lumped", help="The same as --mass lumped.")] = False,
    solver: EigenSolver,
    how: ReadingSupports,
    verbose: Verbose = False,
) -> None:
    """Print the natural frequencies of a model, each with its proof; draw or write the shapes."""
    from floatframe import fem, io, modal

    if save is not None:
        from floatframe import viewer

        viewer.require_rendering()
    fe = read_model(file, how)
    if save is not None and isinstance(fe, fem.MatrixModel):
        raise typer.BadParameter("--save: a model given by its matrices has no elements to draw")
    n, mass = wanted.count, MassChoice.lumped if lumped else mass
    if mode is not None and wanted.by_number and mode > n:
        raise typer.BadParameter(f"--mode {mode} is not among the {n} computed modes; raise -n")
    held = at_reference_nodes(picked_dofs(fixed, "--fixed"), how.couple)
    with asked("--fixed"):
        fe.pick_dofs(held)
    with asked("--cuts"):
        options = solver.options(fe)
    with progress(f"{wanted} of {fe.ndof} equations") as show_progress:
        modes = _modes(fe, wanted, held, mass, options, show_progress)
    report = _report(fe, modes, held, solver) if solver.report else {}
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
            **({"solver": report} if report else {}),
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
        if wanted.by_number and len(modes) < n:
            console().print(f"The model has {len(modes)} modes, fewer than the {n} requested.")
        if len(modes.idle):
            console().print(f"{modal.idle_note(modes.idle)}.")
        if modes.cut:
            whole = len(modes) + modes.cut
            console().print(f"Mode {n} shares its frequency with {modes.cut} more; -n {whole} shows them all.")
        if report:
            show({"solver": {key: value for key, value in report.items() if key != "substructures"}})
            show({"substructures": report.get("substructures")})


def _modes(
    fe: FEModel | MatrixModel,
    wanted: ModesWanted,
    held: Any,
    mass: MassChoice | None,
    options: LanczosOptions,
    progress: Any,
) -> Modes:
    """The modes that are wanted, or all where a small model has fewer."""
    from floatframe import modal
    from floatframe.errors import TooManyModes

    limits = wanted.limits
    given = {"fixed": held, "mass": mass.kind if mass else None, "options": options, "progress": progress}
    while True:
        try:
            return modal.eigenmodes(fe, **limits, **given)
        except TooManyModes as few:
            if not 0 < few.there < limits["n"]:
                raise
            limits["n"] = few.there


def _report(fe: FEModel | MatrixModel, modes: Modes, held: Any, solver: EigenSolver) -> dict[str, Any]:
    """What the solver did, in the shape of table 2.1 of Mikheev (2004)."""
    from floatframe import modal

    spent, free = modes.statistics, fe.free_rows(held)
    division = solver.division(fe)
    K = fe.stiffness()[free][:, free]
    profiles = modal.profiles(K, None if division is None else division[free])
    result: dict[str, Any] = {
        "equation_count": int(free.size),
        "profile_bytes": 8 * sum(profiles.before),
        "renumbered_profile_bytes": 8 * sum(profiles.after),
        "profile_gain": profiles.gain,
        "boundary_profile_bytes": 8 * profiles.boundary,
        "step_count": spent.steps,
        "solution_count": spent.solves,
        "factorisation_count": spent.factorisations,
        "basis_bytes": spent.basis_bytes,
        "factor_time_s": spent.factor_seconds,
        "solution_time_s": spent.solve_seconds,
        "step_time_s": spent.solve_seconds / max(spent.steps, 1),
        "orthogonalisation_time_s": spent.orthogonalisation_seconds,
        "total_time_s": spent.total_seconds,
    }
    if (report := spent.report) is not None:
        result |= {
            "substructure_count": report.substructures,
            "interior_bytes": report.interior_memory,
            "boundary_row_count": report.boundary_size,
            "boundary_bytes": report.boundary_memory,
            "front_count": report.fronts,
        }
    if division is not None:
        result["substructures"] = [
            {"substructure": k, "profile_bytes": 8 * before, "renumbered_profile_bytes": 8 * after}
            for k, (before, after) in enumerate(zip(profiles.before, profiles.after, strict=True), start=1)
        ]
    return result


def _held(fe: NodalModel, fixed: str) -> str:
    """Say what is held: what the command names and the supports of the model itself."""
    own = f"{len(fe.supports)} supports" if len(fe.supports) else ""
    return " and ".join(filter(None, (fixed, own))) or "nothing"
