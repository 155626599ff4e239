"""MED files of Salome and code_aster: nodes, cells and the groups that their families make.

A MED file is HDF5: ENS_MAA/<mesh>/<step>/NOE/COO has the places, …/MAI/<type>/NOD the nodes of cells, both with the
components one after the other; FAM gives each node and cell a family, and FAS/<mesh> the groups of every family.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.deck import Cells, Mesh
from floatframe.io.import_log import ImportLog
from floatframe.io.meshes.cell_orientation import with_usual_sense
from floatframe.io.native import require_own

# name of a type of cells in the file, our name, number of nodes; edges follow the corners as in VTK
TYPES = {
    "PO1": ("vertex", 1),
    "SE2": ("line", 2),
    "SE3": ("line3", 3),
    "TR3": ("triangle", 3),
    "TR6": ("triangle6", 6),
    "TR7": ("triangle7", 7),
    "QU4": ("quad", 4),
    "QU8": ("quad8", 8),
    "QU9": ("quad9", 9),
    "TE4": ("tetra", 4),
    "T10": ("tetra10", 10),
    "PY5": ("pyramid", 5),
    "P13": ("pyramid13", 13),
    "PE6": ("wedge", 6),
    "P15": ("wedge15", 15),
    "P18": ("wedge18", 18),
    "HE8": ("hexahedron", 8),
    "H20": ("hexahedron20", 20),
    "H27": ("hexahedron27", 27),
}


def read_med(path: Path, log: ImportLog | None = None) -> Mesh:
    """Return the mesh of a MED file; of several the one with most nodes."""
    try:
        with h5py.File(path, "r") as file:
            require_own(file)
            return with_usual_sense(_mesh(file, log or ImportLog(path, "MED")))
    except (OSError, KeyError, ValueError, TypeError, IndexError, AttributeError, RuntimeError, OverflowError) as error:
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise ReadError(
            f"'{path}' cannot be read as med mesh: {reason}. Is it damaged or of another program?"
        ) from error


def _mesh(file: h5py.File, log: ImportLog) -> Mesh:
    if "ENS_MAA" not in file or not len(file["ENS_MAA"]):
        raise ValueError("it holds no mesh (ENS_MAA)")
    found = {name: (space, group) for name, space, group in _steps(file["ENS_MAA"])}
    if not found:
        raise ValueError("its meshes have no nodes (NOE)")
    name = max(found, key=lambda key: found[key][1]["NOE/COO"].size)
    if len(found) > 1:
        log.warn(f"of the meshes {', '.join(found)} the largest, {name}, is read.")
    dimension, mesh = found[name]
    points = _columns(mesh["NOE/COO"], dimension)
    points = np.hstack([points, np.zeros((len(points), 3 - dimension))])
    of_nodes, of_cells = _families(file, mesh, name)
    cells = tuple(_cells(mesh["MAI"], len(points), of_cells, log)) if "MAI" in mesh else ()
    if not cells:
        raise ValueError("it has no cells that can be read")
    sets = _members(mesh["NOE"].get("FAM"), len(points), of_nodes)
    return Mesh(points, cells, sets)


def _steps(meshes: h5py.Group) -> Iterator[tuple[str, int, h5py.Group]]:
    """Yield name, dimension of space and first step of each mesh with nodes; old files have no steps."""
    for name, group in meshes.items():
        dimension = int(group.attrs.get("ESP", group.attrs.get("DIM", 3)))
        if not 1 <= dimension <= 3:
            raise ValueError(f"mesh '{name}' has {dimension} dimensions")
        if "NOE" in group:
            yield name, dimension, group
            continue
        for step in group.values():
            if isinstance(step, h5py.Group) and "NOE" in step and "COO" in step["NOE"]:
                yield name, dimension, step
                break


def _columns(data: Any, count: int) -> Array:
    """Return values (n, count) kept one component after the other."""
    values = np.asarray(data[()]).ravel()
    if values.size % count:
        raise ValueError(f"{values.size} numbers do not make rows of {count}")
    return values.reshape(count, -1).T


def _cells(types: h5py.Group, nnode: int, families: dict[int, list[str]], log: ImportLog) -> Iterator[Cells]:
    for name, group in types.items():
        if name not in TYPES or "NOD" not in group:
            count = int(group["NOD"].attrs.get("NBR", 1)) if "NOD" in group else 1
            log.lose(name, "stiffness", "cells of this type cannot be read", count=max(count, 1))
            continue
        shape, width = TYPES[name]
        nodes = _columns(group["NOD"], width).astype(np.int64) - 1
        if nodes.size and (nodes.min() < 0 or nodes.max() >= nnode):
            raise ValueError(f"a cell of type {name} names a node that does not exist")
        yield Cells(shape, np.ascontiguousarray(nodes), _members(group.get("FAM"), len(nodes), families))


def _members(numbers: Any, count: int, families: dict[int, list[str]]) -> dict[str, IntArray]:
    """Return the rows of each group: those whose family belongs to it."""
    if numbers is None:
        return {}
    family = np.asarray(numbers[()]).ravel()
    if family.size != count:
        raise ValueError(f"{family.size} numbers of families belong to {count} items")
    found: dict[str, list[IntArray]] = {}
    for number in np.unique(family).tolist():
        for group in families.get(number, ()):
            found.setdefault(group, []).append(np.flatnonzero(family == number))
    return {group: np.sort(np.concatenate(rows)) for group, rows in found.items()}


def _families(file: h5py.File, mesh: h5py.Group, name: str) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Return the groups of the families of nodes and of cells; old files keep both together in the mesh."""
    if "FAS" in mesh:
        folder = mesh["FAS"]
    elif "FAS" in file and name in file["FAS"]:
        folder = file["FAS"][name]
    else:
        return {}, {}
    if "NOEUD" in folder or "ELEME" in folder:
        of_nodes = _groups(folder["NOEUD"]) if "NOEUD" in folder else {}
        return of_nodes, _groups(folder["ELEME"]) if "ELEME" in folder else {}
    both = _groups(folder)
    return both, both


def _groups(families: h5py.Group) -> dict[int, list[str]]:
    found = {}
    for family in families.values():
        if "NUM" in family.attrs and "GRO" in family and "NOM" in family["GRO"]:
            names = [_text(row) for row in np.atleast_1d(family["GRO/NOM"][()])]
            found[int(family.attrs["NUM"])] = [name for name in names if name]
    return found


def _text(row: Any) -> str:
    """Return a name kept as 80 small numbers or as bytes, up to its first zero."""
    raw = row if isinstance(row, bytes) else np.atleast_1d(row).astype(np.uint8).tobytes()
    return raw.split(b"\0")[0].decode("utf-8", errors="replace").strip()
