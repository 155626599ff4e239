"""What every element kind offers; one module per kind, registered by name.

All methods work on a batch: many elements of one kind with the same material and section.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray, short_repr
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.fem.neighbours import Around
    from floatframe.fem.properties import Material, Section


@short_repr
@dataclass(frozen=True)
class Batch:
    """Geometry and properties of some elements of one block.

    xyz (nel, nnode, 3) node positions in model axes [m]; `data` holds per-element arrays (first axis nel).
    curvature (nel, 3, 3) in model axes [1/m] of the surface that flat elements stand for (`fem.surface`); None: flat.
    around: what surface elements need to know of their neighbours (`fem.neighbours`); None: they stand alone.
    """

    xyz: Array
    material: Material | None
    section: Section | None
    data: Mapping[str, AnyArray] = field(default_factory=dict)
    element_ids: IntArray | None = None  # user numbers, for messages
    curvature: Array | None = None
    around: Around | None = None

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(self.xyz.shape[0])

    def picked(self, rows: IntArray) -> Batch:
        """Return some of the elements."""
        data = {name: values[rows] for name, values in self.data.items()}
        ids = None if self.element_ids is None else self.element_ids[rows]
        curvature = None if self.curvature is None else self.curvature[rows]
        around = None if self.around is None else self.around.take(rows)
        return Batch(self.xyz[rows], self.material, self.section, data, ids, curvature, around)


@short_repr
@dataclass(frozen=True)
class SecondOrder:
    """Second-order work at points of elements: Σ_c stress_c slopesᵀ forms_c slopes for k states and n motions.

    stress (nel, npoint, ncomponent, k), integration weights included; slopes (nel, npoint, nrow, n) of displacements,
    or rotations; forms (ncomponent, nrow, nrow) symmetric.
    """

    stress: Array
    slopes: Array
    forms: Array

    def matrices(self) -> Array:
        """Return (nel, n, n) for the first state."""
        work = np.tensordot(self.stress[..., 0], self.forms, axes=1)
        return (self.slopes.swapaxes(2, 3) @ (work @ self.slopes)).sum(axis=1)


class Element(ABC):
    """One kind of element. Matrices are in model axes; dofs run node by node, translations then rotations."""

    kind: ClassVar[str]
    nnode: ClassVar[int]
    dof_per_node: ClassVar[int]  # 3 (translations) or 6
    dimension: ClassVar[int]  # 0 point, 1 line, 2 surface, 3 volume
    needs_material: ClassVar[bool] = True
    sees_curvature: ClassVar[bool] = False  # whether its stiffness depends on the curvature of the surface
    section_type: ClassVar[type | UnionType | None] = None
    corners: ClassVar[int]  # the first `corners` nodes are vertices, the rest lie on edges
    faces: ClassVar[
        tuple[tuple[int, ...], ...]
    ] = ()  # outward polygons of local node numbers, full order round the edge
    drawn: ClassVar[tuple[tuple[int, ...], ...]] = ()  # flat pieces that draw a curved wall; none: its face
    vtk_type: ClassVar[int]
    data_names: ClassVar[tuple[str, ...]] = ()  # per-element arrays it understands
    resultant_names: ClassVar[tuple[str, ...]] = ()  # what `resultants` returns

    @property
    def ndof(self) -> int:
        """Number of dofs of one element."""
        return self.nnode * self.dof_per_node

    @abstractmethod
    def stiffness(self, batch: Batch) -> Array:
        """Return (nel, ndof, ndof) stiffness matrices."""

    @abstractmethod
    def mass(self, batch: Batch) -> Array:
        """Return (nel, ndof, ndof) consistent mass matrices."""

    @abstractmethod
    def lumped_mass(self, batch: Batch) -> Array:
        """Return (nel, ndof) diagonals of the lumped mass, rotary inertia included.

        Elements with rigid arms may return (nel, ndof, ndof) instead, blocks between the dofs of one node.
        """

    def spin_inertia(self, batch: Batch) -> Array | None:
        """Return (nel, 3, 3) inertia of one end about the axis of elements that are lines with sections, else None."""
        return None

    def damping(self, batch: Batch) -> Array | None:
        """Return (nel, ndof, ndof) damping matrices of elements that are dampers, else None."""
        return None

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        """Return where stresses of the displacements states (nel, ndof, k) work on motions (nel, ndof, n).

        Nothing for kinds whose forces follow no line or surface.
        """
        return []

    def geometric_stiffness(self, batch: Batch, u: Array) -> Array | None:
        """Return (nel, ndof, ndof) matrices of ∫ σ:η(v, v), σ being the stresses of displacements u (nel, ndof).

        η is the part of the strain that is quadratic in v. None where there is no second-order work.
        """
        every = np.broadcast_to(np.eye(self.ndof), (batch.size, self.ndof, self.ndof))
        found = [part.matrices() for part in self.second_order(batch, u[:, :, None], every)]
        return np.sum(found, axis=0) if found else None

    def resultants(self, batch: Batch, u: Array) -> Array:
        """Return (nel, nnode, len(resultant_names)) at the nodes for displacements u (nel, ndof) in model axes."""
        raise ModelError(f"element kind '{self.kind}' has no stresses.")

    def weight_resultants(self, batch: Batch, field: Array, axis: Array | None = None) -> Array | None:
        """Return what the mass adds to `resultants` inside the elements, None if nothing.

        field (nel, ndof): accelerations [m/s2, rad/s2] of the nodes with which it is pulled, as by gravity. With an
        axis (3,): speeds whose momentum turns about it through the origin, as where centrifugal forces pull.
        """
        return None

    def axes(self, batch: Batch) -> Array:
        """Return (nel, 3, 3) whose rows are the local x, y, z axes the resultants refer to (model axes)."""
        raise ModelError(f"element kind '{self.kind}' has no local axes.")

    def node_axes(self, batch: Batch) -> Array:
        """Return (nel, nnode, 3, 3) axes that the resultants at each node refer to; in curved elements they differ."""
        axes = self.axes(batch)
        return np.broadcast_to(axes[:, None], (batch.size, self.nnode, 3, 3))

    def pressure_load(self, batch: Batch, face: int, pressure: Array) -> Array:
        """Return (nel, ndof) nodal loads of a pressure (nel,) [Pa] pushing against the outward normal of a face."""
        raise ModelError(f"element kind '{self.kind}' takes no pressure.")

    @abstractmethod
    def size_measure(self, batch: Batch) -> Array:
        """Return (nel,) signed length, area or smallest Jacobian-based volume; not positive means a bad element."""

    def warping(self, batch: Batch) -> Array | None:
        """Return (nel,) out-of-plane height over size for surface elements, else None."""
        return None

    def resists_turning(self, batch: Batch) -> BoolArray | None:
        """Return (nel,) whether its forces are out of balance, so that it resists turning with the body it belongs to.

        None for kinds that cannot be out of balance, and for springs to ground, which are meant to hold the body.
        """
        return None


_REGISTRY: dict[str, Element] = {}


def register(element: Element) -> Element:
    """Make an element kind known by its name."""
    _REGISTRY[element.kind] = element
    return element


def element_kind(kind: str) -> Element:
    """Return the element registered under this name."""
    try:
        return _REGISTRY[kind]
    except KeyError:
        raise ModelError(f"element kind '{kind}' is unknown; known kinds: {', '.join(sorted(_REGISTRY))}.") from None


def element_kinds() -> dict[str, Element]:
    """Return all registered kinds by name."""
    return dict(_REGISTRY)
