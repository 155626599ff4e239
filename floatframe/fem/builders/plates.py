"""Flat rectangular plates and shells from ready meshes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.properties import Material, ShellSection

_KINDS = {4: "shell4", 3: "shell3", 8: "shell8", 6: "shell6"}  # by number of points
# of the nine points of a cell: corners, middles of sides, middle; whole, or cut in two along the first diagonal
_WHOLE = [list(range(8))]
_HALVES = [[0, 1, 2, 4, 5, 8], [0, 2, 3, 8, 6, 7]]


def plate_grid(
    lx: float,
    ly: float,
    nx: int,
    ny: int,
    thickness: float,
    material: Material,
    triangles: bool = False,
    offset: float = 0.0,
    name: str = "plate",
    quadratic: bool = False,
) -> FEModel:
    """Return a plate 0..lx by 0..ly [m] in the plane z = 0 with nx by ny quadrilaterals, normal +z.

    Nodes run along x first: node 1 + i + j (nx + 1) stands at (i lx/nx, j ly/ny). Node sets: "xmin", "xmax", "ymin",
    "ymax", "edges" (all four) and "corners". `triangles` cuts every quadrilateral in two; `quadratic` adds nodes on the
    middles of all sides, in the same order along x, then y.
    """
    lx, ly = check.positive(lx, f"{name}: length lx"), check.positive(ly, f"{name}: width ly")
    nx, ny = check.count(nx, f"{name}: nx"), check.count(ny, f"{name}: ny")
    faces = _grid_quads(nx, ny)[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3) if triangles else _grid_quads(nx, ny)
    if quadratic:
        faces = _quadratic_cells(nx, ny)[:, _HALVES if triangles else _WHOLE].reshape(-1, 6 if triangles else 8)
        nx, ny = 2 * nx, 2 * ny
    x, y = np.meshgrid(np.linspace(0.0, lx, nx + 1), np.linspace(0.0, ly, ny + 1))
    nodes = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    sets = _edge_sets(nx, ny, ("xmin", "xmax", "ymin", "ymax"))
    if quadratic and not triangles:
        # quadrilaterals have no node in their middle
        kept, faces = np.unique(faces, return_inverse=True)
        number = np.zeros(len(nodes) + 1, dtype=np.int64)
        number[kept + 1] = np.arange(1, kept.size + 1)
        nodes, faces, sets = nodes[kept], faces.reshape(-1, 8), {key: number[rows] for key, rows in sets.items()}
    plate = shell_mesh(nodes, faces, thickness, material, offset=offset, name=name)
    return replace(plate, node_sets=sets)


def shell_grid(
    points: Array, thickness: float, material: Material, offset: float = 0.0, name: str = "shell"
) -> FEModel:
    """Return quadrilaterals between the points (ny + 1, nx + 1, 3) [m] of a grid of any shape.

    The normal is (direction along a row) x (direction from row to row). Node sets: "left", "right" (first and last
    point of every row), "bottom", "top" (first and last row), "edges", "corners".
    """
    grid = check.points(points, f"{name}: points", (None, None, 3))
    ny, nx = grid.shape[0] - 1, grid.shape[1] - 1
    if nx < 1 or ny < 1:
        raise ModelError(f"{name}: points have shape {grid.shape}; a grid needs at least two rows of two points.")
    shell = shell_mesh(grid.reshape(-1, 3), _grid_quads(nx, ny), thickness, material, offset, name)
    return replace(shell, node_sets=_edge_sets(nx, ny, ("left", "right", "bottom", "top")))


def shell_mesh(
    xyz: Array,
    quads: IntArray | Iterable[Iterable[int]],
    thickness: float,
    material: Material,
    offset: float = 0.0,
    name: str = "shell",
) -> FEModel:
    """Return a shell of given points and elements.

    xyz (nnode, 3) [m]; quads (nel, 4), or (nel, 3) for triangles, (nel, 8) and (nel, 6) for curved elements (corners,
    then middles of the sides), or a list with rows of several lengths: rows of `xyz` from 0, counter-clockwise round
    the normal. offset [m]: mid-surface seen from the nodes along the normal.
    """
    nodes = check.points(xyz, f"{name}: xyz")
    section = shell_section(thickness, offset, name)
    blocks = []
    for width, kind in _KINDS.items():
        faces = _rows_of(quads, width, name)
        if len(faces):
            faces = check.rows(faces, f"{name}: elements", len(nodes), (width,))
            repeated = np.flatnonzero((np.diff(np.sort(faces, axis=1), axis=1) == 0).any(axis=1))
            if repeated.size:
                raise ModelError(
                    f"{name}: element {faces[repeated[0]].tolist()} names a point twice; write it as a triangle."
                )
            blocks.append(ElementBlock(kind, faces, material, section, name=name))
    if not blocks:
        raise ModelError(f"{name}: there are no elements; give rows of three, four, six or eight points.")
    return FEModel(nodes, tuple(blocks), name=name)


def shell_section(thickness: float, offset: float = 0.0, name: str = "shell") -> ShellSection:
    """Return a wall section after checking its thickness [m]."""
    return ShellSection(check.positive(thickness, f"{name}: thickness"), offset, name=name)


def _grid_quads(nx: int, ny: int) -> IntArray:
    """Return (nx * ny, 4) corners of the cells of a grid whose nodes run along the first direction first."""
    i, j = np.meshgrid(np.arange(nx), np.arange(ny))
    corner = (i + j * (nx + 1)).ravel()
    return np.column_stack([corner, corner + 1, corner + nx + 2, corner + nx + 1])


def _quadratic_cells(nx: int, ny: int) -> IntArray:
    """Return (nx * ny, 9) corners, middles of sides and middle of cells in a grid of twice as many points each way."""
    i, j = np.meshgrid(np.arange(nx), np.arange(ny))
    row = 2 * nx + 1
    corner = (2 * i + 2 * j * row).ravel()[:, None]
    return corner + np.array([0, 2, 2 + 2 * row, 2 * row, 1, 2 + row, 1 + 2 * row, row, 1 + row])


def _edge_sets(nx: int, ny: int, names: tuple[str, str, str, str]) -> dict[str, IntArray]:
    """Return node sets of a grid numbered from 1: its four sides (named in the order i = 0, i = nx, j = 0, j = ny),
    "edges" and "corners"."""
    grid = np.arange(1, (nx + 1) * (ny + 1) + 1).reshape(ny + 1, nx + 1)
    sides = (grid[:, 0], grid[:, -1], grid[0], grid[-1])
    sets: dict[str, IntArray] = dict(zip(names, sides, strict=True))
    sets["edges"] = np.unique(np.concatenate(sides))
    sets["corners"] = grid[[0, 0, -1, -1], [0, -1, 0, -1]]
    return sets


def _rows_of(faces: IntArray | Iterable[Iterable[int]], width: int, name: str) -> AnyArray:
    """Return the rows with `width` entries of an array or of a mixed list."""
    if isinstance(faces, np.ndarray):
        if faces.ndim != 2 or faces.shape[1] not in _KINDS:
            raise ModelError(
                f"{name}: elements have shape {faces.shape}, expected (nel, 3), (nel, 4), (nel, 6) or (nel, 8)."
            )
        return faces if faces.shape[1] == width else faces[:0]
    listed = [list(face) for face in faces]
    wrong = [face for face in listed if len(face) not in _KINDS]
    if wrong:
        raise ModelError(f"{name}: element {wrong[0]} has {len(wrong[0])} points, expected three, four, six or eight.")
    return np.array([face for face in listed if len(face) == width], dtype=np.int64).reshape(-1, width)
