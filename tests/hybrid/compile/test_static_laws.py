"""Energy stored in force elements, and the balance of a run: it shows the run's own error whatever is recorded."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h

ENERGY = 50.0  # J, of the oscillator: 1e4 N/m, 0.1 m


def slider(start=0.1, rate=0.0, mass=1.0) -> tuple[h.Model, h.RigidBody]:
    """A body of 1 kg on a guide along x."""
    model = h.Model()
    body = model.add(h.RigidBody("b", mass=mass, inertia=(1, 1, 1)))
    model.add(h.prismatic("g", body.at(), model.ground.at(), axis=(1, 0, 0), start=start, start_rate=rate))
    return model, body


def oscillator() -> h.Model:
    model, body = slider()
    model.add(h.spring("s", body.at(), model.ground.at((-1, 0, 0)), stiffness=1e4, length=1.0))
    return model


TABLE = h.Table([-0.2, -0.05, 0.0, 0.02, 0.2], [-3e3, -500.0, 0.0, 0.0, 2e3])


def elements() -> dict:
    """Elements that store what is put into them, each added to a body on a guide."""

    def along(body, model, **more):
        return h.spring("part", body.at(), model.ground.at((-1, 0, 0)), length=1.0, **more)

    return {
        "spring": lambda b, m: along(b, m, stiffness=1e4),
        "preloaded spring": lambda b, m: along(b, m, stiffness=1e4, preload=150.0),
        "spring by expression": lambda b, m: along(b, m, force="2e3*elongation + 5e5*elongation^3"),
        "spring of its length": lambda b, m: along(b, m, force="4e3*(length - 0.95)"),
        "spring by table": lambda b, m: along(b, m, force=TABLE),
        "one-sided spring": lambda b, m: along(b, m, stiffness=1e3, force="max(0, 2e4*(elongation - 0.03))"),
        "joint force": lambda b, m: h.joint_force("part", "g", "-1e4*displacement"),
        "joint force with gap": lambda b, m: h.joint_force("part", "g", "-2e4*deadband(displacement, 0.01)"),
        "joint force by table": lambda b, m: h.joint_force(
            "part", "g", h.Table([-0.2, -0.05, 0.0, 0.02, 0.2], [3e3, 500.0, 0.0, 0.0, -2e3])
        ),
        "bushing": lambda b, m: h.bushing(
            "part", b.at(), m.ground.at(), (1e4, 2e4, 3e4, 1, 1, 1), preload=(50, 0, 0, 0, 0, 0)
        ),
        "bump stop": lambda b, m: h.bump_stop(
            "part", b.at(), m.ground.at((-1, 0, 0)), clearance=0.02, rebound=0.05, length=1.0, stiffness=2e4
        ),
        "progressive bump stop": lambda b, m: h.bump_stop(
            "part",
            b.at(),
            m.ground.at((-1, 0, 0)),
            clearance=0.02,
            rebound=0.05,
            length=1.0,
            stiffness=1e3,
            force="5e6*penetration^2",
        ),
        "contact": lambda b, m: h.contact_plane("part", b.at(), m.ground.at((-0.05, 0, 0)), 2e4, normal=(1, 0, 0)),
        "hertz contact": lambda b, m: h.contact_plane(
            "part", b.at(), m.ground.at((-0.05, 0, 0)), 1e6, normal=(1, 0, 0), exponent=1.5
        ),
    }


@pytest.mark.parametrize("name", elements())
def test_every_element_gives_back_what_it_took(name):
    """A body that swings through its whole range in an element keeps the total energy to the integrator's tolerance."""
    # the body flies at 3 m/s where the element is one-sided, and swings where it is not
    model, body = slider(rate=-3.0)
    model.add(elements()[name](body, model))
    if "stop" not in name and "contact" not in name:
        model.add(h.contact_plane("end", body.at(), model.ground.at((-0.3, 0, 0)), 1e4, normal=(1, 0, 0)))
    result = model.compile().simulate(t_end=0.3, method="rk45", rtol=1e-10, record=h.Record(every=1e-3))
    assert result.status.ok, result.status
    total = result["energy.total"]
    assert np.ptp(result["energy.stored"]) > 0.5
    # some hundred steps of 1e-10, and steps over the kinks of laws, which are shortened until their error is that small
    assert np.abs(total - total[0]).max() < 1e-6 * total.max()
    assert_allclose(result.statistics["energy_balance"], total - total[0], atol=1e-10)
    parts = sum(result[f"energy.{part}"] for part in ("kinetic", "potential", "elastic", "stored"))
    assert_allclose(total, parts, rtol=1e-12)


