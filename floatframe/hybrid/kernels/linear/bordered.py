"""Dense systems bordered by constraint rows, [M, -G^T; G, 0], a little regularised, so dependent rows do no harm."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.linear.dense import lu_factor, lu_solve
from floatframe.hybrid.kernels.options import inner

REGULAR = 1e-12  # share of a row's own stiffness added to it


@inner
def factor_constrained(w):
    """Factor w.M, in the order of the coordinates that suits it, bordered by the constraint Jacobian w.G."""
    nv, nl = len(w.x), len(w.lam)
    A = w.A
    for r in range(nv):
        i = w.rows[r].dof
        for c in range(nv):
            A[r, c] = w.M[i, w.rows[c].dof]
        for k in range(nl):
            A[r, nv + k] = -w.G[k, i]
            A[nv + k, r] = w.G[k, i]
    for k in range(nl):
        own = 0.0
        for i in range(nv):
            if w.M[i, i] != 0.0:  # coordinates without mass follow the others
                own += w.G[k, i] ** 2 / abs(w.M[i, i])
        for c in range(nl):
            A[nv + k, nv + c] = 0.0
        A[nv + k, nv + k] = REGULAR * own
    return lu_factor(A, w.rows, w.traits.safe)


@inner
def solve_step(w, rows):
    """Solve for w.rhs with the dense factors; accelerations go to w.correction, multipliers to w.lam_step."""
    nv = len(w.x)
    lu_solve(w.A, w.rows, w.rhs)
    for r in range(nv):
        w.correction[w.rows[r].dof] = w.rhs[r]
    for k in range(rows):
        w.lam_step[k] = w.rhs[nv + k]
