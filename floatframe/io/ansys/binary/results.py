"""Results of ANSYS (.rst): nodes, mode shapes and static shapes, without help of other readers.

A distributed run leaves one file for each process; the parts beside a file are joined. Files of cyclic analyses hold
sectors, not the whole, and are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.io.ansys.apdl import rotation
from floatframe.io.ansys.binary.records import Records, pointer
from floatframe.io.import_log import ImportLog
from floatframe.io.native import NodalModes

MODAL = 2  # analysis type
_UNSOLVED = 2.0**100  # what a dof carries that was not solved for
_SECTORS, _ALL_NODES = 20, 48  # places in the header
_STAGES = 53  # place in the header of the geometry
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


@dataclass(frozen=True)
class ResultFile:
    """A .rst file: its records, its header and that of the geometry, which begins at `start`."""

    file: Records
    head: IntArray
    start: int
    geometry: IntArray

    @classmethod
    def open(cls, path: Path) -> ResultFile:
        file = Records.open(path, 12)
        head = file.integers(103)
        if head.size < 16:
            raise file.broken(103, "the header is too short")
        start = pointer(head, 15, 46)
        geometry = file.integers(start)
        if geometry.size < 28:
            raise file.broken(start, "the header of the geometry is too short")
        return cls(file, head, start, geometry)

    def value(self, place: int) -> int:
        """Return an item of the header, 0 where a file of an older version has none."""
        return int(self.head[place]) if place < self.head.size else 0

    def pointer_to(self, low: int, old: int | None = None) -> int:
        """Return a pointer of the geometry: two words from `low` on, or the one word of older files; 0 for none."""
        place = pointer(self.geometry, low, low + 1) if low < self.geometry.size else 0
        return place or (pointer(self.geometry, old) if old is not None else 0)

    @property
    def solved(self) -> IntArray:
        """Numbers of the nodes that have results, in the order of the results."""
        return self.file.integers(pointer(self.head, 14, 45))

    @property
    def sets(self) -> list[int]:
        """Where the sets of results begin."""
        nsets, resmax = int(self.head[8]), int(self.head[3])
        index = self.file.integers(pointer(self.head, 10, 40))
        if not 0 <= nsets <= min(resmax, index.size):
            raise self.file.broken(103, f"the file claims {nsets} sets of results")
        wide = index.size >= 2 * resmax
        return [pointer(index, k, resmax + k if wide else None) for k in range(nsets)]

    def refuse_sectors(self) -> None:
        """Refuse results of one sector of a rotor, or of stages of them."""
        sectors = self.value(_SECTORS)
        stages = int(self.geometry[_STAGES]) if self.geometry.size > _STAGES else 0
        if sectors > 1 or stages > 0:
            what = f"{stages} stages of a multistage" if stages else f"one sector of {sectors} of a"
            raise ReadError(
                f"'{self.file.path}' holds {what} cyclic analysis: its nodes, elements and modes are not those of the "
                "whole; make the whole model in ANSYS (EXPAND, or without CYCLIC) and write it with CDWRITE."
            )

    @property
    def shares(self) -> bool:
        """Whether the file is one part of a distributed run: it has fewer nodes than were solved for."""
        return 0 < self.head[2] < self.value(_ALL_NODES)


def result_parts(path: Path) -> list[ResultFile]:
    """Return a results file, or all parts of a distributed run if it is one of them."""
    first = ResultFile.open(path)
    first.refuse_sectors()
    if not first.shares:
        return [first]
    expected = first.value(_ALL_NODES)
    digits = re.search(r"\d*$", path.stem)
    for length in range(len(digits[0]) if digits else 0, 0, -1):
        job = path.stem[:-length]
        found: list[ResultFile] = []
        while (part := path.with_name(f"{job}{len(found)}{path.suffix}")).is_file():
            found.append(ResultFile.open(part))
        if found and np.unique(np.concatenate([part.solved for part in found])).size == expected:
            return found
    raise ReadError(
        f"'{path}' is one part of a distributed run: it has {first.head[2]} of {expected} nodes; put all parts "
        "(JOB0.rst, JOB1.rst, …) beside it, or join them in ANSYS with RESCOMBINE."
    )


def read_results(path: Path) -> NodalResults:
    """Return nodes and all sets of nodal displacements of a .rst file."""
    parts = result_parts(path)
    geometry = _joined([_geometry(part) for part in parts])
    numdof = int(parts[0].head[4])
    values = parts[0].file.reals(pointer(parts[0].head, 11, 41))
    nsets = len(parts[0].sets)
    if nsets > values.size or not 0 < numdof <= 32 or any(len(part.sets) != nsets for part in parts):
        raise parts[0].file.broken(103, f"the file claims {nsets} sets of {numdof} dofs")
    found = []
    for starts in zip(*(part.sets for part in parts), strict=True):
        found.append(np.zeros((geometry.ids.size, 6)))
        for part, start in zip(parts, starts, strict=True):
            _displacement(part.file, start, geometry, part.solved, found[-1])
    displacement = np.stack(found, axis=2) if found else np.empty((geometry.ids.size, 6, 0))
    turned = np.flatnonzero(geometry.angles.any(axis=1))
    if turned.size:
        axes = rotation(geometry.angles[turned])
        for triple in (slice(0, 3), slice(3, 6)):
            displacement[turned, triple] = axes @ displacement[turned, triple]
    return NodalResults(geometry, displacement, values[:nsets], int(parts[0].head[7]))


def read_geometry(path: Path) -> NodeGeometry:
    """Return the nodes of a .rst file."""
    return _joined([_geometry(part) for part in result_parts(path)])


def _joined(parts: list[NodeGeometry]) -> NodeGeometry:
    """Return the nodes of all parts, each once."""
    if len(parts) == 1:
        return parts[0]
    ids, first = np.unique(np.concatenate([part.ids for part in parts]), return_index=True)
    return NodeGeometry(
        ids,
        np.concatenate([part.xyz for part in parts])[first],
        np.concatenate([part.angles for part in parts])[first],
    )


def _geometry(results: ResultFile) -> NodeGeometry:
    file, count = results.file, int(results.geometry[3])
    if not 0 < count < file.words.size:
        raise file.broken(results.start, f"the file claims {count} nodes")
    rows = np.zeros((count, 7))
    for which, table in file.batches(file.chain(results.pointer_to(26, old=8), count)):
        if table.dtype.kind != "f" or table.shape[1] < 4:
            raise file.broken(results.start, "a node has no coordinates")
        rows[which, : min(table.shape[1], 7)] = table[:, :7]
    if not np.isfinite(rows).all() or not ((rows[:, 0] >= 1) & (rows[:, 0] < 2**31)).all():
        raise file.broken(results.start, "a node has an invalid number or position")
    order = np.argsort(rows[:, 0], kind="stable")
    ids = rows[order, 0].astype(np.int64)
    if (np.diff(ids) <= 0).any():
        raise file.broken(results.start, "a node number appears twice")
    return NodeGeometry(ids, rows[order, 1:4], rows[order, 4:7])


def _displacement(file: Records, start: int, geometry: NodeGeometry, solved: IntArray, found: Array) -> None:
    """Put displacements of one set into `found` (nnode, 6), in nodal axes."""
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
        places = file.integers(file.end(start + offset))[:count] - 1
        if places.size and not 0 <= places.min() <= places.max() < solved.size:
            raise file.broken(start, "a result names nodes beyond the list of nodes")
        nodes = solved[places]
    if values.size < nodes.size * numdof or not 0 < numdof <= 30:
        raise file.broken(start, f"a result has {values.size} values for {nodes.size} nodes")
    table = values[: nodes.size * numdof].reshape(nodes.size, numdof)
    table = np.where(np.abs(table) >= _UNSOLVED, 0.0, table)
    row = np.searchsorted(geometry.ids, nodes)
    known = row < geometry.ids.size
    known[known] = geometry.ids[row[known]] == nodes[known]
    for column, label in enumerate(labels.tolist()):
        if 1 <= label <= 6:
            found[row[known], label - 1] = table[known, column]


def read_modes(path: Path, log: ImportLog) -> NodalModes:
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
