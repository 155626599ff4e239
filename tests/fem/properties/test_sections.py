"""Section constants against independent integrals, Prandtl's membrane, and handbooks."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, ShellSection
from floatframe.fem.properties import profiles as shapes
from tests.reference.torsion import torsion_constant

EXACT = 1e-12  # sums of a few products
MEMBRANE = 0.02  # error of the finite-difference grid (about 1 %) and of the thin-walled formulas together

SECTIONS = {
    "rectangle": BeamSection.rectangle(0.1, 0.25),
    "box": BeamSection.box(0.2, 0.3, 0.01, 0.016),
    "i_section": BeamSection.i_section(0.2, 0.4, 0.01, 0.016),
    "channel": BeamSection.channel(0.1, 0.2, 0.006, 0.01),
    "angle": BeamSection.angle(0.1, 0.15, 0.01),
}


def polygon_integrals(points):
    """Area, first and second moments of a polygon by Green's theorem."""
    y, z = np.array(points).T
    y1, z1 = np.roll(y, -1), np.roll(z, -1)
    cross = y * z1 - y1 * z
    return np.array(
        [
            cross.sum() / 2,
            ((y + y1) * cross).sum() / 6,
            ((z + z1) * cross).sum() / 6,
            ((y**2 + y * y1 + y1**2) * cross).sum() / 12,
            ((z**2 + z * z1 + z1**2) * cross).sum() / 12,
            ((y * z1 + 2 * y * z + 2 * y1 * z1 + y1 * z) * cross).sum() / 24,
        ]
    )


@pytest.mark.parametrize("name", SECTIONS)
def test_area_and_moments_are_those_of_the_outline(name):
    section = SECTIONS[name]
    whole = polygon_integrals(section.outline)
    if section.hole:
        whole -= polygon_integrals(section.hole)
    A, Sy, Sz, Iz, Iy, Iyz = whole
    size = math.sqrt(section.A)
    assert_allclose([section.A, section.Iy, section.Iz], [A, Iy, Iz], rtol=EXACT)
    assert_allclose([Sy, Sz], 0.0, atol=EXACT * size**3)  # the outline is drawn about the centroid
    assert_allclose(section.Iyz, Iyz, atol=EXACT * size**4)
    assert section.y_max == pytest.approx(np.abs(np.array(section.outline)[:, 0]).max())
    assert section.z_max == pytest.approx(np.abs(np.array(section.outline)[:, 1]).max())


@pytest.mark.parametrize("section", [BeamSection.circle(0.3), BeamSection.tube(0.3, 0.02)])
def test_round_sections_are_close_to_their_polygons(section):
    whole = polygon_integrals(section.outline)
    if section.hole:
        whole -= polygon_integrals(section.hole)
    # a 72-gon has 1 - (2 pi/72)^2/6 of the circle's area and about twice that deficit in second moments
    assert_allclose([section.A, section.Iy, section.Iz], whole[[0, 4, 3]], rtol=4e-3)
    assert_allclose(section.J, section.Iy + section.Iz, rtol=EXACT)  # circles do not warp


@pytest.mark.parametrize(("a", "b", "factor"), [(1, 1, 0.1406), (2, 1, 0.229), (10, 1, 0.312)])
def test_rectangle_torsion_is_timoshenko_and_goodiers_table(a, b, factor):
    assert_allclose(BeamSection.rectangle(a, b).J, factor * a * b**3, rtol=2e-3)  # the table has 3 to 4 digits
    assert BeamSection.rectangle(b, a).J == BeamSection.rectangle(a, b).J


def test_rectangle_torsion_stress_factor():
    assert BeamSection.rectangle(1, 1).Wt == pytest.approx(0.2082, rel=3e-4)
    assert BeamSection.rectangle(2, 1).Wt == pytest.approx(2 * 0.246, rel=1e-3)


def test_rectangle_torsion_against_prandtls_membrane():
    steps = (0.1, 0.05)
    coarse, fine = (torsion_constant([(0, 2, 0, 1)], h) for h in steps)
    extrapolated = (4 * fine - coarse) / 3  # second order
    assert_allclose(BeamSection.rectangle(2, 1).J, extrapolated, rtol=2e-4)


@pytest.mark.parametrize(
    ("section", "profile", "step"),
    [
        (SECTIONS["i_section"], shapes.i_profile(0.2, 0.4, 0.01, 0.016), 0.001),
        (BeamSection.i_section(0.2, 0.4, 0.02, 0.04), shapes.i_profile(0.2, 0.4, 0.02, 0.04), 0.0025),
        (SECTIONS["channel"], shapes.channel_profile(0.1, 0.2, 0.006, 0.01), 0.001),
        (SECTIONS["angle"], shapes.angle_profile(0.1, 0.15, 0.01), 0.000625),
    ],
)
def test_open_profile_torsion_against_prandtls_membrane(section, profile, step):
    assert_allclose(section.J, torsion_constant(profile.rectangles, step), rtol=MEMBRANE)


