"""The slider-crank with an elastic rod of the IVP test set; see benchmarks/verify/multibody.py."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.verify import multibody
from floatframe import hybrid as h
from tests.hybrid import elastic_slider_crank as problem


def test_published_start_is_consistent():
    system = problem.model().compile()
    state = problem.start(system)
    # the published start values satisfy the constraints to 2e-10
    assert np.abs(system.constraints(state)).max() < 3e-10
    assert (system.nlambda, system.ndof) == (8, 4)


@pytest.mark.parametrize(
    "run", [multibody.elastic_rod, multibody.elastic_rod_implicit], ids=lambda problem: problem.__name__
)
def test_published_numbers(run):
    rows = list(run())
    assert len(rows) == 15
    assert [row for row in rows if not row.ok] == []


@pytest.mark.filterwarnings("ignore:body 'rod' has no geometric terms")  # nor has the published model
def test_modes_move_the_answer():
    """Without the rod's elasticity the slider is elsewhere: the published digits do depend on it."""
    system = problem.model().compile()
    record = h.Record(every=0.1, channels=problem.CHANNELS)
    undeformed = system.simulate(system.start, t_end=0.1, method="rk45", rtol=1e-8, record=record)
    place, _ = problem.unknowns(undeformed, system)
    # the other published start, undeformed, ends visibly elsewhere
    assert abs(place[2] / problem.END[2] - 1) > 1e-2
