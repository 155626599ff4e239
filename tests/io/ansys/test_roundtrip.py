"""Models written as ANSYS archives and read back are the same models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.fem import RBE2, RBE3, BeamSection, ElementBlock, FEModel, ShellSection, solid_box

STEEL = ff.fem.Material(2.1e11, 0.3, 7850.0)
SAME = 1e-9  # numbers are written with 17 digits; what is left is the rounding of the eigenvalue solver


def back(tmp_path, fe):
    path = tmp_path / "model.cdb"
    ff.io.write(path, fe)
    return ff.io.read(path)


@pytest.mark.parametrize(
    "kind", ["hex8", "wedge6", "pyramid5", "tet4", "hex20", "hex20_reduced", "wedge15", "pyramid13", "tet10"]
)
def test_solids_come_back_exactly(tmp_path, kind):
    fe = solid_box((1.1, 0.7, 0.3), (2, 2, 1), kind, material=STEEL)
    again = back(tmp_path, fe)
    assert_array_equal(again.nodes, fe.nodes)
    assert_array_equal(again.blocks[0].connectivity, fe.blocks[0].connectivity)
    assert again.blocks[0].kind == kind
    assert {name.upper() for name in fe.node_sets} == set(again.node_sets)
    for name, members in fe.node_sets.items():
        assert_array_equal(again.node_sets[name.upper()], members)


def structure() -> FEModel:
    """A plate on beams with arms, a solid foot, masses, a rigid and an averaging coupling, supports."""
    plate = ff.fem.plate_grid(1.0, 0.6, nx=5, ny=3, thickness=0.01, material=STEEL)
    foot = solid_box((0.2, 0.2, 0.1), (2, 2, 1), "hex8", material=STEEL, origin=(0.0, 0.0, -0.5))
    n = plate.nnode
    xyz = np.vstack([plate.nodes, foot.nodes, [[0.1, 0.1, -0.3], [0.5, 0.3, 0.4], [1.2, 0.3, 0.2]]])
    ids = 10 + 3 * np.arange(len(xyz))
    pilot, high, tip = ids[-3:].tolist()
    rib = BeamSection.rectangle(0.02, 0.05)
    line = np.flatnonzero(np.abs(plate.nodes[:, 1]) < 1e-12)
    line = line[np.argsort(plate.nodes[line, 0])]
    ribs = np.column_stack([line[:-1], line[1:]])
    arms = np.tile([0.0, 0.0, -0.03], (len(ribs), 2, 1))
    corner = plate.node_index([n])[0]
    blocks = (
        replace(plate.blocks[0], section=ShellSection(0.01, offset=0.005), element_ids=None),
        replace(foot.blocks[0], connectivity=foot.blocks[0].connectivity + n, element_ids=None),
        ElementBlock(
            "beam", ribs, STEEL, rib, {"orientation": np.tile([0.0, 0.3, 1.0], (len(ribs), 1)), "offsets": arms}
        ),
        ElementBlock("beam", np.array([[corner, len(xyz) - 1]]), STEEL, rib),
        ElementBlock("truss", np.array([[len(xyz) - 1, 0]]), STEEL, rib),
    )
    top = ids[n + np.flatnonzero(foot.nodes[:, 2] > -0.41)].tolist()
    fe = FEModel(xyz, blocks, ids, node_sets={"TOP": top}, couplings=(
        RBE2(pilot, [*top, int(ids[0])], "all"), RBE3(high, ids[[6, 9, 14, 20]].tolist())))  # fmt: skip
    fe = fe.with_point_mass(high, 12.0, (0.1, 0.2, 0.3)).with_point_mass(tip, 3.0)
    held = ids[n + np.flatnonzero(foot.nodes[:, 2] < -0.49)]
    return fe.with_support([(int(node), "u") for node in held])


def test_a_structure_of_everything_keeps_its_frequencies(tmp_path):
    fe = structure()
    again = back(tmp_path, fe)
    assert_allclose(ff.modal.eigenmodes(again, n=12).frequency, ff.modal.eigenmodes(fe, n=12).frequency, rtol=SAME)
    assert again.mass_properties().mass == pytest.approx(fe.mass_properties().mass, rel=1e-12)
    assert_allclose(again.mass_properties().com, fe.mass_properties().com, rtol=1e-9)
