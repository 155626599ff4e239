"""What clicks on a model mean: elements by their nodes, smooth surfaces up to the next contour, sides to draw."""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe.cli.main import run
from floatframe.samples.beam import build
from floatframe.studio.commands import OwnSet, Reduction, modes
from floatframe.studio.picking import mesh_of

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def block_model() -> ff.fem.FEModel:
    """A solid of 3 × 2 × 1 hexahedra of 1 m, numbered x first."""
    x, y, z = (np.arange(n) for n in (4, 3, 2))
    nodes = np.array([(i, j, k) for k in z for j in y for i in x], dtype=float)
    corner = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    cells = [[i + a + 4 * (j + b + 3 * (k + c)) for a, b, c in corner] for k in z[:-1] for j in y[:-1] for i in x[:-1]]
    return ff.fem.FEModel(nodes, blocks=(ff.fem.ElementBlock("hex8", np.array(cells), STEEL),))


def test_an_element_is_known_by_the_corners_of_its_face():
    mesh = mesh_of(block_model())
    assert mesh.element_at([0, 1, 4]) == 1
    assert mesh.element_at([2, 3, 7]) == 3
    assert mesh.element_at([0, 11]) is None
    assert len(mesh.sides_of([1])) == 12  # of a hexahedron
    assert len(mesh.sides_of([1, 2])) == 20  # four of them in common


def test_a_surface_ends_where_the_solid_folds():
    fe = block_model()
    top = mesh_of(fe).surface_at([12, 13, 16])
    np.testing.assert_array_equal(top, np.flatnonzero(fe.nodes[:, 2] == 1))
    side = mesh_of(fe).surface_at([0, 1, 12])
    np.testing.assert_array_equal(side, np.flatnonzero(fe.nodes[:, 1] == 0))
    assert mesh_of(fe).surface_at([0, 23]).size == 0


def test_beams_have_elements_but_no_surface():
    mesh = mesh_of(build(n=4))
    assert mesh.element_at([1, 2]) == 2
    np.testing.assert_array_equal(mesh.sides_of([2]), [[1, 2]])
    assert mesh.surface_at([1, 2]).size == 0


def test_sets_made_by_clicks_are_those_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ff.io.write("beam.h5", build(n=4))
    feet = OwnSet("feet", (1, 5))
    wanted = Reduction("beam.h5", "a.h5", "feet", n=2, sets=(feet, OwnSet("half", (1, 2), nodes=False)), stress="half")
    assert run(list(wanted.action().words)) == 0
    found: dict[str, object] = {}
    exec(compile(wanted.action().python.replace("a.h5", "b.h5"), "shown", "exec"), found)
    one, other = ff.io.read("a.h5"), ff.io.read("b.h5")
    assert one.interface_nodes.tolist() == other.interface_nodes.tolist() == [1, 5]
    assert set(one.stress.element.tolist()) == set(other.stress.element.tolist()) == {1, 2}
    assert run(list(modes("beam.h5", "modes.h5", 1, "feet", sets=(feet,)).words)) == 0
    # a beam fixed at both ends, of which the lowest mode is no rigid motion
    assert ff.io.read("modes.h5").frequency[0] > 10.0


def test_sets_of_the_command_line_are_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ff.io.write("beam.h5", build(n=4))
    assert run(["convert", "beam.h5", "named.h5", "--node-set", "feet=1,5", "--element-set", "half=1,2"]) == 0
    named = ff.io.read("named.h5")
    assert (named.node_sets["feet"].tolist(), named.element_sets["half"].tolist()) == ([1, 5], [1, 2])
    for option in ("--node-set=feet=1,77", "--element-set=half=9", "--node-set=feet"):
        assert run(["convert", "beam.h5", "none.h5", option]) == 2
        assert option.split("=")[0] in capsys.readouterr().err


def test_effective_masses_of_a_clamped_beam_are_those_of_the_book():
    """Blevins, Formulas for Natural Frequency: a clamped-free beam carries 61.3, 18.8, 6.5 % across itself."""
    fe = build(n=40)
    body = ff.modal.reduce(fe, interface=[1], n_modes=6)
    across = ff.modal.effective_mass(body)[:, 1:3].sum(axis=1)  # every bending mode moves along y or z
    assert sorted(across[:6], reverse=True)[::2] == pytest.approx([0.613, 0.188, 0.065], abs=0.003)
