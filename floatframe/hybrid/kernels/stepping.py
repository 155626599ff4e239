"""Numbers shared by the integration kernels and their caller: places of settings, outcomes, step formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.hybrid.kernels.layout import (
    CONTACTS,
    DELAYED,
    FRICTION,
    JOINT_NQ,
    SWITCHED,
    WHEEL_ON_TRACK,
    Tables,
)
from floatframe.hybrid.kernels.order import JOINTED, Elimination, Jointed, elimination, no_elimination

# settings and counters of an integration; all are floats, so that a checkpoint keeps them as one vector
_STEPPING = np.dtype(
    [
        ("kind", "f8"),  # ONE_STEP, MULTI_STEP, RUNGE_KUTTA or RADAU
        ("begun", "f8"),  # the kind that has begun its steps
        ("stages", "f8"),  # of a Runge-Kutta step
        ("h", "f8"),  # s, length of the step tried; shortest and longest one allowed
        ("h_min", "f8"),
        ("h_max", "f8"),
        ("passes", "f8"),  # 1: steps near h_min are taken whatever their error, which is nothing over that time
        ("tiny_steps", "f8"),  # steps in a row that come nowhere
        ("rtol", "f8"),  # 0: fixed steps
        ("newton_tolerance", "f8"),
        ("project", "f8"),  # 1: states are brought onto the constraints
        ("enforce", "f8"),  # 1: speeds of implicit steps are brought onto the constraints inside them
        ("enforced", "f8"),  # solutions of the iteration matrix that this took
        ("stabilise", "f8"),  # how deviations return: NOT_STABILISED, BY_PAIR, BY_GAINS or BY_FUNCTION
        ("value_gain", "f8"),  # of each row g'' = value_gain g + rate_gain g', 1/s2 and 1/s
        ("rate_gain", "f8"),
        # what single steps added to deviations of rows and of their rates, over the length of the step, at most
        ("local_gap", "f8"),
        ("local_gap_rate", "f8"),
        ("shortest_h", "f8"),  # s, of the steps taken
        ("longest_h", "f8"),
        ("speed_gap", "f8"),  # m/s, rad/s: by which the speeds of the last record settled were off the constraints
        ("mechanism_size", "f8"),  # m: what rounding of positions is measured by
        ("first_event", "f8"),  # program of the first event expression
        ("span", "f8"),  # s, length of the run, over which errors of steps add up
        ("horizon", "f8"),  # s, end of the run, which steps with values inside them must meet
        ("through", "f8"),  # 1: explicit steps pass the times of records, which are found inside them
        ("due", "f8"),  # 1: something that blocks hold changes before the next step
        ("held_begun", "f8"),  # 1: what blocks hold at the start is known
        ("budget", "f8"),  # steps that may still be tried in this call
        # where the run is
        ("time", "f8"),
        ("before_time", "f8"),  # s, start of the last step taken
        ("last_h", "f8"),  # s, length of the last step taken
        ("steps_done", "f8"),  # that the step formula remembers
        ("event_found", "f8"),  # number of the event that ended the last step
        ("event_ahead", "f8"),  # 1: the last step ended at an event, and records inside it are still to be kept
        # the leg of steps to the next time to meet
        ("leg_end", "f8"),  # s, not a number between legs
        ("leg_start", "f8"),
        ("leg_step", "f8"),  # s, wanted
        ("leg_limit", "f8"),  # s, the longest fixed step of the leg
        ("leg_count", "f8"),  # steps done
        ("leg_uneven", "f8"),  # 1: one was shortened
        # Newton's method
        ("cv", "f8"),  # change of speed and displacement per unit of acceleration at the end of the step
        ("cq", "f8"),
        ("cz", "f8"),  # change of a state variable per unit of its rate
        ("factored_cq", "f8"),  # cq of the iteration matrix at hand
        ("age", "f8"),  # steps taken with it, -1 if a new one is wanted
        ("level", "f8"),  # how much of the residual it differentiates
        ("lasting", "f8"),  # steps that Radau's slopes are used for, 0 for as long as iterations converge
        ("contraction", "f8"),  # of successive corrections
        ("local_error", "f8"),  # of the last step tried, in units of the tolerance
        ("error_before", "f8"),  # the same of the last step accepted, 0 if there is none
        ("factored_h", "f8"),  # s, step that Radau's factors are for
        ("stage_h", "f8"),  # s, step that the stages kept belong to, 0 if there is none
        ("newton_count", "f8"),  # iterations of the last step
        ("newton_limit", "f8"),  # s, longest step after one of Radau's whose iterations failed; it grows slowly again
        # work of what enters the energy of the system
        ("power", "f8"),  # W, at the last accepted state
        ("auxiliary_power", "f8"),  # W, of generalised-alpha
        ("work", "f8"),  # J, since the start, and the same at the start of the last step
        ("work_before", "f8"),
        ("work_inside", "f8"),  # J, at the time inside the last step that was asked for
        ("inside", "f8"),  # number of the step whose stages for values inside it are known
        ("fastest", "f8"),  # 1/s, largest speed seen of a dof over its extent
        ("tried", "f8"),  # 1/s, the same of the step tried
        # numbers of what was done since the start
        ("steps", "f8"),
        ("iterations", "f8"),
        ("evaluations", "f8"),  # but those of records inside steps
        ("refreshes", "f8"),  # new iteration matrices
        ("rejected", "f8"),
        ("rounding_size", "f8"),  # of the accelerations whose rounding was measured
        ("rounded", "f8"),  # sum of the errors that rounding hid in explicit steps, relative to speeds
        # method "auto": which of its methods goes on
        ("auto", "f8"),  # 1: it may change
        ("change", "f8"),  # 1: the other method goes on from here
        ("rejected_before", "f8"),  # those before the method began
        ("since", "f8"),  # steps since the method began; stiff ones, and others since the last of those
        ("stiff_steps", "f8"),
        ("plain_steps", "f8"),
        ("window_steps", "f8"),  # steps, s and evaluations, from where the pace is measured
        ("window_time", "f8"),
        ("window_cost", "f8"),
        ("stage_cost", "f8"),  # of an explicit stage, which finds accelerations exactly, over one of Radau's
        ("explicit_pace", "f8"),  # s, per evaluation, that elastic oscillations allow explicit steps at most
        ("pace", "f8"),  # s, simulated per evaluation, by this method and the other one, 0 if that is not known
        ("pace_other", "f8"),
        ("creep_from", "f8"),  # s, from when on steps that shrink fast are looked at
        ("patience", "f8"),  # steps of a method before the other one is tried again
        ("usual_h", "f8"),  # s, length of steps lately
        ("jolt", "f8"),  # 1/s, by how much joints changed speeds at the end of the last step tried, over their extents
        ("jolt_share", "f8"),  # the same over the speeds
        ("contact_cuts", "f8"),  # fixed steps shortened because of a contact, the element, and the shortest of them [s]
        ("contact_element", "f8"),
        ("contact_step", "f8"),
        ("unresolved", "f8"),  # steps that would have had to be shorter than h_min for a contact
    ],
    align=True,
)
#: one such record, whose fields Python too reads and writes by name
STEPPING = np.dtype((np.record, _STEPPING))

# how linear systems are solved
DENSE, TREE, COMPOSITE, FIRST_KIND, ITERATIVE = range(5)
SYMMETRIC = 5  # how dense factors are made where the matrix allows it
ITERATION_NUMBERS = 5  # at the start of Work.numbers, before the inverse that iterations keep
# how deviations from the constraints are made to return
NOT_STABILISED, BY_PAIR, BY_GAINS, BY_FUNCTION = 0.0, 1.0, 2.0, 3.0
# forms of step formulas
ONE_STEP, MULTI_STEP, RUNGE_KUTTA, RADAU = 1.0, 2.0, 3.0, 4.0
# what kernels can be asked to do
TASK_EVALUATE, TASK_MOVE, TASK_IMPLICIT, TASK_EXPLICIT, TASK_RADAU, TASK_ACCELERATE, TASK_OBSERVE, TASK_SETTLE = range(
    8
)
TASK_INVARIANTS = 8
# how a run between record points ended
REACHED, EVENT, FAILED, SINGULAR, NOT_A_NUMBER, TOO_SMALL, PAUSED, OPENED, NOT_CLOSED, CHANGE_OVER, CREEPING = range(11)


# a step formula
_FORMULA = np.dtype(
    [
        ("alpha_m", "f8"),  # of the generalised-alpha family
        ("alpha_f", "f8"),
        ("beta", "f8"),
        ("gamma", "f8"),
        ("state_alpha_m", "f8"),  # the same for state variables, whose equations are of first order
        ("state_gamma", "f8"),
        ("state_error", "f8"),  # of a step, over its length cubed and the third derivative of a state
        ("b", "f8"),  # of several steps: d = h b v + c1 d_1 + c2 d_2 (increments of successive steps)
        ("c1", "f8"),
        ("c2", "f8"),
    ],
    align=True,
)
FORMULA = np.dtype((np.record, _FORMULA))

#: what steps know of a coordinate
COORDINATE_STEP = np.dtype(
    [
        ("q0", "f8"),  # accepted
        ("q_before", "f8"),  # at the start of the last step
        ("extent", "f8"),  # what is large for the model, for the error scale; quaternions turn by half the angle
        ("here", "f8"),  # tried, while events are looked at just before
    ],
    align=True,
)
#: what steps know of a dof
DOF_STEP = np.dtype(
    [
        ("v0", "f8"),  # accepted speed, and accelerations x at the last two points
        ("x0", "f8"),
        ("x1", "f8"),
        ("a0", "f8"),  # auxiliary acceleration of generalised-alpha
        ("d1", "f8"),  # increments of the last two steps: displacements, speeds
        ("d2", "f8"),
        ("dv1", "f8"),
        ("dv2", "f8"),
        ("v_before", "f8"),  # speed at the start of the last step
        ("travel", "f8"),  # largest displacement seen in a step, for the error scale of methods without damping
        ("way", "f8"),  # displacement since the start, and the largest seen of it, for the error scale
        ("farthest", "f8"),
        ("extent", "f8"),  # displacement that is large for the model: absolute part of the error scale
        ("rounding", "f8"),  # of its acceleration in explicit steps, as last measured
        ("fastest", "f8"),  # largest speed seen, for the error scale
        ("lead", "i8"),  # first mode of the flexible body that a mode belongs to, else its own number
        ("together", "f8"),  # 1/s, largest speed seen of the modes it leads over their extents
        ("turning", "f8"),  # rad/s, fastest turning seen of the frame of the modes it leads
        ("v_hist", "f8"),  # history terms of the step formula
        ("d_hist", "f8"),
        ("x_start", "f8"),  # predicted acceleration
        ("shift", "f8"),  # displacement beside that of the formula, where speeds are on the constraints as well
        ("weight", "f8"),  # kg, kg m2: inertia that errors and corrections are weighted by
    ],
    align=True,
)
#: what steps know of a multiplier
MULTIPLIER_STEP = np.dtype(
    [
        ("lam0", "f8"),  # at the last two points
        ("lam1", "f8"),
        ("lam_start", "f8"),  # predicted
        ("gap", "f8"),  # deviation of the row at the accepted state, and its rate, where rows are stabilised
        ("gap_rate", "f8"),
    ],
    align=True,
)
#: what steps know of a state variable
STATE_STEP = np.dtype(
    [
        ("z0", "f8"),  # accepted value, and rates at the last two points
        ("rate0", "f8"),
        ("rate1", "f8"),
        ("a0", "f8"),  # auxiliary rate of generalised-alpha
        ("dz1", "f8"),  # increments of the last two steps
        ("dz2", "f8"),
        ("z_before", "f8"),  # value at the start of the last step
        ("z_hist", "f8"),  # history term of the step formula
        ("rate", "f8"),  # tried, predicted, and what the state tried leaves of its equation
        ("rate_start", "f8"),
        ("left", "f8"),
        ("largest", "f8"),  # value seen, or a small share of what is large for it: for the error scale
        ("here", "f8"),  # tried, while events are looked at just before
    ],
    align=True,
)
#: a row of the dense factors
DENSE_ROW = np.dtype(
    [
        ("dof", "i8"),  # modal dofs come first; rows of multipliers follow
        ("together", "i8"),  # rows from here on whose dofs follow each other
        ("pivot", "i8"),  # the row it was exchanged with
        ("after", "i8"),  # first column behind the diagonal that holds anything
        ("held", "i8"),  # 0: a constraint row that is left out, whose multiplier stays zero
    ],
    align=True,
)
#: the factors of a tree at the poses they were made at (see linear.articulated), by link and by dof, world axes
TREE_LINK = np.dtype(
    [
        ("arm", "f8", 3),  # from the parent's origin
        ("wrench", "f8", 6),  # workspace: force, torque
        ("inertia", "f8", (6, 6)),  # of the link and those it carries, as far as the dofs split off leave it
    ],
    align=True,
)
TREE_DOF = np.dtype(
    [
        ("linear", "f8", 3),  # motion per unit speed at the link origin
        ("angular", "f8", 3),
        ("u", "f8", 6),  # what holds its link against a unit acceleration of the dof: force, torque
        ("pivot", "f8"),
        ("extra", "f8"),  # that forces in tree joints add to the diagonal
        ("previous", "i8"),  # the dof before it on the way to the ground, -1 if there is none
        ("run", "i8"),  # the first dof of those on this way that follow each other up to it
        ("shares", "i8"),  # start of its coefficients in the rows open at its link, in Work.numbers
    ],
    align=True,
)
#: what steps know of a contact
CONTACT_STEP = np.dtype(
    [
        ("element", "i8"),  # number of the force element
        ("push_start", "f8"),  # N, where the step began
        ("depth_start", "f8"),  # m, negative where it is open, and its rate [m/s]
        ("rate_start", "f8"),
        ("push_least", "f8"),  # N, inside the step
        ("push_most", "f8"),
        ("depth_most", "f8"),
        ("factored", "i8"),  # 1: it pushed where the iteration matrix was made
        ("force", "f8", 3),  # per unit of the last push, on marker a, world axes
        ("torque", "f8", 3),
    ],
    align=True,
)
#: what friction with stick remembered where the last step began, as values inside that step need it
STICKING_STEP = np.dtype([("element", "i8"), ("before", "f8", 3)], align=True)
#: what steps know of friction: number of the force element, its slope in the factors [N s/m]
SLIDING_STEP = np.dtype([("element", "i8"), ("factored", "f8")], align=True)
_WATCHED = [("before", "f8"), ("now", "f8"), ("largest", "f8"), ("rate_before", "f8"), ("rate", "f8")]
#: an event expression at the start and end of a step, its largest size, and its rates at start and end
EVENT_STEP = np.dtype(_WATCHED, align=True)
#: an invariant that explicit steps keep
INVARIANT_STEP = np.dtype(
    [
        ("kind", "i8"),
        ("index", "i8"),  # of a momentum its component; the program of an expression
        ("wanted", "f8"),  # value to keep, not a number before the first step
        ("size", "f8"),  # of the terms it is made of
    ],
    align=True,
)
INVARIANT_ENERGY, INVARIANT_MOMENTUM, INVARIANT_ANGULAR_MOMENTUM, INVARIANT_EXPRESSION = range(4)
#: what steps know of a value held: its number of samples or segment; of a switch what events know
HELD_STEP = np.dtype([("number", "f8"), *_WATCHED], align=True)
# what is true of a system as a whole
_TRAITS = np.dtype(
    [
        ("safe", "i8"),  # leading coordinates that need no pivoting
        ("alone", "i8"),  # those of them that are diagonal among themselves in matrices without slopes of forces
        ("tree", "i8"),  # how systems are solved: DENSE, along the TREE, by COMPOSITE bodies, …
        ("along", "i8"),  # how the factors at hand were made
        ("slots", "i8"),  # of pairs of rows, at the start of Work.numbers
        ("given", "i8"),  # from a coefficient as eliminated to the same as given, in Work.numbers
        ("wheels", "i8"),  # 1: there are wheels on a track
        ("stabiliser", "i8"),  # address of the function that stabilises rows, or 0
        ("switches", "i8"),  # 1: there are switches among the values held
        ("delays", "i8"),  # 1: there are delays among them
    ],
    align=True,
)
TRAITS = np.dtype((np.record, _TRAITS))


class Work(NamedTuple):
    """Arrays of an evaluation or integration; few of them, because every kernel inside takes all of them along."""

    # the state that is tried: coordinates (nq,), speeds and accelerations (nv,), multipliers (nlambda,)
    q: Array
    v: Array
    x: Array
    lam: Array
    # what an evaluation makes of it
    residual: Array  # (nv,)
    M: Array  # (nv, nv)
    G: Array  # (nlambda, nv)
    # iterations: displacement of the step, correction, residual of a state beside (nv,), step of multipliers (nlambda,)
    delta: Array
    correction: Array
    shifted: Array
    lam_step: Array
    places: Array  # (12, nv), see steps.slopes
    # smooth friction between places: SLIDING_STEP (nslide,), columns (nslide, nv), answers (nslide, nv + nlambda),
    # equations (nslide, nslide + 1), see steps.sliding
    sliding: AnyArray
    rubs: Array
    answers: Array
    grips: Array
    # what steps know, COORDINATE_STEP (nq,), DOF_STEP (nv,), MULTIPLIER_STEP (nlambda,)
    coordinates: AnyArray
    dofs: AnyArray
    multipliers: AnyArray
    states: AnyArray  # STATE_STEP (nz,)
    held: AnyArray  # HELD_STEP (nheld,)
    history: Array  # (nrow, 3 + nheld) of the inputs of delays, see kernels.held
    points: Array  # (2, 8) times and values that a delayed value is interpolated from
    contacts: AnyArray  # CONTACT_STEP (ncontact,)
    sticking: AnyArray  # STICKING_STEP (nstick,)
    events: AnyArray  # EVENT_STEP (nevent,)
    traits: np.record  # TRAITS
    # dense factors
    A: Array  # (nv + nlambda, nv + nlambda)
    rhs: Array  # (nv + nlambda,)
    rows: AnyArray  # DENSE_ROW (nv + nlambda,)
    # factors of the tree, TREE_LINK (nlink,), TREE_DOF (nv,)
    tree_links: AnyArray
    tree_dofs: AnyArray
    # in which order, see order.elimination; its numbers are those of the factors
    fronts: AnyArray  # FRONT (nlink,)
    open: AnyArray  # OPEN
    steps: AnyArray  # ROW_STEP (nlambda,)
    lists: IntArray
    numbers: Array
    bodies: AnyArray  # JOINTED (nbody,), for equations of the first kind, see order.jointed
    # derivatives of the stages of a Runge-Kutta step, and of the state it led to
    kq: Array  # (STAGES, nq)
    kv: Array  # (STAGES, nv)
    kz: Array  # (STAGES, nz)
    # slopes of the rates of state variables by displacements, speeds and states, and of the residual by the states
    slopes: Array  # (nz, 3 nv + nz), see steps.states
    eliminated: Array  # (nz, nv + 2 nz), the states solved for
    power: Array  # (STAGES,) W, that enters the energy at these stages
    # stabilised rows: accelerations by deviations and their rates (nlambda, 2 nlambda), and numbers exchanged with a
    # function, or on the way (see steps.stabilised); empty where neither is needed
    gains: Array
    exchanged: Array
    # invariants that are kept, INVARIANT_STEP (m,), and workspace for them, see steps.invariants
    invariants: AnyArray
    projection: Array
    switches: Array  # (nswitch,) s, times that controlled steps must meet, because laws change there


#: the arrays a run continues from, besides settings and the memory of the system
CARRIED = (
    *("q", "v", "x", "lam", "coordinates", "dofs", "multipliers", "states", "held", "contacts", "events", "G", "A"),
    *("sticking", "sliding", "rubs", "answers"),
    *("rows", "tree_links", "tree_dofs", "open", "steps", "numbers", "bodies"),
    *("kq", "kv", "kz", "slopes", "eliminated", "power", "invariants", "history"),
)


def new_work(tables: Tables, nevent: int = 0, order: Elimination | None = None) -> Work:
    """Work arrays for a system; order: in which it is solved along its tree, None for dense equations."""
    nq = sum(JOINT_NQ[kind] for kind in tables.links["kind"].tolist()) + int(tables.flexible["n"].sum())
    nv, nl, nz, nlink = len(tables.dofs), len(tables.rows), len(tables.states), len(tables.links)
    modal = tables.dofs["link"] < 0
    rows = np.zeros(nv + nl, DENSE_ROW)
    rows["held"] = 1
    dofs = np.concatenate((np.flatnonzero(modal), np.flatnonzero(~modal)))
    rows["dof"][:nv] = dofs
    ends = np.append(np.flatnonzero(np.diff(dofs) != 1) + 1, nv)
    rows["together"][:nv] = ends[np.searchsorted(ends, np.arange(nv), side="right")] - np.arange(nv)
    traits = np.zeros(1, TRAITS)[0]
    traits.safe = np.count_nonzero(modal)
    traits.alone = traits.safe if tables.flexible["diagonal"].all() else 0
    traits.wheels = WHEEL_ON_TRACK in tables.forces["kind"]
    traits.switches, traits.delays = SWITCHED in tables.held["kind"], DELAYED in tables.held["kind"]
    touching = [k for k, kind in enumerate(tables.forces["kind"].tolist()) if kind in CONTACTS]
    contacts = np.zeros(len(touching), CONTACT_STEP)
    contacts["element"] = touching
    remembering = np.flatnonzero(tables.forces["memory"] >= 0)
    sticking = np.zeros(len(remembering), STICKING_STEP)
    sticking["element"] = remembering
    sliding = np.zeros(np.count_nonzero(_smooth_friction(tables)) if traits.wheels else 0, SLIDING_STEP)
    sliding["element"] = np.flatnonzero(_smooth_friction(tables))[: len(sliding)]
    held = np.zeros(len(tables.held), HELD_STEP)
    held["number"] = -1.0
    states = np.zeros(nz, STATE_STEP)
    states["largest"] = SMALL_STATE * tables.states["size"]
    empty = no_elimination()
    work = Work(
        q=np.zeros(nq),
        v=np.zeros(nv),
        x=np.zeros(nv),
        lam=np.zeros(nl),
        residual=np.zeros(nv),
        M=np.zeros((nv, nv)),
        G=np.zeros((nl, nv)),
        delta=np.zeros(nv),
        correction=np.zeros(nv),
        shifted=np.zeros(nv),
        lam_step=np.zeros(nl),
        places=np.zeros((12, nv)),
        sliding=sliding,
        rubs=np.zeros((len(sliding), nv)),
        answers=np.zeros((len(sliding), nv + nl)),
        grips=np.zeros((len(sliding), len(sliding) + 1)),
        coordinates=np.zeros(nq, COORDINATE_STEP),
        dofs=np.zeros(nv, DOF_STEP),
        multipliers=np.zeros(nl, MULTIPLIER_STEP),
        states=states,
        held=held,
        history=np.zeros((1, 3 + len(tables.held))),
        points=np.zeros((2, 8)),
        contacts=contacts,
        sticking=sticking,
        events=np.zeros(nevent, EVENT_STEP),
        traits=traits,
        A=np.zeros((nv + nl, nv + nl)),
        rhs=np.zeros(nv + nl),
        rows=rows,
        tree_links=np.zeros(nlink, TREE_LINK),
        tree_dofs=np.zeros(nv, TREE_DOF),
        fronts=empty.fronts,
        open=empty.open,
        steps=empty.steps,
        lists=empty.lists,
        numbers=empty.numbers,
        bodies=np.zeros(0, JOINTED),
        kq=np.zeros((STAGES, nq)),
        kv=np.zeros((STAGES, nv)),
        kz=np.zeros((STAGES, nz)),
        slopes=np.zeros((nz, 3 * nv + nz)),
        eliminated=np.zeros((nz, nv + 2 * nz)),
        power=np.zeros(STAGES),
        gains=np.zeros((0, 0)),
        exchanged=np.zeros(0),
        invariants=np.zeros(0, INVARIANT_STEP),
        projection=np.zeros((0, 0)),
        switches=np.zeros(0),
    )
    return work if order is None else along_tree(work, order)


def along_tree(w: Work, order: Elimination) -> Work:
    """The workspace of a system that is solved along its tree in this order."""
    w.traits.tree, w.traits.slots, w.traits.given = TREE, order.slots, order.given
    w.tree_dofs["shares"] = order.shares
    own = {name: getattr(order, name).copy() for name in ("open", "steps", "numbers")}
    return w._replace(fronts=order.fronts, lists=order.lists, **own)


def by_composite_bodies(w: Work, tables: Tables) -> Work:
    """The workspace of an open tree of rigid bodies whose mass matrix is factored along the tree."""
    w.traits.tree = COMPOSITE
    w.tree_dofs["previous"] = tables.dofs["previous"]
    run: list[int] = []
    for j, previous in enumerate(tables.dofs["previous"].tolist()):
        run.append(run[previous] if previous == j - 1 and j > 0 else j)
    w.tree_dofs["run"] = run
    return w


def by_joints(w: Work, bodies: Jointed) -> Work:
    """The workspace of an open tree of rigid bodies that is solved by Lagrange's equations of the first kind."""
    w.traits.tree = FIRST_KIND
    return w._replace(bodies=bodies.bodies.copy(), lists=bodies.lists, numbers=np.zeros(bodies.size))


