"""Mesh files as texts, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from floatframe.fem import FEModel
from floatframe.io import read

HEAD = 'format = "floatframe-mesh/1"\n'
PLATE = """
[[part]]
type = "plate"
name = "plate"
lx = 2
ly = 1
nx = 4
ny = 2
thickness = 0.01
material = "S355"
"""


def mesh(folder: Path, text: str, head: str = HEAD) -> FEModel:
    """Return the model of a text."""
    path = folder / "mesh.toml"
    path.write_text(head + text, encoding="utf-8")
    return read(path)


def assert_same(a: FEModel, b: FEModel) -> None:
    """Nodes and matrices are equal bit by bit."""
    assert np.array_equal(a.nodes, b.nodes)
    for ours, theirs in ((a.stiffness(), b.stiffness()), (a.mass(), b.mass())):
        assert np.array_equal(ours.toarray(), theirs.toarray())
