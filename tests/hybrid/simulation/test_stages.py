"""Stages: joints released and locked, forces and parameters changed on the way, against momentum balance by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid
from floatframe.errors import ModelError
from floatframe.hybrid.simulation import run

G = 9.81
METHODS = {
    "fixed": {"step": 1e-3},
    "controlled": {"rtol": 1e-7},
    "bdf2": {"method": "bdf2", "step": 5e-4},
    "rk4": {"method": "rk4", "step": 1e-3},
    "rk45": {"method": "rk45", "rtol": 1e-9},
    "radau5": {"method": "radau5", "rtol": 1e-9},
    "auto": {"method": "auto", "rtol": 1e-9},
}


def pendulum(**stage) -> hybrid.Model:
    """A bob of 2 kg on a bar of 1 m, released at 1.2 rad; the first stage is released from its hinge."""
    model = hybrid.Model(gravity=(0, -G, 0), parameters={"drag": 0.0})
    bob = model.add(hybrid.RigidBody("bob", 2.0, (0.01, 0.01, 0.02), com=(0, -1, 0)))
    model.add(hybrid.revolute("A", bob.at(), model.ground.at(), start=-1.2))
    model.add(hybrid.Stage("launch", **{"when": "A.angle - 0.5", "release": ["A"], **stage}))
    return model


@pytest.mark.parametrize("kind", METHODS)
def test_pendulum_released_in_flight_follows_a_parabola(kind):
    result = pendulum().compile().simulate(t_end=1.5, record=hybrid.Record(every=0.01), **METHODS[kind])
    assert result.status.ok
    assert "Stage 'launch' began at t = " in str(result.status)
    stage = result.statistics["stage"]
    k = int(np.argmax(stage))
    assert (stage[k - 1], stage[k], result.t[k]) == (0, 1, result.t[k - 1])
    assert result["A.angle"][k] == pytest.approx(0.5, abs=1e-6)  # sensors are read one Newton correction early
    # speed from the swing's energy: (m + I/l²) v²/2 = m g l (cos 0.5 - cos 1.2)
    speed = np.sqrt(2 * 2 * G * (np.cos(0.5) - np.cos(1.2)) / (2 + 0.02))
    assert np.linalg.norm(result["bob.com_velocity"][k]) == pytest.approx(speed, rel=1e-4)  # steps of second order
    # nothing jumps where a joint is released
    assert_allclose(result.q[k], result.q[k - 1], rtol=0, atol=0)
    assert_allclose(result.v[k], result.v[k - 1], atol=1e-8)
    t = (result.t[k:] - result.t[k])[:, None]
    start, velocity = result["bob.com_position"][k], result["bob.com_velocity"][k]
    parabola = start + velocity * t + 0.5 * t**2 * [0, -G, 0]
    # second order: (omega h)²/12 of the turn about the centre of mass, 3 rad in 1 s; bdf2 starts with first order
    error = {"fixed": 5e-6, "controlled": 5e-6, "bdf2": 5e-5}.get(kind, 1e-8)
    assert_allclose(result["bob.com_position"][k:], parabola, atol=error)
    assert_allclose(result["bob.angular_velocity"][k:, 2], result["bob.angular_velocity"][k, 2], atol=100 * error)
    assert np.all(result["A.force"][k:] == 0)
    assert np.linalg.norm(result["A.force"][k - 1]) > 10


def sliders() -> hybrid.Model:
    """2 kg at 3 m/s runs into 1 kg at rest and sticks to it, on one rail."""
    model = hybrid.Model()
    for name, mass, x in (("one", 2.0, 0.0), ("two", 1.0, 1.0)):
        body = model.add(hybrid.RigidBody(name, mass, (1, 1, 1)))
        speed = 3.0 if name == "one" else 0.0
        model.add(
            hybrid.prismatic(
                f"rail {x:g}".replace(" ", "_"), body.at(), model.ground.at(), axis=(1, 0, 0), start=x, start_rate=speed
            )
        )
    model.add(hybrid.fixed("couple", model["one"].at((0.2, 0, 0)), model["two"].at((-0.2, 0, 0))))
    model.add(hybrid.Stage("meet", when="one.position.x + 0.4 - two.position.x", lock=["couple"]))
    return model


@pytest.mark.parametrize("kind", METHODS)
def test_bodies_that_couple_share_their_momentum(kind):
    result = sliders().compile().simulate(t_end=1.0, record=hybrid.Record(every=0.05), **METHODS[kind])
    k = int(np.argmax(result.statistics["stage"]))
    assert result.t[k] == pytest.approx(0.2, abs=1e-9)
    assert_allclose(result["one.velocity"][:k, 0], 3.0, rtol=1e-12)
    for name in ("one", "two"):
        assert_allclose(result[f"{name}.velocity"][k:, 0], 2 * 3 / (2 + 1), rtol=1e-12)
    assert_allclose(result["momentum.linear"][:, 0], 6.0, rtol=1e-12)
    lost = result["energy.total"][k - 1] - result["energy.total"][k]
    assert lost == pytest.approx(0.5 * 2 * 1 / (2 + 1) * 3**2, rel=1e-12)
    # the balance tells errors of integration, not what the coupling takes
    assert_allclose(result.statistics["energy_balance"], 0, atol=1e-10)
    assert (np.diff(result.statistics["steps"]) >= 0).all()


def test_bodies_in_flight_are_held_as_they_are_found():
    model = hybrid.Model()
    one = model.add(hybrid.RigidBody("one", 2.0, (0.1, 0.2, 0.25), velocity=(1, 0.5, 0), angular_velocity=(1, -2, 3)))
    two = model.add(hybrid.RigidBody("two", 1.0, (0.1, 0.1, 0.05), position=(1, 2, 0.5), angular_velocity=(-2, 1, 0.4)))
    model.add(hybrid.fixed("grip", one.at((0.3, 0, 0)), two.at()))
    model.add(hybrid.Stage("catch", when=0.7, lock=["grip"]))
    model.add(hybrid.Stage("part", when=1.3, release=["grip"]))
    result = model.compile().simulate(t_end=2.0, method="rk45", rtol=1e-10, record=hybrid.Record(every=0.1))
    stage = result.statistics["stage"]
    for what in ("linear", "angular"):
        assert_allclose(result[f"momentum.{what}"], np.tile(result[f"momentum.{what}"][0], (len(result), 1)), atol=1e-8)
    held = stage == 1
    apart = result["two.position"] - result["one.position"]
    inside = np.einsum("tij,ti->tj", rotations(result["one.rotation"]), apart)
    turned = np.einsum("tij,tik->tjk", rotations(result["one.rotation"]), rotations(result["two.rotation"]))
    assert_allclose(inside[held], np.tile(inside[held][0], (held.sum(), 1)), atol=1e-9)
    assert_allclose(turned[held], np.tile(turned[held][0], (held.sum(), 1, 1)), atol=1e-9)
    # where they were found is far from where the joint's places meet
    assert np.linalg.norm(inside[held][0] - [0.3, 0, 0]) > 1
    # the impulse is the one of least kinetic energy lost: that of the rigid pair about its common centre
    first = int(np.argmax(held))
    assert result["energy.kinetic"][first] == pytest.approx(rigid_pair_energy(result, first), rel=1e-9)
    # released, they part
    assert np.linalg.norm(inside[-1] - inside[held][0]) > 1e-3


def rotations(quaternions: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def rigid_pair_energy(result: hybrid.Results, k: int) -> float:
    """Energy of one rigid body with the masses, inertias and momenta of the two."""
    masses, inertias = (2.0, 1.0), (np.diag((0.1, 0.2, 0.25)), np.diag((0.1, 0.1, 0.05)))
    places = [result[f"{name}.position"][k] for name in ("one", "two")]
    centre = (2 * places[0] + places[1]) / 3
    tensor = np.zeros((3, 3))
    for name, mass, own, place in zip(("one", "two"), masses, inertias, places, strict=True):
        R, arm = rotations(result[f"{name}.rotation"])[k], place - centre
        tensor += R @ own @ R.T + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    p = result["momentum.linear"][k]
    spin = result["momentum.angular"][k] - np.cross(centre, p)
    return float(p @ p / 6 + spin @ np.linalg.solve(tensor, spin) / 2)


def test_clutch_brake_motor_and_parameters():
    """Two flywheels of 2 and 1 kg m2: a motor of 4 N m, a clutch, the motor off, twice the drag, a brake."""
    model = hybrid.Model(parameters={"drag": 0.5})
    for name, inertia in (("one", 2.0), ("two", 1.0)):
        wheel = model.add(hybrid.RigidBody(name, 1.0, (inertia, inertia, inertia)))
        model.add(hybrid.revolute(f"{name}_axle", wheel.at(), model.ground.at()))
    model.add(hybrid.joint_torque("motor", "one_axle", "4"))
    model.add(hybrid.joint_torque("air", "two_axle", "-drag"))
    model.add(hybrid.gear("clutch", "one_axle", "two_axle", ratio=1.0))
    model.add(hybrid.motion("brake", "two_axle", 0))
    model.add(hybrid.Stage("couple", when=1, lock=["clutch"], on=["air"]))
    model.add(hybrid.Stage("coast", when="t - 2", off=["motor"]))
    model.add(hybrid.Stage("headwind", when=3, set={"drag": "2*drag"}))
    model.add(hybrid.Stage("stop", when=4, release=["clutch"], lock=["brake"]))
    result = model.compile().simulate(t_end=5.0, step=1e-2, record=hybrid.Record(every=0.1))
    one, two = result["one_axle.rate"], result["two_axle.rate"]
    # by hand: 2 rad/s after 1 s; shared: 4/3; then 3.5/3, -0.5/3 and -1/3 rad/s2
    rates = {0: (2, 0), 1: (4 / 3 + 3.5 / 3,) * 2, 2: (2.5 - 0.5 / 3,) * 2, 3: (2.5 - 0.5,) * 2, 4: (2.0, 0.0)}
    for stage, (wanted_one, wanted_two) in rates.items():
        last = np.flatnonzero(result.statistics["stage"] == stage)[-1]
        assert one[last] == pytest.approx(wanted_one, abs=1e-9)
        assert two[last] == pytest.approx(wanted_two, abs=1e-9)
    # the brake holds the angle at which it was locked: that of two at 4 s
    angle = result["two_axle.angle"][result.statistics["stage"] == 4]
    assert_allclose(angle, angle[0], atol=1e-10)
    assert angle[0] > 2 * np.pi
    assert np.all(result["clutch.force"][result.statistics["stage"] == 0] == 0)
    assert np.all(result["motor.value"][result.statistics["stage"] >= 2] == 0)


@pytest.mark.parametrize(
    ("joint", "kept"),
    [
        # what each kind keeps as it was found: its rows by hand
        (lambda a, b: hybrid.spherical("J", a, b), "point"),
        (lambda a, b: hybrid.distance("J", a, b), "distance"),
        (lambda a, b: hybrid.revolute("J", a, b, axis=(0, 1, 0)), "point"),
        (lambda a, b: hybrid.universal("J", a, b, axis_a=(1, 0, 0), axis_b=(0, 0, 1)), "point"),
        (lambda a, b: hybrid.point_on_plane("J", a, b), "height"),
        (lambda a, b: hybrid.prismatic("J", a, b), "attitude"),
    ],
    ids=["spherical", "distance", "revolute", "universal", "point_on_plane", "prismatic"],
)
def test_every_kind_of_joint_can_be_locked(joint, kept):
    model = hybrid.Model(gravity=(0, 0, -G))
    one = model.add(hybrid.RigidBody("one", 2.0, (0.1, 0.2, 0.25), angular_velocity=(1, -2, 3)))
    two = model.add(hybrid.RigidBody("two", 1.0, (0.1, 0.1, 0.05), position=(1, 2, 0.5), angular_velocity=(0, 1, 0.4)))
    model.add(joint(one.at((0.3, 0, 0)), two.at()))
    model.add(hybrid.Stage("lock", when=0.4, lock=["J"]))
    result = model.compile().simulate(t_end=1.0, step=1e-3, record=hybrid.Record(every=0.02))
    assert result.status.reason == "finished"
    held = result.statistics["stage"] == 1
    place = result["one.position"] + rotations(result["one.rotation"]) @ [0.3, 0, 0]
    R = rotations(result["two.rotation"])
    inside = np.einsum("tij,ti->tj", R, place - result["two.position"])[held]
    turned = np.einsum("tij,tik->tjk", R, rotations(result["one.rotation"]))[held]
    if kept == "point":
        # a point of one stays where the place on two was: their distance in both bodies is constant
        back = np.einsum("tij,ti->tj", rotations(result["one.rotation"]), result["two.position"] - place)[held]
        assert_allclose(back, np.tile(back[0], (len(back), 1)), atol=1e-9)
    elif kept == "distance":
        assert_allclose(np.linalg.norm(inside, axis=1), np.linalg.norm(inside[0]), rtol=1e-9)
    elif kept == "height":
        assert_allclose(inside[:, 2], inside[0, 2], atol=1e-9)
    else:
        assert_allclose(turned, np.tile(turned[0], (len(turned), 1, 1)), atol=1e-9)
    assert np.ptp(turned, axis=0).max() > 0.01 or kept == "attitude"  # no more is held than it should be
    jump = int(np.argmax(held))
    for what in ("linear", "angular"):  # the impulses are inner ones
        assert_allclose(result[f"momentum.{what}"][jump], result[f"momentum.{what}"][jump - 1], atol=1e-9)


def test_flexible_body_is_caught_and_released(beam):
    import floatframe as ff

    model = hybrid.Model()
    rod = model.add(hybrid.FlexibleBody("rod", ff.modal.reduce(beam, interface=[1, 21], n_modes=4), velocity=(0, 0, 1)))
    model.add(hybrid.spherical("catch", rod.node(1), model.ground.at((0, 0, 0.3))))
    model.add(hybrid.Stage("hit", when="rod.node[1].position.z - 0.3", lock=["catch"]))
    model.add(hybrid.Stage("miss", when=0.6, release=["catch"]))
    record = hybrid.Record(every=0.01, channels=("*", "rod.node[1].position"))
    system = model.compile()
    # what iterations leave of the momentum in each of 1000 steps adds up
    options = hybrid.SolverOptions(newton_tolerance=1e-8)
    result = system.simulate(t_end=0.8, step=2e-4, record=record, options=options)
    stage = result.statistics["stage"]
    hit = int(np.argmax(stage == 1))
    assert result.t[hit] == pytest.approx(0.3, abs=1e-9)
    assert_allclose(result["rod.node[1].position"][stage == 1], [[0, 0, 0.3]] * int((stage == 1).sum()), atol=1e-8)
    # the hit takes u² / (2 e M⁻¹ eᵀ), e being how the node's height moves with the coordinates: here by small moves
    state = system.start
    heights = [_height(system, system.move(state, 1e-6 * step)) for step in np.eye(system.nv)]
    e = (np.array(heights) - _height(system, state)) / 1e-6
    lost = 0.5 / (e @ np.linalg.solve(system.mass_matrix(state), e))
    energy = result["energy.total"]
    assert energy[hit - 1] - energy[hit] == pytest.approx(lost, rel=1e-4)  # differences of 1e-6
    assert lost > 0.01 * energy[0]
    # afterwards the rod flies free
    assert_allclose(
        result["momentum.linear"][stage == 2], [result["momentum.linear"][-1]] * int((stage == 2).sum()), atol=1e-6
    )


def _height(system: hybrid.System, state: hybrid.State) -> float:
    """z of the node that is caught, which an event measures."""
    data = system.evaluation(state)(state.t, state.q, 0).data
    return float(data.markers[system.index.cut_joints[0].a]["p"][2])


# resuming


class StopAt:
    """A progress bar that breaks off the run at a time."""

    def __init__(self, t: float) -> None:
        self.t = t

    def __call__(self, now: run.Progress) -> None:
        if now.t > self.t:
            raise KeyboardInterrupt


@pytest.mark.parametrize("kind", METHODS)
@pytest.mark.parametrize("t", [0.1, 0.95])
def test_resumed_across_stages_to_the_same_bits(monkeypatch, tmp_path, kind, t):
    monkeypatch.setattr(run, "FIRST_STEPS", 5)
    monkeypatch.setattr(run, "GROWTH", 1.0)
    model = pendulum()
    model.add(hybrid.Stage("catch", when=0.9, lock=["A"]))
    system = model.compile()
    settings = {"t_end": 1.2, "record": hybrid.Record(every=0.02), **METHODS[kind]}
    whole = system.simulate(**settings)
    path = tmp_path / "run.h5"
    broken = system.simulate(**settings, path=path, progress=StopAt(t))
    assert broken.status.reason == "interrupted"
    assert broken.statistics["stage"][-1] == (0 if t < 0.5 else 2)
    again = system.simulate(**settings, path=path, resume=True)
    assert np.array_equal(again.t, whole.t)
    assert np.array_equal(again.q, whole.q)
    assert np.array_equal(again.v, whole.v)
    for channel in whole.channels:
        assert np.array_equal(again[channel.name], whole[channel.name]), channel.name
    for name, values in whole.statistics.items():
        assert np.array_equal(values, again.statistics[name]), name
    assert str(again.status) == str(whole.status)
    other = pendulum(when="A.angle - 0.6")
    other.add(hybrid.Stage("catch", when=0.9, lock=["A"]))
    with pytest.raises(ModelError, match="the model is not the one"):
        other.compile().simulate(**settings, path=path, resume=True)


def test_solvers_of_others_take_stages_at_times():
    model = pendulum(when=0.4)
    result = model.compile().simulate(t_end=1.0, method="scipy:DOP853", rtol=1e-9, record=hybrid.Record(every=0.05))
    k = int(np.argmax(result.statistics["stage"]))
    t = (result.t[k:] - 0.4)[:, None]
    parabola = result["bob.com_position"][k] + result["bob.com_velocity"][k] * t + 0.5 * t**2 * [0, -G, 0]
    assert_allclose(result["bob.com_position"][k:], parabola, atol=1e-8)
    with pytest.raises(ModelError, match="does not support events"):
        pendulum().compile().simulate(t_end=1.0, method="scipy:DOP853")


def test_stage_that_does_not_come_is_reported():
    result = pendulum(when="A.angle - 3").compile().simulate(t_end=0.5, step=1e-2)
    assert str(result.status) == "finished at t = 0.5 s: Stage 'launch' did not begin."


def test_stage_whose_time_has_passed_comes_at_once():
    model = pendulum()
    model.add(hybrid.Stage("late", when=0.1, set={"drag": 1.0}))
    result = model.compile().simulate(t_end=1.0, step=1e-2)
    began = [result.t[np.argmax(result.statistics["stage"] == k)] for k in (1, 2)]
    assert began[0] == began[1] > 0.1


# files


def test_stages_in_model_files(tmp_path):
    text = """
    format = "floatframe-model/1"
    gravity = [0, -9.81, 0]
    [parameters]
    open_at = 0.4
    [[body]]
    name = "bob"
    mass = 2.0
    inertia = [0.01, 0.01, 0.02]
    com = [0, -1, 0]
    [[joint]]
    name = "A"
    type = "revolute"
    place = { body = "bob" }
    against = { body = "ground" }
    start = -1.2
    [[stage]]
    name = "launch"
    when = "open_at"
    release = ["A"]
    [simulate]
    t_end = 1.0
    step = 1e-3
    """
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    file = hybrid.read_model(path, {"open_at": 0.45})
    result = file.model.compile().simulate(**file.simulate)
    assert "began at t = 0.45 s" in str(result.status)
    again = tmp_path / "again.toml"
    hybrid.write_model(again, file.model)
    assert hybrid.read_model(again).model["launch"].release == ("A",)
    bad = text.replace('release = ["A"]', 'release = ["B"]')
    path.write_text(bad, encoding="utf-8")
    with pytest.raises(ModelError, match=r"toml:\d+: stage 'launch'.*joint, motion or relation 'B' does not exist"):
        hybrid.read_model(path).model.compile()


# mistakes


def test_mistakes_are_named():
    with pytest.raises(ModelError, match="stage 'x' changes nothing"):
        hybrid.Stage("x", when=1.0)
    with pytest.raises(ModelError, match="release is 'A', expected a list"):
        hybrid.Stage("x", when=1.0, release="A")
    with pytest.raises(ModelError, match="joint, motion or relation 'Q' does not exist"):
        pendulum(release=["Q"]).compile()
    with pytest.raises(ModelError, match="force 'Q' does not exist"):
        pendulum(off=["Q"]).compile()
    with pytest.raises(ModelError, match=r"stage 'launch': .*no parameter 'dragg'"):
        pendulum(set={"dragg": 1.0}).compile()
    model = pendulum()
    model.add(hybrid.Stage("again", when=2.0, release=["A"]))
    with pytest.raises(ModelError, match="'A' is in release of stage 'launch' already"):
        model.compile()
    with pytest.raises(ModelError, match="both in lock and in release"):
        pendulum(lock=["A"]).compile()
    with pytest.raises(ModelError, match="stages are part of the model"):
        hybrid.Subsystem("part").add(hybrid.Stage("x", when=1.0, release=["A"]))


def test_parameters_that_open_a_joint_are_refused():
    model = hybrid.Model(parameters={"length": 1.0})
    bar = model.add(hybrid.RigidBody("bar", 1.0, (1, 1, 1)))
    model.add(hybrid.spherical("A", bar.at(("length", 0, 0)), model.ground.at((1, 0, 0)), cut=True))
    model.add(hybrid.Stage("grow", when=0.1, set={"length": 1.5}))
    with pytest.raises(ModelError, match=r"stage 'grow': joint 'A' is open by 0.5"):
        model.compile().simulate(t_end=0.2, step=1e-2)
