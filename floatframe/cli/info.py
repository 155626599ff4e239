"""`floatframe info FILE`: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    Json,
    ReadingSupports,
    Verbose,
    compiled,
    console,
    progress,
    read_file,
    read_model_file,
    show_json,
    table,
    with_suffix,
)
from floatframe.cli.networks import network_description
from floatframe.errors import ReadError

if TYPE_CHECKING:
    from rich.console import Console

_MOST_ROWS = 1000  # of a table

EXAMPLES = """
floatframe info beam.h5
floatframe info model.cdb --units mm-t-s --strict
floatframe info input.fum --save mode.png --mode 3
floatframe info mesh.msh --template
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A model, a model file or an input.fum.")],
    as_json: Json = False,
    save: Annotated[
        Path | None, typer.Option(callback=with_suffix(".png"), help="Picture of the model, or of a mode of a body.")
    ] = None,
    mode: Annotated[int, typer.Option(min=1, help="The mode of a body to draw.")] = 1,
    how: ReadingSupports,
    template: Annotated[
        bool, typer.Option("--template", help="Write NAME.props.toml for the groups of a mesh, to be filled in.")
    ] = False,
    mechanisms: Annotated[
        bool,
        typer.Option("--mechanisms", help="Search for mechanisms (motions without stiffness) in large models too."),
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Print what is in a file: counts, properties, modes, and what the model check finds.

    The exit code is 1, after the full output, if a stiffness, mass, support or coupling cannot be read and no --drop
    leaves it out: modes, reduce and the other commands refuse such a file.
    """
    from floatframe import fem, hybrid, io
    from floatframe.network import is_network_file

    if is_network_file(file):
        _print_description(network_description(file), as_json)
        return
    if hybrid.is_model_file(file):
        _show_hybrid_model(file, as_json)
        return
    if template:
        _tell_written(io.write_template(file), as_json)
        return
    with progress(f"reading {file.name}"):
        imported = read_file(file, how, warn=False, refuse=False)
        thing = imported.model
        asked = {"mechanisms": True} if mechanisms and isinstance(thing, fem.FEModel) else {}
        description = io.describe(thing, **asked)
    accounted = imported.report.read or imported.report.warnings
    if accounted:
        description["import"] = imported.report.describe()
    if save is not None:
        from floatframe import modal, viewer

        if isinstance(thing, modal.ReducedBody):
            viewer.body_picture(thing, save, mode)
        elif isinstance(thing, fem.FEModel):
            viewer.picture(thing, save, title=thing.name)
        else:
            raise typer.BadParameter(f"--save: a {type(thing).__name__} has no picture")
    if as_json:
        show_json("floatframe-info/1", description)
    else:
        description.pop("import", None)
        show(description)
        if accounted:
            console().print(f"\n{imported.report}", markup=False)
    if imported.report.refusal:  # the whole account is shown, but the file cannot be used as it is
        raise ReadError(f"'{file}': {imported.report.refusal}")


def _tell_written(path: Path, as_json: bool) -> None:
    if as_json:
        show_json("floatframe-info/1", {"written": str(path)})
    else:
        console().print(f"written: {path}", markup=False)


def _show_hybrid_model(file: Path, as_json: bool) -> None:
    from floatframe.hybrid import checked_settings, describe_model_file

    model = read_model_file(file, None)
    with model.placed():
        checked_settings(model.simulate)
    _print_description(describe_model_file(model, compiled(model)), as_json)


def _print_description(description: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json("floatframe-info/1", description)
    else:
        show(description)


def show(description: dict[str, Any]) -> None:
    """Print numbers, words and vectors first, then one block per mapping, matrix or table."""
    from floatframe.viewer import for_people, says_nothing

    out = console()
    # what is empty says nothing, except that no problem was found
    kept = {key: value for key, value in description.items() if not says_nothing(value) or key == "problems"}
    description = for_people(kept)
    lines = {key: value for key, value in description.items() if not _is_block(value)}
    _show_lines(out, lines)
    for key, value in description.items():
        if not _is_block(value):
            continue
        out.print()
        if isinstance(value, list) and isinstance(value[0], dict):
            # a column of nothing says nothing
            shown = value[:_MOST_ROWS]
            headings = dict.fromkeys(name for row in shown for name, cell in row.items() if not says_nothing(cell))
            out.print(table(key, {name: [_word(record.get(name)) for record in shown] for name in headings}))
            if len(shown) < len(value):
                out.print(f"… {len(value) - len(shown)} more: --json shows all", markup=False)
        else:
            out.print(key, markup=False)
            rows = value if isinstance(value, dict) else {f"  {_word(row)}": "" for row in value}
            _show_lines(out, rows, indent="  " if isinstance(value, dict) else "")


def _is_block(value: Any) -> bool:
    return isinstance(value, dict | list) and bool(value) and not _is_vector(value)


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, int | float) for part in value)


def _show_lines(out: Console, lines: dict[str, Any], indent: str = "") -> None:
    width = max(map(len, lines), default=0)
    for key, value in lines.items():
        out.print(f"{indent}{key:<{width}}  {_word(value)}".rstrip(), markup=False, soft_wrap=True)


def _word(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_word(part)}" for name, part in value.items()) or "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        if not value:
            return "none"
        # words may hold blanks themselves
        return ("; " if any(isinstance(part, str) for part in value) else "  ").join(map(_word, value))
    return str(value)
