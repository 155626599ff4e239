"""Invariants kept by explicit methods: values to rounding over long runs, together with the constraints."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from floatframe.errors import ModelError
from tests.hybrid.simulation.pendulums import cartesian_pendulum, double_pendulum
from tests.hybrid.sleigh import exact, sleigh

METHODS = {
    "euler": {"method": "euler", "step": 1e-3},
    "rk4": {"method": "rk4", "step": 1e-2},
    "rk45": {"method": "rk45", "rtol": 1e-5},
    "dop853": {"method": "dop853", "rtol": 1e-6},
}


def tumbling() -> h.System:
    """Two bodies in space that a spring and a ball joint hold together."""
    model = h.Model()
    a = model.add(h.RigidBody("a", 2.0, (0.3, 0.5, 0.7), velocity=(0.2, 0, 0), angular_velocity=(1.0, 2.0, 0.5)))
    b = model.add(h.RigidBody("b", 1.0, (0.1, 0.2, 0.2), position=(1, 0, 0)))
    c = model.add(h.RigidBody("c", 1.5, (0.2, 0.1, 0.2), position=(0, 1.2, 0), velocity=(0, 0, 0.5)))
    model.add(h.spherical("ball", b.at((-0.5, 0, 0)), a.at((0.5, 0, 0))))
    model.add(h.spring("spring", a.at(), c.at(), stiffness=20.0, damping=0.0, length=1.0))
    return model.compile()


@pytest.mark.parametrize("method", METHODS)
def test_energy_and_both_momenta_are_kept_to_rounding(method):
    options = h.SolverOptions(conserve=("energy", "momentum", "angular_momentum"))
    record = h.Record(every=0.1, channels=("energy.total", "momentum"))
    result = tumbling().simulate(t_end=10.0, options=options, record=record, **METHODS[method])
    assert result.status.ok, result.status
    for name, size in (("energy.total", 3.0), ("momentum.linear", 1.5), ("momentum.angular", 8.0)):
        values = result[name]
        # a few roundings of the terms, those of angular momentum growing with the distance from the origin
        assert np.abs(values - values[0]).max() < 5e-15 * size, name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("system", [cartesian_pendulum, double_pendulum])
def test_energy_is_kept_together_with_the_constraints(method, system):
    record = h.Record(every=0.05, channels=("energy.total",))
    options = h.SolverOptions(conserve=["energy"])
    result = system().simulate(t_end=5.0, options=options, record=record, **METHODS[method])
    assert result.status.ok, result.status
    # of 9.81 J that come and go
    assert np.abs(result["energy.total"] - result["energy.total"][0]).max() < 4e-14
    assert result.statistics["constraint_drift"].max() < 1e-13
    assert result.statistics["velocity_drift"].max() < 2e-13


def test_the_order_of_a_method_stays():
    errors = []
    wanted = cartesian_pendulum().simulate(t_end=1.0, method="dop853", rtol=1e-12)["bob.position"][-1]
    for step in (0.02, 0.01):
        options = h.SolverOptions(conserve="energy")
        run = cartesian_pendulum().simulate(t_end=1.0, method="rk4", step=step, options=options)
        errors.append(np.linalg.norm(run["bob.position"][-1] - wanted))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.4)


def test_an_expression_is_kept():
    # the spherical pendulum: angular momentum about the vertical, written out
    model = h.Model(gravity=(0, 0, -9.81))
    bob = model.add(h.RigidBody("bob", 1.0, (1, 1, 1), position=(0.6, 0, -0.8), velocity=(0, 1.5, 0)))
    model.add(h.distance("rod", bob.at(), model.ground.at()))
    moment = "bob.position.x*bob.velocity.y - bob.position.y*bob.velocity.x"
    record = h.Record(every=0.05, channels=("bob.position", "bob.velocity", "momentum.angular"))
    for conserve in (moment, "angular_momentum.z"):
        options = h.SolverOptions(conserve=[conserve, "energy"])
        result = model.compile().simulate(t_end=20.0, method="rk4", step=0.01, options=options, record=record)
        x, v = result["bob.position"], result["bob.velocity"]
        by_hand = x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]
        values = by_hand if conserve == moment else result["momentum.angular"][:, 2]
        assert np.abs(values - values[0]).max() < 1e-14


def test_a_resumed_run_keeps_what_it_kept(tmp_path):
    settings = {"method": "rk4", "step": 0.01, "options": h.SolverOptions(conserve=("energy", "momentum"))}
    path = tmp_path / "run.h5"
    whole = tumbling().simulate(t_end=2.0, **settings)
    tumbling().simulate(t_end=1.0, path=path, **settings)
    again = tumbling().simulate(t_end=2.0, path=path, resume=True, **settings)
    np.testing.assert_array_equal(again["a.position"], whole["a.position"])


@pytest.mark.parametrize(
    ("conserve", "sentence"),
    [
        ("momentum", "'momentum.y' is not conserved by this model: near its start, at t = 0 s, it changes by"),
        ("angular_momentum.x", "'angular_momentum.x' is not conserved"),
        ("bob.position.x", "'bob.position.x' is not conserved"),
        ("energi", "'energi' does not exist; did you mean energy"),
        ("bob.velocity.w", "bob.velocity.w"),
        ("bob.velocity.x +", "conserve 'bob.velocity.x +'"),
        (7, "expected names such as 'energy', or expressions"),
    ],
)
def test_what_is_not_conserved_is_refused(conserve, sentence):
    with pytest.raises(ModelError, match=sentence.replace("+", r"\+")):
        cartesian_pendulum().simulate(t_end=0.1, method="rk4", step=0.01, options=h.SolverOptions(conserve=[conserve]))


def test_energy_with_damping_is_refused_even_at_rest():
    model = h.Model()
    bob = model.add(h.RigidBody("bob", 1.0, (1, 1, 1), position=(1, 0, 0)))
    model.add(h.spring("damper", bob.at(), model.ground.at(), stiffness=10.0, damping=0.1, length=1.0))
    with pytest.raises(ModelError, match="'energy' is not conserved by this model"):
        model.compile().simulate(method="rk4", options=h.SolverOptions(conserve="energy"))


def test_energy_with_a_drive_that_begins_at_rest_is_refused():
    # 0.2 t^3 rad: speed and acceleration vanish at the start, and so does the power of the drive
    model = h.Model()
    arm = model.add(h.RigidBody("arm", 1.0, (1, 1, 1), com=(0.3, 0, 0)))
    model.add(h.revolute("hinge", arm.at(), model.ground.at(), axis=(0, 0, 1)))
    model.add(h.motion("drive", "hinge", "0.2*t^3"))
    with pytest.raises(ModelError, match="'energy' is not conserved by this model"):
        model.compile().simulate(t_end=1.0, method="rk4", options=h.SolverOptions(conserve="energy"))


def test_energy_is_kept_together_with_a_velocity_constraint():
    record = h.Record(every=0.1, channels=("energy.total", "plane.rate[3]"))
    options = h.SolverOptions(conserve="energy")
    run = sleigh().compile().simulate(t_end=3.0, method="rk4", step=0.02, options=options, record=record)
    assert np.abs(run["energy.total"] - run["energy.total"][0]).max() < 4e-15  # a few roundings of 1.65 J
    assert run.statistics["velocity_drift"].max() < 4e-15
    # fourth order: 2e-9 measured, 3e-9 without
    np.testing.assert_allclose(run["plane.rate[3]"], [exact(t)[1] for t in run.t], atol=1e-8)


def slider() -> h.Model:
    """A body that slides along x, at rest, and a state variable that is zero at the start."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
    model.add(h.prismatic("rail", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.StateVariable("current", rate="1 - current"))
    model.add(h.Signal("late", "pulse(t, 0.7, 0.71)"))
    return model


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (h.motion("drive", "rail", "if(t > 0.9, (t - 0.9)^3, 0)"), "relation 'drive' follows time"),
        (h.relation("curve", expression="body.position.x - late"), "relation 'curve' follows time"),
        (h.joint_force("motor", "rail", force="10*current"), "joint_force 'motor' follows time, states or blocks"),
        (h.joint_force("kick", "rail", force="late"), "joint_force 'kick' follows"),
        (h.velocity_constraint("pull", "rail.rate - 0.2*t"), "near its start, at t = .* s, it changes"),
        (h.velocity_constraint("pull", "rail.rate - current"), "near its start, at t = .* s, it changes"),
    ],
)
def test_energy_is_refused_where_something_drives_later_than_at_the_start(item, words):
    model = slider()
    model.add(item)
    with pytest.raises(ModelError, match=f"'energy' is not conserved by this model: {words}"):
        model.compile().simulate(t_end=1.0, method="rk4", options=h.SolverOptions(conserve="energy"))


def test_energy_is_kept_where_a_steered_wheel_does_no_work():
    model = h.Model()
    cart = model.add(h.RigidBody("cart", 2.0, (0.2, 0.3, 0.4), com=(0.3, 0, 0), velocity=(1, 0, 0)))
    model.add(h.planar("plane", cart.at(), model.ground.at()))
    model.add(h.wheel("rear", cart.at(), model.ground.at()))
    model.add(h.wheel("front", cart.at((1, 0, 0)), model.ground.at(), steering="0.4*sin(t)"))
    options = h.SolverOptions(conserve="energy")
    energy = model.compile().simulate(t_end=3.0, method="rk4", step=0.02, options=options)["energy.total"]
    assert np.ptp(energy) < 1e-14  # rounding of 1 J
