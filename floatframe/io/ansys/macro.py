"""The APDL macro umexport.mac, which prepares the files of a flexible body inside ANSYS."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from floatframe.io.atomic import complete_file
from floatframe.io.format import PathLike

NAME = "umexport.mac"


def write_umexport(place: PathLike = ".") -> Path:
    """Write umexport.mac into a folder, or under the given name, and return its path."""
    path = Path(place)
    path = path / NAME if path.is_dir() else path
    text = files("floatframe.io").joinpath("data", NAME).read_text(encoding="ascii")
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="ascii", newline="\n")
    return path
