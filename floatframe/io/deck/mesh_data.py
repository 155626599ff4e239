"""A mesh without properties: places, cells and named groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray

# of a cell shape, by meshio's name
DIMENSION = {
    "vertex": 0,
    **dict.fromkeys(("line", "line3"), 1),
    **dict.fromkeys(("triangle", "triangle6", "triangle7", "quad", "quad8", "quad9"), 2),
    **dict.fromkeys(("tetra", "tetra10", "hexahedron", "hexahedron20", "hexahedron27"), 3),
    **dict.fromkeys(("wedge", "wedge15", "wedge18", "pyramid", "pyramid13", "pyramid14"), 3),
}


@dataclass(frozen=True)
class Cells:
    """Cells of one shape: node rows (n, nnode) and the groups they are in, name -> rows."""

    shape: str
    nodes: IntArray
    groups: dict[str, IntArray]

    @property
    def dimension(self) -> int:
        return DIMENSION.get(self.shape, -1)

    @property
    def ungrouped(self) -> BoolArray:
        """Whether a cell is in no group (n,)."""
        free = np.ones(len(self.nodes), dtype=bool)
        for rows in self.groups.values():
            free[rows] = False
        return free


@dataclass(frozen=True)
class Mesh:
    """Places (n, 3), cells and named sets of node rows."""

    points: Array
    cells: tuple[Cells, ...]
    point_sets: dict[str, IntArray]

    @property
    def groups(self) -> dict[str, int]:
        """Names of cell groups and their dimension."""
        return {name: cells.dimension for cells in self.cells for name in cells.groups}

    def why_no_elements(self, group: str, dimension: int, top: int) -> str:
        """Return why a group is likely to mark places rather than to hold elements; empty if it is not."""
        of_group = [(cells, cells.groups[group]) for cells in self.cells if group in cells.groups]
        if dimension < top:
            bulk = [cells.nodes.ravel() for cells in self.cells if cells.dimension == top]
            if all(np.isin(cells.nodes[rows], np.concatenate(bulk)).all() for cells, rows in of_group):
                return "lies on other cells: a node set unless it has elements of its own"
        for cells, rows in of_group:
            for other, members in cells.groups.items():
                if other == group:
                    break
                if np.isin(rows, members).any():
                    return f"shares cells with {other}: a cell has properties from one group"
        return ""
