"""Eigenmodes of large sparse symmetric pencils by shift-and-invert Lanczos, proven by Sturm counts."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import Any, Literal

import numpy as np
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array, BoolArray
from floatframe.errors import FloatframeError, ModelError
from floatframe.modal.lanczos_pencil import Pencil
from floatframe.modal.lanczos_search import Factorize, Options, Search, lock_given
from floatframe.modal.modes import Modes, Progress, Statistics, SturmCheck, backward_errors, multiply
from floatframe.modal.sturm import found_between, shift_above

_RIGID = 1e3 * float(np.finfo(np.float64).eps)  # strain energy below this part of |x|^T |K| |x| is round-off
# columns per step: solutions for four at once cost less than half each, and only a few more are needed in all
_BLOCK = 4
_EDGE = 12  # extra modes looked at when a cluster straddles the last wanted one
_FULLY_FOUND = 0.1  # a shift above all eigenvalues there are stands this far beyond the last


def lanczos(
    K: Any,
    M: Any,
    n: int = 10,
    *,
    below: float | None = None,
    band: tuple[float, float] | None = None,
    block: int | None = None,
    reorthogonalisation: Literal["full", "partial", "selective"] = "full",
    form: Literal["inner-product", "cholesky"] = "inner-product",
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

    K, M (ndof, ndof) symmetric, M semi-definite; free bodies and massless dofs are allowed and need nothing said.

    The other arguments are for experts: block columns per step; reorthogonalisation "full", "partial" or "selective";
    form "inner-product" or "cholesky" of the mass; tol on |A x - theta x| / |theta| of the inverse operator A;
    shift [rad^2/s^2] of the first factorisation; rigid (ndof, k) known motions without strain; start (ndof, k) first
    vectors, else random ones from the seed; progress(converged, wanted); memory_limit [bytes] for factor and basis;
    check=False leaves out the Sturm count where it costs a factorisation of its own; factorize the direct solver.
    """
    begin = perf_counter()
    pencil = Pencil(K, M)
    options = Options(_BLOCK if block is None else block, tol, reorthogonalisation, form, seed, memory_limit, progress)
    search = _own_search(pencil, options) if factorize is None else Search(pencil, options, factorize, None)
    if below is not None and band is not None:
        raise ModelError("below and band are both given; expected one of them.")
    # the direct solver has threads of its own, which waiting threads of BLAS would only hold up
    with threadpool_limits(1, user_api="blas"):
        if band is not None:
            sturm = _inside(search, *band)
        elif below is not None:
            sturm = _all_below(search, below, rigid, start)
        else:
            sturm = _lowest(search, n, shift, rigid, start, check)
        modes = _result(search, sturm, begin)
    return modes.check(max(tol, 1e-8)) if check else modes


def _own_search(pencil: Pencil, options: Options) -> Search:
    """A search on our own direct solver, whose compiled kernels load only here."""
    from floatframe.modal.substructures import analyse, factorize

    return Search(pencil, options, factorize, analyse)


def _lowest(
    search: Search, n: int, shift: float | None, rigid: Array | None, start: Array | None, check: bool
) -> SturmCheck:
    """Find the n lowest pairs, then count below a shift just above them and find what was missed."""
    pencil = search.pencil
    if n < 1:
        raise ModelError(f"n is {n}; expected at least one mode.")
    if n > pencil.finite:
        raise ModelError(f"n is {n}, but only {pencil.finite} of {pencil.size} dofs carry mass; ask for fewer modes.")
    search.reserve(n)
    _find_lowest(search, n, shift, rigid, start)
    if search.value.size < n:
        raise ModelError(f"n is {n}, but there are {search.value.size} finite eigenvalues; ask for fewer modes.")
    if check:
        top = _top(search, n)
        expected = search.count_below(top)
        found = _complete(search, expected)
        sturm = SturmCheck(found, expected, below=search.operator.shift, reason="")
    else:
        sturm = SturmCheck(found=n)
    search.value, search.shapes = search.value[:n], search.shapes[:, :n]
    return sturm


