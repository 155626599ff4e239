"""A reference node acts on a set: rigidly, or by its mean motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import Material, with_reference_node


@pytest.fixture
def block():
    fe = ff.fem.solid_box((0.3, 0.2, 0.1), (3, 2, 2), "hex8", material=Material(2.1e11, 0.3, 7850.0))
    return fe.with_node_set("HUB", fe.node_ids[np.isclose(fe.nodes[:, 0], 0.3)])


@pytest.mark.parametrize("kind", ["rbe2", "rbe3"])
def test_reference_node_moves_rigidly_with_a_rigid_body(block, kind):
    fe = with_reference_node(block, "HUB", kind)
    (node,) = fe.node_sets["HUB_ref"]
    assert node == block.node_ids.max() + 1
    assert_allclose(fe.nodes[-1], [0.3, 0.1, 0.05])
    # rigid motions of the body strain nothing and the node is addressable
    R = fe.rigid_shapes()
    assert np.abs(fe.stiffness() @ R).max() < 1e-12 * np.abs(fe.stiffness()).max()
    assert fe.rows(["HUB_ref"]).size == 6


def test_only_rbe2_stiffens_the_set(block):
    """The mean motion takes nothing from the elastic energy; a rigid face does: fewer equations are left."""
    assert with_reference_node(block, "HUB", "rbe3").ndof == block.ndof
    assert with_reference_node(block, "HUB", "rbe2").ndof == block.ndof - 3 * block.node_sets["HUB"].size + 6


def test_place_and_errors(block):
    assert_allclose(with_reference_node(block, "HUB", at=(1, 2, 3)).nodes[-1], [1, 2, 3])
    with pytest.raises(ff.ModelError, match="node set 'NONE' is unknown"):
        with_reference_node(block, "NONE")
    with pytest.raises(ff.ModelError, match="kind is 'glue'; use 'rbe2'"):
        with_reference_node(block, "HUB", "glue")
    with pytest.raises(ff.ModelError, match="the set has a reference node"):
        with_reference_node(with_reference_node(block, "HUB"), "HUB")