def by_iterations(w: Work, tables: Tables) -> Work:
    """The workspace of an open tree of rigid bodies that is solved iteratively, with an inverse that is kept."""
    w.traits.tree = ITERATIVE
    return w._replace(fronts=elimination(tables).fronts, numbers=np.zeros(ITERATION_NUMBERS + len(w.v) ** 2))


def room_for_invariants(w: Work, kinds: Sequence[tuple[int, int]]) -> Work:
    """The workspace with room for invariants of these kinds and indices."""
    m, nv = len(kinds), len(w.v)
    invariants = np.zeros(m, INVARIANT_STEP)
    invariants["wanted"] = np.nan
    for record, (kind, index) in zip(invariants, kinds, strict=True):
        record["kind"], record["index"] = kind, index
    return w._replace(invariants=invariants, projection=np.zeros((m + 1, 4 * nv + m + 4)))


def _smooth_friction(tables: Tables) -> Array:
    """Which force elements are friction between places that grows smoothly with the rate."""
    of = tables.forces
    found: Array = (of["kind"] == FRICTION) & (of["memory"] < 0) & (of["coordinate"] < 0)
    return found


def new_stepping() -> np.record:
    """Settings and counters, all zero; kernels and Python read and write its fields by name."""
    return np.zeros(1, STEPPING)[0]


