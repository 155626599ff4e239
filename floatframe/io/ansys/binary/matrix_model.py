"""ANSYS matrices as a `MatrixModel`: .full or .emat with the nodes of a .rst or .cdb file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from scipy.sparse import csc_array

from floatframe.arrays import IntArray
from floatframe.errors import ReadError
from floatframe.fem import FEModel, MatrixModel
from floatframe.io.ansys.apdl import rotation
from floatframe.io.ansys.binary import result_model, results
from floatframe.io.ansys.binary.matrices import NodalMatrices, read_emat, read_full
from floatframe.io.ansys.binary.results import NodeGeometry
from floatframe.io.ansys.commands import read_deck
from floatframe.io.format import Format, PathLike
from floatframe.io.import_log import ImportLog
from floatframe.io.native import NodalModes

_BESIDE = (".cdb", ".rst", ".dat")  # input files know the components too


def load_full(path: Path, log: ImportLog, geometry: PathLike | None = None) -> MatrixModel:
    """Return the matrices of a .full file; geometry: .rst or .cdb with its nodes, by default the one of its name."""
    return _model(path, log, read_full(path), geometry)


def load_emat(path: Path, log: ImportLog, geometry: PathLike | None = None) -> MatrixModel:
    """Return the free matrices of a .emat file; geometry as in `load_full`."""
    return _model(path, log, read_emat(path), geometry)


def _model(path: Path, log: ImportLog, found: NodalMatrices, geometry: PathLike | None) -> MatrixModel:
    log.took("equations", len(found.dofs))
    if len(found.held):
        log.warn(
            f"{len(found.held)} dofs are held in the file and have no stiffness in it; as interface nodes they are "
            "lost: write the matrices without supports there."
        )
    source = Path(geometry) if geometry is not None else _beside(path)
    nodes, sets = read_nodes(source, log)
    row = np.searchsorted(nodes.ids, found.nodes)
    known = row < nodes.ids.size
    known[known] = nodes.ids[row[known]] == found.nodes[known]
    if not known.all():
        raise ReadError(
            f"'{path}' has node {found.nodes[~known][0]}, which '{source}' does not have: it is of another model; name "
            "the .rst or .cdb of this one with --option geometry=FILE."
        )
    T = to_model_axes(path, found, nodes)
    K, M = (found.K, found.M) if T is None else (T @ found.K @ T.T, T @ found.M @ T.T)
    return MatrixModel(
        nodes.xyz[row],
        found.nodes,
        found.dofs,
        K,
        M,
        {name: np.intersect1d(members, found.nodes) for name, members in sets.items()},
        found.held,
        name=path.stem,
    )


def _beside(path: Path) -> Path:
    for suffix in _BESIDE:
        for candidate in (path.with_suffix(suffix), path.with_suffix(suffix.upper())):
            if candidate.is_file():
                return candidate
    raise ReadError(
        f"'{path}' holds matrices but no node coordinates; put {path.stem}.rst or {path.stem}.cdb beside it, or name "
        "another one with --option geometry=FILE."
    )


def read_nodes(path: Path, log: ImportLog) -> tuple[NodeGeometry, Mapping[str, IntArray]]:
    """Return the nodes of a .rst or an input file, and the node components of the latter."""
    if not path.is_file():
        raise ReadError(f"'{path}': the file does not exist to take the nodes from.")
    if path.suffix.lower() == ".rst":
        return results.read_geometry(path), {}
    deck = read_deck(path, ImportLog(path, "ansys"))
    nodes = deck.nodes.merged()
    order = np.argsort(nodes.ids, kind="stable")
    angles = np.zeros_like(nodes.xyz) if nodes.angles is None else nodes.angles[order]
    sets = {name: members for name, (kind, members) in deck.components.items() if kind == "NODE"}
    log.took("nodes", nodes.ids.size)
    return NodeGeometry(nodes.ids[order], nodes.xyz[order], angles), sets


def to_model_axes(path: Path, found: NodalMatrices, nodes: NodeGeometry) -> csc_array | None:
    """Return T (n, n) from nodal to model axes, None if no node is turned."""
    angles = nodes.angles[np.searchsorted(nodes.ids, found.dofs[:, 0])]
    turned = np.flatnonzero(angles.any(axis=1))
    if not turned.size:
        return None
    n = len(found.dofs)
    place = {(int(node), int(component)): k for k, (node, component) in enumerate(found.dofs)}
    straight = np.setdiff1d(np.arange(n), turned)
    rows, columns, values = [straight], [straight], [np.ones(straight.size)]
    for k, R in zip(turned.tolist(), rotation(angles[turned]), strict=True):
        node, component = (int(value) for value in found.dofs[k])
        partners = [place.get((node, 3 * (component // 3) + j), -1) for j in range(3)]
        if -1 in partners:
            raise ReadError(
                f"'{path}': node {node} has turned axes and some of its dofs are held, so its matrices cannot be "
                "turned into model axes; write them without supports, or without NROTAT."
            )
        rows.append(np.array(partners))
        columns.append(np.full(3, k))
        values.append(R[:, component % 3])
    return csc_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(n, n))


def recognises(kind: int) -> Callable[[Path], bool]:
    """Return a test for whether a file is an ANSYS binary file of this kind."""

    def claims(path: Path) -> bool:
        with path.open("rb") as file:
            opening = file.read(12)
        return any(opening == np.array([100, -(2**31), kind], dtype=f"{order}i4").tobytes() for order in ("<", ">"))

    return claims


FULL: Format = Format(
    "ansys-full", (".full", ".free", ".mlmp"), MatrixModel, None, None, recognises(4), load_full, ("geometry",)
)
EMAT: Format = Format("ansys-emat", (".emat",), MatrixModel, None, None, recognises(2), load_emat, ("geometry",))
RESULTS: Format = Format(
    "ansys-rst",
    (".rst",),
    (FEModel, NodalModes),
    None,
    None,
    recognises(12),
    result_model.load,
    ("temperature", "materials", "sections", "content"),
)
