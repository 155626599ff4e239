"""Contacts that steps must resolve: how long they may be where one of them opens, closes or changes its push.

Controlled steps of high order see by their errors what a contact does, once they have not passed it between two stages.
So it is with friction that sticks, where what slides turns back.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.coordinates import add_marker, scaled
from floatframe.hybrid.kernels.energy import hold, penetration
from floatframe.hybrid.kernels.layout import BUMP_STOP, FRESH, FRICTION, SLIDES
from floatframe.hybrid.kernels.linear import solve_step
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference, dot

STEADY = 0.2  # share of a push that may change in a step of any length: contact that lasts
PHASE = 0.1  # rad of the oscillation on a contact's stiffness that a step may take where it opens or closes
NEARLY = 1.05  # of the time to a contact that a step may take: it ends just inside
CLOSEST = 1e-3  # of the longest controlled step: contacts that are nearer than that in time do not shorten steps
SHIFT = 1e-7  # m, rad: displacement for differences, at most
OF_DEPTH, LEAST_SHIFT = 1e-2, 1e-12  # of the depth of a contact, which must not open by it, and at least [m]
AT_TURN = 10.0  # of the shortest step: steps that end no later behind a turn are not repeated
FASTEST_CUT = 0.1  # share to which one cut shortens a step at most: the contact may still be far


@inner
def shift_inside(tables, data, w):
    """m, rad: displacement for differences that leaves contacts closed."""
    shift = SHIFT
    for c in range(len(w.contacts)):
        element = w.contacts[c].element
        depth = penetration(tables.forces[element], data.forces[element])[0]
        if depth > 0.0:
            shift = min(shift, max(OF_DEPTH * depth, LEAST_SHIFT))
    return shift


@inner
def slope_of(tables, data, element, x):
    """N/m, growth of a contact's elastic push at a depth x."""
    push = hold(tables, data, element, x)
    if element.kind == BUMP_STOP:
        return push / x
    return element.exponent * push / x


@inner
def pushed_mass(tables, data, w, s, contact):
    """Inertia [kg] that the last push of a contact works on, by the factors at hand; 0 if it moves nothing."""
    nv, nl = len(w.x), len(w.lam)
    row = w.shifted
    for i in range(nv):
        row[i] = 0.0
    element = tables.forces[contact.element]
    force, torque = scaled(1.0, contact.force), scaled(1.0, contact.torque)
    arm = difference(data.markers[element.a].p, data.markers[element.b].p)
    add_marker(tables, data, element.a, force, torque, row)
    add_marker(tables, data, element.b, scaled(-1.0, force), difference(cross(force, arm), torque), row)
    for r in range(nv):
        w.rhs[r] = row[w.rows[r].dof]
    for k in range(nl):
        w.rhs[nv + k] = 0.0
    solve_step(w, nl)
    mobility = 0.0
    for i in range(nv):
        mobility += row[i] * w.correction[i]
    return 1.0 / mobility if mobility > 0.0 else 0.0


@inner
def keep_direction(contact, here):
    """Force and torque per unit of push on a of a contact, where it pushes."""
    size = math.sqrt(dot(here.force, here.force))
    if size > 0.0:
        for k in range(3):
            contact.force[k] = here.force[k] / size
            contact.torque[k] = here.torque[k] / size


@inner
def watch_contacts(tables, data, w, first):
    """Least and largest push of every contact in the step so far, with those of the last evaluation."""
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        element, here = tables.forces[contact.element], data.forces[contact.element]
        if first:
            contact.push_least = contact.push_most = contact.push_start
            contact.depth_most = contact.depth_start
        push = abs(here.value)
        keep_direction(contact, here)
        contact.push_least = min(contact.push_least, push)
        contact.push_most = max(contact.push_most, push)
        contact.depth_most = max(contact.depth_most, penetration(element, here)[0])


@inner
def longest_step(tables, data, w, s):
    """The longest step [s] that resolves the contacts which change in the present one, infinite if none does."""
    longest = math.inf
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        change, depth = contact.push_most - contact.push_least, contact.depth_most
        if not (depth > 0.0 and change > STEADY * contact.push_most):
            continue
        mass = pushed_mass(tables, data, w, s, contact)
        if mass == 0.0:
            continue
        element = tables.forces[contact.element]
        slope, damping = slope_of(tables, data, element, depth), element.damping
        own = math.inf
        if slope > 0.0:
            own = PHASE * math.sqrt(mass / slope)
        if damping > 0.0:
            own = min(own, PHASE * mass / damping)
        if own < longest:
            longest = own
            s.contact_element = contact.element
    return longest


