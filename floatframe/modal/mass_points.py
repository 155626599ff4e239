"""Rigid pieces that nodes carry: found in the lumped mass of a model, or spread over nodes for a diagonal mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.masses import skew

if TYPE_CHECKING:
    from floatframe.fem.matrix_model import MatrixModel
    from floatframe.fem.model import FEModel
    from floatframe.modal.reduced_body import ReducedBody

_TINY = 1e-9  # of the largest entry: what counts as round-off in nodal masses and inertia tensors


@dataclass(frozen=True)
class Pieces:
    """Mass (nnode,) [kg], inertia (nnode, 3, 3) about the own centre [kg m2], centre seen from the node (nnode, 3)."""

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

    A piece away from its node moves to a node of its own at its centre; one with products of inertia becomes six equal
    masses on its principal axes, which even turn with the node. New nodes follow the old one rigidly and have the next
    free numbers.
    """
    size = np.abs(body.nodal_inertia).max(axis=(1, 2))
    products = np.abs(body.nodal_inertia * (1.0 - np.eye(3))).max(axis=(1, 2)) > _TINY * size
    away = (body.nodal_mass > 0) & (body.nodal_offset != 0).any(axis=1)
    moved = np.flatnonzero(products | away)
    if not moved.size:
        return body
    base, arm, mass, inertia = [], [], [], []
    for node in moved.tolist():
        points, share = (_six_points(body, node), 6) if products[node] else (np.zeros((1, 3)), 1)
        base += [node] * share
        arm.append(body.nodal_offset[node] + points)
        mass += [body.nodal_mass[node] / share] * share
        inertia.append(np.zeros((6, 3, 3)) if products[node] else body.nodal_inertia[node][None])
    arms, rows = np.concatenate(arm), np.array(base)
    followed = body.shapes.reshape(body.nnode, 6, body.nmode)[rows]
    follow = np.tile(np.eye(6), (rows.size, 1, 1))
    follow[:, :3, 3:] = -skew(arms)
    stay = np.ones(body.nnode)
    stay[moved] = 0.0
    return replace(
        body,
        nodes=np.vstack([body.nodes, body.nodes[rows] + arms]),
        node_ids=np.concatenate([body.node_ids, _next_numbers(body, rows.size)]),
        shapes=np.vstack([body.shapes, (follow @ followed).reshape(6 * rows.size, body.nmode)]),
        nodal_mass=np.concatenate([body.nodal_mass * stay, mass]),
        nodal_inertia=np.concatenate([body.nodal_inertia * stay[:, None, None], *inertia]),
        nodal_offset=np.zeros((body.nnode + rows.size, 3)),
    )


def _next_numbers(body: ReducedBody, count: int) -> IntArray:
    return int(body.node_ids.max()) + 1 + np.arange(count)


def _six_points(body: ReducedBody, node: int) -> Array:
    """Return places (6, 3) of six equal masses with the inertia tensor of a node's piece."""
    J, mass = body.nodal_inertia[node], body.nodal_mass[node]
    value, axes = np.linalg.eigh(np.trace(J) / 2.0 * np.eye(3) - J)
    if mass <= 0 or value[0] < -_TINY * value[2]:
        raise ModelError(
            f"body '{body.name}': node {body.node_ids[node]} has products of inertia that no distribution of its mass "
            f"of {mass:g} kg could give, so a diagonal mass cannot hold them; correct the point mass or use HDF5."
        )
    reach = np.sqrt(3.0 * np.maximum(value, 0.0) / mass) * axes  # columns
    return np.concatenate([reach.T, -reach.T])
