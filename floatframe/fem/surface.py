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
UNEVEN = 4  # facets with very different numbers of neighbours are not treated at once
SYMMETRIC = np.array(np.triu_indices(3))


@dataclass(frozen=True)
class Facets:
    """Centres and unit normals (nel, 3); no normal where the area vanishes.

    tilt (nel, 6, 3): the facet through the corners of a curved surface is not parallel to the surface at its centre;
    its normal is that of the surface there plus the sum over all a, b of tilt[ab] times the curvature [a, b], where ab
    is the place of a, b or b, a in SYMMETRIC.
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
    first, second = SYMMETRIC
    product = 0.5 * corner[:, :, first] * corner[:, :, second]
    return centre, normal, np.matmul(product.swapaxes(1, 2), slope)


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
    count = np.diff(pairs.indptr)
    most = int(count.max())
    if n > 1 and n * most > UNEVEN * pairs.nnz:
        middle = rows.start + n // 2
        halves = slice(rows.start, middle), slice(middle, rows.stop)
        return np.concatenate([_fitted(half, touches, across, facets) for half in halves])
    # one row of neighbours for each facet, filled up with the facet itself, which does not count
    other = np.repeat(np.arange(rows.start, rows.stop)[:, None], most, axis=1)
    other[np.arange(most) < count[:, None]] = pairs.indices
    axes = _tangents(facets.normal[rows])
    normal = np.take(facets.normal, other, axis=0)
    cosine = np.matmul(normal, facets.normal[rows, :, None])[..., 0]
    # elements may be numbered the other way round
    change = np.sign(cosine)[..., None] * np.matmul(normal, axes.swapaxes(1, 2))
    if not (np.abs(change) > ROUND_OFF).any():
        return np.zeros((n, 3, 3))
    step = np.matmul(np.take(facets.centre, other, axis=0) - facets.centre[rows, None], axes.swapaxes(1, 2))
    square = (step**2).sum(axis=2)
    counts = (np.abs(cosine) > FOLD) & (other != np.arange(rows.start, rows.stop)[:, None]) & (square > 0.0)
    scale = np.where(counts, 1.0 / np.sqrt(np.where(counts, square, 1.0)), 0.0)[..., None]
    tilt = np.take(facets.tilt, other, axis=0) - facets.tilt[rows, None]
    tilt = np.matmul(tilt.reshape(n, most, 18), _turning(axes))
    # unknowns xx, yy and √2 xy, whose length is that of the tensor in any axes; rows for the changes along x and y
    x, y = step[..., 0], step[..., 1]
    of_change = tilt.reshape(n, most, 2, 3)
    of_change[:, :, 0, 0] += x
    of_change[:, :, 1, 1] += y
    of_change[:, :, 0, 2] += y / np.sqrt(2.0)
    of_change[:, :, 1, 2] += x / np.sqrt(2.0)
    of_change *= scale[..., None]
    of_change, change = of_change.reshape(n, 2 * most, 3), (scale * change).reshape(n, 2 * most, 1)
    transposed = of_change.swapaxes(1, 2)
    xx, yy, xy = _solved(np.matmul(transposed, of_change), np.matmul(transposed, change)[..., 0]).T
    plane = np.stack([xx, xy / np.sqrt(2.0), xy / np.sqrt(2.0), yy], axis=1).reshape(n, 2, 2)
    return np.asarray(np.matmul(axes.swapaxes(1, 2), np.matmul(plane, axes)))


def _solved(matrix: Array, right: Array) -> Array:
    """Return the smallest solutions (n, 3) of symmetric equations, without what is hardly spanned."""
    scale = np.abs(matrix).max(axis=(1, 2), initial=0.0)
    # minors over the determinant; the norms of matrix and inverse show most that are well spanned, which is enough
    a, b, c = matrix.swapaxes(0, 1)
    inverse = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
    det = (a * inverse[:, 0]).sum(axis=1)
    least = 9.0 * scale * np.abs(inverse).max(axis=(1, 2), initial=0.0) * SPANNED
    spanned = (det > SPANNED**2 * scale**3) & (det > least)
    found = np.matmul(inverse, right[:, :, None])[..., 0] / np.where(spanned, det, 1.0)[:, None]
    rest = ~spanned
    pseudo = np.linalg.pinv(matrix[rest], rcond=SPANNED, hermitian=True)
    found[rest] = np.matmul(pseudo, right[rest, :, None])[..., 0]
    return found


def _turning(axes: Array) -> Array:
    """Return (n, 18, 6) from tilts as in `Facets` to those along two axes (n, 2, 3), component first."""
    x, y = axes.swapaxes(0, 1)
    first, second = SYMMETRIC
    # pairs of directions xx, yy and √2 xy; those of two different model axes stand twice
    pairs = np.stack([x[:, first] * x[:, second], y[:, first] * y[:, second]], axis=2)
    mixed = (x[:, first] * y[:, second] + x[:, second] * y[:, first]) / np.sqrt(2.0)
    pairs = np.concatenate([pairs, mixed[..., None]], axis=2) * np.where(first == second, 1.0, 2.0)[:, None]
    return np.einsum("epk,eac->epcak", pairs, axes).reshape(-1, 18, 6)


def _tangents(normal: Array) -> Array:
    """Return two unit vectors (n, 2, 3) at right angles to each normal and to one another."""
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    first = np.cross(normal, least)
    length = np.sqrt((first**2).sum(axis=1, keepdims=True))
    first /= np.where(length > 0.0, length, 1.0)
    return np.stack([first, np.cross(normal, first)], axis=1)
