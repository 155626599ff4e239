"""Elements inside solids, shells on their sides, and included files."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import Material, solid_box
from floatframe.io.deck.embedding import embedded
from tests.io.abaqus.coupled_bar import BAR, MOTIONS, deck, violation
from tests.io.abaqus.decks import read


@pytest.mark.parametrize("kind", ["hex8", "hex20", "tet4", "tet10"])
def test_points_inside_solids_follow_linear_fields(kind):
    fe = solid_box((1.0, 0.6, 0.4), (3, 2, 2), kind, material=Material(1.0, 0.3, 1.0))
    rows = fe.blocks[0].connectivity
    points = np.random.default_rng(3).uniform((0.0, 0.0, 0.0), (1.0, 0.6, 0.4), (20, 3))
    found = list(embedded(np.vstack([points, [[2.0, 0.0, 0.0]]]), [(kind, fe.node_ids[rows], fe.nodes[rows])]))
    assert len(found) == 20  # the last one is outside
    for row, nodes, weights in found:
        assert_allclose(
            weights @ fe.nodes[fe.node_index(nodes)], points[row], atol=1e-10
        )  # ends at 1e-13 of an element


def test_a_bar_inside_a_solid_moves_with_it(tmp_path):
    rod = "*NODE\n901, .05, .07, .1\n902, .11, .13, .93\n*ELEMENT, TYPE=T3D2, ELSET=ROD\n99, 901, 902\n"
    rod += "*SOLID SECTION, ELSET=ROD, MATERIAL=STEEL\n1e-4\n*EMBEDDED ELEMENT, HOST ELSET=BAR\nROD\n"
    fe = read(tmp_path, deck(rod, held=""))
    assert len(fe.couplings) == 6
    for motion in MOTIONS:
        assert violation(fe, motion) < 1e-12  # round-off
    assert violation(fe, lambda x: np.r_[np.sin(9 * x[2]), 0, 0, 0, 0, 0]) > 1e-3


def test_the_edge_of_a_shell_follows_the_side_of_a_solid(tmp_path):
    """A wall 0.2 wide set on the end of the bar: its foot moves and turns with the end."""
    wall = "*NODE\n901, 0., .1, 1.\n902, .2, .1, 1.\n903, .2, .1, 2.\n904, 0., .1, 2.\n"
    wall += "*ELEMENT, TYPE=S4, ELSET=WALL\n99, 901, 902, 903, 904\n*SHELL SECTION, ELSET=WALL, MATERIAL=STEEL\n.02\n"
    wall += "*SURFACE, NAME=FOOT\nWALL, E1\n*SHELL TO SOLID COUPLING, CONSTRAINT NAME=C\nFOOT, FACE\n"
    fe = read(tmp_path, deck(wall, held=""))
    for motion in MOTIONS:
        assert violation(fe, motion) < 1e-12  # round-off
    found = ff.modal.eigenmodes(fe, n=8).frequency
    assert found[5] < 1e-4 * found[6]  # the wall hangs on the bar: six rigid motions, no more


def test_included_files_may_be_named_in_other_letters_and_nested(tmp_path):
    text = deck('*INCLUDE, INPUT="Sub Folder\\More.INC"\n')
    (tmp_path / "Sub Folder").mkdir()
    (tmp_path / "Sub Folder" / "more.inc").write_text("*NSET, NSET=HERE\n*Include, Input=deeper.txt\n")
    (tmp_path / "Sub Folder" / "deeper.txt").write_text("1, 2,\n3\n")
    fe = read(tmp_path, text)
    assert fe.node_sets["HERE"].tolist() == [1, 2, 3]
    assert fe.nnode == BAR.nnode + 1
