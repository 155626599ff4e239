"""The flat records of a network that kernels read, what lies behind a step, and the workspace of one.

Unknowns y (3, n + 1) are displacements, velocities and accelerations; the last column is the ground's and stays zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array

STORMER, BDF2, ALPHA = range(3)
# why a leg ended: the block is full or the run at its end; the next step is one for Python, which knows what to say of
# it; the two short steps behind a jump failed
FULL, STUCK, SETTLING = range(3)
GO_ON, STEP = range(2)  # rows of a block: where what follows begins, an accepted step
MOST_DOFS = 4  # of an element with a law of its own
MOST_UNKNOWNS = 64

# laws of what is not linear, by the name of their functions in `floatframe.network.laws`
LAWS = {
    name: number
    for number, name in enumerate(
        (
            *("quadratic_damper", "friction", "stop", "diode", "switch", "radiation", "orifice", "valve"),
            *("check_valve", "sine_force", "cylinder"),
        )
    )
}

# entries of constant Jacobians
ENTRY = np.dtype([("row", "i8"), ("column", "i8"), ("k", "f8"), ("d", "f8"), ("m", "f8")], align=True)
ELEMENT = np.dtype(
    [
        ("law", "i8"),
        ("dofs", "i8", MOST_DOFS),
        ("p", "i8"),  # first of its parameters
        ("input", "i8"),  # number of its input, or -1
        ("drive", "i8"),  # the drive of that input, or -1 if it is constant
    ],
    align=True,
)
DRIVE = np.dtype(
    [
        ("program", "i8"),
        ("input", "i8"),  # of an element with a law of its own that it is the value of, or -1
        ("share", "i8"),  # range of flows that are so many times its value
        ("share_end", "i8"),
        ("slope", "i8"),  # range of derivatives by unknowns
        ("slope_end", "i8"),
    ],
    align=True,
)
SHARE = np.dtype([("row", "i8"), ("value", "f8")], align=True)
SLOPE = np.dtype([("program", "i8"), ("level", "i8"), ("column", "i8")], align=True)


class Tables(NamedTuple):
    """A network; never changed."""

    entries: Array
    stored: Array  # entries of those elements that store energy
    offset: Array  # (n + 1,) constant flows
    stored_offset: Array
    weight: Array  # (n + 1,) of flows in the power that is stored: 1 times the velocity, 2 alone, 0 none
    elements: Array
    parameters: Array
    inputs: Array  # values of inputs, those that are constant
    drives: Array
    shares: Array
    slopes: Array
    places: Array  # (number of slots - 1,) where in y.ravel() the values of names are; slot 0 is the time
    small: Array  # (n,) what counts as nothing
    groups: Array  # (n,)
    by_speed: Array  # (n,) 1 for what flows of accelerations keep
    by_place: Array  # (n,) 1 for what flows of displacements alone keep
    times: Array  # when laws of inputs jump
    waves: Array  # programs whose values change where inputs jump
    events: Array  # programs of what ends the run where it crosses zero
    code: Array
    constants: Array
    begin: Array
    table_begin: Array
    table_x: Array
    table_coefficients: Array


#: settings, and what a run has come to
NUMBERS = np.dtype(
    [
        ("method", "i8"),
        ("order", "i8"),
        ("settles", "i8"),
        ("settles_at_start", "i8"),
        ("error_share", "f8"),
        ("gamma", "f8"),
        ("beta", "f8"),
        ("alpha_m", "f8"),
        ("alpha_f", "f8"),
        ("constant", "i8"),  # whether one iteration solves a step
        ("t_end", "f8"),
        ("step", "f8"),  # fixed, or 0
        ("step_max", "f8"),
        ("step_min", "f8"),
        ("rtol", "f8"),
        ("atol", "f8"),  # or -1: small
        ("corrected", "i8"),  # rule (2.23)
        ("newton_potential", "f8"),  # or -1
        ("newton_flow", "f8"),  # or -1
        ("iterations_most", "i8"),
        # on its way
        ("t", "f8"),
        ("h", "f8"),  # to be tried next
        ("h_before", "f8"),
        ("h_older", "f8"),
        ("has_before", "i8"),
        ("has_older", "i8"),
        ("first", "i8"),
        ("refused", "i8"),
        ("refused_error", "f8"),
        ("refused_h", "f8"),
        ("silent", "i8"),
        ("in_a_row", "i8"),  # leaps
        ("passed", "f8"),
        ("steps", "i8"),
        ("iterations", "i8"),
        ("rejected", "i8"),
        ("halved", "i8"),
        ("leaps", "i8"),
        ("work", "f8"),
        ("power", "f8"),  # into what stores energy, at t
        # of one attempt
        ("cx", "f8"),
        ("ca", "f8"),
        ("end", "f8"),
        ("error", "f8"),
        ("stored_error", "f8"),
        ("count", "i8"),
    ],
    align=True,
)


class Behind(NamedTuple):
    """What lies behind a step; y at its start and one step earlier."""

    y: Array  # (3, n + 1)
    alpha: Array  # (n + 1,)
    before: Array  # (3, n + 1)
    older: Array  # (n + 1,) v another step earlier
    largest: Array  # (2, ngroup) displacements and velocities so far
    event_values: Array  # (nevent,)


class Work(NamedTuple):
    """The workspace of a step."""

    y: Array  # (3, n + 1) at its end
    x0: Array  # (n + 1,) constant parts of x and a
    a0: Array
    predicted: Array
    residual: Array  # (n + 1,)
    J: Array  # (n + 1, n + 1)
    pivots: Array  # (n,)
    change: Array  # (n,)
    tolerance: Array  # (n,)
    sizes: Array  # (n,)
    slots: Array
    stack: Array
    inputs: Array
    wave_values: Array
    event_values: Array


class Block(NamedTuple):
    """Rows that a leg fills: accepted steps, and beginnings behind jumps."""

    kind: Array  # (R,)
    t: Array
    h: Array
    y: Array  # (R, 3, n + 1)
    counters: Array  # (R, 4) steps, iterations, refused, leaps
    work: Array  # (R,)


def new_work(tables: Tables, stack: int) -> Work:
    """A workspace for a network."""
    n = len(tables.small)
    row = n + 1
    return Work(
        y=np.zeros((3, row)),
        x0=np.zeros(row),
        a0=np.zeros(row),
        predicted=np.zeros(row),
        residual=np.zeros(row),
        J=np.zeros((row, row)),
        pivots=np.zeros(n, np.int64),
        change=np.zeros(n),
        tolerance=np.zeros(n),
        sizes=np.zeros(n),
        slots=np.zeros(1 + len(tables.places)),
        stack=np.zeros(stack + 1),
        inputs=tables.inputs.copy(),
        wave_values=np.zeros(len(tables.waves)),
        event_values=np.zeros(len(tables.events)),
    )


def new_block(rows: int, width: int) -> Block:
    """A block of so many rows for unknowns (3, width)."""
    kind, t, h, work = np.zeros(rows, np.int64), *(np.zeros(rows) for _ in range(3))
    return Block(kind, t, h, np.zeros((rows, 3, width)), np.zeros((rows, 4), np.int64), work)
