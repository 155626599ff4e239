"""A reduction basis in the making: eigenmodes, static shapes, attachment shapes, and their generalised matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from floatframe.arrays import Array, SparseMatrix
from floatframe.modal.factor import multiply

_DEPENDENT = 1e-9  # squared sine of the angle between a shape and those before it


@dataclass(frozen=True)
class Shape:
    """What a column is: its kind and where it comes from."""

    kind: str
    origin: str


@dataclass(frozen=True)
class Basis:
    """Columns over the rows of a model: mass-normalised eigenmodes first, then static and attachment shapes.

    modes (ndof, a) with eigenvalues (a,) [rad2/s2]; others (ndof, b); their generalised matrices are
    K = [[diag(value), stiffness_coupling], [., K_others]] and M = [[E, mass_coupling], [., M_others]].
    """

    modes: Array
    value: Array
    others: Array
    labels: tuple[Shape, ...]  # a + b
    stiffness_coupling: Array  # (a, b)
    mass_coupling: Array
    K_others: Array  # (b, b)
    M_others: Array
    notes: tuple[str, ...] = ()

    @property
    def n_eigen(self) -> int:
        return int(self.value.size)

    @property
    def shapes(self) -> Array:
        return np.hstack([self.modes, self.others])

    @property
    def stiffness(self) -> Array:
        return np.block([[np.diag(self.value), self.stiffness_coupling], [self.stiffness_coupling.T, self.K_others]])

    @property
    def mass(self) -> Array:
        return np.block([[np.eye(self.n_eigen), self.mass_coupling], [self.mass_coupling.T, self.M_others]])

    def transformed(self, T: Array, labels: tuple[Shape, ...]) -> Basis:
        """Return the basis whose shapes beside the eigenmodes are combined by T (b, c)."""
        return replace(
            self,
            others=self.others @ T,
            labels=self.labels[: self.n_eigen] + labels,
            stiffness_coupling=self.stiffness_coupling @ T,
            mass_coupling=self.mass_coupling @ T,
            K_others=T.T @ self.K_others @ T,
            M_others=T.T @ self.M_others @ T,
        )


def make_basis(
    K: SparseMatrix, M: SparseMatrix, modes: Array, value: Array, others: Array, labels: tuple[Shape, ...]
) -> Basis:
    """Return the basis with its matrices; static shapes are uncoupled from the eigenmodes in the stiffness."""
    K_others, M_others = multiply(K, others), multiply(M, others)
    coupling = modes.T @ K_others
    static = [k for k, label in enumerate(labels[value.size :]) if label.kind == "static"]
    coupling[:, static] = 0.0  # a displaced interface loads nothing inside
    return Basis(
        modes,
        value,
        others,
        labels,
        coupling,
        modes.T @ M_others,
        _symmetric(others.T @ K_others),
        _symmetric(others.T @ M_others),
    )


def with_clean_statics(basis: Basis, rigid: Array) -> Basis:
    """Return the basis with the round-off removed that physics forbids in the stiffness of its static shapes.

    rigid (b_static, r): interface displacements, about one in size, of motions that strain nothing. Attachment shapes
    leave the interface at rest, so they store no energy together with static shapes.
    """
    static = [k for k, label in enumerate(basis.labels[basis.n_eigen :]) if label.kind == "static"]
    others = [k for k in range(basis.others.shape[1]) if k not in set(static)]
    K = basis.K_others.copy()
    K[np.ix_(static, others)] = 0.0
    K[np.ix_(others, static)] = 0.0
    part = K[np.ix_(static, static)]
    Q = scipy.linalg.orth(rigid, rcond=1e-9)
    if Q.shape[1] == len(static):
        part = np.zeros_like(part)
    else:
        part = part - Q @ (Q.T @ part)
        part = part - (part @ Q) @ Q.T
    K[np.ix_(static, static)] = _symmetric(part)
    return replace(basis, K_others=K)


def without_dependent_shapes(basis: Basis) -> Basis:
    """Return the basis without attachment shapes that the columns before them already contain, each with a note."""
    K, M = basis.stiffness, basis.mass
    metric = K / max(np.trace(K), np.finfo(float).tiny) + M / max(np.trace(M), np.finfo(float).tiny)
    size = np.sqrt(np.maximum(np.diag(metric), 0.0))
    kept: list[int] = []
    notes = list(basis.notes)
    for column, label in enumerate(basis.labels):
        rest = 1.0
        if size[column] == 0.0:
            rest = 0.0
        elif label.kind == "attachment" and kept:
            scale = np.outer(size[kept], size[kept])
            along = metric[kept, column] / (size[kept] * size[column])
            rest = 1.0 - float(along @ scipy.linalg.lstsq(metric[np.ix_(kept, kept)] / scale, along)[0])
        if rest > _DEPENDENT or label.kind != "attachment":
            kept.append(column)
        else:
            notes.append(f"{label.origin}: dropped, the other shapes contain it")
    chosen = [column - basis.n_eigen for column in kept if column >= basis.n_eigen]
    if len(chosen) == basis.others.shape[1]:
        return basis
    labels = tuple(basis.labels[basis.n_eigen + k] for k in chosen)
    return replace(basis.transformed(np.eye(basis.others.shape[1])[:, chosen], labels), notes=tuple(notes))


def with_unit_mass(basis: Basis, orthogonal: bool) -> Basis:
    """Return the basis with attachment shapes of unit generalised mass, or mass-orthonormal ones in their order."""
    labels = basis.labels[basis.n_eigen :]
    place = [k for k, label in enumerate(labels) if label.kind == "attachment"]
    if not place:
        return basis
    M = basis.M_others[np.ix_(place, place)]
    size = np.sqrt(np.diag(M))
    T = np.eye(len(labels))
    part = np.diag(1.0 / size)
    if orthogonal:
        upper = scipy.linalg.cholesky(M / np.outer(size, size))
        part = part @ scipy.linalg.solve_triangular(upper, np.eye(len(place)))
    T[np.ix_(place, place)] = part
    return basis.transformed(T, labels)


def _symmetric(A: Array) -> Array:
    return (A + A.T) / 2.0
