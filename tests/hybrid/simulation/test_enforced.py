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


def test_stiff_states_beside_enforced_rows():
    """A brake that follows the speed with a lag of 10 µs: as exact as the speed itself, in no more iterations."""
    model = h.Model(gravity=(0, -9.81, 0))
    bob = model.add(h.RigidBody("bob", 1.0, (1, 1, 1), position=(-1, 0, 0)))
    model.add(h.distance("rod", bob.at(), model.ground.at()))
    model.add(h.StateVariable("lagging", rate="1e5*(bob.velocity.y - lagging)"))
    model.add(h.point_force("brake", bob.at(), [0, "-3*lagging", 0]))
    system = model.compile()
    exact_end = system.simulate(t_end=0.5, method="radau5", rtol=1e-10)["bob.position"][-1]
    errors, plain = [], system.simulate(t_end=0.5, method="generalised-alpha", step=0.005)
    for step in (0.01, 0.005):
        options = h.SolverOptions(velocity_constraints="enforced")
        run = system.simulate(t_end=0.5, method="generalised-alpha", step=step, options=options)
        assert run.status.ok, run.status
        errors.append(np.linalg.norm(run["bob.position"][-1] - exact_end))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.25)
    # 220 and 238 measured
    assert run.statistics["iterations"][-1] < 1.1 * plain.statistics["iterations"][-1]


def test_it_needs_a_word_that_is_known():
    with pytest.raises(ModelError, match="velocity_constraints is 'always', expected true, false or 'enforced'"):
        h.SolverOptions(velocity_constraints="always")
