"""Point masses without inertia: particles of three dofs where nothing can turn them, else a clear refusal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

from floatframe import hybrid
from floatframe.errors import ModelError

G = 9.81


def test_free_particle_falls():
    model = hybrid.Model(gravity=(0, 0, -G))
    model.add(hybrid.RigidBody("ball", 0.3, position=(1, 2, 3), velocity=(1, 0, 4)))
    system = model.compile()
    assert (system.nq, system.nv) == (3, 3)
    result = system.simulate(t_end=1.0, step=1e-2)
    t = result.t[:, None]
    # constant accelerations are exact
    assert_allclose(result["ball.position"], [1, 2, 3] + t * [1, 0, 4] + 0.5 * t**2 * [0, 0, -G], atol=1e-10)


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"method": "rk45", "rtol": 1e-9}], ids=str)
def test_particle_on_a_distance_joint_is_a_pendulum(settings):
    swing = 2.0
    model = hybrid.Model(gravity=(0, -G, 0))
    start = (math.sin(swing), -math.cos(swing), 0)
    bob = model.add(hybrid.RigidBody("bob", 2.0, position=start))
    model.add(hybrid.distance("bar", bob.at(), model.ground.at()))
    system = model.compile()
    assert (system.nv, system.nlambda) == (3, 1)
    period = 4 * math.sqrt(1 / G) * ellipk(math.sin(swing / 2) ** 2)
    result = system.simulate(t_end=period, record=hybrid.Record(every=period / 10), **settings)
    assert_allclose(result["bob.position"][-1], start, atol=1e-4)  # second order: (omega h)²/12 of a period
    # the bar carries m (v² - g y)
    pull = 2.0 * ((result["bob.velocity"] ** 2).sum(axis=1) - G * result["bob.position"][:, 1])
    assert_allclose(np.linalg.norm(result["bar.force"], axis=1), np.abs(pull), rtol=2e-3, atol=0.02)


def test_chain_of_particles_is_the_double_pendulum():
    # eight digits of an independent calculation, from verification problem C11
    model = hybrid.Model(gravity=(0, -G, 0))
    first = model.add(hybrid.RigidBody("first", 1.0, position=(1, 0, 0)))
    second = model.add(hybrid.RigidBody("second", 1.0, position=(2, 0, 0)))
    model.add(hybrid.distance("upper", first.at(), model.ground.at()))
    model.add(hybrid.distance("lower", second.at(), first.at()))
    result = model.compile().simulate(t_end=1.0, method="rk45", rtol=1e-11, record=hybrid.Record(every=0.5))
    for k, wanted in ((1, (0.57047205, 1.20387511)), (2, (-0.62508770, -1.03458509))):
        arms = (result["first.position"][k], result["second.position"][k] - result["first.position"][k])
        assert_allclose([math.atan2(arm[0], -arm[1]) for arm in arms], wanted, atol=1e-7)


def test_particle_in_a_ball_joint_loads_the_body_it_sits_on():
    """A rod with a particle at its tip swings as a rod with the tip's inertia in it."""

    def swing(particle: bool) -> hybrid.Results:
        model = hybrid.Model(gravity=(0, -G, 0))
        mass, com, across = 1.0, 0.5, 1 / 12
        if not particle:
            # by hand: 0.4 kg at 1 m added to the uniform rod of 1 kg and 1 m
            across = 1 / 12 + (0.5 - 0.9 / 1.4) ** 2 + 0.4 * (1 - 0.9 / 1.4) ** 2
            mass, com = 1.4, 0.9 / 1.4
        rod = model.add(hybrid.RigidBody("rod", mass, (across / 100, across, across), com=(com, 0, 0)))
        model.add(hybrid.revolute("A", rod.at(), model.ground.at()))
        if particle:
            tip = model.add(hybrid.RigidBody("tip", 0.4, position=(1, 0, 0)))
            model.add(hybrid.spherical("B", tip.at(), rod.at((1, 0, 0))))
        record = hybrid.Record(every=0.1, channels=("A.angle", "A.force"))
        return model.compile().simulate(t_end=2.0, method="rk45", rtol=1e-10, record=record)

    one, other = swing(True), swing(False)
    assert_allclose(one["A.angle"], other["A.angle"], atol=1e-8)


def test_particle_on_a_line_and_a_spring():
    """sqrt(k/m) of a particle that a spring holds on a tilted line."""
    model = hybrid.Model()
    bead = model.add(hybrid.RigidBody("bead", 0.5, position=(1.1, 1.1, 0)))
    model.add(hybrid.point_on_line("wire", bead.at(), model.ground.at(), axis=(1, 1, 0)))
    anchor = model.ground.at((3, 3, 0))
    model.add(hybrid.spring("spring", bead.at(), anchor, stiffness=8.0, length=2 * math.sqrt(2)))
    system = model.compile()
    assert system.ndof == 1
    lin = system.linearise()
    assert lin.frequency[-1] == pytest.approx(4 / (2 * math.pi), rel=1e-6)


@pytest.mark.parametrize("joint", [hybrid.spherical, hybrid.distance], ids=["spherical", "distance"])
def test_point_mass_that_could_turn_is_refused(joint):
    """Held beside its point, a body without inertia has a rotation about the line to its mass that nothing decides."""
    model = hybrid.Model(gravity=(0, -G, 0))
    bob = model.add(hybrid.RigidBody("bob", 2.0, com=(0, -1, 0), position=(0, 0, 0)))
    model.add(joint("A", bob.at(), model.ground.at((0, 0.5, 0) if joint is hybrid.distance else (0, 0, 0)), cut=True))
    with pytest.raises(ModelError, match="of body 'bob' has no inertia"):
        model.compile().simulate(t_end=1.0, step=1e-2)
