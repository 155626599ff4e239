"""From a finite element model to a reduced flexible body.

Craig and Bampton (1968), the default: eigenmodes with the interface held and static shapes of unit interface
displacements. Guyan (1965): the static shapes alone. Eigenmodes: those of the body as it is supported, rigid motions
left out. Attachment: besides these the elastic shapes under unit loads at the interface, made mass-orthonormal. MacNeal
(1971): the same shapes, each left to its own dof; their mass is kept, as Rubin (1975) does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import mass_quantity
from floatframe.modal.analysis import HeldStructure, idle_note
from floatframe.modal.body import Pieces, Provenance, ReducedBody, display_mesh, exact_inertia_constants, nodal_pieces
from floatframe.modal.factor import multiply
from floatframe.modal.lanczos import (
    LanczosOptions,
    Modes,
    Progress,
    cluster_notes,
    reduced_modes,
    strainless_motions,
)
from floatframe.modal.reduction.basis import (
    Basis,
    Shape,
    make_basis,
    with_clean_statics,
    with_unit_mass,
    without_dependent_shapes,
)
from floatframe.modal.reduction.extra_shapes import ExtraShapes, extra_shapes
from floatframe.modal.reduction.geometric import geometric_terms
from floatframe.modal.reduction.interface import Interface, find_interface
from floatframe.modal.reduction.methods import METHODS, Method
from floatframe.modal.reduction.residual import nodal_flexibility
from floatframe.modal.reduction.truncation import enough_modes
from floatframe.version import __version__

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, DofSpec, FEModel, MassKind

_FIXED_INTERFACE = ("craig-bampton", "guyan")
_SOFTEST = 6  # modes whose inertia is followed through deformations
_FOREIGN = (
    "the body was reduced by another program, which gives the motion of its interface alone: the change of its inertia "
    "under deformation is that of the interface and the static shapes between"
)
_ACCURACY = 1e-3  # relative error of frequencies unless another is asked for


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
    extra: ExtraShapes | None = None,
    geometric: bool | None = None,
    options: LanczosOptions | None = None,
    progress: Progress | None = None,
) -> ReducedBody:
    """Return the reduced flexible body of a model; the model's own supports stay held.

    A cluster of equal frequencies, such as a pair of a square bar, is never cut: the rest of it comes along, and
    `body.notes` says so. The provenance of the body names the file that the model was read from and all choices.

    Parameters
    ----------
    fe
        The model.
    interface
        Where joints attach: node numbers, set names, reference nodes of couplings, or single dofs such as (12, "uz").
    n_modes
        How many eigenmodes.
    method
        "craig-bampton", "guyan", "eigenmodes", "attachment" or "macneal"; see the head of this module.
    up_to
        As many modes as it takes up to this frequency [Hz], instead of n_modes. Craig–Bampton brings the frequencies of
        the free body up to there within the accuracy, by an a-posteriori estimate; methods with eigenmodes of the body
        itself take all up to there.
    accuracy
        Relative error of frequencies up to there (default: 1e-3).
    mass
        Of the generalised matrices: "consistent", "lumped" or "points", by default the rule of the model.
    inertia
        Constants of the floating frame, by default those of the same mass: "exact" with the consistent, sums over nodes
        ("nodal") with the lumped.
    extra
        Shapes besides: under loads and accelerations, or given ones.
    geometric
        Whether to compute the terms of stiffening under load (`body.geometric`), by default for bodies with interface
        nodes; the provenance says what they cost.
    options
        How the search for eigenmodes runs.
    progress
        Called with the numbers of modes found and wanted.
    """
    wanted = _Wanted(method, n_modes, up_to, accuracy, options, progress)
    rule = mass or fe.mass_rule
    inertia = _kind_of_inertia(inertia, rule)
    place = find_interface(fe, interface)
    if method in _FIXED_INTERFACE and not place.rows.size:
        raise ModelError(f"method '{method}' needs interface nodes; name them, or use method='eigenmodes'.")
    K, M = place.fe.stiffness(), place.fe.mass(mass)
    place, notes = _without_idle(place, K, M)
    build = _fixed_interface if method in _FIXED_INTERFACE else _free_interface
    basis, held = build(place, K, M, wanted, extra or ExtraShapes())
    settings = {
        "method": method,
        "mass": rule,
        "n_modes": str(basis.n_eigen),
        "interface": ", ".join(place.labels),
        "inertia": inertia,
        **wanted.limits,
    }
    body = _body(place, replace(basis, notes=notes + basis.notes), M, mass, method, inertia, settings)
    body = replace(body, flexibility=nodal_flexibility(held, build is _fixed_interface))
    if not _wants_geometric(geometric, place, body):
        return body
    begin = perf_counter()
    rows = place.rows[: len(body.interface)]
    terms = geometric_terms(cast("FEModel", place.fe), K, M, mass, rows, body.shapes, _softest_modes(body))
    settings["geometric"] = f"{len(terms)} load states in {perf_counter() - begin:.1f} s"
    return replace(body, geometric=terms, provenance=replace(body.provenance, settings=settings))


@dataclass(frozen=True)
class _Wanted:
    """Which modes a body gets; see `reduce`."""

    method: str
    n_modes: int
    up_to: float | None
    accuracy: float | None
    options: LanczosOptions | None
    progress: Progress | None

    def __post_init__(self) -> None:
        method, up_to, accuracy = self.method, self.up_to, self.accuracy
        if method not in METHODS:
            raise ModelError(f"method '{method}' is unknown; use one of {', '.join(METHODS)}.")
        if not isinstance(self.n_modes, int | np.integer) or self.n_modes < 0:
            raise ModelError(f"n_modes is {self.n_modes}; expected a whole number, zero or more.")
        if up_to is not None and not 0.0 < up_to < np.inf:
            raise ModelError(f"up_to is {up_to} Hz; expected a positive frequency.")
        if up_to is not None and method == "guyan":
            raise ModelError("up_to is given, but method 'guyan' has no modes to choose; use method='craig-bampton'.")
        if accuracy is None:
            return
        if up_to is None or method != "craig-bampton":
            raise ModelError(
                "accuracy is given, but it applies to up_to with method 'craig-bampton' only; leave it out."
            )
        if not 0.0 < accuracy < 1.0:
            raise ModelError(f"accuracy is {accuracy:g}; expected a relative error between 0 and 1, such as 1e-3.")

    @property
    def limits(self) -> dict[str, str]:
        """Frequency and accuracy that are asked for, as the provenance of a body has them."""
        if self.up_to is None:
            return {}
        limit = {"up_to": f"{self.up_to:g} Hz"}
        return {**limit, "accuracy": f"{self.accuracy or _ACCURACY:g}"} if self.method == "craig-bampton" else limit

    def modes(self, held: HeldStructure) -> Modes:
        """Return the eigenmodes of a structure as it is held: so many, or all up to the frequency."""
        if self.up_to is None:
            return held.modes(self.n_modes, None, self.options, self.progress)
        return held.modes(None, self.up_to, self.options, self.progress)

    def enough_modes(self, held: HeldStructure, static: Array, K: SparseMatrix, M: SparseMatrix) -> Modes:
        """Return the eigenmodes that go with static shapes (ndof, b) of an interface."""
        if self.method == "guyan":
            return held.modes(0)
        if self.up_to is None:
            return self.modes(held)
        products = multiply(K, static), multiply(M, static)
        limit = self.up_to, self.accuracy or _ACCURACY
        return enough_modes(held, static, *products, *limit, self.options, self.progress)

    def notes(self, found: int) -> tuple[str, ...]:
        """Return what to say of a cluster that came along with the modes asked for."""
        return cluster_notes(found, 0 if self.method == "guyan" else self.n_modes, self.up_to)


def _kind_of_inertia(inertia: str | None, mass: str) -> Literal["nodal", "exact"]:
    """Return the constants to make, by default those that belong to the generalised mass.

    Those of lumped masses with rotary inertia are sums over nodes, all others come from the mass matrix itself.
    """
    if inertia not in (None, "nodal", "exact"):
        raise ModelError(f"inertia {inertia!r} is unknown; use 'exact' (consistent mass) or 'nodal' (lumped mass).")
    if inertia == "exact" and mass == "lumped":
        raise ModelError("inertia='exact' needs the consistent mass, but mass is 'lumped'; leave one of them out.")
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
    place: Interface, K: SparseMatrix, M: SparseMatrix, wanted: _Wanted, extra: ExtraShapes
) -> tuple[Basis, HeldStructure]:
    """Return eigenmodes with the interface held (none for Guyan), static and extra shapes; and what they are of."""
    fe, boundary = place.fe, place.rows
    inside = np.setdiff1d(fe.free_rows(), boundary)
    held = HeldStructure(fe, K, M, inside)
    if wanted.method == "guyan" and held.rigid.shape[1]:
        raise ModelError(
            f"the interface of model '{fe.name}' leaves {held.rigid.shape[1]} rigid motions free, which static shapes "
            "alone cannot describe; hold more dofs or use method='craig-bampton'."
        )
    static = np.zeros((fe.ndof, boundary.size), order="F")
    static[boundary, np.arange(boundary.size)] = 1.0
    if held.n:
        static[held.rows] = -held.solve(K[held.rows][:, boundary].toarray())
    labels = tuple(Shape("static", label) for label in place.labels)
    modes = wanted.enough_modes(held, static, K, M)
    more, more_labels = extra_shapes(held, modes, extra, static, boundary)
    basis = _assembled(held, K, M, modes, np.hstack([static, more]), labels + more_labels, "fixed-interface mode")
    basis = replace(basis, notes=_idle_notes(held) + wanted.notes(len(modes)))
    free = fe.free_rows()
    motions = np.zeros((fe.ndof, 6))
    found = strainless_motions(fe, K if free.size == fe.ndof else K[free][:, free], free)
    motions[free, : found.shape[1]] = found
    return without_dependent_shapes(with_clean_statics(basis, motions[boundary, : found.shape[1]])), held


def _free_interface(
    place: Interface, K: SparseMatrix, M: SparseMatrix, wanted: _Wanted, extra: ExtraShapes
) -> tuple[Basis, HeldStructure]:
    """Return eigenmodes of the body as it is supported, attachment shapes if wanted, and what they are of."""
    fe = place.fe
    held = HeldStructure(fe, K, M, fe.free_rows())
    modes = wanted.modes(held)
    loaded = extra if wanted.method == "eigenmodes" else extra.with_loads(place.table)
    more, labels = extra_shapes(held, modes, loaded, np.empty((fe.ndof, 0)), np.empty(0, dtype=np.int64))
    basis = _assembled(held, K, M, modes, more, labels, "mode", keep_rigid=False)
    basis = without_dependent_shapes(replace(basis, notes=_idle_notes(held) + wanted.notes(len(modes))))
    return with_unit_mass(basis, orthogonal=wanted.method != "macneal"), held


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
            source=fe.source.name,
            source_hash=fe.source.sha256,
            settings=settings,
        ),
    )


def _wants_geometric(asked: bool | None, place: Interface, body: ReducedBody) -> bool:
    """Whether to compute the geometric terms: on request, and by default where joints attach to the body."""
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
