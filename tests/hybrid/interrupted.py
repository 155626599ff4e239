"""Runs that are broken off, and results that must have the same bits."""

from __future__ import annotations

import numpy as np

from floatframe import hybrid


class StopAfter:
    """A progress bar that breaks off the run after some blocks."""

    def __init__(self, blocks: int, error: type[BaseException]) -> None:
        self.left, self.error = blocks, error

    def __call__(self, now: hybrid.run.Progress) -> None:
        self.left -= 1
        if self.left == 0:
            raise self.error


def same_bits(a: hybrid.Results, b: hybrid.Results) -> None:
    assert np.array_equal(a.t, b.t)
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)
    for channel in a.channels:
        assert np.array_equal(a[channel.name], b[channel.name]), channel.name
    for name, values in a.statistics.items():
        assert np.array_equal(values, b.statistics[name]), name
    assert a.status == b.status
