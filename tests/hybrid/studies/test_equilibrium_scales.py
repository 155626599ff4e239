"""Equilibria without gravity and of all sizes: what is returned has no acceleration left."""

from __future__ import annotations

import math

import numpy as np
import pytest

import floatframe as ff
from floatframe.hybrid.studies.equilibrium import find_equilibrium

h = ff.hybrid


def guided(mass=5.0, axis=(1, 0, 0), **joint):
    model = h.Model()
    body = model.add(h.RigidBody("body", mass=mass, inertia=(0.3, 0.4, 0.25)))
    model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=axis, **joint))
    return model, body


def left_over(system, state):
    return np.abs(system.accelerations(state)[0]).max()


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e6])
def test_spring_and_force_of_any_size(size):
    """x = F / k with forces, stiffnesses and masses of one size."""
    model, body = guided(5.0 * size)
    model.add(h.spring("s", body.at(), model.ground.at((-1, 0, 0)), stiffness=2e4 * size))
    model.add(h.point_force("F", body.at(), force=(600.0 * size, 0, 0)))
    system = model.compile()
    found = find_equilibrium(system)
    assert found.state.q == pytest.approx([0.03], rel=1e-10)
    assert found.stable
    # 120 m/s2 at the start; rounding of 0.03 m times k/m = 4000 1/s2
    assert left_over(system, found.state) <= 1e-9
    assert found.acceleration <= 1e-9
    assert system.linearise().frequency == pytest.approx(math.sqrt(4000.0) / (2 * math.pi), rel=1e-9)


def test_a_nanonewton_beside_a_meganewton():
    """Two bodies in one model; each is judged by its own forces."""
    model = h.Model()
    for name, size in (("small", 1e-9), ("large", 1e6)):
        body = model.add(h.RigidBody(name, mass=size, inertia=(1, 1, 1)))
        model.add(h.prismatic(f"guide_{name}", body.at(), model.ground.at(), axis=(1, 0, 0)))
        model.add(h.spring(f"spring_{name}", body.at(), model.ground.at((-1, 0, 0)), stiffness=100.0 * size))
        model.add(h.point_force(f"force_{name}", body.at(), force=(size, 0, 0)))
    system = model.compile()
    state = system.equilibrium()
    assert state.q == pytest.approx([0.01, 0.01], rel=1e-9)
    assert left_over(system, state) <= 1e-9


def test_preloaded_springs_alone():
    """One spring whose preload is its only load: at rest nothing pulls at all."""
    model, body = guided()
    model.add(h.spring("s", body.at(), model.ground.at((-1, 0, 0)), stiffness=1e3, preload=20.0))
    system = model.compile()
    found = find_equilibrium(system)
    assert found.state.q == pytest.approx([-0.02], rel=1e-10)
    assert left_over(system, found.state) <= 1e-10
    again = find_equilibrium(system, found.state)
    assert again.state.q == pytest.approx(found.state.q, abs=1e-14)


def test_torque_on_a_torsion_spring():
    model = h.Model()
    body = model.add(h.RigidBody("disc", mass=1.0, inertia=(1, 1, 2e-6)))
    model.add(h.revolute("shaft", body.at(), model.ground.at()))
    model.add(h.joint_torque("spring", "shaft", "-0.5*angle"))
    model.add(h.point_torque("drive", body.at(), torque=(0, 0, 0.2)))
    system = model.compile()
    state = system.equilibrium()
    assert state.q == pytest.approx([0.4], rel=1e-10)
    # 1e5 rad/s2 at the start
    assert left_over(system, state) <= 1e-8


def test_forces_that_balance_at_the_start():
    model, body = guided()
    for k, size in enumerate((7.0, -7.0)):
        model.add(h.point_force(f"F{k}", body.at(), force=(size, 0, 0)))
    found = find_equilibrium(model.compile())
    assert found.state.q.tolist() == [0.0]
    assert len(found.free) == 1
    assert found.residual == 0.0


def test_nothing_acts_at_all():
    model, _ = guided()
    found = find_equilibrium(model.compile())
    assert found.stable
    assert len(found.free) == 1


def test_a_force_that_nothing_resists_is_an_error_however_small():
    for size in (1e-9, 1.0, 1e9):
        model, body = guided()
        model.add(h.point_force("F", body.at(), force=(size, 0, 0)))
        other = model.add(h.RigidBody("other", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.bushing("nest", other.at(), model.ground.at(), stiffness=(1e6,) * 6, preload=(1e3, 0, 0, 0, 0, 0)))
        with pytest.raises(ff.errors.NotConverged, match="guide"):
            find_equilibrium(model.compile())


def test_cubic_spring_without_load_comes_to_rest():
    model, _ = guided(start=0.1)
    model.add(h.joint_force("law", "guide", "-1e6*displacement^3"))
    system = model.compile()
    state = system.equilibrium()
    assert left_over(system, state) <= 1e-9


def test_weight_on_a_stiff_contact():
    """Penetration m g / k down to 1e-10 m, from 0.2 m above."""
    for stiffness in (1e6, 1e11):
        model = h.Model(gravity=(0, 0, -9.81))
        body = model.add(h.RigidBody("body", mass=1.0, inertia=(1, 1, 1)))
        model.add(h.prismatic("guide", body.at(), model.ground.at(), axis=(0, 0, 1), start=0.2))
        model.add(h.contact_plane("base", body.at(), model.ground.at(), stiffness=stiffness))
        system = model.compile()
        found = find_equilibrium(system)
        assert found.stable
        assert found.state.q == pytest.approx([-9.81 / stiffness], rel=1e-9)
        assert left_over(system, found.state) <= 1e-6


def test_flexible_body_alone_under_a_tip_force():
    """Tip deflection F L^3 / 3 E I of a cantilever without gravity."""
    steel = ff.fem.Material(E=2.1e11, nu=0.3, rho=7850.0)
    line = ff.fem.beam_line(
        (0, 0, 0), (1, 0, 0), n=10, section=ff.fem.BeamSection.rectangle(0.01, 0.01), material=steel
    )
    model = h.Model()
    beam = model.add(h.FlexibleBody("beam", ff.modal.reduce(line, interface=[1, 11], n_modes=4)))
    model.add(h.fixed("root", beam.node(1), model.ground.at()))
    model.add(h.point_force("F", beam.node(11), force=(0, 0, 1e-3)))
    system = model.compile()
    found = find_equilibrium(system)
    assert found.stable
    assert found.acceleration <= 1e-9
    tip = system.evaluation(found.state)(0.0, found.state.q, 0).data.markers["p"][:, 2].max()
    # shear of a beam with L / h = 100 adds 1e-4 of the bending
    assert tip == pytest.approx(1e-3 / (3.0 * 2.1e11 * 0.01**4 / 12.0), rel=2e-4)
