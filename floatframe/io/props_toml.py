"""NAME.props.toml: materials, sections, supports, masses and couplings for the groups of a bare mesh.

format = "floatframe-props/1"
units = "SI"                                  # of the mesh and of the numbers here

[material.steel]
E = 2.1e11
nu = 0.3
rho = 7850.0

[group.PLATE]
material = "steel"
thickness = 0.01                              # surfaces: shells; also offset

[group.RIB]
material = "steel"
beam = { shape = "rectangle", width = 0.02, height = 0.05 }
orientation = [0.0, 0.0, 1.0]                 # lines: beams, local z; truss = true makes bars

[group.BLOCK]
material = "steel"                            # volumes: solids

[[support]]
set = "CLAMP"
components = "all"                            # or "u", "ux,uz" …

[[mass]]
set = "TIP"                                   # every node of it
mass = 10.0
inertia = [0.1, 0.1, 0.2]

[[coupling]]
set = "HUB"                                   # gets the reference node HUB_ref
kind = "rbe2"                                 # or "rbe3"
at = [0.0, 0.0, 0.0]                          # its centroid without this
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ModelError, ReadError
from floatframe.fem import BeamSection, ElementBlock, FEModel, Material, ShellSection, with_reference_node
from floatframe.fem.sections import Section
from floatframe.io.element_splits import QUAD8, QUAD9, TRIANGLE6, Split
from floatframe.io.import_log import ImportLog
from floatframe.io.mesh_data import Cells, Mesh
from floatframe.io.units import to_si

SUFFIX = ".props.toml"
VERSION = "floatframe-props/1"

_SOLIDS = {
    "tetra": ("tet4", 4),
    "tetra10": ("tet10", 10),
    "hexahedron": ("hex8", 8),
    "hexahedron20": ("hex20", 20),
    "hexahedron27": ("hex20", 20),  # the nodes inside and on the faces are left out
    "wedge": ("wedge6", 6),
    "wedge15": ("wedge15", 15),
    "wedge18": ("wedge15", 15),
    "pyramid": ("pyramid5", 5),
}
_SURFACES: dict[str, Split] = {
    "triangle": ((0, 1, 2),),
    "triangle6": TRIANGLE6,
    "triangle7": TRIANGLE6,
    "quad": ((0, 1, 2, 3),),
    "quad8": QUAD8,
    "quad9": QUAD9,
}
_LINES: dict[str, Split] = {"line": ((0, 1),), "line3": ((0, 2), (2, 1))}
_SHAPES = ("rectangle", "circle", "tube", "box", "i_section", "channel", "angle")
_DIMENSIONS = {1: "line", 2: "surface", 3: "volume"}


@dataclass(frozen=True)
class Props:
    """The content of a side-car file."""

    path: Path
    units: str = "SI"
    material: dict[str, Any] = field(default_factory=dict)
    group: dict[str, Any] = field(default_factory=dict)
    support: list[Any] = field(default_factory=list)
    mass: list[Any] = field(default_factory=list)
    coupling: list[Any] = field(default_factory=list)

    def error(self, text: str) -> ReadError:
        return ReadError(f"'{self.path}': {text}")


def read_props(path: Path) -> Props:
    """Return the content of a side-car file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"'{path}' is no TOML file: {error}.") from error
    found = content.pop("format", None)
    if found != VERSION:
        raise ReadError(f"'{path}': format is {found!r}, expected '{VERSION}'.")
    for key, kind in (
        ("units", str),
        ("material", dict),
        ("group", dict),
        ("support", list),
        ("mass", list),
        ("coupling", list),
    ):
        if key in content and not isinstance(content[key], kind):
            raise ReadError(
                f"'{path}': '{key}' must be a {'table' if kind is dict else 'list' if kind is list else 'word'}."
            )
    unknown = sorted(set(content) - {"units", "material", "group", "support", "mass", "coupling"})
    if unknown:
        raise ReadError(f"'{path}': '{unknown[0]}' is unknown; use units, material, group, support, mass, coupling.")
    return Props(path, **content)


