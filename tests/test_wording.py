"""Pieces of sentences and the matrix of the cross product, which all packages share."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.arrays import skew
from floatframe.wording import chain, did_you_mean, listed, numbers


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_in_a_row(words, said):
    assert chain(words) == said


def test_the_nearest_names_are_offered():
    assert did_you_mean("Crnak", ["crank", "rod"]) == "; did you mean crank?"
    assert did_you_mean("box_lef", ["box_left", "box_right", "box_leg", "x"]).count(" or ") == 1
    assert did_you_mean("zzz", ["crank", "rod"]) == "; known here: crank, rod"
    assert did_you_mean("zzz", []) == "; known here: nothing"
    # of many names those most like the wrong one, not the first of the alphabet
    many = [f"anchor_{k}" for k in range(40)] + ["suspension_front.force"]
    assert did_you_mean("spring_rear.frc", many).startswith("; known here: suspension_front.force, ")


def test_long_lists_end_early():
    assert numbers(np.arange(10)) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    assert listed("node", [3]) == "node 3"
    assert listed("node", [3, 7]) == "nodes 3, 7"


def test_skew_is_the_cross_product_of_many_vectors():
    a, b = np.random.default_rng(1).normal(size=(2, 4, 5, 3))
    np.testing.assert_array_equal(skew(a) + skew(a).swapaxes(-1, -2), 0.0)
    np.testing.assert_allclose((skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=1e-15)
