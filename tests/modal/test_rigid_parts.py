"""Free models with a part that a coupling makes wholly rigid: forces inside it cancel and leave no springs behind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import RBE2, FEModel, Material, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)


def bar() -> FEModel:
    return solid_box((1.0, 0.2, 0.2), (4, 1, 1), material=STEEL)


def bar_and_block() -> FEModel:
    """The bar and, apart from it, a block that follows its own reference node."""
    one, other = bar(), solid_box((0.3, 0.2, 0.2), (2, 1, 1), material=STEEL, origin=(3.0, 0.5, 0.0))
    nodes = np.vstack([one.nodes, other.nodes, other.nodes.mean(axis=0)])
    block = replace(other.blocks[0], connectivity=other.blocks[0].connectivity + one.nnode, element_ids=None)
    rigid = RBE2(len(nodes), list(range(one.nnode + 1, len(nodes))))
    return FEModel(nodes, (replace(one.blocks[0], element_ids=None), block), couplings=(rigid,))


def test_a_rigid_part_of_its_own_moves_freely():
    found = ff.modal.eigenmodes(bar_and_block(), n=16).frequency
    alone = ff.modal.eigenmodes(bar(), n=10).frequency
    assert_allclose(found[:12], 0.0, atol=1e-3)  # Hz, of a first elastic mode at 1 kHz
    assert_allclose(found[12:], alone[6:], rtol=1e-8)  # two eigenvalue problems with the same elastic part


def test_a_soft_spring_to_the_rigid_part_is_kept():
    fe = bar_and_block()
    reference = int(fe.node_ids[-1])
    soft = fe.with_spring(1, reference, stiffness=1.0)
    rows = soft.rows([(reference, "u")])
    line = fe.nodes[-1] - fe.nodes[0]
    direction = line / np.sqrt(line @ line)
    # [N/m]; round-off of the cancelled forces, which are of 1e11 N/m, is about 1e-5
    found = soft.stiffness()[rows][:, rows].toarray()
    assert_allclose(found, np.outer(direction, direction), atol=1e-4)
