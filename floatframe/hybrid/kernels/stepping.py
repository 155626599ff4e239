"""Numbers shared by the integration kernels and their caller: places of settings, outcomes, step formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.hybrid.kernels.layout import CONTACTS, DOF_DATA, JOINT_NQ, LINK_DATA, Tables

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
    STAGES,
    STABILISE_RATE,  # a and b of the stabilised rows g'' + 2 a g' + b^2 g = 0
    STABILISE_VALUE,
    CONSERVE,  # 1: speeds are scaled to keep the energy
    ENERGY,
    SIZE,  # m, of the mechanism: what rounding of positions is measured by
    BUDGET,  # steps that may still be tried in this call
    LEG_END,  # the leg of steps to the next time to meet: its end, not a number between legs; its start, the step
    LEG_START,  # wanted, the steps done, and whether one was shortened
    LEG_STEP,
    LEG_COUNT,
    LEG_UNEVEN,
    HORIZON,  # s, end of the run, which steps with values inside them must meet
    BEFORE_TIME,  # s, start of the last step taken
    EVENT_AHEAD,  # 1: the last step ended at an event, and records inside it are still to be kept
    THROUGH,  # 1: explicit steps pass the times of records, which are found inside them
    LEG_LIMIT,  # s, the longest fixed step of the leg
    POWER,  # W, that enters the energy of the system at the last accepted state; J, its work since the start, and the
    WORK,  # same at the start of the last step
    WORK_BEFORE,
    AUXILIARY_POWER,  # W, of generalised-alpha
    CONTACT_CUTS,  # fixed steps shortened because of a contact, the element, and the shortest of them [s]
    CONTACT_ELEMENT,
    CONTACT_STEP,
    UNRESOLVED,  # steps that would have had to be shorter than H_MIN for a contact
    N_SETTINGS,
) = range(51)

# forms of step formulas
ONE_STEP, MULTI_STEP, RUNGE_KUTTA = 0.0, 1.0, 2.0
# what kernels can be asked to do
TASK_EVALUATE, TASK_MOVE, TASK_IMPLICIT, TASK_EXPLICIT, TASK_ACCELERATE, TASK_OBSERVE, TASK_SETTLE = range(7)
# how a run between record points ended
REACHED, EVENT, FAILED, SINGULAR, NOT_A_NUMBER, TOO_SMALL, PAUSED, OPENED, NOT_CLOSED = range(9)


# rows of the vectors (nv,) of an integration
(
    V0,  # speeds, and accelerations X at the last two points
    X0,
    X1,
    A0,  # the auxiliary accelerations of generalised-alpha
    D1,  # increments of the last two steps: displacements, speeds
    D2,
    DV1,
    DV2,
    WEIGHT,
    TRAVEL,  # largest displacement of every coordinate seen in a step, for the error scale
    EXTENT,  # displacement of every coordinate that is large for the model: its absolute part
    PIVOT,  # of the factors of a tree
    V,
    X,
    DELTA,
    V_HIST,
    D_HIST,
    X_START,
    RESIDUAL,
    SHIFTED,
    CORRECTION,
    EXTRA,  # diagonal that forces in tree joints add
    V_BEFORE,  # speeds at the start of the last step
    N_VECTORS,
) = range(24)
LAM0, LAM1, LAM, LAM_START, LAM_STEP, N_MULTIPLIERS = range(6)
Q0, Q, Q_BEFORE = range(3)
# places of the flags
SAFE, TREE, EVALUATE = range(3)
# rows of what steps know of contacts: push and depth where the step began; least and largest push and largest depth
# inside it; whether it pushed where the iteration matrix was made; force and torque per unit of the last push
PUSH_START, DEPTH_START, PUSH_LEAST, PUSH_MOST, DEPTH_MOST, FACTORED_TOUCH, DIRECTION = range(7)
N_TOUCH = DIRECTION + 6


class Work(NamedTuple):
    """Arrays of an evaluation or integration; few of them, because every kernel inside takes all of them along."""

    qq: Array  # (3, nq) coordinates: accepted, tried, at the start of the last step
    vv: Array  # (N_VECTORS, nv)
    ll: Array  # (N_MULTIPLIERS, nlambda)
    rhs: Array  # (nv + nlambda,)
    M: Array
    G: Array
    A: Array  # dense factors
    pivots: IntArray
    order: IntArray  # modal coordinates first
    flags: IntArray  # SAFE: leading coordinates that need no pivoting; TREE: 1 if M x = f is solved
    # along the tree; EVALUATE: address of the compiled evaluation
    events: Array  # event expressions at the start and end of a step, and their largest size (3, nevent)
    inertia: Array  # (nlink, 6, 6), U (nv, 6), wrench (nlink, 6): factors of the tree
    U: Array
    wrench: Array
    links: AnyArray  # poses the factors were made at
    dofs: AnyArray
    kq: Array  # (8, nq) and kv (8, nv): derivatives of the stages of a Runge-Kutta step, and of the state it led to
    kv: Array
    power: Array  # (8,) W, that enters the energy at these stages
    contacts: IntArray  # (ncontact,) numbers of the force elements that are contacts
    touch: Array  # (N_TOUCH, ncontact)


#: the arrays a run continues from, besides settings and the memory of the system
CARRIED = ("qq", "vv", "ll", "A", "pivots", "events", "U", "links", "dofs", "kq", "kv", "power", "touch")


def new_work(tables: Tables, nevent: int = 0) -> Work:
    """Work arrays for a system."""
    nq = sum(JOINT_NQ[kind] for kind in tables.links["kind"]) + int(tables.flexible["n"].sum())
    nv, nl, nlink = len(tables.dofs), len(tables.rows), len(tables.links)
    modal = tables.dofs["link"] < 0
    contacts = np.flatnonzero(np.isin(tables.forces["kind"], CONTACTS)).astype(np.int64)
    order = np.concatenate((np.flatnonzero(modal), np.flatnonzero(~modal))).astype(np.int64)
    return Work(
        qq=np.zeros((3, nq)),
        vv=np.zeros((N_VECTORS, nv)),
        ll=np.zeros((N_MULTIPLIERS, nl)),
        rhs=np.zeros(nv + nl),
        M=np.zeros((nv, nv)),
        G=np.zeros((nl, nv)),
        A=np.zeros((nv + nl, nv + nl)),
        pivots=np.zeros(nv + nl, dtype=np.int64),
        order=order,
        flags=np.array([np.count_nonzero(modal), is_tree(tables), 0], dtype=np.int64),
        events=np.zeros((3, nevent)),
        inertia=np.zeros((nlink, 6, 6)),
        U=np.zeros((nv, 6)),
        wrench=np.zeros((nlink, 6)),
        links=np.zeros(nlink, LINK_DATA),
        dofs=np.zeros(nv, DOF_DATA),
        kq=np.zeros((8, nq)),
        kv=np.zeros((8, nv)),
        power=np.zeros(8),
        contacts=contacts,
        touch=np.zeros((N_TOUCH, len(contacts))),
    )


def is_tree(tables: Tables) -> bool:
    """Whether a system consists of rigid links without constraint rows."""
    return len(tables.rows) == 0 and len(tables.flexible) == 0


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


#: stages of the explicit methods
RUNGE_KUTTA_STAGES = {"rk4": 4, "rk45": 7}
#: b, c1, c2 of d = h b v + c1 d_1 + c2 d_2 (increments of successive steps)
MULTI_STEP_FORMULAS = {
    "bdf1": np.array([1.0, 0.0, 0.0]),
    "bdf2": np.array([2.0 / 3.0, 1.0 / 3.0, 0.0]),
    "park": np.array([0.6, 0.5, -0.1]),
}


N_COUNTERS = 7
LAST_STEP, WORK_DONE = 5, 6  # places of those counters that are not numbers of something


class Kept(NamedTuple):
    """Arrays for m recorded states."""

    t: Array  # (m,)
    q: Array  # (m, nq)
    v: Array  # (m, nv)
    x: Array  # (m, nv) accelerations
    lam: Array  # (m, nlambda)
    memory: Array  # (m, nmemory)
    counters: Array  # (m, 7): steps, iterations, evaluations, refreshes, rejected steps, last step size, work [J]

    def first(self, count: int) -> Kept:
        return Kept(*(array[:count] for array in self))


def new_kept(m: int, nq: int, nv: int, nlambda: int, nmemory: int) -> Kept:
    return Kept(np.zeros(m), *(np.zeros((m, width)) for width in (nq, nv, nv, nlambda, nmemory, N_COUNTERS)))
