"""What is known of a model's fastest rates before a run."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.precision.measure import error_of
from benchmarks.precision.problems import PROBLEMS, sliding_ball
from benchmarks.precision.references import stored
from floatframe import hybrid as h
from floatframe.hybrid.assembly import extents, spread
from floatframe.hybrid.kernels.steps.changeover import fastest_force as kernel
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.auto import Auto
from floatframe.hybrid.simulation.stiffness import fastest_force
from tests.hybrid import problems
from tests.hybrid.fields import with_fields


def fastest(model: h.Model) -> float:
    system = model.compile()
    return fastest_force(system, system.initial_state(), extents(system, spread(system)))


def slider(force: str) -> h.Model:
    """A mass of 4 kg on a guide."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 4.0, (1, 1, 1)))
    model.add(h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0), start=0.1))
    model.add(h.joint_force("pull", "A", force))
    return model


@pytest.mark.parametrize(
    ("force", "rate"),
    [("-1e6*displacement", 500.0), ("-1e4*rate", 2500.0), ("-1e6*displacement - 1e4*rate", 2500.0), ("5", 0.0)],
)
def test_springs_and_dampers(force, rate):
    # differences of 1e-8 of the model's size, rounded at 1e-16 of forces
    assert_allclose(fastest(slider(force)), rate, rtol=1e-4, atol=1e-3)


def test_a_contact_at_its_start():
    """1e9 N/m under 1 kg, pressed in by some 1e-8 m."""
    assert_allclose(fastest(sliding_ball()), np.sqrt(1e9), rtol=1e-3)


def test_without_forces():
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(h.revolute("A", body.at((1, 0, 0)), model.ground.at(), axis=(0, 1, 0)))
    assert fastest(model) == 0.0


def damped() -> h.Model:
    return slider("-1e6*displacement - 1e4*rate")


@pytest.mark.parametrize("make", [sliding_ball, problems.andrews, damped])
def test_steps_find_the_same_during_a_run(make):
    """The kernel that asks before explicit steps are tried, beside the function that asks before a run."""
    system = make().compile()
    state = system.initial_state()
    run = Auto(system, Settings(t_end=1.0), state, 0)
    room = np.zeros((2, system.nv))
    found = kernel(with_fields(system.tables), with_fields(run.data), with_fields(run.work), run.s, *room)
    # it takes one turn less of a power iteration, whose bounds grow
    assert 0.8 * fastest(make()) < found < 1.001 * fastest(make())
    assert_allclose(run.work.q, state.q)
    assert_allclose(run.work.v, state.v)


@pytest.mark.parametrize("method", ["auto", "radau5"])
def test_rounding_makes_no_short_steps(method):
    """Last digits of positions under 1e9 N/m are more than iterations may leave: once 45 000 and 124 000 steps."""
    problem = next(problem for problem in PROBLEMS if problem.name == "contact")
    record = h.Record(every=problem.t_end, channels=tuple(problem.scales))
    result = problem.system().simulate(t_end=problem.t_end, method=method, rtol=1e-8, record=record)
    assert result.status.ok, result.status
    assert result.statistics["steps"][-1] < 1000
    end = np.concatenate([result[name][-1] for name in problem.scales])
    assert error_of(problem, end, stored(problem).values) < 1e-8
