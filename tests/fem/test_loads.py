"""Loads have the right resultants and refuse what does not exist."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import faces

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


def test_weight_of_a_mixed_model():
    plate = ff.fem.plate_grid(2.0, 1.0, nx=4, ny=3, thickness=0.01, material=STEEL)
    fe = plate.with_point_mass(5, mass=30.0, offset=(0.0, 0.0, 0.5))
    f = ff.fem.load_vector(fe, gravity=(0.0, 0.0, -9.81))
    mass = 2.0 * 1.0 * 0.01 * 7850.0 + 30.0
    assert_allclose(f[:, :3].sum(axis=0), [0, 0, -9.81 * mass], atol=1e-9)
    # the sideways pull of an offset mass turns its node
    pull = (1.0, 0.0, 0.0)
    sideways = ff.fem.load_vector(fe, gravity=pull) - ff.fem.load_vector(plate, gravity=pull)
    assert_allclose(sideways[fe.node_index(5)[0], 3:], [0.0, 30.0 * 0.5, 0.0], atol=1e-12)


def test_pressure_on_shell_pushes_against_the_normal():
    fe = ff.fem.plate_grid(2.0, 1.0, nx=4, ny=3, thickness=0.01, material=STEEL)
    fe = fe.with_element_set("deck", fe.blocks[0].element_ids)
    f = ff.fem.load_vector(fe, pressure={"deck": 500.0})
    assert_allclose(f[:, :3].sum(axis=0), [0, 0, -1000.0], atol=1e-9)


def test_pressure_on_outer_faces_of_a_solid_only():
    fe = ff.fem.solid_box((1.0, 2.0, 3.0), (2, 3, 4), kind="hex20", material=STEEL)
    f = ff.fem.load_vector(fe, pressure={"xmax": 10.0})
    assert_allclose(f[:, :3].sum(axis=0), [-10.0 * 6.0, 0, 0], atol=1e-9)
    everywhere = fe.with_node_set("skin", lambda x: np.ones(len(x), dtype=bool))
    # a closed surface under uniform pressure is in balance, and inner faces carry nothing
    f = ff.fem.load_vector(everywhere, pressure={"skin": 10.0})
    assert_allclose(f.sum(axis=0), 0.0, atol=1e-9)


def test_load_on_a_set_acts_at_each_node():
    fe = ff.fem.plate_grid(1.0, 1.0, nx=2, ny=2, thickness=0.01, material=STEEL)
    f = ff.fem.load_vector(fe, loads={("xmax", "uz"): 3.0, (1, "rx"): 2.0})
    assert f[:, 2].sum() == pytest.approx(9.0)
    assert f[0, 3] == 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"loads": {(99, "uz"): 1.0}}, "unknown node 99"),
        ({"loads": {("nowhere", "uz"): 1.0}}, "node set 'nowhere' is unknown"),
        ({"loads": {(1, "up"): 1.0}}, "dof 'up' is unknown"),
        ({"loads": {(1, "uz"): float("nan")}}, "finite number"),
        ({"loads": {1: 1.0}}, "expected a pair"),
        ({"loads": {(1, "rx"): 1.0}}, "node 1 has no rx"),
        ({"gravity": (0, -9.81)}, "three numbers"),
        ({"pressure": {"roof": 1.0}}, "pressure on 'roof'"),
        ({"pressure": {"xmax": float("nan")}}, "pressure on 'xmax': the value is nan"),
    ],
)
def test_bad_load_is_named(arguments, message):
    fe = ff.fem.solid_box((1.0, 1.0, 1.0), (1, 1, 1), kind="hex8", material=STEEL)
    with pytest.raises(ff.ModelError, match=message):
        ff.fem.load_vector(fe, **arguments)


def test_faces_are_sorted_out_once(monkeypatch):
    calls = []
    outer = faces.outer_faces
    monkeypatch.setattr(faces, "outer_faces", lambda blocks: calls.append(1) or outer(blocks))
    fe = ff.fem.solid_box((1.0, 1.0, 1.0), (2, 2, 2), kind="hex8", material=STEEL)
    ff.fem.load_vector(fe, pressure={"xmax": 10.0, "xmin": 10.0})
    assert len(calls) == 1


def test_faces_between_blocks_are_inner():
    fe = ff.fem.solid_box((2.0, 1.0, 1.0), (2, 1, 1), kind="hex8", material=STEEL)
    whole = fe.blocks[0]
    split = ff.fem.FEModel(fe.nodes, (whole.take([0]), whole.take([1])))
    assert [int(mask.sum()) for mask in split.outer_faces] == [5, 5]
