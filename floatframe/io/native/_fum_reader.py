"""Reading of the binary input.fum: every count and offset is checked against the file's length before it is used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray, all_distinct
from floatframe.errors import ModelError, ReadError
from floatframe.fem import DOF_NAMES
from floatframe.modal import DisplayMesh, ElementType, Provenance, ReducedBody

MARK = b"UMFEM"
BLOCKS = ("Title", "typFE", "numNodes", "coorNodes", "FERec", "Solution")
COUNTS = ("QEForms", "QSForms", "QCDOF", "orthonormalised flag", "normalisation variant")
PARTS = ("LMassMatrix", "BNum", "PValue", "EForms", "GMassMatrix", "GStiffMatrix")
SI = 0  # units flag

_MAPPED = 2**26  # larger files are mapped, smaller ones read
_SAME_MASS = 1e-6  # relative: other programs may have written single precision
_MATRICES = {"mass": "GMassMatrix", "stiffness": "GStiffMatrix"}
_UNIT = 1e-6  # how well a static shape must show its unit displacement
_SYMMETRY = 1e-8  # of the largest entry


@dataclass(frozen=True)
class _Source:
    """The bytes of a file; what does not fit is refused under the field's name."""

    path: Path
    data: AnyArray  # (size,) bytes

    def error(self, field: str, what: str) -> ReadError:
        return ReadError(f"'{self.path}': field '{field}' {what}.")

    def raw(self, field: str, offset: int, size: int) -> AnyArray:
        if offset < 0 or size < 0 or offset + size > self.data.size:
            raise self.error(field, f"needs bytes {offset} to {offset + size}, but the file has {self.data.size} bytes")
        return self.data[offset : offset + size]

    def integers(self, field: str, offset: int, count: int) -> IntArray:
        return self.raw(field, offset, 4 * count).view("<i4").astype(np.int64)

    def integer(self, field: str, offset: int) -> int:
        return int(self.integers(field, offset, 1)[0])

    def doubles(self, field: str, offset: int, count: int) -> Array:
        """Return a view of doubles, which is aligned where the file is."""
        values: Array = self.raw(field, offset, 8 * count).view("<f8")
        step = 2**20
        if not all(np.isfinite(values[k : k + step]).all() for k in range(0, count, step)):
            raise self.error(field, "holds numbers that are not finite")
        return values


@dataclass
class _Cursor:
    """Reads fields one after another."""

    source: _Source
    place: int

    def integer(self, field: str, least: int | None = None) -> int:
        value = self.source.integer(field, self.place)
        if least is not None and value < least:
            raise self.source.error(field, f"is {value}, expected at least {least}")
        self.place += 4
        return value

    def bytes(self, field: str, count: int) -> bytes:
        found = self.source.raw(field, self.place, count).tobytes()
        self.place += count
        return found

    def text(self, length_field: str, field: str) -> str:
        return decoded(self.bytes(field, self.bytes(length_field, 1)[0]))


def decoded(raw: bytes) -> str:
    """Return text of any program, Cyrillic if it can be."""
    try:
        return raw.decode("cp1251")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def read(path: Path) -> ReducedBody:
    """Return the body of a binary input.fum; shapes of big files stay mapped."""
    return body_of(path, _bytes_of(path))


