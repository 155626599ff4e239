"""Compiled steps of small networks against their plain twin, on all laws that the kernels know."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import floatframe.network.run as running
from floatframe.hybrid import Record, Results
from floatframe.network import LIBRARY, TRANSLATION, Network, Terminal, by_difference, through, user_kind
from floatframe.network.kernels import LAWS
from tests.network.examples import buck

SAME = 1e-9  # iterations end at 1e-9 of the potentials, and both twins round differently


def rectifier() -> Network:
    net = Network("rectifier")
    net.add("mains", "voltage_source", ["in"], voltage="10*sin(100*pi*t)", resistance=0.1)
    net.add("D", "diode", ["in", "out"], saturation=1e-12, voltage=0.03)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-3)
    net.add("R", "resistor", ["out", "ground"], resistance=20.0)
    return net


def hydraulics() -> Network:
    """A pump, a valve with feedback and a cylinder that lifts a mass against a quadratic damper."""
    net = Network("hydraulics")
    net.add("drive", "rotary_speed_source", ["shaft"], speed=150.0)
    net.add("pump", "pump", ["tank", "line", "shaft"], displacement=2e-6, leakage=1e-12)
    net.add("tank", "pressure_source", ["tank"], pressure=1e5)
    net.add("hose", "volume", ["line"], volume=1e-3)
    net.add("relief", "check_valve", ["line", "tank"], area=2e-6, cracking=2e6)
    net.add("valve", "valve", ["line", "a"], area=4e-6, opening="4*(0.2 - rod.displacement)")
    net.add("leak", "orifice", ["b", "tank"], area=3e-6)
    net.add("ram", "cylinder", ["a", "b", "rod"], area_a=1e-3, area_b=6e-4, stroke=0.3)
    net.add("load", "mass", ["rod"], mass=100.0)
    net.add("weight", "force", ["rod"], force=-981.0)
    net.add("air", "quadratic_damper", ["rod", "ground"], damping=500.0)
    return net


def rattling() -> Network:
    """A mass shaken between stops, with dry friction."""
    net = Network("rattling")
    net.add("shake", "sine_force", ["m"], amplitude=40.0, period=0.3, phase=0.2)
    net.add("m", "mass", ["m"], mass=1.0)
    net.add("k", "spring", ["m", "ground"], stiffness=100.0, length=0.01)
    net.add("rub", "friction", ["m", "ground"], limit=3.0, transition=0.05)
    net.add("stop", "stop", ["m", "ground"], stiffness=1e4, damping=0.3, clearance=0.05)
    return net


def furnace() -> Network:
    net = Network("furnace")
    net.add("wall", "temperature_source", ["wall"], temperature="900 + 100*min(t/100, 1)")
    net.add("glow", "radiation", ["wall", "part"], emissivity=0.8, area=0.1)
    net.add("air", "convection", ["wall", "part"], coefficient=10.0, area=0.1)
    net.add("part", "heat_capacity", ["part"], capacity=2000.0)
    net.start("part", v=300.0)
    return net


def controlled() -> Network:
    """A motor held at an angle by a PI controller: states, signals, a clamp, feedback from several levels."""
    net = Network("controlled", parameters={"P": 8.0})
    net.add("error", "signal", value="1 - arm.angle")
    net.add("sum", "state", rate="error.value", start=0.1)
    net.add(
        "amplifier", "voltage_source", ["p"], voltage="clamp(P*error.value + 4*sum.value - arm.angular_velocity, -6, 6)"
    )
    net.add("motor", "dc_motor", ["p", "ground", "shaft"], resistance=0.5, inductance=1e-3, constant=0.1)
    net.add("gear", "gear", ["shaft", "arm"], ratio=5.0)
    net.add("rotor", "inertia", ["shaft"], inertia=1e-4)
    net.add("arm", "inertia", ["arm"], inertia=0.02)
    return net


# a model, the end of its run, fixed steps, what stores something and so does not jump
CASES = {
    "rectifier": (rectifier, 0.02, 1e-4, ("out.voltage",)),
    "buck": (buck, 1.9e-4, 1e-6, ("out.voltage",)),
    "hydraulics": (hydraulics, 0.3, 1e-3, ("rod.displacement", "line.pressure", "a.pressure", "b.pressure")),
    "rattling": (rattling, 0.7, 1e-3, ("m.displacement", "m.velocity")),
    "furnace": (furnace, 400.0, 2.0, ("part.temperature",)),
    "controlled": (controlled, 0.4, 2e-3, ("arm.angle", "sum.value", "motor.current")),
}


def both(net: Network, monkeypatch: pytest.MonkeyPatch, t_end: float, **settings: object) -> tuple[Results, Results]:
    """Runs by kernels and by Python; what Python steps the first one takes is for it to say."""
    record = settings.pop("record", None)
    quick = net.compile().simulate(t_end, record=record, **settings)
    with monkeypatch.context() as patch:
        patch.setattr(running, "compiled_legs", lambda stepper, events: None)
        return quick, net.compile().simulate(t_end, record=record, **settings)


def test_all_laws_of_the_kernels_are_in_a_case():
    used = {element.kind.law.__name__ for make, *_ in CASES.values() for element in make().elements.values()}
    assert set(LAWS) <= used
    assert set(LAWS) == {
        *(kind.law.__name__ for kind in LIBRARY.values() if not kind.linear or kind.timed),
    } - {LIBRARY["spatial_inertia"].law.__name__}


@pytest.mark.parametrize("method", ["stormer", "bdf2", "generalised-alpha"])
@pytest.mark.parametrize("case", CASES)
def test_fixed_steps_are_those_of_the_plain_twin(case, method, monkeypatch):
    make, t_end, step, _ = CASES[case]
    quick, plain = both(make(), monkeypatch, t_end, step=step, method=method)
    assert quick.status.ok
    assert plain.status.ok
    assert quick.t == pytest.approx(plain.t, rel=1e-12)
    places = make().compile().places
    for name in [one.name for one in plain.channels if places.get(one.name, (2, 0))[0] < 2]:
        size = np.abs(plain[name]).max()
        assert np.abs(quick[name] - plain[name]).max() <= SAME * size + 1e-12, name
    # the same Jacobians: a wrong slope would take more iterations
    assert quick.statistics["iterations"][-1] == pytest.approx(plain.statistics["iterations"][-1], rel=0.02)
    size = np.abs(plain.statistics["energy"]).max()
    assert quick.statistics["energy_balance"] == pytest.approx(plain.statistics["energy_balance"], abs=1e-8 * size)


@pytest.mark.parametrize("method", ["stormer", "bdf2", "generalised-alpha"])
@pytest.mark.parametrize("case", CASES)
def test_controlled_steps_are_those_of_the_plain_twin(case, method, monkeypatch):
    """Steps depend on errors whose last digits differ, so that runs are compared within their tolerance."""
    make, t_end, _, names = CASES[case]
    rtol = 1e-4
    record = Record(every=t_end / 50)
    quick, plain = both(make(), monkeypatch, t_end, rtol=rtol, method=method, record=record)
    assert quick.t == pytest.approx(plain.t, rel=1e-12)
    for name in ("steps", "rejected", "leaps"):
        assert quick.statistics[name][-1] == pytest.approx(plain.statistics[name][-1], rel=0.1, abs=5), name
    for name in names:
        size = np.abs(plain[name]).max()
        assert np.abs(quick[name] - plain[name])[1:].max() <= 30.0 * rtol * size, name


def test_an_event_ends_both_at_the_same_time(monkeypatch):
    quick, plain = both(rectifier(), monkeypatch, 0.1, rtol=1e-6, events=["out.voltage - 5"])
    assert quick.status.reason == plain.status.reason == "stopped by event"
    assert quick.t[-1] == pytest.approx(plain.t[-1], rel=1e-4)
    assert quick["out.voltage"][-1] == pytest.approx(5.0, abs=1e-9)


def test_what_kernels_do_not_know_is_left_to_python():
    """An element of a user's own, linear or not."""

    def cubic(at, out):
        gap = at.x[0] - at.x[1]
        through(out.F, at.p[0] * gap**3)
        by_difference(out.K, 3.0 * at.p[0] * gap**2)

    def linear(at, out):
        through(out.F, at.p[0] * (at.x[0] - at.x[1]))
        by_difference(out.K, at.p[0])

    ends = Terminal("a", TRANSLATION), Terminal("b", TRANSLATION)
    exact = solve_ivp(lambda t, y: (y[1], -100.0 * y[0] ** 3), (0.0, 0.1), (1.0, 0.0), rtol=1e-10).y[0, -1]
    final = []
    for law, known in ((cubic, False), (linear, True)):
        net = Network()
        net.add("spring", user_kind("own", ends, ["k"], law, linear=known, timed=False), ["m", "ground"], k=100.0)
        net.add("mass", "mass", ["m"], mass=1.0)
        net.start("m", x=1.0)
        final.append(net.compile().simulate(0.1, step=1e-3)["m.displacement"][-1])
    # steps of 1 ms at 10 rad/s: the error of second order is some 1e-4
    assert final == pytest.approx([exact, np.cos(1.0)], rel=1e-3)


