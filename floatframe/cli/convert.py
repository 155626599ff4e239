"""`floatframe convert IN OUT`: the same content in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from floatframe.cli.common import (
    NETWORK_SUFFIXES,
    Json,
    Reading,
    ReadingSupports,
    Verbose,
    complain,
    console,
    convertible,
    progress,
    read_file,
    require_plain_reading,
    show_json,
    write,
)
from floatframe.cli.networks import read_network_file

if TYPE_CHECKING:
    from floatframe.network import Network

EXAMPLES = """
floatframe convert input.fum body.h5
floatframe convert model.cdb model.inp --units mm-t-s
floatframe convert network.pradis network.toml
"""


def run_command(
    *,
    file: Annotated[Path, typer.Argument(metavar="IN", exists=True, dir_okay=False, help="The file to read.")],
    output: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            callback=convertible,
            help="The file to write; its suffix selects the format.",
        ),
    ],
    as_json: Json = False,
    how: ReadingSupports,
    verbose: Verbose = False,
) -> None:
    """Write what a file holds in another format; reports what the new one cannot store."""
    from floatframe.network import is_network_file

    thing: Any
    if is_network_file(file) or output.suffix.lower() in NETWORK_SUFFIXES:
        thing = _network(file, output, how)
        _tell(output, thing, as_json)
        return
    with progress(f"reading {file.name}"):
        thing = read_file(file, how).model
    with progress(f"writing {output.name}"):
        write(output, thing)
    _tell(output, thing, as_json)


def _network(file: Path, output: Path, how: Reading) -> Network:
    """A network between its text forms."""
    from floatframe.network import is_network_file, write_network

    if not is_network_file(file) or output.suffix.lower() not in NETWORK_SUFFIXES:
        raise typer.BadParameter(
            f"networks are written as {' or '.join(NETWORK_SUFFIXES)}, and only they are; found '{file}' and '{output}'"
        )
    require_plain_reading(file, how)
    source = read_network_file(file, None)
    write_network(output, source.network)
    lost = [f"[{name}]" for name, table in (("record", source.kept), ("simulate", source.simulate)) if table]
    if lost:
        complain(f"'{output}' has no {' and '.join(lost)} of '{file}'; add what you need")
    return source.network


def _tell(output: Path, thing: Any, as_json: bool) -> None:
    if as_json:
        content = {"written": str(output), "kind": type(thing).__name__, "name": getattr(thing, "name", None)}
        show_json("floatframe-convert/1", content)
        return
    console().print(f"{output}: {type(thing).__name__} '{getattr(thing, 'name', '')}'", markup=False)
