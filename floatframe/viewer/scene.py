"""What to draw: points and polygons of a finite element model, and where they go when its nodes move.

NumPy only. Every drawn point is tied to a node by a rigid arm, so the corners of a beam's section follow both the
displacement and the rotation of the node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.fem import ElementBlock, FEModel


@dataclass(frozen=True)
class Scene:
    """A drawable model.

    points (npoint, 3) [m]; anchor (npoint,) row of the node each point is tied to; arm (npoint, 3) from that node [m];
    surfaces (shells, skins of solids), beams (their side walls) and ends (of every beam element): arrays (k, corners)
    of polygons by number of corners; lines (k, 2); all hold rows of `points`.
    """

    points: Array
    anchor: IntArray
    arm: Array
    surfaces: tuple[IntArray, ...]
    beams: tuple[IntArray, ...]
    ends: tuple[IntArray, ...]
    lines: IntArray

    def motion(self, displacement: Array) -> Array:
        """Return how far every point moves (npoint, 3) when the nodes move by displacement (nnode, 3 or 6)."""
        moved = displacement[self.anchor, :3]
        if displacement.shape[1] == 6:
            moved = moved + np.cross(displacement[self.anchor, 3:], self.arm)
        return moved

    @property
    def size(self) -> float:
        """Diagonal of the box around the model [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0))) if len(self.points) else 0.0


def scene_of(fe: FEModel, sections: bool = True) -> Scene:
    """Return the drawing of a model: outer faces of solids, shells, and beams with their section (or as lines)."""
    nnode = fe.nnode
    points, anchor, arm = [fe.nodes], [np.arange(nnode)], [np.zeros((nnode, 3))]
    shells: list[IntArray] = []
    solids: list[IntArray] = []
    walls: list[IntArray] = []
    ends: list[IntArray] = []
    lines = [np.empty((0, 2), dtype=np.int64)]
    count = nnode
    for block in fe.blocks:
        if block.element.dimension == 1:
            outline = getattr(block.section, "outline", ())
            if not (sections and outline and len(block)):
                lines.append(block.connectivity[:, :2])
                continue
            arms = _section_arms(fe, block, np.array(outline))
            nodes = np.repeat(block.connectivity[:, :2, None], len(outline), axis=2)
            points.append((fe.nodes[nodes] + arms).reshape(-1, 3))
            anchor.append(nodes.ravel())
            arm.append(arms.reshape(-1, 3))
            wall, *both = _prism(len(block), len(outline), count)
            walls.append(wall)
            ends.extend(both)
            count += nodes.size
        elif block.element.faces:
            faces = solids if block.element.dimension == 3 else shells
            faces.extend(block.connectivity[:, list(face)] for face in block.element.faces)
    surfaces = [*grouped(shells), *outer(solids)]
    return Scene(
        np.concatenate(points),
        np.concatenate(anchor),
        np.concatenate(arm),
        tuple(surfaces),
        tuple(grouped(walls)),
        tuple(grouped(ends)),
        np.concatenate(lines),
    )


def _section_arms(fe: FEModel, block: ElementBlock, outline: Array) -> Array:
    """Return (nel, 2, corners, 3): from the two nodes of each beam to the corners of its section."""
    axes = np.concatenate([block.element.axes(batch) for _, batch in block.batches(fe.nodes)])
    corners = np.einsum("ck,ekx->ecx", outline, axes[:, 1:])
    offsets = block.data.get("offsets", np.zeros((len(block), 2, 3)))
    return offsets[:, :, None, :] + corners[:, None]


def _prism(nel: int, corners: int, first: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the side walls and the two ends of prisms whose points follow each other from row `first` on."""
    start = first + 2 * corners * np.arange(nel)[:, None]
    k = np.arange(corners)
    after = (k + 1) % corners
    wall = np.stack([k, after, after + corners, k + corners], axis=1)
    return (start[:, None] + wall).reshape(-1, 4), start + k[::-1], start + corners + k


def grouped(faces: list[IntArray]) -> Iterator[IntArray]:
    """Yield polygons joined by their number of corners."""
    for corners in sorted({face.shape[1] for face in faces}):
        yield np.concatenate([face for face in faces if face.shape[1] == corners])


def outer(faces: list[IntArray]) -> Iterator[IntArray]:
    """Yield the polygons that belong to one element only: inner faces of a body appear twice."""
    for group in grouped(faces):
        _, first, times = np.unique(np.sort(group, axis=1), axis=0, return_index=True, return_counts=True)
        yield group[np.sort(first[times == 1])]
