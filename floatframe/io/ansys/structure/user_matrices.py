"""MATRIX27 of ANSYS files: a symmetric matrix over the dofs of two nodes.

Where it is that of springs to ground and between the nodes it becomes those, which decks can hold again.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.io.ansys.apdl import padded
from floatframe.io.ansys.structure.builder import Builder, Group

_NAMES = {2: "mass", 4: "stiffness", 5: "damping"}  # by KEYOPT(3)
_ROUND = 1e-9


def add_user_matrices(builder: Builder, group: Group) -> bool:
    """KEYOPT(3) = 2, 4 or 5, KEYOPT(2) = 0: 78 terms of the upper triangle by rows, in nodal axes.

    With blocks A, B, C of nodes I and J and symmetric B, uᵀA u + 2 uᵀB v + vᵀC v is the work of springs A + B and
    C + B to ground and -B between the nodes. Return whether it could be read.
    """
    name = _NAMES.get(group.type.key(3))
    r = [*builder.needed_reals(group), *[0.0] * 78][:78]
    matrix = np.zeros((12, 12))
    matrix[np.triu_indices(12)] = r
    matrix = matrix + np.triu(matrix, 1).T
    A, B, C = matrix[:6, :6], matrix[:6, 6:], matrix[6:, 6:]
    nodes = padded(group.nodes, 2)
    ends = builder.places(nodes, f"{group.name} element", group.ids)
    apart = bool(np.ptp(ends, axis=1).any())
    turned = any(not np.array_equal(builder.axes(node), np.eye(3)) for node in np.unique(nodes).tolist())
    skewed = np.abs(B - B.T).max() > _ROUND * np.abs(matrix).max()
    # between nodes apart, springs of moments would have arms that the matrix does not
    arms = apart and bool(B[:3].any() or B[:, :3].any())
    if name is None or group.type.key(2):
        reason = f"KEYOPT(2) = {group.type.key(2)}, KEYOPT(3) = {group.type.key(3)} is not a symmetric matrix"
        builder.log.lose(group.name, "stiffness", reason, count=group.ids.size)
        return False
    if name == "mass" or skewed or turned or arms:
        turns = [np.array([builder.axes(node) for node in column]) for column in nodes.T.tolist()]
        T = np.zeros((group.ids.size, 12, 12))
        for k in range(4):
            T[:, 3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = turns[k // 2]
        # nodal axes are columns: motions in them are Tᵀ u
        builder.add_block("pair_matrix", group, group.ids, nodes, data={name: T @ matrix @ T.swapaxes(1, 2)})
        return True
    numbers = builder.split(group.ids, 3)
    for column, law in ((0, A + B), (1, C + B)):
        if law.any():
            _add(builder, group, "ground_spring", numbers[:, column], nodes[:, column : column + 1], name, law)
    if B.any():
        _add(builder, group, "spring", numbers[:, 2], nodes, name, -B)
    return True


def _add(builder: Builder, group: Group, kind: str, ids: Array, nodes: Array, name: str, law: Array) -> None:
    data = {name: np.tile(law, (len(ids), 1, 1)), "axes": np.tile(np.eye(3), (len(ids), 1, 1))}
    data.setdefault("stiffness", np.zeros((len(ids), 6, 6)))
    builder.add_block(kind, group, ids, nodes, data=data)
