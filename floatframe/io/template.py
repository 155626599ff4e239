"""Side-cars to fill in: NAME.props.toml for the groups of a mesh or the materials of a deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from floatframe.errors import ReadError
from floatframe.io.atomic import complete_file
from floatframe.io.deck import Asked, AskedWalls, GivenSections, beside, deck_template, mesh_template
from floatframe.io.format import PathLike
from floatframe.io.import_log import ImportLog
from floatframe.io.meshes import read_mesh
from floatframe.io.registry import format_of


def write_template(path: PathLike) -> Path:
    """Write the side-car of a mesh or deck and return its path; an existing file is left alone."""
    path = Path(path)
    target = beside(path)
    if target.exists():
        raise ReadError(f"'{target}' exists already; remove it to get a new template.")
    format = format_of(path)
    if "props" in format.options:
        text = mesh_template(read_mesh(path), path.name)
    elif "materials" in format.options and format.load is not None:
        asked, walls = Asked(), AskedWalls()
        tables = GivenSections(asked={})
        more: dict[str, Any] = {"sections": walls} if "sections" in format.options else {}
        if "section_tables" in format.options:
            more["section_tables"] = tables
        format.load(path, ImportLog(path, format.name), materials=asked, **more)
        text = deck_template(asked.names, path.name, walls.names, tables.asked)
    else:
        raise ReadError(f"'{path}': {format.name} does not accept properties from a file beside it.")
    with complete_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return target
