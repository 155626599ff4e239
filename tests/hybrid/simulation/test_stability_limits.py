"""Deviations that return by y' = K y: limits of the step, decay, bounds, and the factors that are proposed.

The pendulum hangs at rest, moved off its constraint by little, so that nothing but the deviation moves.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import State
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.integrators import Compiled
from floatframe.hybrid.simulation.stabilisation import Stabilisation
from floatframe.hybrid.simulation.stability import largest_pair, largest_step, spectral_radius
from tests.hybrid.simulation.pendulums import cartesian_pendulum, double_pendulum

STEP = 0.01
OFF = 1e-7  # m: so small that the row is linear over it
METHODS = ("euler", "rk4", "rk45", "dop853")


def deviations(method: str, option, steps: int, step: float = STEP, system: h.System | None = None) -> np.ndarray:
    """Deviations (steps + 1, nlambda) of the rows after every step."""
    system = cartesian_pendulum((0.0, -1.0, 0.0)) if system is None else system
    start = system.initial_state()
    moved = system.move(start, np.array([0.0, -OFF, 0.0, 0.0, 0.0, 0.0] * (system.nv // 6)))
    settings = Settings(t_end=steps * step, method=method, step=step, stabilisation=option)
    kept, _ = Compiled(system, settings, moved, 0).run(np.array([settings.t_end]), steps, every_step=True)
    states = [State(float(t), q, v, start.memory) for t, q, v in zip(kept.t, kept.q, kept.v, strict=True)]
    return np.array([system.constraints(state) for state in (moved, *states)])


def growth(found: np.ndarray) -> float:
    """By which a step multiplies deviations (n, 1) in the long run: the larger root of the recurrence they obey."""
    y = found[:, 0] / np.abs(found).max()
    second, first = np.linalg.lstsq(np.column_stack((y[:-2], y[1:-1])), y[2:], rcond=None)[0]
    return float(np.abs(np.roots([1.0, -first, -second])).max())


def companion(a: float, b: float) -> np.ndarray:
    return np.array([[0.0, 1.0], [-b * b, -2.0 * a]])


def test_limits_of_single_rows_are_the_known_ones():
    # scalar y' = K y: 2 / step for Euler, 2.785294 / step for the classical Runge-Kutta method
    assert largest_step("euler", np.array([[-1.0]])) == pytest.approx(2.0, rel=1e-12)
    assert largest_step("rk4", np.array([[-1.0]])) == pytest.approx(2.785294, rel=1e-6)
    # purely oscillating deviations: 2 sqrt(2) for Runge-Kutta, while Euler's grow in every step
    assert largest_step("rk4", companion(0.0, 1.0)) == pytest.approx(2.0 * math.sqrt(2.0), rel=1e-9)
    assert largest_step("euler", companion(0.0, 1.0)) == 0.0


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (1.0, 4.0), (3.0, 1.0), (0.3, 2.0)])
def test_limits_of_euler_are_the_two_conditions(a, b):
    step = largest_step("euler", companion(a, b))
    for h_ in (0.999 * step, 1.001 * step):
        stable = b * b * h_ < 2.0 * a and 4.0 - 4.0 * a * h_ + b * b * h_ * h_ > 0.0
        assert stable == (h_ < step)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.3, 1.0), (2.0, 1.0)])
def test_measured_limits_are_the_computed_ones(method, a, b, monkeypatch):
    monkeypatch.setattr(Stabilisation, "require_stable", lambda *_: None)  # it refuses what is measured here
    factor = largest_step(method, companion(a, b)) / STEP
    # one per cent below the limit they die out, one above they grow
    for share, grows in ((0.99, False), (1.01, True)):
        found = deviations(method, (share * factor * a, share * factor * b), 12)
        assert (growth(found) > 1.0) == grows


@pytest.mark.parametrize("method", METHODS)
def test_growth_of_a_step_is_the_spectral_radius(method):
    a = 0.4 * largest_pair(method, STEP)
    for b in (0.5 * a, a, 1.2 * a):
        found = growth(deviations(method, (a, b), 12))
        # a deviation of 1e-7 is known to nine digits, of which a double root keeps half
        assert found == pytest.approx(spectral_radius(method, companion(a, b), STEP), rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("a", "b"), [(8.0, 4.0), (4.0, 10.0)])
def test_deviations_decay_as_the_eigenvalues_say(method, a, b):
    step = 5e-4 if method == "euler" else 5e-3
    found = growth(deviations(method, (a, b), 200, step))
    slowest = np.linalg.eigvals(companion(a, b)).real.max()
    assert math.log(found) / step == pytest.approx(slowest, rel=0.05)


def test_a_matrix_over_all_rows_couples_them():
    system = double_pendulum()
    # the second rod follows the first: its deviation returns only through the coupling
    A = np.array([[-25.0, 0.0], [9.0, -9.0]])
    B = np.array([[-10.0, 0.0], [6.0, -6.0]])
    K = np.block([[np.zeros((2, 2)), np.eye(2)], [A, B]])
    start = system.initial_state()
    moved = system.move(start, np.array([1e-7, 0, 0, 0, 0, 0, 2e-7, 0, 0, 0, 0, 0]))
    settings = Settings(t_end=1e-3, method="rk4", step=1e-4, stabilisation=K)
    one = Compiled(system, settings, moved, 0)
    kept, _ = one.run(np.array([1e-3]), 10, every_step=True)
    found = system.constraints(State(kept.t[-1], kept.q[-1], kept.v[-1], start.memory))
    from scipy.linalg import expm

    wanted = (expm(1e-3 * K) @ np.concatenate((system.constraints(moved), np.zeros(2))))[:2]
    # the masses begin to fall meanwhile, across the rods: second order in what they move
    np.testing.assert_allclose(found, wanted, rtol=1e-4)


def test_a_two_by_two_matrix_and_a_function_do_what_a_pair_does():
    pair = deviations("rk4", (5.0, 7.0), 100)
    np.testing.assert_array_equal(deviations("rk4", ((0.0, 1.0), (-49.0, -10.0)), 100), pair)

    def by_hand(q, v, t, g, rate):
        return -49.0 * g - 10.0 * rate

    # the same sums in another order
    np.testing.assert_allclose(deviations("rk4", by_hand, 100), pair, rtol=1e-9, atol=1e-20)


@pytest.mark.parametrize("method", ["euler", "rk4", "rk45", "dop853"])
@pytest.mark.parametrize("system", [cartesian_pendulum, double_pendulum])
def test_drift_stays_below_the_bound(method, system):
    step = 1e-3 if method == "euler" else 1e-2
    for factor in (5.0, 50.0):
        options = h.SolverOptions(stabilisation=(factor, factor))
        record = h.Record(channels=("energy.total",))
        drift = system().simulate(t_end=1.5, method=method, step=step, options=options, record=record).statistics
        for name, bound in (("constraint_drift", "drift_bound"), ("velocity_drift", "velocity_drift_bound")):
            reached, limit = np.maximum.accumulate(drift[name])[1:], drift[bound][1:]
            # it holds for every record, but for rounding, and is no more than what errors of one sign add up to
            assert np.all(reached <= limit * (1 + 1e-9) + 1e-14)
            assert limit[-1] < 40 * reached[-1] + 1e-13


def test_the_bound_holds_in_controlled_steps():
    options = h.SolverOptions(stabilisation=(5.0, 5.0))
    drift = double_pendulum().simulate(t_end=3.0, method="rk45", rtol=1e-6, options=options).statistics
    assert drift["constraint_drift"].max() <= drift["drift_bound"][-1]
    assert drift["velocity_drift"].max() <= drift["velocity_drift_bound"][-1]


@pytest.mark.parametrize("step", [0.01, 0.0025])
@pytest.mark.parametrize(("system", "t_end"), [(cartesian_pendulum, 10.0), (double_pendulum, 5.0)])
def test_the_proposed_factors_beat_none_and_those_of_the_step(system, t_end, step):
    drift = {}
    for name, option in {"none": (0, 0), "step": (1 / step, 1 / step), "proposed": "proposed"}.items():
        options = h.SolverOptions(stabilisation=option)
        found = system().simulate(t_end=t_end, method="rk4", step=step, options=options).statistics
        drift[name] = np.array([found["constraint_drift"].max(), found["velocity_drift"].max()])
    # found: 1/140 to 1/440 of the drift without, 1/7 to 1/37 of that of speeds; of a = b = 1 / step less than 1/400
    assert np.all(drift["proposed"] < np.array([0.02, 0.2]) * drift["none"])
    assert np.all(drift["proposed"] < 0.01 * drift["step"])


def test_the_proposed_factors_of_euler_end_deviations_in_two_steps():
    # nothing is gained by less: a = b = 1 / step makes the amplification of a step nilpotent
    options = h.SolverOptions(stabilisation="proposed")
    result = cartesian_pendulum().simulate(t_end=1.0, method="euler", step=1e-3, options=options)
    assert result.meta.settings["stabilisation"] == pytest.approx([1000.0, 1000.0], rel=0.02)


@pytest.mark.parametrize(
    ("option", "step", "sentence"),
    [
        ((300.0, 300.0), 0.01, "unstable in steps of 0.01 s of rk4.*steps up to 0.009284 s .*a = b up to 278.5 1/s"),
        (((0, 1), (4.0, -1.0)), 0.01, "lets deviations grow: K has the eigenvalue 1.562 1/s"),
        (((0, 2), (-4.0, -1.0)), 0.01, r"first row of a 2 x 2 matrix K is \(0.0, 2.0\), expected \(0, 1\)"),
        (np.eye(3), 0.01, "matrix 3 x 3, expected 2 x 2 for every row, or 2 x 2 for the values and rates of 1 rows"),
        (((0, 1), (1,)), 0.01, "rows of 2 and 1 numbers, expected 2 finite ones"),
        ("best", 0.01, "stabilisation is 'best', expected 'proposed'"),
        ((1, 2, 3), 0.01, "expected two numbers a, b"),
        ((float("nan"), 1), 0.01, "expected two numbers a, b"),
        (lambda q, v, t, g, rate: [1.0, 2.0], 0.01, "stabilisation: its Python function failed with ValueError"),
        (lambda q, v, t, g, rate: 1 / 0, 0.01, "stabilisation: its Python function failed with ZeroDivisionError"),
    ],
    ids=range(10),
)
def test_what_cannot_work_is_refused_in_a_sentence(option, step, sentence):
    with pytest.raises(ModelError, match=sentence):
        cartesian_pendulum().simulate(t_end=0.1, method="rk4", step=step, options=h.SolverOptions(stabilisation=option))


def test_a_model_without_rows_has_nothing_to_stabilise():
    model = h.Model(gravity=(0, 0, -9.81))
    model.add(h.RigidBody("stone", 1.0, (1, 1, 1)))
    with pytest.raises(ModelError, match="no constraint rows that could drift"):
        model.compile().simulate(method="rk4", options=h.SolverOptions(stabilisation="proposed"))


def test_a_run_goes_on_with_the_factors_that_were_proposed(tmp_path):
    settings = {"method": "rk4", "step": 0.01, "options": h.SolverOptions(stabilisation="proposed")}
    system, path = double_pendulum(), tmp_path / "run.h5"
    begun = system.simulate(t_end=1.0, path=path, **settings)
    whole = system.simulate(
        t_end=2.0, method="rk4", step=0.01, options=h.SolverOptions(stabilisation=begun.meta.settings["stabilisation"])
    )
    again = system.simulate(t_end=2.0, path=path, resume=True, **settings)
    np.testing.assert_array_equal(again["lower.position"], whole["lower.position"])
    np.testing.assert_array_equal(again.statistics["drift_bound"], whole.statistics["drift_bound"])


def tied() -> h.System:
    """A body in a plane whose two speeds a velocity constraint ties: linear, so that deviations obey y' = K y alone."""
    model = h.Model(gravity=(0, 0, 0))
    body = model.add(h.RigidBody("body", 2.0, (1, 1, 1)))
    model.add(h.planar("plane", body.at(), model.ground.at()))
    model.add(h.velocity_constraint("tie", "plane.rate[1] - 2*plane.rate[2]"))
    return model.compile()


