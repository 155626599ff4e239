"""The APDL macro that prepares ANSYS files for a flexible body; `python -m floatframe.io.umexport` writes it."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from floatframe.errors import FloatframeError, WriteError
from floatframe.io.registry import PathLike

NAME = "umexport.mac"


def write_umexport(place: PathLike = ".") -> Path:
    """Write umexport.mac into a folder, or under the given name, and return its path."""
    path = Path(place)
    path = path / NAME if path.is_dir() else path
    text = files("floatframe.io").joinpath("data", NAME).read_text(encoding="ascii")
    try:
        # ANSYS on Windows reads both kinds of line ends
        path.write_text(text, encoding="ascii", newline="\n")
    except OSError as error:
        raise WriteError(f"'{path}' cannot be written: {error.strerror or error}.") from error
    return path


def main() -> int:
    """Write the macro where the command line says."""
    try:
        sys.stdout.write(f"{write_umexport(sys.argv[1] if len(sys.argv) > 1 else '.')}\n")
    except FloatframeError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