@pytest.mark.parametrize("settings", [{"method": "rk45", "rtol": 1e-11}, {"step": 1e-4}], ids=str)
def test_the_balance_is_the_error_of_the_run_not_of_the_records(settings):
    last = []
    for every in (1e-3, 0.01, 0.05):
        result = oscillator().compile().simulate(t_end=2.0, record=h.Record(every=every), **settings)
        x, v = result["b.position"][:, 0], result["b.velocity"][:, 0]
        error = 0.5 * v**2 + 0.5e4 * x**2 - ENERGY
        # the formula of the spring's energy and rounding of 2e4 steps
        assert_allclose(result.statistics["energy_balance"], error, atol=1e-10 * ENERGY)
        assert_allclose(result["energy.total"] - ENERGY, error, atol=1e-10 * ENERGY)
        last.append(result.statistics["energy_balance"][-1])
    assert_allclose(last, last[0], rtol=1e-3, atol=1e-9 * ENERGY)


def test_energy_of_a_spring_is_half_k_x_squared():
    model, body = slider(0.07)
    model.add(h.spring("s", body.at(), model.ground.at((-1, 0, 0)), stiffness=3e3, length=1.0, preload=20.0))
    result = model.compile().simulate(t_end=0.01, step=1e-3)
    assert result["energy.stored"][0] == pytest.approx(0.5 * 3e3 * 0.07**2 + 20.0 * 0.07, rel=1e-12)


def test_potential_of_a_table_is_its_area():
    """Trapezia under a broken line, with its kinks inside the way."""
    model, body = slider(0.1)
    model.add(h.spring("s", body.at(), model.ground.at((-1, 0, 0)), length=1.0, force=TABLE))
    result = model.compile().simulate(t_end=0.1, method="rk45", record=h.Record(every=1e-3))
    x = np.asarray(TABLE.x)
    area = np.concatenate(([0.0], np.cumsum(0.5 * np.diff(x) * (np.asarray(TABLE.y)[1:] + np.asarray(TABLE.y)[:-1]))))

    def integral(at):
        k = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
        slope = (TABLE.y[k + 1] - TABLE.y[k]) / (x[k + 1] - x[k])
        return area[k] + (at - x[k]) * (TABLE.y[k] + 0.5 * slope * (at - x[k]))

    stretch = result["s.elongation"]
    wanted = np.array([integral(at) for at in stretch]) - integral(0.0)
    # kinks are enclosed to 1e-12 of the way
    assert_allclose(result["energy.stored"], wanted, atol=1e-10 * np.abs(wanted).max())


@pytest.mark.parametrize(
    ("law", "potential"),
    [
        ("5/displacement", lambda x: -5.0 * np.log(x)),
        ("5 - 5*log(displacement)", lambda x: 5.0 * (x * np.log(x) - x + 1.0)),
    ],
)
def test_potential_of_a_law_without_end_at_zero_begins_at_the_start(law, potential):
    """Gas and magnets push with 1/x: no potential counts from zero, so it is zero where the run begins."""
    model, _ = slider(1.0)
    model.add(h.joint_force("push", "g", law))
    result = model.compile().simulate(t_end=1.0, method="rk45", rtol=1e-10, record=h.Record(every=0.05))
    x = result["g.displacement"]
    assert np.ptp(x) > 0.5
    # exact to rounding, 1e-13 of every way between two records
    assert_allclose(result["energy.stored"], potential(x), atol=1e-10)
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-7


def spinning(element) -> h.Model:
    """A body that tumbles in space, held by an element alone."""
    model = h.Model()
    body = model.add(
        h.RigidBody(
            "b", 1.0, (0.1, 0.2, 0.25), com=(0.1, 0.05, 0), velocity=(0.3, -0.2, 0.4), angular_velocity=(2.0, 3.5, -1.5)
        )
    )
    model.add(element(body, model))
    return model


def test_a_bushing_turned_in_space_is_in_balance():
    """Six directions at once; rotations about changing axes do work that no potential has, and the balance knows it."""
    model = spinning(lambda b, m: h.bushing("part", b.at(), m.ground.at(), (50, 80, 60, 4, 6, 9), damping=(0.1,) * 6))
    result = model.compile().simulate(t_end=5.0, method="rk45", rtol=1e-11, record=h.Record(every=0.1))
    assert np.linalg.norm(result["b.rotation"][:, 1:], axis=1).max() > 0.2
    assert result["energy.total"][-1] < 0.9 * result["energy.total"][0]
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-8


def test_a_wheel_on_a_rail_is_in_balance():
    """A wheelset that rolls and bounces on its Hertz contacts; creep takes what the balance counts."""
    model = h.Model(gravity=(0, 0, -9.81))
    axle = model.add(
        h.RigidBody(
            "axle",
            1500.0,
            (800, 100, 800),
            position=(0, 0, 0.4605),
            velocity=(10, 0, 0),
            angular_velocity=(0, 10 / 0.46, 0),
        )
    )
    for side, y in (("left", 0.75), ("right", -0.75)):
        model.add(
            h.wheel_rail(f"{side}_wheel", axle.at((0, y, 0)), model.ground.at(), side, radius=0.46, conicity=0.05)
        )
    result = model.compile().simulate(t_end=0.2, method="rk45", rtol=1e-10, record=h.Record(every=1e-3))
    assert result["energy.stored"].max() > 1.0
    kinetic = result["energy.kinetic"][0]
    # the rates of the contact are those of a cone to the second order of yaw and roll
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-8 * kinetic


