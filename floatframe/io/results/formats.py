"""The formats of this room."""

from __future__ import annotations

from floatframe.io.format import Format
from floatframe.io.results import file, sweep_file

FORMATS: tuple[Format, ...] = (file.FORMAT, sweep_file.FORMAT)
