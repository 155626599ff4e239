"""Static solutions against beam and plate theory, reactions in balance, mechanisms named."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
SQUARE = ff.fem.BeamSection.rectangle(0.02, 0.02)
EI = 2.1e11 * 0.02**4 / 12


def cantilever(n=20):
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=n, section=SQUARE.without_shear(), material=STEEL)


def test_tip_load_bends_a_cantilever_exactly():
    fe = cantilever()
    u = ff.modal.solve_static(fe, loads={(21, "uz"): -100.0}, fixed=[1])
    # Hermite beams are exact at nodes; 1e-8 is round-off times the condition of twenty elements
    assert u[20, 2] == pytest.approx(-100.0 * 2**3 / (3 * EI), rel=1e-8)
    assert u[20, 4] == pytest.approx(100.0 * 2**2 / (2 * EI), rel=1e-8)


def test_reactions_balance_weight_and_load():
    fe = cantilever().with_point_mass(11, mass=3.0)
    solution = ff.modal.static_solution(fe, loads={(21, "uy"): 7.0}, gravity=(0, 0, -9.81), fixed=[1])
    weight = 9.81 * (2 * 0.02**2 * 7850 + 3.0)
    assert_allclose(solution.reaction[0, :3], [0, -7.0, weight], rtol=1e-7, atol=1e-6)
    moment = 9.81 * (2 * 0.02**2 * 7850 * 1.0 + 3.0 * fe.nodes[10, 0])
    assert solution.reaction[0, 4] == pytest.approx(-moment, rel=1e-6)
    assert np.abs(solution.reaction[1:]).max() == 0.0
    assert solution.imbalance < 1e-8


def test_enforced_displacement_of_a_propped_beam():
    fe = cantilever()
    u = ff.modal.solve_static(fe, fixed=[1], displacements={(21, "uz"): 0.01})
    assert u[20, 2] == 0.01
    # shape of a cantilever under the tip force that lifts it by 0.01 m
    x = fe.nodes[:, 0]
    assert_allclose(u[:, 2], 0.01 * (3 * 2 * x**2 - x**3) / (2 * 2**3), atol=1e-9)


def test_model_supports_count_as_fixed():
    fe = cantilever().with_support([1])
    held = ff.modal.solve_static(fe, loads={(21, "uz"): 1.0})
    assert_allclose(held, ff.modal.solve_static(cantilever(), loads={(21, "uz"): 1.0}, fixed=[1]), rtol=1e-12)


def test_clamped_plate_under_pressure():
    fe = ff.fem.plate_grid(1.0, 1.0, nx=16, ny=16, thickness=0.01, material=STEEL)
    fe = fe.with_element_set("plate", fe.blocks[0].element_ids)
    u = ff.modal.solve_static(fe, fixed=["xmin", "xmax", "ymin", "ymax"], pressure={"plate": 1000.0})
    D = 2.1e11 * 0.01**3 / (12 * (1 - 0.3**2))
    # Timoshenko and Woinowsky-Krieger: w = 0.001265 q a^4 / D; 2 %: 16 x 16 elements and shear at a/t = 100
    assert u[:, 2].min() == pytest.approx(-0.001265 * 1000.0 / D, rel=0.02)


def test_unsupported_model_is_refused_with_its_motion():
    with pytest.raises(ff.ModelError, match=r"not held.*whole model moves freely as a rigid body"):
        ff.modal.solve_static(cantilever(), loads={(21, "uz"): 1.0})


def test_loose_part_is_named():
    loose = ff.fem.join(cantilever(4), ff.fem.translate(cantilever(4), (0, 1, 0)))
    with pytest.raises(ff.ModelError, match="a part of 5 nodes with node 6"):
        ff.modal.solve_static(loose, loads={(5, "uz"): 1.0}, fixed=[1])


class TestMechanisms:
    def test_free_beam_has_six_rigid_motions_and_no_mechanism(self):
        found = ff.modal.find_mechanisms(cantilever(6))
        assert [m.rigid for m in found] == [True] * 6

    def test_held_beam_has_none(self):
        assert ff.modal.find_mechanisms(cantilever(50), fixed=[1]) == []

    def test_hinged_beam_turns(self):
        found = ff.modal.find_mechanisms(cantilever(6), fixed=[(1, "u"), (7, "u")])
        assert len(found) == 1
        assert found[0].rigid
        assert "rx" in str(found[0])

    def test_truss_square_without_diagonal_shears(self):
        points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        block = ff.fem.ElementBlock("truss", [[0, 1], [1, 2], [2, 3], [3, 0]], STEEL, SQUARE)
        fe = ff.fem.FEModel(np.array(points, dtype=float), (block,))
        found = ff.modal.find_mechanisms(fe, fixed=[(1, "ux,uy,uz"), (2, "uy,uz"), (3, "uz"), (4, "uz")])
        assert len(found) == 1
        assert set(found[0].nodes) == {3, 4}

    def test_spinning_node_is_named(self):
        # a node held by an axial spring only is free to move sideways
        fe = cantilever(4)
        nodes = np.vstack([fe.nodes, [[2.5, 0, 0]]])
        spring = ff.fem.ElementBlock("axial_spring", [[4, 5]], data={"stiffness": [1e5]})
        found = ff.modal.find_mechanisms(ff.fem.FEModel(nodes, (*fe.blocks, spring)), fixed=[1])
        assert len(found) == 2
        assert all(m.nodes.tolist() == [6] for m in found)


class TestEnforcedDisplacements:
    def test_one_value_named_twice_is_that_value(self):
        fe = cantilever().with_node_set("tip", [21])
        u = ff.modal.solve_static(fe, fixed=[1], displacements={(21, "uz"): 0.01, ("tip", "uz"): 0.01})
        assert u[20, 2] == 0.01

    def test_two_values_are_refused(self):
        fe = cantilever().with_node_set("tip", [21])
        with pytest.raises(ff.ModelError, match=r"uz of node 21 is to be 0\.02, but it is also to be 0\.01"):
            ff.modal.solve_static(fe, fixed=[1], displacements={(21, "uz"): 0.01, ("tip", "uz"): 0.02})

    def test_a_fixed_dof_cannot_be_moved(self):
        with pytest.raises(ff.ModelError, match=r"uz of node 1 is to be 0\.01, but it is fixed"):
            ff.modal.solve_static(cantilever(), fixed=[1], displacements={(1, "uz"): 0.01})
        u = ff.modal.solve_static(cantilever(), {(21, "uz"): 1.0}, fixed=[1], displacements={(1, "uz"): 0.0})
        assert u[20, 2] == pytest.approx(2**3 / (3 * EI), rel=1e-8)


@pytest.mark.parametrize(("length", "n"), [(2.0, 8000), (10.0, 2000)])
def test_long_beam_on_a_hinge_is_refused(length, n):
    # rounding hides the free turn of so many elements from the factorisation; the imbalance, 1e-2, does not
    fe = ff.fem.beam_line((0, 0, 0), (length, 0, 0), n=n, section=SQUARE, material=STEEL)
    with pytest.raises(ff.ModelError, match="not held: the whole model moves freely as a rigid body"):
        ff.modal.solve_static(fe, {(n + 1, "uz"): -1.0}, fixed=[(1, "u,rx,rz")])


class TestWholeMotions:
    """Motions of the model as one body are distinguished from those it should not have."""

    def test_free_beam_has_no_others(self):
        # a straight beam falls apart into axial, torsional and two bending problems
        assert all(motion.whole for motion in ff.modal.find_mechanisms(cantilever(6)))

    def test_hinge_is_a_motion_of_the_whole(self):
        (turn,) = ff.modal.find_mechanisms(cantilever(6), fixed=[(1, "u,rx,rz")])
        assert turn.whole

    def test_two_beams_have_six_motions_of_one_against_the_other(self):
        pair = ff.fem.join(cantilever(4), ff.fem.translate(cantilever(4), (0, 1, 0)))
        found = ff.modal.find_mechanisms(pair)
        assert sum(motion.whole for motion in found) == len(found) - 6 == 6
        assert not any(motion.whole for motion in ff.modal.find_mechanisms(pair, fixed=[1]))

    def test_rotation_without_stiffness_is_no_motion_of_the_whole(self):
        solid = ff.fem.solid_box((1, 1, 1), (1, 1, 1), kind="hex8", material=STEEL)
        found = ff.modal.find_mechanisms(solid.with_point_mass(1, 1.0, inertia=(1.0, 1.0, 1.0)))
        assert [str(motion) for motion in found if not motion.whole] == [
            f"node 1 moves freely in {name}" for name in ("rx", "ry", "rz")
        ]
