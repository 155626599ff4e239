"""Standard profiles against the printed tables, and the library of materials."""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, standard_material, standard_section
from floatframe.fem.properties.library import LIBRARY
from floatframe.fem.properties.standard import profile_names

# A [cm2], Iy, Iz, J [cm4] as printed: EN 10365 / ArcelorMittal sections and merchant bars, EN 10210-2 (three digits)
PRINTED = {
    "IPE 80": (7.64, 80.14, 8.49, 0.70),
    "IPE 100": (10.32, 171.0, 15.92, 1.20),
    "IPE 160": (20.09, 869.3, 68.31, 3.60),
    "IPE 200": (28.48, 1943, 142.4, 6.98),
    "IPE 300": (53.81, 8356, 603.8, 20.12),
    "IPE 400": (84.46, 23130, 1318, 51.08),
    "IPE 500": (115.5, 48200, 2142, 89.29),
    "IPE 600": (156.0, 92080, 3387, 165.4),
    "HEA 100": (21.24, 349.2, 133.8, 5.24),
    "HEA 140": (31.42, 1033, 389.3, 8.13),
    "HEA 200": (53.83, 3692, 1336, 20.98),
    "HEA 300": (112.5, 18260, 6310, 85.17),
    "HEA 400": (159.0, 45070, 8564, 189.0),
    "HEA 600": (226.5, 141200, 11270, 397.8),
    "HEB 100": (26.04, 449.5, 167.3, 9.25),
    "HEB 160": (54.25, 2492, 889.2, 31.24),
    "HEB 200": (78.08, 5696, 2003, 59.28),
    "HEB 300": (149.1, 25170, 8563, 185.0),
    "HEB 600": (270.0, 171000, 13530, 667.2),
    "SHS 100x5": (18.7, 279, 279, 439),
    "RHS 120x80x5": (18.7, 365, 193, 401),
    "RHS 200x100x6.3": (35.8, 1829, 613, 1475),
    # EN 10219-2
    "CFRHS 40x20x2": (2.14, 4.05, 1.34, 3.45),
    "CFRHS 50x30x4": (5.35, 15.25, 6.69, 16.53),
    "CFSHS 60x5": (10.4, 50.5, 50.5, 86.4),
    "CFSHS 60x6": (12.0, 56.1, 56.1, 98.4),
    "CFSHS 60x6.3": (12.2, 54.4, 54.4, 100),
}
UPE = {  # A, Iy, Iz, J
    "UPE 80": (10.1, 107, 25.5, 1.47),
    "UPE 120": (15.4, 364, 55.5, 2.90),
    "UPE 200": (29.0, 1910, 187, 8.89),
    "UPE 300": (56.6, 7820, 538, 31.52),
    "UPE 330": (67.8, 11010, 682, 45.18),
    "UPE 360": (77.9, 14830, 844, 58.49),
    "UPE 400": (91.9, 20980, 1045, 79.14),
}
DIGITS = 5e-3  # of three printed; where four are printed the difference is at most 5e-4
TORSION = 0.04  # formulas of junctions with fillets differ by so much; 0.9 % for IPE 200, 3.0 % for HEA 300


@pytest.mark.parametrize("name", PRINTED)
def test_constants_are_those_of_the_tables(name):
    section = standard_section(name)
    A, Iy, Iz, J = PRINTED[name]
    assert pytest.approx(A * 1e-4, rel=DIGITS) == section.A
    assert (section.Iy, section.Iz) == pytest.approx((Iy * 1e-8, Iz * 1e-8), rel=DIGITS)
    assert pytest.approx(J * 1e-8, rel=TORSION) == section.J


@pytest.mark.parametrize("name", UPE)
def test_channels_are_those_of_the_tables(name):
    section = standard_section(name)
    A, *moments = UPE[name]
    found = (section.A, section.Iy, section.Iz, section.J)
    assert found == pytest.approx((A * 1e-4, *(moment * 1e-8 for moment in moments)), rel=DIGITS)


