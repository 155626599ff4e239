"""Steps of every compiled method against the same formulas in NumPy: states after some steps agree to rounding.

The twin solves each implicit step with a full Newton iteration on a matrix of differences and each stage with LAPACK.
It shares the residual of the equations with the kernels, which has a twin of its own.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import RK45

from floatframe import hybrid as h
from tests.hybrid.tumbling_pair import tumbling_pair
from tests.hybrid.twin import TINY, Twin

STEP, STEPS = 0.01, 6


def solved(function, x):
    """The root of a function by Newton's method on differences, from x."""
    for _ in range(30):
        value = function(x)
        slopes = np.array([(function(x + d) - function(x - d)) / 2e-5 for d in 1e-5 * np.eye(len(x))]).T
        correction = np.linalg.solve(slopes, value)
        x = x - correction
        if np.abs(correction).max() < 1e-11 * np.abs(x).max():
            return x
    raise AssertionError("no solution")


def implicit_step(system, state, x, lam, where):
    """State, accelerations, multipliers at the end of a step; `where` makes displacements and speeds of the second."""
    nv, h2 = system.nv, STEP**2

    def end(x):
        d, v = where(x)
        moved = system.move(state, d)
        return h.State(state.t, moved.q, v, moved.memory)

    def equations(unknown):
        there = end(unknown[:nv])
        return np.concatenate((system.residual(there, unknown[:nv], unknown[nv:]), system.constraints(there) / h2))

    found = solved(equations, np.concatenate((x, lam)))
    return end(found[:nv]), found[:nv], found[nv:]


def one_step_method(system, steps, am, af, beta, gamma):
    """Generalised-alpha on the index-3 equations (Arnold and Brüls 2007) and its relatives."""
    state = system.start
    x, lam = system.accelerations(state)
    a, before, last = x.copy(), x, steps[0]
    for step in steps:
        # it belongs to a time beside the end of the step, which moves with the length of the next one
        old, v0 = a + (am - af) * (step - last) / last * (x - before), state.v

        def auxiliary(new, x=x, old=old):
            return ((1 - af) * new + af * x - am * old) / (1 - am)

        def where(new, step=step, v0=v0, old=old, auxiliary=auxiliary):
            later = auxiliary(new)
            d = step * v0 + step**2 * ((0.5 - beta) * old + beta * later)
            return d, v0 + step * ((1 - gamma) * old + gamma * later)

        state, new, lam = implicit_step(system, state, x, lam, where)
        a, before, x, last = auxiliary(new), x, new, step
    return state


def multi_step_method(system, steps, formulas):
    """Increments of positions and speeds: d = b h rate + c1 d_1 + c2 d_2; a formula for each number of steps known.

    After a step of another length than the last only that one is known.
    """
    state = system.start
    x, lam = system.accelerations(state)
    past, last = [], None
    for step in steps:
        same = last is None or abs(step - last) < 1e-9 * step
        b, *c = formulas[min(len(past), len(formulas) - 1)] if same else unequal(step / last, formulas)
        v0 = state.v

        def where(new, b=b, c=c, v0=v0, step=step, past=tuple(past)):
            dv = b * step * new + sum(k * before[1] for k, before in zip(c, past, strict=False))
            d = b * step * (v0 + dv) + sum(k * before[0] for k, before in zip(c, past, strict=False))
            return d, v0 + dv

        state, x, lam = implicit_step(system, state, x, lam, where)
        past, last = [(where(x)[0], state.v - v0), *(past if same else [])][:2], step
    return state


def unequal(ratio, formulas):
    """BDF2 over a step and one before it that was 1/ratio as long: the parabola through three points."""
    if len(formulas) == 1:
        return formulas[0]
    return (1 + ratio) / (1 + 2 * ratio), ratio**2 / (1 + 2 * ratio)


def explicit_method(system, steps, A, B):
    """Runge-Kutta on coordinates and speeds, quaternions as they come, and made unit ones at the end of the step."""
    state = system.start
    for step in steps:
        kq, kv = [], []
        for row in A:
            q = state.q + step * sum((a * k for a, k in zip(row, kq, strict=False)), np.zeros(system.nq))
            v = state.v + step * sum((a * k for a, k in zip(row, kv, strict=False)), np.zeros(system.nv))
            there = h.State(0.0, q, v, state.memory)
            kv.append(system.accelerations(there)[0])
            kq.append(rates(system, there))
        q = state.q + step * sum(b * k for b, k in zip(B, kq, strict=True))
        v = state.v + step * sum(b * k for b, k in zip(B, kv, strict=True))
        state = h.State(0.0, unit_quaternions(system, q), v, state.memory)
    return state


def rates(system, state):
    """dq/dt (nq,)."""
    return Twin(system, state).moved(1j * TINY * state.v).imag / TINY


def unit_quaternions(system, q):
    q = q.copy()
    for link in system.tables.links[1:]:
        if link["nv"] in (3, 6):
            own = slice(link["iq"] + link["nv"] - 3, link["iq"] + link["nv"] + 1)
            q[own] /= np.linalg.norm(q[own])
    return q


def generalised_alpha(rho):
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


def hht(rho):
    alpha = (1 - rho) / (1 + rho)
    return 0.0, alpha, 0.25 * (1 + alpha) ** 2, 0.5 + alpha


BDF1, BDF2, PARK = (1.0,), (2 / 3, 1 / 3), (0.6, 0.5, -0.1)
RK4 = [[], [0.5], [0, 0.5], [0, 0, 1]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]
METHODS = {
    "generalised-alpha": lambda system, steps: one_step_method(system, steps, *generalised_alpha(0.6)),
    "hht": lambda system, steps: one_step_method(system, steps, *hht(0.6)),
    "newmark": lambda system, steps: one_step_method(system, steps, 0, 0, 0.25, 0.5),
    "bdf1": lambda system, steps: multi_step_method(system, steps, [BDF1]),
    "bdf2": lambda system, steps: multi_step_method(system, steps, [BDF1, BDF2]),
    "park": lambda system, steps: multi_step_method(system, steps, [BDF1, BDF2, PARK]),
    "rk4": lambda system, steps: explicit_method(system, steps, *RK4),
    # SciPy's table of the pair of Dormand and Prince
    "rk45": lambda system, steps: explicit_method(system, steps, RK45.A, RK45.B),
}


@pytest.fixture(scope="module", params=[True, False], ids=["constraints", "tree"])
def system(request):
    return tumbling_pair(loop=request.param)


@pytest.mark.parametrize("last", [STEP, 0.8 * STEP], ids=["equal", "shorter last"])
@pytest.mark.parametrize("method", METHODS)
def test_steps(system, method, last):
    steps = [STEP] * STEPS + [last] * 3
    expected = METHODS[method](system, steps)
    settings = {"method": method, "step": STEP, "spectral_radius": 0.6}
    options = h.SolverOptions(newton_tolerance=1e-13, velocity_constraints=False)
    record = h.Record(every=STEPS * STEP)
    result = system.simulate(t_end=sum(steps), record=record, options=options, **settings)
    assert result.statistics["steps"][-1] == len(steps)
    # both solve to rounding, which rows over the square of the step magnify to 1e-12 in the positions
    np.testing.assert_allclose(result.q[-1], expected.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(result.v[-1], expected.v, rtol=0, atol=1e-8)
