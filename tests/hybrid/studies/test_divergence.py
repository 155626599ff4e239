"""A rotating beam without stiffening leaves its shape above a critical speed, in time as theory demands.

In a frame clamped to the hub the linear beam has k - m Ω² in the plane of rotation: tip motions grow like
exp(sqrt(Ω² - ω₁²) t) above its first frequency ω₁ = 3.798 rad/s. In mean axes or on the chord, part of the rotation is
that of the frame, whose arms turn exactly, and the beam bends too far but does not run away at 6 rad/s.
"""

from __future__ import annotations

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid as h
from tests.hybrid.stiffened_models import ARM_LENGTH, SPIN_UP, blade, lag_of_tip, spin_up_arm

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*frame is clamped to node"),
    pytest.mark.filterwarnings("ignore:.*has its stiffening switched off"),
]
CRITICAL = 3.798  # rad/s, first frequency of the clamped beam with shear
CHANNELS = ("axle.angle", "blade.node[21].position")


@pytest.fixture(scope="module")
def arm() -> ff.modal.ReducedBody:
    return spin_up_arm()


def turning(arm, speed: float, t_end: float, stiffening: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and lag of the tip at constant speed, disturbed by a weight that is a millionth of the earth's."""
    model = blade(arm, 0.0, f"{speed!r}*t", speed, frame="node", stiffening=stiffening)
    model.gravity = (0.0, -1e-5, 0.0)
    system = model.compile()
    run = system.simulate(system.steady_motion(), t_end=t_end, step=5e-3, record=h.Record(0.02, CHANNELS))
    return run.t, lag_of_tip(run)


def growth(t: np.ndarray, lag: np.ndarray) -> float:
    """The rate of growth over the last quarter, where the growing part is alone."""
    late = t > 0.75 * t[-1]
    return float(np.polyfit(t[late], np.log(np.abs(lag[late])), 1)[0])


def test_the_lag_grows_at_the_rate_of_theory(arm):
    speeds = np.array([4.2, 4.6, 5.0])
    rates = np.array([growth(*turning(arm, float(speed), 6.0, "off")) for speed in speeds])
    assert rates == pytest.approx(np.sqrt(speeds**2 - CRITICAL**2), rel=0.01)
    # rate² over speed² is a straight line that starts at the critical speed
    slope, start = np.polyfit(speeds**2, rates**2, 1)
    assert np.sqrt(-start / slope) == pytest.approx(CRITICAL, rel=2e-3)


@pytest.mark.parametrize(("speed", "stiffening"), [(3.6, "off"), (5.0, "full")])
def test_it_does_not_below_that_speed_nor_with_stiffening(arm, speed, stiffening):
    t, lag = turning(arm, speed, 20.0, stiffening)
    late, early = np.abs(lag[t > 10.0]).max(), np.abs(lag[t <= 10.0]).max()
    assert late < 1.2 * early  # swings on
    assert early < 1e-4


@pytest.mark.parametrize(("speed", "stable"), [(3.6, True), (4.0, False)])
def test_linear_analysis_says_the_same(arm, speed, stable):
    system = blade(arm, 0.0, f"{speed}*t", speed, frame="node", stiffening="off").compile()
    assert system.linearise(system.steady_motion()).stable == stable
    stiffened = blade(arm, 0.0, f"{speed}*t", speed, frame="node").compile()
    assert stiffened.linearise(stiffened.steady_motion()).stable


class TestSpinUp:
    """To 6 rad/s in 15 s; the speed passes 3.798 rad/s at 8.5 s."""

    def run(self, arm, frame: str) -> tuple[h.Results, np.ndarray]:
        system = blade(arm, 0.0, SPIN_UP, frame=frame, stiffening="off").compile()
        result = system.simulate(t_end=18.0, step=5e-3, record=h.Record(0.02, CHANNELS))
        return result, lag_of_tip(result)

    def test_in_the_frame_of_the_hub_it_runs_away(self, arm):
        result, lag = self.run(arm, "node")
        assert np.abs(lag[result.t < 7.0]).max() < 0.15 * ARM_LENGTH
        assert np.abs(lag[result.t < 10.5]).max() > 5.0 * ARM_LENGTH
        assert result.status.reason == "failed"
        assert result.t[-1] < 15.0

    @pytest.mark.parametrize("frame", ["mean", "chord"])
    def test_in_other_frames_it_bends_too_far(self, arm, frame):
        result, lag = self.run(arm, frame)
        assert result.status.ok
        assert -0.75 < lag.min() < -0.62  # right: -0.574
