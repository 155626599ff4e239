"""The formats of this room."""

from __future__ import annotations

from floatframe.io.abaqus.reader import FORMAT
from floatframe.io.format import Format

FORMATS: tuple[Format, ...] = (FORMAT,)
