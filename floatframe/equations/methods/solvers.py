"""The four methods of Shimanovskiy (2024) written plainly, for accelerations from poses, speeds and forces.

dec   L^T D L of the extended equations: bodies from the leaves inwards, then outwards
cbm   composite bodies, mass matrix, sparse L^T L
lgr   equations of the first kind for the forces in the joints, sparse L^T L
itr   iterations with an approximate inverse
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.equations.methods.bodies import Body, Tree, joint_inertia
from floatframe.equations.methods.counting import (
    Tally,
    cross,
    eye,
    rotated,
    shifted_twist,
    shifted_wrench,
    symmetric,
    zeros,
)
from floatframe.equations.methods.sparse import Blocks, cholesky, factor, solve, solve_lower, solve_transposed

CLOSE = 1e-12  # of the forces that iterations leave


@dataclass(frozen=True)
class Solution:
    """Accelerations (nv,); blocks that factors have and their matrix has not; iterations done."""

    accelerations: AnyArray
    fill_in: int = 0
    iterations: int = 0


def dec(tree: Tree) -> Solution:
    tree.place()
    n = len(tree.bodies)
    inertia = [body.M for body in tree.bodies]
    force = [-body.gyroscopic() for body in tree.bodies]
    factors: list[tuple[AnyArray, AnyArray, AnyArray]] = [(zeros(0, 0), zeros(0, 0), zeros(0))] * n
    for i in range(n - 1, -1, -1):
        body, M, F = tree.bodies[i], inertia[i], force[i]
        AM = body.A.T @ M
        L = cholesky(joint_inertia(body.A, AM.T))
        U = solve_transposed(L, AM)
        u = solve_transposed(L, (body.A.T @ F + body.force)[:, None])[:, 0]
        factors[i] = L, U, u
        if body.parent < 0:
            continue
        H = _minus_square(M, U)
        h = F - H @ body.bias - U.T @ u
        inertia[body.parent] = _plus(inertia[body.parent], seen_by_parent(body, H))
        force[body.parent] = force[body.parent] + shifted_wrench(body.G, body.rho, h)
    a: list[AnyArray] = []
    found = []
    for body, (L, U, u) in zip(tree.bodies, factors, strict=True):
        carried = tree.carried(body, a) + body.bias
        x = solve_lower(L, u - U @ carried)
        a.append(carried + body.A @ x)
        found.append(x)
    return Solution(tree.generalised(found))


def seen_by_parent(body: Body, H: AnyArray) -> AnyArray:
    """C^T H C (6, 6)."""
    G, rho = body.G, body.rho
    a, c = rotated(G.T, H[:3, :3]), rotated(G.T, H[3:, 3:])
    b = G.T @ H[:3, 3:] @ G
    lever = cross(rho, b)  # rho~ b
    # b - a rho~, row by row: -(a rho~) = (rho~ a)^T
    b2 = b + cross(rho, a).T
    again = cross(rho, b2)
    found = zeros(6, 6)
    found[:3, :3], found[:3, 3:], found[3:, :3] = a, b2, b2.T
    found[3:, 3:] = symmetric(3, lambda i, j: c[i, j] + again[i, j] + lever[j, i])
    return found


def _minus_square(M: AnyArray, U: AnyArray) -> AnyArray:
    """M - U^T U."""
    return symmetric(6, lambda i, j: M[i, j] - U[:, i] @ U[:, j] if len(U) else M[i, j])


def _plus(A: AnyArray, B: AnyArray) -> AnyArray:
    return symmetric(6, lambda i, j: A[i, j] + B[i, j])


def inverse_dynamics(tree: Tree, x: list[AnyArray] | None) -> list[AnyArray]:
    """Forces (n,) along the dofs of every joint: M x along the tree, or without x what holds the motion as it is."""
    a: list[AnyArray] = []
    wrench: list[AnyArray] = []
    for k, body in enumerate(tree.bodies):
        if x is None:
            a.append(tree.carried(body, a) + body.bias)
            wrench.append(body.wrench(a[k]) + body.gyroscopic())
        else:
            own = body.A @ x[k]
            a.append(own + shifted_twist(body.G, body.rho, a[body.parent]) if body.parent >= 0 else own)
            wrench.append(body.wrench(a[k]))
    found = [zeros(0)] * len(tree.bodies)
    for k in range(len(tree.bodies) - 1, -1, -1):
        body = tree.bodies[k]
        found[k] = body.A.T @ wrench[k]
        if body.parent >= 0:
            wrench[body.parent] = wrench[body.parent] + shifted_wrench(body.G, body.rho, wrench[k])
    return found


def forces(tree: Tree) -> list[AnyArray]:
    """Q (n,) of every joint in M x = Q."""
    return [body.force - held for body, held in zip(tree.bodies, inverse_dynamics(tree, None), strict=True)]


def cbm(tree: Tree) -> Solution:
    tree.place()
    L, fill_in = factor(mass_blocks(tree), len(tree.bodies))
    return Solution(tree.generalised(solve(L, forces(tree))), fill_in)


def mass_blocks(tree: Tree) -> Blocks:
    """Blocks of the mass matrix of joints that lie on one way to the ground, by composite bodies."""
    mass = [body.mass for body in tree.bodies]
    moment = [body.moment for body in tree.bodies]
    inertia = [body.inertia for body in tree.bodies]
    blocks: Blocks = {}
    for i in range(len(tree.bodies) - 1, -1, -1):
        body, m, s, J = tree.bodies[i], mass[i], moment[i], inertia[i]
        linear, angular = body.A[:3], body.A[3:]
        F = np.concatenate((m * linear + cross(angular, s[:, None]), cross(s[:, None], linear) + J @ angular))
        blocks[i, i] = joint_inertia(body.A, F)
        for k in tree.path(i)[:-1]:
            F = shifted_wrench(tree.bodies[k].G, tree.bodies[k].rho[:, None], F)
            parent = tree.bodies[k].parent
            blocks[i, parent] = F.T @ tree.bodies[parent].A
        if body.parent >= 0:
            p, rho = body.parent, body.rho
            turned = body.G.T @ s
            carried = m * rho
            half = turned + turned + carried  # J + 2 (rho . half') E - ..., symmetric in rho and this
            about = rotated(body.G.T, J)
            spread = rho @ half
            shift = symmetric(3, lambda i, j, t=turned, c=carried, r=rho: _lever(r, t, c, i, j))
            mass[p], moment[p] = mass[p] + m, moment[p] + turned + carried
            inertia[p] = _sum(inertia[p], about, shift, spread)
    return blocks


def _sum(own: AnyArray, about: AnyArray, shift: AnyArray, spread: Any) -> AnyArray:
    """Own inertia, that of what is carried, and what its lever adds."""
    return symmetric(3, lambda i, j: own[i, j] + about[i, j] - shift[i, j] + (spread if i == j else 0))


def _lever(rho: AnyArray, s: AnyArray, carried: AnyArray, i: int, j: int) -> AnyArray:
    """rho s^T + s rho^T + m rho rho^T (i, j)."""
    if i == j:
        return rho[i] * (s[i] + s[i] + carried[i])
    return rho[i] * (s[j] + carried[j]) + s[i] * rho[j]


def lgr(tree: Tree) -> Solution:
    tree.place()
    n = len(tree.bodies)
    answers = [Answers.of(body, tree.tally) for body in tree.bodies]
    force = [-body.gyroscopic() for body in tree.bodies]
    bases = [directions(body.A) for body in tree.bodies]
    ideal = [along @ body.force for body, (along, _) in zip(tree.bodies, bases, strict=True)]
    hindered = [Z for _, Z in bases]
    for i in range(n - 1, -1, -1):
        body = tree.bodies[i]
        force[i] = force[i] + ideal[i]
        if body.parent >= 0:
            force[body.parent] = force[body.parent] - shifted_wrench(body.G, body.rho, ideal[i])
    free = [answer.of_wrench(F) for answer, F in zip(answers, force, strict=True)]
    blocks: Blocks = {}
    right: list[AnyArray] = []
    borders = [zeros(6, 0)] * n
    for i, body in enumerate(tree.bodies):
        Z = hindered[i]
        own = joint_inertia(Z, answers[i].of_wrench(Z))
        right.append(Z.T @ (tree.carried(body, free) + body.bias - free[i]))
        if body.parent >= 0:
            p = body.parent
            borders[i] = border = shifted_wrench(body.G, body.rho[:, None], Z)
            moved = answers[p].of_wrench(border)
            own = own + joint_inertia(border, moved)
            blocks[i, p] = -(moved.T @ hindered[p])
            for k in tree.children[p]:
                if k < i:
                    blocks[i, k] = moved.T @ borders[k]
        blocks[i, i] = own
    L, fill_in = factor(blocks, n)
    lam = solve(L, right)
    joint = [Z @ own for Z, own in zip(hindered, lam, strict=True)]
    total = list(joint)
    for i, body in enumerate(tree.bodies):
        if body.parent >= 0:
            total[body.parent] = total[body.parent] - shifted_wrench(body.G, body.rho, joint[i])
    a = [one + answer.of_wrench(F) for one, answer, F in zip(free, answers, total, strict=True)]
    found = []
    for i, body in enumerate(tree.bodies):
        along = bases[i][0]
        found.append(along.T @ (a[i] - tree.carried(body, a) - body.bias))
    return Solution(tree.generalised(found), fill_in)


@dataclass(frozen=True)
class Answers:
    """How a free body answers wrenches at its origin: constants of it, in its own axes."""

    lightness: AnyArray
    com: AnyArray
    yielding: AnyArray  # inverse inertia about the centre of mass

    @classmethod
    def of(cls, body: Body, tally: Tally) -> Answers:
        m, s = float(body.mass), np.array([float(x) for x in body.moment])
        J = np.array([[float(x) for x in row] for row in body.inertia])
        about_com: Array = np.linalg.inv(J - ((s @ s) * np.eye(3) - np.outer(s, s)) / m)
        return cls(tally.array([1.0 / m])[0], tally.array(s / m), tally.array(about_com))

    def of_wrench(self, wrench: AnyArray) -> AnyArray:
        """Accelerations (6,) by a wrench (6,), or of columns."""
        com = self.com if wrench.ndim == 1 else self.com[:, None]
        e = self.yielding @ (wrench[3:] - cross(com, wrench[:3]))
        return np.concatenate((self.lightness * wrench[:3] + cross(com, e), e))


def directions(A: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Wrenches (6, n) that work on one dof each, and a basis (6, 6 - n) of those that work on none.

    Columns of A are combined until they are unit in as many rows: A X = E there, B in the others; then the first is X^T
    and zero, the second -B^T and E. What is known beforehand to be 0 or 1 costs nothing.
    """
    n = A.shape[1]
    A, X = np.array(A, object), eye(n)
    chosen: list[int] = []  # of each column its row
    for k in range(n):
        column, row = _pivot(A, k, chosen)
        A[:, [k, column]], X[:, [k, column]] = A[:, [column, k]], X[:, [column, k]]
        pivot = A[row, k]
        chosen.append(row)
        for M in (A, X):
            M[:, k] = [_over(value, pivot) for value in M[:, k]]
        A[row, k] = 1
        for j in range(n):
            share = A[row, j]
            if j != k and not (isinstance(share, int) and share == 0):
                A[:, j], X[:, j] = A[:, j] - A[:, k] * share, X[:, j] - X[:, k] * share
                A[row, j] = 0
    rest = [r for r in range(6) if r not in chosen]
    along, Z = zeros(6, n), zeros(6, 6 - n)
    for k, row in enumerate(chosen):
        along[row] = X[:, k]
        Z[row] = -A[rest, k]
    for k, row in enumerate(rest):
        Z[row, k] = 1
    return along, Z


