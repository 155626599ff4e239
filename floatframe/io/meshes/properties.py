"""From a bare mesh and the properties of its groups to a finite element model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import ElementBlock, FEModel, Material, Section
from floatframe.io.deck import Cells, Mesh, Props, beam_section
from floatframe.io.import_log import ImportLog

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
    "pyramid13": ("pyramid13", 13),
    "pyramid14": ("pyramid13", 13),
}
_SURFACES = {
    "triangle": ("shell3", 3),
    "triangle6": ("shell6", 6),
    "triangle7": ("shell6", 6),  # the node in the middle is left out
    "quad": ("shell4", 4),
    "quad8": ("shell8", 8),
    "quad9": ("shell8", 8),
}
_LINES = {"line": ((0, 1),), "line3": ((0, 2), (2, 1))}


def build(mesh: Mesh, props: Props, log: ImportLog, name: str) -> FEModel:
    """Return the model of a mesh whose groups have these properties, in the units of the two files."""
    try:
        blocks, element_sets = _blocks(mesh, props, props.materials(), log)
        sets = {key: rows + 1 for key, rows in mesh.point_sets.items()}
        for cells in mesh.cells:
            for group, rows in cells.groups.items():
                # nodes that elements leave out would hang loose in couplings
                _, count = _SOLIDS.get(cells.shape) or _SURFACES.get(cells.shape) or ("", None)
                nodes = np.unique(cells.nodes[rows, :count]) + 1
                sets[group] = np.union1d(sets.get(group, np.empty(0, np.int64)), nodes)
        return FEModel(mesh.points, tuple(blocks), node_sets=sets, element_sets=element_sets, name=name)
    except (ModelError, TypeError, ValueError, KeyError) as error:
        raise props.wrong(error) from error


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
            reason = 'no group with properties holds these cells; [group."*"] gives them to all that are left'
            log.lose(cells.shape, "stiffness", reason, count=int(left.sum()))
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
    layered = cells.shape in _SURFACES and "layers" in values
    if wanted not in materials and not (layered and wanted is None):
        raise props.error(f"{where}: material '{wanted}' is unknown; materials here: {', '.join(materials) or 'none'}.")
    material = None if layered else materials[wanted]
    nodes = cells.nodes[rows]
    if cells.shape in _SOLIDS:
        kind, count = _SOLIDS[cells.shape]
        _no_more(values, where, props)
        return [ElementBlock(kind, nodes[:, :count], material, name=group)]
    section: Section
    if cells.shape in _SURFACES:
        direction = values.pop("direction", None)
        names = ("layers", "offset", "extra_mass") if layered else ("thickness", "offset")
        section = props.wall({name: values.pop(name) for name in names if name in values}, group, materials)
        _no_more(values, where, props)
        kind, count = _SURFACES[cells.shape]
        return [ElementBlock(kind, nodes[:, :count], material, section, _along(direction, len(nodes)), name=group)]
    if cells.shape not in _LINES:
        raise props.error(f"{where}: cells of shape '{cells.shape}' cannot be elements here.")
    lines = np.concatenate([nodes[:, list(part)] for part in _LINES[cells.shape]])
    section = beam_section(values.pop("beam"), group, props.error)
    if values.pop("truss", False):
        _no_more(values, where, props)
        return [ElementBlock("truss", lines, material, section, name=group)]
    data = {}
    if "orientation" in values:
        data["orientation"] = np.tile(np.array(values.pop("orientation"), dtype=float), (len(lines), 1))
    _no_more(values, where, props)
    return [ElementBlock("beam", lines, material, section, data, name=group)]


def _along(direction: Any, count: int) -> dict[str, Array]:
    """Return the material direction of walls as element data."""
    return {} if direction is None else {"direction": np.tile(np.array(direction, dtype=float), (count, 1))}


def _no_more(values: dict[str, Any], where: str, props: Props) -> None:
    if values:
        raise props.error(f"{where}: '{next(iter(values))}' is unknown for its cells.")
