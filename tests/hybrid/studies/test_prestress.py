"""Frequencies under tension, weight, follower forces and rotation against theory, through the public calls alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import floatframe as ff
from floatframe import hybrid as h
from tests.hybrid.stiffened_models import LENGTH, SQUARE, STEEL, beam

EI = STEEL.E * SQUARE.Iz
MASS = STEEL.rho * SQUARE.A  # kg/m


@pytest.fixture(scope="module")
def rod() -> ff.modal.ReducedBody:
    return beam(n=40, modes=16)


def cantilever(rod, gravity=(0.0, 0.0, 0.0)) -> tuple[h.Model, h.FlexibleBody]:
    model = h.Model(gravity=gravity)
    body = model.add(h.FlexibleBody("rod", rod))
    model.add(h.fixed("root", body.node(1), model.ground.at()))
    return model, body


def test_a_string_like_beam(rod):
    """Hinged and pulled: f = n/2L sqrt(T/m (1 + n² π² EI / T L²)); the beam is 0.06 % longer under the pull."""
    pull, n = 5e4, np.arange(1, 4)
    model = h.Model()
    body = model.add(h.FlexibleBody("rod", rod))
    block = model.add(h.RigidBody("block", 1e-3, (1e-3, 1e-3, 1e-3), position=(LENGTH, 0, 0)))
    model.add(h.revolute("first", body.node(1), model.ground.at()))
    model.add(h.revolute("last", body.node(41), block.at()))
    model.add(h.prismatic("guide", block.at(), model.ground.at((LENGTH, 0, 0)), axis=(1, 0, 0)))
    model.add(h.point_force("pull", block.at(), (pull, 0, 0)))
    found = model.compile().linearise(up_to=160.0).frequency
    exact = n / (2 * LENGTH) * np.sqrt(pull / MASS * (1 + n**2 * np.pi**2 * EI / (pull * LENGTH**2)))
    for frequency in exact:  # bending across the hinges' axes; about them the ends are clamped
        assert np.abs(found / frequency - 1.0).min() < 2e-3


def tip_mass_frequency(mass: float, gravity: float) -> float:
    """First frequency [Hz] of a weightless cantilever with a tip mass under its weight, hanging for gravity > 0.

    EI v'''' = N v'' with N = m g, tip: no moment, EI v''' - N v' = -m ω² v: flexibility (k L - tanh k L) / (N k).
    """
    N = mass * abs(gravity)
    k = np.sqrt(N / EI)
    wave = np.tanh(k * LENGTH) if gravity > 0 else np.tan(k * LENGTH)
    flexibility = abs(k * LENGTH - wave) / (N * k)
    return float(np.sqrt(1.0 / (mass * flexibility)) / (2 * np.pi))


@pytest.mark.parametrize("gravity", [-9.81, 9.81])
def test_a_tip_mass_upright_and_hanging(gravity):
    """The beam weighs a thousandth of the ball."""
    light = replace(STEEL, rho=STEEL.rho * 1e-3)
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=20, section=SQUARE, material=light)
    model, rod = cantilever(ff.modal.reduce(fe, interface=[1, 21], n_modes=8), (gravity, 0, 0))
    ball = model.add(h.RigidBody("ball", 6.0, (1e-9, 1e-9, 1e-9)))
    model.add(h.fixed("tip", ball.at(), rod.node(21)))
    found = model.compile().linearise(n=2).frequency
    # the beam's own mass: a quarter of a thousandth of the ball's
    assert found == pytest.approx([tip_mass_frequency(6.0, gravity)] * 2, rel=1e-3)


def test_a_standing_beam_falls_over_under_its_own_weight(rod):
    """Greenhill 1881: m g L³ / EI = 7.8373."""
    squares, shares = [], np.array([0.9, 0.98])
    for share in shares:
        weight = share * 7.8373 * EI / (MASS * LENGTH**3)
        model, _ = cantilever(rod, (-float(weight), 0, 0))
        squares.append(float(np.real(-(model.compile().linearise(n=1).eigenvalues[0] ** 2))))
    slope, start = np.polyfit(shares, squares, 1)
    assert -start / slope == pytest.approx(1.0, abs=5e-3)


@pytest.mark.parametrize("frame", ["mean", "chord"])
def test_a_follower_force_makes_a_column_flutter(frame):
    """Beck 1952: 20.05 EI / L² at the tip, along the turning section; no divergence before."""
    section = ff.fem.BeamSection.rectangle(0.02, 0.03).without_shear()  # two planes with frequencies of their own
    fe = ff.fem.beam_line((0, 0, 0), (LENGTH, 0, 0), n=20, section=section, material=STEEL)
    body = ff.modal.reduce(fe, interface=[1, 21], n_modes=10)

    def growth(factor: float) -> float:
        model = h.Model()
        rod = model.add(h.FlexibleBody("rod", body, frame=frame))
        model.add(h.fixed("root", rod.node(1), model.ground.at()))
        force = factor * STEEL.E * section.Iz / LENGTH**2
        model.add(h.point_force("push", rod.node(21), (-force, 0, 0), axes="body"))
        return float(model.compile().linearise(n=4).eigenvalues.real.max())

    assert abs(growth(10.0)) < 1e-6
    assert abs(growth(19.9)) < 1e-6
    assert growth(20.2) > 1.0


@pytest.fixture(scope="module")
def solid_blade() -> ff.modal.ReducedBody:
    """Without Poisson's ratio, so that the clamped root, which may not narrow, bends as a beam does."""
    plain = replace(STEEL, nu=0.0)
    fe = ff.fem.solid_box((LENGTH, 0.02, 0.02), (24, 1, 1), "hex20", material=plain, origin=(0.0, -0.01, -0.01))
    root = fe.node_ids[fe.nodes[:, 0] < 1e-9].tolist()
    fe = replace(fe, nodes=np.vstack([fe.nodes, [[0.0, 0.0, 0.0]]]), node_ids=np.append(fe.node_ids, 9001))
    return ff.modal.reduce(fe.with_coupling(ff.fem.RBE2(9001, root)), interface=[9001], n_modes=12)


