"""Constraint drift: the pendulum in Cartesian coordinates with RK4, index 1, by stabilised rows and by projection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.simulation.pendulums import cartesian_pendulum

AT_TEN_SECONDS = (-0.275087463, -0.961419205)


@dataclass(frozen=True)
class Drift:
    """Largest |r - 1|, |r v|, energy error over 10 s, and the error of the position at the end."""

    length: float
    speed: float
    energy: float
    position: float


def drift(step: float, **settings) -> Drift:
    record = h.Record(channels=("bob.position", "bob.velocity", "energy.total"))
    result = cartesian_pendulum().simulate(t_end=10.0, method="rk4", step=step, record=record, **settings)
    x, v, energy = result["bob.position"], result["bob.velocity"], result["energy.total"]
    return Drift(
        np.abs(np.linalg.norm(x, axis=1) - 1).max(),
        np.abs((x * v).sum(axis=1)).max(),
        np.abs(energy - energy[0]).max(),
        float(np.linalg.norm(x[-1, :2] - AT_TEN_SECONDS)),
    )


#: step, a = b, and the figures computed independently, in the order of `Drift`
TABLE = [
    (0.01, 0, (3.59e-5, 7.2e-6, 4.7e-4, 9.5e-5)),
    (0.005, 0, (2.25e-6, 4.5e-7, 3.0e-5, 5.9e-6)),
    (0.0025, 0, (1.40e-7, 2.8e-8, 1.9e-6, 3.7e-7)),
    (0.01, 5, (1.01e-7, 5.7e-7, 2.0e-6, 4.6e-6)),
    (0.005, 5, (6.3e-9, 3.5e-8, 2.0e-7, 3.3e-7)),
    (0.0025, 5, (4.0e-10, 2.2e-9, 1.5e-8, 2.2e-8)),
    (0.01, 20, (1.21e-6, 3.9e-5, 8.3e-5, 7.0e-5)),
    (0.005, 20, (7.0e-8, 2.3e-6, 5.4e-6, 4.4e-6)),
    (0.0025, 20, (4.2e-9, 1.4e-7, 3.4e-7, 2.8e-7)),
    (0.01, 100, (4.8e-5, 8.1e-3, 7.2e-4, 9.3e-4)),
    (0.005, 200, (1.2e-5, 4.0e-3, 1.8e-4, 2.0e-4)),
    (0.0025, 400, (3.0e-6, 2.0e-3, 4.6e-5, 4.5e-5)),
]


@pytest.mark.parametrize(("step", "factor", "figures"), TABLE)
def test_stabilised_rows(step, factor, figures):
    found = drift(step, options=h.SolverOptions(stabilisation=(factor, factor)))
    # the table has two digits
    np.testing.assert_allclose([found.length, found.speed, found.energy, found.position], figures, rtol=0.03)


@pytest.mark.parametrize(("step", "energy", "position"), [(0.01, 1.7e-6, 4.1e-7), (0.005, 5.8e-8, 5.2e-8)])
def test_projection_holds_the_drift_at_rounding(step, energy, position):
    found = drift(step)
    # coordinates near one are rounded to 1e-16 and the projection stops below 1e-14
    assert found.length < 2e-14
    assert found.speed < 2e-15
    assert (found.energy, found.position) == pytest.approx((energy, position), rel=0.03)


def test_without_projection_is_without_stabilisation():
    assert drift(0.01, options=h.SolverOptions(velocity_constraints=False)) == drift(
        0.01, options=h.SolverOptions(stabilisation=(0, 0))
    )


@pytest.mark.parametrize("method", ["generalised-alpha", "hht", "newmark", "bdf1", "bdf2", "park"])
def test_implicit_methods_keep_positions_and_recorded_speeds_on_the_constraints(method):
    record = h.Record(channels=("bob.position", "bob.velocity"))
    result = cartesian_pendulum().simulate(t_end=2.0, method=method, step=1e-3, record=record)
    x, v = result["bob.position"], result["bob.velocity"]
    # positions to the tolerance of Newton's method, 1e-6 of the change in a step; speeds of up to 4.4 m/s to 1e-10
    assert np.abs(np.linalg.norm(x, axis=1) - 1).max() < 1e-9
    assert np.abs((x * v).sum(axis=1)).max() < 1e-8


def test_stabilisation_is_refused_where_it_has_no_meaning():
    with pytest.raises(ModelError, match="stabilisation is for euler, rk4, rk45 and dop853, found method auto"):
        cartesian_pendulum().simulate(options=h.SolverOptions(stabilisation=(5, 5)))
    with pytest.raises(ModelError, match="expected two numbers a, b"):
        cartesian_pendulum().simulate(method="rk4", step=0.01, options=h.SolverOptions(stabilisation=(5,)))
