"""Eigenmodes of large sparse symmetric pencils by shift-and-invert Lanczos, proven by Sturm counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from floatframe.arrays import Array
from floatframe.errors import FloatframeError, ModelError, TooManyModes
from floatframe.modal.factor import factored, is_small, whole_number
from floatframe.modal.lanczos.clusters import EQUAL, end_of_cluster, with_definite_shapes
from floatframe.modal.lanczos.modes import Modes, Progress, Statistics, SturmCheck, backward_errors
from floatframe.modal.lanczos.options import Costs, LanczosOptions
from floatframe.modal.lanczos.part_motions import PartMotions
from floatframe.modal.lanczos.parts import Found, groups, merged, with_apart
from floatframe.modal.lanczos.pencil import Pencil
from floatframe.modal.lanczos.search import Factorize, Search, known_motions, lock_given, shape_columns
from floatframe.modal.lanczos.strainless import strainless
from floatframe.modal.lanczos.sturm import found_between, shift_above

_DOUBTFUL = 1e-8  # eigenvalues below this part of a typical K_ii / M_ii may be those of rigid motions
# the same once rigid motions are known: what is zero to round-off, as in mechanisms; slender bodies come near it
_ZERO = float(np.finfo(np.float64).eps)
_BEYOND = 1e-20  # below this part no spring can be: beside stiffer ones of its part it would be lost in round-off
_EDGE = 12  # extra modes looked at when a cluster straddles the last wanted one
_NEAR = 1e-3  # relative distance within which a mode that has not converged may be one of a cluster
_ABOVE = 1e-6  # relative distance of a count to the eigenvalue it must include
_FULLY_FOUND = 0.1  # a shift above all eigenvalues there are stands this far beyond the last


def lanczos(
    K: Any,
    M: Any,
    n: int = 10,
    *,
    below: float | None = None,
    band: tuple[float, float] | None = None,
    whole_clusters: bool = False,
    rigid: Array | PartMotions | None = None,
    start: Array | None = None,
    factorize: Factorize | None = None,
    options: LanczosOptions | None = None,
    progress: Progress | None = None,
) -> Modes:
    """Return the lowest n eigenmodes of K x = omega² M x, or all below a frequency, or all in a band.

    Free bodies and massless dofs are allowed and need no option. Shapes of equal frequencies are picked by a rule
    and depend on neither seed nor start; `modes.cut` says how many more have the frequency of the last one.

    Parameters
    ----------
    K, M
        Stiffness and mass (ndof, ndof), symmetric, sparse or dense; M may be semi-definite.
    n
        How many modes, from the lowest up.
    below
        All modes below this frequency [Hz] instead.
    band
        All modes between two frequencies [Hz] instead.
    whole_clusters
        Return also the rest of a cluster of equal frequencies that n would cut.
    rigid
        Known motions without strain: (ndof, k), or those of loose parts.
    start
        First vectors (ndof, k) of the search, by default random ones.
    factorize
        Another direct solver.
    options
        How the search runs: block size, tolerance, shift, memory and the like.
    progress
        Called with the numbers of modes found and wanted.
    """
    begin = perf_counter()
    if below is not None and band is not None:
        raise ModelError("below and band are both given; expected one of them.")
    wanted = _Wanted(whole_number(n, "n"), below, band, whole_clusters)
    pencil = Pencil(K, M)
    if wanted.by_number and n > pencil.finite:
        raise TooManyModes(
            f"n is {n}, but only {pencil.finite} of {pencil.size} dofs carry mass; request fewer modes.", pencil.finite
        )
    options, costs = options or LanczosOptions(), Costs()
    loose = rigid if isinstance(rigid, PartMotions) else None
    R = None if rigid is None or isinstance(rigid, PartMotions) else known_motions(pencil, rigid)
    first = None if start is None else shape_columns(start, pencil.size, "start")
    found: list[Found] = []
    dropped = 0  # motions of loose parts that nobody asked for
    # the direct solver has threads of its own, which waiting threads of BLAS would only hold up
    with threadpool_limits(1, user_api="blas"):
        # a solver that is given gets the whole pencil
        parts = groups(pencil) if factorize is None else [np.arange(pencil.size)]
        for rows in parts:
            some = pencil if len(parts) == 1 else pencil.part(rows)
            apart = None if loose is None else loose.of_rows(rows).orthonormal(some.M)
            search = _search(some, options.of_rows(rows, pencil.size), costs, factorize, apart, progress)
            known, begins = (None if X is None else X[rows] for X in (R, first))
            if known is not None and len(parts) > 1:
                # a motion of other parts leaves its round-off here
                known = known[:, strainless(search.pencil.K, known)]
            threshold = _ZERO if loose is not None or (R is not None and len(parts) == 1) else _DOUBTFUL
            modes, left_out = _of_part(search, wanted, known, begins, _ceiling(found, n), threshold)
            found.append((rows, search.value.size == search.finite, modes))
            dropped += left_out
        modes = found[0][2] if len(parts) == 1 else merged(found, pencil.size)
    if wanted.by_number:
        modes = _cut_to(modes, n, whole_clusters, dropped)
    modes = replace(modes, statistics=_statistics(costs, options, begin))
    return modes.check(max(options.tol, 1e-8)) if options.check else modes


@dataclass(frozen=True)
class _Wanted:
    """Which modes: the lowest n, or all below a frequency or in a band [Hz]."""

    n: int
    below: float | None
    band: tuple[float, float] | None
    whole_clusters: bool

    @property
    def by_number(self) -> bool:
        return self.below is None and self.band is None


def _of_part(
    search: Search, wanted: _Wanted, rigid: Array | None, start: Array | None, ceiling: float, threshold: float
) -> tuple[Modes, int]:
    """The modes of a part up to a ceiling, and how many motions of loose parts were left out."""
    if wanted.band is not None:
        sturm = _inside(search, *wanted.band)
    elif wanted.below is not None:
        sturm = _all_below(search, wanted.below, wanted.whole_clusters, rigid, start)
    else:
        sturm = _lowest(search, wanted.n, ceiling, rigid, start)
    modes = _result(search, sturm, threshold, 0 if rigid is None else rigid.shape[1])
    apart = search.apart
    if apart is None or (wanted.band is not None and wanted.band[0] != 0.0):
        return modes, 0
    most = wanted.n if wanted.by_number and not wanted.whole_clusters else apart.count
    return with_apart(search.pencil, apart, modes, most), max(0, apart.count - most)


def _cut_to(modes: Modes, n: int, whole_clusters: bool, dropped: int) -> Modes:
    """The lowest n modes; those of the last cluster besides if asked for."""
    if len(modes) < n:
        raise TooManyModes(
            f"n is {n}, but there are {len(modes)} finite eigenvalues above round-off; request fewer.", len(modes)
        )
    modes = modes.lowest(end_of_cluster(modes.value, n) if whole_clusters else n)
    return replace(modes, cut=modes.cut + dropped) if modes.value[-1] == 0.0 else modes


def _search(
    pencil: Pencil,
    options: LanczosOptions,
    costs: Costs,
    factorize: Factorize | None,
    apart: PartMotions | None,
    progress: Progress | None,
) -> Search:
    """A search on a given direct solver or on our own, whose compiled kernels load only here."""
    if factorize is None and is_small(pencil.pattern) and not options.divides:
        factorize = factored
    if factorize is not None:
        return Search(pencil, options, costs, factorize, None, apart, progress)
    from floatframe.modal.factor import substructures

    analyse = partial(substructures.analyse, division=options.division, ordering=options.ordering)
    return Search(pencil, options, costs, substructures.factorize_again, analyse, apart, progress)


def _ceiling(found: list[Found], n: int) -> float:
    """The n-th lowest eigenvalue so far: what lies above it in a further group is not wanted."""
    value = np.sort(np.concatenate([np.empty(0), *(modes.value for _, _, modes in found)]))
    return float(value[n - 1]) if value.size >= n else np.inf


def _lowest(search: Search, n: int, ceiling: float, rigid: Array | None, start: Array | None) -> SturmCheck:
    """Find the n lowest pairs up to a ceiling, count below a shift just above them and find what was missed."""
    if search.apart is not None:
        n -= search.apart.count
    search.reserve(max(n, 1))
    if n <= 0:
        # motions of loose parts are enough: are there others without strain?
        return _all_counted(search, search.count_below(-search.pencil.free_shift), rigid, start)
    if np.isfinite(ceiling):
        # a hair above the ceiling, out of the round-off of a zero eigenvalue
        expected = search.count_below(max((1.0 + _ABOVE) * ceiling, -search.pencil.free_shift))
        if expected <= n:
            return _all_counted(search, expected, rigid, start)
    n = min(n, search.finite)
    _find_lowest(search, n, search.options.shift, rigid, start)
    n = min(n, search.value.size)
    if not search.options.check or n == 0:
        _go_on_to_a_gap(search)
        return SturmCheck(found=n)
    expected = search.count_below(_top(search, n))
    found = _complete(search, expected)
    return SturmCheck(found, expected, below=search.operator.shift, reason="")


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
                f"model for negative springs, unsupported massless nodes and mechanisms (solver: {reason})"
            ) from reason
    if rigid is not None:
        lock_given(search, rigid)
    search.run(count, max(n - count, 0), start)


def _go_on_to_a_gap(search: Search) -> None:
    """Find what is seen just above the last mode, where no count will show whether it is one of a cluster."""
    for _ in range(_EDGE):
        if not search.value.size or not search.beyond.size:
            return
        last, origin = float(search.value[-1]), search.pencil.free_shift
        if search.beyond[0] - last > _NEAR * (last - origin):
            return
        below = found_between(search.value, -np.inf, search.operator.shift)
        search.run(below, search.value.size + 1 - below)


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


def _all_below(
    search: Search, below: float, whole_clusters: bool, rigid: Array | None, start: Array | None
) -> SturmCheck:
    """Count below the frequency, then find as many lowest pairs."""
    if not 0.0 < below < np.inf:
        raise ModelError(f"below is {below} Hz; expected a positive frequency.")
    search.reserve(1)
    sturm = _all_counted(search, search.count_below((2.0 * np.pi * below) ** 2), rigid, start)
    while whole_clusters and search.value.size and search.value[-1] > (1.0 - EQUAL) * sturm.below:
        # the limit may stand inside a cluster
        known = search.value.size
        sturm = _all_counted(search, search.count_below((1.0 + 2.0 * EQUAL) * float(search.value[-1])), rigid, start)
        if search.value.size == known:
            break
    return sturm


def _all_counted(search: Search, expected: int, rigid: Array | None, start: Array | None) -> SturmCheck:
    """Find the pairs that were counted below the present shift."""
    upper = search.operator.shift
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
    """Count at both ends of the band, then find what is between."""
    if not 0.0 <= f1 < f2 < np.inf:
        raise ModelError(f"the band is ({f1}, {f2}) Hz; expected 0 <= f1 < f2.")
    if f1 == 0.0:
        return _all_below(search, f2, False, None, None)
    search.reserve(1)
    under = search.count_below((2.0 * np.pi * f1) ** 2)
    lower = search.costs.shifts[-1]
    expected = search.count_below((2.0 * np.pi * f2) ** 2) - under
    upper = search.operator.shift
    if under <= expected or under + expected == search.finite:
        # little is below the band, or the upper end is above everything and separates nothing: begin at the bottom
        _all_counted(search, under + expected, None, None)
        inside = search.value > lower
        search.value, search.shapes = search.value[inside], search.shapes[:, inside]
    elif expected:
        search.run(expected, 0, block=max(search.options.block, min(expected, 4)))
    return SturmCheck(found_between(search.value, lower, upper), expected, below=upper, above=lower, reason="")


def _result(search: Search, sturm: SturmCheck, threshold: float, given: int) -> Modes:
    """Classify, verify and pack; eigenvalues above the threshold, a part of a typical K_ii / M_ii, are elastic.

    given: how many rigid motions were known before; where there are no others, they stay as they are.
    """
    search.release()
    pencil, shapes = search.pencil, search.shapes
    rigid = np.zeros(search.value.size, dtype=bool)
    doubtful = np.flatnonzero(search.value < threshold * pencil.scale)
    rigid[doubtful] = strainless(pencil.K, shapes[:, doubtful])
    rigid |= np.abs(search.value) < _BEYOND * pencil.scale
    value = np.where(rigid, 0.0, search.value)
    if (value < pencil.free_shift).any():
        raise ModelError(
            f"stiffness: the matrix is not positive semi-definite, its lowest eigenvalue is {value.min():.4g} "
            "rad^2/s^2; check the model for negative springs."
        )
    leave = rigid & (int(rigid.sum()) <= given)
    shapes = with_definite_shapes(value, shapes, pencil.M.diagonal(), leave)
    residual, orthogonality = backward_errors(pencil.K, pencil.M, value, shapes)
    kind = tuple("rigid" if r else "elastic" for r in rigid)
    return Modes(np.sqrt(np.maximum(value, 0.0)), shapes, residual, orthogonality, kind, sturm)


def _statistics(costs: Costs, options: LanczosOptions, begin: float) -> Statistics:
    counted = dict(vars(costs))
    shifts = tuple(counted.pop("shifts"))
    seconds = perf_counter() - begin
    return Statistics(**counted, shifts=shifts, factorisations=len(shifts), block=options.block, total_seconds=seconds)
