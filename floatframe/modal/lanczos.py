"""Eigenmodes of large sparse symmetric pencils by shift-and-invert Lanczos, proven by Sturm counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from floatframe.arrays import Array, SparseMatrix
from floatframe.errors import FloatframeError, ModelError, NotConverged
from floatframe.modal.lanczos_basis import Krylov, Ritz
from floatframe.modal.lanczos_operator import CholeskyInverse, Inverse, mass_cholesky
from floatframe.modal.lanczos_orthogonality import STRATEGIES, strategy
from floatframe.modal.lanczos_pencil import Pencil
from floatframe.modal.memory import available_bytes, require_room
from floatframe.modal.modes import Modes, Progress, Statistics, SturmCheck, backward_errors, multiply
from floatframe.modal.sturm import found_between, shift_above

Factorize = Callable[..., Any]

_FORMS = ("inner-product", "cholesky")
_RIGID = 1e3 * float(np.finfo(np.float64).eps)  # strain energy below this part of |x|^T |K| |x| is round-off
_EDGE = 12  # extra modes looked at when a cluster straddles the last wanted one
_MAX_RESTARTS = 200
_FREE = 0.5  # one step that brings theta to this part of 1/|shift| hints at motions without stiffness
_NULL = 1e-3  # eigenvalues below this part of the shift are zero
_NULL_BLOCK = 8  # vectors that look for motions without strain together: one more than a body and its spin need
_NULL_STEPS = 6
_NULL_TOL = 1e-10


@dataclass(frozen=True)
class Options:
    """How a search runs; checked once."""

    block: int
    tol: float
    reorthogonalisation: str
    form: str
    seed: int
    memory_limit: int | None
    progress: Progress | None

    def __post_init__(self) -> None:
        if self.block < 1:
            raise ModelError(f"block is {self.block}; expected at least one vector.")
        if not 0.0 < self.tol < 1.0:
            raise ModelError(f"tol is {self.tol:g}; expected a number between 0 and 1, such as 1e-8.")
        if self.reorthogonalisation not in STRATEGIES:
            names = ", ".join(map(repr, STRATEGIES))
            raise ModelError(f"reorthogonalisation is {self.reorthogonalisation!r}; expected one of {names}.")
        if self.form not in _FORMS:
            raise ModelError(f"form is {self.form!r}; expected one of {', '.join(map(repr, _FORMS))}.")


@dataclass
class _Costs:
    """Counters that grow while a search runs."""

    steps: int = 0
    solves: int = 0
    restarts: int = 0
    factor_seconds: float = 0.0
    solve_seconds: float = 0.0
    orthogonalisation_seconds: float = 0.0
    factor_bytes: int = 0
    basis_bytes: int = 0
    shifts: list[float] = field(default_factory=list)


class Search:
    """One pencil, its factorisations one at a time, and the eigenpairs found so far."""

    def __init__(self, pencil: Pencil, options: Options, factorize: Factorize) -> None:
        self.pencil = pencil
        self.options = options
        self.costs = _Costs()
        self.value = np.empty(0)  # eigenvalues found, ascending
        self.shapes = np.empty((pencil.size, 0), order="F")
        self.beyond = np.empty(0)  # approximate eigenvalues above the found ones
        self._factorize = factorize
        self._symbolic: Any = None
        self._mass_factor = mass_cholesky(pencil) if options.form == "cholesky" else None
        self._operator: Inverse | None = None

    def factorise(self, shift: float, *, definite: bool) -> int:
        """Move the operator to the shift; the count of eigenvalues below it."""
        self.release()
        start = perf_counter()
        kind = "spd" if definite else "indefinite"
        factor = self._factorize(self.pencil.shifted(shift), kind=kind, symbolic=self._symbolic)
        self._symbolic = getattr(factor, "symbolic", None)
        self.costs.factor_seconds += perf_counter() - start
        self.costs.factor_bytes = max(self.costs.factor_bytes, int(factor.memory_bytes))
        self.costs.shifts.append(shift)
        if self._mass_factor is None:
            self._operator = Inverse(self.pencil, factor, shift)
        else:
            self._operator = CholeskyInverse(self.pencil, factor, shift, self._mass_factor)
        return 0 if definite else int(factor.negative_pivots)

    def release(self) -> None:
        """Drop the operator, so that only one factor is in memory at a time."""
        if self._operator is not None:
            self.costs.solves += self._operator.solves
            self.costs.solve_seconds += self._operator.seconds
        self._operator = None

    def run(self, low: int, high: int, start: Array | None = None, block: int | None = None) -> None:
        """Find the low most negative and the high most positive eigenvalues theta of the operator at its shift.

        Pairs found before stay locked and count. A run that spans the whole space ends with what there is.
        """
        block = block or self.options.block
        krylov = self._krylov(low + high, block, start)
        if self._at.shift < 0.0 and krylov.locked == 0:
            krylov.step()
            if krylov.ritz().theta[-1] * abs(self._at.shift) > _FREE:
                self._lock_rigid_motions()
                krylov = self._krylov(low + high, block, start)
        known = 1.0 / (self.value - self._at.shift)
        low = max(0, low - int(np.count_nonzero(known < 0.0)))
        high = max(0, high - int(np.count_nonzero(known > 0.0)))
        if low + high:
            self._take(krylov, *self._iterate(krylov, low, high))

    def _lock_rigid_motions(self) -> None:
        """Find and lock the eigenvectors of zero eigenvalues: their huge theta would drown the digits of the others."""
        found = _NULL_BLOCK
        while found >= _NULL_BLOCK and self.value.size < self.pencil.finite:
            found = 0
            krylov = self._krylov(_NULL_BLOCK, _NULL_BLOCK, None)
            for _ in range(_NULL_STEPS):
                if krylov.exhausted or krylov.full:
                    break
                krylov.step()
                ritz = krylov.ritz()
                null = np.flatnonzero(ritz.theta * abs(self._at.shift) > 1.0 - _NULL)
                if (ritz.residual[null] <= _NULL_TOL * ritz.theta[null]).all():
                    found = int(null.size)
                    self._take(krylov, ritz, null)
                    break

    @property
    def _at(self) -> Inverse:
        if self._operator is None:
            raise NotConverged("no factorisation is at hand; call factorise first.")
        return self._operator

    def _krylov(self, wanted: int, block: int, start: Array | None) -> Krylov:
        """A basis with everything found so far locked, ready for its first step."""
        options = self.options
        krylov = Krylov(self._at, self._capacity(wanted, block), strategy(options.reorthogonalisation), options.seed)
        krylov.lock(self._at.enter(self.shapes))
        krylov.begin(None if start is None else self._at.enter(start), block)
        return krylov

    def _take(self, krylov: Krylov, ritz: Ritz, pick: Array) -> None:
        """Add the picked Ritz pairs to those found."""
        operator, costs = self._at, self.costs
        theta = ritz.theta[pick]
        shapes = np.hstack([self.shapes, operator.shapes(krylov.vectors(ritz, pick), theta)])
        value = np.concatenate([self.value, operator.shift + 1.0 / theta])
        order = np.argsort(value)
        self.value, self.shapes = value[order], _orthonormal(self.pencil, shapes)[:, order]
        rest = np.setdiff1d(np.flatnonzero(ritz.theta > 0.0), pick)
        self.beyond = np.sort(operator.shift + 1.0 / ritz.theta[rest])
        costs.steps += krylov.steps
        costs.orthogonalisation_seconds += krylov.seconds
        costs.basis_bytes = max(costs.basis_bytes, 8 * krylov.Q.shape[0] * (krylov.m + krylov.width))

    def _iterate(self, krylov: Krylov, low: int, high: int) -> tuple[Ritz, Array]:
        """Step until the wanted ends of the spectrum have converged; the Ritz pairs and which of them are wanted."""
        wanted, check_at = low + high, krylov.m + low + high
        while True:
            while not krylov.exhausted and not krylov.full and krylov.m < check_at:
                krylov.step()
            ritz = krylov.ritz()
            pick = _ends(ritz.theta, low, high)
            done = ritz.residual[pick] <= self.options.tol * np.abs(ritz.theta[pick])
            if self.options.progress is not None:
                self.options.progress(int(done.sum()), wanted)
            if krylov.exhausted or (done.all() and pick.size == wanted):
                return ritz, pick
            if krylov.full:
                self.costs.restarts += 1
                if self.costs.restarts > _MAX_RESTARTS:
                    raise NotConverged(
                        f"{int(done.sum())} of {wanted} modes converged after {_MAX_RESTARTS} restarts; "
                        "allow more memory_limit or a looser tol."
                    )
                krylov.compress(ritz, _ends(ritz.theta, *self._kept(krylov, low, high)))
            # T is small at first; later its eigenproblem is solved every few steps only
            check_at = krylov.m + max(1, ritz.theta.size // 64)

    def _kept(self, krylov: Krylov, low: int, high: int) -> tuple[int, int]:
        """How many Ritz vectors of either end survive a thick restart: the wanted and half of the remaining room."""
        spare = max(0, (krylov.capacity - krylov.locked - 3 * krylov.width - low - high) // 2)
        if low == 0 or high == 0:
            return (low + spare, 0) if low else (0, high + spare)
        return low + spare // 2, high + spare // 2

    def _capacity(self, wanted: int, block: int) -> int:
        """Columns the basis may hold; it grows into them only as far as needed."""
        locked = self.value.size
        least = locked + wanted + 4 * block + 12
        generous = locked + 6 * wanted + 200 + 4 * block
        limit = self.options.memory_limit
        room = available_bytes() if limit is None else limit - self.costs.factor_bytes
        if room is not None:
            require_room(8 * self.pencil.size * least, room, "the Lanczos basis", "ask for fewer modes or slice the band")
            generous = max(least, min(generous, int(0.8 * room) // (8 * self.pencil.size)))
        return min(generous, self.pencil.finite + 2 * block)


def _ends(theta: Array, low: int, high: int) -> Array:
    """Indices of the low most negative and the high most positive of the ascending theta."""
    negative = np.flatnonzero(theta < 0.0)[:low]
    positive = np.flatnonzero(theta > 0.0)
    positive = positive[max(0, positive.size - high) :]
    return np.concatenate([negative, positive])


def _orthonormal(pencil: Pencil, X: Array) -> Array:
    """X with the last round-off of M-orthonormality removed."""
    if X.shape[1] == 0:
        return X
    overlap = X.T @ pencil.weigh(X)
    upper = cholesky(0.5 * (overlap + overlap.T), check_finite=False)
    return np.asfortranarray(solve_triangular(upper, X.T, trans="T", check_finite=False).T)


def lanczos(
    K: Any,
    M: Any,
    n: int = 10,
    *,
    below: float | None = None,
    band: tuple[float, float] | None = None,
    block: int | None = None,
    reorthogonalisation: str = "full",
    form: str = "inner-product",
    tol: float = 1e-8,
    shift: float | None = None,
    rigid: Array | None = None,
    start: Array | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    memory_limit: int | None = None,
    check: bool = True,
    factorize: Factorize | None = None,
) -> Modes:
    """Lowest n eigenmodes of K x = omega^2 M x, or all below a frequency, or all in a band (f1, f2) [Hz].

    K, M (ndof, ndof) symmetric, M semi-definite; free bodies are allowed and need nothing said.

    The other arguments are for experts: block columns per step; reorthogonalisation "full", "partial" or "selective";
    form "inner-product" or "cholesky" of the mass; tol on |A x - theta x| / |theta| of the inverse operator A;
    shift [rad^2/s^2] of the first factorisation; rigid (ndof, k) known motions without strain; start (ndof, k) first
    vectors, else random ones from the seed; progress(converged, wanted); memory_limit [bytes] for factor and basis;
    check=False leaves out the Sturm count where it costs a factorisation; factorize the direct solver.
    """
    begin = perf_counter()
    pencil = Pencil(K, M)
    options = Options(block or 1, tol, reorthogonalisation, form, seed, memory_limit, progress)
    search = Search(pencil, options, factorize or _default_factorize())
    if below is not None or band is not None:
        sturm = _slice(search, below, band)
    else:
        sturm = _lowest(search, n, shift, rigid, start, check)
    return _result(search, sturm, begin)


def _default_factorize() -> Factorize:
    from floatframe.modal.substructures import factorize

    return factorize


def _definite(search: Search, shift: float) -> None:
    """Factorise below the spectrum, or say what the pencil lacks."""
    try:
        search.factorise(shift, definite=True)
    except FloatframeError as reason:
        raise ModelError(
            "stiffness: the matrix is not positive semi-definite, or dofs without mass lack stiffness; "
            "check signs, supports of massless nodes and mechanisms."
        ) from reason


def _lowest(
    search: Search, n: int, shift: float | None, rigid: Array | None, start: Array | None, check: bool
) -> SturmCheck:
    """Find the n lowest pairs and count."""
    pencil = search.pencil
    if n < 1:
        raise ModelError(f"n is {n}; expected at least one mode.")
    if n > pencil.finite:
        raise ModelError(f"{n} modes are wanted, but only {pencil.finite} of {pencil.size} dofs carry mass; ask for fewer.")
    origin = pencil.free_shift if shift is None else shift
    if shift is None or shift < 0.0:
        _definite(search, origin)
        count = 0
    else:
        count = search.factorise(origin, definite=False)
    if rigid is not None:
        _lock_rigid(search, rigid)
    search.run(count, max(n - count, 0), start)
    if search.value.size < n:
        raise ModelError(f"{n} modes are wanted, but the pencil has {search.value.size} finite eigenvalues; ask for fewer.")
    if not check:
        _keep(search, n)
        return SturmCheck(found=n)
    return _prove(search, n, min(origin, pencil.free_shift))


def _prove(search: Search, n: int, origin: float) -> SturmCheck:
    """Count below a shift above the n-th value and find what is missing."""
    everything = np.concatenate([search.value, search.beyond])
    if search.beyond.size == 0 and search.value.size >= search.pencil.finite:
        top = search.value[-1] + 0.1 * (search.value[-1] - origin)
    else:
        for extra in range(_EDGE + 1):
            place = shift_above(everything, n + extra, origin)
            if place is not None:
                break
        top = place if place is not None else everything[n - 1] * (1.0 + 1e-9)
    expected = search.factorise(top, definite=False)
    if found_between(search.value, -np.inf, top) < expected:
        search.costs.restarts += 1
        missing = expected - found_between(search.value, -np.inf, top)
        search.run(expected, 0, block=max(search.options.block, min(missing, _NULL_BLOCK)))
    found = found_between(search.value, -np.inf, top)
    _keep(search, n)
    return SturmCheck(found, expected, below=float(top), reason="")


def _slice(search: Search, below: float | None, band: tuple[float, float] | None) -> SturmCheck:
    """Find all pairs below a frequency or in a band, as many as the counts at its ends say."""
    f1, f2 = (0.0, below) if band is None else band
    if below is not None and band is not None:
        raise ModelError("below and band are both given; expected one of them.")
    if f2 is None or not 0.0 <= f1 < f2 < np.inf:
        raise ModelError(f"the band is ({f1}, {f2}) Hz; expected 0 <= f1 < f2.")
    lower, upper = ((2.0 * np.pi * f) ** 2 for f in (f1, f2))
    under = search.factorise(lower, definite=False) if f1 > 0.0 else 0
    expected = search.factorise(upper, definite=False) - under
    if expected:
        search.run(expected, 0)
    above = lower if f1 > 0.0 else -np.inf
    found = found_between(search.value, above, upper)
    return SturmCheck(found, expected, below=upper, above=above, reason="")


def _lock_rigid(search: Search, rigid: Array) -> None:
    """Take given motions without strain as found."""
    pencil = search.pencil
    R = np.array(rigid, dtype=np.float64, order="F").reshape(pencil.size, -1)
    strain = multiply(pencil.K, R)
    if np.abs(strain).max() > 1e-8 * pencil.norm_K * np.abs(R).max():
        raise ModelError("rigid: a given shape strains the body; expected motions with K r = 0.")
    search.value, search.shapes = np.zeros(R.shape[1]), _orthonormal(pencil, R)


def _keep(search: Search, n: int) -> None:
    search.value, search.shapes = search.value[:n], search.shapes[:, :n]


def _result(search: Search, sturm: SturmCheck, begin: float) -> Modes:
    """Classify, verify and pack."""
    search.release()
    pencil, costs = search.pencil, search.costs
    value, shapes = search.value.copy(), search.shapes
    kind = np.where(_strainless(pencil, value, shapes), "rigid", "elastic")
    value[kind == "rigid"] = 0.0
    residual, orthogonality = backward_errors(pencil.K, pencil.M, value, shapes)
    statistics = Statistics(
        steps=costs.steps,
        solves=costs.solves,
        factorisations=len(costs.shifts),
        restarts=costs.restarts,
        block=search.options.block,
        factor_seconds=costs.factor_seconds,
        solve_seconds=costs.solve_seconds,
        orthogonalisation_seconds=costs.orthogonalisation_seconds,
        total_seconds=perf_counter() - begin,
        factor_bytes=costs.factor_bytes,
        basis_bytes=costs.basis_bytes,
        shifts=tuple(costs.shifts),
    )
    omega = np.sqrt(np.maximum(value, 0.0))
    return Modes(omega, shapes, residual, orthogonality, tuple(map(str, kind)), sturm, statistics)


def _strainless(pencil: Pencil, value: Array, shapes: Array) -> Array:
    """Which pairs store no more strain energy than round-off of K would."""
    rigid = np.zeros(value.size, dtype=bool)
    doubtful = np.flatnonzero(value < 1e-8 * pencil.scale)
    if doubtful.size:
        size: SparseMatrix = abs(pencil.K)
        X = np.abs(shapes[:, doubtful])
        rigid[doubtful] = value[doubtful] < _RIGID * np.einsum("ij,ij->j", X, multiply(size, X))
    return rigid
