"""What must not depend on the description: momenta and energy of free bodies, stiff and rigid bodies, turned worlds.

That frequencies do not depend on the pose is tested with the five beams; conservation along histories with the
integrators. Here the equations themselves are looked at: rates of change at one moment.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid import random_systems as make
from tests.hybrid.momenta import elastic_energy, momenta
from tests.hybrid.twin import Twin, difference


@pytest.mark.parametrize("bodies", ["random", "beam", "joined"])
def test_momenta_and_energy_of_free_bodies(bodies):
    """Nothing acts from outside, so nothing changes: linear and angular momentum, energy."""
    rng = np.random.default_rng(0)
    model = h.Model()
    first = model.add(h.FlexibleBody("first", make.beam_body(), stiffening="off"))
    if bodies == "joined":
        second = model.add(make.rigid_body(rng, "second"))
        model.add(h.spherical("ball", second.at((1, 2, 3)), first.node(11)))
    system = make.compile_with(model, {"first": make.reduced_body(rng)} if bodies == "random" else {})
    state = make.any_state(rng, system, bend=1.0 if bodies == "random" else 0.0)
    v = state.v
    if bodies == "joined":
        state = system.start
        G = system.constraint_jacobian(state)
        v = v - np.linalg.pinv(G) @ (G @ v)
    state = h.State(0.0, state.q, v, state.memory)
    a, _ = system.accelerations(state)
    twin = Twin(system, state)

    def along(s):
        return s * v + 0.5 * s**2 * a

    # modal accelerations are large, so the step is small; truncated at step^6, rounded at 1e-16 / step
    step = 1e-3
    change = difference(lambda s: momenta(twin, along(s), v + s * a), step)
    size = np.abs(momenta(twin, np.zeros(system.nv), v)).max()
    np.testing.assert_allclose(change, 0.0, atol=1e-9 * size)

    def energy(s):
        q = twin.moved(along(s)).real
        elastic = elastic_energy(system, lambda record: q[record["iq"] : record["iq"] + record["n"]])
        return twin.kinetic_energy(along(s), v + s * a) + elastic

    assert difference(energy, step) == pytest.approx(0.0, abs=1e-9 * energy(0.0))


def stiff(body, factor):
    """The same body, harder."""
    return replace(body, stiffness=factor * body.stiffness, frequency=np.sqrt(factor) * body.frequency)


def swinging(kind):
    """A beam of 1 m that swings about a skew axis at one of its ends: rigid, or with modes far above all speeds."""
    body = make.beam_body()
    model = h.Model(gravity=(0.5, 1.0, -9.81))
    if kind == "rigid":
        J = body.inertia
        beam = model.add(h.RigidBody("beam", J.m, J.inertia_about_com, com=J.com))
        place = beam.at((0, 0, 0))
    else:
        beam = model.add(h.FlexibleBody("beam", stiff(body, 1e8), stiffening="off"))
        place = beam.node(1)
    model.add(h.revolute("hinge", place, model.ground.at(), axis=(1, 2, 2), start_rate=1.0))
    model.add(h.joint_torque("probe", "hinge", "0*angle"))
    return model.compile()


def test_a_stiff_body_swings_like_a_rigid_one():
    """Half a second of a pendulum: the angle of the hinge, which is a tree joint here and a cut one there."""
    angle = {}
    for kind in ("rigid", "flexible"):
        system = swinging(kind)
        result = system.simulate(
            t_end=0.5, method="generalised-alpha", step=1e-3, record=h.Record(every=0.1, channels=["hinge.angle"])
        )
        angle[kind] = np.asarray(result["hinge.angle"])
    assert np.ptp(angle["rigid"]) > 0.3
    # both are integrated with errors of step^2 = 1e-6 rad, in different coordinates
    np.testing.assert_allclose(angle["flexible"], angle["rigid"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_a_turned_world_moves_alike(seed):
    """The whole model turned and shifted, gravity too: accelerations in joints stay, those in space turn."""
    rng = np.random.default_rng(seed)
    R, p = make.turn(rng), rng.normal(size=3)
    found = []
    for R_world, p_world in ((np.eye(3), np.zeros(3)), (R, p)):
        draw = np.random.default_rng(10 + seed)
        part = h.Subsystem("part")
        arm = part.add(make.rigid_body(draw, "arm"))
        beam = part.add(h.FlexibleBody("beam", make.beam_body(), position=(0.5, 0, 1)))
        part.add(h.revolute("hinge", arm.at(), part.ground.at((0, 0, 1)), axis=(1, 1, 0), start_rate=2.0))
        part.add(h.spherical("ball", beam.node(1), arm.at((0.5, 0, 0))))
        model = h.Model(gravity=R_world @ (1.0, 2.0, -9.0))
        model.add(part.instance("all", position=p_world, rotation=R_world))
        system = model.compile()
        a, lam = system.accelerations(system.start)
        assert np.abs(system.constraints(system.start)).max() < 1e-11
        M = system.mass_matrix(system.start)
        energy = 0.5 * system.start.v @ M @ system.start.v
        forces = R_world.T @ lam  # the ball's rows are the axes of the world
        found.append((a[0], np.linalg.norm(a[1:4]), a[7:], energy, forces))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-8 * np.abs(one).max())