@pytest.mark.parametrize("name", [name for name in profile_names() if name.startswith("UPN")])
def test_printed_constants_of_tapered_channels_fit_their_dimensions(name):
    """Walls of mean thickness without fillets come close: a slip in the table would show."""
    printed = standard_section(name)
    size = max(z for _, z in printed.outline) - min(z for _, z in printed.outline)
    assert size == pytest.approx(float(name.split()[1]) / 1000.0)
    y, z = zip(*printed.outline, strict=True)
    width = max(y) - min(y)
    web, flange = _walls(y, z)
    walls = BeamSection.channel(width, size, web, flange)
    assert pytest.approx(walls.A, rel=0.01) == printed.A
    assert printed.Iy == pytest.approx(walls.Iy, rel=0.015)
    # thick roots and thin tips of the flanges: about the same share in all sizes
    assert printed.Iz / walls.Iz == pytest.approx(0.877, abs=0.015)
    assert pytest.approx(1.125, abs=0.03) == printed.J / walls.J


@pytest.mark.parametrize("name", [name for name in profile_names() if name.startswith("UPN")])
def test_printed_centres_of_tapered_channels_fit_their_walls(name):
    """Flanges inclined by 8 % about their mean thickness in the middle; fillets and round toes bring 2 to 3 %."""
    section = standard_section(name)
    y, z = zip(*section.outline, strict=True)
    web, flange = _walls(y, z)
    h, b, back = max(z) - min(z), max(y) - min(y), -min(y)
    out = np.linspace(0.0, b, 2001)
    wall = flange + 0.08 * (b / 2 - out)
    flanges = out >= web
    areas = 2 * np.trapezoid(wall[flanges], out[flanges])
    first = 2 * np.trapezoid((wall * out)[flanges], out[flanges])
    centroid = (first + h * web**2 / 2) / (areas + h * web)
    assert back == pytest.approx(centroid, rel=0.025)
    middle = out[out >= web / 2]
    behind = (h - flange) ** 2 / (2 * section.Iy) * np.trapezoid((wall * (out - web / 2))[out >= web / 2], middle)
    assert -section.shear_centre[0] == pytest.approx(behind - web / 2 + centroid, rel=0.035)
    assert section.y_max == pytest.approx(max(y))


def _walls(y, z):
    ys, zs = sorted(set(round(v, 9) for v in y)), sorted(set(round(v, 9) for v in z))
    return ys[1] - ys[0], zs[1] - zs[0]


def test_named_by_dimensions():
    assert pytest.approx(10.7e-4, rel=DIGITS) == standard_section("CHS 88.9x4").A
    assert standard_section("CHS 88.9x4").Iy == pytest.approx(96.3e-8, rel=DIGITS)
    assert standard_section("SHS 100x100x5") == approx_section(standard_section("shs 100 x 5"))
    assert standard_section("FLAT 100x10").Iz == pytest.approx(0.01 * 0.1**3 / 12)
    assert pytest.approx(math.pi * 0.03**2 / 4) == standard_section("ROUND 30").A


def approx_section(section):
    return type(section)(**{**vars(section), "name": "SHS 100x100x5"})


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_is_a_section(name):
    section = standard_section(name)
    assert section.name == name
    assert section.Iy > section.Iz > 0
    assert 0 < section.ky < 1
    assert 0 < section.kz < 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("IPE 210", "not in the table of IPE; did you mean IPE 2[02]0"),
        ("HEA 205", "did you mean HEA 200?"),
        ("XYZ 3", "expected IPE"),
        ("RHS 100x5", "height"),
        ("", "expected IPE"),
    ],
)
def test_unknown_profiles_say_what_is_expected(name, said):
    with pytest.raises(ModelError, match=said):
        standard_section(name)


def test_materials_of_the_library():
    assert pytest.approx(80.77e9, rel=1e-3) == standard_material("S355").G  # EN 1993-1-1: G about 81 GPa
    assert all(entry.source and 0 < entry.nu < 0.5 and entry.rho > 1000 for entry in LIBRARY.values())
    with pytest.raises(ModelError, match="did you mean S355"):
        standard_material("S356")
