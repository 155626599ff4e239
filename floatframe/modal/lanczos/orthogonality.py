"""Three ways to keep a Lanczos basis orthogonal: full, partial (Simon 1984) and selective (Parlett and Scott 1979)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from floatframe.arrays import Array
from floatframe.modal.lanczos.basis import Krylov, Orthogonality

_EPS = float(np.finfo(np.float64).eps)
_SEMI = float(np.sqrt(_EPS))  # this level of orthogonality keeps T exact to round-off
# residual, relative to |T|, from which on a Ritz vector attracts the new blocks: loss is eps over this, more in blocks
_BEGINS = 1e-4
_REFRESH = 0.1  # a Ritz vector is formed again when its residual has shrunk to this part


class Full:
    """Every new block is cleaned of the whole basis."""

    def clean(self, basis: Krylov, R: Array) -> tuple[Array, Array]:
        return basis.orthogonalise(R)

    def restarted(self, basis: Krylov) -> None:
        pass


class Partial:
    """Overlaps are estimated by the recurrence they obey; the basis is touched only when they pass sqrt(eps).

    With w_j = Q^T W Q_j the recurrence reads  w_(j+1) B = T w_j - w_j A_j - w_(j-1) B_j^T + round-off.
    """

    def __init__(self) -> None:
        self._now = np.empty((0, 0))  # overlaps of the basis with the newest expanded block
        self._before = np.empty((0, 0))  # ... and with the block before
        self._again = True  # a cleaned block is followed by a second cleaned one

    def restarted(self, basis: Krylov) -> None:
        self._now = self._before = np.empty((0, 0))
        self._again = True

    def clean(self, basis: Krylov, R: Array) -> tuple[Array, Array]:
        R, W = basis.clean_locally(R)
        now, ahead = self._estimates(basis, R.T @ W)
        if self._again or np.abs(ahead).max() > _SEMI:
            R, W = basis.orthogonalise(R)
            ahead = np.full(ahead.shape, _EPS)
            self._again = not self._again
        self._before, self._now = now, ahead
        return R, W

    def _estimates(self, basis: Krylov, gram: Array) -> tuple[Array, Array]:
        """Overlaps of the basis with the block just expanded, and those expected of the coming block."""
        T = basis.projected
        end, width = T.shape[0], gram.shape[0]
        start = end - width
        now = np.full((end, width), _EPS)
        if self._now.shape == (start, width):
            now[:start] = self._now
        now[start:] = np.eye(width)
        ahead = T @ now - now @ T[start:, start:]
        known = self._before.shape[0]
        if self._before.shape[1] == width and start >= width:
            ahead[:known] -= self._before @ T[start:, start - width : start].T
        noise = _EPS * np.abs(T).max()
        ahead += np.where(ahead < 0.0, -noise, noise)
        # the shortest new direction divides: a bound for all columns of the block
        shortest = np.sqrt(max(eigh(gram, eigvals_only=True)[0], noise**2))
        ahead /= shortest
        ahead[start:] = _EPS  # just cleaned
        return now, ahead


class Selective:
    """New blocks are cleaned of the Ritz vectors that have begun to converge: orthogonality is lost to nothing else."""

    def __init__(self) -> None:
        self._good = np.empty((0, 0), order="F")  # Ritz vectors (n, k) that have begun to converge
        self._residual = np.empty(0)  # their residuals when they were formed

    def restarted(self, basis: Krylov) -> None:
        self._residual = np.empty(0)

    def clean(self, basis: Krylov, R: Array) -> tuple[Array, Array]:
        R, W = basis.clean_locally(R)
        theta, S = eigh(basis.projected, check_finite=False)
        bottom = S[theta.size - R.shape[1] :]
        residual = np.sqrt(np.maximum(np.einsum("ij,ij->j", bottom, (R.T @ W) @ bottom), 0.0))
        good = np.flatnonzero(residual < _BEGINS * np.abs(theta).max())
        stale = good.size != self._residual.size or (residual[good] < _REFRESH * self._residual).any()
        if stale:
            self._good = np.asfortranarray(basis.Q[:, basis.locked : basis.m] @ S[:, good])
            self._residual = np.maximum(residual[good], _EPS * np.abs(theta).max())
        if good.size:
            for _ in range(2):
                R -= self._good @ (self._good.T @ W)
                W = basis.operator.weigh(R)
        return R, W


STRATEGIES: dict[str, type[Orthogonality]] = {"full": Full, "partial": Partial, "selective": Selective}
