"""Start speeds that the joints allow, nearest to what the user gave.

What is asked for comes in ranks: first the joints, then rates given for joints, then speeds given for bodies. A rank is
met as well as the ranks before it leave free, and what stays free is at rest, by the smallest energy. If rigid motion
alone can do all that, no body deforms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Where
from floatframe.hybrid import dense
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import SystemIndex
from floatframe.hybrid.kernels import SPEEDS, Data, Tables

DEPENDENT = 1e-9  # rows whose part normal to the others is smaller than this share are dependent
IMPOSSIBLE = 1e-6  # share of what is asked for that is left of a row of speeds which others contradict
MISSED = 1e-9  # share of what is asked for by which rigid motion may miss more than bending would

Rank: TypeAlias = tuple[Array, Array]  # rows (m, nv) and what they have to give (m,)


def start_speeds(
    index: SystemIndex, tables: Tables, data: Data, state: State, weight: Array, measured: Rank, names: Sequence[str]
) -> Array:
    """Speeds (nv,) for a start; `measured` are the rates given for joints that are cut, `names` those of the rows."""
    from floatframe.hybrid.kernels import JACOBIAN

    nv = len(tables.dofs)
    G = np.array(Evaluation(tables, data)(state.t, state.q, JACOBIAN).G)
    rows, rates = _given_rates(index, nv)
    ranks = [
        (G, -np.array(data.rows["rate"])),
        (np.vstack((rows, measured[0])), np.append(rates, measured[1])),
        _given_body_speeds(index, tables, data),
    ]
    size = max(np.abs(values).max(initial=0.0) for _, values in ranks)
    if not len(ranks[1][1]) and not len(ranks[2][1]) and size == 0.0:
        return np.zeros(nv)
    scale = 1.0 / np.sqrt(weight)
    bodies = tables.dofs["link"] >= 0
    v = _nearest(ranks, bodies * scale)
    if not bodies.all():
        free = _nearest(ranks, scale)
        misses = [[np.linalg.norm(rows @ one - values) for rows, values in ranks] for one in (v, free)]
        v = v if all(one <= other + MISSED * size for one, other in zip(*misses, strict=True)) else free
    left = np.abs(G @ v - ranks[0][1])
    for wrong in np.flatnonzero((tables.rows["level"] == SPEEDS) & (left > IMPOSSIBLE * size)):
        raise _where(index, names[int(wrong)]).error(
            f"cannot hold at the start: whatever the speeds, {left[wrong]:.3g} (m/s or rad/s) is left of it. The "
            "joints or another constraint contradict it; change or leave out one of them"
        )
    return v


def require_numbers(index: SystemIndex, tables: Tables, data: Data, t: float, q: Array, names: Sequence[str]) -> None:
    """Refuse a start at which the equation of a row has no value or no derivatives."""
    from floatframe.hybrid.kernels import JACOBIAN

    now = Evaluation(tables, data)(t, q, JACOBIAN)
    good = np.isfinite(now.G).all(axis=1) & np.isfinite(data.rows["value"]) & np.isfinite(data.rows["rate"])
    for wrong in np.flatnonzero(~good):
        raise _where(index, names[int(wrong)]).error(
            "its equations evaluate to NaN at the start, expected numbers: a disc must not lie flat and an edge must "
            "not point along the normal there; start in another attitude, or check the expression"
        )


def _where(index: SystemIndex, name: str) -> Where:
    """What a row belongs to."""
    return next((one.where for one in index.model.constraints if one.name == name), Where.of("joint", name))


def _nearest(ranks: list[Rank], scale: Array) -> Array:
    """Smallest speeds (nv,), measured in units of `scale`, that meet each rank as well as those before it allow."""
    x, free = np.zeros(len(scale)), np.eye(len(scale))
    for rows, values in ranks:
        if len(values):
            scaled = rows * scale
            U, s, Vt = np.linalg.svd(scaled @ free)
            # measured against the rows themselves: of rows that earlier ranks fix only rounding is left in `free`
            count = int(np.count_nonzero(s > DEPENDENT * np.linalg.norm(scaled, ord=2))) if s.size else 0
            x = x + free @ (Vt[:count].T @ (U[:, :count].T @ (values - scaled @ x) / s[:count]))
            free = free @ Vt[count:].T
    return np.asarray(scale * x)


def _given_body_speeds(index: SystemIndex, tables: Tables, data: Data) -> Rank:
    """Rows and values of the speeds the user gave for bodies."""
    rows, values = [], []
    for number, body in enumerate(index.model.bodies):
        carrier = index.tree.carriers[number]
        here = data.links[carrier.link]
        last = int(tables.links[carrier.link]["last_dof"])
        R = here["R"] @ carrier.pose.R
        origin = here["p"] + here["R"] @ carrier.pose.p
        for given, turning in ((body.velocity, False), (body.angular_velocity, True)):
            if given is None:
                continue
            for k in range(3):
                rows.append(_speed_row(tables, data, last, origin, R[:, k] if turning else np.eye(3)[k], turning))
                values.append(float(given[k]))
    return np.array(rows).reshape(len(values), len(tables.dofs)), np.array(values)


def _given_rates(index: SystemIndex, nv: int) -> Rank:
    """Rows and values of the rates the user gave for joints that have coordinates."""
    rows, values = [], []
    for number, coordinates in index.tree.joint_coordinates.items():
        for (_, iv), value in zip(coordinates, index.model.joints[number].start_rate, strict=False):
            if value is not None:
                rows.append(np.eye(nv)[iv])
                values.append(float(value))
    return np.array(rows).reshape(len(values), nv), np.array(values)


def _speed_row(tables: Tables, data: Data, last_dof: int, origin: Array, axis: Array, turning: bool) -> Array:
    """Row (nv,) that gives the velocity of a point, or the angular velocity, along an axis."""
    row, j = np.zeros(len(tables.dofs)), last_dof
    while j >= 0:
        motion = data.dofs[j]
        arm = origin - data.links[tables.dofs[j]["link"]]["p"]
        speed = motion["angular"] if turning else motion["linear"] + np.cross(motion["angular"], arm)
        row[j] = axis @ speed
        j = int(tables.dofs[j]["previous"])
    return row


def null_space(G: Array) -> Array:
    """Orthonormal basis (n, k) of the directions that leave all rows of G (m, n) unchanged."""
    return dense.null_space(G, DEPENDENT)