@pytest.mark.parametrize("every", [None, 3.3e-5])
def test_a_run_in_two_halves_is_the_whole_run(tmp_path, every):
    """Checkpoints lie between legs."""
    record, t_end = Record(every=every, checkpoint_every=1e-9), 5e-3
    whole = buck().compile().simulate(t_end, rtol=1e-4, record=record)
    path = tmp_path / "run.h5"

    def stop(progress):
        raise KeyboardInterrupt

    running_for = running.SHOW_EVERY
    try:
        running.SHOW_EVERY = -1.0
        first = buck().compile().simulate(t_end, rtol=1e-4, record=record, path=path, progress=stop)
    finally:
        running.SHOW_EVERY = running_for
    assert first.status.reason == "interrupted"
    assert first.t[-1] < t_end
    resumed = buck().compile().simulate(t_end, rtol=1e-4, record=record, path=path, resume=True)
    assert np.array_equal(resumed.t, whole.t)
    assert np.array_equal(resumed["out.voltage"], whole["out.voltage"])


@pytest.mark.parametrize(
    ("law", "value"),
    [("(t >= 0) + (t > -1)", 2.0), ("(t >= 0) - (t > 1)", 1.0), ("-(t >= 0)", -1.0), ("3*(t > 9) + (not t > 9)", 1.0)],
)
def test_truth_counts_as_one_in_both(law, value, monkeypatch):
    net = Network()
    net.add("I", "voltage_source", ["a"], voltage=law)
    net.add("R", "resistor", ["a", "ground"], resistance=1.0)
    for result in both(net, monkeypatch, 0.1, step=0.05):
        assert result["a.voltage"][-1] == value


