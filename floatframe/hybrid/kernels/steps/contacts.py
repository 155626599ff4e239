"""Contacts that a fixed step must resolve: how long it may be where one of them opens, closes or changes its push."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.constraints import add_marker, scaled
from floatframe.hybrid.kernels.energy import hold, penetration
from floatframe.hybrid.kernels.layout import BUMP_STOP, CONTACT_PLANE, DAMPING, RAIL_DAMPING, RAIL_EXPONENT
from floatframe.hybrid.kernels.linear import articulated_solve, solve_step
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.stepping import (
    CONTACT_CUTS,
    CONTACT_ELEMENT,
    CONTACT_STEP,
    CORRECTION,
    DEPTH_MOST,
    DEPTH_START,
    DIRECTION,
    FACTORED_TOUCH,
    H_MIN,
    KIND,
    LAM,
    LEG_STEP,
    LEG_UNEVEN,
    LEVEL,
    PIVOT,
    PUSH_LEAST,
    PUSH_MOST,
    PUSH_START,
    RUNGE_KUTTA,
    SHIFTED,
    TREE,
    UNRESOLVED,
    X,
)
from floatframe.hybrid.kernels.vectors import cross, difference, dot

STEADY = 0.2  # share of a push that may change in a step of any length: contact that lasts
PHASE = 0.1  # rad of the oscillation on a contact's stiffness that a step may take where it opens or closes
FASTEST_CUT = 0.1  # share to which one cut shortens a step at most: the contact may still be far


@inner
def damping_of(tables, element):
    """N s/m, of a contact."""
    k = element.numbers
    if element.kind == CONTACT_PLANE:
        return tables.pool[k + 1]
    return tables.pool[k + (DAMPING if element.kind == BUMP_STOP else RAIL_DAMPING)]


@inner
def slope_of(tables, data, element, x):
    """N/m, growth of a contact's elastic push at a depth x."""
    push = hold(tables, data, element, x)
    if element.kind == BUMP_STOP:
        return push / x
    k = element.numbers
    exponent = tables.pool[k + (3 if element.kind == CONTACT_PLANE else RAIL_EXPONENT)]
    return exponent * push / x


@inner
def pushed_mass(tables, data, w, s, element, c):
    """Inertia [kg] that the last push of contact c works on, by the factors at hand; 0 if it moves nothing."""
    nv, nl = len(w.vv[X]), len(w.ll[LAM])
    row = w.vv[SHIFTED]
    for i in range(nv):
        row[i] = 0.0
    k = DIRECTION
    force = (w.touch[k, c], w.touch[k + 1, c], w.touch[k + 2, c])
    torque = (w.touch[k + 3, c], w.touch[k + 4, c], w.touch[k + 5, c])
    arm = difference(data.markers[element.a].p, data.markers[element.b].p)
    add_marker(tables, data, element.a, force, torque, row)
    add_marker(tables, data, element.b, scaled(-1.0, force), difference(cross(force, arm), torque), row)
    explicit = s[KIND] == RUNGE_KUTTA
    if w.flags[TREE] == 1 and (explicit or s[LEVEL] == 0.0):
        for i in range(nv):
            w.vv[CORRECTION, i] = row[i]
        if explicit:
            articulated_solve(tables.links, data.links, data.dofs, w.U, w.vv[PIVOT], w.wrench, w.vv[CORRECTION])
        else:
            articulated_solve(tables.links, w.links, w.dofs, w.U, w.vv[PIVOT], w.wrench, w.vv[CORRECTION])
    else:
        for r in range(nv):
            w.rhs[r] = row[w.order[r]]
        for k in range(nl):
            w.rhs[nv + k] = 0.0
        solve_step(w, nl)
    mobility = 0.0
    for i in range(nv):
        mobility += row[i] * w.vv[CORRECTION, i]
    return 1.0 / mobility if mobility > 0.0 else 0.0


