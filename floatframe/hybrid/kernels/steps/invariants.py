"""Invariants kept in explicit steps: states are projected onto their values at the start, with the constraints.

Of all displacements d and changes of speed u with G d = -g, G u = -g' and a_j d + b_j u = c_j - I_j, those are taken
that are smallest in the metric of inertia, omega^2 d M d + u M u, omega being the rate of the present motion. a_j and
b_j are the slopes of an invariant by displacements and speeds; they give the direction only, so that differences do:
iterations end where the invariants have their values to rounding.

A row j of w.projection (m + 1, 4 nv + m + 4) holds a_j and b_j, what a unit of the multiplier j moves, a row of the
equations for the multipliers with its right-hand side, and values. The last one is scratch space.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import row_rates
from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.energy import energy_parts, stored_at_once, system_momentum
from floatframe.hybrid.kernels.linear import by_links, factor_constrained, matrices, solve_step
from floatframe.hybrid.kernels.options import SYSTEM, entry, inner
from floatframe.hybrid.kernels.sensors import read_sensors
from floatframe.hybrid.kernels.stepping import (
    INVARIANT_ANGULAR_MOMENTUM,
    INVARIANT_ENERGY,
    INVARIANT_EXPRESSION,
)
from floatframe.hybrid.kernels.system import APPLIED, VELOCITY, evaluate_now
from floatframe.hybrid.kernels.tree import move

SHIFT = 1e-5  # for differences: share of extents, and of speeds
CORRECTIONS = 8
ROUNDING = 4e-16  # share of the terms of an invariant that is left
ROWS = 0.04  # rates of rows may be left at 1e-14 of the speeds
FASTER = 0.5  # share of a defect that a correction must take off for another to follow
DEPENDENT = 1e-9  # of its size: what others leave of the slopes of an invariant that follows from them


@inner
def invariant_values(tables, data, w, t, column):
    """Values of the invariants at w.q, w.v to a column of w.projection."""
    m = len(w.invariants)
    scratch = w.projection[m]
    evaluate_now(tables, data, w, t, VELOCITY | APPLIED, w.residual)
    read_sensors(tables, data, w.q, w.v, t)
    for j in range(m):
        one = w.invariants[j]
        if one.kind == INVARIANT_ENERGY:
            kinetic, potential, elastic = energy_parts(tables, data, w.q, w.v)
            value = kinetic + potential + elastic + stored_at_once(tables, data)
        elif one.kind == INVARIANT_EXPRESSION:
            value = program(tables, data, one.index)
        else:
            system_momentum(tables, data, w.v, one.kind == INVARIANT_ANGULAR_MOMENTUM, scratch, 0)
            value = scratch[one.index]
        w.projection[j, column] = value


@inner
def start_invariants(tables, data, w, s):
    """The values to keep are those where the steps begin."""
    m = len(w.invariants)
    if m == 0 or not math.isnan(w.invariants[0].wanted):
        return
    now = 4 * len(w.v) + m + 1
    invariant_values(tables, data, w, s.time, now)
    for j in range(m):
        w.invariants[j].wanted = w.projection[j, now]


@inner
def find_invariant_slopes(tables, data, w, t):
    """Slopes by displacements and speeds, by central differences; sizes of what the invariants are made of."""
    m, nv, nq = len(w.invariants), len(w.v), len(w.q)
    now = 4 * nv + m + 1
    scratch = w.projection[m]
    for k in range(nq):
        scratch[4 + k] = w.q[k]
    for j in range(m):
        w.invariants[j].size = abs(w.invariants[j].wanted)
    for i in range(nv):
        extent, speed = w.dofs[i].extent, w.v[i]
        for moved in range(2):
            step = SHIFT * (extent if moved == 1 else max(abs(speed), SHIFT * extent))
            for side in range(2):
                sign = 1.0 - 2.0 * side
                if moved == 1:
                    w.delta[:] = 0.0
                    w.delta[i] = sign * step
                    move(tables.links, tables.flexible, w.q, w.delta)
                else:
                    w.v[i] = speed + sign * step
                invariant_values(tables, data, w, t, now + 1 + side)
                w.v[i] = speed
                for k in range(nq):
                    w.q[k] = scratch[4 + k]
            for j in range(m):
                row = w.projection[j]
                slope = (row[now + 1] - row[now + 2]) / (2.0 * step)
                row[i if moved == 1 else nv + i] = slope
                w.invariants[j].size += abs(slope) * (extent if moved == 1 else abs(speed))


@inner
def directions(w, squared_rate):
    """What a unit of each multiplier moves, along the constraints; the equations for the multipliers, but for a column.

    The factors of the constrained mass matrix must be at hand.
    """
    m, nv, nl = len(w.invariants), len(w.v), len(w.lam)
    for j in range(m):
        row = w.projection[j]
        for part in range(2):
            for r in range(nv):
                w.rhs[r] = row[part * nv + w.rows[r].dof]
            for k in range(nl):
                w.rhs[nv + k] = 0.0
            solve_step(w, nl)
            for i in range(nv):
                row[(2 + part) * nv + i] = w.correction[i] / (squared_rate if part == 0 else 1.0)
    for j in range(m):
        for i in range(m):
            total = 0.0
            for k in range(2 * nv):
                total += w.projection[j, k] * w.projection[i, 2 * nv + k]
            w.projection[j, 4 * nv + i] = total


@inner
def solve_multipliers(w):
    """Solve the equations in place; invariants that follow from others, or depend on nothing, get no multiplier."""
    m, first = len(w.invariants), 4 * len(w.v)
    last = first + m
    P = w.projection
    for j in range(m):
        own = P[m, 4 + j] = P[j, first + j]
        for i in range(j):
            pivot = P[i, first + i]
            if pivot != 0.0:
                factor = P[j, first + i] / pivot
                for k in range(i, m + 1):
                    P[j, first + k] -= factor * P[i, first + k]
        if not P[j, first + j] > DEPENDENT * own:
            P[j, first + j] = 0.0
    for j in range(m - 1, -1, -1):
        total = P[j, last]
        for i in range(j + 1, m):
            total -= P[j, first + i] * P[i, last]
        P[j, last] = total / P[j, first + j] if P[j, first + j] != 0.0 else 0.0


@inner
def rate_of_motion(w):
    """1/s, squared: of the dofs by their speeds and accelerations over their extents."""
    found = 0.0
    for i in range(len(w.v)):
        dof = w.dofs[i]
        found = max(found, (w.v[i] / dof.extent) ** 2, abs(w.x[i]) / dof.extent)
    return found if found > 0.0 else 1.0


@inner
def correct_rows(tables, data, w, s):
    """To w.delta and w.shifted the displacements and changes of speed that close the constraints, if states are to."""
    nv, nl = len(w.v), len(w.lam)
    for part in range(2):
        for r in range(nv):
            w.rhs[r] = 0.0
        for k in range(nl):
            w.rhs[nv + k] = 0.0
        if s.project == 1.0:
            if part == 1:
                row_rates(tables, data, w.v, w.lam_step)
            for k in range(nl):
                w.rhs[nv + k] = -w.lam_step[k] if part == 1 else -data.rows[k].value
        solve_step(w, nl)
        for i in range(nv):
            if part == 0:
                w.delta[i] = w.correction[i]
            else:
                w.shifted[i] = w.correction[i]


@inner
def rows_left(tables, data, w, s, squared_rate):
    """Rates of the rows over the speed of the mechanism, on the scale of what may be left of invariants."""
    if s.project != 1.0:
        return 0.0
    row_rates(tables, data, w.v, w.lam_step)
    largest = 0.0
    for k in range(len(w.lam)):
        largest = max(largest, abs(w.lam_step[k]))
    return ROWS * largest / (max(s.mechanism_size, 1.0) * math.sqrt(squared_rate))


@inner
def keep_invariants(tables, data, w, s, t):
    """Bring w.q, w.v to where the invariants have their values, on the constraints; False if that is singular."""
    m, nv = len(w.invariants), len(w.v)
    first = 4 * nv
    last, now = first + m, first + m + 1
    find_invariant_slopes(tables, data, w, t)
    squared_rate = rate_of_motion(w)
    before = math.inf
    for _ in range(CORRECTIONS):
        invariant_values(tables, data, w, t, now)
        worst = rows_left(tables, data, w, s, squared_rate)
        for j in range(m):
            worst = max(worst, abs(w.invariants[j].wanted - w.projection[j, now]) / (w.invariants[j].size + 1e-300))
        if worst <= ROUNDING or not worst < FASTER * before:
            break
        before = worst
        evaluate_now(tables, data, w, t, matrices(by_links(w)) | VELOCITY, w.residual)
        if not factor_constrained(tables, data, w):
            return False
        correct_rows(tables, data, w, s)
        directions(w, squared_rate)
        for j in range(m):
            total = w.invariants[j].wanted - w.projection[j, now]
            for i in range(nv):
                total -= w.projection[j, i] * w.delta[i] + w.projection[j, nv + i] * w.shifted[i]
            w.projection[j, last] = total
        solve_multipliers(w)
        for j in range(m):
            row = w.projection[j]
            for i in range(nv):
                w.delta[i] += row[last] * row[2 * nv + i]
                w.shifted[i] += row[last] * row[3 * nv + i]
        move(tables.links, tables.flexible, w.q, w.delta)
        for i in range(nv):
            w.v[i] += w.shifted[i]
    return True


@entry(*SYSTEM)
def measure_invariants(tables, data, w, s):
    """Values of the invariants at s.time and the tried coordinates and speeds, to w.invariants.wanted."""
    now = 4 * len(w.v) + len(w.invariants) + 1
    invariant_values(tables, data, w, s.time, now)
    for j in range(len(w.invariants)):
        w.invariants[j].wanted = w.projection[j, now]
