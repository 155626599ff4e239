"""`floatframe reduce FE`: make the reduced flexible body of a finite element model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from floatframe.cli.common import (
    Json,
    Mass,
    Reading,
    ReadingSupports,
    Verbose,
    asked,
    at_reference_nodes,
    complain,
    hertz,
    picked_dofs,
    positive,
    progress,
    read_model,
    require_texts,
    show_json,
    with_suffix,
    write,
)
from floatframe.cli.info import show
from floatframe.modal import METHODS

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MatrixModel

EXAMPLES = """
floatframe reduce beam.h5 --interface 1,201 -n 20 -o input.fum
floatframe reduce beam.h5 --interface start,end --up-to 200Hz --quality -o body.h5
floatframe reduce beam.h5 --interface start,end -n 20 --stress all -o body.h5
floatframe reduce model.cdb --units mm-t-s --couple HUB=rbe3 --interface HUB -n 20 -o input.fum
"""

MANY_NODES = 20  # interface nodes from which on a set was probably meant to be coupled
MODES = 20  # eigenmodes if no number is given


def _methods() -> list[str]:
    return list(METHODS)


def _method(name: str) -> str:
    if name not in METHODS:
        raise typer.BadParameter(f"'{name}' is unknown; use one of {', '.join(METHODS)}")
    return name


@dataclass(frozen=True)
class Shapes:
    """Which shapes the body gets besides the static ones of its interface."""

    n: Annotated[int | None, typer.Option("-n", min=0, help="Number of eigenmodes (default: 20).")] = None
    up_to: Annotated[
        str | None,
        typer.Option(
            metavar="FREQUENCY", help="Choose the number of modes for frequencies up to this, e.g. 50Hz, instead of -n."
        ),
    ] = None
    accuracy: Annotated[
        float | None,
        typer.Option(callback=positive, help="Allowed relative frequency error up to there (default: 1e-3)."),
    ] = None
    method: Annotated[str, typer.Option(callback=_method, autocompletion=_methods, help=", ".join(METHODS))] = METHODS[
        0
    ]
    loads: Annotated[
        str,
        typer.Option(
            metavar="SET|NODES", help="Dofs that will be loaded, written as for --interface; adds their static shapes."
        ),
    ] = ""
    inertia_relief: Annotated[
        bool, typer.Option("--inertia-relief", help="Add the static shapes under rigid-body accelerations.")
    ] = False
    orthonormalise: Annotated[
        bool, typer.Option("--orthonormalise", help="Transform the modes so that both matrices are diagonal.")
    ] = False

    def __post_init__(self) -> None:
        if self.n is not None and self.limit is not None:
            raise typer.BadParameter("give either -n or --up-to")
        if self.limit is None and self.accuracy is not None:
            raise typer.BadParameter("--accuracy needs --up-to; give both or neither")

    @property
    def limit(self) -> float | None:
        """Highest frequency [Hz] that modes are taken for."""
        return hertz(self.up_to, "--up-to")


@dataclass(frozen=True)
class Masses:
    """Which mass matrix and inertia constants the body gets."""

    mass: Mass = None
    lumped: Annotated[bool, typer.Option("--lumped", help="The same as --mass lumped.")] = False
    nodal: Annotated[
        bool, typer.Option("--nodal", help="Inertia constants as sums over nodes, as in an input.fum.")
    ] = False

    @property
    def arguments(self) -> dict[str, Any]:
        """What `modal.reduce` takes."""
        return {
            "mass": "lumped" if self.lumped else self.mass and self.mass.value,
            "inertia": "nodal" if self.nodal else None,
        }


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="FE", exists=True, dir_okay=False, help="A finite element model.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            callback=with_suffix(".fum", ".h5", ".hdf5", marks=("input.fum-hdf5",)),
            help="input.fum or an HDF5 file.",
        ),
    ],
    interface: Annotated[
        str,
        typer.Option(
            metavar="SET|NODES", help="Nodes or dofs where joints attach: ends or 1,201 or 12:uz or 12:ux+uy."
        ),
    ] = "",
    shapes: Shapes,
    masses: Masses,
    geometric: Annotated[
        bool | None,
        typer.Option(
            "--geometric/--no-geometric",
            help="Geometric stiffening under load (default: on if there are interface nodes).",
        ),
    ] = None,
    stress: Annotated[
        str,
        typer.Option(
            metavar="all|SET|ELEMENTS",
            help="Keep stresses of the shapes with the static correction, of all elements or of some: webs,12,13 (HDF5 "
            "only).",
        ),
    ] = "",
    quality: Annotated[bool, typer.Option("--quality", help="Compare with the full model.")] = False,
    comment: Annotated[str, typer.Option(help="A note to keep in the file.")] = "",
    how: ReadingSupports,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Reduce a model to a flexible body and write it; prints every mode with its kind and origin."""
    from floatframe import io, modal

    require_texts(output, comment=comment)
    _require_hdf5(output, stress)
    fe = read_model(file, how)
    require_texts(output, name=fe.name)
    n, interface = _already_reduced(fe, shapes, interface)
    picked = _picked(fe, interface, shapes.loads, how)
    elements = _elements(fe, stress)
    with progress(f"reducing {fe.ndof} equations") as show_progress:
        body = modal.reduce(
            fe,
            n_modes=n,
            method=cast(Any, shapes.method),  # a wrong one is refused by name
            up_to=shapes.limit,
            accuracy=shapes.accuracy,
            interface=picked["interface"],
            extra=modal.ExtraShapes(picked["loads"], inertia_relief=shapes.inertia_relief),
            geometric=geometric,
            progress=show_progress,
            **masses.arguments,
        )
        body = body.orthonormalised() if shapes.orthonormalise else body
    if stress:
        with progress("stresses of the shapes"):
            body = modal.with_stress(body, fe, elements, mass=masses.arguments["mass"])
    body = body.with_comment(comment)
    description: dict[str, Any] = io.describe(body)
    if quality:
        with progress("comparing with the full model"):
            report = modal.quality_report(body, fe, up_to=shapes.limit)
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


