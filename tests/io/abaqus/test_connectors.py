"""Connectors, spread masses and names of elements in Abaqus and CalculiX decks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.io.abaqus.deck.elements import element_type
from tests.io.abaqus.decks import read

BEAMS = (
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,0,0\n4,2,0,0\n5,1,.1,0\n*ELEMENT,TYPE=B31,ELSET=B\n1,1,2\n2,3,4\n"
    "*BEAM SECTION,ELSET=B,MATERIAL=S,SECTION=RECT\n.02,.03\n0,1,0\n"
    "*MATERIAL,NAME=S\n*ELASTIC\n2e11,.3\n*DENSITY\n7800\n"
    "*ORIENTATION,NAME=UP\n0,0,1,1,0,0\n*ELEMENT,TYPE=CONN3D2,ELSET=C\n9,2,3\n"
)


def rigid_motions(fe):
    free = fe.free_rows()
    K = fe.stiffness().toarray()[np.ix_(free, free)]
    scale = np.sqrt(np.abs(np.diag(K)).max())
    return free.size - int(np.linalg.matrix_rank(K / scale**2, tol=1e-12))


@pytest.mark.parametrize(
    ("kind", "loose"),
    [
        ("BEAM", 0),
        ("WELD", 0),
        ("HINGE", 1),
        ("JOIN", 3),
        ("TRANSLATOR", 1),
        ("CYLINDRICAL", 2),
        ("JOIN,ALIGN", 0),
        ("SLOT,ALIGN", 1),
        ("PLANAR", 3),
        ("UJOINT", 2),
        ("CARTESIAN,CARDAN", 6),
    ],
)
def test_joints_leave_as_many_motions_as_they_should(tmp_path, kind, loose):
    fe = read(tmp_path, BEAMS + f"*CONNECTOR SECTION,ELSET=C\n{kind},\nUP,\n")
    assert rigid_motions(fe) == 6 + loose


def test_names_in_data_may_stand_in_quotes(tmp_path):
    """Abaqus/CAE writes those with blanks so."""
    deck = BEAMS + '*ORIENTATION,NAME="Datum csys-1"\n0,0,1,1,0,0\n*CONNECTOR SECTION,ELSET=C\nHINGE,\n%s,\n'
    fe = read(tmp_path, deck % '"Datum csys-1"')
    assert rigid_motions(fe) == 7


def test_a_hinge_turns_about_the_first_of_its_axes(tmp_path):
    fe = read(tmp_path, BEAMS + "*CONNECTOR SECTION,ELSET=C\nHINGE,\nUP,\n*BOUNDARY\n1,1,6\n4,2,2\n")
    u = ff.modal.solve_static(fe, loads={(4, "uz"): 1.0})
    I = 0.02 * 0.03**3 / 12  # noqa: E741
    # about z it turns freely; in the plane of z the two beams are one cantilever of length 2
    assert u[3, 2] == pytest.approx(2.0**3 / (3 * 2e11 * I), rel=0.01)


def test_springs_of_a_bushing_act_along_its_axes(tmp_path):
    law = "*CONNECTOR BEHAVIOR,NAME=K\n*CONNECTOR ELASTICITY,COMPONENT=1\n1000.\n"
    law += "*CONNECTOR ELASTICITY,COMPONENT=2,RIGID\n"
    cards = "*CONNECTOR SECTION,ELSET=C,BEHAVIOR=K\nCARTESIAN,ALIGN\nUP,\n*BOUNDARY\n1,1,6\n"
    fe = read(tmp_path, BEAMS + law + cards + "4,2,2\n")
    u = ff.modal.solve_static(fe, loads={(3, "uz"): 1.0})
    # local 1 is z: the spring carries the force into the tip of the first beam
    tip = 1.0**3 / (3 * 2e11 * 0.02 * 0.03**3 / 12)
    assert u[2, 2] - u[1, 2] == pytest.approx(1e-3, rel=1e-9)
    assert u[1, 2] == pytest.approx(tip, rel=0.01)  # shear
    assert abs(u[2, 0] - u[1, 0]) < 1e-15  # component 2, along x, is rigid


def test_unknown_connections_are_lost_by_name(tmp_path):
    with pytest.raises(ReadError, match=r"\*CONNECTOR SECTION .* the connection RETRACTOR is not supported"):
        read(tmp_path, BEAMS + "*CONNECTOR SECTION,ELSET=C\nRETRACTOR,\n")


@pytest.mark.parametrize(
    ("units", "value", "mass"),
    [("TOTAL MASS", 5.0, 5.0), ("MASS PER LENGTH", 3.0, 6.0), ("MASS PER VOLUME", 100.0, 100.0 * 2 * 0.02 * 0.03)],
)
def test_spread_masses_weigh_what_they_say(tmp_path, units, value, mass):
    deck = BEAMS + "*CONNECTOR SECTION,ELSET=C\nBEAM,\n"
    bare = read(tmp_path, deck)
    full = read(tmp_path, deck + f"*NONSTRUCTURAL MASS,ELSET=B,UNITS={units}\n{value}\n")
    assert_allclose(full.mass_properties().mass - bare.mass_properties().mass, mass, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("C3D20RT", "hex20_reduced"),
        ("C3D8RT", "hex8"),
        ("C3D10MHT", "tet10"),
        ("S4RT", "shell4"),
        ("S8RT", "shell8"),
        ("C3D20RHP", "hex20_reduced"),
        ("B31OSH", "beam"),
        ("M3D4R", "shell4"),
        ("CSS8", "hex8"),
        ("C3D15V", "wedge15"),
    ],
)
def test_variants_of_elements_are_known_by_their_names(name, kind):
    assert element_type(name).kind == kind


@pytest.mark.parametrize("name", ["CPS4", "CAX8R", "DC3D8", "F3D8", "AC3D20", "B21", "U1", "COH3D8", "T2D2"])
def test_other_elements_are_not_taken_for_them(name):
    assert element_type(name) is None


@pytest.mark.parametrize("name", ["C3D8Q", "B31X", "T3D2Q", "C3D4R", "C3D8RR", "M3D4T", "S4RTT", "SC8RH", "B31T"])
def test_variants_that_no_manual_has_are_unknown(name):
    assert element_type(name) is None


@pytest.mark.parametrize(("kind", "diameter"), [("B31", 0.08), ("B31R", 0.04)])
def test_elements_tell_whose_deck_it_is(tmp_path, kind, diameter):
    deck = BEAMS.replace("SECTION=RECT\n.02,.03", "SECTION=CIRC\n.04").replace("B31", kind)
    fe = read(tmp_path, deck + "*CONNECTOR SECTION,ELSET=C\nBEAM,\n")
    assert pytest.approx(np.pi * diameter**2 / 4) == fe.blocks[0].section.A


@pytest.mark.parametrize(("options", "warned"), [({}, True), ({"dialect": "abaqus"}, False)])
def test_a_round_bar_of_either_program_is_reported(tmp_path, options, warned):
    deck = BEAMS.replace("SECTION=RECT\n.02,.03", "SECTION=CIRC\n.04") + "*CONNECTOR SECTION,ELSET=C\nBEAM,\n"
    (tmp_path / "deck.inp").write_text(deck)
    warnings = " ".join(ff.io.read_with_report(tmp_path / "deck.inp", **options).report.warnings)
    assert ("its one number is the radius, as in Abaqus" in warnings) == warned


def test_tables_count_at_the_temperature_of_the_model(tmp_path):
    deck = BEAMS.replace("2e11,.3\n", "2e11,.3,-100.\n1e11,.3,100.\n") + "*CONNECTOR SECTION,ELSET=C\nBEAM,\n"
    assert pytest.approx(1.5e11) == read(tmp_path, deck).blocks[0].material.E
    warm = deck + "*INITIAL CONDITIONS,TYPE=TEMPERATURE\n1,50.\n2,50.\n"
    assert pytest.approx(1.25e11) == read(tmp_path, warm).blocks[0].material.E


@pytest.mark.parametrize(
    ("sign", "diameter"),
    [
        ("*STEP\n*FREQUENCY,STORAGE=YES\n3\n*END STEP\n", 0.04),
        ("*STEP\n*FREQUENCY\n3\n*END STEP\n", 0.08),
        ("*STEP\n*STATIC,SOLVER=PASTIX\n*END STEP\n", 0.04),
        ("*STEP\n*STATIC\n*END STEP\n", 0.08),
    ],
)
def test_what_only_calculix_has_tells_whose_deck_it_is(tmp_path, sign, diameter):
    """The one number of a round bar is its diameter there, in Abaqus its radius."""
    deck = BEAMS.replace("SECTION=RECT\n.02,.03", "SECTION=CIRC\n.04") + "*CONNECTOR SECTION,ELSET=C\nBEAM,\n" + sign
    assert pytest.approx(np.pi * diameter**2 / 4) == read(tmp_path, deck).blocks[0].section.A
    assert pytest.approx(np.pi * 0.08**2 / 4) == read(tmp_path, deck, dialect="abaqus").blocks[0].section.A
