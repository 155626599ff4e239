"""Fixed steps over the moment where friction begins to hold: a step that cannot be solved is made of shorter ones."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe import hybrid as h
from tests.hybrid.interrupted import StopAfter, same_bits

GRAVITY = 9.81


@pytest.mark.parametrize("method", ["generalised-alpha", "hht", "bdf2", "park"])
def test_block_that_slides_to_rest(method):
    """2 kg at 3 m/s against 4 N stop after 2.25 m in 1.5 s and stay; friction is regularised over 1 mm/s."""
    model = h.Model()
    block = model.add(h.RigidBody("block", 2.0, (1, 1, 1)))
    model.add(h.prismatic("P", block.at(), model.ground.at(), axis=(1, 0, 0), start_rate=3.0))
    model.add(h.joint_friction("rub", "P", force=4.0))
    result = model.compile().simulate(t_end=2.0, method=method, step=1e-3)
    assert result.status.ok, result.status
    # times of records are those of whole steps
    assert result.t == pytest.approx([1e-3 * k for k in range(2001)], abs=1e-12)
    # the regularised end, v' = -2 tanh-like(v / 1 mm/s), takes some mm/s times some ms; order 2 adds about h v
    assert result["P.displacement"][-1] == pytest.approx(2.25, abs=2e-4)
    assert abs(result["P.rate"][-1]) < 1e-6


@pytest.mark.parametrize("step", [1e-3, 2e-4])
def test_ball_that_begins_to_roll(step):
    """A ball pushed at 2 m/s slides, then rolls at 5/7 of it: no slip is left for friction."""
    radius, mass, stiffness = 0.5, 1.0, 1e6
    model = h.Model(gravity=(0, 0, -GRAVITY))
    height = radius - mass * GRAVITY / stiffness
    ball = model.add(
        h.RigidBody("ball", mass, (0.4 * mass * radius**2,) * 3, position=(0, 0, height), velocity=(2, 0, 0))
    )
    model.add(
        h.contact_plane(
            "plate", ball.at(), model.ground.at(), stiffness=stiffness, damping=500, radius=radius, friction=0.2
        )
    )
    result = model.compile().simulate(t_end=0.4, step=step)
    assert result.status.ok, result.status
    # the contact lies a hair above the radius, and slip dies out from 1 mm/s
    assert result["ball.velocity"][-1, 0] == pytest.approx(2.0 * 5.0 / 7.0, rel=1e-3)


def rubbing_swing() -> h.System:
    """1.5 kg on 60 N/m released at 0.29 m against 1 N of friction that sticks."""
    model = h.Model()
    block = model.add(h.RigidBody("block", 1.5, (1, 1, 1)))
    model.add(h.prismatic("P", block.at(), model.ground.at(), axis=(1, 0, 0), start=0.29))
    model.add(h.joint_force("spring", "P", "-60*displacement"))
    model.add(h.joint_friction("rub", "P", force=1.0, stick=True, stiffness=1e6, damping=1e3))
    return model.compile()


@pytest.mark.parametrize("every", [0.1, 0.01])
def test_friction_that_sticks_turns_with_the_slip_however_seldom_it_is_recorded(every):
    """Every half swing takes 2/60 m, the last one ends at 0.01 m."""
    result = rubbing_swing().simulate(t_end=5.0, record=h.Record(every=every))
    assert result.status.ok, result.status
    # friction holds by giving way 1 N / 1e6 N/m, to either side
    assert result["P.displacement"][-1] == pytest.approx(0.01, abs=2e-6)
    assert abs(result["P.rate"][-1]) < 1e-6


@pytest.mark.parametrize("method", ["auto", "rk45", "radau5"])
def test_records_leave_steps_over_friction_that_sticks_alone(method):
    """Values inside a step belong to what friction remembered where it began; its end remembers another slip."""
    system = rubbing_swing()
    runs = [system.simulate(t_end=1.5, method=method, record=h.Record(every=every)) for every in (1e-2, 1e-3)]
    coarse, fine = runs
    assert len({int(run.statistics["steps"][-1]) for run in runs}) == 1
    # the same polynomials at times that differ by rounding
    np.testing.assert_allclose(coarse["P.displacement"], fine["P.displacement"][::10], atol=1e-12)
    np.testing.assert_allclose(coarse["P.rate"], fine["P.rate"][::10], atol=1e-11)
    # where it slides, friction is 1 N against the motion; accelerations are found from forces, without tolerance
    rate = fine["P.rate"]
    rub = 1.5 * fine["block.acceleration"][:, 0] + 60.0 * fine["P.displacement"]
    slides = np.abs(rate) > 0.02  # its damping needs 2 N / 1000 N s/m to turn the force over
    np.testing.assert_allclose(rub[slides], -np.sign(rate[slides]), atol=1e-9)
    assert np.count_nonzero(slides) > 1300


def test_friction_that_sticks_resumes_inside_a_step(tmp_path):
    """What it remembered where the step began is kept for records that are still to come."""
    settings = {"t_end": 1.5, "record": h.Record(every=1e-3)}
    path, system = tmp_path / "run.h5", rubbing_swing()
    whole = system.simulate(**settings)
    broken = system.simulate(**settings, path=path, progress=StopAfter(3, KeyboardInterrupt))
    assert broken.status.reason == "interrupted"
    assert broken.statistics["steps"][-1] == broken.statistics["steps"][-2]  # the next record lies in the same step
    same_bits(system.simulate(**settings, path=path, resume=True), whole)