@pytest.mark.parametrize("method", ["stormer", "bdf2", "generalised-alpha"])
def test_a_diode_takes_over_without_halved_steps(method, monkeypatch):
    """Its voltage turns from -24 V to the knee of its curve in one step, where Newton's method alone does not end."""
    for result in both(buck(), monkeypatch, 2e-4, step=1e-6, method=method):
        assert result.status.message == ""
        assert result.t[1:] == pytest.approx(np.arange(1, 201) * 1e-6, rel=1e-12)


def test_halved_steps_come_back_to_multiples_of_the_step(monkeypatch):
    """Five iterations do not do for the first conduction of the diode."""
    for result in both(buck(), monkeypatch, 2e-4, step=1e-6, iterations=5):
        assert "halved" in result.status.message
        away = np.abs(result.t[:, None] - np.arange(201) * 1e-6).min(axis=0)
        assert away.max() < 1e-9 * 2e-4


def test_reach_of_diodes_is_that_of_the_plain_twin():
    from floatframe.network.kernels.laws import diode_reach

    rng = np.random.default_rng(5)
    v, change = rng.normal(0.0, 3.0, (2, 2, 200))
    p = np.array([10.0 ** rng.uniform(-14, 0, 200), rng.uniform(0.02, 0.1, 200), np.zeros(200)])
    reach = LIBRARY["diode"].reach
    assert reach is not None
    plain = reach(v, change, p)
    ones = [diode_reach(p[:, k], 0, v[0, k] - v[1, k], change[0, k] - change[1, k]) for k in range(200)]
    assert plain == pytest.approx(ones, rel=1e-12)
    assert ((plain > 0.0) & (plain <= 1.0)).all()
    assert 20 < (plain < 1.0).sum() < 180
