"""Many unconnected parts: each has its six rigid motions, and all of them cost what one body costs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import Material, join, solid_box

STEEL = Material(2.1e11, 0.3, 7850.0)


def boxes(count):
    parts = [
        solid_box((0.04, 0.02, 0.02), (2, 1, 1), material=STEEL, origin=(0.0, 0.05 * k, 0.0)) for k in range(count)
    ]
    return join(*parts)


@pytest.fixture(scope="module")
def forty():
    return boxes(40)


def test_modes_of_forty_parts_are_those_of_one(forty):
    alone = ff.modal.eigenmodes(boxes(1), n=8)
    modes = ff.modal.eigenmodes(forty, n=242)
    assert modes.kind.count("rigid") == 240
    assert modes.sturm.passed
    # as many copies as there are parts, of which two are asked for; the residuals allow 1e-8
    assert_allclose(modes.frequency[240:], alone.frequency[6], rtol=1e-7)
    assert modes.cut >= 38


def test_rigid_motions_alone_are_proven_without_a_search(forty):
    modes = ff.modal.eigenmodes(forty, n=10)
    assert set(modes.kind) == {"rigid"}
    assert modes.cut == 230
    assert modes.sturm.found == modes.sturm.expected == 240
    assert modes.statistics.factorisations == 1
    assert modes.statistics.steps == 0
    assert modes.orthogonality < 1e-12


def test_all_modes_below_a_frequency_have_the_motions_of_all_parts(forty):
    first = ff.modal.eigenmodes(boxes(1), n=7).frequency[6]
    modes = ff.modal.eigenmodes(forty, below=0.5 * first)
    assert len(modes) == 240
    assert modes.sturm.passed


def test_parts_on_supports_of_their_own_keep_what_these_leave(forty):
    """The first box is clamped, the second turns about a line of held nodes, the others are free."""
    x, y = forty.nodes[:, 0], forty.nodes[:, 1]
    clamped = forty.node_ids[(x < 1e-9) & (y < 0.03)]
    hinge = forty.node_ids[(x < 1e-9) & (np.abs(y - 0.05) < 1e-9)]
    held = forty.with_support([(int(node), "u") for node in [*clamped, *hinge]])
    modes = ff.modal.eigenmodes(held, n=5)
    assert modes.cut == 6 * 38 + 1 - 5


def test_mechanisms_of_many_parts_come_from_one_factorisation(forty):
    found = ff.modal.find_mechanisms(forty)
    assert len(found) == 96
    assert all(motion.rigid for motion in found)
    assert len(ff.modal.find_mechanisms(boxes(3))) == 18
