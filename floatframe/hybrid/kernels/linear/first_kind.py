"""Lagrange's equations of the first kind for open trees of rigid bodies: Z^T S M^-1 S^T Z for the forces in the joints.

M is that of the free bodies, whose inverses are at hand. A joint hinders the directions Z; dofs that forces in the
joint resist with a slope are rows as well, with 1/slope on the diagonal. The factors L^T L are made from the leaves to
the ground, where no entry appears that the matrix does not have (see order.jointed).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.linear.fronts import six_product, take_row_off
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.vectors import cross, difference, put, turn

FLAT = 1e-9  # length of what is left of a joint's axis beside the others, over its own: two are in one line


@inner
def factor_first_kind(tables, data, w):
    """Factor M + diag(tree_dofs.extra) by its joints, at the poses in the workspace; False if it is singular."""
    for k in range(len(w.bodies)):
        body = w.bodies[k]
        place_body(tables, data, w, body)
        if not directions_of_joint(w, body):
            return False
    for k in range(len(w.bodies) - 1, -1, -1):
        couple(w, w.bodies[k])
    good = True
    for k in range(len(w.bodies) - 1, -1, -1):
        good = good and eliminate_joint(w, w.bodies[k])
    return good


@inner
def place_body(tables, data, w, body):
    """Inertia of a body in world axes, and the motions of its dofs at its origin."""
    here = data.links[body.link]
    put(body.arm, difference(here.p, data.links[body.carrier].p))
    put(body.centre, turn(here.R, body.com))
    R = here.R
    for r in range(3):
        row = turn(body.yielding, (R[r, 0], R[r, 1], R[r, 2]))
        for c in range(3):
            body.turning[r, c] = row[0] * R[c, 0] + row[1] * R[c, 1] + row[2] * R[c, 2]
    for k in range(body.n):
        j = w.lists[body.first + k]
        x = data.dofs[j]
        carried = cross(x.angular, difference(here.p, data.links[tables.dofs[j].link].p))
        for r in range(3):
            body.motion[k, r] = x.linear[r] + carried[r]
            body.motion[k, 3 + r] = x.angular[r]


@inner
def directions_of_joint(w, body):
    """Forces along the dofs of a joint and the directions it hinders; False if two dofs are the same motion.

    Q R of the motions, completed by directions at right angles: along = Q R^-T.
    """
    n, Q, R = body.n, body.hindered, body.border  # both are overwritten below
    for k in range(6):
        v = Q[k]
        size = 1.0
        if k < n:
            for r in range(6):
                v[r] = body.motion[k, r]
            size = math.sqrt(six_product(v, v))
        else:
            v[:] = 0.0
            v[free_component(Q, k)] = 1.0
        for i in range(k):
            R[i, k] = 0.0
        for _ in range(2):  # the second time takes off what rounding left
            for i in range(k):
                share = six_product(Q[i], v)
                R[i, k] += share
                take_row_off(v, Q[i], share)
        left = math.sqrt(six_product(v, v))
        if not left > FLAT * size:
            return False
        R[k, k] = left
        for r in range(6):
            v[r] /= left
    for k in range(n - 1, -1, -1):
        own = body.along[k]
        for r in range(6):
            own[r] = Q[k, r]
        for i in range(k + 1, n):
            take_row_off(own, body.along[i], R[k, i])
        for r in range(6):
            own[r] /= R[k, k]
    for k in range(n, 6):
        for r in range(6):
            Q[k - n, r] = Q[k, r]
    body.rows = 6 - n
    for k in range(n):
        dof = w.tree_dofs[w.lists[body.first + k]]
        answer(body, body.along[k], body.a)
        dof.pivot = 1.0 / six_product(body.along[k], body.a) + dof.extra
        if dof.extra > 0.0:
            for r in range(6):
                Q[body.rows, r] = body.along[k, r]
            body.rows += 1
    return True


@inner
def free_component(Q, k):
    """The component that the first k directions of Q have least of."""
    best, least = 0, math.inf
    for c in range(6):
        total = 0.0
        for i in range(k):
            total += Q[i, c] * Q[i, c]
        if total < least:
            best, least = c, total
    return best


@inner
def answer(body, wrench, a):
    """a (6,): acceleration of a free body by a wrench at its origin."""
    f = (wrench[0], wrench[1], wrench[2])
    lever = cross(body.centre, f)
    e = turn(body.turning, (wrench[3] - lever[0], wrench[4] - lever[1], wrench[5] - lever[2]))
    back = cross(body.centre, e)
    for r in range(3):
        a[r] = body.lightness * f[r] + back[r]
        a[3 + r] = e[r]


@inner
def see_from(d, wrench, target):
    """target (6,): a wrench seen from an origin d (3,) before its own."""
    lever = cross(d, (wrench[0], wrench[1], wrench[2]))
    for r in range(3):
        target[r] = wrench[r]
        target[3 + r] = wrench[3 + r] + lever[r]


@inner
def couple(w, body):
    """The rows of a joint with themselves, its parent's and those of the siblings before it, where the factors come."""
    numbers = w.numbers
    held = body.n + body.rows - 6  # rows of dofs that forces resist
    for k in range(body.rows):
        row = body.place + k * body.width
        answer(body, body.hindered[k], body.a)
        for i in range(k + 1):
            numbers[row + i] = six_product(body.hindered[i], body.a)
    place = body.rows - held
    for k in range(body.n):
        extra = w.tree_dofs[w.lists[body.first + k]].extra
        if extra > 0.0:
            numbers[body.place + place * body.width + place] += 1.0 / extra
            place += 1
    if body.parent < 0:
        return
    parent = w.bodies[body.parent]
    for k in range(body.rows):
        row = body.place + k * body.width
        see_from(body.arm, body.hindered[k], body.border[k])
        answer(parent, body.border[k], body.moved[k])
        for i in range(k + 1):
            numbers[row + i] += six_product(body.border[i], body.moved[k])
        for i in range(parent.rows):
            numbers[row + 6 + i] = -six_product(parent.hindered[i], body.moved[k])
    # siblings after it come with their own rows, and find its border here no more than it finds theirs
    for rank in range(body.rank + 1, body.family):
        other = w.bodies[w.lists[body.siblings + rank]]
        for k in range(other.rows):
            row = other.place + k * other.width + 6 * (2 + body.rank)
            for i in range(body.rows):
                numbers[row + i] = six_product(body.border[i], other.moved[k])


