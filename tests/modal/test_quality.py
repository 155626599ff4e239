"""The quality report: mass properties, comparisons with the full model, estimates that bound the true error."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff

STEEL = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)


@pytest.fixture(scope="module")
def beam():
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    return ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=section, material=STEEL)


@pytest.fixture(scope="module")
def report(beam):
    return ff.modal.quality_report(ff.modal.reduce(beam, interface=[1, 41], n_modes=10), beam, n=8)


def test_mass_properties_are_reproduced(report):
    assert report.mass[1] == pytest.approx(report.mass[0], rel=1e-12)
    assert_allclose(report.com[1], report.com[0], atol=1e-12)
    assert_allclose(report.inertia[1], report.inertia[0], rtol=1e-12, atol=1e-12)


def test_lumped_masses_raise_the_moment_of_inertia(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=4, mass="lumped")
    report = ff.modal.quality_report(body, beam, n=4)
    # masses at the ends of n elements raise the moment of a rod by 2 / n^2
    assert report.inertia[1][1, 1] / report.inertia[0][1, 1] - 1.0 == pytest.approx(2.0 / 40**2, rel=0.01)


def test_held_modes_are_exact_and_free_ones_bounded_by_the_estimate(report):
    assert_allclose(report.clamped.error, 0.0, atol=1e-9)
    assert_allclose(report.clamped.match, 1.0, atol=1e-9)
    error, estimate = report.free.error, report.free.estimate
    assert (error > 0).all()
    assert (error <= 1.02 * estimate).all()  # an upper bound to first order
    assert (estimate < 2.0 * error).all()  # and a sharp one where modes below and above are kept
    assert report.free.match.min() > 0.998
    assert_allclose(report.free.overlap.sum(axis=0), 1.0, atol=5e-3)


def test_effective_masses_of_a_clamped_beam(report):
    """Modes 1, 3, 5 of a clamped beam carry 0.690, 0.132, 0.054 of its mass (Blevins: squares of mean values)."""
    lateral = np.sort(report.effective[:, 1])[::-1]
    assert_allclose(lateral[:3], [0.690, 0.132, 0.0539], rtol=6e-3)
    assert (report.effective.sum(axis=0) <= 1.0).all()


def test_a_body_that_lost_a_low_mode_is_found_out(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=10).drop(modes=[2])
    report = ff.modal.quality_report(body, beam, n=6)
    assert report.clamped.error.max() > 0.1
    assert report.free.error.max() > 0.05
    assert np.nanmax(report.free.estimate) > 0.05


def test_report_is_plain_data(report):
    content = json.loads(json.dumps(report.describe(), allow_nan=False))
    assert content["free"][0]["error"] == pytest.approx(report.free.error[0])
    assert content["effective mass"][-1]["mode"] == "sum"


def test_the_wrong_model_is_refused(beam, report):
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    other = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=41, section=section, material=STEEL)
    with pytest.raises(ff.ModelError, match="other nodes than model"):
        ff.modal.quality_report(report.body, other)


def test_effect_of_dropping_shows_what_changes(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=10)
    small = body.drop(modes=[2])
    changes = ff.modal.effect_of_dropping(body, small)
    held = [change for change in changes if change.support == "interface held"]
    assert [(change.mode, change.after) for change in held] == [(2, None)]
    assert held[0].before == pytest.approx(body.frequency[1])
    free = [change for change in changes if change.support == "free"]
    # bending in the other plane does not notice
    assert {round(change.before) for change in free}.isdisjoint({27, 73, 144})
    assert all(change.after is None or change.after > change.before for change in free)
    assert ff.modal.effect_of_dropping(body, body) == []
