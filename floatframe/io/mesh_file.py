"""Mesh files, our own text form of finite element models, among the formats that are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError
from floatframe.fem import FEModel, Material, is_mesh_file, read_mesh
from floatframe.io.deck import Props
from floatframe.io.format import Format, in_words
from floatframe.io.units import unit_system

MADE_OF = ("material", "thickness")  # what a mesh file may give a mesh that has none


def mesh_file_format(read: Callable[..., Any]) -> Format:
    """Return the format; `read` reads the parts that stand in other files."""

    def part(path: Path, options: Mapping[str, Any]) -> FEModel:
        made_of = {key: options[key] for key in MADE_OF if key in options}
        more = {key: value for key, value in options.items() if key not in MADE_OF}
        if made_of:
            more["props"] = _of_all_cells(path, options.get("units", "SI"), **made_of)
        found = read(path, **more)
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


def _of_all_cells(path: Path, units: str, material: Material | None = None, thickness: float | None = None) -> Props:
    """Return the properties of a mesh of one material and thickness [m], in the units of the mesh."""
    if material is None:
        raise ModelError(f"'{path.name}' has a thickness and no material; give both")
    system = unit_system(units)
    values = {"E": material.E / system.stress, "nu": material.nu, "rho": material.rho / system.density}
    wall = {} if thickness is None else {"thickness": thickness / system.length}
    group = {"*": {"material": material.name, **wall}}
    return Props(path, material={material.name: values}, group=group)