def speeds_left(method: str, option, steps: int) -> np.ndarray:
    """Deviations (steps + 1,) of the velocity constraint after every step."""
    system = tied()
    start = State(0.0, system.start.q, np.array([1.3, 0.1, 0.0]), system.start.memory)
    settings = Settings(t_end=steps * STEP, method=method, step=STEP, stabilisation=option)
    kept, _ = Compiled(system, settings, start, 0).run(np.array([settings.t_end]), steps, every_step=True)
    return np.array([v[0] - 2.0 * v[1] for v in (start.v, *kept.v)])


@pytest.mark.parametrize("method", METHODS)
def test_speeds_return_with_twice_the_factor(method, monkeypatch):
    monkeypatch.setattr(Stabilisation, "require_stable", lambda *_: None)
    limit = Stabilisation.fitting(tied(), (1.0, 1.0)).largest_pair(method, STEP)
    for a in (4.0, 0.99 * limit, 1.01 * limit):
        found = speeds_left(method, (a, a), 10)
        # of these every step makes R(-2 a step), to rounding
        factor = found[1:] / found[:-1]
        np.testing.assert_allclose(np.abs(factor), spectral_radius(method, np.array([[-2.0 * a]]), STEP), rtol=1e-9)
        assert (np.abs(found[-1]) > np.abs(found[0])) == (a > limit)
    # 2 a = 8 1/s: euler's steps of 0.01 s miss its decay by 4 %
    slow = speeds_left(method, (4.0, 4.0), 20)
    assert math.log(slow[-1] / slow[0]) / (20 * STEP) == pytest.approx(-8.0, rel=0.05)


def test_a_matrix_over_a_row_of_speeds_is_its_rate():
    np.testing.assert_array_equal(speeds_left("rk4", ((-8.0,),), 10), speeds_left("rk4", (4.0, 4.0), 10))
