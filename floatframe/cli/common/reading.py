"""How commands read files: units and strictness of imports, coupled sets, and what the import reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common.terminal import asked, complain

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MassKind, MatrixModel
    from floatframe.io import Imported

Units = Annotated[
    str | None, typer.Option(help="Units of a file from another program: SI, mm-t-s, mm-kg-ms, in-lbf-s …")
]


class MassChoice(StrEnum):
    """Kinds of mass matrices to choose from."""

    consistent = "consistent"
    lumped = "lumped"
    points = "points"  # lumped without rotary inertia, as Nastran does

    @property
    def kind(self) -> MassKind:
        """The same as the library names it."""
        return self.value


Mass = Annotated[
    MassChoice | None,
    typer.Option(
        help="The mass matrix; by default that of the program which the file is for. "
        "points: lumped without rotary inertia, as Nastran does."
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="CARD",
        help="Leave out these cards, though they carry stiffness, mass, supports or couplings; all: every such card.",
    ),
]


@dataclass(frozen=True)
class Reading:
    """What the command line says about reading a file."""

    units: Units = None
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a file if anything physical in it would be ignored.")
    ] = False
    drop: Drop = None
    props: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="Properties the file lacks, e.g. materials (default: NAME.props.toml beside the file).",
        ),
    ] = None
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="Option of the reader: temperature=80, geometry=FILE, spc=2 …"
        ),
    ] = None
    couple: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET=rbe2|rbe3",
            help="Couple a set to a new reference node: HUB=rbe2 (rigid) or rbe3 (averaging); HUB=rbe3:12,13 couples "
            "these nodes.",
        ),
    ] = None
    node_sets: Annotated[
        list[str] | None,
        typer.Option(
            "--node-set", metavar="NAME=NODES", help="Name some nodes: feet=12,13; the model has the set then."
        ),
    ] = None
    element_sets: Annotated[
        list[str] | None,
        typer.Option("--element-set", metavar="NAME=ELEMENTS", help="Name some elements: webs=1,2,3."),
    ] = None
    no_supports: bool = False  # an option only of commands that take `ReadingSupports`


@dataclass(frozen=True)
class ReadingSupports(Reading):
    """The same with the choice to leave out the supports of the file."""

    no_supports: Annotated[
        bool,
        typer.Option("--no-supports", help="Remove the supports in the file; those in the properties file stay."),
    ] = False


_OPTIONS = {"node_sets": "node-set", "element_sets": "element-set", "options": "option"}


def require_plain_reading(file: Path, how: Reading) -> None:
    """Refuse options of reading with a network, which is read as it is."""
    given = [one.name for one in fields(how) if getattr(how, one.name)]
    if given:
        names = ", ".join(f"--{_OPTIONS.get(name, name.replace('_', '-'))}" for name in given)
        raise typer.BadParameter(f"found {names} with the network '{file}', which is read as it is; leave them out")


def read_file(file: Path, how: Reading, warn: bool = True, refuse: bool = True) -> Imported:
    """Return what a file holds with the report of its import; warn: what may matter goes to stderr.

    refuse: whether something lost is an error, else only the report says so.
    """
    from floatframe import io

    with asked("--units"):
        io.unit_system(how.units or "SI")
    options = dict(map(_option, how.options or []))
    imported = io.read_with_report(
        file, how.units, how.strict, how.props, not how.no_supports, tuple(how.drop or ()), refuse, **options
    )
    for sentence in imported.report.warnings if warn else ():
        complain(f"{file.name}: {sentence}")
    dropped = [entry for entry in imported.report.lost if entry.dropped]
    if dropped and warn:
        complain(f"{file.name}: left out {'; '.join(map(str, dropped))}")
    ignored = imported.report.ignored_physics
    if ignored and warn:
        cards = ", ".join(dict.fromkeys(entry.card for entry in ignored))
        complain(
            f"{file.name}: ignored {cards}; `floatframe info {file.name}` gives the reasons, --strict makes it an error"
        )
    return replace(imported, model=_coupled_model(_with_sets(imported.model, how), how))


# arguments of `io.read` that have options of their own
_NOT_OPTIONS = ("materials", "units", "strict", "props", "supports", "drop", "refuse", "parameters")


def _option(text: str) -> tuple[str, Any]:
    """Return name and value of "temperature=80"; numbers where they look like it."""
    name, equals, word = (part.strip() for part in text.partition("="))
    if not equals or not name or name in _NOT_OPTIONS:
        raise typer.BadParameter(f"--option: '{text}' must have the form NAME=VALUE, e.g. temperature=80")
    for number in (int, float):
        try:
            return name, number(word)
        except ValueError:
            continue
    return name, word


def _with_sets(model: Any, how: Reading) -> Any:
    """Return the model with the sets that the command line names."""
    from floatframe import fem

    for option, words in (("--node-set", how.node_sets), ("--element-set", how.element_sets)):
        for word in words or []:
            name, _, given = word.partition("=")
            if not isinstance(model, fem.FEModel):
                raise typer.BadParameter(f"{option}: only models with elements have sets that can be named")
            try:
                numbers = [int(one) for one in given.split(",")]
            except ValueError:
                raise typer.BadParameter(f"{option}: '{word}' must be a name and numbers, e.g. feet=12,13") from None
            with asked(option):
                kind = model.with_node_set if option == "--node-set" else model.with_element_set
                model = kind(name, numbers)
    return model


def _coupled_model(model: Any, how: Reading) -> Any:
    """Return the model with reference nodes for the sets to be coupled."""
    from floatframe import fem

    for name, (kind, nodes) in coupled(how.couple).items():
        if not isinstance(model, fem.FEModel):
            raise typer.BadParameter("--couple: only models with elements can be coupled")
        with asked("--couple"):
            model = model.with_node_set(name, nodes) if nodes else model
            model = fem.with_reference_node(model, name, kind)
    return model


def read_model(file: Path, how: Reading) -> FEModel | MatrixModel:
    """Return the finite element model of a file."""
    from floatframe import fem, hybrid, io

    if hybrid.is_model_file(file):
        raise typer.BadParameter(
            f"'{file}' is a model file, expected a finite element model; `floatframe linear` finds modes of machines"
        )
    model = read_file(file, how).model
    if not isinstance(model, fem.FEModel | fem.MatrixModel):
        raise typer.BadParameter(f"'{file}' holds {io.in_words(model)}, expected a finite element model")
    return model


def coupled(couple: list[str] | None) -> dict[str, tuple[Any, list[int]]]:
    """Return by the names of sets the kind of their coupling, and the nodes of those that are made here.

    "HUB=rbe2", "HUB:rbe3", "HUB=rbe3:12,13"; rbe2 where none is given.
    """
    found: dict[str, tuple[Any, list[int]]] = {}
    for word in couple or []:
        name, kind, nodes = (*re.split("[=:]", word, maxsplit=2), "", "")[:3]
        try:
            found[name] = kind.lower() or "rbe2", [int(node) for node in nodes.split(",") if node]
        except ValueError:
            raise typer.BadParameter(f"--couple: '{nodes}' must be numbers of nodes, e.g. HUB=rbe3:12,13") from None
    return found


def at_reference_nodes(items: list[Any], couple: list[str] | None) -> list[Any]:
    """Return picks in which a coupled set is replaced by its reference node."""
    names = coupled(couple)

    def renamed(place: Any) -> Any:
        return f"{place}_ref" if place in names else place

    return [(renamed(item[0]), item[1]) if isinstance(item, tuple) else renamed(item) for item in items]


def kind_of_mass(fe: Any, asked: MassChoice | None) -> str:
    """Say which mass matrix is used: the requested one, or that of the model's rule."""
    return str(fe.mass_rule if asked is None else asked.value)
