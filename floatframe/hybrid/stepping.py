"""Numbers shared by the integration kernels and their caller: places of settings, outcomes, step formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.hybrid.layout import JOINT_NQ, Tables

# places in the vector of settings and counters
(
    KIND,
    H,
    RTOL,
    H_MIN,
    H_MAX,
    NEWTON_TOLERANCE,
    PROJECT,
    TIME,
    CV,
    CQ,
    FACTORED_CQ,
    AGE,
    LEVEL,
    CONTRACTION,
    STEPS_DONE,
    STEPS,
    ITERATIONS,
    EVALUATIONS,
    REFRESHES,
    REJECTED,
    LOCAL_ERROR,
    LAST_H,
    FIRST_EVENT,
    LAST_EVENT,
    EVENT_FOUND,
    N_SETTINGS,
) = range(26)

# forms of step formulas
ONE_STEP, MULTI_STEP = 0.0, 1.0
# what the entry kernel is asked to do
TASK_EVALUATE, TASK_MOVE, TASK_RUN, TASK_OBSERVE = range(4)
# how a run between record points ended
REACHED, EVENT, FAILED, SINGULAR, NOT_A_NUMBER, TOO_SMALL = range(6)


class Work(NamedTuple):
    """Arrays of an implicit integration; those named in CARRIED are the state of the run."""

    q0: Array
    v0: Array
    a0: Array  # the auxiliary accelerations of generalised-alpha
    x0: Array  # accelerations at the last two points
    x1: Array
    lam0: Array
    lam1: Array
    d1: Array  # increments of the last two steps: displacements, speeds
    d2: Array
    dv1: Array
    dv2: Array
    q: Array
    v: Array
    x: Array
    lam: Array
    delta: Array
    v_hist: Array
    d_hist: Array
    x_start: Array
    lam_start: Array
    residual: Array
    shifted: Array
    correction: Array
    lam_step: Array
    weight: Array
    travel: Array  # largest displacement of every coordinate seen in a step, for the error scale
    rhs: Array
    M: Array
    G: Array
    A: Array
    pivots: IntArray
    order: IntArray  # modal coordinates first
    events: Array  # event expressions at the start and end of a step, and their largest size (3, nevent)
    safe: IntArray  # (1,) number of leading coordinates that need no pivoting


#: the arrays a run continues from, besides settings and the memory of the system
CARRIED = (
    "q0",
    "v0",
    "a0",
    "x0",
    "x1",
    "lam0",
    "lam1",
    "d1",
    "d2",
    "dv1",
    "dv2",
    "weight",
    "travel",
    "A",
    "pivots",
    "events",
)


def new_work(tables: Tables, nevent: int = 0) -> Work:
    """Work arrays for a system."""
    nq = sum(JOINT_NQ[kind] for kind in tables.links["kind"]) + int(tables.flexible["n"].sum())
    nv, nl = len(tables.dofs), len(tables.rows)
    modal = tables.dofs["link"] < 0
    order = np.concatenate((np.flatnonzero(modal), np.flatnonzero(~modal))).astype(np.int64)

    def vectors(count: int, size: int) -> list[Array]:
        return [np.zeros(size) for _ in range(count)]

    q0, q = vectors(2, nq)
    v0, a0, x0, x1, d1, d2, dv1, dv2, v, x, delta, v_hist, d_hist, x_start = vectors(14, nv)
    residual, shifted, correction, weight, travel = vectors(5, nv)
    lam0, lam1, lam, lam_start, lam_step = vectors(5, nl)
    return Work(
        q0=q0,
        v0=v0,
        a0=a0,
        x0=x0,
        x1=x1,
        lam0=lam0,
        lam1=lam1,
        d1=d1,
        d2=d2,
        dv1=dv1,
        dv2=dv2,
        q=q,
        v=v,
        x=x,
        lam=lam,
        delta=delta,
        v_hist=v_hist,
        d_hist=d_hist,
        x_start=x_start,
        lam_start=lam_start,
        residual=residual,
        shifted=shifted,
        correction=correction,
        lam_step=lam_step,
        weight=weight,
        travel=travel,
        rhs=np.zeros(nv + nl),
        M=np.zeros((nv, nv)),
        G=np.zeros((nl, nv)),
        A=np.zeros((nv + nl, nv + nl)),
        pivots=np.zeros(nv + nl, dtype=np.int64),
        order=order,
        events=np.zeros((3, nevent)),
        safe=np.array([np.count_nonzero(modal)], dtype=np.int64),
    )


def one_step_formula(method: str, spectral_radius: float) -> Array:
    """alpha_m, alpha_f, beta, gamma of the generalised-alpha family."""
    rho = spectral_radius
    if method == "generalised-alpha":
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    elif method == "hht":
        am, af = 0.0, (1.0 - rho) / (1.0 + rho)
    else:
        am = af = 0.0
    gamma = 0.5 + af - am
    return np.array([am, af, 0.25 * (gamma + 0.5) ** 2, gamma])


#: b, c1, c2 of d = h b v + c1 d_1 + c2 d_2 (increments of successive steps)
MULTI_STEP_FORMULAS = {
    "bdf1": np.array([1.0, 0.0, 0.0]),
    "bdf2": np.array([2.0 / 3.0, 1.0 / 3.0, 0.0]),
    "park": np.array([0.6, 0.5, -0.1]),
}


class Kept(NamedTuple):
    """Arrays for m recorded states."""

    t: Array  # (m,)
    q: Array  # (m, nq)
    v: Array  # (m, nv)
    x: Array  # (m, nv) accelerations
    lam: Array  # (m, nlambda)
    memory: Array  # (m, nmemory)
    counters: Array  # (m, 6): steps, iterations, evaluations, refreshes, rejected steps, last step size

    def first(self, count: int) -> Kept:
        return Kept(*(array[:count] for array in self))


def new_kept(m: int, nq: int, nv: int, nlambda: int, nmemory: int) -> Kept:
    return Kept(np.zeros(m), *(np.zeros((m, width)) for width in (nq, nv, nv, nlambda, nmemory, 6)))