@pytest.mark.parametrize(("radius", "speed", "flap"), [(0.0, 8, 9.2568), (1.0, 4, 7.475), (1.0, 12, 19.722)])
def test_a_rotating_blade_of_solids(solid_blade, radius, speed, flap):
    """Wright 1982, units of sqrt(EI / (m L⁴)); lead-lag is sqrt(flap² - Ω²)."""
    unit = float(np.sqrt(EI / (MASS * LENGTH**4)))
    model = h.Model()
    hub = model.add(h.RigidBody("hub", 1.0, (1, 1, 1)))
    model.add(h.revolute("axle", hub.at(), model.ground.at(), start_rate=speed * unit))
    model.add(h.motion("turn", "axle", f"{speed * unit!r}*t"))
    blade = model.add(h.FlexibleBody("blade", solid_blade))
    model.add(h.fixed("root", blade.node(9001), hub.at((radius * LENGTH, 0, 0))))
    system = model.compile()
    found = 2 * np.pi * system.linearise(system.steady_motion(), n=2).frequency / unit
    assert found == pytest.approx([np.sqrt(flap**2 - speed**2), flap], rel=5e-3)


def test_a_flexible_pendulum_swings_at_its_bending_period(rod):
    """A hanging rod on a hinge: in small swings its frequencies are those of a hanging chain with bending stiffness.

    Reference: Rayleigh-Ritz with Legendre polynomials of the hanging beam.
    """
    model = h.Model(gravity=(981.0, 0, 0))  # a hundredfold, so that weight and bending count alike
    body = model.add(h.FlexibleBody("rod", rod))
    model.add(h.revolute("pivot", body.node(1), model.ground.at()))
    found = model.compile().linearise(n=6).frequency
    exact = hanging_beam(981.0, 3)
    for frequency in exact:
        assert np.abs(found / frequency - 1.0).min() < 1e-3


def hanging_beam(gravity: float, n: int) -> np.ndarray:
    """The first n frequencies [Hz] of a beam hinged at its upper end, with v = x/L times polynomials."""
    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = (x + 1.0) / 2.0, weight / 2.0 * LENGTH
    basis = [
        np.polynomial.Polynomial([0.0, 1.0])
        * np.polynomial.Legendre.basis(k, [0, 1]).convert(kind=np.polynomial.Polynomial)
        for k in range(12)
    ]
    v = np.array([p(x) for p in basis])
    slope = np.array([p.deriv()(x) for p in basis]) / LENGTH
    bend = np.array([p.deriv(2)(x) for p in basis]) / LENGTH**2
    tension = MASS * gravity * LENGTH * (1.0 - x)
    K = (bend * (EI * weight)) @ bend.T + (slope * (tension * weight)) @ slope.T
    M = (v * (MASS * weight)) @ v.T
    return np.sqrt(scipy.linalg.eigvalsh(K, M)[:n]) / (2 * np.pi)
