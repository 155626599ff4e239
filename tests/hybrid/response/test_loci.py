"""Modes followed over a parameter, and limits of stability, against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError, NotConverged


def two_masses(stiffness: float) -> h.System:
    """Two oscillators side by side, one of 100 N/m, the other of a stiffness that varies, with no coupling."""
    model = h.Model()
    for name, k, c in (("fixed", 100.0, 0.2), ("varied", stiffness, 1.0)):
        mass = model.add(h.RigidBody(name, mass=1.0, inertia=(1, 1, 1)))
        model.add(h.prismatic(f"{name}_guide", mass.at(), model.ground.at(), axis=(0, 0, 1)))
        model.add(h.joint_force(f"{name}_law", f"{name}_guide", f"-{k!r}*displacement - {c!r}*rate"))
    return model.compile()


def test_modes_keep_their_places_where_frequencies_cross():
    stiffness = np.linspace(50.0, 200.0, 7)
    found = h.mode_loci(two_masses, stiffness, n=2)
    expected = np.column_stack((np.sqrt(stiffness), np.full(7, 10.0)))
    np.testing.assert_allclose(2 * np.pi * found.frequency, expected, rtol=1e-8)
    # c / (2 √(k m))
    np.testing.assert_allclose(found.damping, np.column_stack((0.5 / np.sqrt(stiffness), np.full(7, 0.01))), rtol=1e-7)
    np.testing.assert_allclose(found.mac, 1.0, atol=1e-8)
    assert found.stable.all()


def test_resonances_are_where_a_ray_meets_a_mode():
    """A ray of f = v/(20π): 10 rad/s meets it at v = 100 and that of twice the frequency at 50, √v at 100 and 25."""
    found = h.mode_loci(two_masses, np.array([20.0, 90.0, 210.0]), n=2)
    once = found.resonances(20 * np.pi)
    assert [one.speed for one in once] == pytest.approx([100.0, 100.0], rel=1e-6)  # to NEAR of a step and of the speed
    assert once[0].frequency == pytest.approx(10.0 / (2 * np.pi), rel=1e-6)
    twice = found.resonances(20 * np.pi, (2.0,))
    assert [(one.order, one.speed) for one in twice] == [(2.0, pytest.approx(v, rel=1e-6)) for v in (25.0, 50.0)]
    lines = replace(found, between=None).resonances(20 * np.pi)  # without a system: straight lines
    share = (np.sqrt(90.0) - 9.0) / (np.sqrt(90.0) - 9.0 + 21.0 - np.sqrt(210.0))
    assert sorted(one.speed for one in lines) == pytest.approx(sorted([100.0, 90.0 + 120.0 * share]))


def test_a_mode_that_passes_a_ray_twice_in_one_step_is_critical_twice():
    """ω = v/10 + ((v - 150)² - 25)/200 meets v/10 at 145 and 155; a little higher it is never critical."""

    def bent(v: float, more: float = 0.0) -> h.System:
        return two_masses((v / 10 + ((v - 150) ** 2 - 25) / 200 + more) ** 2)

    speeds = np.array([190.0, 160.0, 140.0, 110.0])
    found = h.mode_loci(bent, speeds, n=2).resonances(20 * np.pi)
    assert [one.speed for one in found] == pytest.approx([145.0, 155.0], rel=1e-6)
    assert h.mode_loci(lambda v: bent(v, 0.13), speeds, n=2).resonances(20 * np.pi) == []


def test_a_mode_that_jumps_over_a_ray_does_not_meet_it():
    """From √90 rad/s at v = 110 to 20 rad/s at 150, with v/10 between: straight lines would have it pass the ray."""
    found = h.mode_loci(lambda v: two_masses(90.0 if v < 130.0 else 400.0), np.array([110.0, 150.0]), n=2)
    with pytest.warns(UserWarning, match="mode 1 jumps or is taken for another between 110 and 150"):
        assert found.resonances(20 * np.pi) == []


def crawling(damping: float) -> h.System:
    """1 kg on 100 N/m, which no longer oscillates from 20 Ns/m on."""
    model = h.Model()
    mass = model.add(h.RigidBody("mass", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", mass.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("law", "guide", f"-100*displacement - {damping!r}*rate"))
    return model.compile()


def test_motions_that_do_not_oscillate_meet_no_ray():
    """|λ| of the slow motion with 50 Ns/m is 2.087 rad/s, in the speeds; and of a mode that turns into one at 20."""
    assert h.mode_loci(lambda v: crawling(50.0), np.array([1.0, 10.0]), n=1).resonances(2 * np.pi) == []
    turning = h.mode_loci(crawling, np.array([19.0, 30.0]), n=1)  # 10 rad/s, then 3.8 or 26.2 1/s
    assert turning.resonances(2.5 * np.pi) == turning.resonances(5 * np.pi) == []  # rays of 0.8 and 0.4 rad/s per Ns/m
    [met] = h.mode_loci(crawling, np.array([10.0, 19.0]), n=1).resonances(3 * np.pi)  # 10 rad/s at 15 Ns/m
    assert met.speed == pytest.approx(15.0, rel=1e-6)


def test_a_search_that_fails_leaves_the_straight_line():
    """The varied mode, √90 and √110 rad/s at v = 90 and 110, between which there is no state to look at."""

    def system_at(value: float) -> h.System:
        if 91.0 < value < 109.0:
            raise NotConverged("no state.")
        return two_masses(value)

    found = h.mode_loci(system_at, np.array([90.0, 110.0]), n=2)
    with pytest.warns(
        UserWarning, match=r"a straight line from 90 to 110, since its search failed at [\d.]+: no state"
    ):
        speeds = [one.speed for one in found.resonances(20 * np.pi)]
    share = (np.sqrt(90.0) - 9.0) / (np.sqrt(90.0) - 9.0 + 11.0 - np.sqrt(110.0))
    assert sorted(speeds) == pytest.approx([90.0 + 20.0 * share, 100.0])
    with pytest.raises(NotConverged, match="at 100: no state"):
        h.mode_loci(system_at, np.array([90.0, 100.0]), n=2)


def whirling(speed: float) -> h.System:
    """A disc on springs of 4e4 Nm/rad about x and y that turns about z; inertia 0.3 across and 0.5 about its axis."""
    model = h.Model()
    disc = model.add(h.RigidBody("disc", mass=20.0, inertia=(0.3, 0.3, 0.5)))
    steps = [h.rotate((1, 0, 0)), h.rotate((0, 1, 0)), h.rotate((0, 0, 1))]
    model.add(h.general("carry", disc.at(), model.ground.at(), steps))
    model.add(h.motion("spin", "carry", f"{speed!r}*t", coordinate=2))
    for k in (0, 1):
        model.add(h.joint_torque(f"spring{k}", "carry", "-4e4*angle", coordinate=k))
    return model.compile()


def test_backward_whirl_is_critical_where_the_closed_form_has_it():
    """It ω² ± Ip Ω ω = k and ω = Ω: backward √(k/(It + Ip)), forward never as Ip > It; from two speeds only."""
    [backward] = h.mode_loci(whirling, np.array([0.0, 600.0]), n=2, state="steady").resonances(2 * np.pi)
    assert backward.speed == pytest.approx(np.sqrt(4e4 / 0.8), rel=1e-6)


def follower(load: float) -> h.System:
    """A mass on springs along x and y of 100 and 110 N/m, with a circulatory force that couples them."""
    model = h.Model()
    slider = model.add(h.RigidBody("slider", mass=1.0, inertia=(1, 1, 1)))
    steps = [h.translate((1, 0, 0)), h.translate((0, 1, 0))]
    model.add(h.general("plane", slider.at(), model.ground.at(), steps))
    fx = f"-100*slider.position.x + {load!r}*slider.position.y"
    fy = f"-110*slider.position.y - {load!r}*slider.position.x"
    model.add(h.point_force("springs", slider.at(), (fx, fy, 0)))
    return model.compile()


def test_flutter_begins_where_the_frequencies_meet():
    """Eigenvalues of [[100, -p], [p, 110]] become complex at p = (110 - 100)/2."""
    assert h.stability_limit(follower, 1.0, 20.0, 1e-5) == pytest.approx(5.0, abs=1e-3)
    [limit] = h.stability_limits(follower, [1.0, 4.0, 6.0, 9.0], [True, True, False, False], 1e-5)
    assert limit.value == pytest.approx(5.0, abs=1e-4)  # growth within rounding is none: 1e-7 of the frequency
    assert limit.frequency == pytest.approx(np.sqrt(105.0) / (2 * np.pi), rel=1e-4)
    assert limit.stable_before


def test_growth_is_seen_beyond_the_modes_that_are_followed(recwarn):
    assert h.mode_loci(follower, np.array([1.0, 4.0, 6.0]), n=1).stable.tolist() == [True, True, False]
    assert not [one for one in recwarn if "unstable" in str(one.message)]  # what loci are about is no warning


def test_ends_on_one_side_are_refused():
    with pytest.raises(ModelError, match=r"is stable at 1 and at 2; take ends that differ"):
        h.stability_limit(follower, 1.0, 2.0)
    with pytest.raises(ModelError, match="two or more"):
        h.mode_loci(two_masses, np.array([1.0]))
