"""One step of the method Radau IIA of order 5 on the index-1 equations.

Unknowns are accelerations x_i, multipliers and rates of states of three stages; speeds are v_i = v_0 + h sum a_ij x_j,
states likewise, displacements d_i = h sum a_ij d'_j with the rates d' of rotation vectors for rotations. Quaternions
moved by them stay of length one, and the order is that of the method.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np

from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.layout import FREE, SPHERICAL
from floatframe.hybrid.kernels.linear import complex_solve, lu_solve
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import FAILED, NOT_A_NUMBER, REACHED, SINGULAR
from floatframe.hybrid.kernels.steps.contacts import watch_contacts
from floatframe.hybrid.kernels.steps.error_scale import speed_scale, step_tolerance, try_speeds
from floatframe.hybrid.kernels.steps.radau_matrix import REAL, factor, linearise
from floatframe.hybrid.kernels.steps.states import state_scale
from floatframe.hybrid.kernels.system import ALL_FORCES, CONVECTIVE, evaluate_now
from floatframe.hybrid.kernels.tree import move

R6 = 6**0.5
C = np.array([(4 - R6) / 10, (4 + R6) / 10, 1.0])
A = np.array(
    [
        [(88 - 7 * R6) / 360, (296 - 169 * R6) / 1800, (-2 + 3 * R6) / 225],
        [(296 + 169 * R6) / 1800, (88 + 7 * R6) / 360, (-2 - 3 * R6) / 225],
        [(16 - R6) / 36, (16 + R6) / 36, 1 / 9],
    ]
)
# the stages in terms of the eigenvectors of A, one real and two that are real and imaginary part of one, and back
T = np.array(
    [
        [0.09443876248897524, -0.14125529502095421, 0.03002919410514742],
        [0.25021312296533332, 0.20412935229379994, -0.38294211275726192],
        [1.0, 1.0, 0.0],
    ]
)
TI = np.array(
    [
        [4.17871859155190428, 0.32768282076106237, 0.52337644549944951],
        [-4.17871859155190428, -0.32768282076106237, 0.47662355450055044],
        [0.50287263494578682, -2.57192694985560522, 0.59603920482822492],
    ]
)
E = np.array([-13 - 7 * R6, -13 + 7 * R6, -1.0]) / 3  # of the embedded method of order 3
MAX_ITERATIONS = 8
ITERATED, ITERATED_FIXED = 0.3, 0.03  # of a step's tolerance, or of newton_tolerance, that iterations may leave
SETTLED = 1e-2  # rtol that iterations heed at most: what they leave of stiff motions rings on in later steps
FASTEST_CONTRACTION = 0.01  # of corrections, that is believed
# a second correction over the first that means divergence: where bending shortens a stiff beam, the first correction
# sets the bending and the second one what follows from its square, and both may be of one size
SECOND = 2.0
SLOW = 0.1  # contraction above which the equations are linearised again for the next step
LASTING = 1.1  # growth of the number of steps that slopes are used for, each time they were renewed in time
DIGIT = 1e-16  # half the last one, of a position that is large for the model or of a mode
TURNS = 2  # passes over the rates of rotation vectors in each iteration


@inner
def predict(w, s, col, h):
    """Stages extrapolated from those of the last step, or the accelerations at the start if there is none."""
    ratio = h / s.stage_h if s.stage_h > 0.0 else 0.0
    for i in range(3):
        t = 1.0 + ratio * C[i]
        l0 = (t - C[1]) * (t - C[2]) / ((C[0] - C[1]) * (C[0] - C[2]))
        l1 = (t - C[0]) * (t - C[2]) / ((C[1] - C[0]) * (C[1] - C[2]))
        l2 = (t - C[0]) * (t - C[1]) / ((C[2] - C[0]) * (C[2] - C[1]))
        for k in range(len(w.x)):
            x = l0 * col.x_last[0, k] + l1 * col.x_last[1, k] + l2 * col.x_last[2, k]
            col.x[i, k] = x if ratio > 0.0 else w.dofs[k].x0
        for k in range(len(w.lam)):
            lam = l0 * col.lam_last[0, k] + l1 * col.lam_last[1, k] + l2 * col.lam_last[2, k]
            col.lam[i, k] = lam if ratio > 0.0 else w.multipliers[k].lam0
        for k in range(len(w.states)):
            rho = l0 * col.rho_last[0, k] + l1 * col.rho_last[1, k] + l2 * col.rho_last[2, k]
            col.rho[i, k] = rho if ratio > 0.0 else w.states[k].rate0
    for i in range(3):
        for k in range(len(w.x)):
            col.d[i, k] = h * C[i] * w.dofs[k].v0


@inner
def turn_rate(d, v, out, iv):
    """Derivative of the rotation vector d at angular velocity v, both in body axes, from place iv of the arrays on."""
    d0, d1, d2 = d[iv], d[iv + 1], d[iv + 2]
    v0, v1, v2 = v[iv], v[iv + 1], v[iv + 2]
    c0, c1, c2 = d1 * v2 - d2 * v1, d2 * v0 - d0 * v2, d0 * v1 - d1 * v0
    square = d0 * d0 + d1 * d1 + d2 * d2
    if square < 1e-4:
        f = 1.0 / 12.0 + square / 720.0
    else:
        half = 0.5 * math.sqrt(square)
        f = (1.0 - half / math.tan(half)) / square
    out[iv] = v0 + 0.5 * c0 + f * (d1 * c2 - d2 * c1)
    out[iv + 1] = v1 + 0.5 * c1 + f * (d2 * c0 - d0 * c2)
    out[iv + 2] = v2 + 0.5 * c2 + f * (d0 * c1 - d1 * c0)


@inner
def update_stages(tables, w, col, h):
    """Speeds and displacements of the stages that belong to their accelerations."""
    nv = len(w.x)
    for i in range(3):
        for k in range(nv):
            col.v[i, k] = w.dofs[k].v0 + h * (A[i, 0] * col.x[0, k] + A[i, 1] * col.x[1, k] + A[i, 2] * col.x[2, k])
    for _ in range(TURNS):
        for i in range(3):
            for k in range(nv):
                col.rate[i, k] = col.v[i, k]
            for j in range(1, len(tables.links)):
                kind = tables.links[j].kind
                if kind in (SPHERICAL, FREE):
                    turn_rate(col.d[i], col.v[i], col.rate[i], tables.links[j].iv + (3 if kind == FREE else 0))
        for i in range(3):
            for k in range(nv):
                col.d[i, k] = h * (A[i, 0] * col.rate[0, k] + A[i, 1] * col.rate[1, k] + A[i, 2] * col.rate[2, k])


@inner
def set_stage(tables, data, w, col, h, i):
    """Try the state of a stage."""
    for k in range(len(w.states)):
        way = A[i, 0] * col.rho[0, k] + A[i, 1] * col.rho[1, k] + A[i, 2] * col.rho[2, k]
        data.memory[tables.states[k].memory] = w.states[k].z0 + h * way
    for k in range(len(w.q)):
        w.q[k] = w.coordinates[k].q0
    move(tables.links, tables.flexible, w.q, col.d[i])
    for k in range(len(w.x)):
        w.v[k] = col.v[i, k]
        w.x[k] = col.x[i, k]
    for k in range(len(w.lam)):
        w.lam[k] = col.lam[i, k]


@inner
def residuals(tables, data, w, s, col, h):
    """What the stages leave of the equations, with the sign of a right-hand side, in col.dx, col.dlam, col.drho."""
    nl = len(w.lam)
    what = ALL_FORCES | CONVECTIVE if nl > 0 else ALL_FORCES
    for i in range(3):
        set_stage(tables, data, w, col, h, i)
        evaluate_now(tables, data, w, s.time + C[i] * h, what, w.residual)
        s.evaluations += 1
        for k in range(len(w.x)):
            col.dx[i, k] = -w.residual[k]
        for k in range(nl):
            col.dlam[i, k] = -data.rows[k].convective
        for k in range(len(w.states)):
            col.drho[i, k] = data.slots[tables.states[k].rate] - col.rho[i, k]
        col.power[i] = outer_power(tables, data, w.lam, w.v)
        watch_contacts(tables, data, w, i == 0)


@inner
def correct(w, col):
    """Turn right-hand sides in col.dx, col.dlam, col.drho into corrections, by the factors of the two eigenvalues."""
    nv, nl = len(w.x), len(w.lam)
    n = nv + nl + len(w.states)
    rhs, other, turned = col.rhs, col.complex_rhs, col.imaginary_rhs
    for r in range(n):
        if r < nv:
            k = w.rows[r].dof
            a, b, c = col.dx[0, k], col.dx[1, k], col.dx[2, k]
        elif r < nv + nl:
            a, b, c = col.dlam[0, r - nv], col.dlam[1, r - nv], col.dlam[2, r - nv]
        else:
            k = r - nv - nl
            a, b, c = col.drho[0, k], col.drho[1, k], col.drho[2, k]
        rhs[r] = TI[0, 0] * a + TI[0, 1] * b + TI[0, 2] * c
        other[r] = TI[1, 0] * a + TI[1, 1] * b + TI[1, 2] * c
        turned[r] = TI[2, 0] * a + TI[2, 1] * b + TI[2, 2] * c
    lu_solve(col.real, col.real_rows, rhs)
    complex_solve(col.complex, col.imaginary, col.complex_rows, other, turned)
    for r in range(n):
        for i in range(3):
            value = T[i, 0] * rhs[r] + T[i, 1] * other[r] + T[i, 2] * turned[r]
            if r < nv:
                col.dx[i, w.rows[r].dof] = value
            elif r < nv + nl:
                col.dlam[i, r - nv] = value
            else:
                col.drho[i, r - nv - nl] = value


@inner
def size_of_corrections(tables, data, w, s, col, h):
    """Root mean square of the corrections of speeds and states, over what their errors are a share of."""
    total = 0.0
    for k in range(len(w.x)):
        scale = h / speed_scale(w, s, k)
        for i in range(3):
            total += (scale * col.dx[i, k]) ** 2
    for k in range(len(w.states)):
        scale = h / state_scale(tables, data, w, k)
        for i in range(3):
            total += (scale * col.drho[i, k]) ** 2
    return math.sqrt(total / max(1, 3 * (len(w.x) + len(w.states))))


@inner
def find_rounding(tables, w, col):
    """What the last digits of positions do to the accelerations of a step, by the factors at hand, to col.rounding."""
    nv, size = len(w.x), w.correction
    for k in range(nv):
        size[k] = w.dofs[k].extent
    for b in range(len(tables.flexible)):
        body = tables.flexible[b]
        for i in range(body.n):
            size[body.iv + i] = abs(w.coordinates[body.iq + i].q0)
    for r in range(len(col.rhs)):
        i = w.rows[r].dof if r < nv else r
        total = 0.0
        if r < nv + len(w.lam):
            for k in range(nv):
                total += abs(col.stiffness[i, k]) * size[k]
        col.rhs[r] = DIGIT * total
    lu_solve(col.real, col.real_rows, col.rhs)
    for r in range(nv):
        col.rounding[w.rows[r].dof] = col.rhs[r]


@inner
def size_of_rounding(w, s, col, h):
    """Root mean square of what rounding does to the speeds of a step h, over what their errors are a share of.

    Iterations come no further, and errors of steps are not seen below it.
    """
    total = 0.0
    for k in range(len(w.x)):
        total += (h * col.rounding[k] / speed_scale(w, s, k)) ** 2
    return math.sqrt(total / max(1, len(w.x) + len(w.states))) if math.isfinite(total) else 0.0


@inner
def renew_slopes(s, slow):
    """After a step: whether the next one takes new slopes, before iterations with those at hand fail as others have."""
    s.age += 1.0
    if 0.0 < s.lasting < s.age + 1.0:
        s.lasting *= LASTING
        s.age = -1.0
    elif slow:
        s.age = -1.0


@inner
def solve_stages(tables, data, w, s, col, h):
    """Simplified Newton's method on the stages of a step h; returns REACHED or why not."""
    allowed = ITERATED_FIXED * s.newton_tolerance
    if s.rtol > 0.0:
        allowed = ITERATED * step_tolerance(s, h) * min(SETTLED / s.rtol, 1.0)
    while True:
        predict(w, s, col, h)
        update_stages(tables, w, col, h)
        fresh = s.age < 0.0
        if fresh:
            set_stage(tables, data, w, col, h, 1)
            linearise(tables, data, w, s, col, s.time + C[1] * h, h)
            s.age = 0.0
        if fresh or s.factored_h != h:
            if not factor(w, col, h):
                return SINGULAR
            find_rounding(tables, w, col)
            s.factored_h = h
            s.refreshes += 1
            s.contraction = 0.5
        for k in range(len(w.v)):
            w.v[k] = col.v[2, k]
        try_speeds(w, s)
        least = max(size_of_rounding(w, s, col, h), 1e-14)
        before = 0.0
        finite = True
        for iteration in range(MAX_ITERATIONS):
            residuals(tables, data, w, s, col, h)
            s.iterations += 1
            correct(w, col)
            for k in range(len(w.v)):
                w.v[k] = w.dofs[k].v0  # a wild iterate must not make what follows it look small
            for k in range(len(w.states)):
                data.memory[tables.states[k].memory] = w.states[k].z0
            size = size_of_corrections(tables, data, w, s, col, h)
            finite = math.isfinite(size)
            if not finite:
                break
            for i in range(3):
                for k in range(len(w.x)):
                    col.x[i, k] += col.dx[i, k]
                for k in range(len(w.lam)):
                    col.lam[i, k] += col.dlam[i, k]
                for k in range(len(w.states)):
                    col.rho[i, k] += col.drho[i, k]
            update_stages(tables, w, col, h)
            if before > 0.0:
                s.contraction = size / before
                left = MAX_ITERATIONS - 1 - iteration
                judged = iteration > 1 or s.contraction > SECOND
                if judged and s.contraction > 0.99 and size > allowed:
                    break
                if judged and size * s.contraction**left > allowed * (1.0 - s.contraction) and size > allowed:
                    break
            rate = min(max(s.contraction, FASTEST_CONTRACTION if iteration > 0 else 0.1), 0.99)
            if size * rate <= allowed * (1.0 - rate) or size < least:
                s.newton_count = iteration + 1.0
                renew_slopes(s, iteration > 0 and s.contraction > SLOW and not fresh)
                return REACHED
            before = size
        s.lasting = 0.0 if fresh else s.age
        s.age = -1.0
        if fresh:
            if s.level >= 2.0:
                return FAILED if finite else NOT_A_NUMBER
            s.level += 1.0


