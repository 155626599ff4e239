"""The binary input.fum: little-endian, blocks found through tables of 32-bit offsets, at most 2 GiB.

Where the format leaves a choice: offsets count from byte 0 of the file, those of the solution from its own start;
frequencies in Hz; polygons number the nodes of an element from 1; dofs of a node count from 1 (ux) to 6 (rz);
units flag 0 is SI; normalisation variant 0 is unit generalised mass of the eigenmodes; static shapes come before
attachment shapes in the block of static forms; blocks begin at multiples of eight bytes. The mass is diagonal, so
masses beside their node get a node of their own.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ModelError, WriteError
from floatframe.io.atomic import complete_file
from floatframe.io.format import Format
from floatframe.io.native._fum_reader import BLOCKS, COUNTS, MARK, PARTS, SI, decoded, origins, read, type_name
from floatframe.modal import ReducedBody, with_plain_masses
from floatframe.version import __version__

NAME = "input.fum"
LIMIT = 2**31 - 1  # the largest offset a signed 32-bit integer holds
_FEW = 2000  # nodes of a body that may lack most of what carries its mass
_ASIDE = 0.1  # of the radius of gyration: how far the centre of nodal masses may be from that of the body


def recognises(path: Path) -> bool:
    """Whether the file begins with the characters UMFEM."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False


def lost(body: ReducedBody) -> list[str]:
    """Return what this format cannot store."""
    found = []
    if body.damping.any():
        found.append("generalised damping")
    if body.constants is not None:
        sums = replace(body, constants=None).mass_difference
        found.append(f"inertia constants of the consistent mass (sums over nodes differ from it by {sums:.1e})")
    if body.geometric is not None:
        found.append("geometric terms (stiffening under load)")
    if body.flexibility is not None:
        found.append("static flexibility of the nodes (what loads on them miss)")
    if body.stress is not None:
        found.append("stresses of the shapes (keep the body in HDF5, or add them again with the model)")
    if body.node_names:
        found.append("names of nodes")
    if len(with_plain_masses(body).nodes) > body.nnode:
        found.append("masses beside their nodes (they get nodes of their own)")
    if any(kind.name != type_name(kind.number) for kind in body.mesh.types):
        found.append("names of element types")
    if body.origin != origins(body.n_eigen, body.nmode - body.n_eigen, body.interface, body.n_static > 0):
        found.append("names of modes and shapes")
    if body.mesh.materials or body.mesh.sections:
        found.append("materials and sections")
    if body.provenance.source or body.provenance.settings:
        found.append("source and settings of the reduction")
    if body.notes:
        found.append("notes of the reduction")
    return found


def file_size(body: ReducedBody) -> int:
    """Return about how many bytes the binary form takes."""
    elements = body.mesh.connectivity.size + 2 * len(body.mesh)
    return 48 * body.nnode * (body.nmode + 2) + 16 * body.nmode**2 + 4 * elements


def write(path: Path, body: ReducedBody) -> None:
    """Write a body; eigenmodes first, then static, then attachment shapes."""
    _require_room(path, body)
    _require_nodal_masses(path, body)
    try:
        body = with_plain_masses(body)
    except ModelError as error:
        raise WriteError(f"'{path}': {error}") from error
    _require_room(path, body)
    columns = np.concatenate([body.columns(kind) for kind in ("eigen", "static", "attachment")])
    head = [_title_bytes(path, body), _type_bytes(path, body), _packed(path, "numNodes", body.node_ids)]
    head.append(np.column_stack([body.node_ids, body.nodes]).astype("<f8").tobytes())
    head.append(_element_bytes(path, body))
    place, offsets = len(MARK) + 4 * len(BLOCKS), []
    for block in head:
        offsets.append(place := _aligned(place))
        place += len(block)
    offsets.append(_aligned(place))
    with complete_file(path) as temporary, open(temporary, "wb") as file:
        file.write(MARK + struct.pack("<6i", *offsets))
        for offset, block in zip(offsets, head, strict=False):
            _pad_to(file, offset)
            file.write(block)
        _pad_to(file, offsets[-1])
        _write_solution(path, file, body, columns)


def _require_room(path: Path, body: ReducedBody) -> None:
    if (size := file_size(body)) > LIMIT - 2**16:
        raise WriteError(
            f"'{path}': the body takes {size / 2**30:.1f} GiB, a binary input.fum ends at 2 GiB; "
            f"write HDF5 instead, e.g. '{path.with_suffix('.h5').name}'."
        )


def _require_nodal_masses(path: Path, body: ReducedBody) -> None:
    """Refuse a body whose nodes are not where its mass is, as those have that another program has reduced."""
    J = body.constants
    if J is None or not J.m > 0 or body.nnode > _FEW:
        return
    still = ~np.asarray(body.shapes).any(axis=0) & (np.diag(body.mass) > 0)
    centre = body.nodal_mass @ (body.nodes + body.nodal_offset) / J.m
    radius = float(np.sqrt(np.trace(J.inertia_about_com) / (2.0 * J.m)))
    if still.any() or np.abs(centre - J.com).max() > _ASIDE * radius:
        raise WriteError(
            f"'{path}': an input.fum has all mass at nodes, but the mass of body '{body.name}' is not at the few nodes "
            f"it has; write HDF5 instead, e.g. '{path.with_suffix('.h5').name}'."
        )


