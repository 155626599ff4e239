"""The reduced flexible body: what an input.fum holds and a hybrid model uses. Pure data, changed by copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray, all_distinct
from floatframe.errors import ModelError
from floatframe.modal.body.carried import Missing, NodalFlexibility, missing_flexibility
from floatframe.modal.body.deformed_inertia import frequency_shift
from floatframe.modal.body.display_mesh import DisplayMesh
from floatframe.modal.body.geometric_terms import PRODUCTS, GeometricTerms
from floatframe.modal.body.inertia import InertiaConstants, nodal_inertia_constants
from floatframe.modal.body.shape_source import Shapes, require_finite
from floatframe.modal.body.stress_shapes import StressShapes
from floatframe.modal.lanczos import end_of_cluster, halved_clusters, reduced_modes

KINDS = ("static", "eigen", "attachment")

_SYMMETRY = 1e-8  # of the largest entry


@dataclass(frozen=True)
class Provenance:
    """Where a body comes from: program, moment (ISO 8601), source file and its SHA-256, settings, comment."""

    program: str = ""
    created: str = ""
    source: str = ""
    source_hash: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""


def array_shapes(nnode: int, nmode: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes that the arrays of a body must have."""
    return {
        "nodes": (nnode, 3),
        "frequency": (nmode,),
        "mass": (nmode, nmode),
        "stiffness": (nmode, nmode),
        "damping": (nmode, nmode),
        "nodal_mass": (nnode,),
        "nodal_inertia": (nnode, 3, 3),
        "nodal_offset": (nnode, 3),
    }


def _pairs() -> IntArray:
    return np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True)
