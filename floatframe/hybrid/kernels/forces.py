"""Force elements: what they measure, the force they make of it, and where they apply it.

Every element between places gives one force and one torque on its marker a, in world axes; the opposite, moved to
marker b, acts there. Applied forces go to link loads and, with a minus sign, to the modal rows of the residual.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import ZERO, apply_at, apply_to_coordinate, coordinate_load, program, scaled
from floatframe.hybrid.kernels.forces_places import bushing, contact_plane, point_load, user_force
from floatframe.hybrid.kernels.forces_rail import wheel_rail
from floatframe.hybrid.kernels.layout import (
    BUMP_STOP,
    BUSHING,
    CLEARANCE,
    CONTACT_PLANE,
    COORDINATE_FORCE,
    DAMPING,
    FIRST_SENSOR,
    FRESH,
    FRICTION,
    LENGTH,
    OFF,
    POINT_LOAD,
    PRELOAD,
    REBOUND,
    SENSE_ANGULAR_VELOCITY,
    SENSE_COORDINATE,
    SENSE_MODAL,
    SENSE_MODAL_RATE,
    SENSE_POSITION,
    SENSE_RATE,
    SENSE_VELOCITY,
    SIDE,
    SLIDES,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    SLOT_TIME,
    SPEED,
    STATIC,
    STICKS,
    STIFFNESS,
    USER_FORCE,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, cross, difference, dot, put, turn_back


@inner
def read_sensors(tables, data, q, v, t):
    data.slots[SLOT_TIME] = t
    for i in range(len(tables.sensors)):
        sensor = tables.sensors[i]
        kind, k = sensor.kind, sensor.component
        value = 0.0
        if kind == SENSE_POSITION:
            value = data.markers[sensor.index].p[k]
        elif kind == SENSE_VELOCITY:
            value = data.markers[sensor.index].v[k]
        elif kind == SENSE_ANGULAR_VELOCITY:
            here = data.markers[sensor.index]
            value = turn_back(here.R, here.w)[k]
        elif kind == SENSE_COORDINATE:
            value = data.coordinates[sensor.index].value
        elif kind == SENSE_RATE:
            value = data.coordinates[sensor.index].rate
        elif kind == SENSE_MODAL:
            value = q[sensor.index]
        elif kind == SENSE_MODAL_RATE:
            value = v[sensor.index]
        data.slots[FIRST_SENSOR + i] = value


@inner
def apply_forces(tables, data, residual):
    """All force elements; sensors, markers and coordinates must be up to date."""
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind == OFF:
            continue
        put(here.force, ZERO)
        put(here.torque, ZERO)
        if element.coordinate >= 0:
            in_joint(tables, data, element, here)
            apply_to_coordinate(tables, data, element.coordinate, here.value, residual)
            continue
        a, b = data.markers[element.a], data.markers[element.b]
        arm = difference(a.p, b.p)
        relative = difference(difference(a.v, b.v), cross(b.w, arm))
        spin = difference(a.w, b.w)
        here.elongation = math.sqrt(dot(arm, arm))
        here.rate = dot(arm, relative) / here.elongation if here.elongation > 0.0 else 0.0
        if element.kind <= BUMP_STOP:
            along_line(tables, data, element, here, arm, relative)
        else:
            if element.kind == BUSHING:
                bushing(tables, data, element, here, arm, relative, spin)
            elif element.kind == POINT_LOAD:
                point_load(tables, data, element, here)
            elif element.kind == USER_FORCE:
                user_force(data, element, here, arm, relative, spin)
            here.value = math.sqrt(dot(here.force, here.force))
            if element.kind == CONTACT_PLANE:
                contact_plane(tables, data, element, here, arm, relative, spin)
            elif element.kind > USER_FORCE:
                wheel_rail(tables, data, element, here, arm, relative, spin)
        force, torque = scaled(1.0, here.force), scaled(1.0, here.torque)
        here.power = dot(force, relative) + dot(torque, spin)
        apply_at(tables, data, element.a, force, torque, residual)
        lever = cross(force, arm)
        apply_at(tables, data, element.b, scaled(-1.0, force), difference(lever, torque), residual)


@inner
def in_joint(tables, data, element, here):
    """Value and report of an element in a joint coordinate."""
    c, now = tables.coordinates[element.coordinate], data.coordinates[element.coordinate]
    here.elongation, here.rate = now.value, now.rate
    here.value = -resistance(tables, data, element, here, now.value)
    here.power = here.value * here.rate
    force, torque = coordinate_load(data, c, tables.pool[element.numbers + SIDE])
    put(here.force, scaled(here.value, force))
    put(here.torque, scaled(here.value, torque))


@inner
def along_line(tables, data, element, here, arm, relative):
    """Tension and force of an element along the line of its places, or along the z axis of b."""
    pool, k = tables.pool, element.numbers
    length = here.elongation
    if pool[k + SIDE] == 1.0:
        u = column(data.markers[element.b].R, 2)
        length = dot(u, arm)
    else:
        u = scaled(1.0 / length if length > 0.0 else 0.0, arm)
    here.elongation = length - pool[k + LENGTH]
    here.rate = dot(u, relative)
    here.value = resistance(tables, data, element, here, length)
    put(here.force, scaled(-here.value, u))


@inner
def resistance(tables, data, element, here, length):
    """Force against elongation: linear part, program, friction, stops."""
    pool, k, kind = tables.pool, element.numbers, element.kind
    x, rate, sign = here.elongation, here.rate, 1.0
    if kind == BUMP_STOP:
        gap = pool[k + REBOUND]
        if -x - pool[k + CLEARANCE] > x - gap:
            sign, gap = -1.0, pool[k + CLEARANCE]
        x, rate = sign * x - gap, sign * rate
        if not x > 0.0:
            return 0.0
    law = 0.0
    if element.program >= 0:
        data.slots[SLOT_COORDINATE] = x
        data.slots[SLOT_RATE] = rate
        data.slots[SLOT_LENGTH] = length
        law = program(tables, data, element.program)
    if kind == COORDINATE_FORCE:
        return -law
    if kind == FRICTION:
        return friction(pool, k, data.memory, element.memory, here, law)
    law += pool[k + PRELOAD] + pool[k + STIFFNESS] * x + pool[k + DAMPING] * rate
    if kind == BUMP_STOP:
        return sign * max(law, 0.0)
    return law


@inner
def friction(pool, k, memory, m, here, limit):
    """Dry friction up to a limit: growing smoothly with the rate, or elastic until it slides (return mapping).

    The limit of a step is that of holding or of sliding, as the last accepted step ended, so that within a step the
    force is a continuous function of the state.
    """
    limit = max(limit, 0.0)
    if m < 0:
        return limit * math.tanh(2.0 * here.rate / pool[k + SPEED])
    held, anchor = memory[m], memory[m + 1]
    if memory[m + 2] == FRESH:
        held, anchor = 0.0, here.elongation
    if memory[m + 2] != SLIDES:
        limit *= pool[k + STATIC]
    viscous = pool[k + DAMPING] * here.rate
    wanted = held + pool[k + STIFFNESS] * (here.elongation - anchor) + viscous
    total = min(max(wanted, -limit), limit)
    # the elastic part alone is remembered; while sliding it is what the limit leaves of it
    here.state[0] = min(max(total - viscous, -limit), limit)
    here.state[1] = here.elongation
    here.state[2] = STICKS if total == wanted else SLIDES
    return total


@inner
def remember_forces(tables, data):
    """Called when a step is accepted, after an evaluation of the forces at its end."""
    for i in range(len(tables.forces)):
        m = tables.forces[i].memory
        if m >= 0:
            for k in range(3):
                data.memory[m + k] = data.forces[i].state[k]
