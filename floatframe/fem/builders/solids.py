"""Blocks of solid elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.elements import Solid, element_kind
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.properties import Material

# how a brick with hex8 node order is cut, so that neighbours fit: six tetrahedra round the diagonal 0-6, two wedges
# along z; six pyramids from the faces to an added centre (node 8)
_CUTS = {
    "hex8": ((0, 1, 2, 3, 4, 5, 6, 7),),
    "tet4": ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)),
    "wedge6": ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)),
    "pyramid5": (
        *((0, 1, 2, 3, 8), (4, 7, 6, 5, 8), (0, 4, 5, 1, 8)),
        *((1, 5, 6, 2, 8), (2, 6, 7, 3, 8), (3, 7, 4, 0, 8)),
    ),
}
_CORNER_KIND = {
    "tet10": "tet4",
    "hex20_reduced": "hex8",
    "hex20": "hex8",
    "wedge15": "wedge6",
    "pyramid13": "pyramid5",
}


def solid_box(
    size: Sequence[float],
    divisions: Sequence[int],
    kind: str = "hex8",
    *,
    material: Material,
    origin: Sequence[float] = (0.0, 0.0, 0.0),
    name: str = "box",
) -> FEModel:
    """Return a box of solid elements from `origin` to `origin + size` [m], cut into nx, ny, nz bricks.

    kind: "hex8", "hex20_reduced", "hex20", or "tet4", "tet10" (six to a brick), "wedge6", "wedge15" (two to a brick,
    upright along z), "pyramid5", "pyramid13" (six to a brick). Node sets: "xmin", "xmax", "ymin", "ymax", "zmin",
    "zmax".
    """
    if kind not in _CUTS and kind not in _CORNER_KIND:
        raise ModelError(f"{name}: kind '{kind}' is not a solid; use one of {', '.join([*_CUTS, *_CORNER_KIND])}.")
    if len(size) != 3 or len(divisions) != 3:
        raise ModelError(f"{name}: size and divisions need three numbers each, found {size!r} and {divisions!r}.")
    lengths = np.array([check.positive(value, f"{name}: size") for value in size])
    counts = [check.count(value, f"{name}: divisions") for value in divisions]
    grid = np.stack(np.meshgrid(*(np.linspace(0.0, 1.0, n + 1) for n in counts), indexing="ij"), axis=-1)
    nodes, bricks = grid.reshape(-1, 3), _bricks(counts)
    corner_kind = _CORNER_KIND.get(kind, kind)
    if corner_kind == "pyramid5":
        centres = len(nodes) + np.arange(len(bricks))
        nodes, bricks = np.vstack([nodes, nodes[bricks].mean(axis=1)]), np.column_stack([bricks, centres])
    cells = np.concatenate([bricks[:, list(cut)] for cut in _CUTS[corner_kind]])
    element = element_kind(kind)
    if kind in _CORNER_KIND and isinstance(element, Solid):
        nodes, cells = add_edge_nodes(nodes, cells, element.edges)
    ids = np.arange(1, len(nodes) + 1)
    sets = {
        f"{axis}{end}": ids[nodes[:, k] == value]
        for k, axis in enumerate("xyz")
        for end, value in (("min", 0.0), ("max", 1.0))
    }
    block = ElementBlock(kind, cells, material, name=name)
    return FEModel(np.asarray(origin, dtype=float) + nodes * lengths, (block,), node_sets=sets, name=name)


def add_edge_nodes(nodes: Array, cells: IntArray, edges: Sequence[tuple[int, int]]) -> tuple[Array, IntArray]:
    """Return nodes and cells with one shared node in the middle of every edge, appended in the order of `edges`."""
    pairs = np.sort(cells[:, np.array(edges)], axis=2)
    unique, inverse = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    middles = len(nodes) + inverse.reshape(len(cells), -1)
    return np.vstack([nodes, nodes[unique].mean(axis=1)]), np.hstack([cells, middles])


def _bricks(counts: Sequence[int]) -> IntArray:
    """Return (nx ny nz, 8) node rows of a grid whose last index runs fastest, in hex8 order."""
    i, j, k = np.indices(counts).reshape(3, -1)
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    shape = [n + 1 for n in counts]
    return np.stack([np.ravel_multi_index((i + a, j + b, k + c), shape) for a, b, c in corners], axis=1)
