"""The linear systems of a Radau step: the equations of motion linearised, and factored for each eigenvalue.

The three stages separate into one real system and one complex one, [M + c D + c^2 K, -G^T; G, 0], c = h / eigenvalue,
with rows and columns for the rates of states behind them.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.layout import COORDINATE_FORCE, SLOT_COORDINATE, SLOT_RATE, TREE_COORDINATE
from floatframe.hybrid.kernels.linear import REGULAR, complex_factor, lightness_of, lu_factor
from floatframe.hybrid.kernels.options import apart, inner
from floatframe.hybrid.kernels.steps.contacts import SHIFT, shift_inside
from floatframe.hybrid.kernels.steps.states import find_slopes
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS, evaluate_now
from floatframe.hybrid.kernels.tree import move

# eigenvalues of the inverse of the method's matrix
REAL = 3 + 3 ** (2 / 3) - 3 ** (1 / 3)
COMPLEX = 3 + 0.5 * (3 ** (1 / 3) - 3 ** (2 / 3)) - 0.5j * (3 ** (5 / 6) + 3 ** (7 / 6))
SHARE, TURN = (1 / COMPLEX).real, (1 / COMPLEX).imag
SPEED_SHIFT = 1e-6  # m/s, rad/s: for differences, at most


@inner
def linearise(tables, data, w, s, col, t, h):
    """Mass, constraint Jacobian and slopes at the state tried; how much is differentiated says s.level, as in newton.

    Level 0 takes elastic stiffness and damping of flexible bodies and forces in joints of the tree, level 1
    differentiates by the rigid coordinates as well, level 2 by all coordinates.
    """
    nv, nl = len(w.x), len(w.lam)
    evaluate_now(tables, data, w, t, ALL_FORCES | MASS | JACOBIAN | CONVECTIVE, w.residual)
    s.evaluations += 1
    K, D = col.stiffness, col.damping
    if len(w.states) > 0:
        find_slopes(tables, data, w, t)
    for i in range(nv + nl):
        for j in range(nv):
            K[i, j] = D[i, j] = 0.0
    for i in range(nv):
        for j in range(nv):
            col.mass[i, j] = w.M[i, j]
    for k in range(nl):
        w.lam_step[k] = data.rows[k].convective
        for j in range(nv):
            col.rows[k, j] = w.G[k, j]
    for b in range(len(tables.flexible)):
        body = tables.flexible[b]
        n, iv, k = body.n, body.iv, body.matrices
        if body.diagonal == 1:
            for i in range(n):
                K[iv + i, iv + i] += tables.pool[k + n + i]
                D[iv + i, iv + i] += tables.pool[k + 2 * n + i]
        else:
            for i in range(n):
                for j in range(n):
                    place = i * n + j
                    K[iv + i, iv + j] += tables.pool[k + n * n + place]
                    D[iv + i, iv + j] += tables.pool[k + 2 * n * n + place]
    if s.level == 0.0:
        joint_slopes(tables, data, col, h)
        return
    shift = shift_inside(tables, data, w)
    faster = min(shift / h, SPEED_SHIFT)
    for j in range(nv):
        if s.level < 2.0 and tables.dofs[j].link < 0:
            continue
        for i in range(nv):
            w.delta[i] = shift if i == j else 0.0
        for i in range(len(w.q)):
            col.place[i] = w.q[i]
        move(tables.links, tables.flexible, w.q, w.delta)
        differences(tables, data, w, col, t, shift, K, j)
        for i in range(len(w.q)):
            w.q[i] = col.place[i]
        keep = w.v[j]
        w.v[j] = keep + faster
        differences(tables, data, w, col, t, faster, D, j)
        w.v[j] = keep


@inner
def differences(tables, data, w, col, t, shift, out, j):
    """Column j of slopes: what the residual has changed by where one coordinate or speed is shifted."""
    nv = len(w.x)
    evaluate_now(tables, data, w, t, ALL_FORCES | CONVECTIVE, w.shifted)
    for i in range(nv):
        out[i, j] = (w.shifted[i] - w.residual[i]) / shift
    for k in range(len(w.lam)):
        out[nv + k, j] = (data.rows[k].convective - w.lam_step[k]) / shift


@inner
def joint_slopes(tables, data, col, h):
    """Add slopes of forces in tree joints, as far as they hold the joint back."""
    for i in range(len(tables.forces)):
        element = tables.forces[i]
        if element.kind != COORDINATE_FORCE or tables.coordinates[element.coordinate].kind != TREE_COORDINATE:
            continue
        here = data.coordinates[element.coordinate]
        k = tables.coordinates[element.coordinate].iv
        data.slots[SLOT_COORDINATE] = here.value + SHIFT
        data.slots[SLOT_RATE] = here.rate
        col.stiffness[k, k] += max((data.forces[i].value - program(tables, data, element.program)) / SHIFT, 0.0)
        data.slots[SLOT_COORDINATE] = here.value
        data.slots[SLOT_RATE] = here.rate + SHIFT / h
        col.damping[k, k] += max((data.forces[i].value - program(tables, data, element.program)) * h / SHIFT, 0.0)


@inner
def factor(w, col, h):
    """Factor the systems of a step h; False if one is singular."""
    # modal dofs come first, and need no exchange of rows
    first = w.traits.safe
    fill(w, col, h / REAL, 0.0, col.real, col.imaginary)
    good = lu_factor(col.real, col.real_rows, first)
    fill(w, col, h * SHARE, h * TURN, col.complex, col.imaginary)
    return good and complex_factor(col.complex, col.imaginary, col.complex_rows, first)


@inner
def fill(w, col, a, b, S, T):
    """S + i T (n, n) = [M + c D + c^2 K, -G^T; G + c D + c^2 K, 0], c = a + i b, in the order of the factors."""
    nv, nl = len(w.x), len(w.lam)
    K, D = col.stiffness, col.damping
    lightness = w.rhs
    lightness_of(w, col.mass, lightness)
    for r in range(nv):
        i = w.rows[r].dof
        fill_row(w, col.mass[i], D[i], K[i], a, b, S[r], T[r])
    for k in range(nl):
        upper, lower = S[nv + k], T[nv + k]
        fill_row(w, col.rows[k], D[nv + k], K[nv + k], a, b, upper, lower)
        for p in range(nl):
            upper[nv + p] = lower[nv + p] = 0.0
        own = 0.0
        for r in range(nv):
            value = col.rows[k, w.rows[r].dof]
            S[r, nv + k] = -value
            T[r, nv + k] = 0.0
            own += value * value * lightness[r]
        upper[nv + k] = REGULAR * own
    if len(w.states) > 0:
        fill_states(w, a, b, S, T)


@apart
def fill_row(w, mass, damping, stiffness, a, b, upper, lower):
    """A row of M + c D + c^2 K; dofs that follow each other at once."""
    square, product = a * a - b * b, 2.0 * a * b
    r = 0
    while r < len(w.x):
        dof, count = w.rows[r].dof, w.rows[r].together
        for k in range(count):
            upper[r + k] = mass[dof + k] + a * damping[dof + k] + square * stiffness[dof + k]
            lower[r + k] = b * damping[dof + k] + product * stiffness[dof + k]
        r += count


@inner
def fill_states(w, a, b, S, T):
    """Rows and columns of the rates of states: c times the slopes of the residual, 1 - c Z, -c V - c^2 X."""
    nv, nz = len(w.x), len(w.states)
    first = nv + len(w.lam)
    square, product = a * a - b * b, 2.0 * a * b
    for j in range(nz):
        slopes, row = w.slopes[j], first + j
        for r in range(nv):
            i = w.rows[r].dof
            S[r, row], T[r, row] = a * slopes[2 * nv + i], b * slopes[2 * nv + i]
            S[row, r] = -a * slopes[nv + i] - square * slopes[i]
            T[row, r] = -b * slopes[nv + i] - product * slopes[i]
        for k in range(len(w.lam)):
            S[nv + k, row] = S[row, nv + k] = T[nv + k, row] = T[row, nv + k] = 0.0
        for k in range(nz):
            S[row, first + k], T[row, first + k] = -a * slopes[3 * nv + k], -b * slopes[3 * nv + k]
        S[row, row] += 1.0
