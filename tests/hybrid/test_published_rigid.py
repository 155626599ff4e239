"""Published problems of rigid multibody dynamics, all digits of their sources; see benchmarks/verify/multibody.py."""

from __future__ import annotations

import pytest

from benchmarks.verify import multibody

PROBLEMS = [
    multibody.pendulum,
    multibody.squeezer,
    multibody.squeezer_implicit,
    multibody.bricard,
    multibody.spatial_slider_crank,
    multibody.car_axis,
    multibody.sundials_slider_crank,
    multibody.double_pendulum,
    multibody.four_bars,
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.__name__)
def test_published_numbers(problem):
    rows = list(problem())
    assert rows
    assert [row for row in rows if not row.ok] == []
