"""How commands read files: units and strictness of imports, coupled sets, and what the import has to say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.terminal import complain

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MatrixModel
    from floatframe.io import Imported

Units = Annotated[str, typer.Option(help="Units of a file from another program: SI, mm-t-s, mm-kg-ms, in-lbf-s …")]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse a file of which something physical would be ignored.")]
Couple = Annotated[
    list[str] | None,
    typer.Option(metavar="SET=rbe2|rbe3", help="Take hold of a set by one new node: HUB=rbe2 (rigid) or rbe3 (mean)."),
]


def read_file(file: Path, units: str, strict: bool) -> Imported:
    """Return what a file holds with the report of its import; what may matter goes to stderr."""
    from floatframe import io
    from floatframe.errors import ModelError

    try:
        io.unit_system(units)
    except ModelError as error:
        raise typer.BadParameter(f"--units: {error}") from error
    imported = io.read_with_report(file, units=units, strict=strict)
    for sentence in imported.report.warnings:
        complain(f"{file.name}: {sentence}")
    ignored = imported.report.ignored_physics
    if ignored:
        cards = ", ".join(dict.fromkeys(entry.card for entry in ignored))
        complain(f"{file.name}: ignored {cards}; `floatframe info {file.name}` says why, --strict refuses")
    return imported


def read_model(file: Path, units: str, strict: bool, couple: list[str] | None = None) -> FEModel | MatrixModel:
    """Return the finite element model of a file, with reference nodes for the sets to be coupled."""
    from floatframe import fem
    from floatframe.errors import ModelError

    model = read_file(file, units, strict).model
    if not isinstance(model, fem.FEModel | fem.MatrixModel):
        raise typer.BadParameter(f"'{file}' holds no finite element model but a {type(model).__name__}")
    for name, kind in coupled(couple).items():
        if not isinstance(model, fem.FEModel):
            raise typer.BadParameter("--couple: a model given by its matrices cannot be coupled any more")
        try:
            model = fem.with_reference_node(model, name, kind)
        except ModelError as error:
            raise typer.BadParameter(f"--couple: {error}") from error
    return model


def coupled(couple: list[str] | None) -> dict[str, Any]:
    """Return set names and kinds of couplings from "HUB=rbe2" or "HUB:rbe3"; rbe2 where none is given."""
    found: dict[str, Any] = {}
    for word in couple or []:
        name, _, kind = word.replace(":", "=").partition("=")
        found[name] = kind.lower() or "rbe2"
    return found


def at_reference_nodes(items: list[Any], couple: list[str] | None) -> list[Any]:
    """Return picks in which a coupled set stands for its reference node."""
    names = coupled(couple)

    def renamed(place: Any) -> Any:
        return f"{place}_ref" if place in names else place

    return [(renamed(item[0]), item[1]) if isinstance(item, tuple) else renamed(item) for item in items]
