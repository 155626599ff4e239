"""Channels of recorded states: what is missing in a record, one evaluation, then the numbers the probes ask for."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels import probes
from floatframe.hybrid.kernels.constraints import row_rates
from floatframe.hybrid.kernels.coordinates import coordinate_load, remember_angles, scaled
from floatframe.hybrid.kernels.energy import energy_parts, stored_energy, system_momentum
from floatframe.hybrid.kernels.layout import EXPRESSION, OFF, RELATION, SENSE_RATE, TREE_COORDINATE
from floatframe.hybrid.kernels.markers import linear_motion
from floatframe.hybrid.kernels.options import KEPT, MATRIX, PROBES, SYSTEM, entry, inner
from floatframe.hybrid.kernels.steps import largest_of, settle_record, try_record
from floatframe.hybrid.kernels.system import CONVECTIVE, evaluate_now
from floatframe.hybrid.kernels.vectors import cross, difference, quaternion, turn_back
from floatframe.native import WHOLE

UPRIGHT = 1e-9  # sine below which two axes of a sequence of angles are one


@inner
def put3(out, k, a):
    out[k] = a[0]
    out[k + 1] = a[1]
    out[k + 2] = a[2]


@inner
def put_quaternion(out, k, R):
    """Unit quaternion, scalar first."""
    w, x, y, z = quaternion(((R[0, 0], R[0, 1], R[0, 2]), (R[1, 0], R[1, 1], R[1, 2]), (R[2, 0], R[2, 1], R[2, 2])))
    out[k] = w
    out[k + 1] = x
    out[k + 2] = y
    out[k + 3] = z


@inner
def cardan_angles(R):
    """Angles [rad] about x, then the new y, then the new z; the last is 0 where the second is a right angle."""
    flat = math.hypot(R[0, 0], R[0, 1])
    second = math.atan2(R[0, 2], flat)
    if flat < UPRIGHT:
        return math.atan2(R[2, 1], R[1, 1]), second, 0.0
    return math.atan2(-R[1, 2], R[2, 2]), second, math.atan2(-R[0, 1], R[0, 0])


@inner
def euler_angles(R):
    """Precession about z, nutation about the new x, spin about the new z [rad]; no spin where there is no nutation."""
    tilt = math.hypot(R[0, 2], R[1, 2])
    nutation = math.atan2(tilt, R[2, 2])
    if tilt < UPRIGHT:
        return math.atan2(R[1, 0], R[0, 0]), nutation, 0.0
    return math.atan2(R[0, 2], -R[1, 2]), nutation, math.atan2(R[2, 0], R[2, 1])


@inner
def joint_wrench(tables, data, probe, lam, torque, out):
    """What a tree joint carries, on its place a and about it: all that its last link passes on, less its drives."""
    here, place = data.links[probe.index], data.markers[probe.marker].p
    force = scaled(probe.sign, here.force)
    turning = scaled(probe.sign, here.torque)
    shift = cross(difference(here.p, place), force)
    total = (turning[0] + shift[0], turning[1] + shift[1], turning[2] + shift[2]) if torque else force
    put3(out, probe.column, total)
    for i in range(len(tables.forces)):
        element = tables.forces[i]
        if element.kind != OFF and element.coordinate >= 0:
            take_drive(tables, data, probe, element.coordinate, data.forces[i].value, torque, out)
    for i in range(len(tables.rows)):
        row = tables.rows[i]
        # steps that follow the time are part of the joint
        if row.kind == RELATION and not probe.first_row <= i < probe.last_row:
            for k in range(row.first_term, row.last_term):
                term = tables.terms[k]
                take_drive(tables, data, probe, term.coordinate, lam[i] * term.factor, torque, out)
        elif row.kind == EXPRESSION:
            for k in range(row.first_term, row.last_term):
                sensor = tables.sensors[tables.terms[k].sensor]
                if sensor.kind == SENSE_RATE:
                    size = lam[i] * data.pool[row.work + k - row.first_term]
                    take_drive(tables, data, probe, sensor.index, size, torque, out)


@inner
def take_drive(tables, data, probe, coordinate, value, torque, out):
    """Take what a drive exerts on place a off a tree joint's wrench, if it drives a coordinate of that joint."""
    c = tables.coordinates[coordinate]
    if c.kind == TREE_COORDINATE and probe.last <= c.iv < tables.links[probe.index].iv + tables.links[probe.index].nv:
        wrench = coordinate_load(data, c, probe.sign)
        for k in range(3):
            out[probe.column + k] -= value * wrench[1 if torque else 0][k]


@inner
def cut_wrench(tables, data, probe, lam, torque, out):
    """What the rows of a cut joint carry, on its place a and about it."""
    put3(out, probe.column, (0.0, 0.0, 0.0))
    place = data.markers[probe.marker].p
    for i in range(probe.first_row, probe.last_row):
        row, here = tables.rows[i], data.rows[i]
        if row.kind == RELATION:
            for k in range(row.first_term, row.last_term):
                c = tables.coordinates[tables.terms[k].coordinate]
                force, turning = coordinate_load(data, c, 1.0)
                size = lam[i] * tables.terms[k].factor
                add_part(data, c.a, place, scaled(size, force), scaled(size, turning), torque, out, probe.column)
        else:
            force, turning = scaled(lam[i], here.force_a), scaled(lam[i], here.torque_a)
            add_part(data, row.a, place, force, turning, torque, out, probe.column)


@inner
def add_part(data, marker, place, force, turning, torque, out, k):
    """Add a force at a marker, or its torque about a place with the torque beside it, to three columns."""
    arm = difference(data.markers[marker].p, place)
    shift = cross(arm, force)
    for c in range(3):
        out[k + c] += turning[c] + shift[c] if torque else force[c]


