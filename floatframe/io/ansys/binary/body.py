"""A reduced body straight from what ANSYS computed: free matrices, lumped mass, eigenmodes and static shapes.

The files are those that the macro umexport.mac writes for interface nodes chosen with NSEL; ANSYS found the shapes,
here they are only combined, so the body holds exactly what ANSYS has.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError, ReadError
from floatframe.fem import DOF_NAMES, MatrixModel
from floatframe.io.ansys.binary.matrix_model import load_full
from floatframe.io.ansys.binary.results import NodalResults, read_results
from floatframe.io.conversion import to_si
from floatframe.io.format import PathLike
from floatframe.io.import_log import ImportLog
from floatframe.io.units import Units, unit_system
from floatframe.modal import Provenance, ReducedBody, nodal_pieces
from floatframe.version import __version__

_UNIT = 1e-6  # how far the moved dof of a static shape may be from one, and the others from zero
_SAME_ENERGY = 1e-3  # how far stiffness over mass of a mode may be from its frequency squared


def body_from_umexport(job: PathLike, units: str | Units = "SI", orthonormalise: bool = False) -> ReducedBody:
    """Return the body of the files that umexport.mac wrote for a job: job.free, .mlmp, _eig.rst and _sta.rst."""
    job = Path(job)
    if not job.name:
        raise ReadError(f"'{job}' is not the name of a job; umexport.mac writes JOB.free and JOB_eig.rst.")
    lumped, static = job.with_name(f"{job.name}.mlmp"), job.with_name(f"{job.name}_sta.rst")
    body = body_from_ansys(
        job.with_name(f"{job.name}.free"),
        job.with_name(f"{job.name}_eig.rst"),
        static=static if static.is_file() else None,
        lumped=lumped if lumped.is_file() else None,
        units=units,
    )
    return body.orthonormalised() if orthonormalise else body


def body_from_ansys(
    matrices: PathLike,
    modes: PathLike,
    static: PathLike | None = None,
    lumped: PathLike | None = None,
    units: str | Units = "SI",
) -> ReducedBody:
    """Return the body spanned by ANSYS' own shapes.

    matrices: .full of the free structure; modes: .rst of the modal analysis with the interface held; static: .rst with
    one set for each interface dof, moved by one while the others are held; lumped: .full with the lumped mass (by
    default the mass is lumped here); units: unit system of the files.
    """
    paths = [Path(path) for path in (matrices, modes)] + [Path(path) for path in (static, lumped) if path is not None]
    for path in paths:
        if not path.is_file():
            raise ReadError(f"'{path}': the file does not exist; umexport.mac writes it.")
    system = unit_system(units)
    log = ImportLog(paths[0])
    eigen = read_results(paths[1])
    model = to_si(load_full(paths[0], log, geometry=modes), system)
    shapes = _on_rows(model, eigen, paths[1], system)
    size = np.sqrt(np.einsum("ij,ij->j", shapes, model.M @ shapes))
    if not (size > 0).all():
        raise ReadError(f"'{paths[1]}': mode {np.argmin(size) + 1} has no mass in '{paths[0]}'.")
    shapes = shapes / size
    _same_structure(model, shapes, eigen.values, paths)
    table = np.empty((0, 2), dtype=np.int64)
    if static is not None:
        results = read_results(Path(static))
        statics, table = _static_shapes(model, _on_rows(model, results, Path(static), system), shapes, Path(static))
        shapes = np.hstack([shapes, statics])
    weights = model if lumped is None else _lumped(model, Path(lumped), modes, system)
    pieces = nodal_pieces(weights)
    mass, stiffness = shapes.T @ (model.M @ shapes), shapes.T @ (model.K @ shapes)
    n = eigen.values.size
    labels = [f"node {node} {DOF_NAMES[component]}" for node, component in table.tolist()]
    return ReducedBody(
        nodes=model.nodes,
        node_ids=model.node_ids,
        shapes=model.expand(shapes).reshape(6 * model.nnode, -1),
        kind=("eigen",) * n + ("static",) * len(table),
        origin=(*(f"ANSYS mode {k + 1}" for k in range(n)), *labels),
        frequency=np.r_[eigen.values, np.full(len(table), np.nan)],
        mass=(mass + mass.T) / 2.0,
        stiffness=(stiffness + stiffness.T) / 2.0,
        nodal_mass=pieces.mass,
        nodal_inertia=pieces.inertia,
        nodal_offset=pieces.offset,
        interface=table,
        name=paths[0].stem,
        provenance=Provenance(
            program=f"floatframe {__version__}",
            created=datetime.now().isoformat(timespec="milliseconds"),
            source=", ".join(path.name for path in paths),
            settings={"shapes": "ANSYS", "units": system.name},
        ),
    )


def _on_rows(model: MatrixModel, results: NodalResults, path: Path, units: Units) -> Array:
    """Return displacements (ndof, n) [m, rad] of results on the rows of the matrices."""
    if not np.array_equal(results.geometry.ids, model.node_ids):
        row = np.searchsorted(results.geometry.ids, model.node_ids).clip(max=results.geometry.ids.size - 1)
        if not np.array_equal(results.geometry.ids[row], model.node_ids):
            raise ReadError(f"'{path}' lacks nodes of model '{model.name}'; the files are of different models.")
    else:
        row = np.arange(model.nnode)
    moved = results.displacement[row]
    moved[:, :3] *= units.length
    return moved.reshape(6 * model.nnode, -1)[model.dof_table.slots]


def _same_structure(model: MatrixModel, shapes: Array, frequency: Array, paths: list[Path]) -> None:
    """Refuse modes whose energy in the matrices does not match their frequency."""
    value = np.einsum("ij,ij->j", shapes, model.K @ shapes)
    expected = (2.0 * np.pi * frequency) ** 2
    wrong = np.abs(value - expected) > _SAME_ENERGY * expected.max(initial=1.0)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise ReadError(
            f"'{paths[1]}': mode {k + 1} has {frequency[k]:g} Hz, but {np.sqrt(abs(value[k])) / (2.0 * np.pi):g} Hz in "
            f"the matrices of '{paths[0]}'; the files are of different models or supports, or the units are wrong."
        )


def _static_shapes(model: MatrixModel, shapes: Array, eigen: Array, path: Path) -> tuple[Array, IntArray]:
    """Return static shapes scaled to unit displacement of their interface dof, and the table of these dofs.

    Interface dofs are those where no eigenmode moves; a set without motion means a dof the node lacks.
    """
    held = np.flatnonzero(~eigen.any(axis=1)) if eigen.shape[1] else np.arange(model.ndof)
    columns, rows = [], []
    for k in np.flatnonzero(shapes.any(axis=0)):
        at_interface = shapes[held, k]
        row = int(np.argmax(np.abs(at_interface)))
        top = at_interface[row]
        others = np.delete(at_interface, row)
        if top == 0.0 or np.abs(others).max(initial=0.0) > _UNIT * abs(top):
            raise ReadError(f"'{path}': set {k + 1} is not a unit motion of one interface dof with the others fixed.")
        columns.append(shapes[:, k] / top)
        rows.append(int(held[row]))
    if len(set(rows)) < len(rows):
        raise ReadError(f"'{path}': two sets move the same interface dof.")
    order = np.argsort(rows, kind="stable")
    if not order.size:
        raise ReadError(f"'{path}' holds no static shape that moves an interface dof.")
    return np.column_stack(columns)[:, order], model.dofs[np.array(rows)[order]]


def _lumped(model: MatrixModel, path: Path, geometry: PathLike, units: Units) -> MatrixModel:
    """Return the model with the mass of a file with lumped mass."""
    other = to_si(load_full(path, ImportLog(path), geometry=geometry), units)
    if not np.array_equal(other.dofs, model.dofs):
        raise ModelError(
            f"'{path}' has other dofs than the matrices of '{model.name}'; the files are from different models."
        )
    return replace(model, M=other.M)
