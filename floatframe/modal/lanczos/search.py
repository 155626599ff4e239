"""The search behind `lanczos`: one factorisation at a time, runs of the recurrence, the eigenpairs found so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from scipy.linalg import cholesky, eigh
from scipy.linalg.blas import dtrsm

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.modal.factor import Report, available_bytes, give_back, large_products, require_room
from floatframe.modal.lanczos.basis import Krylov, Ritz
from floatframe.modal.lanczos.modes import Progress
from floatframe.modal.lanczos.operator import CholeskyInverse, Doubtful, Inverse, SandwichInverse, mass_cholesky
from floatframe.modal.lanczos.options import Costs, LanczosOptions
from floatframe.modal.lanczos.orthogonality import STRATEGIES
from floatframe.modal.lanczos.part_motions import PartMotions
from floatframe.modal.lanczos.pencil import Pencil
from floatframe.modal.lanczos.strainless import strainless

Factorize = Callable[..., Any]

_MAX_RESTARTS = 200
_FREE = 0.5  # one step that brings theta to this part of 1/|shift| hints at motions without stiffness
_NULL = 1e-3  # eigenvalues below this part of the shift are zero
_NULL_BLOCK = 8  # vectors that look for motions without strain together: a body has six
_NULL_STEPS = 6
_NULL_TOL = 1e-10
_FACTOR_OVERHEAD = 1.3  # memory while factorising over that of the factor: fronts in work and index lists
_AT_ONCE = 16  # columns weighed together
_DEPENDENT = 1e-12  # kinetic energy of a motion of size one that is left when others are taken out of it
_DECISIVE = 1e-6  # relative step to a neighbouring shift where the pivots of one leave the count in doubt


class Search:
    """One pencil, the operator at its present shift, and the eigenpairs found so far in ascending order."""

    def __init__(
        self,
        pencil: Pencil,
        options: LanczosOptions,
        costs: Costs,
        factorize: Factorize,
        analyse: Factorize | None,
        apart: PartMotions | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.pencil = pencil
        self.apart = apart  # known motions of loose parts: they are neither found nor counted
        self.options = options
        self.progress = progress
        self.costs = costs
        self.value = np.empty(0)
        self.shapes = np.empty((pencil.size, 0), order="F")
        self.beyond = np.empty(0)  # approximate eigenvalues above the found ones
        self._factorize = factorize
        self._analyse = analyse
        self._symbolic: Any = None
        self._mass_factor = mass_cholesky(pencil) if options.form == "cholesky" else None
        self._operator: Inverse | None = None

    @property
    def operator(self) -> Inverse:
        """The inverse operator at the present shift."""
        if self._operator is None:
            raise NotConverged("the search has no factorisation; call factorise first.")
        return self._operator

    def release(self) -> None:
        """Drop the operator: only one factor is in memory at a time."""
        if self._operator is not None:
            self.costs.solves += self._operator.solves
            self.costs.solve_seconds += self._operator.seconds
            if hasattr(self._operator.factor, "report") and self._operator.solves:
                each = self._operator.seconds / self._operator.solves
                self._keep_report(replace(self._operator.factor.report(), solve_seconds=each))
        self._operator = None

    def _keep_report(self, report: Report) -> None:
        """Keep the report of the largest matrix, the first one at that size."""
        kept = self.costs.report
        if kept is None or report.equations > kept.equations:
            self.costs.report = report

    def reserve(self, wanted: int) -> None:
        """Refuse at once what cannot fit: the factor and the smallest basis that works."""
        factor = 0
        if self._analyse is not None:
            start = perf_counter()
            self._symbolic = self._analyse(self.pencil.pattern)
            give_back()
            self.costs.factor_seconds += perf_counter() - start
            factor = int(_FACTOR_OVERHEAD * 8 * self._symbolic.nnz_factor)
        basis = 8 * self.pencil.size * self._least_columns(wanted, self.options.block)
        mass = 6 * self.pencil.M.nnz  # its lower triangle in the order of the factor, values and rows
        cure = "request fewer modes, coarsen the mesh, or use a machine with more memory"
        require_room(factor + basis + mass, self.options.memory_limit, f"a search for {wanted} modes", cure)

    def factorise(self, shift: float, *, definite: bool) -> int:
        """Move the operator to the shift; the count of eigenvalues below it, without the motions set apart."""
        self.release()
        start = perf_counter()
        kind = "spd" if definite else "indefinite"
        factor = self._factorize(self.pencil.shifted(shift), kind=kind, symbolic=self._symbolic)
        below = 0 if definite else int(factor.negative_pivots) - (self._set_apart if shift > 0.0 else 0)
        if hasattr(factor, "forget_matrix"):
            factor.forget_matrix()
        self._symbolic = getattr(factor, "symbolic", None)
        self.costs.factor_seconds += perf_counter() - start
        self.costs.factor_bytes = max(self.costs.factor_bytes, int(factor.memory_bytes))
        self.costs.shifts.append(shift)
        if self._mass_factor is not None:
            self._operator = CholeskyInverse(self.pencil, factor, shift, self._mass_factor)
        elif definite and self.apart is None and self._is_ours(factor):
            self._operator = SandwichInverse(self.pencil, factor, shift)
        else:
            self._operator = Inverse(self.pencil, factor, shift, self.apart)
        return below

    @property
    def _set_apart(self) -> int:
        return 0 if self.apart is None else self.apart.count

    @property
    def finite(self) -> int:
        """Upper bound of the number of eigenvalues to be found."""
        return self.pencil.finite - self._set_apart

    def _is_ours(self, factor: Any) -> bool:
        """Whether this is a Cholesky factor of our own on a tree that holds the patterns of both matrices."""
        symbolic = getattr(factor, "symbolic", None)
        if symbolic is None or not factor.definite:
            return False
        if self._analyse is not None:
            return True
        from floatframe.modal.factor import fingerprint  # compiled code loads only here

        return bool(symbolic.pattern == fingerprint(self.pencil.pattern.indptr, self.pencil.pattern.indices))

    def count_below(self, shift: float) -> int:
        """Eigenvalues below the shift, which moves up a hair if it hits one; the operator stays there."""
        step = _DECISIVE * (shift - self.pencil.free_shift)
        for attempt in range(3):
            try:
                return self.factorise(shift + attempt * step, definite=False)
            except NotConverged as reason:
                doubt = reason
        raise doubt

    def run(self, low: int, high: int, start: Array | None = None, block: int | None = None) -> None:
        """Find the low most negative and the high most positive eigenvalues theta of the operator at its shift.

        Pairs found before stay locked and count. A run that spans the whole space ends with what there is.
        """
        block = block or self.options.block
        shift = self.operator.shift
        if start is not None or self.value.size:
            self._operator = self.operator.plain()
        krylov = self._krylov(low + high, block, start)
        if shift < 0.0 and not krylov.exhausted:
            krylov.step()
            if krylov.ritz().theta[-1] * abs(shift) > _FREE:
                self._operator = self.operator.plain()
                self._lock_rigid_motions()
                krylov = self._krylov(low + high, block, start)
        known = 1.0 / (self.value - shift)
        low = max(0, low - int(np.count_nonzero(known < 0.0)))
        high = max(0, high - int(np.count_nonzero(known > 0.0)))
        if not low + high:
            return
        try:
            found = self._iterate(krylov, low, high)
        except Doubtful:
            # the metric of the mass sees no motions without mass and refuses what is indefinite
            self._operator = self.operator.plain()
            krylov = self._krylov(low + high, block, start)
            found = self._iterate(krylov, low, high)
        self._take(krylov, *found)

    def _lock_rigid_motions(self) -> None:
        """Find and lock the eigenvectors of zero eigenvalues: their huge theta would drown the digits of the others."""
        shift = abs(self.operator.shift)
        found = _NULL_BLOCK
        while found >= _NULL_BLOCK and self.value.size < self.finite:
            found = 0
            krylov = self._krylov(_NULL_BLOCK, _NULL_BLOCK, None)
            for _ in range(_NULL_STEPS):
                if krylov.exhausted or krylov.full:
                    break
                krylov.step()
                ritz = krylov.ritz()
                null = np.flatnonzero(ritz.theta * shift > 1.0 - _NULL)
                # where none is seen yet, the greatest theta must have settled before one may say that there is none
                settled = null if null.size else np.array([-1])
                if (ritz.residual[settled] <= _NULL_TOL * ritz.theta[settled]).all():
                    found = int(null.size)
                    self._take(krylov, ritz, null)
                    break

    def _krylov(self, wanted: int, block: int, start: Array | None) -> Krylov:
        """A basis with everything found so far locked, ready for its first step."""
        operator, options = self.operator, self.options
        orthogonality = STRATEGIES[options.reorthogonalisation]()
        krylov = Krylov(operator, self._capacity(wanted, block), orthogonality, options.seed)
        krylov.lock(operator.enter(self.shapes))
        krylov.begin(None if start is None else operator.enter(start), block)
        give_back()
        return krylov

    def _iterate(self, krylov: Krylov, low: int, high: int) -> tuple[Ritz, Array]:
        """Step until the wanted ends of the spectrum have converged; the Ritz pairs and which of them are wanted."""
        wanted, check_at = low + high, krylov.m + low + high
        while True:
            while not krylov.exhausted and not krylov.full and krylov.m < check_at:
                krylov.step()
            ritz = krylov.ritz()
            ritz = replace(ritz, theta=self.operator.certain(ritz.theta))
            pick = _ends(ritz.theta, low, high)
            done = ritz.residual[pick] <= self.options.tol * np.abs(ritz.theta[pick])
            if self.progress is not None:
                self.progress(krylov.locked + int(done.sum()), krylov.locked + wanted)
            if krylov.exhausted or (done.all() and pick.size == wanted):
                return ritz, pick
            if krylov.full:
                self._restart(krylov, ritz, low, high, int(done.sum()))
            # T is small at first; later its eigenproblem is solved every few steps only
            check_at = krylov.m + max(1, ritz.theta.size // 64)

    def _restart(self, krylov: Krylov, ritz: Ritz, low: int, high: int, done: int) -> None:
        """Make room: keep the wanted Ritz vectors and as many of their neighbours as half of the free room takes."""
        self.costs.restarts += 1
        if self.costs.restarts > _MAX_RESTARTS:
            raise NotConverged(
                f"{done} of {low + high} modes converged after {_MAX_RESTARTS} restarts; "
                "allow more memory_limit or a looser tol."
            )
        spare = max(0, (krylov.capacity - krylov.locked - 3 * krylov.width - low - high) // 2)
        if low:
            low += spare if high == 0 else spare // 2
        if high:
            high += spare if low == 0 else spare // 2
        krylov.compress(ritz, _ends(ritz.theta, low, high))

    def _take(self, krylov: Krylov, ritz: Ritz, pick: Array) -> None:
        """Add the picked Ritz pairs to those found."""
        operator, costs = self.operator, self.costs
        costs.steps += krylov.steps
        costs.orthogonalisation_seconds += krylov.seconds
        costs.basis_bytes = max(costs.basis_bytes, 8 * krylov.Q.shape[0] * (krylov.m + krylov.width))
        others = np.setdiff1d(np.flatnonzero(ritz.theta > 0.0), pick)
        self.beyond = np.sort(operator.shift + 1.0 / ritz.theta[others])
        # an image holds the large theta enlarged: the known shapes and those come first, the others are cleaned of them
        pick = pick[np.argsort(-np.abs(ritz.theta[pick]), kind="stable")]
        with large_products():
            vectors = krylov.vectors(ritz, pick)
        krylov.drop()
        shapes, value = operator.shapes(vectors, ritz.theta[pick]), operator.shift + 1.0 / ritz.theta[pick]
        if self.value.size:
            shapes, value = np.hstack([self.shapes, shapes]), np.concatenate([self.value, value])
        with large_products():
            shapes = _orthonormal(self.pencil, np.asfortranarray(shapes))
        if (np.diff(value) < 0.0).any():
            order = np.argsort(value, kind="stable")
            shapes, value = np.asfortranarray(shapes[:, order]), value[order]
        self.value, self.shapes = value, shapes

    def _least_columns(self, wanted: int, block: int) -> int:
        """Columns without which a restarted basis would crawl."""
        return min(self.value.size + wanted + wanted // 4 + 4 * block + 12, self.finite + 2 * block)

    def _capacity(self, wanted: int, block: int) -> int:
        """Columns the basis may hold; memory is taken only as it grows into them."""
        columns = self.value.size + 6 * wanted + 200 + 4 * block
        limit = self.options.memory_limit
        room = available_bytes() if limit is None else limit - self.costs.factor_bytes
        if room is not None:
            columns = min(columns, int(0.8 * room) // (8 * self.pencil.size))
        return min(max(columns, self._least_columns(wanted, block)), self.finite + 2 * block)


def _ends(theta: Array, low: int, high: int) -> Array:
    """Indices of the low most negative and the high most positive of the ascending theta."""
    negative = np.flatnonzero(theta < 0.0)[:low]
    positive = np.flatnonzero(theta > 0.0)
    return np.concatenate([negative, positive[max(0, positive.size - high) :]])


def _orthonormal(pencil: Pencil, X: Array) -> Array:
    """X with the last round-off of M-orthonormality removed, in place."""
    if X.shape[1] == 0:
        return X
    overlap = np.empty((X.shape[1], X.shape[1]))
    for first in range(0, X.shape[1], _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        overlap[:, some] = X.T @ pencil.weigh(X[:, some])
    upper = cholesky(0.5 * (overlap + overlap.T), check_finite=False)
    return np.asarray(dtrsm(1.0, upper, X, side=1, overwrite_b=1))


def known_motions(pencil: Pencil, rigid: Any) -> Array:
    """Given motions without strain as columns (ndof, k)."""
    R = shape_columns(rigid, pencil.size, "rigid")
    if not strainless(pencil.K, R).all():
        raise ModelError("rigid: a given shape strains the body; expected motions with K r = 0.")
    return R


def lock_given(search: Search, R: Array) -> None:
    """Take motions without strain (ndof, k) as found eigenvectors of the eigenvalue zero."""
    pencil = search.pencil
    inertia = R.T @ pencil.weigh(R)
    size = np.sqrt(np.maximum(np.diag(inertia), 0.0))
    R, inertia, size = R[:, size > 0.0], inertia[np.ix_(size > 0.0, size > 0.0)], size[size > 0.0]
    weight, vector = eigh(inertia / np.outer(size, size))
    # motions that follow from others count once
    independent = weight > _DEPENDENT
    R = np.asfortranarray(R @ (vector / size[:, None])[:, independent] / np.sqrt(weight[independent]))
    search.value, search.shapes = np.zeros(R.shape[1]), _orthonormal(pencil, R)


def shape_columns(X: Any, rows: int, name: str) -> Array:
    """Given shapes as columns (rows, k)."""
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[0] != rows or X.dtype.kind not in "fiu":
        raise ModelError(f"{name}: shape is {X.shape} of {X.dtype}; expected numbers ({rows}, k), a shape per column.")
    if not np.isfinite(X).all():
        raise ModelError(f"{name}: there are entries that are not finite; expected numbers.")
    return np.asfortranarray(X, dtype=np.float64)