@inner
def node_motion(tables, k, q, first):
    """Displacement (first 0) or rotation (first 3) of the node at marker k, body axes."""
    marker = tables.markers[k]
    return linear_motion(marker, tables.flexible, tables.pool, q, tables.flexible[marker.flexible].iq, first)


@inner
def judge(tables, data, w, q, v, out):
    """Kinetic, potential, elastic, stored and total energy [J], the largest violation of a row and of its rate, to out.

    out (7,)
    """
    parts = energy_parts(tables, data, q, v)
    put3(out, 0, parts)
    out[3] = stored_energy(tables, data)
    out[4] = parts[0] + parts[1] + parts[2] + out[3]
    out[5] = 0.0
    for j in range(len(data.rows)):
        out[5] = max(out[5], abs(data.rows[j].value))
    row_rates(tables, data, v, w.lam_step)
    out[6] = largest_of(w.lam_step)


@entry(*SYSTEM, PROBES, WHOLE, WHOLE, KEPT, MATRIX, MATRIX)
def observe(tables, data, w, s, wanted, what, unsettled, kept, out, judged):
    """Columns out (m, ncolumn) of m recorded states, from an evaluation of `what` (bits of kernels.system).

    What is always asked for, energies and drift, goes to judged (m, 7), see `judge`. From record `unsettled` on
    speeds, accelerations and multipliers are found first and put into the records; the drift of speeds is that before.
    """
    q, v, x, lam, memory = kept.q, kept.v, kept.x, kept.lam, kept.memory
    for m in range(len(kept.t)):
        for i in range(memory.shape[1]):
            data.memory[i] = memory[m, i]
        settled = m >= unsettled and settle_record(tables, data, w, s, kept, m, what & CONVECTIVE != 0)
        if not settled:
            try_record(w, kept, m)
            evaluate_now(tables, data, w, kept.t[m], what, w.residual)
        # angles that only channels ask for count their turns from record to record
        remember_angles(tables.coordinates, data.coordinates, data.memory)
        judge(tables, data, w, q[m], v[m], judged[m])
        if settled and s.project == 1.0:
            judged[m, 6] = s.speed_gap
        row = out[m]
        for i in range(len(wanted)):
            probe = wanted[i]
            kind, k, c = probe.kind, probe.index, probe.column
            if kind == probes.POSITION:
                put3(row, c, data.markers[k].p)
            elif kind == probes.VELOCITY:
                put3(row, c, data.markers[k].v)
            elif kind == probes.ACCELERATION:
                a = data.markers[k].a
                put3(row, c, (a[0] + tables.gravity[0], a[1] + tables.gravity[1], a[2] + tables.gravity[2]))
            elif kind == probes.ATTITUDE:
                put_quaternion(row, c, data.markers[k].R)
            elif kind == probes.CARDAN:
                put3(row, c, cardan_angles(data.markers[k].R))
            elif kind == probes.EULER:
                put3(row, c, euler_angles(data.markers[k].R))
            elif kind == probes.ANGULAR_VELOCITY:
                put3(row, c, turn_back(data.markers[k].R, data.markers[k].w))
            elif kind == probes.ANGULAR_ACCELERATION:
                put3(row, c, turn_back(data.markers[k].R, data.markers[k].e))
            elif kind == probes.DISPLACEMENT:
                put3(row, c, node_motion(tables, k, q[m], 0))
            elif kind == probes.ROTATION:
                put3(row, c, node_motion(tables, k, q[m], 3))
            elif kind == probes.COORDINATE:
                row[c] = data.coordinates[k].value
            elif kind == probes.RATE:
                row[c] = data.coordinates[k].rate
            elif kind == probes.SECOND_RATE:
                row[c] = data.coordinates[k].convective
            elif kind in (probes.TREE_FORCE, probes.TREE_TORQUE):
                joint_wrench(tables, data, probe, lam[m], kind == probes.TREE_TORQUE, row)
            elif kind in (probes.CUT_FORCE, probes.CUT_TORQUE):
                cut_wrench(tables, data, probe, lam[m], kind == probes.CUT_TORQUE, row)
            elif kind == probes.MULTIPLIER:
                row[c] = lam[m, k]
            elif kind == probes.ELEMENT_VALUE:
                row[c] = data.forces[k].value
            elif kind == probes.ELEMENT_ELONGATION:
                row[c] = data.forces[k].elongation
            elif kind == probes.ELEMENT_RATE:
                row[c] = data.forces[k].rate
            elif kind == probes.ELEMENT_POWER:
                row[c] = data.forces[k].power
            elif kind == probes.ELEMENT_FORCE:
                put3(row, c, data.forces[k].force)
            elif kind == probes.ELEMENT_TORQUE:
                put3(row, c, data.forces[k].torque)
            elif kind == probes.Q_RANGE:
                row[c] = 0.0  # of an empty range: a row that does not hold
                for j in range(k, probe.last):
                    row[c + j - k] = q[m, j]
            elif kind == probes.V_RANGE:
                for j in range(k, probe.last):
                    row[c + j - k] = v[m, j]
            elif kind == probes.X_RANGE:
                for j in range(k, probe.last):
                    row[c + j - k] = x[m, j]
            elif kind == probes.WORK_RANGE:
                for j in range(k, probe.last):
                    row[c + j - k] = data.pool[j]
            elif kind == probes.ENERGY:
                row[c] = judged[m, k]
            elif kind == probes.SLOT:
                row[c] = data.slots[k]
            elif kind in (probes.LINEAR_MOMENTUM, probes.ANGULAR_MOMENTUM):
                system_momentum(tables, data, v[m], kind == probes.ANGULAR_MOMENTUM, row, c)
