"""Numbers and boxes as they are typed."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.studio.numbers import in_box, number_in

NODES = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.2, 1, 0], [2.0, 1, 5]])


@pytest.mark.parametrize(
    ("words", "inside"),
    [("x 0 0.1", [0, 1]), ("x 0.2 0", [0, 1, 2]), ("y 1 1, z -1 1", [2]), ("z 5 5", [3])],
)
def test_a_box_holds_what_lies_in_it_and_on_its_sides(words, inside):
    assert np.flatnonzero(in_box(NODES, words)).tolist() == inside


@pytest.mark.parametrize("words", ["", "w 0 1", "x 0", "x a b", "x 0 inf", "x 7 8"])
def test_a_box_without_sense_or_nodes_is_refused(words):
    with pytest.raises(ModelError):
        in_box(NODES, words)


def test_numbers_are_taken_or_refused_by_name():
    assert number_in(" 2.5 ", "end") == 2.5
    assert number_in("3", "modes", whole=True) == 3
    assert number_in("", "end") is None
    for words in ("x", "nan", "inf", "-1"):
        with pytest.raises(ModelError, match="end: "):
            number_in(words, "end")
    with pytest.raises(ModelError, match="whole number"):
        number_in("2.5", "modes", whole=True)
