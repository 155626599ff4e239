"""What `rtol` means to generalised-alpha: the error at the end of a smooth motion is of that order.

Errors are those of places at the end, over the largest of them; the reference is an explicit method of order five, or
steps so short that Richardson's extrapolation is exact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks import mechanisms
from floatframe import hybrid as h
from tests.hybrid import problems
from tests.hybrid.stiffened_models import SPIN_UP, blade, spin_up_arm

ORDER_OF_RTOL = 5.0  # 0.01 to 3 were found for 1e-3 … 1e-7
LAG = 0.36  # m, of the tip of the arm in its spin-up


def heavy_top() -> h.System:
    """A top of 15 kg, its centre of mass 1 m from the tip, that turns by 300 rad in 2 s."""
    model = h.Model(gravity=(0, 0, -9.81))
    spin = (0, 150.0, -4.61538)
    top = model.add(h.RigidBody("top", 15.0, (0.234375, 0.46875, 0.234375), com=(0, 1, 0), angular_velocity=spin))
    model.add(h.spherical("tip", top.at(), model.ground.at()))
    return model.compile()


SMOOTH: dict[str, tuple[Callable[[], h.System], float, str]] = {
    "heavy top": (heavy_top, 2.0, "top.com_position"),
    "double pendulum": (lambda: problems.double_pendulum().compile(), 5.0, "second_ball.com_position"),
    "slider-crank": (lambda: mechanisms.sample("rigid"), 2.0, "slider.position"),
    "chain": (lambda: mechanisms.links(10), 1.0, "link9.com_position"),
}


def end(system: h.System, t_end: float, channel: str, **settings) -> np.ndarray:
    result = system.simulate(t_end=t_end, record=h.Record(every=t_end, channels=(channel,)), **settings)
    assert result.status.ok, result.status
    return result[channel][-1]


@pytest.mark.parametrize("name", SMOOTH)
def test_the_error_at_the_end_is_of_the_order_of_rtol(name):
    make, t_end, channel = SMOOTH[name]
    system = make()
    exact = end(system, t_end, channel, method="rk45", rtol=1e-11)
    errors = []
    for rtol in (1e-3, 1e-5):
        error = np.abs(end(system, t_end, channel, method="generalised-alpha", rtol=rtol) - exact).max()
        errors.append(error / np.abs(exact).max())
        assert errors[-1] < ORDER_OF_RTOL * rtol
    # it follows rtol, so that a run with a smaller one shows the error of a larger one
    assert errors[1] < 0.05 * errors[0]


def test_a_flexible_arm_that_is_spun_up():
    system = blade(spin_up_arm(), 0.0, SPIN_UP).compile()
    case = (5.0, "blade.node[21].position")
    coarse, fine = (end(system, *case, method="generalised-alpha", step=step) for step in (2e-3, 1e-3))
    exact = fine + (fine - coarse) / 3.0  # errors of 1e-6 of the lag are left
    for rtol in (1e-3, 1e-4):
        found = end(system, *case, method="generalised-alpha", rtol=rtol)
        assert np.abs(found - exact).max() < ORDER_OF_RTOL * rtol * LAG
