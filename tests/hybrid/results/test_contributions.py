"""Shares of modes against harmonic motions, whose mean products are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import floatframe as ff
from floatframe.hybrid import mode_contributions

T = np.arange(1000) / 1000  # one second, without its end: all products of whole frequencies have exact means
W = np.column_stack([3 * np.sin(2 * np.pi * 5 * T), 4 * np.sin(2 * np.pi * 9 * T), np.zeros(1000)])


def test_orthogonal_motions_add_their_squares():
    found = mode_contributions(np.array([1.0, -1.0, 5.0]), W)
    assert_allclose(found.rms, np.array([3, 4, 0]) / np.sqrt(2), rtol=1e-12, atol=1e-15)
    assert found.total_rms == pytest.approx(5 / np.sqrt(2), rel=1e-12)
    assert_allclose(found.rms_share, [9 / 25, 16 / 25, 0], atol=1e-12)
    assert_allclose(found.peak, [3, 4, 0], rtol=1e-4)  # the largest value lies up to half a step beside the crest
    assert_array_equal(found.ranking(), [1, 0, 2])


def test_motions_that_cancel_have_negative_shares():
    w = np.column_stack([2 * W[:, 0], -W[:, 0]])
    found = mode_contributions(np.ones(2), w)
    assert_allclose(found.rms_share, [2.0, -1.0], rtol=1e-12)
    assert_allclose(found.peak_share, [2.0, -1.0], rtol=1e-12)


def test_shares_of_several_quantities_add_up_to_one():
    rng = np.random.default_rng(4)
    rows, w = rng.normal(size=(6, 12)), rng.normal(size=(300, 12))
    found = mode_contributions(rows, w)
    assert_allclose(found.rms_share.sum(axis=1), 1, rtol=1e-12)
    assert_allclose(found.peak_share.sum(axis=1), 1, rtol=1e-12)
    parts = rows[:, None, :] * w  # (k, nt, nmode), the plain way
    whole = parts.sum(axis=2)
    assert_allclose(found.rms, np.sqrt((parts**2).mean(axis=1)), rtol=1e-12)
    assert_allclose(found.peak, np.abs(parts).max(axis=1), rtol=1e-12)
    assert_allclose(found.total_peak, np.abs(whole).max(axis=1), rtol=1e-12)
    assert_allclose(found.total_rms, np.sqrt((whole**2).mean(axis=1)), rtol=1e-12)


@pytest.mark.parametrize(
    ("rows", "w", "sentence"),
    [(np.ones(2), W, "do not fit"), (np.ones(3), 0 * W, "zero at all times"), (np.array([1, 0, np.nan]), W, "finite")],
)
def test_nonsense_is_named(rows, w, sentence):
    with pytest.raises(ff.ModelError, match=sentence):
        mode_contributions(rows, w)