def one_step_formula(method: str, spectral_radius: float) -> np.record:
    """The formula of a method of the generalised-alpha family."""
    rho = spectral_radius
    if method == "generalised-alpha":
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    elif method == "hht":
        am, af = 0.0, (1.0 - rho) / (1.0 + rho)
    else:
        am = af = 0.0
    gamma = 0.5 + af - am
    # with the same spectral radius at infinity (Jansen, Whiting and Hulbert 2000); others are as for speeds
    state_am = (3.0 * rho - 1.0) / (2.0 * (rho + 1.0)) if method == "generalised-alpha" else am
    shift = state_am - af
    return _formula(
        alpha_m=am,
        alpha_f=af,
        beta=0.25 * (gamma + 0.5) ** 2,
        gamma=gamma,
        state_alpha_m=state_am,
        state_gamma=0.5 - shift,
        state_error=1.0 / 12.0 - 0.5 * shift**2 + 0.5 * (af * (1.0 - af) - state_am * (1.0 - state_am)),
    )


def _formula(**given: float) -> np.record:
    formula = np.zeros(1, FORMULA)[0]
    for name, value in given.items():
        formula[name] = value
    return formula


#: stages of the explicit methods
RUNGE_KUTTA_STAGES = {"euler": 1, "rk4": 4, "rk45": 7, "dop853": 12}
FIXED_RUNGE_KUTTA = ("euler", "rk4")  # those without an estimate of their error
SMALL_STATE = 1e-3  # of what is large for a state variable: errors of smaller values are a share of that
STAGES = 16  # rows for derivatives: stages, the end of the step, and stages for values inside it
MULTI_STEP_FORMULAS = {
    "bdf1": _formula(b=1.0),
    "bdf2": _formula(b=2.0 / 3.0, c1=1.0 / 3.0),
    "park": _formula(b=0.6, c1=0.5, c2=-0.1),
}


