"""Ways of keeping constraints compared: what each leaves of drift, in order."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from floatframe.hybrid.settings import Settings
from tests.hybrid.simulation.pendulums import double_pendulum
from tests.hybrid.sleigh import sleigh


def test_all_ways_of_the_double_pendulum():
    settings = Settings(t_end=3.0, method="rk4", step=0.01, stabilisation=(20.0, 20.0))
    runs = {run.name: run for run in h.compare_drift(double_pendulum(), settings)}
    assert list(runs) == [
        *("none", "a = b = 1/step", "given", "proposed", "projection", "index 3", "index 3, enforced")
    ]
    drift = {name: run.drift.max() for name, run in runs.items()}
    # factors of the size of 1/step are worse than none, those proposed better than both; projection is rounding
    assert drift["a = b = 1/step"] > drift["none"] > 10 * drift["proposed"]
    assert drift["given"] > drift["proposed"]
    assert drift["projection"] < 1e-13
    speeds = {name: run.velocity_drift.max() for name, run in runs.items()}
    assert speeds["index 3"] > 1e3 * speeds["index 3, enforced"]
    for name in ("a = b = 1/step", "given", "proposed"):
        assert drift[name] <= runs[name].bound
        assert speeds[name] <= runs[name].velocity_bound
    assert runs["none"].bound is None
    # euler and the others have the limits of their stability polynomials
    assert h.stable_factors(double_pendulum(), "euler", 0.01) == pytest.approx(200.0)
    assert h.stable_factors(double_pendulum(), "newmark", 0.01) is None


def test_rows_of_speeds_drift_in_their_rates_and_return():
    system = sleigh().compile()
    settings = Settings(t_end=1.0, method="rk4", step=0.02)
    runs = {run.name: run for run in h.compare_drift(system, settings)}
    assert runs["proposed"].velocity_drift.max() < runs["none"].velocity_drift.max()
    assert runs["proposed"].velocity_drift.max() <= runs["proposed"].velocity_bound
    for name in ("projection", "index 3", "index 3, enforced"):
        assert runs[name].velocity_drift.max() < 1e-7
    assert all(np.all(run.drift == 0.0) for run in runs.values())  # there is no value that could drift


@pytest.mark.parametrize("step", [0.01, 0.1165067790756247])  # 2/step in steps of the second: unstable by rounding
def test_rows_of_speeds_are_stable_to_half_the_factors(step):
    """Their deviations return with 2 a: for euler a = 1/step is the limit itself, whatever rounding makes of it."""
    system = sleigh().compile()
    assert h.stable_factors(system, "euler", step) == pytest.approx(1.0 / step)
    names = [run.name for run in h.compare_drift(system, Settings(t_end=3 * step, method="euler", step=step))]
    assert "a = b = 1/step" not in names
    assert "proposed" in names


def test_nothing_to_compare_is_refused():
    model = h.Model()
    model.add(h.RigidBody("stone", 1.0, (1, 1, 1)))
    with pytest.raises(ModelError, match="no constraint rows, so nothing can drift"):
        h.compare_drift(model.compile(), Settings(t_end=1.0))
    with pytest.raises(ModelError, match="found method newmark, expected one of euler, rk4"):
        h.compare_drift(double_pendulum(), Settings(t_end=1.0, method="newmark", step=0.1))
