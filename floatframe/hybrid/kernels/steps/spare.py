"""Constraint rows that were left out because they follow from the others: whether they still do."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import row_rate, row_values
from floatframe.hybrid.kernels.layout import EXPRESSION, LENGTHS, RELATION
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.terms import expression_speed
from floatframe.hybrid.kernels.vectors import dot

APART = 1e-9  # gap of a spare row, as a share of the mechanism's size or in rad
OPENING = 1e-8  # rate of a spare row, as a share of the speeds it is made of
RESTING = 1e-12  # 1/s, size of the mechanism or rad that every rate may have: rounding at rest
LOOSE = 1e3  # how much larger than those of the rows kept gaps and rates of spare rows may be


@inner
def spare_rows_hold(tables, data, w, s, t):
    """Whether the spare rows follow from the others at the poses and speeds in the workspace.

    Where the rows kept become singular and the mechanism does not, they would let it go where the others open.
    """
    if len(tables.spare) == 0:
        return True
    row_values(tables, data, tables.spare, data.spare, w.q, t)
    gap = APART
    rate = 0.0
    for i in range(len(tables.rows)):
        gap = max(gap, LOOSE * abs(data.rows[i].value))
        rate = max(rate, LOOSE * abs(row_rate(tables, data, tables.rows[i], data.rows[i], w.v)))
    speed = 0.0
    for i in range(len(tables.spare)):
        speed = max(speed, row_speed(tables, data, tables.spare[i], data.spare[i], w.v))
    rate += max(gap, OPENING) * speed
    for i in range(len(tables.spare)):
        row, here = tables.spare[i], data.spare[i]
        size = s.mechanism_size if row.kind in LENGTHS else 1.0
        if abs(here.value) > gap * size or abs(row_rate(tables, data, row, here, w.v)) > rate + RESTING * size:
            return False
    return True


@inner
def row_speed(tables, data, row, here, v):
    """The speeds that the rate of a row is made of, whatever their directions."""
    if row.kind == RELATION:
        total = abs(here.rate)
        for k in range(row.first_term, row.last_term):
            total += abs(tables.terms[k].factor * data.coordinates[tables.terms[k].coordinate].rate)
        return total
    if row.kind == EXPRESSION:
        return expression_speed(tables, data, row, here, v)
    a, b = data.markers[row.a], data.markers[row.b]
    return (
        length(here.force_a) * (length(a.v) + length(b.v))
        + length(here.torque_a) * length(a.w)
        + (length(here.torque_b) * length(b.w))
    )


@inner
def length(a):
    return math.sqrt(dot(a, a))
