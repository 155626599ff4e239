"""Beam sections of ANSYS decks that are drawn by corners, cells or other profiles, and those that taper."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe.errors import ReadError
from floatframe.fem import BeamSection
from floatframe.io.nastran.properties.profiles import drawn

E, RHO = 2.0e11, 7800.0
HEAD = f"/PREP7\nET,1,BEAM188\nMP,EX,1,{E}\nMP,PRXY,1,0.3\nMP,DENS,1,{RHO}\n"
LINE = "N,1\nN,2,1\nE,1,2\n"
SYMBOLS = ("A", "Iy", "Iz", "Iyz", "J", "ky", "kz")


def section(read, data: str) -> BeamSection:
    return read(f"{HEAD}{data}{LINE}").blocks[0].section


@pytest.mark.parametrize("corners", ["0,0,.2,0,.2,.1,0,.1", "0,.1,.2,.1,.2,0,0,0"])
def test_a_quadrilateral_is_a_rectangle_when_it_is_one(read, corners):
    found = section(read, f"SECTYPE,1,BEAM,QUAD\nSECDATA,{corners}\n")
    expected = BeamSection.rectangle(0.2, 0.1, nu=0.0)
    for symbol in SYMBOLS:
        # biquadratic cells, eight along each side: torsion and shear are 3e-4 off
        assert getattr(found, symbol) == pytest.approx(getattr(expected, symbol), rel=5e-4)
    assert found.shear_centre == (0.0, 0.0)


def test_a_quadrilateral_with_one_corner_less_is_a_triangle(read):
    """Equilateral, side 1: J = sqrt(3) / 80, and the shear centre is the centroid."""
    found = section(read, f"SECTYPE,1,BEAM,QUAD\nSECDATA,0,0,1,0,.5,{math.sqrt(0.75)},.5,{math.sqrt(0.75)}\n")
    assert [found.A, found.Iy, found.J] == pytest.approx(
        [math.sqrt(3) / 4, math.sqrt(3) / 96, math.sqrt(3) / 80], rel=5e-4
    )
    assert_allclose(found.shear_centre, 0.0, atol=1e-4)


@pytest.mark.parametrize(
    ("data", "shape", "sizes"),
    [
        ("Z\nSECDATA,.06,.06,.1,.01,.01,.008\n", "Z", (0.052, 0.008, 0.08, 0.1)),
        ("HATS\nSECDATA,.03,.03,.06,.08,.01,.01,.01,.01,.01\n", "HAT", (0.08, 0.01, 0.06, 0.03)),
    ],
)
def test_profiles_are_those_of_nastran(read, data, shape, sizes):
    found, expected = section(read, f"SECTYPE,1,BEAM,{data}"), drawn(shape, sizes, 0.0, "")
    for symbol in SYMBOLS:
        assert getattr(found, symbol) == pytest.approx(getattr(expected, symbol), rel=1e-12, abs=1e-18)
    assert_allclose(found.shear_centre, expected.shear_centre, atol=1e-12)


def test_an_unequal_hat_has_the_area_of_its_walls(read):
    found = section(read, "SECTYPE,1,BEAM,HATS\nSECDATA,.03,.04,.06,.08,.004,.005,.006,.007,.008\n")
    brims, top, webs = 0.037 * 0.004 + 0.048 * 0.005, 0.06 * 0.006, 0.007 * 0.070 + 0.008 * 0.069
    assert pytest.approx(brims + top + webs, rel=1e-12) == found.A


def test_a_hat_whose_webs_do_not_fit_is_refused(read):
    with pytest.raises(ReadError, match=r"section 1 \(HATS\) is invalid: its webs of 0\.05 and 0\.02 do not fit"):
        section(read, "SECTYPE,1,BEAM,HATS\nSECDATA,.03,.03,.06,.08,.01,.01,.01,.05,.02\n")


@pytest.mark.parametrize("order", [range(9), (0, 4, 1, 5, 2, 6, 3, 7, 8)])
def test_meshed_sections_are_read_from_their_file(read, tmp_path, order):
    """A channel with walls of 3 mm against its middle lines; nodes may also run round a cell."""
    t, width, height = 0.003, 0.06, 0.1
    points: dict[tuple[float, float], int] = {}
    cells = []
    web = [0.0, t, *np.linspace(t, height - t, 9)[1:], height]
    legs = [t, *np.linspace(t, width, 7)[1:]]
    for ys, zs in (((0.0, t), web), (legs, (0.0, t)), (legs, (height - t, height))):
        for (a, b), (c, d) in itertools.product(itertools.pairwise(ys), itertools.pairwise(zs)):
            h, v = (a + b) / 2, (c + d) / 2
            nine = [(a, c), (b, c), (b, d), (a, d), (h, c), (b, v), (h, d), (a, v), (h, v)]
            numbers = [points.setdefault((round(y, 9), round(z, 9)), len(points) + 1) for y, z in nine]
            cells.append([*(numbers[k] for k in order), 1])
    rows = [(len(points), len(cells)), *cells, *((0, y, z) for y, z in points)]
    (tmp_path / "chan.SECT").write_text("\n".join(" ".join(map(str, row)) for row in rows))
    found = section(read, "SECTYPE,1,BEAM,MESH\nSECOFFSET,CENT\nSECREAD,'chan','SECT',,MESH\n")
    expected = BeamSection.channel(width, height, t, t)
    for symbol in ("A", "Iy", "Iz"):
        assert getattr(found, symbol) == pytest.approx(getattr(expected, symbol), rel=1e-7)
    # middle lines leave out of the order of t / width
    for symbol in ("J", "ky", "kz"):
        assert getattr(found, symbol) == pytest.approx(getattr(expected, symbol), rel=0.05)
    assert_allclose(found.shear_centre, expected.shear_centre, rtol=0.02, atol=1e-9)


@pytest.mark.parametrize(
    "text", ["", "4 1\n1 2 3", "1e400 2\n", "9 1\n1 2 3 4 5 6 7 8 99 1\n" + "0 0 0\n" * 9, "title\nnan nan"]
)
def test_a_broken_section_file_is_named(read, tmp_path, text):
    (tmp_path / "bad.sect").write_text(text)
    with pytest.raises(ReadError, match=r"section file 'bad\.sect'"):
        read(f"{HEAD}SECTYPE,1,BEAM,MESH\nSECREAD,bad,,,MESH\n{LINE}")


def test_a_missing_section_file_is_named(read):
    with pytest.raises(ReadError, match=r"SECREAD .*'gone' is not in the same folder|no cells: SECREAD"):
        read(f"{HEAD}SECTYPE,1,BEAM,MESH\nSECREAD,gone,SECT,,MESH\n{LINE}")


@pytest.mark.parametrize(
    ("element", "mesh", "error"),
    # steps make it softer by 0.6 over the square of their number: 12, 16, 8, 12
    [
        ("188", "E,1,9\n", 5e-3),
        ("188", "E,1,2\nEGEN,8,1,1\n", 3e-3),
        ("189", "E,1,3,2\nEGEN,4,2,1\n", 1e-2),
        ("44", "E,1,9\n", 5e-3),
        ("54", "E,1,9\n", 5e-3),
    ],
)
def test_tapered_beams(read, element, mesh, error):
    """A square cantilever of 2 m, 0.2 m at its root and 0.1 m at its tip: δ = ∫ x² / (E I) + 1 / (5/6 G A) dx."""
    root, end, length = 0.2, 0.1, 2.0
    nodes = f"N,1\nN,9,{length}\nFILL\n"
    taper = f"SECTYPE,1,BEAM,RECT\nSECDATA,{root},{root}\nSECTYPE,2,BEAM,RECT\nSECDATA,{end},{end}\n"
    taper += f"SECTYPE,3,TAPER\nSECDATA,1,0\nSECDATA,2,{length}\nSECNUM,3\n"
    if element == "44":
        ends = [(d**2, d**4 / 12, d**4 / 12, d / 2, d / 2, 0.0) for d in (root, end)]
        taper = (
            "\n".join(f"{c},{','.join(map(repr, row))}" for c, row in zip(("R,1", "RMORE"), ends, strict=True)) + "\n"
        )
    if element == "54":
        ends = [(d**2, d**4 / 12, d / 2, d / 2) for d in (root, end)]
        taper = f"R,1,{','.join(repr(v) for v in (*ends[0], *ends[1][:2]))}\nRMORE,{end / 2},{end / 2}\n"
    deck = HEAD.replace("BEAM188", element) + taper + nodes + mesh + "D,1,ALL\n"
    across = 1 if element == "54" else 2  # which stays in the xy plane
    found = ff.modal.solve_static(read(deck), loads={(9, ("uy", "uz")[across - 1]): 1.0})
    x = np.linspace(0.0, length, 2001)
    side = end + (root - end) * x / length
    shear = 0.0 if element in ("44", "54") else 1.0 / (5 / 6 * E / 2.6 * side**2)
    expected = np.trapezoid(x**2 / (E * side**4 / 12) + shear, x)
    assert np.abs(found).max(axis=0)[across] == pytest.approx(expected, rel=error)
