"""Buckling: by what factors a load must grow until a model loses its stability, by linear theory.

(K + factor K_G) x = 0 with the stiffness K of the held model and the geometric stiffness K_G of its stresses under the
load. The operator -K⁻¹ K_G is self-adjoint in the metric of K; its largest eigenvalues in size, 1/factor, are found by
block Lanczos. How many factors there are is proven by counting the negative pivots of K ± factor K_G.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import scipy.linalg
from scipy.sparse import csc_array
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, BoolArray, SparseMatrix, short_repr
from floatframe.errors import ModelError, NotConverged
from floatframe.fem import FEModel, NodalValues, as_items
from floatframe.modal.analysis.statics import static_solution
from floatframe.modal.factor import factored, multiply, whole_number
from floatframe.modal.lanczos import STRATEGIES, Inverse, Krylov, Pencil, Ritz, norm, shift_above

if TYPE_CHECKING:
    from floatframe.fem import DofSpec

Sign = Literal["both", "positive", "negative"]
_BLOCK = 4
_SHARED = 200  # shapes of one factor that are looked for one by one
_EDGE = 12  # more factors looked at when several stand too near to each other for a count
_NONE = 1e-9  # eigenvalues of the operator below this part of the largest mean: no factor on that side
_CONVERGED = 1e-9  # relative residual of the operator's eigenpairs
_RESTARTS = 50
_CHECKED = 1e-8  # largest backward error accepted


@short_repr
@dataclass(frozen=True)
class Buckling:
    """Load factors in order of size, the smallest first; a negative one belongs to the reversed load.

    shapes (ndof, n) in the order of fe.dofs, largest displacement or rotation one; residual (n,) backward errors
    |(K + factor K_G) x| / ((|K| + |factor| |K_G|) |x|); expected: how many factors up to that of the last by the signs
    of the pivots, None where it was not counted.
    """

    model: FEModel
    factor: Array  # (n,)
    shapes: Array
    residual: Array
    expected: int | None = None

    @property
    def critical(self) -> float:
        """The smallest positive factor; inf if there is none."""
        positive = self.factor[self.factor > 0.0]
        return float(positive.min(initial=np.inf))

    def displacement(self, k: int = 0) -> Array:
        """Return shape k at the nodes (nnode, 6)."""
        return self.model.expand(self.shapes[:, k])

    def __len__(self) -> int:
        return int(self.factor.size)


def buckling(
    fe: FEModel,
    loads: NodalValues | None = None,
    fixed: DofSpec = (),
    n: int = 5,
    *,
    gravity: Sequence[float] | None = None,
    pressure: Mapping[str, float] | None = None,
    displacements: NodalValues | None = None,
    sign: Sign = "both",
    check: bool = True,
) -> Buckling:
    """Return the n load factors smallest in size, and their shapes.

    loads, gravity, pressure, displacements and fixed are those of `solve_static`; all loads grow together, and they
    keep their directions. sign: "positive" or "negative" to look at one side only, of which fewer than n may exist.
    check=False leaves out the count, which costs one factorisation for each sign.
    """
    n = whole_number(n, "n")
    if sign not in get_args(Sign):
        raise ModelError(f"sign is {sign!r}; expected one of {', '.join(map(repr, get_args(Sign)))}.")
    if not isinstance(fe, FEModel):
        raise ModelError(f"model '{fe.name}' is given by its matrices; buckling needs its elements.")
    state = static_solution(fe, loads, fixed, gravity, pressure, displacements)
    free = fe.free_rows([*as_items(fixed), *(displacements or {})])
    K, K_G = fe.stiffness()[free][:, free], fe.geometric_stiffness(state.displacement)[free][:, free]
    if not K_G.nnz:
        raise ModelError(f"model '{fe.name}': the load causes no stress, so nothing can buckle; give a load.")
    with threadpool_limits(1, user_api="blas"):
        factor, X, expected = load_factors(csc_array(K), csc_array(K_G), n, sign, check)
    shapes = np.zeros((fe.ndof, factor.size))
    shapes[free] = X / np.abs(X).max(axis=0, initial=0.0)
    residual = _backward_errors(csc_array(K), csc_array(K_G), factor, X)
    if check and (residual > _CHECKED).any():
        raise NotConverged(f"a load factor has the backward error {residual.max():.1e}, expected {_CHECKED:g}.")
    return Buckling(fe, factor, shapes, residual, expected)


def load_factors(
    K: SparseMatrix, K_G: SparseMatrix, n: int, sign: Sign = "both", check: bool = True
) -> tuple[Array, Array, int | None]:
    """Return factors (m,), shapes (size, m) and the count behind them; K is positive definite, m at most n."""
    operator = Softening(Pencil(-K_G, K), factored(K, kind="spd"), shift=0.0)
    theta, X, top = _largest(operator, n, sign, np.empty((K.shape[0], 0)))
    expected = _count(K, K_G, top, sign) if check and top is not None else None
    # a factor that many shapes share shows only as many of them as a block has columns
    while expected is not None and 0 < expected - theta.size <= _SHARED:
        more, vectors, _ = _largest(operator, expected - theta.size, sign, X)
        below = np.abs(more) > 1.0 / (top or np.inf)
        theta, X = np.r_[theta, more[below]], np.hstack([X, vectors[:, below]])
        if not below.any():
            break
    if expected is not None and expected != theta.size:
        raise NotConverged(f"{theta.size} load factors up to {top:.6g} were found, but there are {expected}.")
    order = np.argsort(-np.abs(theta), kind="stable")[:n]
    return 1.0 / theta[order], X[:, order], expected


def _largest(operator: Softening, n: int, sign: Sign, known: Array) -> tuple[Array, Array, float | None]:
    """Return the n largest eigenvalues theta in size beside known shapes, perhaps a few more, and their shapes.

    Also a load factor above those found and clear of the next, None where there are no more.
    """
    size = operator.size
    krylov = Krylov(operator, min(size + 2 * _BLOCK, 6 * n + 120) + known.shape[1], STRATEGIES["full"](), seed=0)
    krylov.lock(known)
    krylov.begin(None, min(_BLOCK, size))
    top = None
    for wanted in range(n, n + _EDGE + 1):
        ritz, pick = _converge(krylov, wanted, sign)
        if pick.size < wanted:
            break
        value = np.sort(np.abs(1.0 / ritz.theta[_candidates(ritz, sign)]))
        if (top := shift_above(value, wanted, 0.0)) is not None:
            break
    X = krylov.vectors(ritz, pick)
    X -= known @ (known.T @ operator.weigh(X))
    return ritz.theta[pick], np.asfortranarray(X @ _inverse_root(X.T @ operator.weigh(X))), top


def _inverse_root(gram: Array) -> Array:
    """Return the T that makes Tᵀ gram T the unit matrix."""
    upper = scipy.linalg.cholesky(0.5 * (gram + gram.T))
    return np.asarray(scipy.linalg.solve_triangular(upper, np.eye(len(upper))))


class Softening(Inverse):
    """The operator -K⁻¹ K_G in the inner product of K; its pencil holds -K_G as stiffness and K as mass."""

    def image(self, Q: Array, weighed: Array) -> Array:
        return self.solve(multiply(self.pencil.K, Q))


def _converge(krylov: Krylov, wanted: int, sign: Sign) -> tuple[Ritz, Array]:
    """Step until the wanted largest eigenvalues have converged, or all there are; the pairs and which are meant."""
    restarts = 0
    while True:
        if krylov.m > krylov.locked:
            ritz = krylov.ritz()
            chosen = _candidates(ritz, sign)
            pick = chosen[np.argsort(-np.abs(ritz.theta[chosen]), kind="stable")][:wanted]
            done = ritz.residual[pick] <= _CONVERGED * np.abs(ritz.theta[pick])
            if krylov.exhausted or (pick.size == wanted and done.all()):
                return ritz, pick
            if krylov.full:
                restarts += 1
                if restarts > _RESTARTS:
                    if sign != "both" and done.all():
                        return ritz, pick
                    raise NotConverged(
                        f"{int(done.sum())} of {wanted} load factors converged after {restarts} restarts."
                    )
                large = np.argsort(-np.abs(ritz.theta), kind="stable")
                kept = np.union1d(pick, large[: (krylov.capacity - 4 * krylov.width) // 2])
                krylov.compress(ritz, kept)
        krylov.step()


def _candidates(ritz: Ritz, sign: Sign) -> Array:
    """Return the eigenvalues of one sign that differ from zero."""
    theta = ritz.theta
    side: BoolArray = {"both": theta != 0.0, "positive": theta > 0.0, "negative": theta < 0.0}[sign]
    return np.flatnonzero(side & (np.abs(theta) > _NONE * np.abs(theta).max(initial=0.0)))


def _count(K: SparseMatrix, K_G: SparseMatrix, top: float, sign: Sign) -> int:
    """Return how many factors of the sign are smaller than top in size."""
    total = 0
    for side, direction in (("positive", 1.0), ("negative", -1.0)):
        if sign in ("both", side):
            total += int(factored(csc_array(K + direction * top * K_G), kind="indefinite").negative_pivots)
    return total


def _backward_errors(K: SparseMatrix, K_G: SparseMatrix, factor: Array, X: Array) -> Array:
    rest = multiply(K, X) + multiply(K_G, X) * factor
    scale = (norm(K) + np.abs(factor) * norm(K_G)) * np.linalg.norm(X, axis=0)
    return np.asarray(np.linalg.norm(rest, axis=0) / scale)