def template_text(mesh: Mesh, name: str) -> str:
    """Return a side-car file for the groups of a mesh, to be filled in."""
    groups = mesh.groups or dict.fromkeys(("*",), max((cells.dimension for cells in mesh.cells), default=3))
    lines = [
        f"# properties for {name}; groups without a [group] table serve as node sets only",
        f'format = "{VERSION}"',
        'units = "SI"  # of the mesh and of the numbers here',
        "",
        "[material.steel]",
        "E = 2.1e11",
        "nu = 0.3",
        "rho = 7850.0",
    ]
    for group, dimension in groups.items():
        lines += ["", f"[group.{_quoted(group)}]  # {_DIMENSIONS.get(dimension, 'point')}s", 'material = "steel"']
        if dimension == 2:
            lines.append("thickness = 0.01")
        if dimension == 1:
            lines += ['beam = { shape = "rectangle", width = 0.02, height = 0.02 }', "orientation = [0.0, 0.0, 1.0]"]
    lines += ["", "# [[support]]", '# set = "NAME"', '# components = "all"']
    if mesh.point_sets:
        lines += ["", f"# node sets in the mesh: {', '.join(mesh.point_sets)}"]
    return "\n".join(lines) + "\n"


def build(mesh: Mesh, props: Props, log: ImportLog, name: str) -> FEModel:
    """Return the model of a mesh with these properties, in SI units."""
    try:
        materials = {
            key: Material(**_numbers(values, props, f"material.{key}"), name=key)
            for key, values in props.material.items()
        }
        blocks, element_sets = _blocks(mesh, props, materials, log)
        sets = {key: rows + 1 for key, rows in mesh.point_sets.items()}
        for cells in mesh.cells:
            for group, rows in cells.groups.items():
                nodes = np.unique(cells.nodes[rows]) + 1
                sets[group] = np.union1d(sets.get(group, np.empty(0, np.int64)), nodes)
        fe = FEModel(mesh.points, tuple(blocks), node_sets=sets, element_sets=element_sets, name=name)
        fe = _with_extras(fe, props)
        return to_si(fe, props.units)
    except (ModelError, TypeError, ValueError, KeyError) as error:
        text = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise props.error(f"{text}.") from error


def _blocks(
    mesh: Mesh, props: Props, materials: dict[str, Material], log: ImportLog
) -> tuple[list[ElementBlock], dict[str, IntArray]]:
    top = max((cells.dimension for cells in mesh.cells), default=0)
    unknown = sorted(set(props.group) - set(mesh.groups) - {"*"})
    if unknown:
        raise props.error(f"group '{unknown[0]}' is not in the mesh; groups there: {', '.join(mesh.groups) or 'none'}.")
    blocks: list[ElementBlock] = []
    sets: dict[str, list[IntArray]] = {}
    first = 1
    for cells in mesh.cells:
        left = np.ones(len(cells.nodes), dtype=bool)
        chosen = [(group, rows) for group, rows in cells.groups.items() if group in props.group]
        for group, rows in chosen:
            if not left[rows].all():
                raise props.error(f"a {cells.shape} of group '{group}' has properties from two groups.")
            left[rows] = False
        if "*" in props.group and cells.dimension == top and left.any():
            chosen.append(("*", np.flatnonzero(left)))
            left[:] = False
        for group, rows in chosen:
            for block in _group_blocks(cells, rows, group, props, materials):
                ids = np.arange(first, first + len(block))
                first += ids.size
                blocks.append(replace(block, element_ids=ids))
                sets.setdefault(group, []).append(ids)
            log.took(f"{cells.shape} of group {group}", rows.size)
        if left.any() and cells.dimension == top:
            log.skip(cells.shape, "no group with properties holds these cells", count=int(left.sum()))
        elif left.any() and cells.dimension > 0:
            log.skip(cells.shape, "cells without properties mark sets only", physical=False, count=int(left.sum()))
    if not blocks:
        raise props.error("no [group] table gives properties to any cell of the mesh.")
    return blocks, {group: np.concatenate(parts) for group, parts in sets.items() if group != "*"}


