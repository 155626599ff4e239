"""Rigid pieces that nodes carry: found in the lumped mass of a model, or spread over nodes for a diagonal mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, skew
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.fem import FEModel, MatrixModel
    from floatframe.modal.body.reduced_body import ReducedBody

_TINY = 1e-9  # of the largest entry: what counts as round-off in nodal masses and inertia tensors


@dataclass(frozen=True)
class Pieces:
    """Mass (k,) [kg], inertia (k, 3, 3) about the own centre [kg m2], centre seen from the node (k, 3); or just one."""

    mass: Array
    inertia: Array
    offset: Array


def nodal_pieces(fe: FEModel | MatrixModel) -> Pieces:
    """Return the rigid piece that the lumped mass gives to every node; coupled nodes keep their own."""
    lumped = fe.assembled("lumped").tocoo()
    row, column = (fe.dof_table.slots[index] for index in lumped.coords)
    if (row // 6 != column // 6).any():
        node = fe.node_ids[row[row // 6 != column // 6][0] // 6]
        raise ModelError(f"model '{fe.name}': the lumped mass couples node {node} to another node; it must not.")
    blocks = np.zeros((fe.nnode, 6, 6))
    np.add.at(blocks, (row // 6, row % 6, column % 6), lumped.data)
    blocks[~fe.placed] = 0.0
    # a direction without a row, as matrices may have it, counts as the others of its node
    there = (fe.dof_table.equation.reshape(fe.nnode, 6) >= 0)[:, :3]
    there[~fe.placed] = True
    diagonal = np.einsum("kii->ki", blocks[:, :3, :3])
    mean = diagonal.sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    blocks[:, range(3), range(3)] = np.where(there, diagonal, mean[:, None])
    mass = np.trace(blocks[:, :3, :3], axis1=1, axis2=2) / 3.0
    uneven = np.abs(blocks[:, :3, :3] - mass[:, None, None] * np.eye(3)).max(axis=(1, 2)) > _TINY * mass
    if uneven.any():
        node = fe.node_ids[np.flatnonzero(uneven)[0]]
        raise ModelError(f"model '{fe.name}': the lumped mass of node {node} differs between directions.")
    # the block of translations and rotations is mass times the skew matrix of the arm
    arm = blocks[:, 3:, :3]
    twice = np.stack([arm[:, 2, 1] - arm[:, 1, 2], arm[:, 0, 2] - arm[:, 2, 0], arm[:, 1, 0] - arm[:, 0, 1]], axis=1)
    offset = twice / np.where(mass > 0, 2.0 * mass, 1.0)[:, None]
    tilde = skew(offset)
    inertia = blocks[:, 3:, 3:] + mass[:, None, None] * tilde @ tilde
    return Pieces(mass, (inertia + inertia.swapaxes(1, 2)) / 2.0, offset)


def with_plain_masses(body: ReducedBody) -> ReducedBody:
    """Return a body whose mass is diagonal, with the same mass, centre of mass, inertia and generalised mass.

    A piece away from its node gets a node of its own at its centre; one with products of inertia is divided between
    the node and one other if it can be, else into six equal masses on its principal axes, which even turn with the
    node. New nodes follow the old one rigidly and have the next free numbers.
    """
    products = _products(body.nodal_inertia) > _TINY * np.abs(body.nodal_inertia).max(axis=(1, 2))
    away = (body.nodal_mass > 0) & (body.nodal_offset != 0).any(axis=1)
    moved = np.flatnonzero(products | away)
    if not moved.size:
        return body
    mass, inertia = body.nodal_mass.copy(), body.nodal_inertia.copy()
    base: list[int] = []
    arms, masses, tensors = [], [], []
    for node in moved.tolist():
        piece = Pieces(body.nodal_mass[node], body.nodal_inertia[node], body.nodal_offset[node])
        stays, parts = _two_parts(piece) if products[node] else (None, None)
        if parts is None:
            parts = _six_parts(body, node, piece) if products[node] else _at_centre(piece)
        mass[node], inertia[node] = (stays.mass, stays.inertia) if stays is not None else (0.0, 0.0)
        base += [node] * len(parts.offset)
        arms.append(parts.offset)
        masses.append(parts.mass)
        tensors.append(parts.inertia)
    arm, rows = np.concatenate(arms), np.array(base)
    followed = body.shapes.reshape(body.nnode, 6, body.nmode)[rows]
    follow = np.tile(np.eye(6), (rows.size, 1, 1))
    follow[:, :3, 3:] = -skew(arm)
    return replace(
        body,
        nodes=np.vstack([body.nodes, body.nodes[rows] + arm]),
        node_ids=np.concatenate([body.node_ids, _next_numbers(body, rows.size)]),
        shapes=np.vstack([body.shapes, (follow @ followed).reshape(6 * rows.size, body.nmode)]),
        nodal_mass=np.concatenate([mass, *masses]),
        nodal_inertia=np.concatenate([inertia, *tensors]),
        nodal_offset=np.zeros((body.nnode + rows.size, 3)),
        flexibility=None if body.flexibility is None else body.flexibility.extended(rows.size),
    )


def _next_numbers(body: ReducedBody, count: int) -> IntArray:
    return int(body.node_ids.max()) + 1 + np.arange(count)


def _products(inertia: Array) -> Array:
    """Return the largest product of inertia (...,) of tensors (..., 3, 3)."""
    return np.abs(inertia * (1.0 - np.eye(3))).max(axis=(-2, -1))


def _at_centre(piece: Pieces) -> Pieces:
    return Pieces(np.array([piece.mass]), piece.inertia[None], piece.offset[None])


def _two_parts(piece: Pieces) -> tuple[Pieces | None, Pieces | None]:
    """Return a part at the node and one away from it, both without products of inertia; None if there are no such.

    That is what a wall with a stiffener beside it is: products about the node are those of the part away from it.
    """
    c = piece.offset
    moment = piece.mass * c
    at_node = piece.inertia + piece.mass * (c @ c * np.eye(3) - np.outer(c, c))
    pairs = ((0, 1), (1, 2), (2, 0))
    along = np.array([moment[i] * moment[j] for i, j in pairs])
    found = np.array([-at_node[i, j] for i, j in pairs])
    if not along @ found > 0:
        return None, None
    away = float(along @ along / (along @ found))  # mass of the part away from the node
    arm = moment / away
    if away > piece.mass * (1.0 + _TINY) or np.abs(found - along / away).max() > _TINY * np.abs(at_node).max():
        return None, None
    rest = np.diag(at_node - away * (arm @ arm * np.eye(3) - np.outer(arm, arm)))
    if rest.min() < -_TINY * np.abs(at_node).max():
        return None, None
    stays = Pieces(np.maximum(piece.mass - away, 0.0), np.diag(np.maximum(rest, 0.0)), np.zeros(3))
    return stays, Pieces(np.array([away]), np.zeros((1, 3, 3)), arm[None])


def _six_parts(body: ReducedBody, node: int, piece: Pieces) -> Pieces:
    """Return six equal masses with the inertia tensor of a piece."""
    J, mass = piece.inertia, float(piece.mass)
    value, axes = np.linalg.eigh(np.trace(J) / 2.0 * np.eye(3) - J)
    if mass <= 0 or value[0] < -_TINY * value[2]:
        raise ModelError(
            f"body '{body.name}': node {body.node_ids[node]} has products of inertia that no distribution of its mass "
            f"of {mass:g} kg could give, so a diagonal mass cannot hold them; correct the point mass or use HDF5."
        )
    reach = (np.sqrt(3.0 * np.maximum(value, 0.0) / mass) * axes).T
    return Pieces(np.full(6, mass / 6.0), np.zeros((6, 3, 3)), piece.offset + np.concatenate([reach, -reach]))