#: what was done until a record: numbers of things, but for the length of the last step [s] and the work [J]
COUNTERS = np.dtype(
    [
        ("steps", "f8"),
        ("iterations", "f8"),
        ("evaluations", "f8"),
        ("refreshes", "f8"),  # new iteration matrices
        ("rejected", "f8"),
        ("last_step", "f8"),
        ("work", "f8"),
        # of stabilised rows, see STEPPING
        ("local_gap", "f8"),
        ("local_gap_rate", "f8"),
        ("shortest_h", "f8"),
        ("longest_h", "f8"),
    ],
    align=True,
)


class Kept(NamedTuple):
    """Arrays for m recorded states."""

    t: Array  # (m,)
    q: Array  # (m, nq)
    v: Array  # (m, nv)
    x: Array  # (m, nv) accelerations
    lam: Array  # (m, nlambda)
    memory: Array  # (m, nmemory)
    counters: AnyArray  # (m,) COUNTERS

    def first(self, count: int) -> Kept:
        return Kept(*(array[:count] for array in self))


def new_kept(m: int, nq: int, nv: int, nlambda: int, nmemory: int, cleared: bool = True) -> Kept:
    """Room for m states; not cleared where all of it is filled, since that takes as long as some steps."""
    room = np.zeros if cleared else np.empty
    return Kept(
        t=room(m),
        q=room((m, nq)),
        v=room((m, nv)),
        x=room((m, nv)),
        lam=room((m, nlambda)),
        memory=room((m, nmemory)),
        counters=room(m, COUNTERS),
    )
