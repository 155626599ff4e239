"""Shells that coat solids: a wall whose nodes all belong to one solid lies on or in it and moves as that solid does.

So does a quadrilateral whose halves lie in one solid each, as over the faces of two tetrahedra.

A free wall bends between its nodes; a coat is bonded everywhere, and the solid has no such motion. Left to its own
formulas a thin coat would vibrate and buckle between its nodes, lower the thinner it is. So its mass follows the nodes
alone, its forces work on displacements alone, and below a thousandth of its size its rotations keep the stiffness and
inertia of that thickness: too little to be felt beside a solid, far above round-off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from floatframe.arrays import Array, BoolArray, IntArray, skew
from floatframe.fem.blocks import ElementBlock
from floatframe.fem.elements import ROTARY, Batch, Element, QuadraticShell
from floatframe.fem.properties import WallSection, wall_law

_THIN = 1e-3  # of the shortest distance between neighbouring nodes of an element
# ways to cut shells of three and four corners into triangles
_TRIANGLES = {3: [[[0, 1, 2]]], 4: [[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]]}


def coats(blocks: Sequence[ElementBlock], nnode: int) -> tuple[BoolArray, ...]:
    """Return for each block (nel,): which of its shells lie in one solid, or with each of two halves in one."""
    found = tuple(np.zeros(len(block), dtype=bool) for block in blocks)
    solids = [block.connectivity for block in blocks if block.element.dimension == 3 and len(block)]
    touched = np.zeros(nnode, dtype=bool)
    for nodes in solids:
        touched[nodes] = True
    for block, coat in zip(blocks, found, strict=True):
        if block.element.dimension != 2:
            continue
        near = np.flatnonzero(touched[block.connectivity].all(axis=1))
        if near.size:
            triangles = block.connectivity[near][:, _TRIANGLES[block.element.corners]]
            inside = _in_one_solid(triangles.reshape(-1, 3), solids, nnode).reshape(triangles.shape[:3])
            coat[near] = np.any(inside.all(axis=2), axis=1)
    return found


def _in_one_solid(triangles: IntArray, solids: Sequence[IntArray], nnode: int) -> BoolArray:
    """Whether the three nodes of each triangle (n, 3) belong to one and the same solid, (n,)."""
    inside = np.zeros(len(triangles), dtype=bool)
    corners = _incidence(triangles, nnode)
    for nodes in solids:
        shared = csr_array(corners @ _incidence(nodes, nnode).T)
        inside[np.repeat(np.arange(len(triangles)), np.diff(shared.indptr))[shared.data == 3]] = True
    return inside


def _incidence(nodes: IntArray, nnode: int) -> csr_array:
    """Return (nel, nnode) with a one at every node of an element."""
    ends = np.arange(len(nodes) + 1) * nodes.shape[1]
    return csr_array((np.ones(nodes.size, dtype=np.int64), nodes.ravel(), ends), shape=(len(nodes), nnode))


def stiffness(element: Element, batch: Batch) -> Array:
    """Return (nel, ndof, ndof) of coats; the membrane is that of their thickness."""
    thick, part = _visible(batch)
    return element.stiffness(thick) * part[:, None, None]


def lumped_mass(element: Element, batch: Batch) -> Array:
    """Return (nel, ndof) of coats, or (nel, ndof, ndof) with an offset."""
    thick, part = _visible(batch)
    mass = element.lumped_mass(thick)
    return mass * part.reshape(-1, *[1] * (mass.ndim - 1))


def mass(element: Element, batch: Batch) -> Array:
    """Return (nel, ndof, ndof) of coats whose displacements follow the nodes and not their rotations."""
    thick, part = _visible(batch)
    if isinstance(element, QuadraticShell):
        return element.mass_on_nodes(thick) * part[:, None, None]
    section = _section(batch)
    n, axes = element.nnode, element.axes(batch)
    normal = axes[:, 2]
    full = element.mass(replace(thick, section=replace(section, offset=0.0))) * part[:, None, None]
    moved = full.reshape(-1, n, 6, n, 6)[:, :, :3, :, :3]
    # across the wall displacements are those of the corners alone: mass times products of the corner functions
    linear = np.einsum("ea,eiajb,eb->eij", normal, moved, normal)
    law = wall_law(section, batch.material, axes, thick.data["thickness"].reshape(batch.size, -1).mean(axis=1))
    m0 = np.where(law.m0 > 0.0, law.m0, 1.0)
    height = law.m1 / m0
    turning = np.einsum("e,eki,k,ekj->eij", law.m2 / m0 - height**2, axes, ROTARY, axes)
    M = np.zeros((batch.size, n, 6, n, 6))
    M[:, :, :3, :, :3] = moved
    M[:, :, 3:, :, 3:] = linear[:, :, None, :, None] * turning[:, None, :, None, :]
    if section.offset or height.any():
        # the wall at the end of its arms: u + r × arm
        follow = -skew((section.offset + height)[:, None] * normal)
        M[:, :, :3, :, 3:] = np.einsum("eiajb,ebc->eiajc", moved, follow)
        M[:, :, 3:, :, :3] = np.einsum("eba,eibjc->eiajc", follow, moved)
        M[:, :, 3:, :, 3:] += np.einsum("eba,eibjc->eiajc", follow, M[:, :, :3, :, 3:])
    return M.reshape(batch.size, 6 * n, 6 * n)


def displacements_alone(motions: Array, coat: BoolArray) -> Array:
    """Return motions (nel, 6 n, ...) with the rotations of coats taken out."""
    if not coat.any():
        return motions
    motions = motions.copy()
    motions.reshape(len(coat), -1, 6, *motions.shape[2:])[coat, :, 3:] = 0.0
    return motions


def _section(batch: Batch) -> WallSection:
    if not isinstance(batch.section, WallSection):
        raise TypeError(f"a coat has a section of shells, not {type(batch.section).__name__}")
    return batch.section


def _visible(batch: Batch) -> tuple[Batch, Array]:
    """Return the coats at a thickness that shows beside their size, and the part (nel,) of it that is theirs."""
    thickness = np.asarray(batch.data.get("thickness", np.full(batch.size, _section(batch).thickness)), dtype=float)
    side = np.linalg.norm(np.roll(batch.xyz, -1, axis=1) - batch.xyz, axis=2).min(axis=1)
    mean = thickness.reshape(batch.size, -1).mean(axis=1)
    thicker = np.maximum(np.divide(_THIN * side, mean, out=np.ones_like(mean), where=mean > 0.0), 1.0)
    visible = thickness * thicker.reshape(-1, *[1] * (thickness.ndim - 1))
    return replace(batch, data={**batch.data, "thickness": visible}), 1.0 / thicker
