"""A structure held at some dofs: static solutions and eigenmodes from one factorisation, also where rigid motions
are left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg
from scipy.sparse import csc_array

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES
from floatframe.modal.analysis.idle import idle_dofs
from floatframe.modal.analysis.mechanisms import find_mechanisms
from floatframe.modal.factor import factored, inverse_diagonal, multiply
from floatframe.modal.lanczos import LanczosOptions, Modes, Pencil, Progress, lanczos, strainless_motions

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_GRIP = 1e-6  # the weakest hold on a rigid motion by displacements that will do, against the largest motion of a dof
_REFINED = 1e-10  # relative change by refinement that is worth the price of another solution


class HeldStructure:
    """The rows of a model that stay free when some are held, with stiffness K, mass M and the rigid motions left.

    Dofs without stiffness and mass are held as well. Rigid motions have no stiffness: loads are balanced by inertia
    forces, and a few dofs that just hold the structure are left out of the factorisation, which carries no reaction
    then.
    """

    def __init__(self, fe: AnyModel, K: SparseMatrix, M: SparseMatrix, rows: IntArray) -> None:
        self.fe = fe
        self.K: SparseMatrix = csc_array(K[rows][:, rows]) if rows.size < K.shape[0] else K
        self.M: SparseMatrix = csc_array(M[rows][:, rows]) if rows.size < M.shape[0] else M
        idle = idle_dofs(fe, self.K, self.M, rows)
        self.idle: IntArray = fe.dofs[rows[idle.rows]]  # (k, 2) node numbers and components of dofs held as well
        Z = strainless_motions(fe, self.K, rows, idle.at_rest)[idle.kept]
        self.rows = rows[idle.kept]
        if idle.rows.size:
            self.K, self.M = (csc_array(A[idle.kept][:, idle.kept]) for A in (self.K, self.M))
        self.rigid = self._orthonormal(Z)
        self._whole_mass = M

    def _orthonormal(self, Z: Array) -> Array:
        """Return (n, r) mass-orthonormal rigid motions of the same span."""
        inertia = Z.T @ multiply(self.M, Z)
        weight, vector = scipy.linalg.eigh((inertia + inertia.T) / 2.0)
        # a row of nodes on a line turns about it without moving anything
        heavy = weight > 1e-12 * weight.max(initial=0.0)
        return np.asfortranarray(Z @ (vector[:, heavy] / np.sqrt(weight[heavy])))

    @property
    def n(self) -> int:
        return int(self.rows.size)

    @cached_property
    def _pencil(self) -> Pencil:
        return Pencil(self.K, self.M)

    @property
    def most_modes(self) -> int:
        """How many elastic modes there can be: dofs with mass less rigid motions."""
        return self._pencil.finite - self.rigid.shape[1] if self.n else 0

    @cached_property
    def _anchored(self) -> IntArray:
        """Dofs (n - r,) that remain when the rigid motions are held by as few others as possible.

        Displacements if they can: the rotation of a node may be held by something as soft as a foil on a solid.
        """
        r = self.rigid.shape[1]
        every = np.arange(self.n)
        if not r:
            return every
        turning = self.fe.dofs[self.rows, 1] >= 3
        # rotations count by what they move at the distance of the model's size
        size = float(np.ptp(self.fe.nodes, axis=0).max()) or 1.0
        largest = float(np.sqrt(((self.rigid * np.where(turning, size, 1.0)[:, None]) ** 2).sum(axis=1).max()))
        moving = np.flatnonzero(~turning)
        if moving.size >= r:
            _, R, order = scipy.linalg.qr(self.rigid[moving].T, mode="economic", pivoting=True)
            if abs(R[r - 1, r - 1]) > _GRIP * largest:
                return np.setdiff1d(every, moving[order[:r]])
        _, _, order = scipy.linalg.qr(self.rigid.T, mode="economic", pivoting=True)
        return np.setdiff1d(every, order[:r])

    @cached_property
    def factor(self) -> Any:
        """The factorisation that all static solutions share, and the modes of a structure without rigid motions."""
        rows = self._anchored
        A = self._pencil.shifted(0.0) if rows.size == self.n else csc_array(self.K[rows][:, rows])
        try:
            return factored(A, kind="spd")
        except ModelError as error:
            held = [(int(node), DOF_NAMES[part]) for node, part in np.delete(self.fe.dofs, self.rows, axis=0)]
            found = find_mechanisms(self.fe, held)
            if len(found) <= self.rigid.shape[1]:
                raise
            raise ModelError(
                f"model '{self.fe.name}' cannot be reduced, parts of it move freely: "
                f"{'; '.join(str(motion) for motion in found[:3])}. Connect them or add supports."
            ) from error

    def inertia_load(self, motion: Array) -> Array:
        """Return the loads (n, k) on the free rows of accelerations (ndof, k) of all rows."""
        return multiply(self._whole_mass, np.asfortranarray(motion))[self.rows]

    def solve(self, F: Array) -> Array:
        """Return displacements (n, k) under loads (n, k) that do no work in rigid motions, up to such motions.

        Where the condition of a fine mesh costs digits, a step of refinement brings them back.
        """
        rows = self._anchored
        X = np.zeros(F.shape, order="F")
        X[rows] = self.factor.solve(F[rows])
        # all columns, added with changing signs, show whether refinement would move them
        signs = np.where(np.arange(F.shape[1]) % 3 == 1, -1.0, 1.0)
        probe = X @ signs
        moved = self.factor.solve((F @ signs - self.K @ probe)[rows])
        if np.abs(moved).max(initial=0.0) > _REFINED * np.abs(probe).max(initial=0.0):
            X[rows] += self.factor.solve((F - multiply(self.K, X))[rows])
        return X

    def elastic(self, F: Array) -> Array:
        """Return displacements (n, k) under loads (n, k) balanced by inertia forces, free of rigid motion."""
        Z = self.rigid
        if not Z.shape[1]:
            return self.solve(F)
        MZ = multiply(self.M, Z)
        X = self.solve(F - MZ @ (Z.T @ F))
        return X - Z @ (MZ.T @ X)

    def own_displacements(self) -> Array:
        """Return for each free row (n,) the displacement there under a unit load on it alone [m/N, rad/(N m)].

        These are the diagonal entries of the flexibility, all at the price of about two factorisations.
        """
        rows, Z = self._anchored, self.rigid
        diagonal = np.zeros(self.n)
        if rows.size:
            diagonal[rows] = inverse_diagonal(self.factor)
        if not Z.shape[1]:
            return diagonal
        MZ = multiply(self.M, Z)
        X = np.zeros(MZ.shape, order="F")
        X[rows] = self.factor.solve(MZ[rows])
        return diagonal - 2.0 * np.einsum("ij,ij->i", Z, X) + np.einsum("ij,jk,ik->i", Z, MZ.T @ X, Z)

    def count_below(self, frequency: float) -> int:
        """Return how many modes lie below a frequency [Hz], rigid motions included."""
        A = self._pencil.shifted((2.0 * np.pi * frequency) ** 2)
        return int(factored(A, kind="indefinite", symbolic=self.factor.symbolic).negative_pivots)

    def modes(
        self,
        n: int | None = None,
        below: float | None = None,
        options: LanczosOptions | None = None,
        progress: Progress | None = None,
    ) -> Modes:
        """Return the lowest n elastic modes or all below a frequency [Hz], rigid motions left out.

        There are more than n where these would end inside a cluster of equal frequencies.
        """
        options = options or LanczosOptions()
        given: dict[str, Any] = {"whole_clusters": True, "options": options, "progress": progress}
        r = self.rigid.shape[1]
        if n == 0 or not self.n:
            return Modes(np.empty(0), np.empty((self.n, 0)), np.empty(0))
        if below is None and n is not None and n > self.most_modes:
            raise ModelError(
                f"model '{self.fe.name}': {n} modes were requested, but with its supports it has {self.most_modes}; "
                "request fewer."
            )
        if below is not None:
            found = lanczos(self.K, self.M, below=below, rigid=self.rigid if r else None, **given)
        elif r:
            found = lanczos(self.K, self.M, n=(n or 0) + r, rigid=self.rigid, **given)
        else:
            given["options"] = replace(options, shift=0.0)
            found = lanczos(self.K, self.M, n=n or 0, factorize=_ready(self.factor), **given)
        return found.elastic


def _ready(factor: Any) -> Callable[..., Any]:
    """Return a solver that hands out a factor at hand first and factorises only what comes later."""
    waiting = [factor]

    def solver(A: SparseMatrix, **options: Any) -> Any:
        return waiting.pop() if waiting else factored(A, **options)

    return solver
