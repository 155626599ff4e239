"""State spaces of assembled models: the same frequency response, the same run, readable files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError, WriteError


def chain(push: str = "0", road: str = "0") -> h.System:
    """Two masses on a base that is moved, with a controller: linear as it stands."""
    model = h.Model()
    base = model.add(h.RigidBody("base", mass=1.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("shaker", base.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.motion("road", "shaker", road))
    below = base
    for k, (mass, stiffness) in enumerate(((2.0, 300.0), (1.0, 200.0))):
        body = model.add(h.RigidBody(f"m{k}", mass=mass, inertia=(1, 1, 1)))
        model.add(h.prismatic(f"g{k}", body.at(), below.at(), axis=(0, 0, 1)))
        model.add(h.joint_force(f"f{k}", f"g{k}", f"-{stiffness}*displacement - 1.5*rate"))
        below = body
    model.add(h.Signal("wanted", "-4*m1.velocity.z", unit="N"))
    model.add(h.transfer_function("actuator", "wanted", [1], [0.05, 1]))
    model.add(h.joint_force("active", "g1", "actuator"))
    model.add(h.point_force("push", below.at(), (0, 0, push)))
    return model.compile()


OUTPUTS = ["m1.position.z", "m1.acceleration.z", "g0.force", "road.force", "actuator.value"]


def test_frequency_response_is_the_same() -> None:
    system, frequency = chain(), np.array([0.3, 1.4, 9.0])
    inputs = ["road.acceleration", "push.z", "wanted"]
    direct = h.frequency_response(system, inputs, OUTPUTS, frequency=frequency)
    plant = h.state_space_of(system, inputs, OUTPUTS)
    np.testing.assert_allclose(plant.response(frequency), direct.values, rtol=1e-9, atol=1e-12)
    # two coordinates, their rates, the actuator; displacement and rate of the base
    assert len(plant.states) == 7
    assert plant.states[:2] == ("displacement of joint 'g0'", "displacement of joint 'g1'")
    assert plant.states[-2:] == ("road", "road.rate")


def test_simulated_again_it_equals_the_run() -> None:
    """The model is linear, so that its run and the state space differ by the tolerance of the run alone."""
    run = chain(push="sin(9*t)", road="0.01*(1 - cos(6*t))").simulate(
        "start",
        t_end=2.0,
        rtol=1e-11,
        method="radau5",
        record=h.Record(every=1e-2, channels=["m1.position", "m1.velocity"]),
    )
    t = run.t
    # inputs are straight lines between samples, which makes a harmonic smaller by (ωh)²/12, here 4e-9
    parts = 400
    fine = np.linspace(0.0, 2.0, parts * (len(t) - 1) + 1)
    plant = h.state_space_of(chain(), ["push.z", "road"], ["m1.position.z", "m1.velocity.z"])
    assert [port.name for port in plant.inputs] == ["push.z", "road.acceleration"]
    u = np.column_stack((np.sin(9 * fine), 0.01 * 36 * np.cos(6 * fine)))
    y = plant.simulate(fine, u)[::parts]
    whole = np.column_stack((run["m1.position.z"], run["m1.velocity.z"]))
    np.testing.assert_allclose(y, whole, rtol=0, atol=1e-8 * np.abs(whole).max())


def test_step_of_a_first_order_lag_is_exact() -> None:
    model = h.Model()
    body = model.add(h.RigidBody("body", mass=2.0, inertia=(1, 1, 1)))
    model.add(h.prismatic("guide", body.at(), model.ground.at()))
    model.add(h.joint_force("drag", "guide", "-6*rate"))
    plant = h.state_space_of(model.compile(), "drag", "guide.rate")
    t = np.linspace(0, 2, 11)
    exact = (1 - np.exp(-3 * t)) / 6
    np.testing.assert_allclose(plant.simulate(t, np.ones(11))[:, 0], exact, rtol=1e-10, atol=1e-14)
    # a slope of the input, by the same formula
    ramp = (t - (1 - np.exp(-3 * t)) / 3) / 6
    np.testing.assert_allclose(plant.simulate(t, t)[:, 0], ramp, rtol=1e-9, atol=1e-14)
    from scipy.signal import lsim

    _, y, _ = lsim(plant.to_scipy(), t, t)
    np.testing.assert_allclose(y, ramp, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("suffix", [".mat", ".npz", ".json"])
def test_files_hold_matrices_and_names(suffix: str, tmp_path: Path) -> None:
    plant = h.state_space_of(chain(), ["push.z", "road"], "m1.position.z")
    path = plant.write(tmp_path / f"plant{suffix}")
    if suffix == ".json":
        found = json.loads(path.read_text())
    elif suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            found = dict(file)
    else:
        from scipy.io import loadmat

        found = loadmat(path, squeeze_me=True)
    for name in "ABCD":
        np.testing.assert_array_equal(np.asarray(found[name]).reshape(getattr(plant, name).shape), getattr(plant, name))
    assert list(found["states"]) == list(plant.states)
    assert list(found["inputs"]) == ["push.z", "road.acceleration"]
    assert list(found["input_units"]) == ["N", "m/s2"]


def test_an_object_of_the_package_control_has_the_same_response() -> None:
    frequency = np.array([0.3, 1.4, 9.0])
    plant = h.state_space_of(chain(), ["push.z", "road"], ["m1.position.z", "m1.acceleration.z"])
    control = pytest.importorskip("control")
    found = plant.to_control()
    values = [found(2j * np.pi * one) for one in frequency]
    np.testing.assert_allclose(values, plant.response(frequency), rtol=1e-9, atol=1e-12)
    assert isinstance(found, control.StateSpace)
    assert found.input_labels == ["push_z", "road_acceleration"]
    assert found.state_labels[0] == "displacement of joint 'g0'"


def test_without_the_package_control_the_cure_is_named(monkeypatch) -> None:
    plant = h.state_space_of(chain(), "push.z", "m1.position.z")
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(ModelError, match=r"pip install 'floatframe\[control\]'"):
        plant.to_control()


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    plant = h.state_space_of(chain(), "push.z", "m1.position.z")
    with pytest.raises(WriteError, match=r"\.mat, \.npz, \.json"):
        plant.write(tmp_path / "plant.txt")
    with pytest.raises(ModelError, match="equal steps"):
        plant.simulate(np.array([0.0, 1.0, 3.0]), np.zeros(3))
    with pytest.raises(ModelError, match=r"expected \(nt,\) and \(nt, 1\)"):
        plant.simulate(np.array([0.0, 1.0]), np.zeros((2, 3)))
    assert not list(tmp_path.iterdir())
