"""The law of layered walls against lamination theory by hand, published shear factors and invariance."""

import numpy as np
import pytest

from floatframe import ModelError, fem
from floatframe.fem.properties.wall_law import section_law

STEEL = fem.Material(2.1e11, 0.3, 7850.0)
PLY = fem.Material.ply(25e9, 1e9, 0.25, 0.5e9, 0.5e9, 0.2e9, rho=1600.0)
EXACT = 1e-12  # sums of a few terms in double precision


def law_of(*angles: float, thickness: float = 1e-3) -> fem.WallLaw:
    return section_law(fem.LayeredSection([fem.Layer(PLY, thickness, angle) for angle in angles]), None)


def test_orthotropic_has_the_given_moduli() -> None:
    moduli = {"E1": 140e9, "E2": 10e9, "E3": 9e9, "nu12": 0.3, "nu13": 0.28, "nu23": 0.4}
    material = fem.Material.orthotropic(**moduli, G12=5e9, G13=4e9, G23=3e9, rho=1600.0)
    S = np.linalg.inv(material.elasticity())
    assert 1.0 / np.diag(S) == pytest.approx([140e9, 10e9, 9e9, 5e9, 3e9, 4e9], rel=EXACT)
    assert -S[[1, 2, 2], [0, 0, 1]] * [140e9, 140e9, 10e9] == pytest.approx([0.3, 0.28, 0.4], rel=1e-10)


def test_a_ply_is_in_plane_stress_and_may_be_rigid_in_shear() -> None:
    law = section_law(fem.ShellSection(2e-3), fem.Material.ply(25e9, 1e9, 0.25, 0.5e9))
    minor = 0.25 * 1e9 / 25e9
    Q = np.array([[25e9, minor * 25e9, 0.0], [minor * 25e9, 1e9, 0.0], [0.0, 0.0, 0.5e9 * (1 - 0.25 * minor)]])
    assert pytest.approx(2e-3 * Q / (1 - 0.25 * minor), rel=EXACT) == law.A
    assert (np.diag(law.S) > 1e3 * law.A[0, 0]).all()


def test_layers_of_one_isotropic_material_are_a_plain_wall() -> None:
    layered = section_law(fem.LayeredSection([fem.Layer(STEEL, 1e-3), fem.Layer(STEEL, 3e-3, 20.0)]), None)
    plain = section_law(fem.ShellSection(4e-3), STEEL)
    for name in ("A", "D", "S", "m0", "m2"):
        found, expected = getattr(layered, name), getattr(plain, name)
        assert found == pytest.approx(expected, rel=EXACT, abs=EXACT * np.abs(expected).max()), name
    assert not layered.B.any()
    assert layered.m1 == 0.0


def test_unsymmetric_cross_ply_couples_by_hand() -> None:
    law = law_of(0.0, 90.0)
    Q1, Q2 = 25e9 / (1 - 0.25 * 0.01), 1e9 / (1 - 0.25 * 0.01)
    # the stiff layer lies below: ∫ z dz over it is -h²/2
    assert law.B[0, 0] == pytest.approx((Q2 - Q1) * 1e-6 / 2.0, rel=EXACT)
    assert law.B[1, 1] == pytest.approx(-law.B[0, 0], rel=EXACT)
    assert np.abs(law.B[[0, 0, 1, 2], [1, 2, 2, 2]]).max() == 0.0


def test_angle_plies_couple_stretch_to_twist() -> None:
    law = law_of(-45.0, 45.0)
    assert law.B[0, 2] > 0.01 * 1e-3 * law.A[0, 0]
    assert np.abs(law.A[:2, 2]).max() < 1e-14 * law.A[0, 0]
    assert law.B[0, 0] == 0.0


def test_shear_factors_of_laminates_are_whitneys() -> None:
    """Whitney (1973): 0.8212 for [0/90] with E1/E2 = 25, G23 / G12 = 0.4, to the digits given there."""
    law = law_of(0.0, 90.0)
    assert law.S[0, 0] / (2e-3 * 0.35e9) == pytest.approx(0.8212, abs=5e-4)


