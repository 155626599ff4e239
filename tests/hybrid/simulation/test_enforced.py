"""Speeds on the constraints inside implicit steps: both levels to Newton's tolerance, at the order of the method."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.simulation.pendulums import cartesian_pendulum, double_pendulum

ORDERS = {"generalised-alpha": 2, "hht": 2, "newmark": 2, "bdf1": 1, "bdf2": 2, "park": 2}
RECORD = h.Record(channels=("bob.position", "bob.velocity", "rod.force"))


@cache
def exact() -> dict[str, np.ndarray]:
    result = cartesian_pendulum().simulate(t_end=0.5, method="dop853", rtol=1e-12, record=RECORD)
    return {name: result[name][-1] for name in RECORD.channels}


@pytest.mark.parametrize("method", ORDERS)
def test_both_levels_are_kept_at_the_order_of_the_method(method):
    options = h.SolverOptions(velocity_constraints="enforced", newton_tolerance=1e-9)
    errors = []
    for step in (0.005, 0.0025):
        run = cartesian_pendulum().simulate(t_end=0.5, method=method, step=step, options=options, record=RECORD)
        # to 1e-9 of what a step changes: speeds by up to 3 g times the step
        assert run.statistics["constraint_drift"].max() < 1e-12
        assert run.statistics["velocity_drift"].max() < 1e-9 * 3 * 9.81 * step
        assert "Speeds were kept on the constraints inside the steps" in run.status.message
        errors.append([np.linalg.norm(run[name][-1] - exact()[name]) for name in RECORD.channels])
    order = np.log2(errors[0]) - np.log2(errors[1])
    np.testing.assert_allclose(order, ORDERS[method], atol=0.25)


@pytest.mark.parametrize("method", [*ORDERS, "radau5"])
def test_positions_are_kept_to_the_tolerance_without_it(method):
    run = double_pendulum().simulate(t_end=0.3, method=method, step=0.005)
    assert run.statistics["constraint_drift"].max() < 1e-6 * 9.81 * 0.005
    # the speeds of index-3 steps are off by their order; those of radau5 are projected in every step
    assert (run.statistics["velocity_drift"].max() > 1e-6) == (method != "radau5")


def test_it_needs_a_word_that_is_known():
    with pytest.raises(ModelError, match="velocity_constraints is 'always', expected true, false or 'enforced'"):
        h.SolverOptions(velocity_constraints="always")
