"""The outcome of an eigenvalue computation, with the proof of its quality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import NotConverged
from floatframe.modal.factor import Report, multiply
from floatframe.modal.lanczos.clusters import end_of_cluster

_TWO_PI = 2.0 * np.pi
_AT_ONCE = 16  # columns checked together: bounds the memory of the check

Progress = Callable[[int, int], None]  # progress(converged, wanted)


@dataclass(frozen=True)
class SturmCheck:
    """Inertia counts against the pairs returned: is every eigenvalue of the range there, and no other?"""

    found: int = 0  # eigenvalues of the range among the computed pairs
    expected: int | None = None  # eigenvalues of the range by the signs of the pivots of K - shift M
    below: float = 0.0  # the range ends here [rad^2/s^2] ...
    above: float = -np.inf  # ... and begins here
    reason: str = "not requested"  # why there is no count

    @property
    def passed(self) -> bool:
        """True when the counts were made and agree."""
        return self.expected is not None and self.expected == self.found

    def __str__(self) -> str:
        if self.expected is None:
            return f"no Sturm count: {self.reason}"
        top = np.sqrt(max(self.below, 0.0)) / _TWO_PI
        if self.above <= 0.0:
            where = f"below {top:.6g} Hz"
        else:
            where = f"between {np.sqrt(self.above) / _TWO_PI:.6g} and {top:.6g} Hz"
        return f"{self.found} of {self.expected} eigenvalues {where} found"


@dataclass(frozen=True)
class Statistics:
    """What the computation cost: counts, wall times in seconds, memory in bytes."""

    steps: int = 0  # block steps of the recurrence
    solves: int = 0  # right-hand sides solved
    factorisations: int = 0
    restarts: int = 0  # thick restarts and fresh starts beside the first
    block: int = 0
    factor_seconds: float = 0.0
    solve_seconds: float = 0.0
    orthogonalisation_seconds: float = 0.0
    total_seconds: float = 0.0
    factor_bytes: int = 0  # largest factor held at a time
    basis_bytes: int = 0
    shifts: tuple[float, ...] = ()  # where K - shift M was factorised [rad^2/s^2]
    report: Report | None = None  # of the largest factorisation by substructures, None for small matrices


@dataclass(frozen=True)
class Modes:
    """Eigenmodes of K x = omega^2 M x in ascending order; shapes (ndof, n) are M-orthonormal columns."""

    omega: Array  # (n,) [rad/s]
    shapes: Array  # (ndof, n)
    residual: Array  # (n,) backward errors |K x - value M x| / ((|K| + value |M|) |x|)
    orthogonality: float = 0.0  # max |X^T M X - I|
    kind: tuple[str, ...] = ()  # per mode "rigid" or "elastic"
    sturm: SturmCheck = field(default_factory=SturmCheck)
    statistics: Statistics = field(default_factory=Statistics)
    cut: int = 0  # further modes of the frequency of the last one, which are left out
    # (k, 2) node numbers and components of dofs without stiffness and mass, which are held at rest
    idle: IntArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))

    def __repr__(self) -> str:
        f = self.frequency
        span = f", {f[0]:.6g} … {f[-1]:.6g} Hz, residuals up to {self.residual.max():.1e}" if f.size else ""
        return f"Modes({f.size} of {len(self.shapes)} dofs{span})"

    @property
    def frequency(self) -> Array:
        """Natural frequencies (n,) [Hz]."""
        return self.omega / _TWO_PI

    @property
    def value(self) -> Array:
        """Eigenvalues omega^2 (n,) [rad^2/s^2]."""
        return self.omega**2

    @property
    def elastic(self) -> Modes:
        """The same result without its rigid modes."""
        return self._picked(np.flatnonzero([kind != "rigid" for kind in self.kind]))

    def lowest(self, n: int) -> Modes:
        """The same result with its first n modes only; `cut` says whether that cuts a cluster of equal frequencies."""
        if n >= len(self):
            return self
        whole = end_of_cluster(self.value, n)
        return replace(self._picked(np.arange(n)), cut=whole - n + (self.cut if whole == len(self) else 0))

    def _picked(self, keep: IntArray) -> Modes:
        kind = tuple(self.kind[i] for i in keep)
        omega, shapes, residual = self.omega[keep], self.shapes[:, keep], self.residual[keep]
        return replace(self, omega=omega, shapes=shapes, residual=residual, kind=kind)

    def spread(self, rows: IntArray, ndof: int) -> Modes:
        """The same result with shapes (ndof, n): the present ones in the given rows, zeros in the others."""
        shapes = np.zeros((ndof, len(self)), order="F")
        shapes[rows] = self.shapes
        return replace(self, shapes=shapes)

    def __len__(self) -> int:
        return int(self.omega.size)

    def check(self, tol: float = 1e-8) -> Modes:
        """Return the result itself, or raise NotConverged if a residual, the orthogonality or the Sturm count fails."""
        bad = ~(self.residual <= tol)
        if bad.any():
            worst = float(np.max(self.residual))
            raise NotConverged(f"{bad.sum()} of {bad.size} modes exceed the backward error {tol:g}; worst {worst:.1e}.")
        if not self.orthogonality <= tol:
            raise NotConverged(f"the shapes are M-orthonormal to {self.orthogonality:.1e} only, expected {tol:g}.")
        if self.sturm.expected is not None and not self.sturm.passed:
            raise NotConverged(f"the Sturm count failed: {self.sturm}; tighten tol or use a larger block.")
        return self


def norm(A: SparseMatrix) -> float:
    """Largest absolute column sum of A."""
    from floatframe.modal.lanczos._kernels import greatest_column_sum  # compiled code loads only here

    return float(greatest_column_sum(A.indptr, A.data))


def backward_errors(K: SparseMatrix, M: SparseMatrix, value: Array, shapes: Array) -> tuple[Array, float]:
    """Backward errors (n,) of the pairs, and max |X^T M X - I| of their shapes."""
    residual, orthogonality = np.empty(value.size), 0.0
    size_K, size_M = norm(K), norm(M)
    for first in range(0, value.size, _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        X = shapes[:, some]
        MX = multiply(M, X)
        overlap = shapes.T @ MX
        overlap[some] -= np.eye(X.shape[1])
        orthogonality = max(orthogonality, float(np.abs(overlap).max()))
        rest = multiply(K, X)
        MX *= value[some]
        rest -= MX
        scale = (size_K + np.abs(value[some]) * size_M) * np.sqrt(np.einsum("ij,ij->j", X, X))
        # without any stiffness both are zero
        residual[some] = np.sqrt(np.einsum("ij,ij->j", rest, rest)) / np.where(scale > 0.0, scale, 1.0)
    return residual, orthogonality