def _write_solution(path: Path, file: BinaryIO, body: ReducedBody, columns: IntArray) -> None:
    n, begin = body.nmode, file.tell()
    conditions = _condition_bytes(path, body)
    sizes = [48 * body.nnode, len(conditions), 8 * body.n_eigen, 48 * body.nnode * n, 8 * n * n]
    places = [_aligned(4 * (len(COUNTS) + len(PARTS)))]
    for size in sizes:
        places.append(_aligned(places[-1] + size))
    table = [body.n_eigen, n - body.n_eigen, len(body.supports) + len(body.interface), int(body.orthonormal), 0]
    file.write(struct.pack("<11i", *table, *places))
    moments = np.diagonal(body.nodal_inertia, axis1=1, axis2=2)
    diagonal = np.column_stack([np.repeat(body.nodal_mass[:, None], 3, axis=1), moments])
    order = np.ix_(columns, columns)
    frequency = body.frequency[columns[: body.n_eigen]]
    parts = (diagonal, conditions, frequency, None, body.mass[order], body.stiffness[order])
    for place, part in zip(places, parts, strict=True):
        _pad_to(file, begin + place)
        if part is None:
            for column in columns:
                file.write(body.shapes[:, column].astype("<f8").tobytes())
        else:
            file.write(part if isinstance(part, bytes) else np.asarray(part).astype("<f8").tobytes())


def _title_bytes(path: Path, body: ReducedBody) -> bytes:
    source = body.provenance
    date, time = _compact(source.created)
    texts = {"program": source.program or f"floatframe {__version__}", "name": body.name, "comment": source.comment}
    coded = b"".join(_short_text(path, what, text) for what, text in texts.items())
    counts = (int(body.node_ids.max(initial=0)), body.nnode, int(body.mesh.element_ids.max(initial=0)), len(body.mesh))
    rest = _packed(path, "title", np.array([*counts, SI, 6, 1, 2, 3, 4, 5, 6]))
    size = 12 + len(coded) + len(rest)
    return struct.pack("<3i", size, date, time) + coded + rest


def _type_bytes(path: Path, body: ReducedBody) -> bytes:
    records = b""
    for kind in body.mesh.types:
        counts = (kind.number, kind.nnode, len(kind.polygons), *(len(polygon) for polygon in kind.polygons))
        if max(counts) > 255:
            raise WriteError(f"'{path}': element type '{kind.name}' has numbers above 255; write HDF5 instead.")
        records += bytes(counts[:3])
        for polygon in kind.polygons:
            records += bytes([len(polygon), *(vertex + 1 for vertex in polygon)])
    return struct.pack("<2i", 8 + len(records), len(body.mesh.types)) + records


def _element_bytes(path: Path, body: ReducedBody) -> bytes:
    mesh = body.mesh
    start = mesh.start
    words = np.empty(mesh.connectivity.size + 2 * len(mesh), dtype=np.int64)
    at = start[:-1] + 2 * np.arange(len(mesh))
    words[at] = mesh.element_ids
    words[at + 1] = np.array([kind.number for kind in mesh.types], dtype=np.int64)[mesh.element_type]
    nodes = np.ones(words.size, dtype=bool)
    nodes[at] = nodes[at + 1] = False
    words[nodes] = body.node_ids[mesh.connectivity]
    return _packed(path, "FERec", words)


def _condition_bytes(path: Path, body: ReducedBody) -> bytes:
    pairs = np.concatenate([body.supports, body.interface])
    value = np.repeat([0.0, 1.0], [len(body.supports), len(body.interface)])
    return _packed(path, "BNum", 32 * pairs[:, 0] + pairs[:, 1] + 1) + value.astype("<f8").tobytes()


def _packed(path: Path, field: str, values: IntArray) -> bytes:
    if values.size and (values.min() < -LIMIT or values.max() > LIMIT):
        raise WriteError(f"'{path}': {field} holds {values.max()}, the format has 32-bit numbers; write HDF5 instead.")
    return values.astype("<i4").tobytes()


def require_texts(path: Path, **texts: str) -> None:
    """Refuse texts, given by what they are, that the title cannot store."""
    for what, text in texts.items():
        _short_text(path, what, text)


def _short_text(path: Path, what: str, text: str) -> bytes:
    """Return the length and the text as the reader decodes it."""
    for coding in ("cp1251", "latin-1"):
        raw = text.encode(coding, errors="ignore")
        if len(raw) <= 255 and decoded(raw) == text:
            return bytes([len(raw)]) + raw
    raise WriteError(
        f"'{path}': the {what} {text[:40]!r} does not fit; the binary form takes up to 255 characters of ASCII or "
        "Cyrillic (cp1251), HDF5 any text."
    )


def _aligned(place: int) -> int:
    """Return the next multiple of eight: mapped doubles are faster and need no copy there."""
    return place + -place % 8


def _pad_to(file: BinaryIO, place: int) -> None:
    file.write(bytes(place - file.tell()))


def _compact(created: str) -> tuple[int, int]:
    """Return the numbers DDMMYYYY and HHMMSSmmm, zero if the moment is not known."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return 0, 0
    date = moment.day * 1_000_000 + moment.month * 10_000 + moment.year
    return date, (moment.hour * 10_000 + moment.minute * 100 + moment.second) * 1000 + moment.microsecond // 1000


FORMAT: Format = Format(NAME, (".fum",), ReducedBody, read, write, recognises)
