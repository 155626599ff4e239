"""Laws of the elements: their Jacobians against complex steps, their balance, and elements of users."""

from __future__ import annotations

import numpy as np
import pytest

from floatframe.errors import ModelError
from floatframe.network import (
    LIBRARY,
    At,
    Network,
    check_law,
    jacobian_errors,
    user_kind,
)
from floatframe.network.laws import flows
from tests.network.examples import ENDS, cubic, own_oscillator


def places(kind, seed: int = 0, count: int = 50) -> At:
    """Potentials and parameters at random, of the size that the kind expects."""
    rng = np.random.default_rng(seed)
    x, v, a = (rng.uniform(-1.0, 1.0, (kind.size, count)) for _ in range(3))
    domains = [terminal.domain.name for terminal in kind.terminals]
    v[: len(domains)] *= np.array([{"thermal": 400.0, "hydraulic": 1e6}.get(name, 1.0) for name in domains])[:, None]
    p = np.array(
        [np.full(count, one.default) if one.default else rng.uniform(0.1, 2.0, count) for one in kind.parameters]
    )
    if kind.name.endswith("stop"):
        p[2] = 0.1  # clearance: some touch, some do not
    s = rng.uniform(-1.0, 1.0, (len(kind.inputs), count))
    return At(x, v, a, 0.3, p.reshape(len(kind.parameters), count), s)


@pytest.mark.parametrize("kind", LIBRARY.values(), ids=LIBRARY)
def test_jacobians_are_those_of_complex_steps(kind):
    check_law(kind, places(kind))


@pytest.mark.parametrize("kind", LIBRARY.values(), ids=LIBRARY)
def test_linear_kinds_are_affine_with_constant_jacobians(kind):
    one, other = (flows(kind, places(kind, seed)) for seed in (1, 2))
    same = all(np.array_equal(np.abs(a) > 0, np.abs(b) > 0) for a, b in zip(one[1:], other[1:], strict=True))
    assert same or not kind.linear
    if kind.linear:
        at = places(kind, 1)
        moved = at._replace(x=at.x + 0.5, v=3.0 * at.v, a=at.a - 2.0)
        first, then = flows(kind, at), flows(kind, moved)
        for J, K in zip(first[1:], then[1:], strict=True):
            np.testing.assert_array_equal(J, K)
        change = sum(
            np.einsum("ijn,jn->in", J, d)
            for J, d in zip(first[1:4], (moved.x - at.x, moved.v - at.v, moved.a - at.a), strict=True)
        )
        # rounding of sums of a few terms of the size of the flows
        size = np.abs(then.F).max(initial=1.0)
        np.testing.assert_allclose(then.F, first.F + change, atol=1e-12 * size)


@pytest.mark.parametrize("kind", [k for k in LIBRARY.values() if k.through], ids=lambda k: k.name)
def test_what_enters_at_one_terminal_leaves_at_the_other(kind):
    F = flows(kind, places(kind)).F
    np.testing.assert_allclose(F[0], -F[1], rtol=1e-15)


@pytest.mark.parametrize("name", ["gear", "lever", "rack", "dc_motor", "pump"])
def test_transformers_lose_only_what_their_resistance_and_leakage_take(name):
    """Power in at one side is power out at the other; internal equations hold there."""
    kind = LIBRARY[name]
    at = places(kind)
    p, v, a = at.p.copy(), at.v.copy(), np.zeros_like(at.a)
    loss = 0.0
    if name == "dc_motor":
        v[4] = (v[0] - v[1] - p[2] * (v[2] - v[3])) / p[0]
        loss = p[0] * v[4] ** 2
    elif name == "pump":
        p[1] = 0.0
    else:
        v[0] = p[0] * v[1]
    F = flows(kind, at._replace(p=p, v=v, a=a)).F
    count = len(kind.terminals)
    power = (F[:count] * v[:count]).sum(axis=0)
    np.testing.assert_allclose(power, loss, atol=1e-9 * np.abs(F[:count] * v[:count]).max())


def compiled_cubic(at, out):
    """The same in loops, which Numba takes."""
    for e in range(at.x.shape[1]):
        gap = at.x[0, e] - at.x[1, e]
        force, slope = at.p[0, e] * gap**3, 3.0 * at.p[0, e] * gap**2
        for i in range(2):
            side = 1.0 - 2.0 * i
            out.F[i, e] += side * force
            for j in range(2):
                out.K[i, j, e] += side * (1.0 - 2.0 * j) * slope


def test_an_element_of_a_user_has_the_period_of_the_cubic_oscillator():
    """x'' + k x³ = 0 from amplitude 1: period 7.4162987092 / sqrt(k), by the complete elliptic integral."""
    quarter = 7.4162987092054876 / np.sqrt(100.0) / 4.0
    result = (
        own_oscillator(cubic)
        .compile()
        .simulate(1.0, method="generalised-alpha", spectral_radius=1.0, step=1e-3, events=["m.displacement"])
    )
    assert result.status.reason == "stopped by event"
    # second order: about (h omega)²/12 of it
    assert result.t[-1] == pytest.approx(quarter, rel=2e-5)


def test_a_compiled_element_is_the_plain_one():
    import numba

    plain, fast = (
        own_oscillator(law).compile().simulate(0.05, step=1e-3) for law in (cubic, numba.njit(compiled_cubic))
    )
    np.testing.assert_allclose(fast["m.displacement"], plain["m.displacement"], rtol=1e-14)
    kind = user_kind("compiled_spring", ENDS, ["stiffness"], numba.njit(compiled_cubic))
    check_law(kind, places(kind))


def test_a_wrong_jacobian_is_found():
    def wrong(at, out):
        cubic(at, out)
        out.K[0, 1] *= 1.001

    kind = user_kind("wrong_spring", ENDS, ["stiffness"], wrong)
    assert jacobian_errors(kind, places(kind))["K"] == pytest.approx(1e-3, rel=0.01)
    with pytest.raises(ModelError, match=r"kind 'wrong_spring': the derivatives K of its flows by displacement differ"):
        check_law(kind, places(kind))


def test_the_name_of_a_kind_in_the_library_is_taken():
    with pytest.raises(ModelError, match="kind 'spring' exists in the library"):
        user_kind("spring", ENDS, ["stiffness"], cubic)


def test_a_kind_that_is_called_linear_and_is_not_is_refused():
    net = Network("cubic")
    net.add("s", user_kind("cubic_spring", ENDS, ["stiffness"], cubic, linear=True), ["m", "ground"], stiffness=100.0)
    net.add("mass", "mass", ["m"], mass=1.0)
    with pytest.raises(ModelError, match="cubic_spring 's': its flows are not those of constant Jacobians"):
        net.compile().simulate(0.1)


def test_terminals_that_are_names_are_refused():
    with pytest.raises(ModelError, match="kind 'own': found 'a' among its terminals, expected Terminal"):
        user_kind("own", ["a", "b"], ["stiffness"], cubic)
