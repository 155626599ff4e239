"""Meshes: MED and universal files by readers here, gmsh, vtu and more by meshio; a file beside them has properties.

Such files hold places, cells and named groups, but no materials, sections or supports. These come from NAME.props.toml;
`floatframe.io.template` writes one for the groups of a mesh.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ReadError
from floatframe.fem import FEModel
from floatframe.io.deck import DIMENSION, Cells, Mesh, Props, beside
from floatframe.io.format import Format
from floatframe.io.import_log import ImportLog
from floatframe.io.meshes.gmsh import read_gmsh
from floatframe.io.meshes.limits import limited
from floatframe.io.meshes.med import read_med
from floatframe.io.meshes.properties import build
from floatframe.io.meshes.unv import is_unv, read_unv
from floatframe.io.native import require_own_hdf5

NAME = "mesh (meshio)"
# those with a reader of their own here
_OWN = {".med": read_med, ".mmed": read_med, ".rmed": read_med, ".unv": read_unv, ".uff": read_unv}
# module of meshio by suffix
_MODULES = {
    ".msh": "gmsh",
    ".vtu": "vtu",
    ".vtk": "vtk",
    ".xdmf": "xdmf",
    ".xmf": "xdmf",
    ".mesh": "medit",
    ".meshb": "medit",
    ".e": "exodus",
    ".exo": "exodus",
    ".ex2": "exodus",
    ".stl": "stl",
    ".ply": "ply",
    ".obj": "obj",
    ".off": "off",
    ".su2": "su2",
    ".cgns": "cgns",
    ".vol": "netgen",
    ".vol.gz": "netgen",
    ".f3grid": "flac3d",
    ".avs": "avsucd",
    ".dato": "permas",
    ".post": "permas",
    ".ugrid": "ugrid",
    ".tec": "tecplot",
    ".mdpa": "mdpa",
    ".wkt": "wkt",
    ".h5m": "h5m",
}


def load(path: Path, log: ImportLog, props: Props | None = None) -> FEModel:
    """Return the model of a mesh with the properties of its groups, in the file's own units."""
    mesh = read_mesh(path, log)
    if props is None:
        groups = ", ".join(mesh.groups) or "none"
        raise log.error(
            f"a mesh has no materials and sections, and '{beside(path).name}' with them does not exist (groups "
            f"here: {groups}); `floatframe info {path.name} --template` writes one to fill in."
        )
    return build(mesh, props, log, path.stem)


def recognises(path: Path) -> bool:
    """Whether the suffix is one of a mesh."""
    if path.suffix.lower() in (".unv", ".uff"):
        return is_unv(path)
    return path.suffix.lower() in _OWN or _module(path) is not None


def read_mesh(path: Path, log: ImportLog | None = None) -> Mesh:
    """Return places, cells and groups of a file; whatever goes wrong inside meshio becomes one sentence."""
    if path.suffix.lower() in _OWN:
        return _OWN[path.suffix.lower()](path, log)
    if path.suffix.lower() == ".msh" and (mesh := read_gmsh(path, log)) is not None:
        return mesh
    module = _module(path)
    if module is None:
        raise ReadError(f"'{path}': meshio does not know a format with this suffix.")
    noise = io.StringIO()
    try:
        reader = importlib.import_module(f"meshio.{module}")
        with limited(path), contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
            _require_own(path, module)
            with np.errstate(over="ignore"):  # the text of an STL file read as its count of triangles
                raw = reader.read(str(path))
    except ReadError:
        raise
    except (Exception, SystemExit) as error:
        # meshio's readers raise anything on broken files, and leave the program on some
        reason = " ".join(str(error).split()) or "it is empty, damaged, truncated, or of another program"
        reason = f"{reason[:200].rstrip('.')}. Is it a file of another program under this suffix?"
        raise ReadError(f"'{path}' cannot be read as {module} mesh: {reason}") from error
    try:
        return _mesh(raw)
    except (ValueError, IndexError, TypeError, KeyError, AttributeError) as error:
        raise ReadError(f"'{path}' holds a mesh that is invalid: {error}.") from error


def _require_own(path: Path, module: str) -> None:
    """Refuse a mesh whose arrays lie in files elsewhere; an XDMF file may name HDF5 files beside it."""
    require_own_hdf5(path)
    if module != "xdmf":
        return
    for item in ElementTree.parse(path).iter("DataItem"):
        if item.get("Format") == "Binary":
            raise ReadError(f"'{path}' has its arrays in files without a format; write it with HDF5 or as text.")
        if item.get("Format") == "HDF":
            file = path.resolve().parent / (item.text or "").strip().split(":")[0]
            if file.resolve().parent != path.resolve().parent:
                raise ReadError(f"'{path}' names '{file}', which is not beside it; put it there.")
            require_own_hdf5(file)


def _module(path: Path) -> str | None:
    name = path.name.lower()
    return next((module for suffix, module in _MODULES.items() if name.endswith(suffix)), None)


def _mesh(raw: Any) -> Mesh:
    points = np.asarray(raw.points, dtype=float)
    if points.shape[1] == 2:
        points = np.column_stack([points, np.zeros(len(points))])
    groups: list[dict[str, IntArray]] = [{} for _ in raw.cells]
    for name, k, rows in _named_cells(raw):
        if rows.size:
            known = groups[k].get(name)
            groups[k][name] = rows if known is None else np.union1d(known, rows)
    cells = tuple(
        Cells(block.type, np.asarray(block.data, dtype=np.int64), groups[k]) for k, block in enumerate(raw.cells)
    )
    for block in cells:
        if block.nodes.size and (block.nodes.min() < 0 or block.nodes.max() >= len(points)):
            raise ValueError("a cell names a node that does not exist")
    sets = {str(name): np.unique(np.asarray(rows, dtype=np.int64)) for name, rows in raw.point_sets.items()}
    return Mesh(points, cells, {name: rows for name, rows in sets.items() if rows.size})


def _named_cells(raw: Any) -> Iterator[tuple[str, int, IntArray]]:
    """Yield name, number of the cell block and rows in it, from all the ways meshio keeps groups."""
    for name, parts in raw.cell_sets.items():
        if not name.startswith("gmsh:"):
            for k, rows in enumerate(parts):
                yield name, k, np.empty(0, np.int64) if rows is None else np.asarray(rows, dtype=np.int64)
    # gmsh 2: physical numbers with names and dimensions
    numbered = {(int(v[0]), int(v[1])): name for name, v in raw.field_data.items() if np.size(v) == 2}
    for key, parts in raw.cell_data.items():
        for k, values in enumerate(parts):
            values = np.asarray(values)
            if values.ndim != 1 or not np.issubdtype(values.dtype, np.integer) or key == "gmsh:geometrical":
                continue
            for tag in np.unique(values).tolist():
                rows = np.flatnonzero(values == tag)
                for name in _tag_names(key, tag, DIMENSION.get(raw.cells[k].type, -1), numbered):
                    if name not in raw.cell_sets:
                        yield name, k, rows


def _tag_names(key: str, tag: int, dimension: int, numbered: dict[tuple[int, int], str]) -> list[str]:
    if key == "gmsh:physical":
        return [numbered.get((tag, dimension), f"physical-{tag}")]
    # writers mark cells outside all groups by negative numbers
    return [] if tag < 0 else [f"{key.removesuffix(':ref').replace(':', '-')}-{tag}"]


FORMAT: Format = Format(NAME, (*_OWN, *_MODULES), FEModel, recognises=recognises, load=load, options=("props",))