class ReducedBody:
    """A flexible body described by `nmode` shapes; SI units, axes of its finite element model.

    Columns of `shapes` stand in the order eigenmodes, static shapes, attachment shapes. A static shape is the motion
    for a unit displacement of one interface dof, the others held; interface row k belongs to static shape k.
    Nodes carry rigid pieces: mass, inertia about the piece's own centre, offset of that centre from the node.
    """

    nodes: Array  # (nnode, 3) positions [m]
    node_ids: IntArray  # (nnode,) user numbers
    shapes: Shapes = Shapes()  # noqa: RUF009  (a descriptor) (6 nnode, nmode), node by node: ux uy uz rx ry rz
    kind: tuple[str, ...] = ()  # per column one of KINDS
    origin: tuple[str, ...] = ()  # per column: which interface dof, which mode, which load
    frequency: Array = field(default_factory=lambda: np.empty(0))  # (nmode,) [Hz], NaN where it is not an eigenmode
    mass: Array = field(default_factory=lambda: np.empty((0, 0)))  # (nmode, nmode) generalised
    stiffness: Array = field(default_factory=lambda: np.empty((0, 0)))
    nodal_mass: Array = field(default_factory=lambda: np.empty(0))  # (nnode,) [kg]
    nodal_inertia: Array = None  # type: ignore[assignment]  # (nnode, 3, 3) [kg m2]
    nodal_offset: Array = None  # type: ignore[assignment]  # (nnode, 3) [m]
    interface: IntArray = field(default_factory=_pairs)  # (k, 2) node number and component 0..5
    supports: IntArray = field(default_factory=_pairs)  # (s, 2) dofs of the model held at zero
    mesh: DisplayMesh = field(default_factory=DisplayMesh)
    damping: Array = None  # type: ignore[assignment]  # (nmode, nmode) generalised, of the model's damper elements
    orthonormal: bool = False  # both generalised matrices are diagonal
    constants: InertiaConstants | None = None  # exact ones, if they were computed from the consistent mass
    geometric: GeometricTerms | None = None  # second-order motion and stiffening, if they were computed
    flexibility: NodalFlexibility | None = None  # of the model it was made from, if it was computed
    stress: StressShapes | None = None  # stresses of the shapes, if they were computed
    node_names: Mapping[str, int] = field(default_factory=dict)  # numbers of single nodes: reference nodes and the like
    name: str = "body"
    notes: tuple[str, ...] = ()  # what the reduction has to say: dropped columns and the like
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        nnode = len(self.nodes)
        shape = tuple(self.__dict__["_shapes"].shape)
        if len(shape) != 2 or shape[0] != 6 * nnode:
            raise self._complaint("shapes", shape, f"(6 x {nnode}, nmode)")
        n = shape[1]
        fill = {
            "nodal_inertia": np.zeros((nnode, 3, 3)),
            "nodal_offset": np.zeros((nnode, 3)),
            "damping": np.zeros((n, n)),
        }
        for name, wanted in array_shapes(nnode, n).items():
            values = getattr(self, name)
            values = np.asarray(fill[name] if values is None else values, dtype=float)
            if values.shape != wanted:
                raise self._complaint(name, values.shape, str(wanted))
            if name != "frequency":
                require_finite(values, name)
            object.__setattr__(self, name, values)
        object.__setattr__(self, "node_ids", np.asarray(self.node_ids, dtype=np.int64))
        for name in ("interface", "supports"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.int64).reshape(-1, 2))
        object.__setattr__(self, "node_names", {str(name): int(node) for name, node in self.node_names.items()})
        self._check_columns(n)
        self._check_numbers()

    def _complaint(self, name: str, found: tuple[int, ...], expected: str) -> ModelError:
        return ModelError(f"body '{self.name}': {name} has shape {found}, expected {expected}.")

    def _check_columns(self, n: int) -> None:
        for name in ("kind", "origin"):
            if len(getattr(self, name)) != n:
                raise ModelError(f"body '{self.name}': {len(getattr(self, name))} entries of {name} for {n} shapes.")
        if not set(self.kind) <= set(KINDS):
            raise ModelError(f"body '{self.name}': kinds of shapes are {set(self.kind)}, expected {', '.join(KINDS)}.")
        if np.isinf(self.frequency).any() or (self.frequency < 0).any():
            raise ModelError(f"body '{self.name}': a frequency is negative or not finite.")
        for name in ("mass", "stiffness", "damping"):
            matrix = getattr(self, name)
            if np.abs(matrix - matrix.T).max(initial=0.0) > _SYMMETRY * np.abs(matrix).max(initial=0.0):
                raise ModelError(f"body '{self.name}': the generalised {name} matrix is not symmetric.")

        if self.flexibility is not None and self.flexibility.force.shape != (len(self.nodes),):
            raise self._complaint("flexibility.force", self.flexibility.force.shape, f"({len(self.nodes)},)")
        if self.stress is not None and self.stress.n != n:
            raise ModelError(f"body '{self.name}': stresses of {self.stress.n} shapes, the body has {n}.")
        if self.geometric is not None and (self.geometric.n, len(self.geometric.interface)) != (n, len(self.interface)):
            raise self._complaint(
                "geometric.interface", self.geometric.interface.shape, f"({len(self.interface)}, {n}, {n})"
            )

    def _check_numbers(self) -> None:
        if self.node_ids.shape != (len(self.nodes),):
            raise self._complaint("node_ids", self.node_ids.shape, f"({len(self.nodes)},)")
        if not all_distinct(self.node_ids):
            raise ModelError(f"body '{self.name}': a node number is used more than once.")
        if (self.nodal_mass < 0).any():
            raise ModelError(f"body '{self.name}': a nodal mass is negative.")
        for name in ("interface", "supports"):
            pairs = getattr(self, name)
            self.node_index(pairs[:, 0], name)
            if pairs.size and (pairs[:, 1].min() < 0 or pairs[:, 1].max() > 5):
                raise ModelError(f"body '{self.name}': {name} names a component outside 0 to 5.")
        for name, node in self.node_names.items():
            self.node_index([node], f"the name '{name}'")
        top = self.mesh.connectivity.max(initial=-1)
        if top >= len(self.nodes) or self.mesh.connectivity.min(initial=0) < 0:
            raise ModelError(f"body '{self.name}': an element names node row {top}, there are {len(self.nodes)} nodes.")

    def __repr__(self) -> str:
        known = self.frequency[np.isfinite(self.frequency)]
        kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(self.kind).items())
        span = f", {known.min():.6g} … {known.max():.6g} Hz" if known.size else ""
        return (
            f"ReducedBody({self.name!r}: {self.nnode} nodes, {self.nodal_mass.sum():.6g} kg; shapes: {kinds}{span}; "
            f"{len(np.unique(self.interface[:, 0]))} interface nodes)"
        )

    # counting and finding

    @property
    def nnode(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @property
    def nmode(self) -> int:
        """Number of shapes of all kinds."""
        return int(self.frequency.size)

    def columns(self, *kinds: str) -> IntArray:
        """Return the columns of some kinds of shape."""
        return np.flatnonzero([kind in kinds for kind in self.kind])

    @property
    def n_static(self) -> int:
        """Number of static shapes."""
        return self.kind.count("static")

    @property
    def n_eigen(self) -> int:
        """Number of eigenmodes."""
        return self.kind.count("eigen")

    def node_index(self, ids: Iterable[int] | AnyArray, what: str = "request") -> IntArray:
        """Return row indices into `nodes` for node numbers."""
        wanted = np.atleast_1d(np.asarray(ids, dtype=np.int64))
        order = np.argsort(self.node_ids, kind="stable")
        place = np.searchsorted(self.node_ids[order], wanted).clip(max=max(len(order) - 1, 0))
        found = order[place] if len(order) else np.zeros(wanted.shape, dtype=np.int64)
        known = self.node_ids[found] == wanted if len(order) else np.zeros(wanted.shape, dtype=bool)
        if not known.all():
            raise ModelError(f"body '{self.name}': {what} names node {wanted[~known][0]}, which it does not have.")
        return found

    @property
    def interface_nodes(self) -> IntArray:
        """Node numbers of the interface in the order of its table."""
        return np.array(list(dict.fromkeys(self.interface[:, 0].tolist())), dtype=np.int64)

    def name_of(self, node: int) -> str:
        """Return the name of a node by its number, the first one if it has several, "" if it has none."""
        return next((name for name, number in self.node_names.items() if number == node), "")

    def expand(self, w: Array) -> Array:
        """Return nodal displacements (nnode, 6[, k]) [m, rad] for modal coordinates w (nmode[, k])."""
        w = np.asarray(w, dtype=float)
        if w.shape[:1] != (self.nmode,):
            raise ModelError(f"body '{self.name}': w has shape {w.shape}, expected {self.nmode} rows.")
        return (self.shapes @ w).reshape(self.nnode, 6, *w.shape[1:])

    @cached_property
    def inertia(self) -> InertiaConstants:
        """The nine inertia constants: the exact ones if the body carries them, else the sums over its nodes."""
        if self.constants is not None:
            return self.constants
        return nodal_inertia_constants(self.nodes, self.shapes, self.nodal_mass, self.nodal_inertia, self.nodal_offset)

    @property
    def mass_difference(self) -> float:
        """Largest difference of the constants' HH from the generalised mass, shapes taken to unit generalised mass."""
        size = np.sqrt(np.maximum(np.diag(self.mass), np.finfo(float).tiny))
        return float(np.abs((self.inertia.HH - self.mass) / np.outer(size, size)).max(initial=0.0))

    @property
    def stress_shapes(self) -> StressShapes:
        """The stresses of the shapes; a body that keeps none is refused."""
        if self.stress is None:
            raise ModelError(
                f"body '{self.name}' keeps no stresses of its shapes; reduce it with them: floatframe reduce MODEL … "
                "--stress all -o body.h5, or ff.modal.with_stress(body, fe)"
            )
        return self.stress

    def missing_flexibility(self, nodes: Iterable[int] | AnyArray | None = None) -> Missing | None:
        """Return what the shapes miss of static displacements under loads at some nodes (numbers) or at all.

        None if the body does not know the flexibility of its model: it knows if it was reduced here and kept in HDF5.
        """
        return missing_flexibility(self, self.node_ids if nodes is None else np.asarray(nodes, dtype=np.int64))

    # change by copy

    def drop(self, modes: int | Iterable[int] | AnyArray) -> ReducedBody:
        """Return a body without some eigenmodes, given by number (counted from 1) or as a mask (nmode,).

        Static and attachment shapes cannot be dropped. Where a part of a cluster of equal frequencies goes, a note of
        the new body says so.
        """
        gone = self._picked(modes)
        self._require_droppable(gone)
        return self._kept(~gone)

    def keep(self, modes: int | Iterable[int] | AnyArray) -> ReducedBody:
        """Return a body with these eigenmodes only (see `drop`); static and attachment shapes stay unasked."""
        picked, eigen = self._picked(modes), np.array([kind == "eigen" for kind in self.kind], dtype=bool)
        others = np.flatnonzero(picked & ~eigen)
        if others.size:
            raise ModelError(
                f"body '{self.name}': mode {others[0] + 1} is a {self.kind[others[0]]} shape "
                f"({self.origin[others[0]]}), which is always kept; name eigenmodes only."
            )
        stay = picked | ~eigen
        self._require_droppable(~stay)
        return self._kept(stay)

    def lowest(self, n: int) -> ReducedBody:
        """Return a body with its n lowest eigenmodes, and with those that share the frequency of the last of them."""
        eigen = self.columns("eigen")
        if not 0 <= n <= eigen.size:
            raise ModelError(f"body '{self.name}': {n} eigenmodes were requested, it has {eigen.size}.")
        order = eigen[np.argsort(self.frequency[eigen], kind="stable")]
        whole = end_of_cluster(self.frequency[order] ** 2, n)
        return self if whole == eigen.size else self.keep(1 + order[:whole])

    def _kept(self, stay: BoolArray) -> ReducedBody:
        smaller = self.selected(np.flatnonzero(stay))
        return replace(smaller, notes=(*smaller.notes, *halved_clusters(self.frequency, stay)))

    def frequency_shift(self, w: Array) -> Array:
        """Return what deformations w (m, n) add to the frequencies of the softest modes, (m, s) relative.

        Moving bodies leave this out, see docs/theory/geometric-stiffness.md; s is zero for a body without these states.
        """
        return frequency_shift(self.geometric, self.stiffness, w)

    def selected(self, columns: IntArray) -> ReducedBody:
        """Return a body with some columns in the given order, without asking whether that makes sense."""
        picked = np.eye(self.nmode)[:, columns]
        return replace(
            self,
            shapes=self.shapes[:, columns],
            kind=tuple(self.kind[k] for k in columns),
            origin=tuple(self.origin[k] for k in columns),
            frequency=self.frequency[columns],
            mass=self.mass[np.ix_(columns, columns)],
            stiffness=self.stiffness[np.ix_(columns, columns)],
            damping=self.damping[np.ix_(columns, columns)],
            constants=None if self.constants is None else self.constants.transformed(picked),
            geometric=None if self.geometric is None else self.geometric.transformed(picked),
            stress=self._selected_stress(picked, np.setdiff1d(np.arange(self.nmode), columns)),
        )

    def _selected_stress(self, picked: Array, gone: IntArray) -> StressShapes | None:
        """Return the stresses of some columns; what the others do under slow inertia forces joins the correction."""
        if self.stress is None or not self.stress.corrected or not gone.size:
            return None if self.stress is None else self.stress.transformed(picked)
        J = self.inertia
        turning = -np.stack([(J.rhoh[gone, i, j] + J.rhoh[gone, j, i]) / (1.0 + (i == j)) for i, j in PRODUCTS], axis=1)
        loads = np.hstack([-J.H[:, gone].T, -J.rhoH[:, gone].T, turning, -self.mass[gone] @ picked])
        stiffness = np.diag(self.stiffness)[gone]
        amplitude = np.where(stiffness[:, None] > 0.0, loads / np.where(stiffness > 0.0, stiffness, 1.0)[:, None], 0.0)
        return self.stress.with_static(picked, gone, amplitude)

    def _picked(self, modes: int | Iterable[int] | AnyArray) -> BoolArray:
        picked = np.atleast_1d(np.asarray(list(modes) if isinstance(modes, Iterable) else modes))
        if picked.dtype == bool:
            if picked.shape != (self.nmode,):
                raise ModelError(f"body '{self.name}': the mask has {picked.size} entries for {self.nmode} shapes.")
            return picked
        if picked.size and picked.dtype.kind not in "iu":
            raise ModelError(f"body '{self.name}': modes are chosen by whole numbers or a mask, not by {picked.dtype}.")
        bad = picked[(picked < 1) | (picked > self.nmode)] if picked.size else picked
        if bad.size:
            raise ModelError(f"body '{self.name}': mode {bad[0]} does not exist; modes are numbered 1 to {self.nmode}.")
        mask = np.zeros(self.nmode, dtype=bool)
        mask[picked.astype(np.int64) - 1] = True
        return mask

    def _require_droppable(self, gone: BoolArray) -> None:
        if self.orthonormal and len(self.interface) and gone.any():
            raise ModelError(
                f"body '{self.name}' was orthonormalised, which mixed its static shapes into every column, so no mode "
                "can be dropped any more; drop modes of the body before it is orthonormalised."
            )
        for column in np.flatnonzero(gone):
            if self.kind[column] != "eigen":
                raise ModelError(
                    f"body '{self.name}': mode {column + 1} is a {self.kind[column]} shape ({self.origin[column]}) and "
                    "cannot be dropped, because joints and loads at its node rely on it; drop eigenmodes only."
                )

    def with_comment(self, comment: str) -> ReducedBody:
        """Return a copy with a remark of the user in its provenance."""
        return replace(self, provenance=replace(self.provenance, comment=comment))

    def orthonormalised(self, keep_rigid: bool = False) -> ReducedBody:
        """Return the body in the eigenvectors of its own reduced pencil, rigid motions left out.

        Both generalised matrices become diagonal, the mass the unit matrix. What is left has the mean-axis property
        if the generalised mass and the nodal masses agree. A body of which nothing is left is refused.
        """
        value, T = reduced_modes(self.mass, self.stiffness)
        rigid = value == 0.0
        notes = list(self.notes)
        if not keep_rigid and rigid.any():
            value, T = value[~rigid], T[:, ~rigid]
            notes.append(f"{int(rigid.sum())} rigid motions left out by orthonormalisation")
        if not value.size:
            raise ModelError(f"body '{self.name}': all its shapes are rigid motions, no flexible shape would be left.")
        n = value.size
        damping = T.T @ self.damping @ T
        return replace(
            self,
            shapes=np.asfortranarray(self.shapes @ T),
            kind=("eigen",) * n,
            origin=tuple(f"reduced mode {k + 1}" for k in range(n)),
            frequency=np.sqrt(value) / (2.0 * np.pi),
            mass=np.eye(n),
            stiffness=np.diag(value),
            damping=(damping + damping.T) / 2.0,
            orthonormal=True,
            constants=None if self.constants is None else self.constants.transformed(T),
            geometric=None if self.geometric is None else self.geometric.transformed(T),
            stress=None if self.stress is None else self.stress.transformed(T),
            notes=tuple(notes),
        )
