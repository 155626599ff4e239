"""The HDF5 form of input.fum: the content of the binary form under readable paths, and what that cannot store.

/title, /element_types, /nodes, /elements, /materials, /sections, /solution, /inertia, and /geometric, /flexibility and
/stress if the body has them; counts carry the names of the binary form. Arrays have checksums of their own, and a
SHA-256 over all but shapes and their stresses guards texts and structure. Shapes stand mode by mode, so that one can be
read without the others, and stay in big files until they are needed; so do stresses.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass, fields, replace
from numbers import Real
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, ReadError
from floatframe.fem import BeamSection, Material, ShellSection
from floatframe.io.format import HDF5, Format
from floatframe.io.native._guard import array_in
from floatframe.io.native._hdf5 import Column, Fields, has_mark, put, put_table, put_text, reading, take_table, writing
from floatframe.io.native.fe_hdf5 import put_records, take_records
from floatframe.modal import (
    DisplayMesh,
    ElementType,
    GeometricTerms,
    InertiaConstants,
    NodalFlexibility,
    Provenance,
    ReducedBody,
    StressShapes,
    array_shapes,
    geometric_terms,
)

NAME = "input.fum-hdf5"
# the first had no geometric terms, the second no names of nodes, the third no stresses, the fourth no groups of them
VERSION = 5

_LAZY = 2**26  # bytes of shapes above which they stay in the file
_CHUNK = 2**17  # numbers of a shape kept together
_PAYS = 0.8  # compression must bring a sample below this part of its size
_SECTIONS = (BeamSection, ShellSection)

_MODE = {"kind": Column("t"), "origin": Column("t"), "frequency": Column("f")}
_TYPE = {
    "name": Column("t"),
    "number": Column("i"),
    "nnode": Column("i"),
    "vertices_of_polygon": Column("i", ragged=True),
    "vertices": Column("i", ragged=True),
}
_SETTING = {"name": Column("t"), "value": Column("t")}
_NOTE = {"text": Column("t")}
_NAMED = {"name": Column("t"), "node": Column("i")}
_FLEXIBILITY = ("force", "moment")
_STRESS = {
    **{name: "i" for name in ("element", "node", "place", "group", "force_element", "force_node", "force_name")},
    **{name: "f" for name in ("elastic", "columns")},
}
_CONSTANTS = tuple(field.name for field in fields(InertiaConstants))


def recognises(path: Path) -> bool:
    """Whether the file carries the mark of this format."""
    return has_mark(path, NAME)


def write(path: Path, body: ReducedBody) -> None:
    """Write a body; the file appears only when it is complete."""
    mesh, source = body.mesh, body.provenance
    with writing(path, NAME, VERSION) as file:
        put_text(file, "sha256", _digest(body))
        title = file.create_group("title")
        for name in ("program", "created", "source", "source_hash", "comment"):
            put_text(title, name, getattr(source, name))
        put_text(title, "name", body.name)
        title.attrs["MaxNumNode"], title.attrs["QNodes"] = int(body.node_ids.max(initial=0)), body.nnode
        title.attrs["MaxNumFE"], title.attrs["QFElements"] = int(mesh.element_ids.max(initial=0)), len(mesh)
        title.attrs["QDOF"] = 6
        put_table(
            title.create_group("settings"), _SETTING, [{"name": k, "value": v} for k, v in source.settings.items()]
        )
        put_table(title.create_group("notes"), _NOTE, [{"text": note} for note in body.notes])
        put_table(file.create_group("element_types"), _TYPE, [_type_row(kind) for kind in mesh.types])
        nodes = file.create_group("nodes")
        put(nodes, "numbers", body.node_ids)
        put(nodes, "coordinates", body.nodes)
        put_table(nodes.create_group("names"), _NAMED, [{"name": k, "node": v} for k, v in body.node_names.items()])
        elements = file.create_group("elements")
        for name, values in _element_arrays(mesh).items():
            put(elements, name, values)
        put_records(file, "materials", mesh.materials, (Material,))
        put_records(file, "sections", mesh.sections, _SECTIONS)
        solution = file.create_group("solution")
        solution.attrs["QEForms"], solution.attrs["QSForms"] = body.n_eigen, body.nmode - body.n_eigen
        solution.attrs["QCDOF"] = len(body.interface) + len(body.supports)
        solution.attrs["orthonormalised"] = int(body.orthonormal)
        rows = zip(body.kind, body.origin, body.frequency, strict=True)
        put_table(solution.create_group("modes"), _MODE, [dict(zip(_MODE, row, strict=True)) for row in rows])
        for name in _SOLUTION:
            put(solution, name, getattr(body, name))
        _put_columns(solution, "shapes", body.shapes)
        inertia = file.create_group("inertia")
        inertia.attrs["exact"] = int(body.constants is not None)
        for name in _CONSTANTS:
            put(inertia, name, np.atleast_1d(getattr(body.inertia, name)))
        if body.geometric is not None:
            geometric = file.create_group("geometric")
            for name in body.geometric.filled:
                put(geometric, name, getattr(body.geometric, name))
        if body.flexibility is not None:
            flexibility = file.create_group("flexibility")
            flexibility.attrs["interface_held"] = int(body.flexibility.interface_held)
            for name in _FLEXIBILITY:
                put(flexibility, name, getattr(body.flexibility, name))
        if body.stress is not None:
            stress = file.create_group("stress")
            stress.attrs["corrected"] = int(body.stress.corrected)
            put_table(stress.create_group("names"), _NOTE, [{"text": name} for name in body.stress.names])
            for name in _kept(body.stress):
                put(stress, name, getattr(body.stress, name))
            _put_columns(stress, "values", body.stress.values)


_SOLUTION_ARRAYS = (
    "mass",
    "stiffness",
    "damping",
    "nodal_mass",
    "nodal_inertia",
    "nodal_offset",
)
_SOLUTION_TABLES = ("interface", "supports")
_SOLUTION = (*_SOLUTION_ARRAYS, *_SOLUTION_TABLES)


def read(path: Path) -> ReducedBody:
    """Return the body of a file; broken or changed content is refused."""
    with reading(path, NAME, VERSION) as file:
        title, solution = file.child("title"), file.child("solution")
        modes = take_table(solution.child("modes"), _MODE)
        nodes = file.child("nodes")
        node_ids = nodes.array("numbers", "i", (None,))
        nnode, n = len(node_ids), len(modes)
        wanted = array_shapes(nnode, n)
        content: dict[str, Any] = {name: solution.array(name, "f", wanted[name]) for name in _SOLUTION_ARRAYS}
        content |= {name: solution.array(name, "i", (None, 2)) for name in _SOLUTION_TABLES}
        try:
            body = ReducedBody(
                nodes=nodes.array("coordinates", "f", (nnode, 3)),
                node_ids=node_ids,
                shapes=_take_columns(path, solution, "shapes", 6 * nnode, n),
                kind=tuple(row["kind"] for row in modes),
                origin=tuple(row["origin"] for row in modes),
                frequency=np.array([row["frequency"] for row in modes], dtype=float),
                mesh=_take_mesh(file),
                orthonormal=bool(solution.integer("orthonormalised")),
                constants=_take_constants(file.child("inertia"), n),
                geometric=_take_geometric(file.child("geometric"), n) if "geometric" in file else None,
                flexibility=_take_flexibility(file.child("flexibility"), nnode) if "flexibility" in file else None,
                stress=_take_stress(path, file.child("stress")) if "stress" in file else None,
                node_names=_take_names(nodes),
                name=title.text("name"),
                notes=tuple(row["text"] for row in take_table(title.child("notes"), _NOTE)),
                provenance=_take_provenance(title),
                **content,
            )
        except ModelError as error:
            raise ReadError(f"'{path}': its content is invalid: {str(error).rstrip('.')}.") from error
        if file.text("sha256") != _digest(body):
            raise ReadError(f"'{path}': its content does not match its checksum; the file was damaged or edited.")
        return body


def _take_names(nodes: Fields) -> dict[str, int]:
    if "names" not in nodes:
        return {}
    return {row["name"]: int(row["node"]) for row in take_table(nodes.child("names"), _NAMED)}


@dataclass
class StoredShapes:
    """Shapes, or their stresses, that are still in their file."""

    dataset: h5py.Dataset
    path: Path

    @property
    def shape(self) -> tuple[int, ...]:
        n, rows = self.dataset.shape
        return rows, n

    def load(self) -> Array:
        """Return them, a column for each mode; the file is released."""
        try:
            return np.asarray(self.dataset[...]).T
        except (OSError, RuntimeError) as error:
            where = str(self.dataset.name).strip("/")
            raise ReadError(f"'{self.path}': field '{where}' is damaged ({error}).") from error
        finally:
            self.dataset.file.close()


def _put_columns(group: h5py.Group, name: str, shapes: Array) -> None:
    """Write shapes or their stresses (rows, n), one column after the other."""
    rows, n = shapes.shape
    if not shapes.size:
        group.create_dataset(name, data=np.zeros((n, rows)))
        return
    options: dict[str, Any] = {"chunks": (1, min(rows, _CHUNK)), "fletcher32": True}
    if _compresses(np.ascontiguousarray(shapes[:_CHUNK, 0])):
        options |= {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    dataset = group.create_dataset(name, (n, rows), dtype="f8", **options)
    for k in range(n):
        dataset[k] = shapes[:, k]


def _compresses(sample: Array) -> bool:
    shuffled = sample.view(np.uint8).reshape(-1, 8).T.tobytes()
    return len(zlib.compress(shuffled, 1)) < _PAYS * len(shuffled)


def _take_columns(path: Path, group: Fields, name: str, rows: int, n: int) -> Array | StoredShapes:
    if 8 * rows * n <= _LAZY:
        return group.array(name, "f", (n, rows)).T
    try:
        dataset = array_in(h5py.File(path, "r"), f"{group.group.name}/{name}")
    except (KeyError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise group.complaint(name, f"is missing or damaged ({error})") from error
    if dataset.shape != (n, rows) or dataset.dtype.kind != "f":
        raise group.complaint(name, f"has {dataset.dtype} of shape {dataset.shape}, expected real ({n}, {rows})")
    return StoredShapes(dataset, path)


def _take_stress(path: Path, group: Fields) -> StressShapes:
    shapes: dict[str, tuple[int | None, ...]] = {"elastic": (None, 2), "columns": (None, None)}
    kinds = {name: kind for name, kind in _STRESS.items() if name != "group" or name in group}
    found: dict[str, Any] = {name: group.array(name, kind, shapes.get(name, (None,))) for name, kind in kinds.items()}
    rows = 6 * len(found["element"]) + 3 * int(np.count_nonzero(found["place"] < 0)) + len(found["force_element"])
    return StressShapes(
        **found,
        names=tuple(row["text"] for row in take_table(group.child("names"), _NOTE)),
        corrected=bool(group.integer("corrected")),
        values=_take_columns(path, group, "values", rows, len(found["columns"])),
    )


def _kept(stress: StressShapes) -> list[str]:
    return [name for name in _STRESS if getattr(stress, name) is not None]


def _type_row(kind: ElementType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "number": kind.number,
        "nnode": kind.nnode,
        "vertices_of_polygon": [len(polygon) for polygon in kind.polygons],
        "vertices": [vertex for polygon in kind.polygons for vertex in polygon],
    }


def _element_arrays(mesh: DisplayMesh) -> dict[str, Any]:
    return {
        "numbers": mesh.element_ids,
        "type": mesh.element_type,
        "connectivity": mesh.connectivity,
        "material": mesh.element_material,
        "section": mesh.element_section,
    }


def _take_mesh(file: Fields) -> DisplayMesh:
    types = []
    for row in take_table(file.child("element_types"), _TYPE):
        polygons, vertices = [], list(row["vertices"])
        for size in row["vertices_of_polygon"]:
            polygons.append(tuple(vertices[:size]))
            del vertices[:size]
        types.append(ElementType(row["name"], row["nnode"], tuple(polygons), row["number"]))
    elements = file.child("elements")
    names = ("numbers", "type", "connectivity", "material", "section")
    ids, kinds, nodes, materials, sections = (elements.array(name, "i", (None,)) for name in names)
    return DisplayMesh(
        tuple(types),
        ids,
        kinds,
        nodes,
        tuple(take_records(file, "materials", (Material,))),
        tuple(take_records(file, "sections", _SECTIONS)),
        materials,
        sections,
    )


def _take_constants(inertia: Fields, n: int) -> InertiaConstants | None:
    shapes = {"m": (1,), "rho": (3,), "H": (3, n), "rhoH": (3, n), "hH": (n, 3, n), "HH": (n, n)}
    shapes |= {"rhorho": (3, 3), "rhoh": (n, 3, 3), "hh": (n, n, 3, 3)}
    found: dict[str, Any] = {name: inertia.array(name, "f", shape) for name, shape in shapes.items()}
    if not inertia.integer("exact"):
        return None
    return InertiaConstants(**{**found, "m": float(found["m"][0])})


def _take_geometric(group: Fields, n: int) -> GeometricTerms:
    found = [*geometric_terms.names(), *(name for name in geometric_terms.OPTIONAL if name in group)]
    shapes = {name: (None, n) if name == "softest" else (None, n, n) for name in found}
    return GeometricTerms(**{name: group.array(name, "f", shape) for name, shape in shapes.items()})


def _take_flexibility(group: Fields, nnode: int) -> NodalFlexibility:
    found = {name: group.array(name, "f", (nnode,)) for name in _FLEXIBILITY}
    return NodalFlexibility(**found, interface_held=bool(group.integer("interface_held")))


def _take_provenance(title: Fields) -> Provenance:
    texts = {name: title.text(name) for name in ("program", "created", "source", "source_hash", "comment")}
    settings = {row["name"]: row["value"] for row in take_table(title.child("settings"), _SETTING)}
    return Provenance(**texts, settings=settings)


def _digest(body: ReducedBody) -> str:
    """Return the SHA-256 of everything but the shapes and their stresses."""
    total = hashlib.sha256()
    source = body.provenance
    words = [body.kind, body.origin, body.name, body.notes, body.orthonormal, *_texts(source)]
    words += [[kind.name, kind.number, kind.nnode, kind.polygons] for kind in body.mesh.types]
    words += [repr(_as_read(record)) for record in (*body.mesh.materials, *body.mesh.sections)]
    if body.node_names:
        words.append(sorted(body.node_names.items()))
    total.update(json.dumps(words).encode())
    arrays = [body.nodes, body.node_ids, body.frequency, *(getattr(body, name) for name in _SOLUTION)]
    arrays += list(_element_arrays(body.mesh).values())
    if body.constants is not None:
        arrays += [np.atleast_1d(getattr(body.constants, name)) for name in _CONSTANTS]
    if body.geometric is not None:
        arrays += [getattr(body.geometric, name) for name in body.geometric.filled]
    if body.flexibility is not None:
        arrays += [getattr(body.flexibility, name) for name in _FLEXIBILITY]
    if body.stress is not None:
        total.update(json.dumps([body.stress.names, body.stress.corrected]).encode())
        arrays += [getattr(body.stress, name) for name in _kept(body.stress)]
    for array in arrays:
        total.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    return total.hexdigest()


def _as_read(record: Any) -> Any:
    """Return a material or section as a file gives it back: integers and numbers of NumPy are plain floats."""
    return replace(record, **{field.name: _plain(getattr(record, field.name)) for field in fields(record)})


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return float(value) if isinstance(value, Real) else value


def _texts(source: Provenance) -> list[Any]:
    fixed = [source.program, source.created, source.source, source.source_hash, source.comment]
    return [*fixed, sorted(source.settings.items())]


FORMAT: Format = Format(NAME, HDF5, ReducedBody, read, write, recognises)
