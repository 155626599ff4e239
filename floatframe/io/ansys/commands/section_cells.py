"""Files of beam sections that ANSYS users mesh themselves (SECWRITE, SECREAD,…,MESH)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.ansys.apdl import Text
from floatframe.userfiles import file_text

_LARGEST = 1e15  # numbers beyond it are none
_CELL = 10  # nine nodes and a material


def read_cells(path: Path, text: Text) -> tuple[Array, IntArray]:
    """Return points (m, 2) and the nine of each cell (n, 9).

    The first line has the number of points and cells; a line for each cell, and one for each point with a flag and its
    y and z follow.
    """
    rows = []
    for line in file_text(path, "latin-1").splitlines():
        words = line.split("!")[0].replace(",", " ").split()
        try:
            values = [float(word.upper().replace("D", "E")) for word in words]
        except ValueError:
            continue  # titles
        if values and all(abs(value) < _LARGEST for value in values):
            rows.append(values)
    count, cells = (int(value) for value in [*rows[0], 0.0, 0.0][:2]) if rows else (0, 0)
    given, points = rows[1 : 1 + cells], rows[1 + cells : 1 + cells + count]
    whole = len(points) == count > 0 < cells and all(len(row) >= _CELL - 1 for row in given)
    if not whole or not all(len(row) == len(points[0]) > 1 for row in points):
        raise text.error(
            f"the section file '{path.name}' needs the number of points and cells, nine points and a material for "
            f"each cell, then a flag, y and z for each point; found {len(rows)} lines of numbers."
        )
    if len({row[_CELL - 1] for row in given if len(row) >= _CELL}) > 1:
        raise text.error(f"the section file '{path.name}' has cells of several materials; only one can be read.")
    nodes = np.array([row[: _CELL - 1] for row in given], dtype=np.int64) - 1
    if nodes.min() < 0 or nodes.max() >= count:
        raise text.error(f"the section file '{path.name}' has cells with points beyond the {count} it lists.")
    at = np.array([row[-2:] for row in points])
    return at, _corners_first(at, nodes)


def _corners_first(at: Array, nodes: IntArray) -> IntArray:
    """Return cells with corners, then middles; files may also run round the cell from corner to middle."""
    p = at[nodes]
    around = np.abs(p[:, 1] - (p[:, 0] + p[:, 2]) / 2.0).sum()
    apart = np.abs(p[:, 4] - (p[:, 0] + p[:, 1]) / 2.0).sum()
    return nodes[:, [0, 2, 4, 6, 1, 3, 5, 7, 8]] if around < apart else nodes
