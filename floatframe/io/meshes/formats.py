"""The formats of this room."""

from __future__ import annotations

from floatframe.io.format import Format
from floatframe.io.meshes.bridge import FORMAT

FORMATS: tuple[Format, ...] = (FORMAT,)
