"""The mass of a deck is that of the program it was written for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff

DECKS = Path(__file__).parents[2] / "reference" / "nastran"
CASE = "SOL 103\nCEND\nSPC=1\nBEGIN BULK\n"


def bar(path, card, coupled=False):
    """Ten elements of 1 in. of a steel rod of radius 1 in., clamped, with a mass at its tip."""
    lines = [f"GRID,{k + 1},,{float(k)},0.,0." for k in range(11)]
    lines += [f"{card if k == 9 else 'CBAR'},{k + 1},{2 if k == 9 else 1},{k + 1},{k + 2},0.,1.,0." for k in range(10)]
    lines += ["MAT1,2,3.+7,1.1628+7,.29,7.4851-4", "PBARL,1,2,,ROD,,,,,+", "+,1.", "SPC1,1,123456,1"]
    lines += ["PBEAML,2,2,,ROD,,,,,+", "+,1."] if card == "CBEAM" else ["PBARL,2,2,,ROD,,,,,+", "+,1."]
    lines += ["CONM2,21,11,,2.59-3,,,,,+", "+,2.59-3,,2.59-3,,,2.59-3"]
    lines += ["PARAM,COUPMASS,1"] if coupled else []
    path.write_text(CASE + "\n".join([*lines, "ENDDATA", ""]))
    return path


def test_frequencies_of_bars_are_those_that_nastran_prints(tmp_path):
    """Nine CBAR and a CBEAM by MSC.Nastran 2005: bending, torsion by the CBEAM and the mass alone, stretching."""
    fe = ff.io.read(bar(tmp_path / "rod.bdf", "CBEAM"))
    modes = ff.modal.eigenmodes(fe, n=10)
    printed = [456.6603, 456.6603, 2674.587, 2674.587, 3554.923, 4507.487, 6626.104, 6626.104, 11111.58, 11111.58]
    assert_allclose(modes.frequency, printed, rtol=1e-5)  # constants of the deck have five digits
    assert fe.mass_rule == "mixed"


def test_bars_of_nastran_have_no_rotary_inertia_unless_coupled(tmp_path):
    fe = ff.io.read(bar(tmp_path / "rod.bdf", "CBAR"))
    turns = fe.rows([(5, "r")])
    assert fe.mass_rule == "points"
    assert not fe.mass()[turns][:, turns].count_nonzero()
    assert fe.mass("lumped")[turns][:, turns].count_nonzero() == 3
    coupled = ff.io.read(bar(tmp_path / "coupled.bdf", "CBAR", coupled=True))
    assert coupled.mass_rule == "consistent"
    assert abs(coupled.mass() - fe.mass("consistent")).max() == 0.0


def test_the_rule_survives_a_file_and_units(tmp_path):
    fe = ff.io.read(bar(tmp_path / "rod.bdf", "CBEAM"), units="in-lbf-s")
    ff.io.write(tmp_path / "rod.h5", fe)
    again = ff.io.read(tmp_path / "rod.h5")
    assert [block.mass for block in again.blocks] == [block.mass for block in fe.blocks] == ["points", "torsion"]


def test_a_reduced_body_takes_the_rule_of_its_model(tmp_path):
    fe = ff.io.read(bar(tmp_path / "rod.bdf", "CBAR"))
    body = ff.modal.reduce(fe, interface=[11], n_modes=4)
    assert body.provenance.settings["mass"] == "points"
    assert ff.modal.reduce(fe, interface=[11], n_modes=4, mass="lumped").provenance.settings["mass"] == "lumped"
    x = fe.compress(body.shapes)
    assert_allclose(x.T @ (fe.mass() @ x), body.mass, rtol=1e-9, atol=1e-12 * np.abs(body.mass).max())
    report = ff.modal.quality_report(body, fe, n=2)
    assert_allclose(report.free.body, report.free.model, rtol=1e-4)  # the same mass in both; four modes are kept


HEX = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
*ELEMENT, TYPE=C3D8, ELSET=E
1, 1, 2, 3, 4, 5, 6, 7, 8
*SOLID SECTION, ELSET=E, MATERIAL=M
"""
MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n"


@pytest.mark.parametrize(
    ("text", "options", "rule"),
    [
        (HEX + MATERIAL + "*STEP\n*FREQUENCY\n10\n*END STEP\n", {}, "consistent"),
        (HEX + MATERIAL, {"dialect": "abaqus"}, "lumped"),
        ("*PREPRINT, ECHO=NO\n" + HEX + MATERIAL, {}, "lumped"),
        ("*PREPRINT, ECHO=NO\n" + HEX + MATERIAL, {"dialect": "calculix"}, "consistent"),
        (
            "*PART, NAME=P\n" + HEX + "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
            "*END ASSEMBLY\n" + MATERIAL,
            {},
            "lumped",
        ),
    ],
)
def test_decks_of_abaqus_and_calculix(tmp_path, text, options, rule):
    path = tmp_path / "cube.inp"
    path.write_text("*HEADING\n" + text if not text.startswith("*PRE") else text)
    imported = ff.io.read_with_report(path, **options)
    assert imported.model.mass_rule == rule
    assert any(note.startswith("mass:") for note in imported.report.notes)


def test_lumpm_of_ansys(tmp_path):
    text = "/PREP7\nET,1,185\nMP,EX,1,2.1e11\nMP,NUXY,1,.3\nMP,DENS,1,7850\n"
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    text += "".join(f"N,{k},{x},{y},{z}\n" for k, (x, y, z) in enumerate(corners, 1)) + "E,1,2,3,4,5,6,7,8\n"
    for switch, rule in (("", "consistent"), ("/SOLU\nLUMPM,ON\n", "lumped")):
        path = tmp_path / "cube.dat"
        path.write_text(text + switch + "FINISH\n")
        assert ff.io.read(path).mass_rule == rule


def test_a_deck_of_many_elements_has_the_frequencies_that_nastran_prints():
    """Solids, shells, laminates, bars and rods, one or two of each, by MSC.Nastran 2005 with its lumped mass."""
    fe = ff.io.read(DECKS / "mode_solid_shell_bar.bdf")
    printed = [71.26832, 75.95746, 125.7872]
    found = ff.modal.eigenmodes(fe, n=3, mass="points").frequency
    # single elements as wide as thick: what two formulations of the same shell differ by in the twist of a box
    assert_allclose(found, printed, rtol=0.02)
    # the masses of the solids stand too far inside when they are not lumped
    assert ff.modal.eigenmodes(fe, n=3).frequency[2] > 1.05 * printed[2]
