"""Solutions of (s E - A) x = b at many s: one Schur form in place of a factorisation at each of them.

With E⁻¹ A = U T Uᴴ, T triangular, x = U (s - T)⁻¹ Uᴴ E⁻¹ b is a substitution. It is corrected by the residual of the
equations themselves, so that neither E⁻¹ nor the Schur form takes digits from it, and proven by the last residual.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, short_repr

CORRECTIONS = 2
EXACT = 1e-14  # largest residual of a row over what its terms would sum up to: some roundings
SMALL = 1e-6  # of the largest unknown: smaller ones need not be more exact than one of this size
AT_ONCE = 2**19  # complex numbers in one array


@short_repr
@dataclass(frozen=True)
class SchurForm:
    """E and A (n, n), both complex, rows scaled; E⁻¹, T and U of E⁻¹ A = U T Uᴴ."""

    E: AnyArray
    A: AnyArray
    scale: Array  # (n,) of the rows
    inverse: AnyArray
    T: AnyArray
    U: AnyArray

    @classmethod
    def of(cls, E: Array, A: Array) -> SchurForm | None:
        """Return the form of E ξ' = A ξ, None where E has no inverse."""
        from scipy.linalg import schur

        scale = np.abs(E).max(axis=1, initial=0.0)
        if not len(E) or not scale.all():
            return None
        E, A = E / scale[:, None], A / scale[:, None]
        try:
            inverse = np.linalg.inv(E)
            T, U = schur(inverse @ A, output="complex")
        except (np.linalg.LinAlgError, ValueError):  # not finite
            return None
        return cls(E.astype(complex), A.astype(complex), scale, inverse.astype(complex), T, U)

    def solve(self, s: AnyArray, b: AnyArray) -> tuple[AnyArray, BoolArray]:
        """Return x (nf, n, m) for s (nf,) and b (nf, n, m), and whether it is exact (nf,) but for rounding."""
        _, n, m = b.shape
        parts = np.array_split(np.arange(len(s)), max(1, -(-b.size // AT_ONCE)))
        found, good = np.empty_like(b), np.empty(len(s), dtype=bool)
        for rows in parts:
            k = len(rows)
            columns = (b[rows] / self.scale[:, None]).transpose(1, 0, 2).reshape(n, k * m)
            x, exact = self._columns(np.repeat(s[rows], m), columns)
            found[rows] = x.reshape(n, k, m).transpose(1, 0, 2)
            good[rows] = exact.reshape(k, m).all(axis=1)
        return found, good

    def _columns(self, s: AnyArray, b: AnyArray) -> tuple[AnyArray, BoolArray]:
        """Return x (n, k) for s (k,) and b (n, k), and whether each column is exact (k,)."""
        with np.errstate(all="ignore"):  # what is not finite is not exact
            x = self._once(s, b)
            residual = b - self._product(s, x)
            for _ in range(CORRECTIONS):
                x = x + self._once(s, residual)
                residual = b - self._product(s, x)
            large = np.abs(x) + SMALL * np.abs(x).max(axis=0)
            size = np.abs(s) * (np.abs(self.E.real) @ large) + np.abs(self.A.real) @ large + np.abs(b)
            return x, (np.abs(residual) <= EXACT * len(b) ** 0.5 * size).all(axis=0)

    def _product(self, s: AnyArray, x: AnyArray) -> AnyArray:
        return np.asarray(s * (self.E @ x) - self.A @ x)

    def _once(self, s: AnyArray, b: AnyArray) -> AnyArray:
        """Return x by substitution, the last row first."""
        y = self.U.conj().T @ (self.inverse @ b)
        for k in reversed(range(len(y))):
            y[k] = (y[k] + self.T[k, k + 1 :] @ y[k + 1 :]) / (s - self.T[k, k])
        return np.asarray(self.U @ y)
