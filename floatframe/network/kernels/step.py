"""One step: formulas of a scheme, prediction, Newton's method; the twin of `floatframe.network.stepping`."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.network.kernels.constants import (
    FIXED_NEWTON,
    LEAP,
    LEFT_BEHIND,
    MOST_ROUNDING,
    NEWTON_SHARE,
    PATIENT,
    ROUNDING,
)
from floatframe.network.kernels.equations import evaluate, factor, reach, solve
from floatframe.network.kernels.layout import ALPHA, BDF2
from floatframe.network.kernels.options import inner

OK, FAILED, SINGULAR = range(3)


@inner
def shortest_step(s):
    """Controlled steps are not shorter, however large their errors."""
    least = s.step_min if s.step_min > 0.0 else LEAP * s.t_end
    return max(least, 16.0 * ROUNDING * abs(s.t))


@inner
def _formulas(s, b, w, method, h):
    """x = x0 + cx v and a = a0 + ca v at the end of a step."""
    n = len(w.sizes)
    if method == BDF2 and s.has_before == 1:
        ratio = h / s.h_before
        lead = (1.0 + 2.0 * ratio) / (1.0 + ratio) / h
        old, older = (1.0 + ratio) / h, ratio * ratio / (1.0 + ratio) / h
        for i in range(n):
            w.x0[i] = (old * b.y[0, i] - older * b.before[0, i]) / lead
            w.a0[i] = older * b.before[1, i] - old * b.y[1, i]
        s.cx, s.ca = 1.0 / lead, lead
    elif method == ALPHA:
        beta, gamma, m, f = s.beta, s.gamma, s.alpha_m, s.alpha_f
        share = (1.0 - m) / (1.0 - f)
        for i in range(n):
            x, v, a = b.y[0, i], b.y[1, i], b.y[2, i]
            rest = -(v / h + (1.0 - gamma) * b.alpha[i]) / gamma
            w.x0[i] = x + h * v + h * h * ((0.5 - beta) * b.alpha[i] + beta * rest)
            w.a0[i] = (m * b.alpha[i] - f * a) / (1.0 - f) + share * rest
        s.cx, s.ca = h * beta / gamma, share / (h * gamma)
    else:
        half = 0.0 if method == BDF2 else 0.5 * h
        for i in range(n):
            w.x0[i] = b.y[0, i] + half * b.y[1, i]
            w.a0[i] = -b.y[1, i] / h
        s.cx, s.ca = h - half, 1.0 / h


@inner
def _predict(tables, s, b, w, method, h):
    """v ahead: by the scheme of what stores something, by the polynomial through what lies behind of the rest."""
    quadratic = method != 0 and s.has_before == 1
    bent = s.order > 1 and s.has_older == 1
    for i in range(len(w.sizes)):
        v, a = b.y[1, i], b.y[2, i]
        ahead = v + h * a
        if quadratic:
            ahead += 0.5 * h * h * (a - b.before[2, i]) / s.h_before
        if s.has_before == 1 and tables.by_speed[i] == 0:
            slope = (v - b.before[1, i]) / s.h_before
            ahead = v + h * slope
            if bent:
                bend = (slope - (b.before[1, i] - b.older[i]) / s.h_older) / (s.h_before + s.h_older)
                ahead += h * (h + s.h_before) * bend
        w.predicted[i] = ahead


@inner
def _tolerances(tables, s, b, w):
    """Of the local error, and sizes of the unknowns so far."""
    for i in range(len(w.sizes)):
        group = tables.groups[i]
        for level in range(2):
            if abs(b.y[level, i]) > b.largest[level, group]:
                b.largest[level, group] = abs(b.y[level, i])
    for i in range(len(w.sizes)):
        w.sizes[i] = b.largest[1, tables.groups[i]]
        w.tolerance[i] = (tables.small[i] if s.atol < 0.0 else s.atol) + s.rtol * w.sizes[i]


@inner
def _changed(tables, s, w):
    """The largest change of this iteration over what ends the iterations."""
    found = 0.0
    for i in range(len(w.sizes)):
        if s.newton_potential >= 0.0:
            allowed = s.newton_potential
        elif s.step > 0.0:
            allowed = FIXED_NEWTON * (tables.small[i] + max(w.sizes[i], abs(w.y[1, i])))
        else:
            allowed = NEWTON_SHARE * w.tolerance[i]
        found = max(found, abs(w.change[i]) / allowed)
    return found


@inner
def _ended(s, w):
    """x and a of the end, from v in w.y[1]."""
    for i in range(len(w.sizes)):
        w.y[0, i] = w.x0[i] + s.cx * w.y[1, i]
        w.y[2, i] = w.a0[i] + s.ca * w.y[1, i]


@inner
def _iterate(tables, s, w, h, most):
    """Newton's method from the prediction."""
    n = len(w.sizes)
    before = math.inf
    for k in range(most):
        s.count = k + 1
        _ended(s, w)
        evaluate(tables, w, w.y, s.end, s.cx, s.ca)
        balanced = True
        for i in range(n):
            if not math.isfinite(w.residual[i]):
                return FAILED
            if s.newton_flow >= 0.0 and abs(w.residual[i]) > s.newton_flow:
                balanced = False
            w.change[i] = -w.residual[i]
        if not factor(w.J, w.pivots):
            return SINGULAR
        solve(w.J, w.pivots, w.change)
        share = reach(tables, w.y, w.change)
        for i in range(n):
            if not math.isfinite(w.change[i]):
                return FAILED
            w.y[1, i] += share * w.change[i]
        size = _changed(tables, s, w)
        settled = share == 1.0 and (size <= 1.0 or (size <= MOST_ROUNDING and size > 0.5 * before))
        before = size
        if s.constant == 1 or (balanced and settled):
            return OK
    return FAILED


@inner
def try_step(tables, s, b, w, method, h):
    """A step of length h to w.y, with its errors over the tolerance in s."""
    n = len(w.sizes)
    s.end = s.t + h
    _formulas(s, b, w, method, h)
    _predict(tables, s, b, w, method, h)
    _tolerances(tables, s, b, w)
    for i in range(n):
        w.change[i] = w.predicted[i] - b.y[1, i]
    near = reach(tables, b.y, w.change) == 1.0
    for i in range(n):
        w.y[1, i] = w.predicted[i] if near else b.y[1, i]
    most = s.iterations_most
    if h <= LEFT_BEHIND * shortest_step(s):
        most = max(most, PATIENT)
    outcome = _iterate(tables, s, w, h, most)
    _ended(s, w)
    s.error, s.stored_error = 0.0, 0.0
    for i in range(n):
        off = s.error_share * abs(w.predicted[i] - w.y[1, i])
        s.error = max(s.error, off / w.tolerance[i])
        if tables.by_speed[i] == 1:
            s.stored_error = max(s.stored_error, off / w.tolerance[i])
        if tables.by_place[i] == 1:
            size = max(abs(w.y[0, i]), b.largest[0, tables.groups[i]])
            s.stored_error = max(s.stored_error, h * off / (s.rtol * size + h * w.tolerance[i]))
    return outcome