@inner
def keep_direction(w, here, c):
    """Force and torque per unit of push on a of contact c, where it pushes."""
    size = math.sqrt(dot(here.force, here.force))
    if size > 0.0:
        for k in range(3):
            w.touch[DIRECTION + k, c] = here.force[k] / size
            w.touch[DIRECTION + 3 + k, c] = here.torque[k] / size


@inner
def watch_contacts(tables, data, w, first):
    """Least and largest push of every contact in the step so far, with those of the last evaluation."""
    for c in range(len(w.contacts)):
        element, here = tables.forces[w.contacts[c]], data.forces[w.contacts[c]]
        if first:
            w.touch[PUSH_LEAST, c] = w.touch[PUSH_MOST, c] = w.touch[PUSH_START, c]
            w.touch[DEPTH_MOST, c] = w.touch[DEPTH_START, c]
        push = abs(here.value)
        keep_direction(w, here, c)
        w.touch[PUSH_LEAST, c] = min(w.touch[PUSH_LEAST, c], push)
        w.touch[PUSH_MOST, c] = max(w.touch[PUSH_MOST, c], push)
        w.touch[DEPTH_MOST, c] = max(w.touch[DEPTH_MOST, c], penetration(tables, element, here)[0])


@inner
def longest_step(tables, data, w, s):
    """The longest step [s] that resolves the contacts which change in the present one, infinite if none does."""
    longest = math.inf
    for c in range(len(w.contacts)):
        element = tables.forces[w.contacts[c]]
        change, depth = w.touch[PUSH_MOST, c] - w.touch[PUSH_LEAST, c], w.touch[DEPTH_MOST, c]
        if not (depth > 0.0 and change > STEADY * w.touch[PUSH_MOST, c]):
            continue
        mass = pushed_mass(tables, data, w, s, element, c)
        if mass == 0.0:
            continue
        slope, damping = slope_of(tables, data, element, depth), damping_of(tables, element)
        own = math.inf
        if slope > 0.0:
            own = PHASE * math.sqrt(mass / slope)
        if damping > 0.0:
            own = min(own, PHASE * mass / damping)
        if own < longest:
            longest = own
            s[CONTACT_ELEMENT] = w.contacts[c]
    return longest


@inner
def too_long(s, h, longest):
    """Whether a fixed step has to be repeated shorter for a contact; if none is short enough, it is counted."""
    if h <= longest * (1.0 + 1e-9):
        return False
    shorter = max(longest, FASTEST_CUT * h)
    if shorter < s[H_MIN]:
        s[UNRESOLVED] += 1.0
        return False
    s[LEG_STEP] = shorter
    s[LEG_UNEVEN] = 1.0
    s[CONTACT_CUTS] += 1.0
    s[CONTACT_STEP] = shorter if s[CONTACT_STEP] == 0.0 else min(s[CONTACT_STEP], shorter)
    return True


@inner
def touched(w):
    """Whether a contact pushed somewhere in the present step."""
    most = 0.0
    for c in range(len(w.contacts)):
        most = max(most, w.touch[PUSH_MOST, c])
    return most > 0.0


@inner
def same_touch(data, w):
    """Whether those contacts push that did when the iteration matrix was made."""
    same = True
    for c in range(len(w.contacts)):
        same = same and (data.forces[w.contacts[c]].value != 0.0) == (w.touch[FACTORED_TOUCH, c] == 1.0)
    return same


@inner
def keep_touch(data, w):
    """Remember which contacts push where an iteration matrix is made."""
    for c in range(len(w.contacts)):
        w.touch[FACTORED_TOUCH, c] = 1.0 if data.forces[w.contacts[c]].value != 0.0 else 0.0


@inner
def leave_contacts(tables, data, w):
    """Called when a step is accepted: what the next one begins with."""
    for c in range(len(w.contacts)):
        element, here = tables.forces[w.contacts[c]], data.forces[w.contacts[c]]
        keep_direction(w, here, c)
        w.touch[PUSH_START, c] = abs(here.value)
        w.touch[DEPTH_START, c] = penetration(tables, element, here)[0]
