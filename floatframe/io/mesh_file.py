"""Mesh files, our own text form of finite element models, among the formats that are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError
from floatframe.fem import FEModel, is_mesh_file, read_mesh
from floatframe.io.format import Format, in_words


def mesh_file_format(read: Callable[..., Any]) -> Format:
    """Return the format; `read` reads the parts that stand in other files."""

    def part(path: Path, options: Mapping[str, Any]) -> FEModel:
        found = read(path, **options)
        if not isinstance(found, FEModel):
            raise ModelError(f"'{path}' holds {in_words(found)}, expected a finite element model with elements")
        return found

    return Format(
        "floatframe-mesh",
        (".toml",),
        FEModel,
        read=lambda path, parameters=None: read_mesh(path, parameters, part),
        recognises=is_mesh_file,
        options=("parameters",),
    )
