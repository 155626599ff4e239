"""What a reduced body is worth: mass, frequencies and shapes against the full model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.optimize

from floatframe.arrays import Array, BoolArray, IntArray, short_repr, skew
from floatframe.fem import DOF_NAMES
from floatframe.modal.analysis import HeldStructure
from floatframe.modal.body import ReducedBody, held_modes
from floatframe.modal.factor import multiply
from floatframe.modal.lanczos import Modes, reduced_modes
from floatframe.modal.reduction.interface import Interface, rows_from_nodes
from floatframe.modal.reduction.residual import LoadCheck
from floatframe.modal.reduction.same_model import interface_of, kind_of_mass
from floatframe.modal.reduction.truncation import Truncation

if TYPE_CHECKING:
    from floatframe.arrays import SparseMatrix
    from floatframe.fem import AnyModel, MassKind

_WORST = 5  # nodes shown whose loads the shapes carry least
_SAME = 0.01  # frequencies this near (relative) count as one group when shapes are compared
MATCHED = 0.5  # overlap above which a mode is recognised


@short_repr
@dataclass(frozen=True)
class Comparison:
    """Modes of the model in ascending order and beside each the mode of the body most like it; arrays (n,).

    model, body: frequencies [Hz]; error: body over model less one; match: part of the model's group of modes at that
    frequency found in the body's mode, by kinetic energy; estimate: a-posteriori relative error, NaN where unknown.
    Modes without a match (below one half) stay in their order.
    """

    model: Array
    body: Array
    match: Array
    overlap: Array  # (n, n) squared overlap of model and body modes by kinetic energy (mass-weighted MAC)
    estimate: Array

    @property
    def error(self) -> Array:
        return self.body / self.model - 1.0


@dataclass(frozen=True)
class LoadRow:
    """A unit force at one dof of a node: what it moves there in the model, and how much of that the body lacks."""

    node: int
    component: str
    model_m_per_n: float
    missing_m_per_n: float
    share: float


@short_repr
@dataclass(frozen=True)
class QualityReport:
    """Masses, centres [m] and inertia tensors about them [kg m2] of model and body; comparisons; effective masses.

    effective (a, 6): part of mass and moments of inertia (about the centre) that each eigenmode carries; loads: forces
    where the shapes of the body miss most, by statics of the full model.
    """

    mass: tuple[float, float]
    com: tuple[Array, Array]
    inertia: tuple[Array, Array]
    free: Comparison
    clamped: Comparison | None
    effective: Array
    body: ReducedBody
    loads: tuple[LoadRow, ...] = ()

    def describe(self) -> dict[str, Any]:
        """Return plain data, the keys of `--json` (docs/reference/json.md); unknown numbers are None."""
        size, difference = np.abs(self.inertia[0]).max(), np.abs(self.inertia[1] - self.inertia[0]).max()
        result: dict[str, Any] = {
            "model_mass_kg": self.mass[0],
            "body_mass_kg": self.mass[1],
            "model_centre_of_mass_m": self.com[0].tolist(),
            "body_centre_of_mass_m": self.com[1].tolist(),
            "largest_inertia_difference": float(difference / size) if size else 0.0,
            "free": _rows(self.free),
        }
        if self.clamped is not None:
            result["interface_held"] = _rows(self.clamped)
        eigen = self.body.columns("eigen")
        result["effective_mass"] = [
            {"mode": int(k) + 1, "frequency_hz": float(self.body.frequency[k]), **_by_direction(row)}
            for k, row in zip(eigen, self.effective, strict=True)
        ]
        result["effective_mass_sum"] = _by_direction(self.effective.sum(axis=0))
        result["loads"] = [asdict(row) for row in self.loads]
        return result


def quality_report(
    body: ReducedBody, fe: AnyModel, n: int = 10, up_to: float | None = None, mass: MassKind | None = None
) -> QualityReport:
    """Compare a body with the model it was made from: the lowest n modes, or all up to a frequency [Hz].

    mass: the kind that the body was made with; not needed if the body names it or its generalised mass shows it.
    """
    place = interface_of(body, fe)
    fe = place.fe
    K, M = fe.stiffness(), fe.mass(mass or kind_of_mass(body, fe))
    given, found = fe.mass_properties(), body.inertia
    value, T = reduced_modes(body.mass, body.stiffness)
    clamped, estimate = None, None
    if place.rows.size:
        held = HeldStructure(fe, K, M, np.setdiff1d(fe.free_rows(), place.rows))
        clamped = _compare_clamped(body, place, held, M, n, up_to)
        if body.n_static:
            estimate = _estimate(body, held, K, M, clamped)
    whole = HeldStructure(fe, K, M, fe.free_rows())
    free = _compare(whole, whole.modes(min(n, whole.most_modes), below=up_to), M, value, T, body, estimate)
    return QualityReport(
        (given.mass, found.m),
        (given.com, found.com),
        (given.inertia, found.inertia_about_com),
        free,
        clamped,
        effective_mass(body),
        body,
        _worst_loads(body, LoadCheck(body, fe, K, M)),
    )


def _worst_loads(body: ReducedBody, check: LoadCheck) -> tuple[LoadRow, ...]:
    """Return forces in the worst direction at the nodes where the shapes miss most, the largest first."""
    known = body.missing_flexibility()
    if known is None:
        return ()
    missing = np.nan_to_num(known.missing[:, 0])
    rows = []
    for k in np.argsort(-missing, kind="stable")[:_WORST]:
        if missing[k] <= 0.0:
            break
        node = int(known.nodes[k])
        there = [(name, check.residual({(node, name): 1.0})) for name in DOF_NAMES[:3]]
        name, worst = max(there, key=lambda pair: pair[1].missing_work)
        rows.append(LoadRow(node, name, worst.work, worst.missing_work, worst.share))
    return tuple(rows)


def _compare(
    held: HeldStructure,
    modes: Modes,
    M: SparseMatrix,
    value: Array,
    T: Array,
    body: ReducedBody,
    estimate: Array | None = None,
) -> Comparison:
    """Set elastic modes of the body (eigenvalues, vectors T) beside those of the model."""
    fe = held.fe
    elastic = value > 0.0
    frequency = np.sqrt(value[elastic]) / (2.0 * np.pi)
    n = min(len(modes), frequency.size)
    X = np.zeros((fe.ndof, n), order="F")
    X[held.rows] = modes.shapes[:, :n]
    Y = rows_from_nodes(fe, body.expand(T[:, elastic]))
    overlap = (X.T @ multiply(M, np.asfortranarray(Y))) ** 2
    model = modes.frequency[:n]
    group = np.abs(model[:, None] / model - 1.0) < _SAME
    pair = _paired(overlap, group)
    overlap = overlap[:, pair]
    match = (overlap * group).sum(axis=0)
    return Comparison(
        model, frequency[pair], match, overlap, np.full(n, np.nan) if estimate is None else estimate[pair]
    )


def _paired(overlap: Array, group: BoolArray) -> IntArray:
    """Return for each mode of the model (row) the mode of the body (column) most like it.

    group (n, n): model modes of nearly one frequency, which may mix; modes without a match follow in their order.
    """
    _, pair = scipy.optimize.linear_sum_assignment(overlap, maximize=True)
    alike = (overlap[:, pair] * group).sum(axis=0) > MATCHED
    rest = np.setdiff1d(np.arange(overlap.shape[1]), pair[alike])
    pair[~alike] = rest[: np.count_nonzero(~alike)]
    return pair


def _compare_clamped(
    body: ReducedBody, place: Interface, held: HeldStructure, M: SparseMatrix, n: int, up_to: float | None
) -> Comparison:
    value, T = clamped_modes(body)
    fixed = held.modes(min(n, held.most_modes), below=up_to) if T.shape[1] else held.modes(0)
    return _compare(held, fixed, M, value, T, body)


def clamped_modes(body: ReducedBody) -> tuple[Array, Array]:
    """Return eigenvalues and vectors (nmode, k) of the body with all interface dofs held.

    The frame of a body without rigid shapes moves as well; its part of the motion is left out of the vectors.
    """
    value, _, T = held_modes(body)
    return value, T


def _estimate(body: ReducedBody, held: HeldStructure, K: SparseMatrix, M: SparseMatrix, clamped: Comparison) -> Array:
    """Return the a-posteriori errors of the free frequencies of a body with static shapes."""
    eigen, static = body.columns("eigen"), body.columns("static")
    S = np.asfortranarray(rows_from_nodes(held.fe, body.shapes[:, static].reshape(body.nnode, 6, -1)))
    M_static = multiply(M, S)
    F = M_static[held.rows]
    known = Truncation(
        np.diag(body.stiffness)[eigen],
        body.mass[np.ix_(eigen, static)],
        F.T @ held.elastic(F),
        S.T @ multiply(K, S),
        S.T @ M_static,
    )
    # the lowest mode of the held model that the body lacks limits what the estimate may say
    own = body.frequency[eigen]
    lacking = [f for f in clamped.model if not (np.abs(own / f - 1.0) < 1e-6).any()]
    following = (2.0 * np.pi * lacking[0]) ** 2 if lacking else None
    return known.estimate(eigen.size, following)[1]


def effective_mass(body: ReducedBody) -> Array:
    """Return the parts (a, 6) of mass and moments of inertia about the centre that each eigenmode of a body carries."""
    J, eigen = body.inertia, body.columns("eigen")
    about_com = J.rhoH - skew(J.com) @ J.H
    moments = np.diag(J.inertia_about_com)
    carried = np.vstack([J.H, about_com])[:, eigen] ** 2 / np.diag(body.mass)[eigen]
    whole = np.concatenate([np.full(3, J.m), moments])
    return (carried / np.where(whole > 0, whole, np.inf)[:, None]).T


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    estimate = [float(e) if np.isfinite(e) else None for e in comparison.estimate]
    return [
        {
            "mode": k + 1,
            "model_hz": float(comparison.model[k]),
            "body_hz": float(comparison.body[k]),
            "error": float(comparison.error[k]),
            "estimate": estimate[k],
            "match": float(comparison.match[k]),
        }
        for k in range(len(comparison.model))
    ]


def _by_direction(row: Array) -> dict[str, float]:
    return {name: round(float(part), 4) for name, part in zip(DOF_NAMES, row, strict=True)}
