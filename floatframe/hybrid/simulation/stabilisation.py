"""How deviations from the constraints return in a run: its matrix K, whether steps keep it stable, what bounds them.

The deviations y are the values g of the rows of places, their rates g', and the rates of rows of speeds; y' = K y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import FloatframeError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import (
    BY_FUNCTION,
    BY_GAINS,
    BY_PAIR,
    RUNGE_KUTTA_STAGES,
    SPEEDS,
    Stabiliser,
    Work,
)
from floatframe.hybrid.settings import SIMULATE
from floatframe.hybrid.simulation.stability import accumulated, largest_pair, largest_step, spectral_radius

GROWING = 1e-9  # share of the largest eigenvalue of K that the real part of one may be above zero: rounding


@dataclass(frozen=True)
class Stabilisation:
    """What a run does with deviations: the option `stabilisation` of a run, for the rows of a system."""

    option: Any
    places: tuple[int, ...]  # numbers of the rows of places, and of those of speeds
    speeds: tuple[int, ...]
    nq: int
    nv: int

    @classmethod
    def of(cls, system: CompiledSystem, option: Any) -> Stabilisation | None:
        """That of a system, None where the option is: states are then projected, or drift."""
        return None if option is None else cls.fitting(system, option)

    @classmethod
    def fitting(cls, system: CompiledSystem, option: Any) -> Stabilisation:
        """That of a system; an option that does not fit its rows is refused."""
        level = system.tables.rows["level"]
        rows = [tuple(int(k) for k in np.flatnonzero(which)) for which in (level != SPEEDS, level == SPEEDS)]
        found = cls(option, rows[0], rows[1], system.nq, system.nv)
        found._require_fitting(system)
        return found

    @cached_property
    def by_rows(self) -> bool:
        """Whether K is a matrix over all rows."""
        matrix = isinstance(self.option, tuple) and isinstance(self.option[0], tuple)
        return matrix and (len(self.option) != 2 or (not self.places and self.option[0] != (0.0, 1.0)))

    @cached_property
    def gains(self) -> tuple[float, float]:
        """Of every row g'' = value g + rate g' by itself [1/s2, 1/s]."""
        if isinstance(self.option[0], tuple):
            value, rate = self.option[1]
            return value, rate
        a, b = self.option
        return -b * b, -2.0 * a

    def _require_fitting(self, system: CompiledSystem) -> None:
        """Refuse a matrix over rows that are not those of the system."""
        if not self.by_rows:
            if not callable(self.option) and isinstance(self.option[0], tuple) and self.option[0] != (0.0, 1.0):
                raise _wrong(
                    f"the first row of a 2 x 2 matrix K is {self.option[0]}, expected (0, 1): that of g' itself"
                )
            return
        n, m = len(self.places), len(self.speeds)
        K = np.array(self.option)
        names = ", ".join(dict.fromkeys(system.row_names))
        if len(K) != 2 * n + m:
            raise _wrong(
                f"stabilisation is a matrix {len(K)} x {len(K)}, expected 2 x 2 for every row, or {2 * n + m} x "
                f"{2 * n + m} for the values and rates of {n} rows and the rates of {m} rows of speeds ({names})"
            )
        if not np.array_equal(K[:n], np.eye(n, len(K), n)):
            raise _wrong(f"the first {n} rows of the matrix must be those of g' itself: (0, I, 0)")
        if system.model.stages or system.redundant:
            raise _wrong(
                "a matrix over all rows needs rows that stay, and those of this model change with its stages or "
                "follow from each other; give two numbers a, b or a 2 x 2 matrix"
            )

    @cached_property
    def blocks(self) -> tuple[Array, ...]:
        """The matrices K that deviations follow independently of each other; none of a function."""
        if callable(self.option) or not (self.places or self.speeds):
            return ()
        if self.by_rows:
            return (np.array(self.option),)
        value, rate = self.gains
        own = (np.array([[0.0, 1.0], [value, rate]]),) if self.places else ()
        return (*own, np.array([[rate]])) if self.speeds else own

    def put(self, s: Any, work: Work) -> tuple[Work, Stabiliser | None]:
        """Settings and workspace of the steps for it, and the function they call if there is one, to be kept alive."""
        n = len(work.lam)
        if callable(self.option):
            function = Stabiliser(self.option, self.nq, self.nv, n)
            s.stabilise, work.traits.stabiliser = BY_FUNCTION, function.address
            return work._replace(exchanged=np.zeros(1 + self.nq + self.nv + 3 * n)), function
        if not self.by_rows:
            s.stabilise = BY_PAIR
            s.value_gain, s.rate_gain = self.gains
            return work, None
        s.stabilise = BY_GAINS
        K, places, speeds = np.array(self.option), list(self.places), list(self.speeds)
        columns = [*places, *(n + k for k in places), *(n + k for k in speeds)]
        gains = np.zeros((n, 2 * n))
        gains[np.ix_([*places, *speeds], columns)] = K[len(places) :]
        return work._replace(gains=gains, exchanged=np.zeros(4 * n)), None

    def require_stable(self, method: str, step: float | None) -> None:
        """Refuse deviations that grow by themselves, or in fixed steps [s] of an explicit method."""
        for K in self.blocks:
            roots = np.linalg.eigvals(K)
            if roots.real.max() > GROWING * np.abs(roots).max():
                raise _wrong(
                    f"{self} lets deviations grow: K has the eigenvalue {_plain(roots[np.argmax(roots.real)])} 1/s, "
                    "whose real part must not be positive"
                )
            if step is None or method not in RUNGE_KUTTA_STAGES or step <= largest_step(method, K):
                continue
            raise _wrong(
                f"{self} is unstable in steps of {step:g} s of {method}: each multiplies deviations by "
                f"{spectral_radius(method, K, step):.4g}, which must be below 1; {self._cure(method, step)}"
            )

    def _cure(self, method: str, step: float) -> str:
        longest = min(largest_step(method, K) for K in self.blocks)
        stable = f"steps up to {longest:.4g} s are stable" if longest > 0.0 else "no step is short enough"
        return f"{stable}, or a = b up to {self.largest_pair(method, step):.4g} 1/s"

    def largest_pair(self, method: str, step: float) -> float:
        """Up to which a = b [1/s] the rows are stable in steps [s]; deviations of rows of speeds return with 2 a."""
        return largest_pair(method, step) * (0.5 if self.speeds else 1.0)

    def longest_step(self, method: str) -> float:
        """Up to which step [s] the deviations are stable."""
        return min((largest_step(method, K) for K in self.blocks), default=np.inf)

    def bounds(self, method: str, counters: AnyArray) -> tuple[Array, Array]:
        """Of m records, what deviations of rows and of their rates cannot have exceeded (m,); infinite if they grow.

        Errors of single steps over their length, seen so far, times what they add up to in the shortest or longest.
        """
        last = counters[-1]
        if last["longest_h"] == 0.0:
            return np.zeros(len(counters)), np.zeros(len(counters))
        errors = np.array([counters["local_gap"], counters["local_gap_rate"]])
        found = [np.zeros(len(counters)), np.zeros(len(counters))]
        for K in self.blocks:
            n = len(self.places) if self.by_rows else len(K) // 2
            for step in {_rounded(last["shortest_h"]), _rounded(last["longest_h"])}:
                S = step * _accumulated(method, K.tobytes(), len(K), step)
                if not np.isfinite(S).all():
                    return np.full(len(counters), np.inf), np.full(len(counters), np.inf)
                each = np.repeat(errors, (n, len(K) - n), axis=0)
                reached = S @ each
                found[0] = np.maximum(found[0], reached[:n].max(axis=0, initial=0.0))
                found[1] = np.maximum(found[1], reached[n:].max(axis=0, initial=0.0))
        return found[0], found[1]

    @property
    def bounded(self) -> bool:
        """Whether something is known that bounds the deviations in steps of ours."""
        return bool(self.blocks)

    def __str__(self) -> str:
        if callable(self.option):
            return f"stabilisation by '{getattr(self.option, '__name__', 'a function')}'"
        if self.by_rows:
            return f"stabilisation by a matrix {len(self.option)} x {len(self.option)}"
        value, rate = self.gains
        if isinstance(self.option[0], tuple):
            return f"stabilisation with K = [[0, 1], [{value:g}, {rate:g}]]"
        return f"stabilisation with a = {self.option[0]:.6g} 1/s, b = {self.option[1]:.6g} 1/s"


def _wrong(words: str) -> FloatframeError:
    return SIMULATE.at("stabilisation").error(words)


def _plain(number: complex) -> str:
    return f"{number.real:.4g}" if number.imag == 0.0 else f"{number.real:.4g} ± {abs(number.imag):.4g}i"


def _rounded(step: float) -> float:
    """A step to ten digits: lengths of fixed steps differ by rounding."""
    return float(f"{step:.10g}")


@lru_cache(maxsize=32)
def _accumulated(method: str, K: bytes, n: int, step: float) -> Array:
    return accumulated(method, np.frombuffer(K).reshape(n, n), step)