def body_of(path: Path, data: AnyArray) -> ReducedBody:
    """Return the body in the bytes (size,) of a file; `path` is named in complaints."""
    source = _Source(path, data)
    if source.raw("UMFEM", 0, len(MARK)).tobytes() != MARK:
        raise source.error("UMFEM", "is missing: the file does not begin with these characters")
    offsets = source.integers("AddressTable", len(MARK), len(BLOCKS)).tolist()
    at = dict(zip(BLOCKS, offsets, strict=True))
    for name, offset in at.items():
        if not 0 <= offset <= source.data.size:
            end = source.data.size
            raise source.error("AddressTable", f"puts {name} at byte {offset}, but the file has {end} bytes")
    title = _read_title(_Cursor(source, at["Title"]))
    types = _read_types(_Cursor(source, at["typFE"]))
    node_ids = source.integers("numNodes", at["numNodes"], title["QNodes"])
    if not all_distinct(node_ids):
        raise source.error("numNodes", "holds a number twice")
    if node_ids.max(initial=0) > title["MaxNumNode"]:
        raise source.error("MaxNumNode", f"is {title['MaxNumNode']}, but there is a node {node_ids.max()}")
    places = source.doubles("coorNodes", at["coorNodes"], 4 * title["QNodes"]).reshape(-1, 4)
    if (places[:, 0] != node_ids).any():
        raise source.error("coorNodes", "does not name the same nodes as numNodes")
    mesh = _read_elements(source, at["FERec"], title, types, node_ids)
    fields = _read_solution(source, at["Solution"], title, node_ids)
    try:
        return ReducedBody(
            nodes=places[:, 1:].copy(),
            node_ids=node_ids,
            mesh=mesh,
            name=title["name"],
            provenance=Provenance(program=title["program"], created=title["created"], comment=title["comment"]),
            **fields,
        )
    except ModelError as error:
        raise source.error("Solution", f"is invalid: {str(error).rstrip('.')}") from error


def _bytes_of(path: Path) -> AnyArray:
    try:
        size = path.stat().st_size
        if size > _MAPPED:
            return np.memmap(path, dtype=np.uint8, mode="r")
        return np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise ReadError(f"'{path}' cannot be read: {error.strerror or error}.") from error


def _read_title(cursor: _Cursor) -> dict[str, Any]:
    cursor.integer("size of the title", least=0)
    date, time = cursor.integer("creation date"), cursor.integer("creation time")
    title: dict[str, Any] = {
        "created": _iso(date, time),
        "program": cursor.text("lProgName", "name of the program"),
        "name": cursor.text("lTitleSolution", "name of the solution"),
        "comment": cursor.text("lSolComment", "comment"),
    }
    for name in ("MaxNumNode", "QNodes", "MaxNumFE", "QFElements"):
        title[name] = cursor.integer(name, least=0)
    units = cursor.integer("units flag")
    if units != SI:
        raise cursor.source.error("units flag", f"is {units}, only {SI} (SI units) is known")
    count = cursor.integer("QDOF", least=1)
    if count > 6:
        raise cursor.source.error("QDOF", f"is {count}, a node has at most 6 dofs")
    dofs = [cursor.integer("numbers of the dofs") for _ in range(count)]
    if len(set(dofs)) < count or not set(dofs) <= set(range(1, 7)):
        what = f"are {dofs}, expected different ones of 1 to 6"
        raise cursor.source.error("numbers of the dofs", what)
    title["components"] = np.array(dofs) - 1
    return title


def _read_types(cursor: _Cursor) -> dict[int, ElementType]:
    cursor.integer("size of typFE", least=0)
    count = cursor.integer("QTypFE", least=0)
    types: dict[int, ElementType] = {}
    for _ in range(count):
        number, nnode, npolygon = cursor.bytes("typFERec", 3)
        polygons = []
        for _ in range(npolygon):
            vertices = cursor.bytes("PoligonRec", cursor.bytes("QVertex", 1)[0])
            if any(not 1 <= vertex <= nnode for vertex in vertices):
                raise cursor.source.error("PoligonRec", f"names a vertex outside the {nnode} nodes of the element")
            polygons.append(tuple(vertex - 1 for vertex in vertices))
        if number in types:
            raise cursor.source.error("FEType", f"{number} is defined twice")
        types[number] = ElementType(type_name(number), nnode, tuple(polygons), number)
    return types


def type_name(number: int) -> str:
    return f"type {number}"


