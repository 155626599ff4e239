"""What is recorded fulfils the equations at the recorded state: accelerations and reactions follow from t, q and v."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.hybrid.kernels import new_kept
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, JACOBIAN
from floatframe.hybrid.results import Observer
from floatframe.hybrid.settings import Settings
from floatframe.hybrid.simulation.methods import integrator_for
from tests.hybrid.random_systems import mixed, tree

RUNS = [
    {"method": "generalised-alpha", "rtol": 1e-5},
    {"method": "generalised-alpha", "step": 2e-3},
    {"method": "hht", "rtol": 1e-5},
    {"method": "hht", "step": 2e-3},
    {"method": "newmark", "rtol": 1e-5},
    {"method": "newmark", "step": 2e-3},
    {"method": "park", "step": 2e-3},
    {"method": "bdf1", "step": 2e-3},
    {"method": "bdf2", "step": 2e-3},
    {"method": "rk4", "step": 1e-4},
    {"method": "rk45", "rtol": 1e-6},
    {"method": "scipy:DOP853", "rtol": 1e-6},
    {"method": "scipy:Radau", "rtol": 1e-6},
]


def names(settings: dict) -> str:
    return "-".join(str(value) for value in settings.values())


def shaken() -> h.Model:
    """A pendulum on a slider that a drive shakes."""
    model = h.Model(gravity=(0, 0, -9.81))
    base = model.add(h.RigidBody("base", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    swing = model.add(h.RigidBody("pend", mass=3.0, inertia=(0.2, 0.15, 0.09), com=(0.3, 0, -0.5)))
    model.add(h.prismatic("rail", base.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.motion("shake", joint="rail", value="0.2*sin(7*t)"))
    model.add(h.revolute("pin", swing.at(), base.at(), axis=(0, 1, 0), start=0.4))
    return model


def doubly_held() -> h.Model:
    """A door on two hinges in one line, ten rows of which five are redundant, that a friction with stick brakes."""
    model = h.Model(gravity=(0, -9.81, 0))
    door = model.add(h.RigidBody("door", 2.0, (0.2, 0.3, 0.4), com=(0.5, 0, 0.3)))
    model.add(h.revolute("top", door.at((0, 0, 1)), model.ground.at((0, 0, 1)), start=0.2))
    model.add(h.revolute("bottom", door.at(), model.ground.at()))
    model.add(h.joint_friction("brake", "top", 3.0, stick=True, stiffness=1e4))
    return model


def models() -> dict:
    rng = np.random.default_rng(5)
    driven = tree(rng, ("revolute", "spherical", "prismatic", "universal"), gravity=(0, 0, -9.81))
    driven.add(h.motion("drive", "joint0", "0.3*sin(5*t)"))
    return {
        "shaken": shaken().compile(),
        "mixed": mixed(rng, gravity=(0, 0, -9.81)),
        "driven": driven.compile(),
        "doubly held": doubly_held().compile(),
    }


@pytest.fixture(scope="module")
def systems():
    return models()


def records(system, method, t_end=0.06, step=None, rtol=None, every=0.02):
    """What a run keeps, and the system with the rows it ended with."""
    settings = Settings(t_end=t_end, method=method, step=step, rtol=rtol)
    integrator = integrator_for(system, settings, system.start, 0)
    kept, _ = integrator.run(every * np.arange(1, round(t_end / every) + 1), 0)
    Observer(integrator.system, h.Record())(kept, integrator.unsettled(), True)
    return kept, integrator.system


@pytest.mark.parametrize("settings", RUNS, ids=names)
@pytest.mark.parametrize("name", ["shaken", "mixed", "driven", "doubly held"])
def test_equations_hold_at_every_record(systems, name, settings):
    if name == "doubly held" and ":" in settings["method"]:
        pytest.skip("friction that sticks is for our own methods")
    if name == "mixed" and (":" in settings["method"] or settings["method"].startswith("rk")):
        pytest.skip("stiff: thousands of steps of an explicit method")
    kept, system = records(systems[name], **settings)
    assert len(kept.t) == 3
    for k in range(len(kept.t)):
        state = h.State(kept.t[k], kept.q[k], kept.v[k], kept.memory[k])
        now = system.evaluation(state)(
            state.t, state.q, ALL_FORCES | JACOBIAN | CONVECTIVE, state.v, kept.x[k], kept.lam[k]
        )
        forces = np.abs(system.mass_matrix(state) * kept.x[k]).max() + np.abs(now.G * kept.lam[k][:, None]).max(
            initial=0
        )
        # rounding, with the share 1e-12 by which rows are regularised
        assert np.abs(now.residual).max() < 1e-9 * forces
        turns = np.abs(now.G * kept.x[k]).max(initial=1.0) + np.abs(state.v).max() ** 2
        assert np.abs(now.data.rows["convective"]).max(initial=0.0) < 1e-9 * turns


@pytest.mark.parametrize("settings", [{}, {"rtol": 1e-7}, {"method": "hht"}, {"method": "newmark"}], ids=str)
def test_reactions_of_controlled_steps_do_not_ring(settings):
    """The force of the drive is as good as the motion, some 1e-5 of its largest value, and not 10 % off."""
    system, record = shaken().compile(), h.Record(every=0.02)
    exact = system.simulate(t_end=2.0, method="rk45", rtol=1e-11, record=record)
    result = system.simulate(t_end=2.0, record=record, **settings)
    for name in ("shake.force", "pend.com_acceleration", "pin.force"):
        error = np.abs(result[name] - exact[name]).max() / np.abs(exact[name]).max()
        # the angle is right to 1e-5 rad, and its rate to some times that
        assert error < 1e-3, name


def test_records_between_stages_and_at_events():
    """A weight hangs on a hook that opens: its pull is m g before, nothing after, and the weight falls with g."""
    model = h.Model(gravity=(0, 0, -9.81))
    weight = model.add(h.RigidBody("weight", 2.0, (1, 1, 1)))
    model.add(h.fixed("hook", weight.at(), model.ground.at()))
    model.add(h.Stage("drop", when=0.1, release=["hook"]))
    result = model.compile().simulate(t_end=0.2, rtol=1e-5, record=h.Record(every=0.02))
    before = result.statistics["stage"] == 0
    assert np.abs(result["hook.force"][before] - (0, 0, 2 * 9.81)).max() < 1e-10
    assert np.abs(result["weight.acceleration"][~before] - (0, 0, -9.81)).max() < 1e-10


@pytest.mark.parametrize("name", ["mixed", "driven", "doubly held"])
def test_channels_are_those_of_the_recorded_state(systems, name):
    """Every channel against that of the accelerations and reactions found from t, q and v, one state at a time."""
    system = systems[name]
    result = system.simulate(t_end=0.02, method="generalised-alpha", step=2e-3)
    kept = new_kept(len(result.t), system.nq, system.nv, system.nlambda, len(system.start.memory))
    kept.t[:], kept.q[:], kept.v[:] = result.t, result.q, result.v
    kept.memory[:] = system.start.memory
    for k in range(len(kept.t)):
        state = h.State(kept.t[k], kept.q[k], kept.v[k], kept.memory[k])
        kept.x[k], kept.lam[k] = system.accelerations(state)
    observer = Observer(system, h.Record())
    wanted, columns = observer(kept).values, 0
    for channel in observer.channels:
        own = wanted[:, columns : columns + channel.width].reshape(np.shape(result[channel.name]))
        columns += channel.width
        if channel.name.startswith("brake"):
            continue  # friction that sticks remembers more than the state
        # the share 1e-12 by which rows are regularised, of forces that may cancel
        np.testing.assert_allclose(
            result[channel.name], own, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(own).max()), err_msg=channel.name
        )


def test_speeds_recorded_alone_are_those_recorded_with_all_channels(systems):
    """Accelerations are not evaluated where no channel asks for them; what is recorded stays the same."""
    settings = {"t_end": 0.02, "method": "generalised-alpha", "step": 2e-3}
    whole = systems["mixed"].simulate(**settings)
    few = systems["mixed"].simulate(**settings, record=h.Record(channels=("*.velocity", "energy")))
    names = [c.name for c in whole.channels if c.name.endswith(".velocity") or c.name.startswith("energy.")]
    assert [channel.name for channel in few.channels] == names
    for name in names:
        np.testing.assert_array_equal(few[name], whole[name])
    np.testing.assert_array_equal(few.v, whole.v)
