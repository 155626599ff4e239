"""What clicks on a finite element model mean: the element or the smooth surface below them; only what that needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from floatframe.viewer import smooth_patches

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray


class Group(NamedTuple):
    """Elements of one kind: numbers (k,), rows of their nodes (k, m), faces by their corners, whether it is solid."""

    number: IntArray
    nodes: IntArray
    faces: tuple[tuple[int, ...], ...]
    solid: bool


@dataclass(frozen=True)
class Mesh:
    """Numbers (n,) and places (n, 3) [m] of the nodes, elements, and sets by their names as numbers."""

    number: IntArray
    place: Array
    groups: tuple[Group, ...]
    node_sets: Mapping[str, IntArray]
    element_sets: Mapping[str, IntArray]

    def rows_of(self, numbers: Collection[int] | IntArray) -> IntArray:
        """Return the rows (k,) of nodes by their numbers; those that do not exist are left out."""
        return np.flatnonzero(np.isin(self.number, np.asarray(list(numbers), dtype=np.int64)))

    def element_at(self, rows: Collection[int]) -> int | None:
        """Return the number of an element that has all of these nodes, None if there is none."""
        wanted = np.unique(np.asarray(list(rows), dtype=np.int64))
        for group in self.groups:
            has = np.isin(group.nodes, wanted).sum(axis=1) >= len(wanted)
            if len(wanted) and has.any():
                return int(group.number[has.argmax()])
        return None

    def sides_of(self, elements: Collection[int] | IntArray) -> IntArray:
        """Return the sides (k, 2) of elements, rows of nodes, each once."""
        found = [np.empty((0, 2), dtype=np.int64)]
        wanted = np.asarray(list(elements), dtype=np.int64)
        for group in self.groups:
            nodes = group.nodes[np.isin(group.number, wanted)]
            faces = group.faces or (((0, 1),) if group.nodes.shape[1] > 1 else ())
            corners = [nodes[:, list(face)] for face in faces]
            found += [np.stack([one, np.roll(one, -1, axis=1)], axis=2).reshape(-1, 2) for one in corners]
        return np.unique(np.sort(np.concatenate(found), axis=1), axis=0)

    def surface_at(self, rows: Collection[int]) -> IntArray:
        """Return the nodes (k,) of the smooth surface around a face that has all of these nodes, none without one."""
        faces = [group.nodes[:, list(face)] for group in self.groups if group.solid for face in group.faces]
        shells = [group.nodes[:, list(group.faces[0])] for group in self.groups if group.faces and not group.solid]
        polygons, patch = smooth_patches(self.place, shells, faces)
        wanted = np.unique(np.asarray(list(rows), dtype=np.int64))
        number = 0
        for group in polygons:
            has = np.isin(group, wanted).sum(axis=1) >= len(wanted)
            if len(wanted) and has.any():
                chosen = patch == patch[number + int(has.argmax())]
                split = np.split(chosen, np.cumsum([len(one) for one in polygons])[:-1])
                return np.unique(np.concatenate([one[k].ravel() for one, k in zip(polygons, split, strict=True)]))
            number += len(group)
        return np.empty(0, dtype=np.int64)


def mesh_of(model: Any) -> Mesh:
    """Return what clicks ask for of a model; one without elements has nodes only."""
    groups = tuple(
        Group(
            np.asarray(block.element_ids, dtype=np.int64),
            np.asarray(block.connectivity, dtype=np.int32),
            tuple(map(tuple, block.element.faces)),
            block.element.dimension == 3,
        )
        for block in getattr(model, "blocks", ())
        if len(block)
    )
    sets = dict(model.node_sets), dict(getattr(model, "element_sets", {}))
    return Mesh(model.node_ids, model.nodes, groups, *sets)
