"""Smooth drives that begin from rest like a power of time: no default run fails at their start."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import floatframe as ff
from floatframe import hybrid as h

METHODS = ("generalised-alpha", "hht", "newmark", "rk45")
#: they begin like t³, t³, t⁴, t⁶
DRIVES = ("0.2*(t - sin(t))", "t^3", "0.1*(t^2/2 + cos(t) - 1)", "2*t^6")


def rigid(drive: str) -> h.Model:
    """A bar on a driven hinge, with a second one that hangs on it."""
    model = h.Model()
    bars = [model.add(h.RigidBody(f"bar{k}", 1.0, (0.1, 0.1, 0.1), com=(0.5, 0, 0))) for k in range(2)]
    model.add(h.revolute("hub", bars[0].at(), model.ground.at()))
    model.add(h.revolute("tip", bars[1].at(), bars[0].at((1, 0, 0))))
    model.add(h.motion("drive", "hub", drive))
    return model


@cache
def beam():
    section = ff.fem.BeamSection.rectangle(0.02, 0.02)
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    fe = ff.fem.beam_line((0, 0, 0), (2, 0, 0), n=20, section=section, material=steel)
    return ff.modal.reduce(fe, interface=["start", "end"], n_modes=10)


def flexible(drive: str) -> h.Model:
    """A steel beam of 2 m on a driven hub."""
    model = h.Model()
    body = model.add(h.FlexibleBody("beam", beam()))
    model.add(h.revolute("hub", body.node(1), model.ground.at()))
    model.add(h.motion("drive", "hub", drive))
    return model


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("every", [0.1, 0.005])
def test_a_rigid_chain_starts_smoothly(method, drive, every):
    system = rigid(drive).compile()
    result = system.simulate(t_end=1.0, method=method, record=h.Record(every=every, channels=("hub.angle",)))
    assert result.status.ok, result.status
    wanted = [h.parse(drive).evaluate({"t": t}) for t in result.t.tolist()]
    # the drive holds the angle to the rounding of the joints
    assert_allclose(result["hub.angle"], wanted, atol=1e-9)


@pytest.mark.parametrize("method", ["generalised-alpha", "hht", "newmark"])
@pytest.mark.parametrize(("drive", "every"), [(DRIVES[0], 0.02), (DRIVES[2], 0.1), (DRIVES[3], 0.005)])
def test_a_flexible_beam_starts_smoothly(method, drive, every):
    system = flexible(drive).compile()
    result = system.simulate(t_end=1.0, method=method, record=h.Record(every=every, channels=("hub.angle",)))
    assert result.status.ok, result.status


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("power", [3, 4, 6])
def test_the_size_of_the_model_does_not_matter(size, power):
    """A slider on a spring from rest under a force F = t^p; scaled with the size, the motion is the same."""
    model = h.Model()
    body = model.add(h.RigidBody("body", 1.0, (1, 1, 1), com=(size, 0, 0)))
    model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(1, 0, 0)))
    model.add(h.joint_force("push", "guide", f"{size}*t^{power} - displacement"))
    result = model.compile().simulate(t_end=2.0, record=h.Record(every=0.1))
    assert result.status.ok, result.status
    exact = model.compile().simulate(t_end=2.0, method="rk45", rtol=1e-11, record=h.Record(every=0.1))
    # a few hundred steps of 1e-5 of the travel in one of them
    assert_allclose(result["guide.displacement"], exact["guide.displacement"], atol=1e-4 * size)


def test_small_motions_are_not_taken_for_rest():
    """An oscillation of 1 µm on a model of 1 m is followed as well as one of 10 mm: the absolute part is far below."""
    errors = []
    for size in (1e-2, 1e-6):
        model = h.Model()
        body = model.add(h.RigidBody("body", 1.0, (1, 1, 1), com=(1.0, 0, 0)))
        model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(1, 0, 0), start=size))
        model.add(h.joint_force("spring", "guide", "-displacement"))
        result = model.compile().simulate(t_end=20.0, record=h.Record(every=0.5))
        errors.append(np.abs(result["guide.displacement"] - size * np.cos(result.t)).max() / size)
    # the default rtol is 1e-5, and the error at the end of its order
    assert max(errors) < 1e-4


def test_a_model_far_from_the_origin_is_as_accurate():
    """An oscillation of 1 mm, 100 km away: the absolute part is of the model's own size, wherever it stands."""
    errors = []
    for place in (0.0, 1e5):
        model = h.Model()
        body = model.add(h.RigidBody("body", 1.0, (1, 1, 1)))
        model.add(h.prismatic("guide", body.at(), model.ground.at((place, 0, 0)), axis=(1, 0, 0), start=1e-3))
        model.add(h.joint_force("spring", "guide", "-displacement"))
        result = model.compile().simulate(t_end=20.0, record=h.Record(every=0.5))
        errors.append(np.abs(result["guide.displacement"] - 1e-3 * np.cos(result.t)).max())
    # positions of 1e5 m are rounded to 1e-11 m
    assert errors[1] == pytest.approx(errors[0], rel=0.1)