@inner
def eliminate_joint(w, body):
    """The rows of a joint become rows of the factors, and what they are coupled with is made smaller."""
    numbers, rows, width = w.numbers, body.rows, body.width
    for k in range(rows - 1, -1, -1):
        row = body.place + k * width
        if not numbers[row + k] > 0.0:
            return False
        root = math.sqrt(numbers[row + k])
        numbers[row + k] = root
        for c in range(k):
            numbers[row + c] /= root
        for c in range(6, width):
            numbers[row + c] /= root
        for i in range(k):
            above = body.place + i * width
            share = numbers[row + i]
            for c in range(i + 1):
                numbers[above + c] -= share * numbers[row + c]
            for c in range(6, width):
                numbers[above + c] -= share * numbers[row + c]
    for block in range(1, width // 6):
        other = neighbour(w, body, block)
        for i in range(other.rows):
            target = other.place + i * other.width
            for k in range(rows):
                row = body.place + k * width
                share = numbers[row + 6 * block + i]
                for c in range(i + 1):
                    numbers[target + c] -= share * numbers[row + 6 * block + c]
                for c in range(6, 6 * block):
                    numbers[target + c] -= share * numbers[row + c]
    return True


@inner
def neighbour(w, body, block):
    """The body whose joint a block of columns belongs to: 1 that of the parent, then the siblings."""
    return w.bodies[body.parent if block == 1 else w.lists[body.siblings + block - 2]]


@inner
def solve_first_kind(w, f):
    """f (nv,): forces along the dofs -> accelerations, with the factors at hand."""
    bodies, numbers = w.bodies, w.numbers
    for k in range(len(bodies)):
        body = bodies[k]
        body.wrench[:] = 0.0
        for i in range(body.n):
            take_row_off(body.wrench, body.along[i], -f[w.lists[body.first + i]])
    free_motion(w)
    for k in range(len(bodies)):
        body = bodies[k]
        for i in range(body.rows):
            body.lam[i] = -six_product(body.hindered[i], body.a)
            if body.parent >= 0:
                body.lam[i] += six_product(body.border[i], bodies[body.parent].a)
    for k in range(len(bodies) - 1, -1, -1):
        body = bodies[k]
        for i in range(body.rows - 1, -1, -1):
            row = body.place + i * body.width
            body.lam[i] /= numbers[row + i]
            for c in range(i):
                body.lam[c] -= numbers[row + c] * body.lam[i]
            for block in range(1, body.width // 6):
                other = neighbour(w, body, block)
                for c in range(other.rows):
                    other.lam[c] -= numbers[row + 6 * block + c] * body.lam[i]
    for k in range(len(bodies)):
        body = bodies[k]
        for i in range(body.rows):
            row = body.place + i * body.width
            total = body.lam[i]
            for c in range(i):
                total -= numbers[row + c] * body.lam[c]
            for block in range(1, body.width // 6):
                other = neighbour(w, body, block)
                for c in range(other.rows):
                    total -= numbers[row + 6 * block + c] * other.lam[c]
            body.lam[i] = total / numbers[row + i]
        for i in range(body.rows):
            take_row_off(body.wrench, body.hindered[i], -body.lam[i])
    free_motion(w)
    for k in range(len(bodies)):
        body = bodies[k]
        for i in range(body.n):
            total = six_product(body.along[i], body.a)
            if body.parent >= 0:
                see_from(body.arm, body.along[i], body.moved[0])
                total -= six_product(body.moved[0], bodies[body.parent].a)
            f[w.lists[body.first + i]] = total


@inner
def free_motion(w):
    """Accelerations a of all bodies by the wrenches in their joints, as if nothing else held them."""
    bodies = w.bodies
    for k in range(len(bodies)):
        for r in range(6):
            bodies[k].a[r] = bodies[k].wrench[r]
    for k in range(len(bodies)):
        body = bodies[k]
        if body.parent >= 0:
            parent = bodies[body.parent]
            lever = cross(body.arm, (body.wrench[0], body.wrench[1], body.wrench[2]))
            for r in range(3):
                parent.a[r] -= body.wrench[r]
                parent.a[3 + r] -= body.wrench[3 + r] + lever[r]
    for k in range(len(bodies)):
        body = bodies[k]
        answer(body, body.a, body.a)