@inner
def radau_error(tables, data, w, s, col, h):
    """Estimated error of the step, root mean square over positions, speeds and states, over what errors are a share of.

    Called with the last stage, the end of the step, as the state tried.
    """
    nv, nl, nz = len(w.x), len(w.lam), len(w.states)
    g = h / REAL
    for k in range(nv):
        v0 = w.dofs[k].v0
        speed = E[0] * (col.v[0, k] - v0) + E[1] * (col.v[1, k] - v0) + E[2] * (col.v[2, k] - v0)
        place = E[0] * col.d[0, k] + E[1] * col.d[1, k] + E[2] * col.d[2, k]
        w.correction[k] = (h * w.dofs[k].x0 + speed) / REAL
        w.delta[k] = (h * v0 + place) / REAL
    # stiff parts of it are filtered, as an implicit step filters them
    for r in range(nv + nl):
        i = w.rows[r].dof if r < nv else r
        total = 0.0
        for k in range(nv):
            own = col.mass[i, k] if r < nv else col.rows[r - nv, k]
            total += own * w.correction[k] - g * col.stiffness[i, k] * w.delta[k]
        col.rhs[r] = total
    for j in range(nz):
        total = 0.0
        for i in range(3):
            way = A[i, 0] * col.rho[0, j] + A[i, 1] * col.rho[1, j] + A[i, 2] * col.rho[2, j]
            total += E[i] * h * way
        total = (h * w.states[j].rate0 + total) / REAL
        for k in range(nv):
            total += g * w.slopes[j, k] * w.delta[k]
        col.rhs[nv + nl + j] = total
    lu_solve(col.real, col.real_rows, col.rhs)
    error = 0.0
    for r in range(nv):
        k = w.rows[r].dof
        speed = col.rhs[r]
        place = w.delta[k] + g * speed
        error += (speed / speed_scale(w, s, k)) ** 2 + (place / w.dofs[k].extent) ** 2
    for j in range(nz):
        error += (col.rhs[nv + nl + j] / state_scale(tables, data, w, j)) ** 2
    return math.sqrt(error / max(1, 2 * nv + nz))
