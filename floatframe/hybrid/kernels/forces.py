"""Force elements: what they measure, the force they make of it, and where they apply it.

Every element between places gives one force and one torque on its marker a, in world axes; the opposite, moved to
marker b, acts there. Applied forces go to link loads and, with a minus sign, to the modal rows of the residual.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import ZERO, apply_at, apply_to_coordinate, coordinate_load, program, scaled
from floatframe.hybrid.kernels.forces_places import bushing, contact_plane, point_load, user_force
from floatframe.hybrid.kernels.forces_rail import wheel_rail
from floatframe.hybrid.kernels.forces_track import wheel_on_track
from floatframe.hybrid.kernels.layout import (
    BUMP_STOP,
    BUSHING,
    CONTACT_PLANE,
    COORDINATE_FORCE,
    FRESH,
    FRICTION,
    OFF,
    POINT_LOAD,
    SLIDES,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    STICKS,
    USER_FORCE,
    WHEEL_ON_TRACK,
    WHEEL_RAIL,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import column, cross, difference, dot, put


@inner
def apply_forces(tables, data, residual):
    """All force elements; sensors, markers and coordinates must be up to date."""
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind == OFF:
            continue
        if element.coordinate >= 0:
            in_joint(tables, data, element, here)
            apply_to_coordinate(tables, data, element.coordinate, here.value, residual)
            continue
        arm, relative, spin = between_places(tables, data, element, here)
        force, torque = scaled(1.0, here.force), scaled(1.0, here.torque)
        here.power = dot(force, relative) + dot(torque, spin)
        apply_at(tables, data, element.a, force, torque, residual)
        lever = cross(force, arm)
        apply_at(tables, data, element.b, scaled(-1.0, force), difference(lever, torque), residual)


@inner
def between_places(tables, data, element, here):
    """Force and torque of an element on its marker a; returns where a is from b, its velocity and turn against b."""
    a, b = data.markers[element.a], data.markers[element.b]
    put(here.force, ZERO)
    put(here.torque, ZERO)
    arm = difference(a.p, b.p)
    relative = difference(difference(a.v, b.v), cross(b.w, arm))
    spin = difference(a.w, b.w)
    here.elongation = math.sqrt(dot(arm, arm))
    here.rate = dot(arm, relative) / here.elongation if here.elongation > 0.0 else 0.0
    if element.kind <= BUMP_STOP:
        along_line(tables, data, element, here, arm, relative)
        return arm, relative, spin
    if element.kind == BUSHING:
        bushing(data, element, here, arm, relative, spin)
    elif element.kind == POINT_LOAD:
        point_load(tables, data, element, here)
    elif element.kind == USER_FORCE:
        user_force(data, element, here, arm, relative, spin)
    here.value = math.sqrt(dot(here.force, here.force))
    if element.kind == CONTACT_PLANE:
        contact_plane(data, element, here, arm, relative, spin)
    elif element.kind == WHEEL_RAIL:
        wheel_rail(tables, data, element, here, arm, relative, spin)
    elif element.kind == WHEEL_ON_TRACK:
        wheel_on_track(data, element, here)
    return arm, relative, spin


@inner
def in_joint(tables, data, element, here):
    """Value and report of an element in a joint coordinate."""
    c, now = tables.coordinates[element.coordinate], data.coordinates[element.coordinate]
    here.elongation, here.rate = now.value, now.rate
    here.value = -resistance(tables, data, element, here, now.value)
    here.power = here.value * here.rate
    force, torque = coordinate_load(data, c, element.side)
    put(here.force, scaled(here.value, force))
    put(here.torque, scaled(here.value, torque))


@inner
def along_line(tables, data, element, here, arm, relative):
    """Tension and force of an element along the line of its places, or along the z axis of b."""
    u = line_of(data, element, arm)
    length = dot(u, arm) if element.side == 1.0 else here.elongation
    here.elongation = length - element.length
    here.rate = dot(u, relative)
    here.value = resistance(tables, data, element, here, length)
    put(here.force, scaled(-here.value, u))


@inner
def line_of(data, element, arm):
    """Unit vector along which an element acts: from b to a, or the z axis of b."""
    if element.side == 1.0:
        return column(data.markers[element.b].R, 2)
    length = math.sqrt(dot(arm, arm))
    return scaled(1.0 / length if length > 0.0 else 0.0, arm)


@inner
def resistance(tables, data, element, here, length):
    """Force against elongation: linear part, program, friction, stops."""
    kind = element.kind
    x, rate, sign = here.elongation, here.rate, 1.0
    if kind == BUMP_STOP:
        gap = element.rebound
        if -x - element.clearance > x - gap:
            sign, gap = -1.0, element.clearance
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
        return friction(element, data.memory, here, law)
    law += element.preload + element.stiffness * x + element.damping * rate
    if kind == BUMP_STOP:
        return sign * max(law, 0.0)
    return law


@inner
def friction(element, memory, here, limit):
    """Dry friction up to a limit: growing smoothly with the rate, or elastic until it slides (return mapping).

    The limit of a step is that of holding or of sliding, as the last accepted step ended, so that within a step the
    force is a continuous function of the state.
    """
    m = element.memory
    limit = max(limit, 0.0)
    if m < 0:
        growth = 2.0 / element.speed
        share = math.tanh(growth * here.rate)
        here.state[0] = limit * growth * (1.0 - share * share)  # its slope, for iterations
        return limit * share
    held, anchor = memory[m], memory[m + 1]
    if memory[m + 2] == FRESH:
        held, anchor = 0.0, here.elongation
    if memory[m + 2] != SLIDES:
        limit *= element.static_ratio
    viscous = element.damping * here.rate
    wanted = held + element.stiffness * (here.elongation - anchor) + viscous
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
