"""Parts that leave a spinning carrier one after the other, pushed by jets, and one that locks on again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h
from floatframe.hybrid.assembly import own_tree, switched
from floatframe.hybrid.kernels import elimination

PARTS = 5
EVERY = 0.02  # s between departures
ROUNDED = 1e-10  # relative; 1e-15 measured


def carrier(*more, parts=PARTS):
    """A free body that spins, with parts fixed around it that leave at equal times."""
    model = h.Model(gravity=(0, 0, 0))
    body = model.add(
        h.RigidBody("carrier", 50.0, (20, 20, 5), velocity=(1.0, 0, 3.0), angular_velocity=(0.3, 0.2, 1.5))
    )
    for k in range(parts):
        angle = 2 * np.pi * k / parts
        place = (np.cos(angle), np.sin(angle), 0.1 * (k % 3))
        part = model.add(h.RigidBody(f"part{k}", 1.0, (0.01, 0.02, 0.03), position=place))
        model.add(h.fixed(f"hold{k}", part.at(), body.at(place)))
    for thing in more:
        model.add(thing)
    for k in range(parts):
        on = [f"jet{k}"] if f"jet{k}" in {getattr(thing, "name", "") for thing in more} else []
        model.add(h.Stage(f"leave{k}", EVERY * (k + 1), release=[f"hold{k}"], on=on))
    return model


def run(model, parts=PARTS):
    record = h.Record(every=EVERY / 2, channels=("energy.total", "momentum", "carrier.velocity"))
    return model.compile().simulate(t_end=EVERY * (parts + 1), method="rk4", step=EVERY / 4, record=record)


def changes(result):
    """The records on both sides of every change."""
    before = np.flatnonzero(np.diff(result.t) == 0)
    return before, before + 1


@pytest.mark.parametrize("parts", [PARTS, 40])
def test_momentum_and_energy_pass_every_departure_unchanged(parts):
    result = run(carrier(parts=parts), parts)
    before, after = changes(result)
    assert len(before) == parts
    for name in ("energy.total", "momentum.linear", "momentum.angular"):
        values = result[name]
        size = np.abs(values).max()
        assert_allclose(values[after] / size, values[before] / size, atol=ROUNDED)
        # nothing acts from outside, so neither do the steps between change them; rk4 errs by 1e-9 here
        if name != "energy.total":
            assert_allclose(values / size, np.broadcast_to(values[0], values.shape) / size, atol=1e-8)
    assert list(np.unique(result.statistics["stage"])) == list(range(parts + 1))


def test_parts_that_are_held_have_no_equations_of_their_own():
    """On the tree of its stage a part fixed to the carrier has neither coordinates nor rows; one that left has six."""
    parts = 40
    system = carrier(parts=parts).compile()
    state, unknowns = system.initial_state(), []
    for stage in (None, *system.model.stages):
        if stage is not None:
            system, state = switched(system, stage, state)
        own, _, _ = own_tree(system, state)
        unknowns.append((own.nv, own.nlambda))
    assert unknowns == [(6 * (k + 1), 0) for k in range(parts + 1)]


def test_every_departure_leaves_fewer_rows_to_solve_for():
    """In the coordinates that all stages share, the rows of a part are gone, and what the elimination does for them."""
    system = carrier().compile()
    state, rows, work = system.initial_state(), [], []
    for stage in (None, *system.model.stages):
        if stage is not None:
            system, state = switched(system, stage, state)
        order = elimination(system.tables)
        rows.append(system.nlambda)
        work.append(len(order.lists) + order.slots)
    assert rows == [6 * (PARTS - k) for k in range(PARTS + 1)]
    assert np.all(np.diff(work) < 0)


def test_the_jet_of_a_leaving_part_gives_its_impulse():
    """A jet with a law of its own begins when its part leaves: the momentum it brings is the integral of the law."""
    start, force, fading = EVERY * 2, 400.0, 200.0
    law = f"{force}*exp(-{fading}*(t - {start}))"
    result = run(carrier(h.point_force("jet1", h.Place("carrier"), (0, 0, law))))
    momentum = result["momentum.linear"]
    pushed = result.t - start
    exact = np.where(pushed > 0, force / fading * (1 - np.exp(-fading * np.maximum(pushed, 0))), 0.0)
    # rk4 is Simpson's rule here: over steps in which the law falls to 1/e it errs by 3.4e-4
    assert_allclose(momentum[:, 2] - momentum[0, 2], exact, atol=4e-4 * force / fading)
    assert_allclose(momentum[:, :2] - momentum[0, :2], 0.0, atol=1e-8)


def test_a_part_that_locks_on_shares_its_momentum():
    """A plastic impact: momentum stays to rounding, the energy lost is that of the relative motion, mu v^2 / 2."""
    model = h.Model(gravity=(0, 0, 0))
    one = model.add(h.RigidBody("one", 3.0, (1, 1, 1), velocity=(2.0, 0, 0)))
    two = model.add(h.RigidBody("two", 1.0, (1, 1, 1), position=(1, 0, 0), velocity=(-1.0, 0, 0)))
    model.add(h.fixed("catch", two.at(), one.at((1, 0, 0))))
    model.add(h.Stage("caught", 0.1, lock=["catch"]))
    record = h.Record(every=0.05, channels=("energy.total", "momentum"))
    result = model.compile().simulate(t_end=0.2, method="rk4", step=0.05, record=record)
    (before,), (after,) = changes(result)
    for name in ("momentum.linear", "momentum.angular"):
        assert_allclose(result[name][after], result[name][before], atol=ROUNDED)
    lost = result["energy.total"][before] - result["energy.total"][after]
    reduced_mass = 3.0 * 1.0 / 4.0
    assert lost == pytest.approx(0.5 * reduced_mass * 3.0**2, rel=ROUNDED)


def test_a_part_leaves_from_rest_by_a_jet_and_ends_on_the_ground():
    """A platform on a spring, in equilibrium with its load; the load leaves, pushed off sideways, and lies on the soil.

    The platform then swings about the height it has without load, by what the load had pressed the spring down, and
    gets the jet's push too; the load comes to rest where the soil carries it.
    """
    g, mass, load, stiffness, soil, push = 9.81, 8.0, 2.0, 400.0, 5e4, 30.0
    model = h.Model(gravity=(0, 0, -g))
    table = model.add(h.RigidBody("desk", mass, (1, 1, 1), position=(0, 0, 1)))
    part = model.add(h.RigidBody("load", load, (0.01, 0.01, 0.01), position=(0.6, 0, 1)))
    model.add(h.prismatic("guide", table.at(), model.ground.at((0, 0, 1)), axis=(0, 0, 1)))
    model.add(h.joint_force("spring", "guide", f"-{stiffness}*displacement"))
    model.add(h.fixed("hold", part.at(), table.at((0.6, 0, 0))))
    model.add(h.point_force("jet", part.at(), (f"{push}*exp(-50*t)", 0, 0)))
    model.add(
        h.contact_plane("soil", part.at(), model.ground.at(), stiffness=soil, damping=600.0, friction=0.5, speed=0.01)
    )
    model.add(h.Stage("leave", 0.0, release=["hold"], on=["jet"]))
    channels = ("guide.displacement", "load.position", "load.velocity", "jet.force")
    result = model.compile().simulate(
        "equilibrium", t_end=2.0, rtol=1e-7, record=h.Record(every=0.01, channels=channels)
    )
    down, rest = -(mass + load) * g / stiffness, -mass * g / stiffness
    swing = rest + (down - rest) * np.cos(np.sqrt(stiffness / mass) * result.t)
    assert_allclose(result["guide.displacement"], swing, atol=1e-5)  # rtol of the run: 1e-7 of a metre per step
    flight = result.t < 0.4  # it falls 1 m less what the spring was pressed down
    height = 1 + down - g * result.t**2 / 2
    assert_allclose(result["load.position"][flight, 2], height[flight], atol=1e-6)
    speed = push / 50 / load * (1 - np.exp(-50 * result.t))
    assert_allclose(result["load.velocity"][flight, 0], speed[flight], atol=1e-6)
    assert_allclose(result["load.position"][-1, 2], -load * g / soil, atol=1e-5)
    assert_allclose(result["load.velocity"][-1], 0.0, atol=1e-3)  # dry friction creeps below its speed of 0.01 m/s
