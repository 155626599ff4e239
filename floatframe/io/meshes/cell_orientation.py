"""Solids that a file numbers the other way round: seen from inside, their first face runs against the usual sense.

MED (Salome, code_aster) lists the first face of a solid so that its normal points out of it; elements here, like those
of most programs, have it point in. Some writers of MED files keep the usual sense nevertheless, so each cell is asked.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.io.deck import Cells, Mesh

# corners of the first face, all corners, and the ends of the edges whose middle nodes follow
_TETRA = (3, 4, "01 12 20 03 13 23")
_WEDGE = (3, 6, "01 12 20 34 45 53 03 14 25")
_PYRAMID = (4, 5, "01 12 23 30 04 14 24 34")
_HEXAHEDRON = (4, 8, "01 12 23 30 45 56 67 74 04 15 26 37")
_SOLIDS = {
    "tetra": _TETRA,
    "tetra10": _TETRA,
    "wedge": _WEDGE,
    "wedge15": _WEDGE,
    "pyramid": _PYRAMID,
    "pyramid13": _PYRAMID,
    "hexahedron": _HEXAHEDRON,
    "hexahedron20": _HEXAHEDRON,
}


def with_usual_sense(mesh: Mesh) -> Mesh:
    """Return a mesh whose solids all have the normal of their first face point into them."""
    return replace(mesh, cells=tuple(_turned(cells, mesh.points) for cells in mesh.cells))


def _turned(cells: Cells, points: Array) -> Cells:
    if cells.shape not in _SOLIDS:
        return cells
    inside_out = _inside_out(cells, points)
    order = mirrored(cells.shape)
    nodes = np.where(inside_out[:, None], cells.nodes[:, order], cells.nodes)
    return replace(cells, nodes=nodes)


def _inside_out(cells: Cells, points: Array) -> BoolArray:
    """Whether the normal of the first face (ncell,) points away from the other corners."""
    ring, corners, _ = _SOLIDS[cells.shape]
    x = points[cells.nodes[:, :corners]]
    face = x[:, :ring] - x[:, :1]
    normal = np.cross(face[:, 1:-1], face[:, 2:]).sum(axis=1)
    across = x[:, ring:].mean(axis=1) - x[:, :ring].mean(axis=1)
    return np.asarray(np.einsum("ij,ij->i", normal, across) < 0.0)


def mirrored(shape: str) -> IntArray:
    """Return the places of a solid's nodes when its first face, and the one across, run the other way round."""
    ring, corners, text = _SOLIDS[shape]
    place = [0, *range(ring - 1, 0, -1)]
    if corners > ring + 1:
        place += [ring + k for k in place]
    else:
        place.append(ring)
    if shape in ("tetra", "wedge", "pyramid", "hexahedron"):
        return np.array(place)
    edges = [frozenset(map(int, edge)) for edge in text.split()]
    middle = [corners + edges.index(frozenset(place[k] for k in edge)) for edge in edges]
    return np.array([*place, *middle])
