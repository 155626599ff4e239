"""What the reader says against a file."""

from __future__ import annotations

from pathlib import Path

import floatframe as ff
from floatframe.errors import ReadError


def complaint(path: Path, **options) -> str:
    """What the reader says against a file, nothing if it gives a model."""
    try:
        ff.io.read(path, **options)
    except ReadError as error:
        return str(error)
    return ""
