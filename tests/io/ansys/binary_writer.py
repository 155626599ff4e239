"""Binary files of ANSYS written for tests: records, matrices, results."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import floatframe as ff

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)


class Writer:
    """Words of a file and places to come back to."""

    def __init__(self, kind: int, order: str = "<") -> None:
        self.order, self.parts, self.size = order, [], 0
        self.integers([kind] + [0] * 99)

    def add(self, flags: int, content: bytes) -> int:
        start = self.size
        length = len(content) // 4
        head = np.array([length, flags], dtype=np.int64).astype(np.uint32).astype(f"{self.order}u4").tobytes()
        self.parts += [head, content, np.array([length], dtype=f"{self.order}u4").tobytes()]
        self.size += length + 3
        return start

    def integers(self, values) -> int:
        return self.add(1 << 31, np.asarray(values).astype(f"{self.order}i4").tobytes())

    def reals(self, values) -> int:
        return self.add(0, np.asarray(values, dtype=f"{self.order}f8").tobytes())

    def save(self, path: Path, patches: dict[int, list[int]] | None = None) -> Path:
        words = np.frombuffer(b"".join(self.parts), dtype=f"{self.order}i4").copy()
        for place, values in (patches or {}).items():
            words[place : place + len(values)] = values
        path.write_bytes(words.tobytes())
        return path


def write_full(path: Path, fe, lumped: bool = False, held=(), order: str = "<", unsymmetric=0, equations=0) -> Path:
    """A .full file of a model, rows in a shuffled order of nodes as ANSYS has them."""
    K, M = fe.stiffness().tocsr(), fe.mass("lumped" if lumped else "consistent").tocsr()
    nodes = np.random.default_rng(2).permutation(fe.node_ids)
    rows = np.concatenate([np.flatnonzero(fe.dofs[:, 0] == node) for node in nodes])
    K, M, dofs = K[rows][:, rows], M[rows][:, rows], fe.dofs[rows]
    fixed = np.isin(dofs[:, 0], list(held))
    file = Writer(4, order)
    n, count = len(dofs), len(nodes)
    head = file.integers([0] * 60)
    file.integers(np.unique(dofs[:, 1]) + 1)
    file.integers(nodes)
    stf = file.size
    for row in range(n):
        start, stop = K.indptr[row], K.indptr[row + 1]
        upper = K.indices[start:stop] >= row
        columns, values = K.indices[start:stop][upper], K.data[start:stop][upper]
        if fixed[row]:
            columns, values = np.array([row]), np.array([1.0])
        else:
            columns, values = columns[~fixed[columns]], values[~fixed[columns]]
        file.integers(columns + 1)
        file.reals(values)
    dof = file.integers([(dofs[:, 0] == node).sum() for node in nodes])
    file.integers(np.where(fixed, -1, 1) * (dofs[:, 1] + 1))
    mas = file.size
    if lumped:
        file.reals(M.diagonal())
    else:
        for row in range(n):
            start, stop = M.indptr[row], M.indptr[row + 1]
            upper = M.indices[start:stop] >= row
            file.integers(M.indices[start:stop][upper] + 1)
            file.reals(M.data[start:stop][upper])
    header = {0: -4, 1: n, 7: 6, 10: int(lumped), 13: unsymmetric, 18: stf, 20: equations, 26: mas, 32: count, 35: dof}
    return file.save(path, {head + 2 + k: [value] for k, value in header.items()})


def write_rst(path: Path, fe, displacement, values, analysis: int, angles=None, order: str = "<") -> Path:
    """A .rst file with nodal displacements (nnode, 6, n) in nodal axes."""
    nodes = np.random.default_rng(3).permutation(fe.nnode)
    count = displacement.shape[2]
    file = Writer(12, order)
    head = file.integers([0] * 80)
    equivalence = file.integers(fe.node_ids[nodes])
    index, times = file.integers([0] * (2 * count)), file.reals(values)
    geometry = file.integers([0] * 80)
    loc = file.size
    for k in range(fe.nnode):
        turn = (0, 0, 0) if angles is None else angles[k]
        file.reals([fe.node_ids[k], *fe.nodes[k], *turn])
    patches = {
        head + 2: [
            12,
            fe.nnode,
            fe.nnode,
            count,
            6,
            1,
            1,
            analysis,
            count,
            0,
            index,
            times,
            0,
            0,
            equivalence,
            geometry,
        ],
        geometry + 5: [fe.nnode],
        geometry + 2 + 26: [loc],
    }
    for k in range(count):
        start = file.integers([0] * 150)
        shape = file.reals(displacement[nodes, :, k].ravel())
        patches |= {index + 2 + k: [start], start + 4: [fe.nnode], start + 2 + 19: [6, 1, 2, 3, 4, 5, 6]}
        patches[start + 2 + 104] = [shape - start]
    return file.save(path, patches)
