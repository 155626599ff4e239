"""One step of an explicit Runge-Kutta method: stages, error, and values inside the step."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.energy import outer_power
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.steps.contacts import watch_contacts
from floatframe.hybrid.kernels.steps.error_scale import speed_scale, step_tolerance
from floatframe.hybrid.kernels.steps.index1 import coordinate_derivatives, find_accelerations
from floatframe.hybrid.kernels.steps.states import start_states, state_scale
from floatframe.hybrid.kernels.steps.tableaus import A8, D8, E5, E8, P5

NEXT = 12  # row of the derivatives at the end of the last step
LAST_DIGITS = 2e-16  # of positions and speeds, by which they are moved to see what rounding does
REMEMBERED = 0.9  # of the rounding measured before
MOST_ROUNDING = 1e-5  # of the accelerations: changes beyond it are jumps of forces


@inner
def stages(tables, data, w, s, h, count, A):
    """Derivatives of all stages of a step into w.kq, w.kv; the first is known. False if the system is singular."""
    nq, nv = len(w.q), len(w.v)
    for k in range(nq):
        w.kq[0, k] = w.kq[NEXT, k]
    for k in range(nv):
        w.kv[0, k] = w.kv[NEXT, k]
    for k in range(len(w.states)):
        w.kz[0, k] = w.kz[NEXT, k]
    w.power[0] = w.power[NEXT]
    for i in range(1, count):
        c = 0.0
        for k in range(nq):
            w.q[k] = w.coordinates[k].q0
        for k in range(nv):
            w.v[k] = w.dofs[k].v0
        start_states(tables, data, w)
        for j in range(i):
            a = h * A[i, j]
            c += A[i, j]
            if a != 0.0:
                for k in range(nq):
                    w.q[k] += a * w.kq[j, k]
                for k in range(nv):
                    w.v[k] += a * w.kv[j, k]
                add_states(tables, data, w, a, j)
        if not find_accelerations(tables, data, w, s, s.time + c * h):
            return False
        watch_contacts(tables, data, w, i == 1)
        keep_stage(tables, data, w, i)
    return True


@inner
def keep_stage(tables, data, w, i):
    """The derivatives at the state tried as those of stage i."""
    w.power[i] = outer_power(tables, data, w.lam, w.v)
    for k in range(len(w.v)):
        w.kv[i, k] = w.x[k]
    for k in range(len(w.states)):
        w.kz[i, k] = data.slots[tables.states[k].rate]
    coordinate_derivatives(tables.links, tables.flexible, w.q, w.v, w.kq[i])


@inner
def add_states(tables, data, w, factor, j):
    """Add to the states tried their rates at stage j times a factor."""
    for k in range(len(w.states)):
        data.memory[tables.states[k].memory] += factor * w.kz[j, k]


@inner
def combine(w, h, count, weights):
    """w.q, w.v = start + h * weighted stages."""
    for k in range(len(w.q)):
        total = 0.0
        for j in range(count):
            total += weights[j] * w.kq[j, k]
        w.q[k] = w.coordinates[k].q0 + h * total
    for k in range(len(w.v)):
        total = 0.0
        for j in range(count):
            total += weights[j] * w.kv[j, k]
        w.v[k] = w.dofs[k].v0 + h * total


@inner
def error_of(tables, data, w, s, h, count, hidden):
    """Estimated error of the step over its tolerance, root mean square over positions, speeds and states.

    Of speeds, so many times the rounding of accelerations does not count.
    """
    fine = coarse = 0.0
    nq, nv, nz = len(w.q), len(w.v), len(w.states)
    for k in range(nq):
        a, b = estimates(w.kq, k, count)
        scale = w.coordinates[k].extent
        fine += (a / scale) ** 2
        coarse += (b / scale) ** 2
    for k in range(nv):
        a, b = estimates(w.kv, k, count)
        scale = speed_scale(w, s, k)
        rounding = hidden * w.dofs[k].rounding
        fine += (beyond(a, rounding) / scale) ** 2
        coarse += (beyond(b, rounding) / scale) ** 2
    for k in range(nz):
        a, b = estimates(w.kz, k, count)
        scale = state_scale(tables, data, w, k)
        fine += (a / scale) ** 2
        coarse += (b / scale) ** 2
    if count == 7:
        return h * math.sqrt(fine / max(1, nq + nv + nz)) / step_tolerance(s, h)
    both = fine + 0.01 * coarse
    return h * fine / math.sqrt(both * max(1, nq + nv + nz)) / step_tolerance(s, h) if both != 0.0 else 0.0


@inner
def measure_rounding(tables, data, w, s):
    """What the last digits of positions and speeds at the start of the step do to its accelerations, to w.dofs.

    Systems that are solved badly, as long chains by their mass matrix, make much of them. It is measured by one
    evaluation close by, each time another one, since some change nothing; what was seen before is forgotten slowly, as
    a share of the accelerations. What is more than rounding does, as where friction turns, does not count.
    """
    digits = LAST_DIGITS * (1 + int(s.rejected + s.steps) % 5)
    for k in range(len(w.q)):
        w.q[k] = w.coordinates[k].q0 + digits * w.coordinates[k].extent
    for b in range(len(tables.flexible)):
        body = tables.flexible[b]
        for k in range(body.iq, body.iq + body.n):
            w.q[k] = w.coordinates[k].q0 * (1.0 + digits)
    for k in range(len(w.v)):
        w.v[k] = w.dofs[k].v0 * (1.0 + digits)
    start_states(tables, data, w)
    good = find_accelerations(tables, data, w, s, s.time)
    change = size = 0.0
    for k in range(len(w.v)):
        change += ((w.x[k] - w.kv[NEXT, k]) / w.dofs[k].extent) ** 2
        size += (w.kv[NEXT, k] / w.dofs[k].extent) ** 2
    believed = good and change <= MOST_ROUNDING**2 * size
    left = REMEMBERED * min(1.0, math.sqrt(size) / s.rounding_size) if believed and s.rounding_size > 0.0 else 0.0
    s.rounding_size = math.sqrt(size) if believed else 0.0
    for k in range(len(w.v)):
        dof = w.dofs[k]
        dof.rounding = max(abs(w.x[k] - w.kv[NEXT, k]), left * dof.rounding) if believed else 0.0


@inner
def beyond(value, rounding):
    """What of an estimate is more than rounding."""
    return max(abs(value) - rounding, 0.0)


@inner
def estimates(derivatives, k, count):
    """Estimates of the error of coordinate k per unit of time; the second is of lower order, for eight orders only."""
    fine = coarse = 0.0
    if count == 7:
        for j in range(7):
            fine += E5[j] * derivatives[j, k]
    else:
        for j in range(12):
            fine += E8[0, j] * derivatives[j, k]
            coarse += E8[1, j] * derivatives[j, k]
    return fine, coarse


@inner
def inside(tables, data, w, s, formula, t):
    """w.q, w.v = the state at a time inside the last step, by the polynomial of its stages; False if it is singular.

    The work [J] done until then goes to s.work_inside.
    """
    h = s.time - s.before_time
    x = (t - s.before_time) / h
    if s.stages != 7.0 and not inner_stages(tables, data, w, s, h):
        return False
    share = 0.0 if s.stages == 7.0 else x * x * (3.0 - 2.0 * x)
    for k in range(len(w.q)):
        w.q[k] = w.coordinates[k].q_before + share * (w.coordinates[k].q0 - w.coordinates[k].q_before)
    for k in range(len(w.v)):
        w.v[k] = w.dofs[k].v_before + share * (w.dofs[k].v0 - w.dofs[k].v_before)
    for k in range(len(w.states)):
        state = w.states[k]
        data.memory[tables.states[k].memory] = state.z_before + share * (state.z0 - state.z_before)
    s.work_inside = s.work_before + share * (s.work - s.work_before)
    for j in range(7 if s.stages == 7.0 else 16):
        weight = h * (
            x * (P5[j, 0] + x * (P5[j, 1] + x * (P5[j, 2] + x * P5[j, 3]))) if s.stages == 7.0 else weight_inside(j, x)
        )
        for k in range(len(w.q)):
            w.q[k] += weight * w.kq[j, k]
        for k in range(len(w.v)):
            w.v[k] += weight * w.kv[j, k]
        add_states(tables, data, w, weight, j)
        s.work_inside += weight * w.power[j]
    return True


@inner
def weight_inside(j, x):
    """Weight of the derivatives of stage j of dop853 at the share x of a step, beside the cubic through its ends."""
    y = 1.0 - x
    weight = x * x * y * y * (D8[0, j] + x * (D8[1, j] + y * (D8[2, j] + x * D8[3, j])))
    if j == 0:
        weight += x * y * y
    elif j == NEXT:
        weight -= x * x * y
    return weight


@inner
def inner_stages(tables, data, w, s, h):
    """The stages that only values inside the last step need, once for each step."""
    if s.inside == s.steps:
        return True
    for i in range(13, 16):
        for k in range(len(w.q)):
            w.q[k] = w.coordinates[k].q_before
        for k in range(len(w.v)):
            w.v[k] = w.dofs[k].v_before
        for k in range(len(w.states)):
            data.memory[tables.states[k].memory] = w.states[k].z_before
        c = 0.0
        for j in range(i):
            a = h * A8[i, j]
            c += A8[i, j]
            if a != 0.0:
                for k in range(len(w.q)):
                    w.q[k] += a * w.kq[j, k]
                for k in range(len(w.v)):
                    w.v[k] += a * w.kv[j, k]
                add_states(tables, data, w, a, j)
        if not find_accelerations(tables, data, w, s, s.before_time + c * h):
            return False
        keep_stage(tables, data, w, i)
    s.inside = s.steps
    return True
