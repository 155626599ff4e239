"""What all solid elements share: isoparametric geometry, stiffness, mass, pressure and stresses.

A solid is a table (reference nodes, polynomial space, integration rules); everything else follows. Nodes are in
VTK/meshio order: corners first, then edge middles in the order of `edges`; wedges run as in meshio, Abaqus, Ansys and
Gmsh (nodes 0, 1, 2 turn right-handed towards 3, 4, 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import inv, pinv

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.elements import _gauss
from floatframe.fem.elements._gauss import Rule
from floatframe.fem.elements.base import Batch, Element, SecondOrder
from floatframe.fem.elements.solids._elasticity import FORMS, material_of, stiffness, stresses

LINEAR = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])  # exponents of 1, x, y, z

Polygons = tuple[tuple[int, ...], ...]


class Solid(Element):
    """A solid element with three translations per node.

    Data "material_axes" (nel, 3, 3), rows x, y, z, turn a material with a matrix of its own; else the model's do.
    """

    dof_per_node = 3
    dimension = 3
    data_names = ("material_axes",)
    resultant_names = ("sxx", "syy", "szz", "sxy", "syz", "szx")

    reference_nodes: ClassVar[Array]  # (nnode, 3) in reference coordinates
    exponents: ClassVar[IntArray]  # (nnode, 3) monomials spanning the shape functions
    stress_exponents: ClassVar[IntArray]  # monomials fitted to the stresses at the integration points
    edges: ClassVar[tuple[tuple[int, int], ...]] = ()  # of quadratic kinds: node corners + k lies on edge k
    stiffness_rule: ClassVar[Rule]
    mass_rule: ClassVar[Rule]
    lump_by_rows: ClassVar[bool] = True  # row sums are the best lumped mass, but are negative in quadratic elements

    # shape functions

    def basis(self, points: Array) -> Array:
        """Return (npoint, nnode): functions spanning the shape functions."""
        return monomials(self.exponents, points)

    def basis_gradients(self, points: Array) -> Array:
        """Return (npoint, nnode, 3): derivatives of `basis` by the reference coordinates."""
        return monomial_gradients(self.exponents, points)

    @cached_property
    def _coefficients(self) -> Array:
        return inv(self.basis(self.reference_nodes))

    def shape(self, points: Array) -> Array:
        """Return (npoint, nnode) shape functions at reference points (npoint, 3)."""
        return self.basis(points) @ self._coefficients

    def shape_gradients(self, points: Array) -> Array:
        """Return (npoint, nnode, 3) derivatives of the shape functions by the reference coordinates."""
        return np.einsum("qbk,bn->qnk", self.basis_gradients(points), self._coefficients)

    @cached_property
    def _stiffness_gradients(self) -> Array:
        return self.shape_gradients(self.stiffness_rule.points)

    @cached_property
    def _mass_tables(self) -> tuple[Array, Array]:
        return self.shape(self.mass_rule.points), self.shape_gradients(self.mass_rule.points)

    # matrices

    def stiffness(self, batch: Batch) -> Array:
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in pieces(batch):
            K[part] = self._stiffness(piece)
        return K

    def _stiffness(self, batch: Batch) -> Array:
        """Return (nel, ndof, ndof) stiffness matrices of a small batch."""
        gradients, volume = self.gradients(batch)
        return stiffness(gradients, volume, batch)

    def gradients(self, batch: Batch) -> tuple[Array, Array]:
        """Return d(shape)/dx (nel, nq, nnode, 3) and volumes (nel, nq) at the stiffness points."""
        cofactors, det = jacobian(batch.xyz, self._stiffness_gradients)
        self._refuse_inverted(det, batch)
        return self._stiffness_gradients @ (cofactors / det[..., None, None]), det * self.stiffness_rule.weights

    def mass(self, batch: Batch) -> Array:
        n = self.nnode
        shape, _ = self._mass_tables
        products = (shape[:, :, None] * shape[:, None, :]).reshape(-1, n * n)
        scalar = material_of(batch).rho * (self._point_volumes(batch) @ products).reshape(-1, n, n)
        scalar = 0.5 * (scalar + scalar.swapaxes(1, 2))
        return for_each_direction(scalar)

    def lumped_mass(self, batch: Batch) -> Array:
        """Return (nel, ndof): row sums, or for quadratic kinds the diagonal scaled to the mass (Hinton 1976).

        Scaled diagonals are then changed as little as moves their centre to that of the element; they stay positive.
        The nodes of quadratic kinds lie on the surface, so each element has too much inertia about its own centre,
        which fades with the square of the element size.
        """
        shape, _ = self._mass_tables
        volumes = self._point_volumes(batch)
        nodal = volumes @ shape
        if not self.lump_by_rows:
            diagonal = volumes @ shape**2
            diagonal *= (volumes.sum(axis=1) / diagonal.sum(axis=1))[:, None]
            nodal = with_first_moments(diagonal, batch.xyz, (nodal[:, None] @ batch.xyz)[:, 0])
        return np.repeat(material_of(batch).rho * nodal, 3, axis=1)

    def _point_volumes(self, batch: Batch) -> Array:
        _, dshape = self._mass_tables
        _, det = jacobian(batch.xyz, dshape)
        self._refuse_inverted(det, batch)
        return det * self.mass_rule.weights

    # loads, stresses, checks

    def pressure_load(self, batch: Batch, face: int, pressure: Array) -> Array:
        corners = [node for node in self.faces[face] if node < self.corners]
        on_face, along, weights = face_rule(self.reference_nodes[corners])
        shape, dshape = self.shape(on_face), self.shape_gradients(on_face)
        # tangents of the face in space, then its area vector, which points outwards
        tangents = tangent_vectors(batch.xyz, dshape @ along)
        area = np.cross(tangents[:, :, 0], tangents[:, :, 1]) * weights[:, None]
        loads = -pressure[:, None, None] * (shape.T @ area)
        return loads.reshape(batch.size, self.ndof)

    def resultants(self, batch: Batch, u: Array) -> Array:
        stress = np.empty((batch.size, self.nnode, 6))
        for part, piece in pieces(batch):
            H = self.displacement_gradients(piece, u[part].reshape(-1, self.nnode, 3))
            slopes = H.swapaxes(2, 3).reshape(*H.shape[:2], 9, 1)
            stress[part] = self._extrapolation @ stresses(slopes, np.ones(H.shape[:2]), piece)[..., 0]
        return stress

    def displacement_gradients(self, batch: Batch, u: Array) -> Array:
        """Return du_a/dx_i (nel, nq, 3, 3) at the stiffness points for displacements u (nel, nnode, 3)."""
        gradients, _ = self.gradients(batch)
        return u.swapaxes(1, 2)[:, None] @ gradients

    def second_order(self, batch: Batch, states: Array, motions: Array) -> list[SecondOrder]:
        gradients, volume = self.gradients(batch)
        slopes = field_gradients(gradients, motions)
        return [SecondOrder(stresses(field_gradients(gradients, states), volume, batch), slopes, FORMS)]

    def geometric_stiffness(self, batch: Batch, u: Array) -> Array:
        """The matrices of `second_order`, made once for all three directions of motion."""
        K = np.empty((batch.size, self.ndof, self.ndof))
        for part, piece in pieces(batch):
            K[part] = self._geometric_stiffness(piece, u[part])
        return K

    def _geometric_stiffness(self, batch: Batch, u: Array) -> Array:
        gradients, volume = self.gradients(batch)
        stress = stresses(field_gradients(gradients, u[:, :, None]), volume, batch)
        return for_each_direction(stress_products(gradients, stress[..., 0]))

    @cached_property
    def _extrapolation(self) -> Array:
        """(nnode, nq): least-squares polynomial through the integration points, taken at the nodes."""
        fit = pinv(monomials(self.stress_exponents, self.stiffness_rule.points))
        return monomials(self.stress_exponents, self.reference_nodes) @ fit

    def axes(self, batch: Batch) -> Array:
        """Stresses refer to the model axes."""
        return np.broadcast_to(np.eye(3), (batch.size, 3, 3))

    def size_measure(self, batch: Batch) -> Array:
        """Return (nel,) the smallest Jacobian determinant (corners, stiffness points) times the reference volume."""
        points = np.vstack([self.check_nodes, self.stiffness_rule.points])
        _, det = jacobian(batch.xyz, self.shape_gradients(points))
        return det.min(axis=1) * self.stiffness_rule.weights.sum()

    @property
    def check_nodes(self) -> Array:
        """Reference points of nodes at which the Jacobian must be positive."""
        return self.reference_nodes[: self.corners]

    def _refuse_inverted(self, det: Array, batch: Batch) -> None:
        bad = np.flatnonzero((det <= 0).any(axis=1))
        if bad.size:
            number = bad[0] + 1 if batch.element_ids is None else batch.element_ids[bad[0]]
            raise ModelError(
                f"element {number} ({self.kind}): the Jacobian determinant is {det[bad[0]].min():.3g}, expected "
                "positive; its nodes are in the wrong order or its shape is folded or flat."
            )


# polynomials


def monomials(exponents: IntArray, points: Array) -> Array:
    """Return (npoint, nterm) values of x^a y^b z^c."""
    return np.prod(points[:, None, :] ** exponents, axis=2)


def monomial_gradients(exponents: IntArray, points: Array) -> Array:
    """Return (npoint, nterm, 3) derivatives of x^a y^b z^c."""
    columns = []
    for k in range(3):
        lowered = exponents.copy()
        lowered[:, k] = np.maximum(lowered[:, k] - 1, 0)
        columns.append(exponents[:, k] * monomials(lowered, points))
    return np.stack(columns, axis=2)


def with_edge_middles(nodes: Array, edges: Iterable[tuple[int, int]]) -> Array:
    """Return the corners followed by the middles of the edges."""
    pairs = np.array(list(edges))
    return np.vstack([nodes, nodes[pairs].mean(axis=1)])


def quadratic_faces(faces: Polygons, edges: tuple[tuple[int, int], ...], corners: int) -> Polygons:
    """Return the faces of corners with the edge nodes inserted between them, in order round the face."""
    middle = {frozenset(edge): corners + k for k, edge in enumerate(edges)}
    return tuple(
        tuple(n for a, b in zip(face, face[1:] + face[:1], strict=True) for n in (a, middle[frozenset((a, b))]))
        for face in faces
    )


# geometry


def tangent_vectors(xyz: Array, derivatives: Array) -> Array:
    """Return dX/dξ_k (nel, nq, nk, 3) for node positions (nel, nnode, 3) and shape derivatives (nq, nnode, nk)."""
    nq, nnode, nk = derivatives.shape
    flat = derivatives.swapaxes(1, 2).reshape(nq * nk, nnode)
    return (flat @ xyz).reshape(-1, nq, nk, 3)


def jacobian(xyz: Array, derivatives: Array) -> tuple[Array, Array]:
    """Return cofactors (nel, nq, 3, 3), row k being det * dξ_k/dX, and determinants (nel, nq)."""
    tangents = tangent_vectors(xyz, derivatives)
    first, second, third = tangents[:, :, 0], tangents[:, :, 1], tangents[:, :, 2]
    cofactors = np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], axis=2)
    return cofactors, np.einsum("eqi,eqi->eq", first, cofactors[:, :, 0])


def with_first_moments(weights: Array, xyz: Array, moments: Array) -> Array:
    """Return positive weights (nel, nnode) of nodes (nel, nnode, 3), same sums, with first moments (nel, 3) = Σ w x.

    The least relative change that does it is linear in position. Where it would take more than nine tenths of a weight,
    in elements close to folding, it is made smaller and the moments are met only in part.
    """
    total = weights.sum(axis=1)
    from_centre = xyz - ((weights[:, None] @ xyz) / total[:, None, None])
    missing = moments - (weights[:, None] @ xyz)[:, 0]
    second = (from_centre * weights[:, :, None]).swapaxes(1, 2) @ from_centre
    change = (from_centre @ np.linalg.solve(second, missing[:, :, None]))[:, :, 0]
    largest = np.maximum(-change.min(axis=1), 0.9)
    return weights * (1.0 + change * (0.9 / largest)[:, None])


def face_rule(corners: Array) -> tuple[Array, Array, Array]:
    """Return points (nq, 3) on a plane face of the reference shape, its two directions (3, 2), and weights (nq,)."""
    along = np.stack([corners[1] - corners[0], corners[-1] - corners[0]], axis=1)
    rule = _gauss.triangle(5)
    if len(corners) == 4:
        rule = _gauss.square(3)
        rule = Rule(rule.points / 2.0 + 0.5, rule.weights / 4.0)
    return corners[0] + rule.points @ along.T, along, rule.weights


def pieces(batch: Batch, most: int = 64) -> Iterator[tuple[slice, Batch]]:
    """Yield (rows, batch) parts so small that the working arrays stay in cache."""
    for start in range(0, batch.size, most):
        part = slice(start, min(start + most, batch.size))
        ids = None if batch.element_ids is None else batch.element_ids[part]
        data = {name: values[part] for name, values in batch.data.items()}
        yield part, replace(batch, xyz=batch.xyz[part], data=data, element_ids=ids)


# fields


def field_gradients(gradients: Array, fields: Array) -> Array:
    """Return slopes by x, y, z of u, v, w (nel, nq, 9, k) of fields (nel, 3n, k) with gradients (nel, nq, n, 3)."""
    nel, nq, n, _ = gradients.shape
    flat = fields.reshape(nel, 1, n, -1)
    return (gradients.swapaxes(2, 3) @ flat).reshape(nel, nq, 9, -1)


def stress_products(gradients: Array, stress: Array) -> Array:
    """Return symmetric (nel, n, n) sums of ∇N_a σ ∇N_b for weighted stresses (nel, nq, 6)."""
    nel, nq, n, _ = gradients.shape
    tensor = stress[..., [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    pulled = gradients @ tensor
    flat = [part.swapaxes(1, 2).reshape(nel, n, 3 * nq) for part in (pulled, gradients)]
    products = flat[0] @ flat[1].swapaxes(1, 2)
    return 0.5 * (products + products.swapaxes(1, 2))


def for_each_direction(scalar: Array) -> Array:
    """Return (nel, 3n, 3n) matrices that hold scalar (nel, n, n) for each of the three directions of motion."""
    nel, n, _ = scalar.shape
    matrices = np.zeros((nel, n, 3, n, 3))
    matrices[:, :, range(3), :, range(3)] = scalar
    return matrices.reshape(nel, 3 * n, 3 * n)
