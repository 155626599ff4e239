"""The finite element model as an HDF5 file, exact in every number.

Layout: nodes, node_ids, supports; materials, sections, point_masses, couplings, node_sets, element_sets as tables of
columns; blocks/0, blocks/1, ... with connectivity, element_ids and the data arrays of the element kind. Layers of walls
are rows (material, thickness, angle), the first a row of layer_materials, whose matrices stand in layer_matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np

from floatframe.errors import ModelError, WriteError
from floatframe.fem import (
    MPC,
    RBE2,
    RBE3,
    BeamSection,
    ElementBlock,
    FEModel,
    GeneralShellSection,
    Layer,
    LayeredSection,
    Material,
    PointMass,
    ShellSection,
)
from floatframe.io.format import HDF5, Format
from floatframe.io.native._hdf5 import Column, Fields, has_mark, put, put_table, put_text, reading, take_table, writing

NAME = "floatframe-fe-model"
VERSION = 1

_REAL, _WHOLE, _FLAG, _TEXT = Column("f"), Column("i"), Column("b"), Column("t")
_NUMBERS = Column("i", ragged=True)

# columns of every record type, named like its fields (the terms of an MPC are split into three columns)
RECORDS: dict[type, dict[str, Column]] = {
    Material: {"E": _REAL, "nu": _REAL, "rho": _REAL, "name": _TEXT},
    BeamSection: {
        **dict.fromkeys(("A", "Iy", "Iz", "J", "Iyz", "ky", "kz", "y_max", "z_max", "Wt"), _REAL),
        "shear_centre": Column("f", (2,)),
        "outline": Column("f", (2,), ragged=True),
        "hole": Column("f", (2,), ragged=True),
        "name": _TEXT,
    },
    ShellSection: {"thickness": _REAL, "offset": _REAL, "shear_factor": _REAL, "name": _TEXT},
    LayeredSection: {
        "layers": Column("f", (3,), ragged=True),
        "offset": _REAL,
        "extra_mass": _REAL,
        "name": _TEXT,
    },
    GeneralShellSection: {
        **dict.fromkeys(("A", "B", "D"), Column("f", (3, 3))),
        "S": Column("f", (2, 2), ragged=True),
        **dict.fromkeys(("thickness", "m0", "m1", "m2", "offset"), _REAL),
        "name": _TEXT,
    },
    PointMass: {"node": _WHOLE, "mass": _REAL, "inertia": Column("f", (3, 3)), "offset": Column("f", (3,))},
    RBE2: {"reference": _WHOLE, "dependents": _NUMBERS, "components": _TEXT, "name": _TEXT},
    RBE3: {
        "reference": _WHOLE,
        "averaged": _NUMBERS,
        "weights": Column("f", ragged=True),
        "independent": _FLAG,
        "name": _TEXT,
    },
    MPC: {"node": _NUMBERS, "component": _NUMBERS, "factor": Column("f", ragged=True), "name": _TEXT},
}
_SECTIONS = (BeamSection, ShellSection, LayeredSection, GeneralShellSection)
_LATER = (LayeredSection, GeneralShellSection)  # files without them have no tables for them
_SET = {"name": _TEXT, "members": _NUMBERS}

_T = TypeVar("_T")


def write(path: Path, fe: FEModel) -> None:
    """Write a model; the file appears only when it is complete."""
    materials = _distinct(block.material for block in fe.blocks)
    sections = _distinct(block.section for block in fe.blocks)
    with writing(path, NAME, VERSION) as file:
        put_text(file, "name", fe.name)
        put(file, "nodes", fe.nodes)
        put(file, "node_ids", fe.node_ids)
        put(file, "supports", fe.supports)
        put_records(file, "materials", materials, (Material,))
        layers = [layer for s in sections if isinstance(s, LayeredSection) for layer in s.layers]
        of_layers = _distinct(layer.material for layer in layers)
        if of_layers:
            put_records(file, "layer_materials", of_layers, (Material,))
            put(file, "layer_matrices", np.array([m.matrix or np.zeros((6, 6)) for m in of_layers]))
        put_records(file, "sections", sections, _SECTIONS, of_layers)
        put_records(file, "point_masses", fe.point_masses, (PointMass,))
        put_records(file, "couplings", fe.couplings, (RBE2, RBE3, MPC))
        for name, sets in (("node_sets", fe.node_sets), ("element_sets", fe.element_sets)):
            rows = [{"name": key, "members": members} for key, members in sets.items()]
            put_table(file.create_group(name), _SET, rows)
        blocks = file.create_group("blocks")
        blocks.attrs["count"] = len(fe.blocks)
        for k, block in enumerate(fe.blocks):
            group = blocks.create_group(str(k))
            put_text(group, "kind", block.kind)
            put_text(group, "name", block.name)
            put_text(group, "mass", block.mass)
            group.attrs["material"] = -1 if block.material is None else materials.index(block.material)
            group.attrs["section"] = -1 if block.section is None else sections.index(block.section)
            if block.material is not None and block.material.matrix is not None:
                put(group, "matrix", block.material.elasticity())
            put(group, "connectivity", block.connectivity)
            put(group, "element_ids", np.asarray(block.element_ids))
            data = group.create_group("data")
            for name, values in block.data.items():
                put(data, name, values)


def read(path: Path) -> FEModel:
    """Return the model of a file; broken or inconsistent content is refused with the name of the field."""
    with reading(path, NAME, VERSION) as file:
        materials = take_records(file, "materials", (Material,))
        of_layers = _layer_materials(file) if "layer_materials" in file.names() else []
        sections = take_records(file, "sections", _SECTIONS, of_layers)
        fields: dict[str, Any] = {
            "name": file.text("name"),
            "nodes": file.array("nodes", "f", (None, 3)),
            "supports": file.array("supports", "i", (None, 2)),
            "point_masses": tuple(take_records(file, "point_masses", (PointMass,))),
            "couplings": tuple(take_records(file, "couplings", (RBE2, RBE3, MPC))),
            "blocks": tuple(_take_block(group, materials, sections) for group in file.children("blocks")),
        }
        fields["node_ids"] = file.array("node_ids", "i", (len(fields["nodes"]),))
        for name in ("node_sets", "element_sets"):
            rows = take_table(file.child(name), _SET)
            fields[name] = {row["name"]: np.array(row["members"], dtype=np.int64) for row in rows}
        return _made(file, "model", lambda: FEModel(**fields))


def recognises(path: Path) -> bool:
    """Whether the file carries the mark of this format."""
    return has_mark(path, NAME)


FORMAT: Format = Format(NAME, HDF5, FEModel, read, write, recognises)


def _distinct(things: Iterable[_T | None]) -> list[_T]:
    found: list[_T] = []
    for thing in things:
        if thing is not None and thing not in found:
            found.append(thing)
    return found


def _layer_materials(file: Fields) -> list[Material]:
    materials = take_records(file, "layer_materials", (Material,))
    matrices = file.array("layer_matrices", "f", (len(materials), 6, 6))
    return [
        _made(file, "layer_matrices", partial(replace, material, matrix=matrix)) if matrix.any() else material
        for material, matrix in zip(materials, matrices, strict=True)
    ]


def _row(record: Any, materials: Sequence[Material]) -> dict[str, Any]:
    if isinstance(record, LayeredSection):
        layers = [(materials.index(layer.material), layer.thickness, layer.angle) for layer in record.layers]
        return {**{key: getattr(record, key) for key in RECORDS[LayeredSection]}, "layers": layers}
    if isinstance(record, GeneralShellSection):
        S = () if record.S is None else (record.S,)
        return {**{key: getattr(record, key) for key in RECORDS[GeneralShellSection]}, "S": S}
    if isinstance(record, MPC):
        node, component, factor = zip(*record.terms, strict=True)
        return {"node": node, "component": component, "factor": factor, "name": record.name}
    return {key: getattr(record, key) for key in RECORDS[type(record)]}


def _record(kind: type, row: Mapping[str, Any], materials: Sequence[Material]) -> Any:
    if kind is LayeredSection:
        if any(not 0 <= number < len(materials) for number, _, _ in row["layers"]):
            raise ModelError(f"a layer points to a material that is not one of {len(materials)}.")
        layers = [Layer(materials[int(number)], thickness, angle) for number, thickness, angle in row["layers"]]
        return LayeredSection(**{**row, "layers": tuple(layers)})
    if kind is GeneralShellSection:
        return GeneralShellSection(**{**row, "S": row["S"][0] if row["S"] else None})
    if kind is MPC:
        return MPC(list(zip(row["node"], row["component"], row["factor"], strict=True)), row["name"])
    return kind(**row)


def put_records(
    file: h5py.File, name: str, records: Sequence[Any], types: tuple[type, ...], materials: Sequence[Material] = ()
) -> None:
    """Write records of some types as one table per type, and the type of each in order; materials: of layers."""
    for record in records:
        if type(record) not in types:
            known = ", ".join(kind.__name__ for kind in types)
            raise WriteError(f"field '{name}' holds a {type(record).__name__}; the format keeps {known}.")
    group = file.create_group(name)
    put_table(group, {"type": _TEXT}, [{"type": type(record).__name__} for record in records])
    for kind in types:
        rows = [_row(record, materials) for record in records if type(record) is kind]
        if not rows and kind in _LATER:
            continue
        put_table(group.create_group(kind.__name__), RECORDS[kind], rows)


def take_records(file: Fields, name: str, types: tuple[type, ...], materials: Sequence[Material] = ()) -> list[Any]:
    """Return the records written by `put_records` in their order."""
    fields = file.child(name)
    by_name = {kind.__name__: kind for kind in types if kind not in _LATER or kind.__name__ in fields.names()}
    rows = {key: iter(take_table(fields.child(key), RECORDS[kind])) for key, kind in by_name.items()}
    records = []
    for k, row in enumerate(take_table(fields, {"type": _TEXT})):
        if row["type"] not in by_name:
            raise fields.complaint("type", f"names '{row['type']}', expected one of {', '.join(by_name)}")
        values = next(rows[row["type"]], None)
        if values is None:
            raise fields.complaint(row["type"], f"has fewer rows than '{name}/type' requires")
        records.append(_made(fields, f"{row['type']}[{k}]", partial(_record, by_name[row["type"]], values, materials)))
    for key, rest in rows.items():
        if next(rest, None) is not None:
            raise fields.complaint(key, f"has more rows than '{name}/type' requires")
    return records


def _take_block(fields: Fields, materials: Sequence[Material], sections: Sequence[Any]) -> ElementBlock:
    data = fields.child("data")
    material = _picked(fields, "material", materials)
    if material is not None and "matrix" in fields.names():
        matrix = fields.array("matrix", "f", (6, 6))
        material = _made(fields, "matrix", partial(replace, material, matrix=matrix))
    content: Mapping[str, Any] = {
        "kind": fields.text("kind"),
        "name": fields.text("name"),
        "mass": fields.text("mass") if "mass" in fields.group.attrs else "consistent",
        "connectivity": fields.array("connectivity", "i", (None, None)),
        "element_ids": fields.array("element_ids", "i", (None,)),
        "material": material,
        "section": _picked(fields, "section", sections),
        "data": {name: data.any_array(name) for name in data.names()},
    }
    return _made(fields, "kind", lambda: ElementBlock(**content))


def _picked(fields: Fields, name: str, things: Sequence[_T]) -> _T | None:
    k = fields.integer(name)
    if not -1 <= k < len(things):
        raise fields.complaint(name, f"is {k}, but there are {len(things)} of them (-1 means none)")
    return None if k == -1 else things[k]


def _made(fields: Fields, name: str, make: Callable[[], _T]) -> _T:
    """Build an object; what it refuses is an error of the file."""
    try:
        return make()
    except (ModelError, ValueError) as error:
        raise fields.complaint(name, f"is invalid: {str(error).rstrip('.')}") from error
