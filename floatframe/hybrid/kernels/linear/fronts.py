"""Solution of [M, -G^T; G, 0] along the tree, in a time that grows with the number of bodies, modes and loops only.

The factors are those of the articulated-body method at rest: every dof in turn, from the leaves, is split off the
inertia of the link it moves. Constraint rows are carried along as a border until their loops close, where they are
eliminated as well (Sathya and Carpentier (2024) have this for rigid trees); `order` says when. Modes of
flexible bodies are dofs that move no frame. Factored once, many right-hand sides follow, each in one sweep in and one
sweep out. Vectors of six are force over torque, or velocity over angular velocity, at link origins in world axes.

The multiplier inside is -lam, so that all of it is symmetric: M x + G^T y = f, G x - r y = g, with r from REGULAR.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.constraints import add_constraint_row
from floatframe.hybrid.kernels.linear.articulated import add_to_parent, add_wrench, carry_out, own_inertia, take_off
from floatframe.hybrid.kernels.options import apart, inner
from floatframe.hybrid.kernels.vectors import cross, difference, dot, put, turn, turn_back

REGULAR = 1e-12  # share of a row's own stiffness added to it, so dependent rows do no harm


@inner
def fill_rows(tables, data, w):
    """Coefficients of all rows at the poses in the workspace, as given."""
    numbers, lists = w.numbers, w.lists
    for k in range(len(w.steps)):
        step, row, here = w.steps[k], tables.rows[k], data.rows[k]
        for e in range(step.first, step.last, 2):
            numbers[lists[e + 1]] = 0.0
        if w.rows[len(w.x) + k].held == 0:
            continue
        if step.split < 0:
            scratch = w.shifted
            scratch[:] = 0.0
            add_constraint_row(tables, data, k, scratch)
            for e in range(step.first, step.last, 2):
                numbers[lists[e + 1]] = scratch[lists[e]]
        else:
            fill_way(tables, data, w, row.a, step.first, step.split, here.force_a, here.torque_a)
            fill_way(tables, data, w, row.b, step.split, step.last, here.force_b, here.torque_b)


@inner
def fill_way(tables, data, w, number, first, last, force, torque):
    """Coefficients of a force and a torque at a marker: of the modes of its body, and from its link towards the ground.

    They are listed from first to last.
    """
    marker, place = tables.markers[number], data.markers[number]
    numbers, lists = w.numbers, w.lists
    e = first
    if marker.flexible >= 0:
        n, R, rows, work = tables.flexible[marker.flexible].n, data.links[marker.link].R, marker.work, data.pool
        f, t = turn_back(R, force), turn_back(R, torque)
        for j in range(n):
            value = work[rows + j] * f[0] + work[rows + n + j] * f[1] + work[rows + 2 * n + j] * f[2]
            value += work[rows + 3 * n + j] * t[0] + work[rows + 4 * n + j] * t[1] + work[rows + 5 * n + j] * t[2]
            numbers[lists[e + 1]] += value
            e += 2
    while e < last:
        j = lists[e]
        motion = data.dofs[j]
        moment = cross(difference(place.p, data.links[tables.dofs[j].link].p), force)
        value = dot(motion.linear, force)
        value += motion.angular[0] * (torque[0] + moment[0])
        value += motion.angular[1] * (torque[1] + moment[1])
        value += motion.angular[2] * (torque[2] + moment[2])
        numbers[lists[e + 1]] += value
        e += 2


@inner
def row_product(w, k, x):
    """Row k of the Jacobian at the poses of the factors times x (nv,)."""
    step = w.steps[k]
    total = 0.0
    for e in range(step.first, step.last, 2):
        total += w.numbers[w.lists[e + 1]] * x[w.lists[e]]
    return total


@inner
def row_size(w, k, x):
    """The same with the sizes of the terms."""
    step = w.steps[k]
    total = 0.0
    for e in range(step.first, step.last, 2):
        total += abs(w.numbers[w.lists[e + 1]] * x[w.lists[e]])
    return total


@inner
def add_flexible_inertia(body, work, here, A):
    """A (6, 6) += the inertia of a deformed flexible body at the origin of its frame."""
    n = body.n
    s_at, J = body.work + 12 * n, body.work + 12 * n + 3
    R, m = here.R, body.mass
    s = turn(R, (work[s_at], work[s_at + 1], work[s_at + 2]))
    for r in range(3):
        A[r, r] += m
    A[0, 4] += s[2]
    A[0, 5] -= s[1]
    A[1, 3] -= s[2]
    A[1, 5] += s[0]
    A[2, 3] += s[1]
    A[2, 4] -= s[0]
    for r in range(3):
        x, y, z = R[r, 0], R[r, 1], R[r, 2]
        a = work[J] * x + work[J + 5] * y + work[J + 4] * z
        b = work[J + 5] * x + work[J + 1] * y + work[J + 3] * z
        c = work[J + 4] * x + work[J + 3] * y + work[J + 2] * z
        for k in range(3):
            A[3 + r, k] = A[k, 3 + r]
        for k in range(r, 3):
            A[3 + r, 3 + k] += a * R[k, 0] + b * R[k, 1] + c * R[k, 2]
            A[3 + k, 3 + r] = A[3 + r, 3 + k]


@apart
def take_row_off(b, u, factor):
    """b (6,) -= factor u."""
    for r in range(6):
        b[r] -= factor * u[r]


@inner
def modal_columns(tables, data, w, front, cv, cq):
    """Coupling of the modes of a link with its frame, and their pivots; where they are not apart, made so."""
    body = tables.flexible[front.flexible]
    n, iv, R = body.n, body.iv, data.links[body.link].R
    pool, work = tables.pool, data.pool
    JH, phiw = body.constants + 3, body.work + 6 * n
    k = body.matrices
    for i in range(n):
        dof = w.tree_dofs[iv + i]
        force = turn(R, (pool[JH + i], pool[JH + n + i], pool[JH + 2 * n + i]))
        torque = turn(R, (work[phiw + i], work[phiw + n + i], work[phiw + 2 * n + i]))
        for r in range(3):
            dof.u[r] = force[r]
            dof.u[3 + r] = torque[r]
            dof.linear[r] = dof.angular[r] = 0.0
        for c in range(front.count):
            w.numbers[dof.shares + c] = w.numbers[dof.shares + w.traits.given + c]
        if front.factor < 0:
            dof.pivot = dof.extra + pool[k + i] + cq * pool[k + n + i] + cv * pool[k + 2 * n + i]
    if front.factor < 0:
        return
    # L D L^T of the modal block, rows of L below the diagonal; columns and coefficients are multiplied by L^-1
    L, numbers = front.factor, w.numbers
    for i in range(n):
        dof = w.tree_dofs[iv + i]
        for j in range(i + 1):
            place = i * n + j
            total = pool[k + place] + cq * pool[k + n * n + place] + cv * pool[k + 2 * n * n + place]
            if j == i:
                total += dof.extra
            for p in range(j):
                total -= numbers[L + i * n + p] * numbers[L + j * n + p] * w.tree_dofs[iv + p].pivot
            if j == i:
                dof.pivot = total
            else:
                numbers[L + place] = total / w.tree_dofs[iv + j].pivot
        for p in range(i):
            factor, other = numbers[L + i * n + p], w.tree_dofs[iv + p]
            take_row_off(dof.u, other.u, factor)
            for c in range(front.count):
                numbers[dof.shares + c] -= factor * numbers[other.shares + c]


@inner
def take_dof_off(w, dof, entry, count, pairs, A):
    """Take a dof with its pivot, column and coefficients off the inertia of its link and the rows open there.

    entry: the first of these rows, count of them; pairs: their slots.
    """
    inverse = 1.0 / dof.pivot
    take_off(A, dof.u, inverse)
    numbers, lists = w.numbers, w.lists
    slot = pairs
    for p in range(count):
        own = numbers[dof.shares + p]
        factor = own * inverse
        if factor == 0.0:
            slot += count - p
            continue
        opened = w.open[entry + p]
        take_row_off(opened.b, dof.u, factor)
        w.steps[opened.row].stiffness += factor * own
        for q in range(p, count):
            numbers[lists[slot]] -= factor * numbers[dof.shares + q]
            slot += 1


@inner
def take_closing_off(w, entry, A):
    """Take a row whose loop closes at a link off its inertia and the rows near it; False if it has no stiffness."""
    opened = w.open[entry]
    step, numbers, lists = w.steps[opened.row], w.numbers, w.lists
    if w.rows[len(w.x) + opened.row].held == 0:
        numbers[opened.row] = -1.0  # its coefficients are zero, its multiplier is its right-hand side
        return True
    pivot = numbers[opened.row] - REGULAR * step.stiffness
    if not pivot < 0.0:
        return False
    numbers[opened.row] = pivot
    inverse = 1.0 / pivot
    take_off(A, opened.b, inverse)
    slot = step.pairs
    for p in range(step.count):
        near = step.near + 3 * p
        own = numbers[lists[near + 1]]
        factor = own * inverse
        take_row_off(w.open[lists[near + 2]].b, opened.b, factor)
        for q in range(p, step.count):
            numbers[lists[slot]] -= factor * numbers[lists[step.near + 3 * q + 1]]
            slot += 1
    return True


@inner
def factor_tree(tables, data, w, cv, cq):
    """Factor M + diag(tree_dofs.extra) + cq K + cv D of the modes, bordered by the rows, at the poses in the workspace.

    The factors keep the poses. False if they are singular.
    """
    links, tree_links, numbers = tables.links, w.tree_links, w.numbers
    fill_rows(tables, data, w)
    for i in range(w.traits.slots):
        numbers[i] = 0.0
    for k in range(len(w.steps)):
        w.steps[k].stiffness = 0.0
    for e in range(len(w.open)):
        w.open[e].b[:] = 0.0
    for i in range(len(links)):
        put(tree_links[i].arm, data.links[i].arm)
        own_inertia(links[i], data.links[i], tree_links[i].inertia)
    for i in range(len(links) - 1, -1, -1):
        front = w.fronts[i]
        A = tree_links[i].inertia
        if front.modes > 0:
            add_flexible_inertia(tables.flexible[front.flexible], data.pool, data.links[i], A)
            modal_columns(tables, data, w, front, cv, cq)
            for j in range(front.modal, front.modal + front.modes):
                if not w.tree_dofs[j].pivot > 0.0:
                    return False
                take_dof_off(w, w.tree_dofs[j], front.first, front.count, front.pairs, A)
        for e in range(front.first, front.first + front.closing):
            if not take_closing_off(w, e, A):
                return False
        if i == 0:
            break
        entry, count = front.first + front.closing, front.count - front.closing
        for j in range(front.iv + front.nv - 1, front.iv - 1, -1):
            dof = w.tree_dofs[j]
            put(dof.linear, data.dofs[j].linear)
            put(dof.angular, data.dofs[j].angular)
            x, y, u = dof.linear, dof.angular, dof.u
            for r in range(6):
                u[r] = (
                    A[r, 0] * x[0] + A[r, 1] * x[1] + A[r, 2] * x[2] + A[r, 3] * y[0] + A[r, 4] * y[1] + A[r, 5] * y[2]
                )
            total = u[0] * x[0] + u[1] * x[1] + u[2] * x[2] + u[3] * y[0] + u[4] * y[1] + u[5] * y[2] + dof.extra
            if not total > 0.0:
                return False
            dof.pivot = total
            for p in range(count):
                b = w.open[entry + p].b
                moved = b[0] * x[0] + b[1] * x[1] + b[2] * x[2] + b[3] * y[0] + b[4] * y[1] + b[5] * y[2]
                numbers[dof.shares + p] = numbers[dof.shares + w.traits.given + p] + moved
            take_dof_off(w, dof, entry, count, front.kept, A)
        if front.parent > 0:
            arm = tree_links[i].arm
            add_to_parent(A, arm, tree_links[front.parent].inertia)
            for p in range(count):
                add_wrench(w.open[w.open[entry + p].above].b, w.open[entry + p].b, arm)
    return True


@inner
def six_product(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@inner
def solve_tree(w):
    """Solve for the right-hand side f in w.correction (nv,), g in w.steps.right; -lam takes the place of g."""
    f, steps, numbers, lists = w.correction, w.steps, w.numbers, w.lists
    for i in range(len(w.fronts)):
        w.tree_links[i].wrench[:] = 0.0
    for i in range(len(w.fronts) - 1, -1, -1):
        front = w.fronts[i]
        F = w.tree_links[i].wrench
        if front.modes > 0:
            if front.factor >= 0:
                forward_modes(w, front)
            for j in range(front.modal, front.modal + front.modes):
                spread_dof(w, j, front.first, front.count, F)
        for e in range(front.first, front.first + front.closing):
            opened = w.open[e]
            step = steps[opened.row]
            factor = step.right / numbers[opened.row]
            take_row_off(F, opened.b, factor)
            for p in range(step.count):
                near = step.near + 3 * p
                steps[lists[near]].right -= factor * numbers[lists[near + 1]]
        if i == 0:
            break
        for j in range(front.iv + front.nv - 1, front.iv - 1, -1):
            dof = w.tree_dofs[j]
            x, y = dof.linear, dof.angular
            f[j] += x[0] * F[0] + x[1] * F[1] + x[2] * F[2] + y[0] * F[3] + y[1] * F[4] + y[2] * F[5]
            spread_dof(w, j, front.first + front.closing, front.count - front.closing, F)
        if front.parent > 0:
            add_wrench(w.tree_links[front.parent].wrench, F, w.tree_links[i].arm)
    w.tree_links[0].wrench[:] = 0.0
    for i in range(len(w.fronts)):
        front = w.fronts[i]
        # from here on the rows hold accelerations instead of wrenches
        a = w.tree_links[i].wrench
        if i > 0:
            carry_out(w.tree_links[front.parent], w.tree_links[i])
            for j in range(front.iv, front.iv + front.nv):
                dof = w.tree_dofs[j]
                x, y = dof.linear, dof.angular
                own = gather_dof(w, j, front.first + front.closing, front.count - front.closing, a)
                a[0] += own * x[0]
                a[1] += own * x[1]
                a[2] += own * x[2]
                a[3] += own * y[0]
                a[4] += own * y[1]
                a[5] += own * y[2]
        for e in range(front.first + front.closing - 1, front.first - 1, -1):
            opened = w.open[e]
            step = steps[opened.row]
            total = step.right - six_product(opened.b, a)
            for p in range(step.count):
                near = step.near + 3 * p
                total -= numbers[lists[near + 1]] * steps[lists[near]].right
            step.right = total / numbers[opened.row]
        if front.modes > 0:
            for j in range(front.modal, front.modal + front.modes):
                gather_dof(w, j, front.first, front.count, a)
            if front.factor >= 0:
                backward_modes(w, front)


@inner
def spread_dof(w, j, entry, count, F):
    """Take what a dof carries off the wrench of its link and the rows open there."""
    dof = w.tree_dofs[j]
    share = w.correction[j] / dof.pivot
    take_row_off(F, dof.u, share)
    for p in range(count):
        w.steps[w.open[entry + p].row].right -= share * w.numbers[dof.shares + p]


@inner
def gather_dof(w, j, entry, count, a):
    """The acceleration of a dof from that of its link and the multipliers of the rows open there."""
    dof = w.tree_dofs[j]
    own = w.correction[j] - six_product(dof.u, a)
    for p in range(count):
        own -= w.numbers[dof.shares + p] * w.steps[w.open[entry + p].row].right
    own /= dof.pivot
    w.correction[j] = own
    return own


@inner
def forward_modes(w, front):
    """Right-hand sides of the modes times L^-1."""
    n, L, f = front.modes, front.factor, w.correction
    for i in range(n):
        for p in range(i):
            f[front.modal + i] -= w.numbers[L + i * n + p] * f[front.modal + p]


@inner
def backward_modes(w, front):
    """Solutions of the modes times L^-T."""
    n, L, f = front.modes, front.factor, w.correction
    for i in range(n - 1, -1, -1):
        for p in range(i + 1, n):
            f[front.modal + i] -= w.numbers[L + p * n + i] * f[front.modal + p]