def driven() -> h.Model:
    """A pendulum on a slider, with drive, motor, spring, damper and friction."""
    model = h.Model(gravity=(0, 0, -9.81))
    base = model.add(h.RigidBody("base", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    swing = model.add(h.RigidBody("pend", mass=3.0, inertia=(0.2, 0.15, 0.09), com=(0.3, 0, -0.5)))
    model.add(h.prismatic("rail", base.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.motion("shake", joint="rail", value="0.2*sin(7*t)"))
    model.add(h.revolute("pin", swing.at(), base.at(), axis=(0, 1, 0), start=0.4))
    model.add(h.joint_torque("bearing", "pin", "-2*angle - 0.5*rate + 0.3*sin(t)"))
    model.add(h.spring("strut", swing.at((0.3, 0, -0.5)), base.at((0.5, 0, 0)), stiffness=200.0, damping=5.0))
    model.add(h.joint_friction("drag", "pin", 0.4, speed=0.5))
    return model


# error of the energy in J against one of 10 J: the tolerance, or (7 h)²/12 of second-order steps of 1 ms times the
# work of some periods; bdf1 is of first order
RUNS = [
    ({"method": "rk45", "rtol": 1e-10}, 1e-7),
    ({"method": "rk4", "step": 2e-3}, 1e-6),
    ({}, 1e-2),
    ({"step": 1e-3}, 5e-3),
    ({"method": "hht", "step": 1e-3}, 5e-3),
    ({"method": "newmark", "step": 1e-3}, 5e-3),
    ({"method": "bdf2", "step": 1e-3}, 1e-2),
    ({"method": "park", "step": 1e-3}, 1e-2),
    ({"method": "scipy:DOP853"}, 1e-4),
    ({"method": "scipy:Radau"}, 1e-4),
    ({"method": "scipy:LSODA"}, 1e-3),
]


@pytest.mark.parametrize(("settings", "tolerance"), RUNS, ids=[str(settings) for settings, _ in RUNS])
def test_balance_of_a_driven_damped_machine(settings, tolerance):
    system = driven().compile()
    balances = []
    for every in (0.01, 0.5):
        result = system.simulate(t_end=2.0, record=h.Record(every=every), **settings)
        balances.append(result.statistics["energy_balance"])
    assert np.ptp(result["energy.total"]) > 1.0
    assert np.abs(balances[0]).max() < tolerance
    if "step" in settings or settings.get("method") == "rk45":
        # the steps are the same whatever is recorded, and so is the balance
        assert_allclose(balances[0][::50], balances[1], atol=0.1 * tolerance)


@pytest.mark.parametrize(("method", "order"), [("generalised-alpha", 2), ("newmark", 2), ("rk4", 4)])
def test_the_balance_has_the_order_of_the_method(method, order):
    system, steps = driven().compile(), np.array([4e-3, 2e-3, 1e-3])
    errors = []
    for step in steps:
        result = system.simulate(t_end=1.0, method=method, step=step, record=h.Record(every=0.1))
        errors.append(np.abs(result.statistics["energy_balance"]).max())
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(order, abs=0.4)


def test_law_at_rest_is_what_is_stored():
    """k x of a law with damping and a motor is stored; the rest is not."""
    from floatframe.hybrid.compile.static_laws import static_part

    def part(text):
        found = static_part(h.parse(text))
        return None if found is None else str(found)

    assert part("-5*angle - 0.3*rate + 2*sin(t)") == "-5 * angle"
    assert part("100") is None
    assert part("-0.3*rate") is None
    assert part("-5*angle*cos(t)") is None
    assert part("(5*elongation + 3*rate)*2") == "5 * elongation * 2"
    assert part("-5*angle*crank.angle") is None
    assert part("elongation/rate") is None


def test_conserved_stage_change_and_resume(tmp_path):
    """A spring that is switched off takes its energy along; the balance stays at rounding, resumed or not."""
    model = oscillator()
    model.add(h.joint_force("soft", "g", "-1e3*displacement"))
    model.add(h.Stage("loose", when=0.5, off=["s"]))
    system, record = model.compile(), h.Record(every=0.05)
    path = tmp_path / "run.h5"
    system.simulate(t_end=0.3, method="rk45", rtol=1e-11, record=record, path=path)
    resumed = system.simulate(t_end=1.0, method="rk45", rtol=1e-11, record=record, path=path, resume=True)
    whole = system.simulate(t_end=1.0, method="rk45", rtol=1e-11, record=record)
    assert np.abs(resumed.statistics["energy_balance"]).max() < 1e-7
    assert_allclose(resumed["energy.total"], whole["energy.total"], atol=1e-7)
