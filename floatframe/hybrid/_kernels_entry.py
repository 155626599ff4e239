"""The one kernel that Python calls: evaluate a system, run it, observe it, move its coordinates.

Compiled code of everything below is part of every kernel Python can call, so there is only one.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from numba import njit

from floatframe.hybrid._kernels_explicit import find_accelerations, run_explicit
from floatframe.hybrid._kernels_implicit import run
from floatframe.hybrid._kernels_observe import observe
from floatframe.hybrid._kernels_system import evaluate
from floatframe.hybrid._kernels_tree import move
from floatframe.hybrid.kernel_cache import forget_stale
from floatframe.hybrid.stepping import (
    DELTA,
    KIND,
    LAM,
    REACHED,
    RESIDUAL,
    RUNGE_KUTTA,
    SINGULAR,
    TASK_ACCELERATE,
    TASK_EVALUATE,
    TASK_MOVE,
    TASK_OBSERVE,
    TASK_RUN,
    TIME,
    Q,
    V,
    X,
)


@njit(cache=True, error_model="numpy", _nrt=False)
def serve(task, what, tables, data, w, s, formula, times, kept, probes, out):
    """Do one task; returns how many records were kept and how it ended.

    TASK_EVALUATE: `what` (bits of _kernels_system) at s[TIME], w.qq[Q], w.vv[V], w.vv[X], w.ll[LAM].
    TASK_MOVE: w.qq[Q] along w.vv[DELTA].
    TASK_RUN: advance to the times, records into kept; `what` = 1 keeps every step on the way to times[0].
    TASK_ACCELERATE: accelerations w.vv[X] and multipliers w.ll[LAM] at s[TIME], w.qq[Q], w.vv[V].
    TASK_OBSERVE: columns out (m, ncolumn) of the states in kept.
    """
    count = 0
    outcome = REACHED
    if task == TASK_EVALUATE:
        evaluate(tables, data, s[TIME], w.qq[Q], w.vv[V], w.vv[X], w.ll[LAM], what, w.vv[RESIDUAL], w.M, w.G)
    elif task == TASK_MOVE:
        move(tables.links, tables.flexible, w.qq[Q], w.vv[DELTA])
    elif task == TASK_RUN:
        if s[KIND] == RUNGE_KUTTA:
            count, outcome = run_explicit(tables, data, w, s, times, what == 1, kept)
        else:
            count, outcome = run(tables, data, w, s, formula, times, what == 1, kept)
    elif task == TASK_ACCELERATE:
        if not find_accelerations(tables, data, w, s, s[TIME]):
            outcome = SINGULAR
    elif task == TASK_OBSERVE:
        observe(tables, data, probes, kept, w, out)
    return count, outcome


forget_stale(serve)