def _require_hdf5(output: Path, stress: str) -> None:
    if stress and output.suffix.lower() == ".fum":
        raise typer.BadParameter(
            f"--stress: an input.fum such as '{output}' cannot keep stresses; write HDF5: "
            f"-o {output.with_suffix('.h5')}"
        )


def _elements(fe: FEModel | MatrixModel, words: str) -> list[int | str] | None:
    """Return the elements whose stresses are kept, None: all; names that the model does not have are wrong use."""
    from floatframe import fem

    items = [word.strip() for word in words.split(",") if word.strip()]
    if items == ["all"] or isinstance(fe, fem.MatrixModel):
        return None
    with asked("--stress"):
        return [int(n) for word in items for n in fem.pick_elements(fe, [int(word)] if word.isdigit() else word)]


def _already_reduced(fe: FEModel | MatrixModel, shapes: Shapes, interface: str) -> tuple[int, str]:
    """Return the number of modes and the interface; a body that another program has reduced brings its own."""
    from floatframe import fem, io

    n = MODES if shapes.n is None else shapes.n
    if not isinstance(fe, fem.MatrixModel) or io.INTERFACE not in fe.node_sets or interface:
        return n, interface
    return fe.n_modal if shapes.n is None and shapes.limit is None else n, io.INTERFACE


def _picked(fe: FEModel | MatrixModel, interface: str, loads: str, how: Reading) -> dict[str, list[Any]]:
    """Return the dofs of interface and loads; names that the model does not have are wrong use."""
    picked = {"interface": picked_dofs(interface, "--interface"), "loads": picked_dofs(loads, "--loads")}
    picked = {option: at_reference_nodes(items, how.couple) for option, items in picked.items()}
    for option, items in picked.items():
        with asked(f"--{option}"):
            nodes = set(fe.pick_dofs(items)[:, 0])
        if option == "interface":
            _warn_of_large_interface(len(nodes))
    return picked


def _warn_of_large_interface(count: int) -> None:
    """Say before a long computation that a whole set of nodes was probably not meant as it was given."""
    if count > MANY_NODES:
        complain(
            f"--interface names {count} nodes and each of their dofs becomes a shape, which takes much time and "
            "memory; --couple SET makes one interface node of a set"
        )