def _read_elements(
    source: _Source, offset: int, title: dict[str, Any], types: dict[int, ElementType], node_ids: IntArray
) -> DisplayMesh:
    count = title["QFElements"]
    longest = 2 + max((kind.nnode for kind in types.values()), default=0)
    room = (source.data.size - offset) // 4
    words = source.integers("FERec", offset, min(room, longest * count))
    start, element_type = _walk(source, words, count, types)
    length = np.array([kind.nnode for kind in types.values()], dtype=np.int64)[element_type] if count else start
    within = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    numbers = words[np.repeat(start + 2, length) + within]
    ids = words[start]
    if ids.max(initial=0) > title["MaxNumFE"]:
        raise source.error("MaxNumFE", f"is {title['MaxNumFE']}, but there is an element {ids.max()}")
    rows = _rows_of(node_ids, numbers)
    if rows is None:
        raise source.error("FERec", "names a node that is not in numNodes")
    return DisplayMesh(tuple(types.values()), ids, element_type, rows)


def _walk(source: _Source, words: IntArray, count: int, types: dict[int, ElementType]) -> tuple[IntArray, IntArray]:
    """Return where the record of each element begins, and its type; records are equally long in runs of one type."""
    if 2 * count > words.size:
        raise source.error("FERec", f"needs {count} elements, but the file ends before")
    order = {number: k for k, number in enumerate(types)}
    start, element_type = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    done, place, look = 0, 0, 16
    while done < count:
        number = int(words[place + 1]) if place + 1 < words.size else None
        if number not in order:
            found = "is cut off" if number is None else f"has the unknown type {number}"
            raise source.error("FERec", f"element {done + 1} of {count} {found}")
        stride = 2 + types[number].nnode
        run = min(look, count - done, (words.size - place) // stride)
        if run == 0:
            raise source.error("FERec", f"element {done + 1} of {count} is truncated")
        same = words[place + 1 : place + stride * run : stride] == number
        run = run if same.all() else int(np.argmin(same))
        start[done : done + run] = place + stride * np.arange(run)
        element_type[done : done + run] = order[number]
        done, place, look = done + run, place + stride * run, max(16, 2 * run)
    return start, element_type


def _rows_of(node_ids: IntArray, numbers: IntArray) -> IntArray | None:
    """Return the rows of node numbers, or None if one is unknown."""
    if not numbers.size:
        return numbers
    if not node_ids.size:
        return None
    order = np.argsort(node_ids, kind="stable")
    rows = order[np.searchsorted(node_ids[order], numbers).clip(max=node_ids.size - 1)]
    return rows if (node_ids[rows] == numbers).all() else None


def _read_solution(source: _Source, offset: int, title: dict[str, Any], node_ids: IntArray) -> dict[str, Any]:
    table = source.integers("SolutionTable", offset, len(COUNTS) + len(PARTS)).tolist()
    n_eigen, n_static, n_fixed, orthonormal, _ = table[: len(COUNTS)]
    for name, value in zip(COUNTS[:3], table[:3], strict=True):
        if value < 0:
            raise source.error(name, f"is {value}, it cannot be negative")
    if orthonormal not in (0, 1):
        raise source.error("orthonormalised flag", f"is {orthonormal}, expected 0 or 1")
    at = {name: offset + place for name, place in zip(PARTS, table[len(COUNTS) :], strict=True)}
    components, n = title["components"], n_eigen + n_static
    rows = node_ids.size * components.size
    # the generalised matrices first: they bound the number of shapes by the size of the file
    matrices = {name: _square(source, field, at[field], n) for name, field in _MATRICES.items()}
    shapes = source.doubles("EForms", at["EForms"], n * rows).reshape(n, rows).T
    if not shapes.flags.aligned and source.data.size <= _MAPPED:
        shapes = shapes.copy(order="F")  # whoever computes with them would copy them every time
    frequency = np.full(n, np.nan)
    frequency[:n_eigen] = source.doubles("PValue", at["PValue"], n_eigen)
    if (frequency[:n_eigen] < 0).any():
        raise source.error("PValue", "holds a negative frequency")
    diagonal = np.zeros((node_ids.size, 6))
    diagonal[:, components] = source.doubles("LMassMatrix", at["LMassMatrix"], rows).reshape(-1, components.size)
    if components.tolist() != list(range(6)):
        full = np.zeros((n, node_ids.size, 6))
        full[:, :, components] = shapes.T.reshape(n, node_ids.size, components.size)
        shapes = full.reshape(n, 6 * node_ids.size).T
    held, interface = _read_conditions(source, at["BNum"], n_fixed, node_ids)
    kind, origin = _columns(n_eigen, shapes, interface, node_ids)
    return {
        "shapes": shapes,
        "kind": kind,
        "origin": origin,
        "frequency": frequency,
        "nodal_mass": _one_mass(source, diagonal[:, [k for k in range(3) if k in components]], node_ids),
        "nodal_inertia": diagonal[:, 3:, None] * np.eye(3),
        "interface": interface,
        "supports": held,
        "orthonormal": bool(orthonormal),
        **matrices,
    }


def _read_conditions(source: _Source, offset: int, count: int, node_ids: IntArray) -> tuple[IntArray, IntArray]:
    """Return held and interface dofs, each (k, 2) node number and component 0..5."""
    code = source.integers("BNum", offset, count)
    value = source.doubles("BValue", offset + 4 * count, count)
    pairs = np.column_stack([code // 32, code % 32 - 1])
    if not np.isin(pairs[:, 0], node_ids).all():
        raise source.error("BNum", "names a node that is not in numNodes")
    if not np.isin(pairs[:, 1], range(6)).all():
        raise source.error("BNum", "names a dof outside 1 to 6")
    if not np.isin(value, (0.0, 1.0)).all():
        raise source.error("BValue", "holds a value that is neither 0 (fixed) nor 1 (interface)")
    return pairs[value == 0.0], pairs[value == 1.0]


def _one_mass(source: _Source, masses: Array, node_ids: IntArray) -> Array:
    """Return (nnode,) masses from those of the directions (nnode, k), which must agree."""
    if masses.size == 0:
        return np.zeros(len(node_ids))
    if (masses < 0).any():
        raise source.error("LMassMatrix", f"gives node {node_ids[(masses < 0).any(axis=1)][0]} a negative mass")
    largest, least = masses.max(axis=1), masses.min(axis=1)
    if (uneven := largest - least > _SAME_MASS * largest).any():
        raise source.error("LMassMatrix", f"gives node {node_ids[uneven][0]} different masses in different directions")
    return masses[:, 0].copy()


def _square(source: _Source, field: str, offset: int, n: int) -> Array:
    matrix = source.doubles(field, offset, n * n).reshape(n, n).copy()
    if np.abs(matrix - matrix.T).max(initial=0.0) > _SYMMETRY * np.abs(matrix).max(initial=0.0):
        raise source.error(field, "is not symmetric")
    return matrix


def _columns(
    n_eigen: int, shapes: Array, interface: IntArray, node_ids: IntArray
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell static from attachment shapes: the former are unit displacements of the interface dofs in turn."""
    rows = _rows_of(node_ids, interface[:, 0])
    at = np.empty(0, dtype=np.int64) if rows is None else 6 * rows + interface[:, 1]
    rest = shapes.shape[1] - n_eigen
    unit = shapes[at][:, n_eigen : n_eigen + len(at)]
    is_static = rest >= len(at) and np.abs(unit - np.eye(len(at))).max(initial=0.0) < _UNIT
    n_static = len(at) if is_static else 0
    kind = ("eigen",) * n_eigen + ("static",) * n_static + ("attachment",) * (rest - n_static)
    return kind, origins(n_eigen, rest, interface, is_static)


def origins(n_eigen: int, rest: int, interface: IntArray, is_static: bool) -> tuple[str, ...]:
    """Return what a file without names lets one say of eigenmodes and the shapes after them."""
    labels = [f"node {node} {DOF_NAMES[part]}" for node, part in interface]
    if not is_static:
        labels = labels[:rest]
    labels += [f"shape {k + 1}" for k in range(len(labels), rest)]
    return (*(f"mode {k + 1}" for k in range(n_eigen)), *labels)


def _iso(date: int, time: int) -> str:
    second, millisecond = divmod(time, 1000)
    try:
        moment = datetime(
            date % 10_000, date // 10_000 % 100, date // 1_000_000, second // 10_000, second // 100 % 100, second % 100
        )
        return moment.replace(microsecond=1000 * millisecond).isoformat(timespec="milliseconds")
    except ValueError:
        return ""
