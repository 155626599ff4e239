"""One Schur form for many frequencies against a solution at each of them."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.response import many
from floatframe.hybrid.response.equations import MANY


def free_chain(n: int) -> tuple[np.ndarray, np.ndarray]:
    """E and A of masses on weakly damped springs that nothing holds: the zeros have no two vectors of their own."""
    stretch = np.diff(np.eye(n), axis=0)
    K, mass = 1e4 * stretch.T @ stretch, np.diag(np.geomspace(1.0, 1e3, n))
    E = np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), mass]])
    return E, np.block([[np.zeros((n, n)), np.eye(n)], [-K, -1e-6 * K]])


def test_solutions_are_those_one_by_one(monkeypatch):
    monkeypatch.setattr(many, "AT_ONCE", 1000)  # several parts
    E, A = free_chain(20)
    s = 2j * np.pi * np.geomspace(0.01, 50.0, 150)
    b = np.random.default_rng(1).normal(size=(150, 40, 2)) + 0j
    found, exact = many.SchurForm.of(E, A).solve(s, b)
    assert exact.all()
    for one, x, load in zip(s, found, b, strict=True):
        expected = np.linalg.solve(one * E - A, load)
        # resonances of a damping ratio of 1e-6 to 1e-4 leave this much of the digits
        assert np.abs(x - expected).max() < 1e-9 * np.abs(expected).max()


def test_what_has_no_inertia_has_no_form():
    E, A = free_chain(2)
    E[3, 3] = 0.0
    assert many.SchurForm.of(E, A) is None


def test_responses_over_a_band_are_those_of_single_frequencies():
    model = h.Model()
    before = model.ground
    for k in range(3):
        mass = model.add(h.RigidBody(f"m{k}", mass=1.0 + k, inertia=(1, 1, 1)))
        model.add(h.prismatic(f"g{k}", mass.at(), before.at()))
        model.add(h.joint_force(f"f{k}", f"g{k}", "-400*displacement - 0.01*rate"))
        before = mass
    outputs = ["m2.position.z", "m0.acceleration.z"]
    found = h.frequency_response(model.compile(), ["f0", "f2"], outputs, (0.5, 20.0), points=MANY)
    one_by_one = [found.at(np.array([f]))[0] for f in found.frequency]
    assert found.values == pytest.approx(np.array(one_by_one), rel=1e-9)
