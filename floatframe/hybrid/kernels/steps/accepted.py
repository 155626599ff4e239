"""States that steps lead to: accepted as the next start, kept as records."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.constraints import remember_angles
from floatframe.hybrid.kernels.forces import remember_forces
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    EVALUATIONS,
    ITERATIONS,
    LAM,
    LAM0,
    LAM1,
    LAST_H,
    Q0,
    REFRESHES,
    REJECTED,
    STEPS,
    TIME,
    V0,
    WORK,
    X0,
    X1,
    Q,
    V,
    X,
)


@inner
def accept_state(tables, data, w, s, h):
    """Make the end of a step of length h the state that the next one starts from."""
    for i in range(len(w.vv[X])):
        w.vv[X1, i] = w.vv[X0, i]
        w.vv[X0, i] = w.vv[X, i]
        w.vv[V0, i] = w.vv[V, i]
    for i in range(len(w.qq[Q])):
        w.qq[Q0, i] = w.qq[Q, i]
    for k in range(len(w.ll[LAM])):
        w.ll[LAM1, k] = w.ll[LAM0, k]
        w.ll[LAM0, k] = w.ll[LAM, k]
    for k in range(w.events.shape[1]):
        w.events[0, k] = w.events[1, k]
    remember_angles(tables.coordinates, data.coordinates, data.memory)
    remember_forces(tables, data)
    s[STEPS] += 1.0
    s[LAST_H] = h


@inner
def keep(data, w, s, kept, m):
    """The accepted state as record m."""
    kept.t[m] = s[TIME]
    for i in range(len(w.qq[Q0])):
        kept.q[m, i] = w.qq[Q0, i]
    for i in range(len(w.vv[V0])):
        kept.v[m, i] = w.vv[V0, i]
        kept.x[m, i] = w.vv[X0, i]
    for i in range(len(w.ll[LAM0])):
        kept.lam[m, i] = w.ll[LAM0, i]
    kept.counters[m, 0] = s[STEPS]
    kept.counters[m, 1] = s[ITERATIONS]
    kept.counters[m, 2] = s[EVALUATIONS]
    kept.counters[m, 3] = s[REFRESHES]
    kept.counters[m, 4] = s[REJECTED]
    kept.counters[m, 5] = s[LAST_H]
    kept.counters[m, 6] = s[WORK]
    for i in range(len(data.memory)):
        kept.memory[m, i] = data.memory[i]
