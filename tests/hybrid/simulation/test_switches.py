"""Laws that change with the time by themselves: controlled steps must not pass over them.

A carriage of mass m on a guide starts at rest; an impulse I leaves it with the speed I/m from then on.
"""

import numpy as np
import pytest

from floatframe.hybrid import Model, RigidBody, Table, joint_force, prismatic
from floatframe.hybrid.simulation.switches import switches

MASS, END = 2.0, 10.0
BEGIN, LENGTH = 3.3337, 1e-4  # s, far shorter than any step of a run at rest
METHODS = ("auto", "dop853", "radau5", "rk45")
EXACT = 1e-9  # the hop over a switch is 1e-11 s, a share of 1e-7 of the pulse at each end, where it does nothing


def carriage(law, tables=None):
    model = Model()
    body = model.add(RigidBody("carriage", mass=MASS, inertia=[1, 1, 1]))
    guide = model.add(prismatic("guide", body.at(), model.ground.at(), axis=[1, 0, 0]))
    for name, table in (tables or {}).items():
        model.tables[name] = table
    model.add(joint_force("push", guide, law))
    return model.compile()


@pytest.mark.parametrize("method", METHODS)
def test_short_pulse_gives_its_impulse(method):
    system = carriage(f"1000*pulse(t, {BEGIN}, {BEGIN + LENGTH})")
    result = system.simulate(t_end=END, method=method, rtol=1e-5)
    speed = 1000 * LENGTH / MASS
    assert result["carriage.velocity"][-1, 0] == pytest.approx(speed, rel=EXACT)
    distance = speed * (END - BEGIN - 0.5 * LENGTH)
    assert result["carriage.position"][-1, 0] == pytest.approx(distance, rel=EXACT)
    assert abs(result.statistics["energy_balance"][-1]) < EXACT * 0.5 * MASS * speed**2


def test_short_bump_in_a_table_gives_its_impulse():
    bump = Table([0.0, BEGIN, BEGIN + LENGTH, BEGIN + 2 * LENGTH], [0.0, 0.0, 1000.0, 0.0])
    result = carriage("table(bump, t)", {"bump": bump}).simulate(t_end=END)
    assert result["carriage.velocity"][-1, 0] == pytest.approx(1000 * LENGTH / MASS, rel=EXACT)


def test_pulse_train_takes_few_steps():
    """Every pulse begins and ends at a step: none is searched for by ever shorter ones."""
    pulses = [(k + 0.37, k + 0.371) for k in range(1, 9)]
    law = " + ".join(f"500*pulse(t, {a}, {b})" for a, b in pulses)
    result = carriage(law).simulate(t_end=END)
    impulse = 500 * sum(b - a for a, b in pulses)
    assert result["carriage.velocity"][-1, 0] == pytest.approx(impulse / MASS, rel=EXACT)
    # two steps to each end of a pulse, its hop, and the 40 of a run in which nothing happens
    assert result.statistics["steps"][-1] < 40 + 16 * 4


def test_event_of_the_time_that_comes_and_goes_within_a_step():
    system = carriage("0")
    result = system.simulate(t_end=END, events=[f"abs(t - {BEGIN}) - {LENGTH}"])
    assert result.status.reason == "stopped by event"
    assert result.t[-1] == pytest.approx(BEGIN - LENGTH, abs=1e-9)


def test_times_are_those_inside_the_run():
    model = carriage("pulse(t, -1, 20) + ramp(t, 2, 3)").model
    np.testing.assert_allclose(switches(model, ["t - 7 > 0"], 2.0, 8.0, 0.0), [3.0, 7.0])
    np.testing.assert_allclose(switches(model, [], 0.0, 8.0, 1e-3), [1.999, 2.0, 2.999, 3.0])
