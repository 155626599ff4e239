"""How the surface is curved that flat shell elements stand for, seen from the directions of their neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from floatframe.arrays import Array, IntArray
from floatframe.fem.blocks import ElementBlock

# facets that share a node and differ by more meet at a fold: twice the customary 20 degrees between a facet and the
# mean normal at its node (the default of SNORM in Nastran)
FOLD = np.cos(np.radians(40.0))
# curvature in directions that the neighbours hardly span is left at zero: share of the best spanned one, squared
SPANNED = 1e-2
ROUND_OFF = 1e-12  # angles between the normals of one plane
AT_ONCE = 1024  # facets whose pairs with neighbours stay in cache


@dataclass(frozen=True)
class Facets:
    """Centres and unit normals (nel, 3); no normal where the area vanishes.

    tilt (nel, 3, 3, 3): the facet through the corners of a curved surface is not parallel to the surface at its centre;
    its normal is that of the surface there plus the sum over a, b of tilt[a, b] times the curvature [a, b].
    """

    centre: Array
    normal: Array
    tilt: Array


def surface_curvature(nodes: Array, blocks: Sequence[ElementBlock]) -> dict[int, Array]:
    """Return the curvature tensors (nel, 3, 3) [1/m] of the facets of blocks that ask for it, by the block's place.

    In model axes: the normal changes by the tensor times a step along the surface. Fitted to the normals of all shell
    elements that share a node and meet without a fold; facets whose neighbours lie in one plane get zero.
    """
    wanted = [k for k, block in enumerate(blocks) if block.element.sees_curvature and len(block)]
    if not wanted:
        return {}
    shells = [k for k, block in enumerate(blocks) if block.element.dimension == 2]
    facets = Facets(
        *(np.concatenate(parts) for parts in zip(*(_facets(nodes, blocks[k]) for k in shells), strict=True))
    )
    touches = _incidence([blocks[k].connectivity for k in shells], len(nodes))
    across = csr_array(touches.T)
    first = dict(zip(shells, np.cumsum([0, *(len(blocks[k]) for k in shells)]), strict=False))
    return {
        k: np.concatenate([_fitted(rows, touches, across, facets) for rows in _pieces(first[k], len(blocks[k]))])
        for k in wanted
    }


def _facets(nodes: Array, block: ElementBlock) -> tuple[Array, Array, Array]:
    """Return centres, unit normals and own tilts as in `Facets`."""
    xyz = nodes[block.connectivity[:, : block.element.corners]]
    centre = xyz.mean(axis=1)
    corner = xyz - centre[:, None]
    area = np.cross(corner, np.roll(corner, -1, axis=1)).sum(axis=1)
    length = np.sqrt((area**2).sum(axis=1, keepdims=True))
    normal = area / np.where(length > 0.0, length, 1.0)
    # slopes of the facet per height of each corner: of a triangle, or of the diagonals of a quadrilateral
    opposite = np.roll(corner, 1, axis=1) - np.roll(corner, -1, axis=1)
    slope = np.cross(normal[:, None], opposite) / np.where(length > 0.0, length, 1.0)[:, None]
    return centre, normal, 0.5 * np.einsum("eia,eib,eic->eabc", corner, corner, slope)


def _incidence(connectivity: list[IntArray], nnode: int) -> csr_array:
    """Return (nfacet, nnode): one where a facet has a node."""
    width = np.concatenate([np.full(len(part), part.shape[1]) for part in connectivity])
    columns = np.concatenate([part.ravel() for part in connectivity])
    return csr_array((np.ones(columns.size), columns, np.concatenate([[0], np.cumsum(width)])), (len(width), nnode))


def _pieces(first: int, count: int) -> Iterator[slice]:
    for start in range(first, first + count, AT_ONCE):
        yield slice(start, min(start + AT_ONCE, first + count))


def _fitted(rows: slice, touches: csr_array, across: csr_array, facets: Facets) -> Array:
    """Return curvature tensors (n, 3, 3) by least squares, the smallest where neighbours are too few.

    touches (nfacet, nnode) says which nodes facets have, across is its transpose.
    """
    n = rows.stop - rows.start
    pairs = csr_array(touches[rows] @ across)
    own, other = np.repeat(np.arange(n), np.diff(pairs.indptr)), pairs.indices
    cosine = (facets.normal[rows][own] * facets.normal[other]).sum(axis=1)
    smooth = (np.abs(cosine) > FOLD) & (own + rows.start != other)
    own, other, cosine = own[smooth], other[smooth], cosine[smooth]
    axes = _tangents(facets.normal[rows])
    step = np.einsum("pij,pj->pi", axes[own], facets.centre[other] - facets.centre[rows][own])
    # elements may be numbered the other way round
    change = np.einsum("pij,pj->pi", axes[own], np.sign(cosine)[:, None] * facets.normal[other])
    if not (np.abs(change) > ROUND_OFF).any():
        return np.zeros((n, 3, 3))
    tilt = _turned(facets.tilt[other] - facets.tilt[rows][own], axes[own])
    length = np.sqrt((step**2).sum(axis=1, keepdims=True))
    apart = length[:, 0] > 0.0
    own, step, tilt, change, length = (part[apart] for part in (own, step, tilt, change, length))
    # unknowns xx, yy and √2 xy, whose length is that of the tensor in any axes
    of_change = np.zeros((len(step), 2, 3))
    of_change[:, [0, 1], [0, 1]] = step
    of_change[:, :, 2] = step[:, ::-1] / np.sqrt(2.0)
    of_change[:, :, :2] += tilt[:, [0, 1], [0, 1]].swapaxes(1, 2)
    of_change[:, :, 2] += np.sqrt(2.0) * tilt[:, 0, 1]
    of_change, change = of_change / length[:, :, None], change / length
    matrix, right = np.zeros((n, 3, 3)), np.zeros((n, 3))
    first = np.flatnonzero(np.diff(own, prepend=-1))  # pairs come facet by facet
    if first.size:
        matrix[own[first]] = np.add.reduceat(np.matmul(of_change.swapaxes(1, 2), of_change), first)
        right[own[first]] = np.add.reduceat(np.einsum("pij,pi->pj", of_change, change), first)
    xx, yy, xy = np.einsum("eij,ej->ie", np.linalg.pinv(matrix, rcond=SPANNED, hermitian=True), right)
    plane = np.stack([xx, xy / np.sqrt(2.0), xy / np.sqrt(2.0), yy], axis=1).reshape(n, 2, 2)
    return np.asarray(np.matmul(axes.swapaxes(1, 2), np.matmul(plane, axes)))


def _turned(tilt: Array, axes: Array) -> Array:
    """Return tensors (n, 3, 3, 3) in the plane of two axes (n, 2, 3): (n, 2, 2, 2)."""
    first = np.matmul(axes, tilt.reshape(-1, 3, 9)).reshape(-1, 2, 3, 3)
    both = np.matmul(axes[:, None], first)
    return np.asarray(np.matmul(both, axes[:, None].swapaxes(2, 3)))


def _tangents(normal: Array) -> Array:
    """Return two unit vectors (n, 2, 3) at right angles to each normal and to one another."""
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    first = np.cross(normal, least)
    length = np.sqrt((first**2).sum(axis=1, keepdims=True))
    first /= np.where(length > 0.0, length, 1.0)
    return np.stack([first, np.cross(normal, first)], axis=1)