@pytest.mark.parametrize(("web", "flange"), [(0.01, 0.01), (0.02, 0.03)])
def test_box_torsion_against_prandtls_membrane(web, flange):
    hole = (web, 0.2 - web, flange, 0.3 - flange)
    exact = torsion_constant([(0, 0.2, 0, 0.3)], 0.0025, hole)
    assert_allclose(BeamSection.box(0.2, 0.3, web, flange).J, exact, rtol=MEMBRANE)


def test_thin_profiles_have_cowpers_shear_factors():
    # Cowper (1966), thin-walled I and box, nu = 0
    def cowper(m, n):
        return 10 * (1 + 3 * m) ** 2 / (12 + 72 * m + 150 * m**2 + 90 * m**3 + 30 * n**2 * (m + m**2))

    t, b, h = 1e-5, 0.2, 0.4
    thin = 1e-4  # thickness over height, several times
    assert BeamSection.i_section(b, h + t, t, 1.6 * t).kz == pytest.approx(cowper(2 * b * 1.6 / h, b / h), rel=thin)
    assert BeamSection.box(b + t, h + t, t, 1.6 * t).kz == pytest.approx(cowper(b * 1.6 / h, b / h), rel=thin)
    # the two directions of a box exchange roles
    assert BeamSection.box(h, b, 2 * t, t).ky == pytest.approx(BeamSection.box(b, h, t, 2 * t).kz, rel=EXACT)


def test_solid_shear_factors():
    assert BeamSection.rectangle(1, 2, nu=0).ky == pytest.approx(5 / 6)
    assert BeamSection.rectangle(1, 2, nu=0.3).kz == pytest.approx(0.85, rel=5e-4)
    assert BeamSection.circle(1, nu=0.3125).ky == pytest.approx(0.850257, rel=1e-6)  # SubDyn
    assert BeamSection.tube(1, 0.025, nu=2.1e11 / 2 / 8.08e10 - 1).kz == pytest.approx(0.500542, rel=1e-6)
    assert BeamSection.circle(1).without_shear().ky == math.inf
    assert BeamSection.circle(1).with_shear_factors(0.9, 0.8).kz == 0.8


def test_shear_centres():
    b, h, t = 0.1, 0.2, 1e-5
    channel = BeamSection.channel(b + t / 2, h + t, t, t)
    centroid = b**2 / (2 * b + h)
    assert_allclose(channel.shear_centre, [-centroid - 3 * b**2 / (6 * b + h), 0.0], rtol=1e-3, atol=1e-15)
    # in an angle it lies where the middle lines meet
    angle = BeamSection.angle(0.1, 0.15, 0.01)
    heel = np.array(angle.outline[0])
    assert_allclose(np.array(angle.shear_centre), heel + 0.005, rtol=0.01)
    assert_allclose(BeamSection.i_section(0.2, 0.4, 0.01, 0.016).shear_centre, 0.0, atol=1e-15)


def test_ipe_200_of_the_handbook():
    section = BeamSection.i_section(0.1, 0.2, 0.0056, 0.0085)
    r = 0.012  # the handbook's 28.48 cm2, 1943 cm4 and 6.98 cm4 include four fillets
    fillets = (4 - math.pi) * r**2
    arm = 0.1 - 0.0085 - 0.2234 * r
    assert section.A + fillets == pytest.approx(28.48e-4, rel=1e-3)
    assert section.Iy + fillets * arm**2 == pytest.approx(1943e-8, rel=1e-3)
    assert section.Iz == pytest.approx(142.4e-8, rel=0.01)
    assert section.J < 6.98e-8


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BeamSection.rectangle(-0.1, 0.2), "width is -0.1 m"),
        (lambda: BeamSection.circle(0.0), "diameter is 0 m"),
        (lambda: BeamSection.circle(math.nan), "diameter is nan m"),
        (lambda: BeamSection.tube(0.1, 0.05), "two walls do not fit"),
        (lambda: BeamSection.box(0.1, 0.2, 0.05), "two walls do not fit into the width"),
        (lambda: BeamSection.i_section(0.1, 0.2, 0.01, 0.1), "flange_thickness is 0.1 m"),
        (lambda: BeamSection.channel(0.1, 0.2, 0.1, 0.01), "web_thickness is 0.1 m"),
        (lambda: BeamSection.angle(0.1, 0.2, 0.1), "below both leg lengths"),
        (lambda: BeamSection(A=1.0, Iy=1.0, Iz=1.0, J=0.0), "J is 0"),
        (lambda: BeamSection(A=1.0, Iy=1.0, Iz=1.0, J=1.0, Iyz=1.0), "below Iy"),
        (lambda: BeamSection(A=1.0, Iy=1.0, Iz=1.0, J=1.0, ky=-1.0), "ky is -1"),
        (lambda: ShellSection(0.01, shear_factor=0.0), "shear_factor is 0; it must be positive"),
        (lambda: ShellSection(0.01, shear_factor=math.nan), "shear_factor is nan"),
        (lambda: ShellSection(0.01, shear_factor=math.inf), "shear_factor is inf"),
    ],
)
def test_impossible_sections_are_refused_in_one_sentence(make, words):
    with pytest.raises(ModelError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)
