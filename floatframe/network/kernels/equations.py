"""Residual and Jacobian of a network at the end of a step, and the solution of its linear equations."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid import run_inside
from floatframe.network.kernels.laws import CYLINDER, DIODE, add_cylinder, branch, diode_reach
from floatframe.network.kernels.options import inner


@inner
def program(tables, w, k):
    """The value of an expression for the slots as they are."""
    return run_inside(
        tables.code,
        tables.constants,
        tables.begin,
        k,
        w.slots,
        tables.table_begin,
        tables.table_x,
        tables.table_coefficients,
        w.stack,
    )


@inner
def fill_slots(tables, w, y, t):
    """The values of the names that expressions may use."""
    width = len(tables.offset)
    w.slots[0] = t
    for k in range(len(tables.places)):
        place = tables.places[k]
        w.slots[k + 1] = y[place // width, place % width]


@inner
def evaluate(tables, w, y, t, cx, ca):
    """Flows into w.residual and the Jacobian cx K + D + ca M into w.J for unknowns y."""
    residual, J, p = w.residual, w.J, tables.parameters
    for i in range(len(residual)):
        residual[i] = tables.offset[i]
        row = J[i]
        for j in range(len(residual)):
            row[j] = 0.0
    for k in range(len(tables.entries)):
        one = tables.entries[k]
        i, j = one.row, one.column
        residual[i] += one.k * y[0, j] + one.d * y[1, j] + one.m * y[2, j]
        J[i, j] += cx * one.k + one.d + ca * one.m
    if len(tables.drives) > 0:
        _drive(tables, w, y, t, cx, ca)
    for k in range(len(tables.elements)):
        one = tables.elements[k]
        if one.law == CYLINDER:
            add_cylinder(p, one.p, one.dofs, y, cx, ca, residual, J)
            continue
        a, b = one.dofs[0], one.dofs[1]
        s = w.inputs[one.input] if one.input >= 0 else 0.0
        flow, by_x, by_a, by_b, by_s = branch(one.law, p, one.p, s, y[0, a], y[0, b], y[1, a], y[1, b], t)
        residual[a] += flow
        residual[b] -= flow
        by_a += cx * by_x
        by_b -= cx * by_x
        J[a, a] += by_a
        J[a, b] += by_b
        J[b, a] -= by_a
        J[b, b] -= by_b
        if one.drive >= 0 and by_s != 0.0:
            drive = tables.drives[one.drive]
            for m in range(drive.slope, drive.slope_end):
                slope = tables.slopes[m]
                by = by_s * program(tables, w, slope.program) * _factor(slope.level, cx, ca)
                J[a, slope.column] += by
                J[b, slope.column] -= by


@inner
def reach(tables, y, change):
    """The share of a change of v that one iteration may go."""
    share, n = 1.0, len(change)
    for k in range(len(tables.elements)):
        one = tables.elements[k]
        if one.law == DIODE:
            a, b = one.dofs[0], one.dofs[1]
            wish = (change[a] if a < n else 0.0) - (change[b] if b < n else 0.0)
            share = min(share, diode_reach(tables.parameters, one.p, y[1, a] - y[1, b], wish))
    return share


@inner
def _factor(level, cx, ca):
    return cx if level == 0 else 1.0 if level == 1 else ca


@inner
def _drive(tables, w, y, t, cx, ca):
    """Inputs that change."""
    fill_slots(tables, w, y, t)
    for k in range(len(tables.drives)):
        drive = tables.drives[k]
        value = program(tables, w, drive.program)
        if drive.input >= 0:
            w.inputs[drive.input] = value
            continue
        for m in range(drive.share, drive.share_end):
            w.residual[tables.shares[m].row] += tables.shares[m].value * value
        for m in range(drive.slope, drive.slope_end):
            slope = tables.slopes[m]
            by = program(tables, w, slope.program) * _factor(slope.level, cx, ca)
            for i in range(drive.share, drive.share_end):
                w.J[tables.shares[i].row, slope.column] += tables.shares[i].value * by


@inner
def stored_power(tables, y):
    """What flows into elements that store energy."""
    total = 0.0
    for i in range(len(tables.offset)):
        total += tables.stored_offset[i] * _weight(tables, y, i)
    for k in range(len(tables.stored)):
        one = tables.stored[k]
        flow = one.k * y[0, one.column] + one.d * y[1, one.column] + one.m * y[2, one.column]
        total += flow * _weight(tables, y, one.row)
    return total


@inner
def _weight(tables, y, i):
    return y[1, i] if tables.weight[i] == 1 else 1.0 if tables.weight[i] == 2 else 0.0


@inner
def factor(A, pivots):
    """A = L U by rows with row exchanges, zeros left out; False if it is singular."""
    n = len(pivots)
    for k in range(n):
        best, largest = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > largest:
                best, largest = i, abs(A[i, k])
        if not (largest > 0.0 and largest < 1e300):
            return False
        pivots[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        upper, inverse = A[k], 1.0 / A[k, k]
        for i in range(k + 1, n):
            row = A[i]
            if row[k] != 0.0:
                scale = row[k] * inverse
                row[k] = scale
                for j in range(k + 1, n):
                    row[j] -= scale * upper[j]
    return True


@inner
def solve(A, pivots, x):
    """x becomes the solution for it as the right-hand side."""
    n = len(pivots)
    for k in range(n):
        if pivots[k] != k:
            x[k], x[pivots[k]] = x[pivots[k]], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= A[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
