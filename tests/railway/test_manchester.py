"""The Manchester contact benchmark, case A-2.2: S1002 on UIC60, right wheel, against CONTACT."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floatframe.railway import ContactSettings, Pose, WheelOnRail, read_profile, rest, under_load
from tests.railway.contact_reference import FILES, manchester

LOAD = 1e4  # N, vertical
MATERIAL = ContactSettings(young=2 * 1.28 * 82e9, poisson=0.28, friction=0.3)
PAIR = WheelOnRail(
    read_profile(FILES / "MBench_S1002_v3.prw"),
    read_profile(FILES / "MBench_UIC60_v3.prr"),
    radius=0.46,
    gauge=1.435,
    back_to_back=1.36,
    settings=MATERIAL,
)
CASES = manchester()
TWO_PATCHES = 11  # CONTACT counts them as one with a hole between
SINGLE = [case for case in CASES if case.number != TWO_PATCHES]


def loaded(case, pair=PAIR):
    return under_load(pair, LOAD, Pose(case.lateral, case.height, case.yaw, case.roll, 2.0, case.rotation))


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: f"{1e3 * case.lateral:g}mm")
def test_one_patch(case):
    """Asked for: 0.5 mm and 5 % of the limit of friction. Measured: 0.04 mm; forces 4.8 % in the second case, whose
    patch is 15 mm wide with a waist, 1.5 % in all others. How FASTSIM treats waists was chosen with the first two cases
    in view, so that they guard it and do not prove it."""
    found = loaded(case)
    (patch,) = found.patches
    assert patch.y == pytest.approx(case.place, abs=5e-5)
    assert patch.angle == pytest.approx(case.angle, abs=2e-3)
    assert found.pose.height == pytest.approx(case.height, abs=5e-6)
    creep = -patch.creep_along, -patch.creep_across, -patch.spin
    assert creep == pytest.approx(case.creep, rel=5e-3, abs=3e-6)
    assert patch.normal == pytest.approx(case.normal, rel=1e-2)
    assert patch.pressure == pytest.approx(case.pressure, rel=0.06)
    limit = 0.3 * case.normal
    near = 0.05 * limit if case.number == 2 else 0.016 * limit
    assert patch.along == pytest.approx(case.along, abs=near)
    assert patch.across == pytest.approx(case.across, abs=near)
    assert patch.vertical_force == pytest.approx(LOAD, rel=1e-6)


def test_two_patches_at_five_millimetres():
    """CONTACT's picture has them at strips of 0.2 mm numbered 6 to 11 and 54 to 66, 10 mm apart; it gives their sum."""
    case = CASES[TWO_PATCHES - 1]
    flange, tread = loaded(case).patches
    assert tread.y - flange.y == pytest.approx(10.3e-3, abs=0.5e-3)
    assert flange.pressure == pytest.approx(case.pressure, rel=0.01)
    limit = 0.3 * case.normal
    assert flange.along + tread.along == pytest.approx(case.along, abs=0.05 * limit)
    assert flange.across + tread.across == pytest.approx(case.across, abs=0.05 * limit)
    weighted = (flange.normal * flange.y + tread.normal * tread.y) / (flange.normal + tread.normal)
    assert case.place < weighted < tread.y


@pytest.mark.parametrize(
    "case", [case for case in SINGLE if case.number > 2], ids=lambda case: f"{1e3 * case.lateral:g}mm"
)
@pytest.mark.parametrize("patch", ["hertz", "strips"])
def test_faster_patches_where_they_are_nearly_ellipses(case, patch):
    """Two cases have a patch with a waist, for which only the solved strips are made: 15 % off by these."""
    (found,) = loaded(case, replace(PAIR, settings=replace(MATERIAL, patch=patch))).patches
    assert found.y == pytest.approx(case.place, abs=5e-5)
    limit = 0.3 * case.normal
    assert found.along == pytest.approx(case.along, abs=0.025 * limit)
    assert found.across == pytest.approx(case.across, abs=0.025 * limit)


@pytest.mark.parametrize("case", CASES[2:10], ids=lambda case: f"{1e3 * case.lateral:g}mm")
def test_polach_where_slip_is_large(case):
    """His method leaves out how spin turns the direction of the slip: 10 % of the limit."""
    (found,) = loaded(case, replace(PAIR, settings=replace(MATERIAL, law="polach", slip=1.0))).patches
    limit = 0.3 * case.normal
    assert found.along == pytest.approx(case.along, abs=0.1 * limit)
    assert found.across == pytest.approx(case.across, abs=0.1 * limit)


@pytest.mark.parametrize("number", [1, 3, 7, 10, 12, 13])
def test_roll_and_rotation_follow_from_both_wheels(number):
    """The benchmark's wheelset rests on both rails without load and rolls on the mean of its radii."""
    case = CASES[number - 1]
    found = rest(PAIR, lateral=case.lateral, yaw=case.yaw)
    assert found.roll == pytest.approx(case.roll, abs=1e-5)
    mean = 0.5 * (found.right.radius + found.left.radius)
    assert 2.0 / mean == pytest.approx(case.rotation, rel=3e-4)  # its third decimal of a mm


# CONTACT on the left wheel, by which the rules for patches with a waist were not chosen: lateral [mm], roll and
# yaw of the wheelset, rotation [rad/s], place on the rail [mm], angle, normal, along, across [N], pressure [MPa]
LEFT = [
    (0.0, 0.0, 0.0, 4.3481181, 8.6600, 0.0290, 9997.0, 0.2774, 253.7, 338.3),
    (0.5, -2.304e-5, 1.2e-3, 4.3474134, 6.3233, 0.0211, 10050.0, 887.1, -2370.0, 395.3),
    (1.0, -5.049e-5, 2.4e-3, 4.3465752, 5.2886, 0.0176, 10050.0, 829.2, -2893.0, 423.9),
    (1.5, -8.103e-5, 3.6e-3, 4.3462440, 4.5657, 0.0152, 10050.0, 641.1, -2942.0, 446.5),
    (2.0, -1.128e-4, 4.8e-3, 4.3459197, 4.0270, 0.0134, 10040.0, 546.3, -2961.0, 465.9),
    (9.0, -1.010e-2, 2.16e-2, 4.2477561, 2.8403, 0.0095, 10020.0, 2257.0, -1985.0, 725.3),
    (9.5, -1.071e-2, 2.28e-2, 4.2455665, 3.1318, 0.0105, 10020.0, 2227.0, -2020.0, 735.2),
    (10.0, -1.126e-2, 2.40e-2, 4.2436375, 3.4351, 0.0115, 10020.0, 2196.0, -2054.0, 744.0),
]


@pytest.mark.parametrize("case", LEFT, ids=lambda case: f"{case[0]:g}mm")
def test_the_left_wheel(case):
    """A left wheel is the mirror of a right one. Measured: 0.03 mm, forces 4.6 % in the second case, else 1.5 %."""
    lateral, roll, yaw, rotation, place, angle, normal, along, across, pressure = case
    (patch,) = under_load(PAIR, LOAD, Pose(-1e-3 * lateral, 0.0, -yaw, -roll, 2.0, rotation)).patches
    assert 1e3 * patch.y == pytest.approx(-place, abs=0.05)
    assert patch.angle == pytest.approx(-angle, abs=1e-3)
    assert patch.pressure == pytest.approx(1e6 * pressure, rel=0.015)
    near = (0.05 if lateral == 0.5 else 0.016) * 0.3 * normal
    assert patch.along == pytest.approx(along, abs=near)
    assert patch.across == pytest.approx(-across, abs=near)