@inner
def too_long(s, h, longest):
    """Whether a fixed step has to be repeated shorter for a contact; if none is short enough, it is counted."""
    if h <= longest * (1.0 + 1e-9):
        return False
    shorter = max(longest, FASTEST_CUT * h)
    if shorter < s.h_min:
        s.unresolved += 1.0
        return False
    s.leg_step = shorter
    s.leg_uneven = 1.0
    s.contact_cuts += 1.0
    s.contact_step = shorter if s.contact_step == 0.0 else min(s.contact_step, shorter)
    return True


@inner
def step_to_contact(w, s, h):
    """s, a controlled step of at most h: it ends just inside the first contact that closes at its present rate.

    Where a contact opens faster than its spring follows, it ends there as well: damping takes what the spring still
    holds, which does not move anything, so that errors do not show it.
    """
    shorter = h
    for c in range(len(w.contacts)):
        gap, rate = -w.contacts[c].depth_start, w.contacts[c].rate_start
        if gap > 0.0 and rate * shorter > NEARLY * gap:
            shorter = NEARLY * gap / rate
        elif gap < 0.0 and w.contacts[c].push_start == 0.0 and rate * shorter < gap:
            shorter = gap / rate
    return max(shorter, min(h, CLOSEST * s.h_max))


@inner
def deepest(d0, d1, r0, r1, h):
    """Share of a step h at which a depth is largest, by the cubic through depths and rates at its ends; else 0."""
    a = 3.0 * (2.0 * (d0 - d1) + h * (r0 + r1))
    b = 6.0 * (d1 - d0) - h * (4.0 * r0 + 2.0 * r1)
    # the slope h r0 + b x + a x² falls through zero where it is largest
    root = b * b - 4.0 * a * h * r0
    return -2.0 * h * r0 / (b - math.sqrt(root)) if root > 0.0 and r0 > 0.0 and r1 < 0.0 else 0.0


@inner
def touch_passed(tables, data, w, s, h):
    """Whether a contact that is open at both ends of a controlled step closes between: it is then repeated until there.

    A step that ends inside a contact sees by its error what it does.
    """
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        depth, sign = penetration(tables.forces[contact.element], data.forces[contact.element])
        rate = sign * data.forces[contact.element].rate
        if contact.depth_start < 0.0 and depth < 0.0:
            d0, r0 = contact.depth_start, contact.rate_start
            x = deepest(d0, depth, r0, rate, h)
            rest = 1.0 - x
            by_start = rest * rest * ((1.0 + 2.0 * x) * d0 + x * h * r0)
            by_end = x * x * ((3.0 - 2.0 * x) * depth - rest * h * rate)
            if by_start + by_end > 0.0 and x * h > CLOSEST * s.h_max:
                s.leg_step = x * h
                s.rejected += 1.0
                return True
    return False


@inner
def turn_passed(tables, data, s, h):
    """Whether what slides on friction that sticks has turned back in a controlled step: it is repeated until there.

    Friction remembers where the step began, not where slip turned: until it is back there it would drive what slides,
    smoothly, so that no estimated error shows it.
    """
    for i in range(len(tables.forces)):
        m = tables.forces[i].memory
        if m < 0 or tables.forces[i].kind != FRICTION or data.memory[m + 2] == FRESH:
            continue
        here = data.forces[i]
        way = here.elongation - data.memory[m + 1]
        back = here.rate * h
        if here.state[2] == SLIDES and here.power > 0.0 and way * back < 0.0:
            # the turn of the parabola through the way and the rate at the end
            share = (2.0 * way - back) / (2.0 * way - 2.0 * back)
            if (1.0 - share) * h > AT_TURN * s.h_min:
                s.leg_step = share * h
                s.rejected += 1.0
                return True
    return False


@inner
def touched(w):
    """Whether a contact pushed somewhere in the present step."""
    most = 0.0
    for c in range(len(w.contacts)):
        most = max(most, w.contacts[c].push_most)
    return most > 0.0


@inner
def same_touch(data, w):
    """Whether those contacts push that did when the iteration matrix was made."""
    same = True
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        same = same and (data.forces[contact.element].value != 0.0) == (contact.factored == 1)
    return same


@inner
def keep_touch(data, w):
    """Remember which contacts push where an iteration matrix is made."""
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        contact.factored = 1 if data.forces[contact.element].value != 0.0 else 0


@inner
def leave_contacts(tables, data, w):
    """Called when a step is accepted: what the next one begins with."""
    for c in range(len(w.contacts)):
        contact = w.contacts[c]
        element, here = tables.forces[contact.element], data.forces[contact.element]
        keep_direction(contact, here)
        contact.push_start = abs(here.value)
        depth, sign = penetration(element, here)
        contact.depth_start = depth
        contact.rate_start = sign * here.rate
