"""What to draw of a reduced body: the mesh it keeps for display. NumPy only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.viewer.scene import Scene, grouped, outer

if TYPE_CHECKING:
    from floatframe.arrays import IntArray
    from floatframe.modal.reduced_body import ReducedBody


def body_scene(body: ReducedBody) -> Scene:
    """Return the drawing of a body: shells, outer faces of solids, beams as lines."""
    shells: list[IntArray] = []
    solids: list[IntArray] = []
    lines = [np.empty((0, 2), dtype=np.int64)]
    for kind, _, cells in body.mesh.cells():
        faces = [cells[:, list(polygon)] for polygon in kind.polygons]
        lines += [face for face in faces if face.shape[1] == 2]
        # one polygon is a wall; the many of a solid hide each other inside
        walls = shells if len(faces) == 1 else solids
        walls += [face for face in faces if face.shape[1] > 2]
    surfaces = (*grouped(shells), *outer(solids))
    every = np.arange(body.nnode)
    return Scene(body.nodes, every, np.zeros((body.nnode, 3)), surfaces, (), (), np.concatenate(lines))
