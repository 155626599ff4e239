"""Voronets' and Chaplygin's equations against multipliers, against closed forms, and what they refuse."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from floatframe.equations import LagrangianSystem, chaplygin, voronets, with_multipliers
from floatframe.errors import MissingDependency, ModelError
from tests.equations.nonholonomic import VALUES, A, C, cart, disc, g, m, moving_sleigh, r, sleigh

CASES = {
    "sleigh": (sleigh, ["y"], chaplygin),
    "sleigh on a slope": (lambda: sleigh(m * g * sp.Symbol("y")), ["y"], voronets),
    "sleigh that changes in time": (moving_sleigh, ["y"], voronets),
    "cart by its wheels": (cart, ["x", "y", "phi"], voronets),
    "cart by its place": (cart, ["y", "psi_1", "psi_2"], chaplygin),
    "disc": (disc, ["x", "y"], chaplygin),
}


@cache
def reduced_form(case):
    make, names, form = CASES[case]
    return form(make(), [sp.Symbol(name) for name in names])


@pytest.mark.parametrize("case", CASES)
def test_reduced_forms_agree_with_multipliers(case):
    reduced = reduced_form(case)
    system, full = reduced.system, with_multipliers(reduced.system)
    rng = np.random.default_rng(3)
    for _ in range(20):
        # away from headings of ±π/2, where the constraints do not give the dependent speeds
        q = rng.uniform(-1.0, 1.0, len(system.coordinates))
        v = reduced.speeds(q, rng.normal(size=len(reduced.independent)), 0.3, **VALUES)
        found, forces = reduced.accelerations(q, v, 0.3, **VALUES)
        expected, multipliers = full.accelerations(q, v, 0.3, **VALUES)
        assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
        assert_allclose(forces, multipliers, rtol=0, atol=1e-10 * np.abs(multipliers).max())


@pytest.mark.parametrize("form", ["reduced", "multipliers"])
def test_sleigh_follows_its_closed_form(form):
    """v = V tanh κ(t − t₀), ω = ω_m sech κ(t − t₀)."""
    mass, inertia, arm = VALUES["m"], VALUES["I"], VALUES["a"]
    energy, before = 4.0, -1.4
    speed, spin = np.sqrt(2 * energy / mass), np.sqrt(2 * energy / (inertia + mass * arm**2))
    kappa = arm * spin**2 / speed
    v, omega = speed * np.tanh(kappa * before), spin / np.cosh(kappa * before)
    one = chaplygin(sleigh(), [sp.Symbol("y")]) if form == "reduced" else with_multipliers(sleigh())
    y = [0.0, 0.0, 0.0, v, omega] if form == "reduced" else [0.0, 0.0, 0.0, v, 0.0, omega]
    # for less than a quarter of a turn, so that the speed along x gives that of the blade
    run = solve_ivp(lambda t, y: one.rates(t, y, **VALUES), (0.0, 0.9), y, "DOP853", rtol=1e-12, atol=1e-13)
    *_, phi = run.y[:3, -1]
    assert 0.5 < phi < 1.5  # it turns, and less than a quarter of a turn
    assert_allclose(run.y[3, -1] / np.cos(phi), speed * np.tanh(kappa * (0.9 + before)), rtol=1e-9)
    assert_allclose(run.y[-1, -1], spin / np.cosh(kappa * (0.9 + before)), rtol=1e-9)


def test_disc_rolls_steadily_on_its_circle():
    """θ̈ vanishes where C' ω_3 Ω sin θ − A Ω² sin θ cos θ = m g r cos θ, with C' = C + m r² and heading rate Ω."""
    reduced = reduced_form("disc")
    theta, heading = 1.1, 1.7
    mass, grav, radius = VALUES["m"], VALUES["g"], VALUES["r"]
    s, c = np.sin(theta), np.cos(theta)
    about_axis = (VALUES["A"] * heading**2 * s * c - mass * grav * radius * c) / (
        (VALUES["C"] + mass * radius**2) * heading * s
    )
    own = np.array([heading, 0.0, about_axis - heading * c])
    q = np.array([0.0, 0.0, 0.4, theta, 0.0])
    found, _ = reduced.accelerations(q, reduced.speeds(q, own, **VALUES), **VALUES)
    assert_allclose(found[2:], 0.0, atol=1e-12)
    assert {A, C, g, m, r} <= reduced.right_side.free_symbols | reduced.matrix.free_symbols


def test_energy_of_the_cart_is_kept():
    reduced = reduced_form("cart by its wheels")
    system = reduced.system
    energy = sp.lambdify(
        [list(system.coordinates), list(system.speeds)],
        (sum(v * sp.diff(system.lagrangian, v) for v in system.speeds) - system.lagrangian).subs(VALUES),
    )
    y = np.array([0.0, 0.0, 0.3, 0.0, 0.0, 1.0, 2.0])
    run = solve_ivp(lambda t, y: reduced.rates(t, y, **VALUES), (0.0, 1.0), y, "DOP853", rtol=1e-11, atol=1e-12)
    values = [energy(one[:5], reduced.speeds(one[:5], one[5:], **VALUES)) for one in run.y.T]
    assert_allclose(values, values[0], rtol=1e-9)


def test_what_is_refused():
    x, y, phi = sp.symbols("x y phi")
    with pytest.raises(ModelError, match="found phi, x; use voronets"):
        chaplygin(cart(), [x, y, phi])
    with pytest.raises(ModelError, match="found 2 dependent coordinates, expected 1"):
        voronets(sleigh(), [x, y])
    with pytest.raises(ModelError, match="z is not a coordinate"):
        voronets(sleigh(), [sp.Symbol("z")])
    with pytest.raises(ModelError, match="do not give the speeds of phi"):
        voronets(sleigh(), [phi])
    with pytest.raises(ModelError, match="a, m without a value"):
        with_multipliers(sleigh()).accelerations([0, 0, 0], [1, 0, 1], I=0.3)
    v = sp.Symbol("v")
    with pytest.raises(ModelError, match="not linear in the speeds"):
        LagrangianSystem([x], [v], v**2, [v**2 - 1])
    with pytest.raises(ModelError, match="found 2 speeds, expected 1"):
        LagrangianSystem([x], [v, y], v**2)


def test_without_sympy_the_install_line_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(MissingDependency, match=r"pip install 'floatframe\[equations\]'"):
        with_multipliers(LagrangianSystem((), (), 0)).accelerations([], [])
