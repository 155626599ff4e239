"""Results of ANSYS (.rst): nodes, mode shapes and static shapes, without help of other readers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.ansys_binary import Records, pointer
from floatframe.io.ansys_systems import rotation
from floatframe.io.import_log import ImportLog
from floatframe.io.modes_hdf5 import NodalModes

MODAL = 2  # analysis type
_UNSOLVED = 2.0**100  # what a freedom carries that was not solved for
_RIGID = 1e-6  # of the highest frequency: below it a mode is a rigid motion


@dataclass(frozen=True)
class NodeGeometry:
    """Numbers (n,) in rising order, places (n, 3), rotation angles (n, 3) [degrees] of nodes."""

    ids: IntArray
    xyz: Array
    angles: Array


@dataclass(frozen=True)
class NodalResults:
    """Displacements (nnode, 6, n) in model axes for nodes of a geometry; values (n,): frequencies [Hz] or times."""

    geometry: NodeGeometry
    displacement: Array
    values: Array
    analysis: int


def read_results(path: Path) -> NodalResults:
    """Return nodes and all sets of nodal displacements of a .rst file."""
    file = Records.open(path, 12)
    head = file.integers(103)
    if head.size < 16:
        raise file.broken(103, "the header is too short")
    numdof, nsets, resmax = int(head[4]), int(head[8]), int(head[3])
    geometry = _geometry(file, pointer(head, 15, 46))
    solved = file.integers(pointer(head, 14, 45))
    index = file.integers(pointer(head, 10, 40))
    values = file.reals(pointer(head, 11, 41))
    if not 0 <= nsets <= min(resmax, index.size, values.size) or not 0 < numdof <= 32:
        raise file.broken(103, f"the file claims {nsets} sets of {numdof} freedoms")
    wide = index.size >= 2 * resmax
    displacement = np.zeros((geometry.ids.size, 6, nsets))
    for k in range(nsets):
        start = pointer(index, k, resmax + k if wide else None)
        displacement[:, :, k] = _displacement(file, start, geometry, solved)
    turned = np.flatnonzero(geometry.angles.any(axis=1))
    if turned.size:
        axes = rotation(geometry.angles[turned])
        for triple in (slice(0, 3), slice(3, 6)):
            displacement[turned, triple] = axes @ displacement[turned, triple]
    return NodalResults(geometry, displacement, values[:nsets], int(head[7]))


def read_geometry(path: Path) -> NodeGeometry:
    """Return the nodes of a .rst file."""
    file = Records.open(path, 12)
    head = file.integers(103)
    if head.size < 16:
        raise file.broken(103, "the header is too short")
    return _geometry(file, pointer(head, 15, 46))


def _geometry(file: Records, start: int) -> NodeGeometry:
    head = file.integers(start)
    if head.size < 28:
        raise file.broken(start, "the header of the geometry is too short")
    count = int(head[3])
    place = pointer(head, 26, 27) or pointer(head, 8)
    if not 0 < count < file.words.size:
        raise file.broken(start, f"the file claims {count} nodes")
    rows = np.zeros((count, 7))
    for k in range(count):
        row = file.reals(place)
        if row.size < 4:
            raise file.broken(place, "a node has no place")
        rows[k, : min(row.size, 7)] = row[:7]
        place = file.end(place)
    if not np.isfinite(rows).all() or not ((rows[:, 0] >= 1) & (rows[:, 0] < 2**31)).all():
        raise file.broken(start, "a node has a number or place that makes no sense")
    order = np.argsort(rows[:, 0], kind="stable")
    ids = rows[order, 0].astype(np.int64)
    if (np.diff(ids) <= 0).any():
        raise file.broken(start, "a node number stands twice")
    return NodeGeometry(ids, rows[order, 1:4], rows[order, 4:7])


def _displacement(file: Records, start: int, geometry: NodeGeometry, solved: IntArray) -> Array:
    """Return displacements (nnode, 6) of one set in nodal axes."""
    head = file.integers(start)
    if head.size < 106:
        raise file.broken(start, "the header of a result is too short")
    count, numdof = int(head[2]), int(head[19])
    labels = head[20 : 20 + numdof]
    offset = pointer(head, 104, 105) or pointer(head, 10)
    values = file.reals(start + offset)
    nodes = solved
    if count and count != solved.size:
        # some nodes only: their places in the list of nodes follow
        nodes = solved[file.integers(file.end(start + offset))[:count] - 1]
    if values.size < nodes.size * numdof or not 0 < numdof <= 30:
        raise file.broken(start, f"a result has {values.size} values for {nodes.size} nodes")
    table = values[: nodes.size * numdof].reshape(nodes.size, numdof)
    table = np.where(np.abs(table) >= _UNSOLVED, 0.0, table)
    found = np.zeros((geometry.ids.size, 6))
    row = np.searchsorted(geometry.ids, nodes)
    known = row < geometry.ids.size
    known[known] = geometry.ids[row[known]] == nodes[known]
    for column, label in enumerate(labels.tolist()):
        if 1 <= label <= 6:
            found[row[known], label - 1] = table[known, column]
    return found


def load(path: Path, log: ImportLog) -> NodalModes:
    """Return the modes of a modal analysis."""
    results = read_results(path)
    if results.analysis != MODAL or not results.values.size:
        raise ReadError(
            f"'{path}' holds {results.values.size} sets of analysis type {results.analysis}, expected the modes of a "
            "modal analysis (ANTYPE,MODAL with MXPAND)."
        )
    log.took("modes", results.values.size)
    rigid = results.values <= _RIGID * results.values.max()
    return NodalModes(
        results.geometry.ids,
        results.displacement,
        results.values,
        np.full(results.values.size, np.nan),
        tuple("rigid" if flag else "elastic" for flag in rigid),
    )
