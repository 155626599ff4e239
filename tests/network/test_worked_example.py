"""The worked example of PRADIS: spring, quadratic damper, mass and sine force, step by step."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from scipy.integrate import OdeSolution, solve_ivp

from floatframe.network import Equations, Network, NetworkSettings, Stepper

DELTA = 1e-3  # tolerance of the local error
END = 0.2 * math.pi


def example() -> Network:
    net = Network("example", base=["1"])
    net.add("spring", "spring", ["1", "2"], stiffness=20000.0)
    net.add("damper", "quadratic_damper", ["1", "2"], damping=1000.0)
    net.add("mass", "mass", ["2"], mass=0.1)
    net.add("force", "sine_force", ["2", "1"], amplitude=1000.0, period=0.2 * math.pi)
    return net


def begun(rule: str, **more) -> Stepper:
    converged = more or {"newton_potential": 1e-13, "iterations": 20}
    settings = NetworkSettings(
        t_end=0.2 * math.pi, method="stormer", atol=DELTA, rtol=0.0, first_step=1e-3, step_rule=rule, **converged
    )
    return Stepper.begun(Equations(example().compile()), settings)


def digits(text: str) -> object:
    """A number of the table to all its digits: half a unit of the last one, and a rounding."""
    number = Decimal(text)
    return pytest.approx(float(number), rel=0, abs=0.5001 * 10.0 ** int(number.as_tuple().exponent))


def row(attempt) -> tuple[float, float, float, float, float]:
    x, v, a = attempt.y[:, 0]
    return attempt.h, v, a, x, attempt.error * DELTA


@pytest.mark.parametrize("rule", ["1.30", "2.23"])
def test_the_first_two_steps_are_those_of_the_table(rule):
    stepper = begun(rule)
    first, second, again = (stepper.attempt() for _ in range(3))
    assert first.accepted
    assert row(first)[:4] == tuple(map(digits, ("1.00000000e-3", "0.059126392", "59.126392", "2.9563196e-5")))
    assert first.error * DELTA == digits("0.02956")  # far beyond the tolerance, and accepted
    assert not second.accepted
    assert (second.h, second.y[1, 0], second.error * DELTA) == tuple(
        map(digits, ("1.00000000e-3", "0.111594652", "3.3290660e-3"))
    )
    assert again.accepted
    assert row(again)[:4] == tuple(map(digits, ("4.3845880e-4", "0.085086594", "59.207849", "6.1178922e-5")))
    assert again.error * DELTA == digits("1.7857858e-5")
    assert again.t == digits("1.438458795e-3")


def test_the_third_step_by_the_first_rule_is_rejected_and_then_follows_the_second():
    stepper = begun("1.30")
    third = [stepper.attempt() for _ in range(4)][-1]
    assert not third.accepted
    assert row(third) == tuple(
        map(digits, ("2.624847552e-3", "0.171399121", "32.882872", "3.9779687e-4", "3.4549526e-2"))
    )
    assert third.predicted[0] == digits("0.240498173")
    stepper.settings = replace(stepper.settings, step_rule="2.23")
    stepper.h = stepper.next_step(third.h, third.error)
    again = stepper.attempt()
    assert again.accepted
    assert row(again)[:4] == tuple(map(digits, ("6.077878008e-5", "0.088617588", "58.095835", "6.6457686e-5")))
    assert again.error * DELTA == digits("3.3793450e-5")
    assert stepper.h == digits("1.1340543e-4")


def test_the_second_rule_throughout():
    stepper = begun("2.23")
    rejected, accepted = [stepper.attempt() for _ in range(5)][-2:]
    assert (rejected.accepted, accepted.accepted) == (False, True)
    assert rejected.h == digits("9.5953634e-4")
    assert accepted.h == digits("1.0738875e-4")
    assert accepted.y[1, 0] == digits("0.091231173")


def test_with_the_tolerances_of_the_source():
    """It stops iterating earlier, which shows in the seventh digit."""
    stepper = begun("1.30", newton_potential=1e-3, newton_flow=0.1, iterations=5)
    first = stepper.attempt()
    assert first.iterations == 4  # as in the text
    assert first.y[1, 0] == digits("0.0591264033")
    stepper.attempt()
    assert stepper.h == digits("4.3845975e-4")


@pytest.fixture(scope="module")
def accurate() -> OdeSolution:
    """Displacement and velocity over the whole run, an independent solution of high accuracy."""

    def rates(t, y):
        return [y[1], (1000.0 * math.sin(10.0 * t) - 20000.0 * y[0] - 1000.0 * y[1] * abs(y[1])) / 0.1]

    return solve_ivp(rates, (0.0, END), [0.0, 0.0], "Radau", rtol=1e-11, atol=1e-14, dense_output=True).sol


@pytest.mark.parametrize(("method", "order"), [("stormer", 1), ("bdf2", 2), ("generalised-alpha", 2)])
def test_its_continuation_converges_with_the_order_of_the_method(method, order, accurate):
    """The largest error of displacements over the whole run; steps are short beside the 1 ms of the first speed-up."""
    compiled, errors = example().compile(), []
    for count in (16_000, 32_000):
        run = compiled.simulate(END, method=method, step=END / count)
        errors.append(np.abs(run["2.displacement"] - accurate(run.t)[0]).max())
    # 0.02: terms of the next order
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.02)


@pytest.mark.parametrize("rule", ["1.30", "2.23"])
def test_both_step_rules_keep_to_the_reference_over_the_whole_run(rule, accurate):
    """Speeds within five times the tolerance of a step, which they forget after some steps."""
    errors = []
    for delta in (1e-3, 1e-5):
        settings = {"method": "stormer", "atol": delta, "rtol": 0.0, "first_step": 1e-6, "step_rule": rule}
        run = example().compile().simulate(END, **settings)
        errors.append(np.abs(run["2.velocity"] - accurate(run.t)[1]).max())
    # steps, and errors of first order with them, go with the square root of the tolerance of a step
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.3)
    assert errors[0] < 5.0 * 1e-3


@pytest.mark.parametrize("method", ["stormer", "bdf2", "generalised-alpha"])
def test_controlled_steps_keep_to_the_reference(method, accurate):
    """A tenth of the tolerance gives a smaller error, and both are near the tolerance itself."""
    result = {
        rtol: example().compile().simulate(0.05, method=method, rtol=rtol, first_step=1e-6) for rtol in (1e-3, 1e-5)
    }
    errors = {rtol: np.abs(run["2.displacement"] - accurate(run.t)[0]).max() / 0.02 for rtol, run in result.items()}
    assert errors[1e-5] < 0.2 * errors[1e-3]
    assert errors[1e-3] < 2e-2