def _find_lowest(search: Search, n: int, shift: float | None, rigid: Array | None, start: Array | None) -> None:
    """Run at a shift below the spectrum, or at the given one."""
    origin = search.pencil.free_shift if shift is None else shift
    count = 0
    if origin > 0.0:
        count = search.count_below(origin)
    else:
        try:
            search.factorise(origin, definite=True)
        except FloatframeError as reason:
            raise ModelError(
                "stiffness: the matrix is not positive semi-definite, or dofs without mass lack stiffness; check the "
                f"model for negative springs, unsupported massless nodes and mechanisms (the solver says: {reason})"
            ) from reason
    if rigid is not None:
        lock_given(search, rigid)
    search.run(count, max(n - count, 0), start)


def _top(search: Search, n: int) -> float:
    """A shift just above the n-th eigenvalue found, in a gap."""
    origin = search.pencil.free_shift
    everything = np.concatenate([search.value, search.beyond])
    last = float(search.value[-1])
    for wanted in range(n, min(n + _EDGE, everything.size) + 1):
        place = shift_above(everything, wanted, origin)
        if place is not None:
            return place
    return last + _FULLY_FOUND * (last - origin)


def _complete(search: Search, expected: int) -> int:
    """Find the pairs that a count below the present shift proves to be missing; how many there are then."""
    shift = search.operator.shift
    missing = expected - found_between(search.value, -np.inf, shift)
    if missing > 0:
        search.costs.restarts += 1
        # copies of multiple eigenvalues need as many columns to come at once
        search.run(expected, 0, block=max(search.options.block, min(missing, 8)))
    return found_between(search.value, -np.inf, shift)


def _all_below(search: Search, below: float, rigid: Array | None, start: Array | None) -> SturmCheck:
    """Count below the frequency, then find as many lowest pairs."""
    if not 0.0 < below < np.inf:
        raise ModelError(f"below is {below} Hz; expected a positive frequency.")
    search.reserve(1)
    expected = search.count_below((2.0 * np.pi * below) ** 2)
    upper = search.costs.shifts[-1]
    if expected:
        search.reserve(expected)
        _find_lowest(search, expected, None, rigid, start)
        if found_between(search.value, -np.inf, upper) < expected:
            inside = search.value < upper
            search.value, search.shapes = search.value[inside], search.shapes[:, inside]
            search.factorise(upper, definite=False)
            _complete(search, expected)
    return SturmCheck(found_between(search.value, -np.inf, upper), expected, below=upper, reason="")


def _inside(search: Search, f1: float, f2: float) -> SturmCheck:
    """Count at both ends of the band, then find what is between from the upper end."""
    if not 0.0 <= f1 < f2 < np.inf:
        raise ModelError(f"the band is ({f1}, {f2}) Hz; expected 0 <= f1 < f2.")
    if f1 == 0.0:
        return _all_below(search, f2, None, None)
    search.reserve(1)
    under = search.count_below((2.0 * np.pi * f1) ** 2)
    lower = search.costs.shifts[-1]
    expected = search.count_below((2.0 * np.pi * f2) ** 2) - under
    upper = search.operator.shift
    if expected:
        search.run(expected, 0, block=max(search.options.block, min(expected, 4)))
    return SturmCheck(found_between(search.value, lower, upper), expected, below=upper, above=lower, reason="")


def _result(search: Search, sturm: SturmCheck, begin: float) -> Modes:
    """Classify, verify and pack."""
    search.release()
    pencil, shapes = search.pencil, search.shapes
    rigid = _strainless(pencil, search.value, shapes)
    value = np.where(rigid, 0.0, search.value)
    residual, orthogonality = backward_errors(pencil.K, pencil.M, value, shapes)
    costs = asdict(search.costs)
    shifts = tuple(costs.pop("shifts"))
    statistics = Statistics(
        **costs,
        shifts=shifts,
        factorisations=len(shifts),
        block=search.options.block,
        total_seconds=perf_counter() - begin,
    )
    kind = tuple("rigid" if r else "elastic" for r in rigid)
    return Modes(np.sqrt(np.maximum(value, 0.0)), shapes, residual, orthogonality, kind, sturm, statistics)


def _strainless(pencil: Pencil, value: Array, shapes: Array) -> BoolArray:
    """Which pairs store no more strain energy than the round-off of K does."""
    rigid = np.zeros(value.size, dtype=bool)
    doubtful = np.flatnonzero(value < 1e-8 * pencil.scale)
    if doubtful.size:
        X = np.abs(shapes[:, doubtful])
        rigid[doubtful] = value[doubtful] < _RIGID * np.einsum("ij,ij->j", X, multiply(abs(pencil.K), X))
    return rigid
