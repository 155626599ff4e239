"""Eigenmodes on the nodes of a model as an HDF5 file, for other programs and later use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.fem import FEModel, MatrixModel
from floatframe.io.format import HDF5, Format
from floatframe.io.native._hdf5 import Column, has_mark, put, put_table, reading, take_table, writing
from floatframe.modal import Modes

NAME = "floatframe-modes"
VERSION = 1

_PER_MODE = {"frequency": Column("f"), "residual": Column("f"), "kind": Column("t")}


@short_repr
@dataclass(frozen=True)
class NodalModes:
    """Modes as motions of nodes.

    node_ids (nnode,) user numbers; displacement (nnode, 6, n) translations and rotations in model axes,
    mass-normalised; frequency (n,) [Hz]; residual (n,) backward errors; kind (n,) "rigid" or "elastic".
    """

    node_ids: IntArray
    displacement: Array
    frequency: Array
    residual: Array
    kind: tuple[str, ...]

    @classmethod
    def of(cls, fe: FEModel | MatrixModel, modes: Modes) -> NodalModes:
        """Return the modes of a model, on all its nodes."""
        moved = fe.expand(modes.shapes)[fe.placed]
        return cls(fe.node_ids[fe.placed], moved, modes.frequency, modes.residual, modes.kind)


def write(path: Path, modes: NodalModes) -> None:
    """Write modes; the file appears only when it is complete."""
    columns = zip(modes.frequency, modes.residual, modes.kind, strict=True)
    with writing(path, NAME, VERSION) as file:
        put(file, "node_ids", modes.node_ids)
        put(file, "displacement", modes.displacement)
        put_table(file.create_group("modes"), _PER_MODE, [dict(zip(_PER_MODE, row, strict=True)) for row in columns])


def read(path: Path) -> NodalModes:
    """Return the modes of a file."""
    with reading(path, NAME, VERSION) as file:
        rows = take_table(file.child("modes"), _PER_MODE)
        node_ids = file.array("node_ids", "i", (None,))
        return NodalModes(
            node_ids,
            file.array("displacement", "f", (len(node_ids), 6, len(rows))),
            np.array([row["frequency"] for row in rows]),
            np.array([row["residual"] for row in rows]),
            tuple(row["kind"] for row in rows),
        )


def recognises(path: Path) -> bool:
    """Whether the file carries the mark of this format."""
    return has_mark(path, NAME)


FORMAT: Format = Format(NAME, HDF5, NodalModes, read, write, recognises)
