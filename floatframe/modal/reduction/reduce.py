"""From a finite element model to a reduced flexible body.

Craig and Bampton (1968), the default: eigenmodes with the interface held and static shapes of unit interface
displacements. Guyan (1965): the static shapes alone. Eigenmodes: those of the body as it is supported, rigid motions
left out. Attachment: besides these the elastic shapes under unit loads at the interface, made mass-orthonormal. MacNeal
(1971): the same shapes, each left to its own dof; their mass is kept, as Rubin (1975) does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import NodalValues, mass_quantity
from floatframe.modal.analysis import HeldStructure, idle_note
from floatframe.modal.body import Pieces, Provenance, ReducedBody, display_mesh, exact_inertia_constants, nodal_pieces
from floatframe.modal.factor import multiply
from floatframe.modal.lanczos import Modes, cluster_notes, reduced_modes, strainless_motions
from floatframe.modal.reduction.basis import (
    Basis,
    Shape,
    make_basis,
    with_clean_statics,
    with_unit_mass,
    without_dependent_shapes,
)
from floatframe.modal.reduction.extra_shapes import Extras, extra_shapes
from floatframe.modal.reduction.geometric import geometric_terms
from floatframe.modal.reduction.interface import Interface, find_interface
from floatframe.modal.reduction.truncation import enough_modes
from floatframe.version import __version__

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, DofSpec, FEModel, MassKind

Method = Literal["craig-bampton", "guyan", "eigenmodes", "attachment", "macneal"]
_FIXED_INTERFACE = ("craig-bampton", "guyan")
_SOFTEST = 6  # modes whose inertia is followed through deformations
_FOREIGN = (
    "the body was reduced by another program, which gives the motion of its interface alone: the change of its inertia "
    "under deformation is that of the interface and the static shapes between"
)
_ACCURACY = 1e-3  # relative error of frequencies unless another is asked for
# settings of `lanczos` that leave alone which modes are found and how they are started
_OPTIONS = ("block", "reorthogonalisation", "form", "tol", "seed", "progress", "memory_limit", "check")


def reduce(
    fe: AnyModel,
    interface: DofSpec = (),
    n_modes: int = 20,
    method: Method = "craig-bampton",
    *,
    up_to: float | None = None,
    accuracy: float | None = None,
    mass: MassKind | None = None,
    inertia: Literal["nodal", "exact"] | None = None,
    loads: DofSpec = (),
    load_cases: Mapping[str, NodalValues] | None = None,
    inertia_relief: bool = False,
    shapes: Array | None = None,
    orthonormalise: bool = False,
    geometric: bool | None = None,
    **options: Any,
) -> ReducedBody:
    """Return the reduced flexible body of a model; the model's own supports stay held.

    interface: node numbers, set names, reference nodes of couplings, or single freedoms such as (12, "uz");
    n_modes eigenmodes, or with up_to [Hz] as many as it takes: Craig–Bampton brings the frequencies of the free body up
    to there within `accuracy` (relative, 1e-3 if not given) by an a-posteriori estimate, methods with eigenmodes of the
    body itself take all up to there. A cluster of equal frequencies, such as a pair of a square bar, is never cut: the
    rest of it comes along, and `body.notes` says so. mass: kind used for the generalised matrices, by default the rule
    of the model; inertia: constants
    of the floating frame, by default those of the same mass, "exact" with the consistent and sums over nodes ("nodal")
    with the lumped.

    Extra shapes: loads, freedoms that will be loaded; load_cases {name: {(node, "uz"): force}}, both as elastic
    shapes under what the modes cannot carry; inertia_relief, shapes under uniform accelerations; shapes (nnode, 6, k)
    given by the user. Shapes that the others contain are dropped with a note.

    geometric: the terms of stiffening under load (`body.geometric`), by default for bodies with interface nodes; the
    provenance says what they cost. The options are those of `lanczos` that leave alone which modes are found: block,
    reorthogonalisation, form, tol, seed, progress, memory_limit, check.
    """
    _check(method, n_modes, up_to, accuracy)
    _check_options(options)
    rule = mass or fe.mass_rule
    inertia = _kind_of_inertia(inertia, rule)
    place = find_interface(fe, interface)
    if method in _FIXED_INTERFACE and not place.rows.size:
        raise ModelError(f"method '{method}' needs interface nodes; name them, or use method='eigenmodes'.")
    extras = Extras(loads, dict(load_cases or {}), inertia_relief, shapes)
    K, M = place.fe.stiffness(), place.fe.mass(mass)
    place, notes = _without_idle(place, K, M)
    if method in _FIXED_INTERFACE:
        basis = _fixed_interface(place, K, M, method, n_modes, up_to, accuracy or _ACCURACY, extras, options)
    else:
        basis = _free_interface(place, K, M, method, n_modes, up_to, extras, options)
    settings = {
        "method": method,
        "mass": rule,
        "n_modes": str(basis.n_eigen),
        "interface": ", ".join(place.labels),
        "inertia": inertia,
    }
    if up_to is not None:
        settings["up_to"] = f"{up_to:g} Hz"
        if method == "craig-bampton":
            settings["accuracy"] = f"{accuracy or _ACCURACY:g}"
    body = _body(place, replace(basis, notes=notes + basis.notes), M, mass, method, inertia, settings)
    if _wants_geometric(geometric, place, body):
        begin = perf_counter()
        rows = place.rows[: len(body.interface)]
        terms = geometric_terms(cast("FEModel", place.fe), K, M, mass, rows, body.shapes, _softest_modes(body))
        settings["geometric"] = f"{len(terms)} load states in {perf_counter() - begin:.1f} s"
        body = replace(body, geometric=terms, provenance=replace(body.provenance, settings=settings))
    return body.orthonormalised() if orthonormalise else body


def _check(method: str, n_modes: int, up_to: float | None, accuracy: float | None) -> None:
    if method not in get_args(Method):
        raise ModelError(f"method '{method}' is unknown; use one of {', '.join(get_args(Method))}.")
    if not isinstance(n_modes, int | np.integer) or n_modes < 0:
        raise ModelError(f"n_modes is {n_modes}; expected a whole number that is not negative.")
    if up_to is not None and not 0.0 < up_to < np.inf:
        raise ModelError(f"up_to is {up_to} Hz; expected a positive frequency.")
    if up_to is not None and method == "guyan":
        raise ModelError("up_to is given, but method 'guyan' has no modes to choose; use method='craig-bampton'.")
    if accuracy is None:
        return
    if up_to is None or method != "craig-bampton":
        raise ModelError("accuracy is given, but it belongs to up_to with method 'craig-bampton' alone; leave it out.")
    if not 0.0 < accuracy < 1.0:
        raise ModelError(f"accuracy is {accuracy:g}; expected a relative error between 0 and 1, such as 1e-3.")


def _check_options(options: dict[str, Any]) -> None:
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ModelError(f"reduce has no option '{unknown[0]}'; of those of lanczos it takes {', '.join(_OPTIONS)}.")


def _kind_of_inertia(inertia: str | None, mass: str) -> Literal["nodal", "exact"]:
    """Return the constants to make, by default those that belong to the generalised mass.

    Those of lumped masses with rotary inertia are sums over nodes, all others come from the mass matrix itself.
    """
    if inertia not in (None, "nodal", "exact"):
        raise ModelError(f"inertia {inertia!r} is unknown; use 'exact' (consistent mass) or 'nodal' (lumped mass).")
    if inertia == "exact" and mass == "lumped":
        raise ModelError("inertia='exact' belongs to the consistent mass, but mass is 'lumped'; leave one of them out.")
    return "exact" if inertia != "nodal" and mass != "lumped" else "nodal"


def _without_idle(place: Interface, K: SparseMatrix, M: SparseMatrix) -> tuple[Interface, tuple[str, ...]]:
    """Return the interface without dofs that have neither stiffness nor mass, and a note that names them."""
    idle = (K.diagonal()[place.rows] == 0.0) & (M.diagonal()[place.rows] == 0.0)
    if not idle.any():
        return place, ()
    note = f"left out of the interface: {idle_note(place.table[idle])}"
    return replace(place, rows=place.rows[~idle], table=place.table[~idle]), (note,)


def _idle_notes(held: HeldStructure) -> tuple[str, ...]:
    return (idle_note(held.idle),) if len(held.idle) else ()


def _fixed_interface(
    place: Interface,
    K: SparseMatrix,
    M: SparseMatrix,
    method: str,
    n_modes: int,
    up_to: float | None,
    accuracy: float,
    extras: Extras,
    options: dict[str, Any],
) -> Basis:
    """Return eigenmodes with the interface held (none for Guyan), static shapes and extra shapes."""
    fe, boundary = place.fe, place.rows
    inside = np.setdiff1d(fe.free_rows(), boundary)
    held = HeldStructure(fe, K, M, inside)
    if method == "guyan" and held.rigid.shape[1]:
        raise ModelError(
            f"the interface of model '{fe.name}' leaves {held.rigid.shape[1]} rigid motions free, which static shapes "
            "alone cannot describe; hold more freedoms or use method='craig-bampton'."
        )
    static = np.zeros((fe.ndof, boundary.size), order="F")
    static[boundary, np.arange(boundary.size)] = 1.0
    if held.n:
        static[held.rows] = -held.solve(K[held.rows][:, boundary].toarray())
    labels = tuple(Shape("static", label) for label in place.labels)
    if method == "guyan":
        modes = held.modes(0)
    elif up_to is not None:
        modes = enough_modes(held, static, multiply(K, static), multiply(M, static), up_to, accuracy, options)
    else:
        modes = held.modes(n_modes, **options)
    more, more_labels = extra_shapes(held, modes, extras, static, boundary)
    basis = _assembled(held, K, M, modes, np.hstack([static, more]), labels + more_labels, "fixed-interface mode")
    notes = cluster_notes(len(modes), 0 if method == "guyan" else n_modes, up_to)
    basis = replace(basis, notes=_idle_notes(held) + notes)
    free = fe.free_rows()
    motions = np.zeros((fe.ndof, 6))
    found = strainless_motions(fe, K if free.size == fe.ndof else K[free][:, free], free)
    motions[free, : found.shape[1]] = found
    return without_dependent_shapes(with_clean_statics(basis, motions[boundary, : found.shape[1]]))


def _free_interface(
    place: Interface,
    K: SparseMatrix,
    M: SparseMatrix,
    method: str,
    n_modes: int,
    up_to: float | None,
    extras: Extras,
    options: dict[str, Any],
) -> Basis:
    """Return eigenmodes of the body as it is supported, and attachment shapes for the interface if wanted."""
    fe = place.fe
    held = HeldStructure(fe, K, M, fe.free_rows())
    modes = held.modes(n_modes, **options) if up_to is None else held.modes(below=up_to, **options)
    loaded = extras if method == "eigenmodes" else extras.with_loads(place.table)
    more, labels = extra_shapes(held, modes, loaded, np.empty((fe.ndof, 0)), np.empty(0, dtype=np.int64))
    basis = _assembled(held, K, M, modes, more, labels, "mode", keep_rigid=False)
    notes = _idle_notes(held) + cluster_notes(len(modes), n_modes, up_to)
    basis = without_dependent_shapes(replace(basis, notes=notes))
    return with_unit_mass(basis, orthogonal=method != "macneal")


def _assembled(
    held: HeldStructure,
    K: SparseMatrix,
    M: SparseMatrix,
    modes: Modes,
    others: Array,
    labels: tuple[Shape, ...],
    word: str,
    keep_rigid: bool = True,
) -> Basis:
    """Return the basis of modes of a held structure and shapes of the whole; its free rigid motions come first."""
    ndof = K.shape[0]
    # a body that hangs on a joint turns about it: without these motions the basis could not follow
    rigid = held.rigid if keep_rigid else held.rigid[:, :0]
    eigen = np.zeros((ndof, rigid.shape[1] + len(modes)), order="F")
    eigen[held.rows] = np.hstack([rigid, modes.shapes])
    value = np.concatenate([np.zeros(rigid.shape[1]), modes.value])
    names = [Shape("eigen", f"rigid motion {k + 1}") for k in range(rigid.shape[1])]
    names += [Shape("eigen", f"{word} {k + 1}") for k in range(len(modes))]
    return make_basis(K, M, eigen, value, others, (*names, *labels))


def _body(
    place: Interface,
    basis: Basis,
    M: SparseMatrix,
    kind: MassKind | None,
    method: str,
    inertia: str,
    settings: dict[str, str],
) -> ReducedBody:
    fe = place.fe
    shapes = fe.expand(basis.shapes).reshape(6 * fe.nnode, -1)
    constants = None
    if inertia == "exact":
        # products of tall and narrow matrices: more threads of BLAS would only wait for memory
        with threadpool_limits(1, user_api="blas"):
            constants = exact_inertia_constants(fe, shapes, fe.assembled(mass_quantity(kind)) if fe.couplings else M)
        constants = replace(constants, HH=basis.mass)  # one kinetic energy, one matrix: the difference is round-off
    pieces = nodal_pieces(fe)
    n = len(basis.labels)
    frequency = np.full(n, np.nan)
    frequency[: basis.n_eigen] = np.sqrt(basis.value) / (2.0 * np.pi)
    here, notes = fe.placed, basis.notes
    if not here.all():
        notes += (_FOREIGN,)
        shapes = shapes.reshape(fe.nnode, 6, -1)[here].reshape(6 * int(here.sum()), -1)
        pieces = Pieces(pieces.mass[here], pieces.inertia[here], pieces.offset[here])
    return ReducedBody(
        nodes=fe.nodes[here],
        node_ids=fe.node_ids[here],
        shapes=shapes,
        kind=tuple(label.kind for label in basis.labels),
        origin=tuple(label.origin for label in basis.labels),
        frequency=frequency,
        mass=basis.mass,
        stiffness=basis.stiffness,
        nodal_mass=pieces.mass,
        nodal_inertia=pieces.inertia,
        nodal_offset=pieces.offset,
        interface=place.table[:0] if method == "eigenmodes" else place.table,
        supports=fe.supports,
        mesh=display_mesh(fe),
        damping=_damping(fe, basis.shapes),
        constants=constants,
        node_names=place.names,
        name=fe.name,
        notes=notes,
        provenance=Provenance(
            program=f"floatframe {__version__}",
            created=datetime.now().isoformat(timespec="milliseconds"),
            settings=settings,
        ),
    )


def _wants_geometric(asked: bool | None, place: Interface, body: ReducedBody) -> bool:
    """Whether to compute the geometric terms: if asked for, and by default where joints will take hold of the body."""
    if asked and not place.fe.blocks:
        raise ModelError(
            f"model '{place.fe.name}' is given by its matrices; geometric terms need elements, leave geometric out."
        )
    return bool(asked) if asked is not None else bool(len(body.interface) and place.fe.blocks)


def _softest_modes(body: ReducedBody) -> tuple[Array, Array]:
    """Return the softest elastic modes in the shapes of a body (n, s), and their amplitudes in a deformation (s, n)."""
    value, vectors = reduced_modes(body.mass, body.stiffness)
    modes = vectors[:, np.flatnonzero(value)[:_SOFTEST]]
    return modes, modes.T @ body.mass


def _damping(fe: AnyModel, shapes: Array) -> Array:
    D = fe.damping()
    if not D.nnz:
        return np.zeros((shapes.shape[1],) * 2)
    damping = shapes.T @ (D @ shapes)
    return (damping + damping.T) / 2.0