def test_shear_of_a_sandwich_is_that_of_its_core() -> None:
    core = fem.Material(1e6, 0.25, 50.0)
    t, c = 1e-3, 0.05
    law = section_law(fem.LayeredSection([fem.Layer(STEEL, t), fem.Layer(core, c), fem.Layer(STEEL, t)]), None)
    # thin faces: G (c + t)² / c; the faces' own thickness counts by t/c
    assert law.S[0, 0] == pytest.approx(core.G * (c + t) ** 2 / c, rel=t / c)


def test_turning_the_layers_and_the_direction_is_the_same() -> None:
    turned = fem.LayeredSection([fem.Layer(PLY, 1e-3, 30.0), fem.Layer(PLY, 1e-3, 80.0)])
    plain = fem.LayeredSection([fem.Layer(PLY, 1e-3, 0.0), fem.Layer(PLY, 1e-3, 50.0)])
    axes = np.eye(3)[None]
    direction = np.array([[np.cos(np.pi / 6), np.sin(np.pi / 6), 0.3]])
    first = fem.wall_law(turned, None, axes)
    second = fem.wall_law(plain, None, axes, direction=direction)
    for name in ("A", "B", "D"):
        expected = getattr(first, name)
        assert getattr(second, name) == pytest.approx(expected, abs=EXACT * np.abs(expected).max()), name


def test_thickness_scales_all_layers() -> None:
    section = fem.LayeredSection([fem.Layer(PLY, 1e-3), fem.Layer(PLY, 2e-3, 90.0)])
    double = section_law(fem.LayeredSection([fem.Layer(PLY, 2e-3), fem.Layer(PLY, 4e-3, 90.0)]), None)
    found = fem.wall_law(section, None, np.eye(3)[None], np.array([[3e-3, 6e-3]]))
    assert found.A.shape == (1, 2, 3, 3)
    assert found.m1.shape == (1, 2)
    for name in ("A", "B", "D", "S", "m0", "m2"):
        expected = getattr(double, name)
        assert getattr(found, name)[0, 1] == pytest.approx(expected, abs=EXACT * np.abs(expected).max()), name


def test_about_another_surface_a_wall_has_steiners_terms() -> None:
    law = section_law(fem.ShellSection(0.01), STEEL).about(0.02)
    assert law.D[0, 0] == pytest.approx(2.1e11 / 0.91 * (0.01**3 / 12 + 0.01 * 0.02**2), rel=EXACT)
    assert law.m1 == pytest.approx(7850 * 0.01 * 0.02, rel=EXACT)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: fem.Layer(PLY, 0.0), "thickness"),
        (lambda: fem.LayeredSection([]), "no layers"),
        (lambda: fem.Material.orthotropic(1e9, 1e9, 1e9, 0.9, 0.9, 0.9, 1e8, 1e8, 1e8), "Poisson"),
        (lambda: fem.Material.ply(1e9, -1e9, 0.3, 1e8), "E2"),
        (lambda: general(B=np.eye(3) * 1e9), "release energy"),
        (lambda: general(S=-np.eye(2)), "S is not positive"),
        (lambda: general(A=np.arange(9.0).reshape(3, 3)), "not symmetric"),
        (lambda: general(m1=10.0), "negative mass"),
        (lambda: fem.wall_law(general(), None, np.eye(3)[None], direction=np.array([[0.0, 0.0, 1.0]])), "direction"),
    ],
)
def test_walls_that_make_no_sense_are_refused(make, word) -> None:
    with pytest.raises(ModelError, match=word):
        make()


def general(**changes) -> fem.GeneralShellSection:
    plain = section_law(fem.ShellSection(0.01), STEEL)
    values = {"A": plain.A, "B": plain.B, "D": plain.D, "S": plain.S, "m0": 78.5, "m2": 1e-3, "thickness": 0.01}
    return fem.GeneralShellSection(**{**values, **changes})
