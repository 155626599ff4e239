"""The quality report: mass properties, comparisons with the full model, estimates that bound the true error."""

from __future__ import annotations

import json
from dataclasses import replace

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


def test_modes_that_changed_their_order_are_compared_with_their_like():
    """Without its first mode in one plane the body bends there at wrong frequencies; the other plane is as before."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.022)
    beam = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=40, section=section, material=STEEL)
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=10)
    whole = ff.modal.quality_report(body, beam, n=8).free
    report = ff.modal.quality_report(body.drop(modes=[1]), beam, n=8).free
    assert (np.diff(report.body) < 0).any()  # a mode has overtaken others
    assert report.match[:2].min() > 0.98
    assert report.error[0] > 0.1
    assert_allclose(report.body[[1, 3]], whole.body[[1, 3]], rtol=1e-9)


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_a_body_from_a_file_is_compared_with_its_own_mass(beam, tmp_path, mass):
    """The binary file does not say which mass it was, but its generalised mass does."""
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=8, mass=mass)
    ff.io.write(tmp_path / "input.fum", body)
    report = ff.modal.quality_report(ff.io.read(tmp_path / "input.fum"), beam, n=6)
    known = ff.modal.quality_report(body, beam, n=6)
    assert_allclose(report.free.model, known.free.model, rtol=1e-12)
    assert_allclose(report.free.error, known.free.error, atol=1e-9)
    assert_allclose(report.free.estimate, known.free.estimate, rtol=1e-3)


def test_a_body_of_unknown_mass_is_not_guessed(beam, tmp_path):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=8)
    ff.io.write(tmp_path / "input.fum", replace(body, mass=1.1 * body.mass))
    again = ff.io.read(tmp_path / "input.fum")
    with pytest.raises(ff.ModelError, match="does not record its kind of mass"):
        ff.modal.quality_report(again, beam, n=4)
    assert (ff.modal.quality_report(again, beam, n=4, mass="consistent").free.error < 0).all()


def test_nodes_added_for_masses_do_not_make_another_body(beam, tmp_path):
    fe = beam.with_point_mass(16, mass=20.0, offset=(0.1, 0.2, -0.1))
    ff.io.write(tmp_path / "input.fum", ff.modal.reduce(fe, interface=[1, 41], n_modes=8))
    again = ff.io.read(tmp_path / "input.fum")
    assert again.nnode > fe.nnode
    report = ff.modal.quality_report(again, fe, n=6)
    assert_allclose(report.clamped.error, 0.0, atol=1e-9)
    assert report.mass[1] == pytest.approx(report.mass[0], rel=1e-12)


def test_report_is_plain_data(report):
    content = json.loads(json.dumps(report.describe(), allow_nan=False))
    assert content["free"][0]["error"] == pytest.approx(report.free.error[0])
    rows, total = content["effective_mass"], content["effective_mass_sum"]
    assert sum(row["ux"] for row in rows) == pytest.approx(total["ux"], abs=1e-3)  # rounded to 1e-4 each


def test_the_wrong_model_is_refused(beam, report):
    section = ff.fem.BeamSection.rectangle(0.02, 0.03)
    other = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=41, section=section, material=STEEL)
    with pytest.raises(ff.ModelError, match="other nodes than model"):
        ff.modal.quality_report(report.body, other)


def test_effect_of_dropping_shows_what_changes(beam):
    body = ff.modal.reduce(beam, interface=[1, 41], n_modes=10)
    small = body.drop(modes=[2])
    changes = ff.modal.effect_of_dropping(body, small)
    held = [change for change in changes if change.support == "interface_held"]
    assert [(change.mode, change.after) for change in held] == [(2, None)]
    assert held[0].before == pytest.approx(body.frequency[1])
    free = [change for change in changes if change.support == "free"]
    # bending in the other plane does not notice
    assert {round(change.before) for change in free}.isdisjoint({27, 73, 144})
    assert all(change.after is None or change.after > change.before for change in free)
    assert ff.modal.effect_of_dropping(body, body) == []
