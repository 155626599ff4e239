"""One structure written in several unit systems is one structure; numbers of a wrong system are noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.fem import MPC, RBE2, BeamSection, ElementBlock, FEModel, Material, MatrixModel, PointMass, ShellSection
from floatframe.io.conversion import magnitude_warnings, to_si
from floatframe.io.units import UNIT_SYSTEMS

ROUNDING = 1e-9  # relative: eigenvalues of a stiffness whose entries span twelve orders, scaled and scaled back


def structure(length=1.0, mass=1.0, time=1.0):
    """A table with everything that has a dimension; its numbers are in units of the given sizes (in m, kg, s)."""
    L, stress = length, mass / (length * time**2)
    steel = Material(2.1e11 / stress, 0.3, 7850.0 * L**3 / mass)
    plate = ff.fem.plate_grid(1.0 / L, 0.6 / L, nx=4, ny=3, thickness=0.01 / L, material=steel)
    shell = replace(
        plate.blocks[0],
        section=ShellSection(0.01 / L, offset=0.004 / L),
        data={"thickness": np.linspace(0.008, 0.012, len(plate.blocks[0])) / L},
    )
    corners = plate.node_index(plate.node_sets["corners"])
    feet = plate.nodes[corners] - [0.0, 0.0, 0.7 / L]
    first = plate.nnode
    leg = BeamSection.angle(0.04 / L, 0.05 / L, 0.005 / L)
    legs = ElementBlock(
        "beam",
        np.column_stack([first + np.arange(4), corners]),
        steel,
        leg,
        {"orientation": np.tile([1.0, 0.3, 0.0], (4, 1)), "offsets": np.full((4, 2, 3), 0.003 / L)},
    )
    k = np.diag([2e5, 3e5, 4e5, 50.0, 60.0, 70.0])
    k[0, 4] = k[4, 0] = 800.0
    arm = np.array([1.0, 1.0, 1.0, L, L, L])
    law = k * time**2 / mass / np.outer(arm, arm)
    bushing = ElementBlock("spring", [[0, 2]], data={"stiffness": law[None], "damping": law[None] / time})
    foundation = ElementBlock(
        "ground_spring", (first + np.arange(4))[:, None], data={"stiffness": np.tile(np.diag(law), (4, 1))}
    )
    rod = ElementBlock("axial_spring", [[first, first + 1]], data={"stiffness": np.array([3e6 * time**2 / mass])})
    fe = FEModel(np.vstack([plate.nodes, feet]), (shell, legs, bushing, foundation, rod))
    load = PointMass(7, 12.0 / mass, np.diag([0.3, 0.2, 0.4]) / (mass * L**2), np.array([0.0, 0.05, 0.1]) / L)
    lever = MPC([(9, "uz", 1.0), (11, "uz", -1.0), (11, "ry", 0.2 / L)])
    return replace(fe, point_masses=(load,), couplings=(RBE2(1, [2]), lever))


@pytest.mark.parametrize("name", sorted(UNIT_SYSTEMS))
def test_a_structure_has_the_same_frequencies_in_every_system(name):
    units = UNIT_SYSTEMS[name]
    expected = ff.modal.eigenmodes(structure(), n=8).frequency
    fe = to_si(structure(units.length, units.mass, units.time), name)
    assert_allclose(ff.modal.eigenmodes(fe, n=8).frequency, expected, rtol=ROUNDING)
    assert_allclose(fe.mass_properties().mass, structure().mass_properties().mass, rtol=1e-12)
    assert_allclose(fe.damping().toarray(), structure().damping().toarray(), rtol=1e-9, atol=1e-9)


def test_conversion_is_the_one_of_the_metre_kilogram_second_definitions():
    """Steel in inches, pounds-force, seconds: E = 30.46e6 psi, density 7.345e-4 lbf s2/in4."""
    fe = ff.fem.beam_line((0, 0, 0), (10, 0, 0), 2, BeamSection.circle(1.0), Material(30.457925e6, 0.3, 7.34538e-4))
    material = to_si(fe, "in-lbf-s").blocks[0].material
    assert_allclose([material.E, material.rho], [2.1e11, 7850.0], rtol=1e-5)  # given to six digits


@pytest.mark.parametrize("name", ["mm-t-s", "in-lbf-s", "mm-kg-ms"])
def test_matrices_convert_like_the_elements_they_come_from(name):
    units = UNIT_SYSTEMS[name]
    expected = MatrixModel.of(structure())
    found = to_si(MatrixModel.of(structure(units.length, units.mass, units.time)), name)
    for symbol in ("K", "M"):
        a, b = getattr(found, symbol).toarray(), getattr(expected, symbol).toarray()
        assert_allclose(a, b, rtol=1e-9, atol=1e-12 * np.abs(b).max())
    assert_allclose(found.nodes, expected.nodes, rtol=1e-14, atol=1e-15)


def test_unknown_system_names_the_known_ones():
    with pytest.raises(ff.ModelError, match=r"unit system 'furlong' is unknown; known systems: SI, mm-t-s"):
        to_si(structure(), "furlong")


def test_unknown_element_data_are_not_left_unscaled():
    fe = structure()
    object.__setattr__(fe.blocks[0], "data", {"prestress": np.ones(len(fe.blocks[0]))})
    with pytest.raises(ff.ModelError, match="dimension of data 'prestress' is unknown"):
        to_si(fe, "mm-t-s")


@pytest.mark.parametrize(
    ("E", "rho", "read_as", "cure"),
    [
        (210000.0, 7.85e-9, "SI", "--units mm-t-s"),
        (210.0, 7.85e-6, "SI", "--units mm-kg-ms"),
        (2.1e11, 7850.0, "mm-kg-s", "--units SI"),  # the density of 7850 kg/mm3
        (210000.0, 7850.0, "SI", "do not fit any unit system together"),
    ],
)
def test_numbers_of_a_wrong_system_name_the_right_one(E, rho, read_as, cure):
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 2, BeamSection.circle(0.1), Material(E, 0.3, rho, name="steel"))
    (sentence,) = magnitude_warnings(to_si(fe, read_as), read_as)
    assert "'steel'" in sentence
    assert cure in sentence


@pytest.mark.parametrize("material", [(2.1e11, 7850.0), (7e10, 2700.0), (1e6, 1100.0), (1e10, 0.0), (4e11, 19300.0)])
def test_real_materials_raise_no_eyebrow(material):
    fe = ff.fem.beam_line((0, 0, 0), (1, 0, 0), 2, BeamSection.circle(0.1), Material(material[0], 0.3, material[1]))
    assert magnitude_warnings(fe) == []
    units = UNIT_SYSTEMS["mm-t-s"]
    given = Material(material[0] / units.stress, 0.3, material[1] / units.density)
    small = ff.fem.beam_line((0, 0, 0), (1000, 0, 0), 2, BeamSection.circle(100.0), given)
    assert magnitude_warnings(to_si(small, "mm-t-s"), "mm-t-s") == []
