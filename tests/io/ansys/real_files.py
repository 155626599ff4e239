"""Files that ANSYS itself has written."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

REAL = Path(__file__).parents[4] / "shared" / "realfiles"
READER = importlib.util.find_spec("ansys") and importlib.util.find_spec("ansys.mapdl.reader")
SAME = 1e-6  # frequencies of the same elements; 1e-12 measured


def real(name: str) -> Path:
    """Path of a file from the collection beside the repository, or from the wheel of ansys-mapdl-reader."""
    path = REAL / name
    if not path.is_file() and READER and READER.origin:
        path = Path(READER.origin).parent / "examples" / Path(name).name
    if not path.is_file():
        pytest.skip(f"{name} is neither in the collection of real files nor in an installed package")
    return path
