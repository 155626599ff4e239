"""Contacts far stiffer than a fixed step can follow: steps are shortened where they open and close."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from floatframe import hybrid as h

G = 9.81
METHODS = ("generalised-alpha", "hht", "newmark", "bdf2", "park", "rk4")
#: what a method may take out of three bounces: 0.1 rad of the contact's oscillation per step cost 1 %; methods that
#: damp begin with first order where the step changes
LOSS = {"generalised-alpha": 0.02, "hht": 0.04, "newmark": 0.02, "bdf2": 0.1, "park": 0.1, "rk4": 0.01}


def ball(stiffness, damping=0.0, exponent=1.0, height=1.0, kind="plane") -> h.Model:
    """A ball of 1 kg that falls 1 m onto a contact."""
    model = h.Model(gravity=(0, 0, -G))
    body = model.add(h.RigidBody("ball", 1.0, (1, 1, 1)))
    model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(0, 0, 1), start=height))
    if kind == "plane":
        contact = h.contact_plane(
            "pad", body.at(), model.ground.at(), stiffness=stiffness, damping=damping, exponent=exponent
        )
    else:
        contact = h.bump_stop(
            "pad",
            body.at(),
            model.ground.at((0, 0, -1)),
            clearance=0.0,
            length=1.0,
            stiffness=stiffness,
            damping=damping,
        )
    model.add(contact)
    return model


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stiffness", [1e5, 1e9, 1e15])
def test_a_ball_keeps_its_energy_in_bounces(method, stiffness):
    result = ball(stiffness).compile().simulate(t_end=2.5, method=method, step=1e-3, record=h.Record(every=0.01))
    assert result.status.ok, result.status
    energy = result["energy.total"]
    assert energy.max() < G * 1.01
    assert energy.min() > G * (1.0 - LOSS[method])
    # the balance is what the run lost, nothing else
    assert_allclose(result.statistics["energy_balance"], energy - energy[0], atol=1e-9)
    # it comes back to where it was, after two bounces in 2 √(2 H / g) each
    assert result["ball.position"][:, 2].max() < 1.01
    assert "contact_plane 'pad'" in result.status.message


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["plane", "stop"])
def test_a_damped_stiff_contact_takes_energy_and_gives_none(method, kind):
    result = ball(1e15, 1e4, kind=kind).compile().simulate(t_end=1.5, method=method, step=1e-3)
    assert result.status.ok, result.status
    energy = result["energy.total"]
    assert energy.max() < G * 1.01
    assert result["ball.position"][:, 2].max() < 1.01
    # what damping took is in the balance
    assert np.abs(result.statistics["energy_balance"]).max() < 2 * LOSS[method] * G


@pytest.mark.parametrize("kind", ["plane", "stop"])
@pytest.mark.parametrize("method", ["auto", "radau5", "dop853", "rk45"])
def test_what_damping_takes_where_a_contact_lifts_off_is_in_the_balance(method, kind):
    """The push is cut at zero where k x < c v; in the 1 ms of flight until x = 0 damping takes k x² / 2 = 0.4 J.

    Steps are to end there as if speeds did not change, and leave k (g t² / 2)² / 2 = 1e-6 J for the next one.
    """
    result = ball(1e5, 100.0, kind=kind).compile().simulate(t_end=1.0, method=method, rtol=1e-8)
    assert np.abs(result.statistics["energy_balance"]).max() < 1e-5


@pytest.mark.parametrize("stiffness", [1e7, 1e15])
def test_controlled_steps_resolve_contacts_too(stiffness):
    result = ball(stiffness).compile().simulate(t_end=2.5, record=h.Record(every=0.01))
    energy = result["energy.total"]
    assert energy.max() < G * 1.01
    assert energy.min() > G * 0.98


def test_a_hertz_contact_bounces_with_its_own_duration():
    """Ball on a half-space law F = K x^1.5 at v: largest depth (5 m v² / (4 K))^0.4."""
    K, v = 1e9, np.sqrt(2 * G * 1.0)
    result = ball(K, exponent=1.5).compile().simulate(t_end=0.46, step=1e-3, record=h.Record(every=1e-6))
    deepest = result["pad.elongation"].max()
    # 0.1 rad per step: half a percent at most
    assert deepest == pytest.approx((5 * v**2 / (4 * K)) ** 0.4, rel=5e-3)


def test_steps_go_back_to_their_grid():
    result = ball(1e9).compile().simulate(t_end=0.6, step=1e-3, record=h.Record(every=1e-3))
    bounce = np.sqrt(2 / G)
    far = np.abs(result.t - bounce) > 5e-3
    assert_allclose(result.statistics["step"][far][1:], 1e-3, rtol=1e-6)
    assert result.statistics["steps"][-1] < 600 + 200


def test_contact_that_lasts_costs_no_steps():
    """A block that rests on a stiff pad, and a wheelset that rolls, take the steps they are given."""
    static = G / 1e9
    result = ball(1e9, height=-static).compile().simulate(t_end=0.5, step=1e-3)
    assert result.statistics["steps"][-1] == 500
    assert result.status.message == ""
    assert np.abs(result["ball.position"][:, 2] + static).max() < 1e-3 * static


def test_soft_contact_and_no_contact_cost_no_steps():
    # 0.03 rad per step
    result = ball(1e3).compile().simulate(t_end=1.5, step=1e-3)
    assert result.statistics["steps"][-1] == 1500
    assert result.status.message == ""


def test_a_contact_beyond_all_steps_is_said_to_be():
    settings = {"t_end": 1.0, "step": 1e-3, "options": h.SolverOptions(step_min=1e-5)}
    result = ball(1e15).compile().simulate(**settings)
    assert "contact_plane 'pad'" in result.status.message
    assert "step_min" in str(result.status)
    energy = result["energy.total"]
    assert_allclose(result.statistics["energy_balance"], energy - energy[0], atol=1e-6 * np.abs(energy).max())
