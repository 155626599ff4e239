"""Blocks of records become those of a writer without being copied, unless they would keep much else in memory."""

from __future__ import annotations

import numpy as np

from floatframe.io import checked_block

WIDTHS = {"t": 1, "q": 2, "v": 2, "channels/values": 3, "statistics/values": 1}


def records(count):
    """Arrays for so many records."""
    return np.arange(float(count)), np.ones((count, 2)), np.ones((count, 2)), np.ones((count, 3)), np.ones((count, 1))


def test_records_are_taken_as_they_are():
    given = records(10)
    for array, taken in zip(given, checked_block(WIDTHS, -1.0, *given).values(), strict=True):
        assert taken is array


def test_a_small_part_of_a_large_array_is_copied():
    given = [array[:4] for array in records(10)]
    for array, taken in zip(given, checked_block(WIDTHS, -1.0, *given).values(), strict=True):
        assert not np.shares_memory(array, taken)
        np.testing.assert_array_equal(array, taken)
