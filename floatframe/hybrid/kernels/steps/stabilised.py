"""Rows whose deviations return: y' = K y in place of 0 = 0, and what single steps add to y.

y holds the deviations g of the rows of places, their rates g', and the rates of rows of speeds. K is that of every row
by itself, g'' = value_gain g + rate_gain g', or a matrix over all of them (w.gains), or a function of the user's.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.constraints import row_rates
from floatframe.hybrid.kernels.layout import SPEEDS
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import BY_FUNCTION, BY_GAINS, BY_PAIR, NOT_STABILISED
from floatframe.hybrid.kernels.steps.tableaus import R1, R4, R5, R8
from floatframe.native import call_at


@inner
def demand_accelerations(tables, data, w, s, t):
    """To w.rhs, behind the dofs, the accelerations that rows are to have less the convective ones."""
    nv, nl = len(w.x), len(w.lam)
    if s.stabilise == NOT_STABILISED:
        for k in range(nl):
            w.rhs[nv + k] = -data.rows[k].convective
        return
    rates = w.lam_step
    row_rates(tables, data, w.v, rates)
    if s.stabilise == BY_FUNCTION:
        first = exchange(data, w, rates, t)
        for k in range(nl):
            w.rhs[nv + k] = w.exchanged[first + k] - data.rows[k].convective
        return
    for k in range(nl):
        if s.stabilise == BY_PAIR:
            total = s.value_gain * data.rows[k].value + s.rate_gain * rates[k]
        else:
            total = 0.0
            for j in range(nl):
                total += w.gains[k, j] * data.rows[j].value + w.gains[k, nl + j] * rates[j]
        w.rhs[nv + k] = total - data.rows[k].convective


@inner
def exchange(data, w, rates, t):
    """Call the function with t, q, v, deviations and their rates; where its answer begins in w.exchanged."""
    x = w.exchanged
    x[0] = t
    place = 1
    for i in range(len(w.q)):
        x[place] = w.q[i]
        place += 1
    for i in range(len(w.v)):
        x[place] = w.v[i]
        place += 1
    for k in range(len(rates)):
        x[place] = data.rows[k].value
        x[place + len(rates)] = rates[k]
        place += 1
    call_at(w.traits.stabiliser, x, 0)
    return place + len(rates)


@inner
def polynomial(count):
    """The stability polynomial of the method with so many stages."""
    return R8 if count == 12 else R5 if count == 7 else R4 if count == 4 else R1


@inner
def see_start(tables, data, w, s):
    """Deviations at the start of a run; they count as what a step before it added."""
    if s.stabilise == NOT_STABILISED:
        return
    for k in range(len(w.lam)):
        w.multipliers[k].gap = w.multipliers[k].gap_rate = 0.0
    see_deviations(tables, data, w, s, s.h_max)


@inner
def see_deviations(tables, data, w, s, h):
    """What a step h has added to the deviations, beside what its method makes of those it found: y - R(h K) y_0."""
    nl = len(w.lam)
    rates = w.lam_step
    row_rates(tables, data, w.v, rates)
    if s.stabilise == BY_GAINS:
        return_by_gains(tables, w, s, h)
    c = polynomial(int(s.stages))
    for k in range(nl):
        here = w.multipliers[k]
        gap = rate = 0.0
        if s.stabilise == BY_GAINS:
            gap, rate = w.exchanged[k], w.exchanged[nl + k]
        elif s.stabilise == BY_PAIR:
            places = 0.0 if tables.rows[k].level == SPEEDS else 1.0
            gap, rate = c[len(c) - 1] * here.gap, c[len(c) - 1] * here.gap_rate
            for j in range(len(c) - 2, -1, -1):
                faster = s.value_gain * gap + s.rate_gain * rate
                gap, rate = c[j] * here.gap + h * places * rate, c[j] * here.gap_rate + h * faster
        s.local_gap = max(s.local_gap, abs(data.rows[k].value - gap) / h)
        s.local_gap_rate = max(s.local_gap_rate, abs(rates[k] - rate) / h)
    for k in range(nl):
        w.multipliers[k].gap = data.rows[k].value
        w.multipliers[k].gap_rate = rates[k]


@inner
def return_by_gains(tables, w, s, h):
    """To w.exchanged (4 nlambda) what a step h makes of the deviations it found: R(h K) y_0, by Horner's rule."""
    nl = len(w.lam)
    u = w.exchanged
    c = polynomial(int(s.stages))
    for k in range(2 * nl):
        u[k] = 0.0
    for j in range(len(c) - 1, -1, -1):
        for k in range(nl):
            u[2 * nl + k] = 0.0 if tables.rows[k].level == SPEEDS else u[nl + k]
            total = 0.0
            for i in range(2 * nl):
                total += w.gains[k, i] * u[i]
            u[3 * nl + k] = total
        for k in range(nl):
            u[k] = c[j] * w.multipliers[k].gap + h * u[2 * nl + k]
            u[nl + k] = c[j] * w.multipliers[k].gap_rate + h * u[3 * nl + k]
