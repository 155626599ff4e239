"""Modes followed over a parameter, and limits of stability, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError


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
    """The fixed mode of 10 rad/s meets a ray of f = v/(20π) at v = 100, that of twice the frequency at 50 and less."""
    found = h.mode_loci(two_masses, np.linspace(40.0, 210.0, 8), n=2)
    once = found.resonances(20 * np.pi)
    # the other one, sqrt(v) rad/s, meets it there too, but for its curvature between two values 24 apart
    assert [one.speed for one in once] == pytest.approx([100.0, 100.0], rel=0.01)
    assert min(abs(one.speed - 100.0) for one in once) < 1e-5
    assert once[0].frequency == pytest.approx(10.0 / (2 * np.pi), rel=0.01)
    [twice] = [one for one in found.resonances(20 * np.pi, (2.0,)) if abs(one.frequency - 10.0 / (2 * np.pi)) < 1e-6]
    assert (twice.order, twice.speed) == (2.0, pytest.approx(50.0, abs=1e-5))


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


def test_growth_is_seen_beyond_the_modes_that_are_followed(recwarn):
    assert h.mode_loci(follower, np.array([1.0, 4.0, 6.0]), n=1).stable.tolist() == [True, True, False]
    assert not [one for one in recwarn if "unstable" in str(one.message)]  # what loci are about is no warning


def test_ends_on_one_side_are_refused():
    with pytest.raises(ModelError, match=r"is stable at 1 and at 2; take ends that differ"):
        h.stability_limit(follower, 1.0, 2.0)
    with pytest.raises(ModelError, match="two or more"):
        h.mode_loci(two_masses, np.array([1.0]))
