"""Events that come and go within one step: the first of the two crossings is found, whatever is measured."""

from __future__ import annotations

import math

import pytest

from floatframe import hybrid as h

DEPTH = 1e-3  # of a dip, over the amplitude 1
WIDTH = math.acos(1.0 - DEPTH)  # half of its time, 0.045 s; steps are 0.3 s long or longer

# error of the method in the time of a crossing: that of its phase, of second order but for the last ones
METHODS = {
    "generalised-alpha": ({"step": 0.3, "spectral_radius": 1.0}, 3e-2),
    "rk4": ({"step": 0.3}, 2e-3),
    "radau5": ({"step": 0.3}, 1e-4),
    "dop853": ({"rtol": 1e-8, "options": h.SolverOptions(step_max=0.7)}, 1e-6),
    "auto": ({"rtol": 1e-8, "options": h.SolverOptions(step_max=0.7)}, 1e-6),
}


@pytest.fixture(scope="module")
def oscillator() -> h.System:
    """x = cos t of a mass on a spring, and cos t as state variable, integrated along."""
    model = h.Model(gravity=(0, 0, 0))
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(h.prismatic("A", body.at(), model.ground.at(), axis=(1, 0, 0), start=1.0))
    model.add(h.joint_force("spring", "A", "-displacement"))
    model.add(h.StateVariable("z", rate="A.rate", start=1.0))
    return model.compile()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("event", "extreme"),
    [("A.displacement + 0.999", math.pi), ("0.999 - A.rate", 1.5 * math.pi), ("z + 0.999", math.pi)],
    ids=["place", "speed", "state"],
)
def test_first_crossing_of_a_dip_inside_a_step(oscillator, method, event, extreme):
    settings, error = METHODS[method]
    result = oscillator.simulate(t_end=6.0, method=method, events=[event], **settings)
    assert result.status.reason == "stopped by event"
    if error < WIDTH**2:  # at the extreme an error of the amplitude moves the crossing by its share over the slope
        assert result.status.t == pytest.approx(extreme - WIDTH, abs=20 * error)
    assert abs(result.status.t - (extreme - WIDTH)) < WIDTH + error * extreme


@pytest.mark.parametrize("method", ["generalised-alpha", "rk4", "auto"])
def test_what_comes_near_zero_and_turns_is_no_event(oscillator, method):
    settings, _ = METHODS[method]
    events = ["A.displacement + 1.05", "abs(A.displacement) + 0.01"]  # the second with a kink near zero
    result = oscillator.simulate(t_end=6.0, method=method, events=events, **settings)
    assert (result.status.reason, result.status.t) == ("finished", 6.0)
    # a kink is passed in some short steps, not in steps without end
    assert result.statistics["steps"][-1] < 200
