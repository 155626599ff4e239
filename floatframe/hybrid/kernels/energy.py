"""Energy and momentum of a system: kinetic, of gravity, elastic, stored in force elements; power of everything else."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import program
from floatframe.hybrid.kernels.flexible import energies, symmetric_times
from floatframe.hybrid.kernels.forces_places import rotation_vector
from floatframe.hybrid.kernels.forces_track import stored_in_wheel, storing_in_wheel
from floatframe.hybrid.kernels.layout import (
    BUMP_STOP,
    BUSHING,
    CONTACT_PLANE,
    COORDINATE_FORCE,
    OFF,
    RELATION,
    SLOT_COORDINATE,
    SLOT_LENGTH,
    SLOT_RATE,
    SPRING,
    WHEEL_ON_TRACK,
    WHEEL_RAIL,
)
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference, dot, turn, turn_back

# Lobatto's rule of five points on -1 … 1: with the ends, so that a kink close to one is seen
PLACES = (-1.0, -0.6546536707079771, 0.0, 0.6546536707079771, 1.0)
WEIGHTS = (0.1, 0.5444444444444444, 0.7111111111111111, 0.5444444444444444, 0.1)
EXACT = 1e-13  # of a potential: what halving an interval may change
KINK = 1e-12  # share of the way that is not halved any more: a kink or jump of the law lies in it


@inner
def energy_parts(tables, data, q, v):
    """Kinetic, potential (gravity) and elastic energy, J, at the poses and speeds in the workspace."""
    kinetic = 0.0
    potential = 0.0
    elastic = 0.0
    g = tables.gravity
    for i in range(1, len(tables.links)):
        link, here = tables.links[i], data.links[i]
        if link.flexible >= 0:
            body = tables.flexible[link.flexible]
            part = energies(body, tables.pool, data.pool, here, q, v)
            kinetic += part[0]
            elastic += part[1]
            o = body.work + 12 * body.n
            s = turn(here.R, (data.pool[o], data.pool[o + 1], data.pool[o + 2]))
            potential -= body.mass * dot(g, here.p) + dot(g, s)
        elif link.mass > 0.0:
            s = turn(here.R, link.moment)
            w = turn_back(here.R, here.w)
            kinetic += 0.5 * link.mass * dot(here.v, here.v) + dot(here.v, cross(here.w, s))
            kinetic += 0.5 * dot(w, turn(link.inertia, w))
            potential -= link.mass * dot(g, here.p) + dot(g, s)
    return kinetic, potential, elastic


@inner
def penetration(element, here):
    """How deep a contact is in [m], and the sign of its rate in that of the element."""
    if element.kind != BUMP_STOP:
        return here.elongation, 1.0
    x = here.elongation
    if -x - element.clearance > x - element.rebound:
        return -x - element.clearance, -1.0
    return x - element.rebound, 1.0


@inner
def hold(tables, data, element, x):
    """Force [N, N m] against the elongation, angle or penetration x, as far as it has a potential."""
    kind = element.kind
    if kind in (CONTACT_PLANE, WHEEL_RAIL):
        return element.stiffness * x**element.exponent
    law = 0.0
    if element.static >= 0:
        data.slots[SLOT_COORDINATE] = x
        data.slots[SLOT_RATE] = 0.0
        data.slots[SLOT_LENGTH] = x + element.length
        law = program(tables, data, element.static)
    if kind == COORDINATE_FORCE:
        return -law
    law += element.preload + element.stiffness * x
    return max(law, 0.0) if kind == BUMP_STOP else law


@inner
def lobatto(tables, data, element, a, b):
    """Integral of `hold` from a to b by one rule."""
    total = 0.0
    for i in range(5):
        total += WEIGHTS[i] * hold(tables, data, element, 0.5 * (a + b) + 0.5 * (b - a) * PLACES[i])
    return 0.5 * (b - a) * total


@inner
def potential_of_law(tables, data, element, x):
    """Integral of `hold` to x, from the place that was asked for before and where it is known; at first from zero."""
    m = element.stored
    if not math.isfinite(x):
        return math.nan
    start = data.memory[m]
    total = data.memory[m + 1]
    a = start
    step = x - a
    while a != x:
        b = x if abs(step) >= abs(x - a) else a + step
        middle = 0.5 * (a + b)
        once = lobatto(tables, data, element, a, b)
        twice = lobatto(tables, data, element, a, middle) + lobatto(tables, data, element, middle, b)
        if not math.isfinite(twice):
            if start != 0.0 or data.memory[m + 1] != 0.0:
                return math.nan
            # not from zero, as for a law of 1/x: the potential is zero at the first place that is asked for
            total = 0.0
            break
        if abs(once - twice) <= EXACT * (abs(total) + abs(twice)) or abs(b - a) <= KINK * max(abs(x), abs(start)):
            total += twice
            a = b
            step = 2.0 * step
        else:
            step = 0.5 * (b - a)
    data.memory[m] = x
    data.memory[m + 1] = total
    return total


@inner
def bushing_place(data, element):
    """Displacement [m] and rotation vector [rad] of a in the axes of b."""
    a, b = data.markers[element.a], data.markers[element.b]
    x, th = turn_back(b.R, difference(a.p, b.p)), rotation_vector(a.R, b.R)
    return x[0], x[1], x[2], th[0], th[1], th[2]


@inner
def bushing_energy(data, element):
    """J, of the symmetric part of its stiffness, less the work of its preload."""
    law, z = element.bushing, bushing_place(data, element)
    total = 0.0
    for r in range(6):
        total -= law.preload[r] * z[r]
        for c in range(6):
            total += 0.5 * z[r] * law.stiffness[r, c] * z[c]
    return total


@inner
def bushing_energy_rate(data, element):
    """W, time derivative of the energy that a bushing stores."""
    law, z = element.bushing, bushing_place(data, element)
    a, b = data.markers[element.a], data.markers[element.b]
    arm = difference(a.p, b.p)
    x = turn_back(b.R, difference(difference(a.v, b.v), cross(b.w, arm)))
    w = turn_back(b.R, difference(a.w, b.w))
    # rate of the rotation vector, of which the angular velocity is a part only
    th = (z[3], z[4], z[5])
    once = cross(th, w)
    twice = cross(th, once)
    square = dot(th, th)
    angle = math.sqrt(square)
    f = 1.0 / 12.0 if angle < 1e-3 else 1.0 / square - 0.5 / (angle * math.tan(0.5 * angle))
    turning = (
        w[0] - 0.5 * once[0] + f * twice[0],
        w[1] - 0.5 * once[1] + f * twice[1],
        w[2] - 0.5 * once[2] + f * twice[2],
    )
    rates = (x[0], x[1], x[2], turning[0], turning[1], turning[2])
    total = 0.0
    for r in range(6):
        total -= law.preload[r] * rates[r]
        for c in range(6):
            total += 0.5 * (law.stiffness[r, c] + law.stiffness[c, r]) * z[c] * rates[r]
    return total


@inner
def stored_energy(tables, data):
    """J, stored in force elements at the last evaluation of the forces; for observers, which remember potentials."""
    total = 0.0
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind == OFF:
            continue
        if element.static >= 0 and element.kind in (COORDINATE_FORCE, SPRING, BUMP_STOP):
            total += potential_of_law(tables, data, element, compression(element, here))
        else:
            total += stored_in(data, element, here)
    return total


@inner
def compression(element, here):
    """Elongation, of a stop its penetration."""
    return max(penetration(element, here)[0], 0.0) if element.kind == BUMP_STOP else here.elongation


@inner
def stored_in(data, element, here):
    """J, stored in an element that is not a law."""
    kind, x = element.kind, compression(element, here)
    if kind == BUSHING:
        return bushing_energy(data, element)
    if kind == WHEEL_ON_TRACK:
        return stored_in_wheel(data, element)
    if kind in (CONTACT_PLANE, WHEEL_RAIL):
        return element.stiffness * x ** (element.exponent + 1.0) / (element.exponent + 1.0) if x > 0.0 else 0.0
    if kind == BUMP_STOP:
        return 0.5 * max(element.stiffness, 0.0) * x * x
    return (element.preload + 0.5 * element.stiffness * x) * x if kind == SPRING else 0.0


@inner
def stored_at_once(tables, data):
    """The same as far as it is known at once, without what observers remember: of all but laws."""
    total = 0.0
    for i in range(len(tables.forces)):
        element, here = tables.forces[i], data.forces[i]
        if element.kind != OFF and element.static < 0:
            total += stored_in(data, element, here)
    return total


@inner
def outer_power_of(tables, data, element, here):
    """W, power of a force element without what goes into or comes out of its store."""
    kind = element.kind
    if kind == SPRING and (element.program < 0 or element.static == element.program):
        return -element.damping * here.rate**2
    if kind == COORDINATE_FORCE and element.static == element.program:
        return 0.0
    if kind == BUSHING:
        return here.power + bushing_energy_rate(data, element)
    if kind == WHEEL_ON_TRACK:
        return here.power + storing_in_wheel(data, element)
    if kind in (CONTACT_PLANE, WHEEL_RAIL, BUMP_STOP):
        x, sign = penetration(element, here)
        return here.power + hold(tables, data, element, x) * sign * here.rate if x > 0.0 else here.power
    if kind in (SPRING, COORDINATE_FORCE):
        return here.power + hold(tables, data, element, here.elongation) * here.rate
    return here.power


@inner
def outer_power(tables, data, lam, v):
    """W, that enters the energy: dampers, friction, drives, prescribed motions, damping of bodies; forces evaluated."""
    total = 0.0
    for i in range(len(tables.forces)):
        if tables.forces[i].kind != OFF:
            total += outer_power_of(tables, data, tables.forces[i], data.forces[i])
    for i in range(len(tables.rows)):
        if tables.rows[i].kind >= RELATION:  # others have no partial rate
            total -= lam[i] * data.rows[i].rate
    for b in range(len(tables.flexible)):
        body = tables.flexible[b]
        n, iv = body.n, body.iv
        M = body.matrices
        for i in range(n):
            if body.diagonal == 1:
                total -= tables.pool[M + 2 * n + i] * v[iv + i] ** 2
            else:
                for j in range(n):
                    total -= v[iv + i] * tables.pool[M + 2 * n * n + i * n + j] * v[iv + j]
    return total


@inner
def system_momentum(tables, data, v, angular, out, k):
    """Linear momentum (N s), or angular momentum about the world's origin (N m s)."""
    for c in range(3):
        out[k + c] = 0.0
    for i in range(1, len(tables.links)):
        link, here = tables.links[i], data.links[i]
        mass = link.mass
        local = (link.moment[0], link.moment[1], link.moment[2])
        w = turn_back(here.R, here.w)
        u = turn_back(here.R, here.v)
        spin = turn(link.inertia, w)
        extra0 = extra1 = extra2 = 0.0
        if link.flexible >= 0:
            body = tables.flexible[link.flexible]
            n, o, iv = body.n, body.work, body.iv
            mass = body.mass
            local = (data.pool[o + 12 * n], data.pool[o + 12 * n + 1], data.pool[o + 12 * n + 2])
            spin = symmetric_times(data.pool, o + 12 * n + 3, w)
            turning0 = turning1 = turning2 = 0.0
            H = body.constants + 3
            for j in range(n):
                extra0 += tables.pool[H + j] * v[iv + j]
                extra1 += tables.pool[H + n + j] * v[iv + j]
                extra2 += tables.pool[H + 2 * n + j] * v[iv + j]
                turning0 += data.pool[o + 6 * n + j] * v[iv + j]
                turning1 += data.pool[o + 7 * n + j] * v[iv + j]
                turning2 += data.pool[o + 8 * n + j] * v[iv + j]
            spin = (spin[0] + turning0, spin[1] + turning1, spin[2] + turning2)
        if mass == 0.0:
            continue
        swing = cross(w, local)
        P = (mass * u[0] + swing[0] + extra0, mass * u[1] + swing[1] + extra1, mass * u[2] + swing[2] + extra2)
        world = turn(here.R, P)
        if angular:
            lever = cross(local, u)
            own = turn(here.R, (lever[0] + spin[0], lever[1] + spin[1], lever[2] + spin[2]))
            world = cross(here.p, world)
            world = (world[0] + own[0], world[1] + own[1], world[2] + own[2])
        out[k] += world[0]
        out[k + 1] += world[1]
        out[k + 2] += world[2]
