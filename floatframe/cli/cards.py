"""`floatframe cards PROGRAM`: what becomes of the cards, commands and elements of other programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from floatframe.cli.common import Json, Verbose, asked, console, show_json, table

EXAMPLES = """
floatframe cards nastran
floatframe cards ansys --find SHELL
floatframe cards abaqus --json
"""


def run_command(
    program: Annotated[str, typer.Argument(help="ansys, abaqus, nastran or meshes.")],
    find: Annotated[str, typer.Option(metavar="TEXT", help="List only names that contain this text.")] = "",
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """List every card, keyword, command and element of a program: read, left out, lost or refused, and why.

    What is lost is an error unless --drop names it.
    """
    from floatframe import io

    with asked("PROGRAM"):
        entries = [entry for entry in io.card_table(program.lower()) if _plain(find) in _plain(entry.name)]
    if as_json:
        rows = [{**asdict(entry), "status": entry.status.replace(" ", "_")} for entry in entries]
        show_json("floatframe-cards/1", {"cards": rows})
        return
    if not entries:
        console().print(f"{program.lower()}: no name contains '{find}'", markup=False)
        return
    columns = {name: [getattr(entry, name) for entry in entries] for name in ("kind", "name", "status", "note")}
    console().print(table(f"{program.lower()}: {len(entries)} names", columns))


def _plain(name: str) -> str:
    """Return a name without case and blanks, which count in no program."""
    return "".join(name.upper().split())
