"""Runs that end early: the sentence names time, place and cure, and what was computed is kept."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import floatframe as ff
from floatframe import hybrid
from floatframe.errors import ModelError
from floatframe.hybrid.simulation.run import FIRST_RECORDS


def bar(torque: str = "0", gravity=(0, -9.81, 0)) -> hybrid.Model:
    """A bar of 2 kg on a hinge, lying along x."""
    model = hybrid.Model(gravity=gravity)
    body = model.add(hybrid.RigidBody("bar", mass=2.0, inertia=(0.01, 0.2, 0.2), com=(0.5, 0, 0)))
    model.add(hybrid.revolute("A", body.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 0, 1)))
    model.add(hybrid.joint_torque("drive", joint="A", torque=torque))
    return model


@pytest.mark.parametrize(
    "settings",
    [
        {"step": 1e-3},
        {"rtol": 1e-5},
        {"method": "bdf2", "step": 1e-3},
        {"method": "rk4", "step": 1e-3},
        {"method": "rk45"},
    ],
    ids=lambda settings: settings.get("method", "generalised-alpha") + "".join(settings.keys() - {"method"}),
)
def test_force_that_evaluates_to_nan(tmp_path, settings):
    path = tmp_path / "run.h5"
    record = hybrid.Record(every=0.125)
    result = bar("sqrt(0.3 - t)").compile().simulate(t_end=1.0, path=path, record=record, **settings)
    status = result.status
    assert (status.reason, status.ok) == ("failed", False)
    assert "joint_torque 'drive' evaluates to NaN" in str(status)
    assert str(status).endswith("Check its expression, table or parameters there.")
    # the root ends at 0.3 s; a step more cannot be taken
    assert 0.29 < status.t <= 0.3
    # the last state reached is kept besides those asked for
    assert result.t[:-1].tolist() == [0.0, 0.125, 0.25]
    assert result.t[-1] == status.t
    assert np.isfinite(result["A.rate"]).all()


def test_failed_run_is_in_the_file(tmp_path):
    path = tmp_path / "run.h5"
    bar("log(0.3 - t)").compile().simulate(t_end=1.0, path=path, step=1e-3)
    again = hybrid.Results.open(path)
    assert again.status.reason == "failed"
    assert len(again) == round(again.status.t / 1e-3) + 1


def test_newton_failure_names_the_coordinate():
    # a torque that jumps with every change of the angle's last digits: no step can be solved
    system = bar("1e9*sin(1e12*angle)").compile()
    status = system.simulate(t_end=1.0, step=1e-2).status
    assert status.reason == "failed"
    assert "Newton's method does not converge, worst in angle of joint 'A'." in str(status)
    assert "Give a smaller step" in str(status)


@pytest.mark.parametrize(
    "settings",
    [
        {"step": 1e-2},
        {"rtol": 1e-5},
        {"method": "rk45"},
        {"method": "auto"},
        {"method": "rk4", "step": 1e-2},
        {"method": "scipy:RK45"},
    ],
    ids=str,
)
def test_mechanism_driven_into_its_dead_centre(tmp_path, settings):
    """A slider pulled away at 0.4 m/s stretches crank and rod, 1 m and 2 m long, from 2.5 m to 3 m: 1.25 s."""
    model = hybrid.Model()
    crank = model.add(hybrid.RigidBody("crank", 1.0, (0.1, 0.1, 0.1)))
    rod = model.add(hybrid.RigidBody("rod", 1.0, (0.1, 0.1, 0.1), com=(1, 0, 0)))
    slider = model.add(hybrid.RigidBody("slider", 1.0, (0.1, 0.1, 0.1), position=(2.5, 0, 0)))
    model.add(hybrid.revolute("A", crank.at(), model.ground.at(), start=math.acos(0.65)))
    model.add(hybrid.revolute("B", rod.at(), crank.at((1, 0, 0)), start=-math.acos(0.3125)))
    model.add(hybrid.prismatic("S", slider.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(hybrid.point_on_line("C", rod.at((2, 0, 0)), slider.at(), cut=True))
    model.add(hybrid.motion("drive", "S", "2.5 + 0.4*t"))
    result = model.compile().simulate(t_end=3.0, path=tmp_path / "run.h5", **settings)
    assert result.status.reason == "failed"
    # it cannot go farther, and comes there within one fixed step
    assert 1.24 - 1e-9 <= result.status.t <= 1.25 + 1e-9
    # both angles change without bounds; steps that come all the way there find that the motion is not unique
    assert re.search("of joint '[AB]'|the motion is not unique", str(result.status))
    # what helps is no smaller step
    words = r"mechanism is singular (near )?there \(dead centre\)[:,] joints 'C', 'drive' co"
    assert re.search(words, str(result.status))
    assert "start elsewhere" in str(result.status)
    assert result.t[-1] == result.status.t
    assert np.isfinite(result.q).all()


def test_singular_pose_ends_controlled_steps_and_runs_that_are_resumed(tmp_path):
    """Three parallelograms that fall flat, with a redundant joint each: other constraint rows do not lead on there."""
    leg, step = np.array([0.5, 0.0, 1.1]), np.array([1.3, 0.0, 0.0])
    model = hybrid.Model(gravity=(0, 0, -9.81))
    legs, couplers = [], []
    for k in range(4):
        body = hybrid.RigidBody(f"leg{k}", 1.0 + 0.2 * k, (0.1,) * 3, com=tuple(leg / 2), position=tuple(k * step))
        legs.append(model.add(body))
        model.add(hybrid.revolute(f"foot{k}", legs[k].at(), model.ground.at(tuple(k * step)), axis=(0, 1, 0)))
    for k in range(3):
        place = tuple(k * step + leg)
        body = hybrid.RigidBody(f"coupler{k}", 2.0, (0.3,) * 3, com=tuple(step / 2), position=place)
        couplers.append(model.add(body))
        model.add(hybrid.revolute(f"left{k}", couplers[k].at(), legs[k].at(tuple(leg)), axis=(0, 1, 0)))
        place = couplers[k].at(tuple(step))
        model.add(hybrid.revolute(f"right{k}", legs[k + 1].at(tuple(leg)), place, axis=(0, 1, 0)))
    path = tmp_path / "run.h5"
    for resume in (False, True):
        result = model.compile().simulate(t_end=2.0, method="dop853", rtol=1e-9, path=path, resume=resume)
        assert result.status.reason == "failed"
        assert "singular near there (dead centre): joints" in str(result.status)
        turned = 2 * math.asin(result["leg0.rotation"][-1][2])
        assert turned == pytest.approx(math.atan2(leg[2], leg[0]), abs=1e-6)  # flat; speeds are some rad/s


def test_step_that_becomes_too_small():
    system = bar("1e3*sin(2e3*t)").compile()
    status = system.simulate(t_end=1.0, rtol=1e-9, options=hybrid.SolverOptions(step_min=1e-3)).status
    assert status.reason == "failed"
    assert "the step has become too small, worst in angle of joint 'A'" in str(status)
    assert "lower step_min" in str(status)


@pytest.mark.parametrize("method", ["generalised-alpha", "rk4"])
def test_body_without_inertia_is_named(method):
    model = hybrid.Model(gravity=(0, -9.81, 0))
    body = model.add(hybrid.RigidBody("bar", mass=2.0, inertia=(0.01, 0.2, 0.2), com=(0.5, 0, 0)))
    point = model.add(hybrid.RigidBody("point", mass=1.0, inertia=(0, 0, 0), position=(1, 0, 0)))
    model.add(hybrid.revolute("A", body.at((0, 0, 0)), model.ground.at((0, 0, 0)), axis=(0, 0, 1)))
    model.add(hybrid.revolute("B", point.at((0, 0, 0)), body.at((1, 0, 0)), axis=(0, 0, 1)))
    with pytest.raises(ModelError, match=r"angle of joint 'B' has no inertia"):
        model.compile().simulate(t_end=0.1, method=method, step=1e-3)


def test_users_function_that_fails(tmp_path):
    model = bar()

    def force(t, position, rotation, velocity, angular_velocity):
        if t > 0.25:
            raise RuntimeError("the pump is empty")
        return (0, 0, 0), (0, 0, 0)

    body = model.items["bar"]
    model.add(hybrid.user_force("pump", body.at((1, 0, 0)), model.ground.at((0, 0, 0)), force))
    path = tmp_path / "run.h5"
    with pytest.raises(ModelError, match=r"user_force 'pump': .* the pump is empty"):
        model.compile().simulate(t_end=1.0, step=1e-2, path=path)
    kept = hybrid.Results.open(path)
    assert kept.status.reason == "failed"
    assert "the pump is empty" in str(kept.status)
    assert kept.t[-1] == pytest.approx(0.25, abs=1e-12)


def test_error_elsewhere_closes_the_file(tmp_path):
    def break_off(now):
        raise ValueError("no more")

    path = tmp_path / "run.h5"
    with pytest.raises(ValueError, match="no more"):
        bar().compile().simulate(t_end=1.0, step=1e-2, path=path, progress=break_off)
    kept = hybrid.Results.open(path)
    assert (kept.status.reason, kept.status.message) == ("failed", "no more")
    assert len(kept) == 1 + FIRST_RECORDS  # the start and the first block


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"t_end": 0.0}, "t_end is 0 s, expected a time after the start at 0 s"),
        ({"t_end": math.nan}, "t_end is nan s"),
        ({"t_end": 1e300}, r"t_end is 1e\+300 s, expected at most 1e\+15 s"),
        ({"step": 0.0}, "step is 0 s, expected a time above 0 s"),
        # a time about 100 s is known to 1.4e-14 s: such a step would be lost in it, and the run would never end
        ({"t_end": 100.0, "step": 1e-15}, "step is 1e-15 s, but times about 100 s are only known to 1.4e-14 s"),
        ({"options": hybrid.SolverOptions(step_max=1e-18)}, "step_max is 1e-18 s, but times about 1 s are only"),
        ({"record": hybrid.Record(every=1e-17)}, "every is 1e-17 s, but times about 1 s are only known to 2.2e-16 s"),
        ({"rtol": 2.0}, "rtol is 2, expected a number from 1e-13, below which all is rounding, to 1"),
        ({"rtol": 1e-30}, "rtol is 1e-30, expected a number from 1e-13"),
        ({"step": 1e-3, "rtol": 1e-5}, "found step 0.001 s and rtol 1e-05; give step for fixed steps, or rtol"),
        ({"spectral_radius": 1.5}, "spectral_radius is 1.5"),
        ({"method": "hht", "spectral_radius": 0.2}, r"hht expects 0.5 \(most damping\) to 1"),
        ({"method": "generalized-alpha"}, "method 'generalized-alpha' does not exist; did you mean generalised-alpha"),
        ({"method": "rk4", "rtol": 1e-5}, "rk4 runs with fixed steps"),
        ({"events": "A.angle"}, "events is the text 'A.angle', expected a list"),
        ({"events": ["A.angel"]}, "unknown name 'A.angel'"),
        ({"events": ["A.angle +"]}, "event"),
        ({"resume": True}, "resume needs the file"),
        ({"record": hybrid.Record(channels=("A.fource",))}, "channel 'A.fource' does not exist; did you mean A.force"),
        ({"record": hybrid.Record(channels=("bar.node[3].displacement",))}, "body 'bar' is rigid"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(settings, sentence):
    with pytest.raises(ModelError, match=sentence):
        bar().compile().simulate(**settings)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"step_max": -1.0}, "step_max is -1 s"),
        ({"step_min": 0.1, "step_max": 0.01}, "step_min is 0.1 s, expected at most step_max"),
        ({"newton_tolerance": 0.0}, "newton_tolerance is 0"),
        ({"conserve": (1.0,)}, "conserve is .1.0,., expected names such as 'energy', or expressions"),
        ({"stabilisation": (5, -1)}, "expected two numbers a, b"),
    ],
    ids=str,
)
def test_wrong_options_are_refused_where_they_are_made(options, sentence):
    with pytest.raises(ModelError, match=sentence):
        hybrid.SolverOptions(**options)


def test_unknown_node_is_refused(beam):
    model = hybrid.Model()
    model.add(hybrid.FlexibleBody("rod", ff.modal.reduce(beam, interface=[1, 21], n_modes=2)))
    record = hybrid.Record(channels=("rod.node[999].displacement",))
    with pytest.raises(ff.FloatframeError, match="999"):
        model.compile().simulate(t_end=0.1, record=record)


def test_start_without_numbers_is_refused():
    with pytest.raises(ModelError, match="joint_torque 'drive' evaluates to NaN at the start"):
        bar("log(t - 1)").compile().simulate()


@pytest.mark.parametrize("settings", [{"method": "rk4", "step": 0.01}, {"method": "auto"}])
def test_a_state_that_grows_beyond_all_bounds_is_named(settings):
    model = hybrid.Model()
    arm = model.add(hybrid.RigidBody("arm", 1.0, (1, 1, 1), com=(0.5, 0, 0)))
    model.add(hybrid.revolute("A", arm.at(), model.ground.at()))
    model.add(hybrid.StateVariable("x", rate="x^2", start=3.0))  # 1/(1/3 - t)
    result = model.compile().simulate(t_end=0.5, **settings)
    assert "first in state 'x' (" in str(result.status)
