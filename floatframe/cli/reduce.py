"""`floatframe reduce FE`: make the reduced flexible body of a finite element model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from floatframe.cli.common import (
    Couple,
    Drop,
    Json,
    Mass,
    NoSupports,
    Options,
    Props,
    Reading,
    Strict,
    Units,
    Verbose,
    asked,
    at_reference_nodes,
    complain,
    freedoms,
    hertz,
    positive,
    progress,
    read_model,
    require_texts,
    show_json,
    with_suffix,
    write,
)
from floatframe.cli.info import show

EXAMPLES = """
floatframe reduce beam.h5 --interface 1,201 -n 20 -o input.fum
floatframe reduce beam.h5 --interface start,end --up-to 200Hz --quality -o body.h5
floatframe reduce model.cdb --units mm-t-s --couple HUB=rbe3 --interface HUB -n 20 -o input.fum
"""

MANY_NODES = 20  # interface nodes from which on a set was probably meant to be coupled
METHODS = ("craig-bampton", "guyan", "eigenmodes", "attachment", "macneal")


def _method(name: str) -> str:
    if name not in METHODS:
        raise typer.BadParameter(f"'{name}' is unknown; use one of {', '.join(METHODS)}")
    return name


def run_command(
    file: Annotated[Path, typer.Argument(metavar="FE", exists=True, dir_okay=False, help="A finite element model.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", callback=with_suffix(".fum", ".h5", ".hdf5"), help="input.fum or an HDF5 file."),
    ],
    interface: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Where joints attach: ends or 1,201 or 12:uz or 12:ux+uy.")
    ] = "",
    n: Annotated[int | None, typer.Option("-n", min=0, help="How many eigenmodes, 20 if nothing is said.")] = None,
    up_to: Annotated[
        str | None, typer.Option(metavar="FREQUENCY", help="Take as many modes as 50Hz needs, instead of -n.")
    ] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(
            callback=positive, help="Relative error allowed for frequencies up to there, 1e-3 if nothing is said."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(callback=_method, autocompletion=lambda: list(METHODS), help=", ".join(METHODS))
    ] = METHODS[0],
    mass: Mass = None,
    lumped: Annotated[bool, typer.Option("--lumped", help="The same as --mass lumped.")] = False,
    nodal: Annotated[
        bool, typer.Option("--nodal", help="Inertia constants as sums over nodes, as an input.fum has them.")
    ] = False,
    loads: Annotated[
        str, typer.Option(metavar="SET|NODES", help="Freedoms that will be loaded, as --interface; adds their shapes.")
    ] = "",
    inertia_relief: Annotated[bool, typer.Option("--inertia-relief", help="Add shapes under accelerations.")] = False,
    orthonormalise: Annotated[bool, typer.Option("--orthonormalise", help="Make both matrices diagonal.")] = False,
    geometric: Annotated[
        bool | None,
        typer.Option("--geometric/--no-geometric", help="Terms of stiffening under load; on where joints attach."),
    ] = None,
    quality: Annotated[bool, typer.Option("--quality", help="Compare with the full model.")] = False,
    comment: Annotated[str, typer.Option(help="A word to keep in the file.")] = "",
    couple: Couple = None,
    no_supports: NoSupports = False,
    units: Units = None,
    strict: Strict = False,
    drop: Drop = None,
    props: Props = None,
    options: Options = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Reduce a model to a flexible body and write it; prints every mode with its kind and origin."""
    from floatframe import fem, io, modal

    limit = hertz(up_to, "--up-to")
    if n is not None and limit is not None:
        raise typer.BadParameter("give either -n or --up-to")
    if limit is None and accuracy is not None:
        raise typer.BadParameter("--accuracy belongs to --up-to; give both or none")
    require_texts(output, comment=comment)
    fe = read_model(file, Reading(units, strict, props, options, couple, no_supports, drop))
    require_texts(output, name=fe.name)
    if isinstance(fe, fem.MatrixModel) and io.INTERFACE in fe.node_sets and not interface:
        # a body that another program has reduced: interface and modes are all it has
        interface, n = io.INTERFACE, fe.n_modal if n is None and limit is None else n
    picked: dict[str, Any] = {"interface": freedoms(interface, "--interface"), "loads": freedoms(loads, "--loads")}
    picked = {option: at_reference_nodes(items, couple) for option, items in picked.items()}
    for option, items in picked.items():
        with asked(f"--{option}"):
            nodes = set(fe.pick_dofs(items)[:, 0])
        if option == "interface":
            _tell_large_interface(len(nodes))
    with progress(f"reducing {fe.ndof} equations") as show_progress:
        body = modal.reduce(
            fe,
            n_modes=20 if n is None else n,
            method=cast(Any, method),  # a wrong one is refused by name
            up_to=limit,
            accuracy=accuracy,
            mass="lumped" if lumped else mass.kind if mass else None,
            inertia="nodal" if nodal else None,
            inertia_relief=inertia_relief,
            orthonormalise=orthonormalise,
            geometric=geometric,
            progress=show_progress,
            **picked,
        )
    source = replace(body.provenance, source=file.name, source_hash=_sha256(file), comment=comment)
    body = replace(body, provenance=source)
    description: dict[str, Any] = io.describe(body)
    if quality:
        with progress("comparing with the full model"):
            report = modal.quality_report(body, fe, up_to=limit)
        description["quality"] = report.describe()
    write(output, body)
    description["written"] = str(output)
    if as_json:
        show_json("floatframe-reduce/1", description)
        return
    compared = description.pop("quality", {})
    show(description)
    if compared:
        show(compared)


def _tell_large_interface(count: int) -> None:
    """Say before a long computation that a whole set of nodes was probably not meant as it was given."""
    if count > MANY_NODES:
        complain(
            f"--interface names {count} nodes, each dof of them becomes a shape, which takes long and much memory; "
            "--couple SET makes one interface node of a set"
        )


def _sha256(path: Path) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
