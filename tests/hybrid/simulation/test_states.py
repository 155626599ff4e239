"""State variables in runs: every method against closed forms, their order, stiff states, stages, resumed runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.dc_motor import VOLTAGE, K, L, R, dc_motor, exact
from tests.hybrid.interrupted import StopAfter, same_bits
from tests.reference.beams import fitted_order

CHANNELS = ("current.value", "shaft.rate", "shaft.angle")
T_END = 2.0


def end(system: h.System, **settings) -> np.ndarray:
    """Current, speed and angle at the end of a run."""
    result = system.simulate(t_end=T_END, record=h.Record(every=0.1, channels=CHANNELS), **settings)
    assert result.status.ok, result.status
    return np.array([result[name][-1] for name in CHANNELS])


@pytest.fixture(scope="module")
def system() -> h.System:
    return dc_motor().compile()


@pytest.mark.parametrize("method", ["auto", "dop853", "rk45", "radau5", "scipy:DOP853", "scipy:Radau", "scipy:LSODA"])
def test_dc_motor_follows_the_matrix_exponential(system, method):
    # rtol asked for, with a reserve for LSODA, whose tolerance is that of steps
    assert_allclose(end(system, method=method, rtol=1e-10), exact(T_END), rtol=2e-9 if "LSODA" in method else 1e-9)


@pytest.mark.parametrize(
    ("method", "radius", "order", "steps"),
    [
        ("generalised-alpha", 0.0, 2, (100, 200, 400, 800)),
        ("generalised-alpha", 0.5, 2, (100, 200, 400, 800)),
        ("generalised-alpha", 0.8, 2, (100, 200, 400, 800)),
        ("generalised-alpha", 1.0, 2, (100, 200, 400, 800)),
        ("hht", 0.7, 2, (100, 200, 400, 800)),
        ("newmark", 0.8, 2, (100, 200, 400, 800)),
        ("bdf1", 0.8, 1, (400, 800, 1600)),
        ("bdf2", 0.8, 2, (200, 400, 800)),
        ("park", 0.8, 2, (200, 400, 800)),
        ("rk4", 0.8, 4, (40, 80, 160)),
        ("rk45", 0.8, 5, (20, 40, 80)),
        ("radau5", 0.8, 5, (20, 40, 80)),
    ],
)
def test_states_have_the_order_of_the_method(system, method, radius, order, steps):
    options = h.SolverOptions(newton_tolerance=1e-12)
    error = []
    for n in steps:
        found = system.simulate(
            t_end=T_END,
            method=method,
            step=T_END / n,
            spectral_radius=radius,
            options=options,
            record=h.Record(every=T_END, channels=CHANNELS),
        )
        error.append(abs(found["current.value"][-1] - exact(T_END)[0]))
    assert fitted_order(steps, error) == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize("radius", [0.0, 0.5, 0.8, 1.0])
def test_stiff_states_die_out_as_the_spectral_radius_says(radius):
    """z' = -1e9 z in steps of 0.01 s: what is left after many steps shrinks by the radius per step."""
    model = h.Model()
    model.add(h.RigidBody("rest", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.StateVariable("z", rate="-1e9*z", start=1.0))
    result = model.compile().simulate(
        t_end=0.5, step=0.01, method="generalised-alpha", spectral_radius=radius, record=h.Record(every=0.01)
    )
    z = np.abs(result["z.value"])
    if radius in (0.0, 1.0):
        assert z[5:].max() <= radius + 1e-7
    else:  # a double root: growth over the power by one per step
        assert z[-1] / z[-2] == pytest.approx(radius * 49 / 48, rel=0.02)


def test_controlled_generalised_alpha_keeps_its_tolerance(system):
    assert_allclose(end(system, method="generalised-alpha", rtol=1e-4), exact(T_END), rtol=1e-4)


@pytest.mark.parametrize("method", ["generalised-alpha", "radau5", "bdf2"])
def test_a_winding_almost_without_inductance_is_a_resistance(method):
    """R/L = 1e8/s: the current follows the speed at once, and steps are as long as the mechanics allows."""
    system = dc_motor(L=1e-8).compile()
    settings = {"rtol": 1e-6} if method == "radau5" else {"step": 1e-3}
    result = system.simulate(t_end=1.0, method=method, record=h.Record(every=0.1), **settings)
    assert_allclose(result["current.value"][1:], (VOLTAGE - K * result["shaft.rate"][1:]) / R, rtol=1e-6)
    assert result.statistics["steps"][-1] <= 1000


@pytest.mark.parametrize("method", ["auto", "radau5", "generalised-alpha", "rk45"])
def test_states_inside_steps_and_their_rates_are_recorded(system, method):
    settings = {"step": 1e-4} if method == "generalised-alpha" else {"rtol": 1e-9}
    result = system.simulate(t_end=1.0, method=method, record=h.Record(every=0.0137), **settings)
    current = np.array([exact(t)[0] for t in result.t])
    speed = np.array([exact(t)[1] for t in result.t])
    # inside a step radau5 knows its motion to the third order, generalised-alpha is of second order
    tolerance = {"radau5": 2e-6, "generalised-alpha": 1e-6}.get(method, 1e-8)
    assert_allclose(result["current.value"], current, atol=tolerance * 10)
    assert_allclose(result["current.rate"], (VOLTAGE - R * current - K * speed) / L, atol=tolerance * 100)
    assert_allclose(result["torque.value"], K * result["current.value"], rtol=1e-14)
    assert (result.unit("current.value"), result.unit("current.rate")) == ("A", "A/s")


@pytest.mark.parametrize("settings", [{"rtol": 1e-9}, {"step": 2e-4}], ids=["auto", "fixed"])
def test_energy_balance_counts_what_a_motor_gives(system, settings):
    result = system.simulate(t_end=1.0, record=h.Record(every=0.01), **settings)
    size = result["energy.total"].max()
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-6 * size


def test_events_and_stages_measure_states(system):
    """At 4 A the voltage is switched off, and the run stops where the current has fallen to 1 A."""
    model = dc_motor()
    model.add(h.Stage("off", when="current - 4", set={"V": 0.0}))
    result = model.compile().simulate(t_end=3.0, rtol=1e-10, events=["torque - 0.2*1"])
    k = int(np.argmax(result.statistics["stage"]))
    assert result["current.value"][k] == pytest.approx(4.0, abs=1e-8)
    assert result.status.reason == "stopped by event"
    assert result["current.value"][-1] == pytest.approx(1.0, abs=1e-8)
    assert result["current.value"][k] == result["current.value"][k - 1]
    assert result["current.rate"][k] - result["current.rate"][k - 1] == pytest.approx(-VOLTAGE / L, rel=1e-12)


def test_a_rate_that_is_not_a_number_names_its_state():
    model = dc_motor()
    model.add(h.StateVariable("level", rate="sqrt(1 - t)"))
    result = model.compile().simulate(t_end=2.0, step=1e-2)
    assert result.status.reason == "failed"
    assert "state 'level'" in result.status.message
    model = dc_motor()
    model.add(h.StateVariable("level", rate="log(level)"))
    with pytest.raises(ModelError, match="state 'level': its rate evaluates to NaN at the start"):
        model.compile().simulate(t_end=1.0)


def test_a_model_may_start_from_other_values(system):
    state = system.with_values(system.initial_state(), {"current": 4.0})
    assert system.values(state) == {"current": 4.0}
    result = system.simulate(state, t_end=0.1, record=h.Record(every=0.1))
    assert result["current.value"][0] == 4.0
    with pytest.raises(ModelError, match="state 'curent' does not exist; did you mean current"):
        system.with_values(state, {"curent": 1.0})


RESUMED = {
    "generalised-alpha": {"step": 1e-3},
    "controlled": {"method": "generalised-alpha", "rtol": 1e-5},
    "bdf2": {"method": "bdf2", "step": 1e-3},
    "rk4": {"method": "rk4", "step": 1e-3},
    "rk45": {"method": "rk45", "rtol": 1e-11},
    "dop853": {"method": "dop853", "rtol": 1e-12},
    "radau5": {"method": "radau5", "rtol": 1e-8},
    "auto": {"rtol": 1e-12},
}


@pytest.mark.parametrize("kind", RESUMED)
def test_resumed_runs_have_the_same_bits(system, tmp_path, kind):
    settings = {"t_end": 3.0, "record": h.Record(every=3e-3), **RESUMED[kind]}
    whole = system.simulate(**settings)
    path = tmp_path / "run.h5"
    broken = system.simulate(**settings, path=path, progress=StopAfter(1, KeyboardInterrupt))
    assert broken.status.reason == "interrupted"
    resumed = system.simulate(**settings, path=path, resume=True)
    same_bits(resumed, whole)
