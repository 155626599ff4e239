"""The geometric terms of a reduced body: load states, their stresses, and the geometric stiffness in its shapes.

No geometric stiffness is assembled. At every integration point the second-order strains of all pairs of shapes are made
once and multiplied by the stresses of all states, which is one product of two full matrices for a batch of elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, BoolArray, IntArray, SparseMatrix
from floatframe.fem import RigidArms, SecondOrder, displacements_alone, mass_quantity, rigid_motion
from floatframe.modal.analysis import HeldStructure
from floatframe.modal.body import PRODUCTS, GeometricTerms
from floatframe.modal.factor import multiply

if TYPE_CHECKING:
    from floatframe.fem import ElementBlock, FEModel, MassKind

_NUMBERS = 1 << 18  # of pair products at once: they should stay in cache
_ELEMENTS = 64  # of a batch
_BALANCED = 1e-9  # part of a load left by inertia relief that is round-off: nothing but rigid motion was requested


def geometric_terms(
    fe: FEModel,
    K: SparseMatrix,
    M: SparseMatrix,
    kind: MassKind | None,
    rows: IntArray,
    shapes: Array,
    softest: tuple[Array, Array] | None = None,
) -> GeometricTerms:
    """Return the terms for interface rows (k,) of the model and shapes (6 nnode, n).

    K, M (ndof, ndof) are the model's matrices, M of the given kind; softest, the softest modes in the shapes (n, s) and
    their amplitudes in a deformation (s, n), if their states are wanted. One factorisation serves all states.
    """
    held = HeldStructure(fe, K, M, fe.free_rows())
    if softest is None:
        softest = np.zeros((shapes.shape[1], 0)), np.zeros((0, shapes.shape[1]))
    modes = fe.compress(np.asarray(shapes @ softest[0]))
    turning = centrifugal_loads(fe, kind)
    loads = np.hstack([_unit_loads(fe, rows), multiply(M, fe.rigid_shapes()), turning, multiply(M, modes)])
    part = loads[held.rows]
    rest = part - multiply(held.M, held.rigid) @ (held.rigid.T @ part)
    remains = np.linalg.norm(rest, axis=0) > _BALANCED * np.linalg.norm(part, axis=0)
    states = np.zeros((fe.ndof, int(remains.sum())))
    states[held.rows] = held.solve(np.asfortranarray(rest[:, remains]))
    G = np.zeros((loads.shape[1], shapes.shape[1], shapes.shape[1]))
    G[remains] = projected(fe, fe.expand(states), shapes.reshape(fe.nnode, 6, -1))
    first = len(rows)
    interface, acceleration, angular, turned, vibration = np.split(G, first + np.array([0, 3, 6, 12]))
    return GeometricTerms(interface, acceleration, angular, turned, vibration, softest[1])


def projected(fe: FEModel, states: Array, shapes: Array) -> Array:
    """Return Hᵀ K_G(u) H (k, n, n) for displacements states (nnode, 6, k) and shapes (nnode, 6, n)."""
    k, n = states.shape[2], shapes.shape[2]
    packed = np.zeros((k, n * (n + 1) // 2))
    # products of a few rows: more threads of BLAS would only wait for memory
    with threadpool_limits(1, user_api="blas"):
        for block, coat in zip(fe.blocks, fe.coats, strict=True):
            for part in _parts(fe, block, coat, states, shapes):
                _add_work(packed, part)
    i, j = np.tril_indices(n)
    G = np.zeros((k, n, n))
    G[:, i, j] = G[:, j, i] = packed
    arms = RigidArms(fe)
    for state in range(k if arms else 0):
        for reference, turning in arms.turning(states[:, :, state]):
            turns = shapes[reference, 3:]
            G[state] += turns.T @ turning @ turns
    return G


def _parts(fe: FEModel, block: ElementBlock, coat: BoolArray, states: Array, shapes: Array) -> Iterator[SecondOrder]:
    """Yield where the stresses of a block's elements work."""
    d = block.element.dof_per_node
    for rows, batch in fe.batches(block, _ELEMENTS):
        nodes = block.connectivity[rows]
        u, h = (field[nodes, :d].reshape(batch.size, block.element.ndof, -1) for field in (states, shapes))
        yield from block.element.second_order(batch, u, displacements_alone(h, coat[rows]))


def _add_work(packed: Array, part: SecondOrder) -> None:
    """Add the work of all states on all pairs of shapes to (k, n (n + 1) / 2)."""
    from floatframe.modal.reduction._kernels import pair_products

    slopes = np.ascontiguousarray(part.slopes.reshape(-1, *part.slopes.shape[2:]))
    stress = part.stress.reshape(len(slopes), -1, packed.shape[0])
    component, first, second = np.nonzero(part.forms)
    factor = part.forms[component, first, second]
    ncomponent = stress.shape[1]
    at_once = max(1, _NUMBERS // (ncomponent * packed.shape[1]))
    products = np.empty((min(at_once, len(slopes)), ncomponent, packed.shape[1]))
    for start in range(0, len(slopes), at_once):
        some = slopes[start : start + at_once]
        made = products[: len(some)]
        pair_products(made, some, component, first, second, factor)
        weights = stress[start : start + at_once].reshape(-1, packed.shape[0])
        packed += weights.T @ made.reshape(len(weights), -1)


def centrifugal_loads(fe: FEModel, kind: MassKind | None = "consistent") -> Array:
    """Return loads (ndof, 6) of steady rotation about axes through the origin, per ωx², ωy², ωz², ωx ωy, ωy ωz, ωz ωx.

    A node that moves with v and ω and has momentum p and angular momentum L feels -ω x p and -(ω x L + v x p).
    """
    slots = fe.dof_table.slots
    motion = rigid_motion(fe.nodes)[:, :, 3:]
    flat = np.zeros((6 * fe.nnode, 3))
    flat[slots] = multiply(fe.assembled(mass_quantity(kind)), np.asfortranarray(motion.reshape(-1, 3)[slots]))
    momentum = flat.reshape(fe.nnode, 6, 3)
    columns = []
    for i, j in PRODUCTS:
        load = np.zeros((fe.nnode, 6))
        for a, b in {(i, j), (j, i)}:
            axis, p, angular = np.eye(3)[a], momentum[:, :3, b], momentum[:, 3:, b]
            load[:, :3] -= np.cross(axis, p)
            load[:, 3:] -= np.cross(axis, angular) + np.cross(motion[:, :3, a], p)
        columns.append(fe.project_load(load))
    return np.stack(columns, axis=1)


def _unit_loads(fe: FEModel, rows: IntArray) -> Array:
    loads = np.zeros((fe.ndof, rows.size))
    loads[rows, np.arange(rows.size)] = 1.0
    return loads