def _pivot(A: AnyArray, first: int, taken: list[int]) -> tuple[int, int]:
    """A column from the first on and a row not taken: a known 1 in the emptiest column, else the largest number."""
    places = [(c, r) for c in range(first, A.shape[1]) for r in range(6) if r not in taken]
    known = [(c, r) for c, r in places if isinstance(A[r, c], int) and A[r, c] != 0]
    if known:
        return min(known, key=lambda place: sum(1 for x in A[:, place[0]] if not isinstance(x, int)))
    return max(places, key=lambda place: abs(float(A[place[1], place[0]])))


def _over(value: Any, pivot: Any) -> Any:
    return value * pivot if isinstance(pivot, int) else value / pivot  # a known pivot is 1 or -1


def itr(tree: Tree, inverse: AnyArray) -> Solution:
    """With an approximate inverse (nv, nv), which is made better in place."""
    tree.place()
    H = inverse
    places = [body.dofs for body in tree.bodies]
    Q = tree.generalised(forces(tree))
    size = sum(float(one) ** 2 for one in Q)
    x, before = H @ Q, Q
    turns = 0
    while turns <= 2 * len(Q):
        r = Q - tree.generalised(inverse_dynamics(tree, [x[own] for own in places]))
        if float(r @ r) <= CLOSE**2 * size:
            break
        u = H @ r
        alpha = 1 / (u @ (before - r))
        scaled = alpha * u
        for i in range(len(u)):
            for j in range(i + 1):
                H[i, j] = H[j, i] = H[i, j] + scaled[i] * u[j]
        x = x + (1 + scaled @ r) * u
        before = r
        turns += 1
    return Solution(x, iterations=turns)