def _group_blocks(
    cells: Cells, rows: IntArray, group: str, props: Props, materials: dict[str, Material]
) -> list[ElementBlock]:
    values = dict(props.group[group])
    where = f"group '{group}'"
    wanted = values.pop("material", None)
    if wanted not in materials:
        raise props.error(f"{where}: material '{wanted}' is unknown; materials here: {', '.join(materials) or 'none'}.")
    material = materials[wanted]
    nodes = cells.nodes[rows]
    if cells.shape in _SOLIDS:
        kind, count = _SOLIDS[cells.shape]
        _no_more(values, where, props)
        return [ElementBlock(kind, nodes[:, :count], material, name=group)]
    section: Section
    if cells.shape in _SURFACES:
        section = ShellSection(values.pop("thickness"), values.pop("offset", 0.0), name=group)
        _no_more(values, where, props)
        parts = _SURFACES[cells.shape]
        return [
            ElementBlock(
                f"shell{corners}",
                np.concatenate([nodes[:, list(part)] for part in parts if len(part) == corners]),
                material,
                section,
                name=group,
            )
            for corners in dict.fromkeys(len(part) for part in parts)
        ]
    if cells.shape not in _LINES:
        raise props.error(f"{where}: cells of shape '{cells.shape}' cannot be elements here.")
    lines = np.concatenate([nodes[:, list(part)] for part in _LINES[cells.shape]])
    section = _beam_section(values.pop("beam"), group, props)
    if values.pop("truss", False):
        _no_more(values, where, props)
        return [ElementBlock("truss", lines, material, section, name=group)]
    data = {}
    if "orientation" in values:
        data["orientation"] = np.tile(np.array(values.pop("orientation"), dtype=float), (len(lines), 1))
    _no_more(values, where, props)
    return [ElementBlock("beam", lines, material, section, data, name=group)]


def _beam_section(values: Any, group: str, props: Props) -> BeamSection:
    """Return a standard profile (shape = …) or the constants themselves (A, Iy, Iz, J, …)."""
    values = dict(values)
    shape = values.pop("shape", None)
    if shape is None:
        return BeamSection(**values, name=group)
    if shape not in _SHAPES:
        raise props.error(f"group '{group}': shape '{shape}' is unknown; use one of {', '.join(_SHAPES)}.")
    section: BeamSection = getattr(BeamSection, shape)(**values, name=group)
    return section


def _with_extras(fe: FEModel, props: Props) -> FEModel:
    for entry in props.support:
        fe = fe.with_support([(entry["set"], entry.get("components", "all"))])
    for entry in props.mass:
        for node in fe.pick_nodes(entry["set"]).tolist():
            more = {key: entry[key] for key in ("inertia", "offset") if key in entry}
            fe = fe.with_point_mass(node, entry["mass"], **more)
    for entry in props.coupling:
        fe = with_reference_node(fe, entry["set"], entry.get("kind", "rbe2"), entry.get("at", "centroid"))
    return fe


def _no_more(values: dict[str, Any], where: str, props: Props) -> None:
    if values:
        raise props.error(f"{where}: '{next(iter(values))}' is unknown for its cells.")


def _numbers(values: Any, props: Props, where: str) -> dict[str, float]:
    if not isinstance(values, dict) or not all(isinstance(v, int | float) for v in values.values()):
        raise props.error(f"[{where}] must give E, nu and rho as numbers.")
    return values


def _quoted(name: str) -> str:
    return (
        name
        if name.replace("_", "").replace("-", "").isalnum() and name.isascii()
        else '"' + name.replace('"', "'") + '"'
    )
