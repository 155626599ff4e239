"""What dropping modes of a reduced body costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError
from floatframe.modal.analysis import eigenmodes
from floatframe.modal.body import ReducedBody
from floatframe.modal.lanczos import reduced_modes
from floatframe.modal.reduction.quality import MATCHED, clamped_modes
from floatframe.modal.reduction.same_model import same_model

if TYPE_CHECKING:
    from floatframe.fem import AnyModel

_RIGID = 6  # motions of a free model, besides its elastic modes


@dataclass(frozen=True)
class Change:
    """One frequency before and after [Hz], None where the mode is gone; support "free" or "interface_held"."""

    support: str
    mode: int
    before: float
    after: float | None

    @property
    def relative(self) -> float | None:
        return None if self.after is None else self.after / self.before - 1.0


@short_repr
@dataclass(frozen=True)
class ErrorCurve:
    """Errors of a body's free frequencies over the number of its eigenmodes.

    count (m,); frequency (k,) [Hz] of the model; error (m, k): body over model less one, NaN where the body has fewer.
    """

    count: IntArray
    frequency: Array
    error: Array


def errors_of_fewer_modes(body: ReducedBody, fe: AnyModel, lowest: int = 6) -> ErrorCurve:
    """Return how the lowest elastic frequencies of a free body approach those of its model, mode by mode.

    The body keeps its static shapes and its first 0, 1, … eigenmodes.
    """
    fe, mass = same_model(body, fe)
    modes = eigenmodes(fe, n=min(lowest + _RIGID, fe.free_rows().size), mass=mass)
    exact = modes.frequency[[kind == "elastic" for kind in modes.kind]][:lowest]
    others = [k for k, kind in enumerate(body.kind) if kind != "eigen"]
    count = np.arange(0 if others else 1, body.n_eigen + 1)
    error = np.full((len(count), len(exact)), np.nan)
    for row, n in zip(error, count, strict=True):
        kept = np.array([*others, *body.columns("eigen")[:n]])
        value, _ = reduced_modes(body.mass[np.ix_(kept, kept)], body.stiffness[np.ix_(kept, kept)])
        found = np.sqrt(value[value > 0.0])[: len(exact)] / (2.0 * np.pi)
        row[: len(found)] = found / exact[: len(found)] - 1.0
    return ErrorCurve(count, exact, error)


def effect_of_dropping(body: ReducedBody, smaller: ReducedBody, least: float = 1e-6) -> list[Change]:
    """Return which frequencies of the free and of the held body change by more than `least`, or go."""
    kept = [k for k, origin in enumerate(body.origin) if origin in set(smaller.origin)]
    if len(kept) != smaller.nmode:
        raise ModelError(
            f"body '{smaller.name}' has shapes that body '{body.name}' lacks; give the body it was made from."
        )
    changes = []
    for support, solve in (("free", _free_modes), ("interface_held", clamped_modes)):
        if support != "free" and not len(body.interface):
            continue
        (before, T), (after, small) = solve(body), solve(smaller)
        overlap = (T.T @ body.mass[:, kept] @ small) ** 2
        for k in np.flatnonzero(before > 0.0):
            first = float(np.sqrt(before[k]) / (2.0 * np.pi))
            near = np.abs(after / before[k] - 1.0) < 2.0 * least
            if near.any():
                continue
            best = int(np.argmax(overlap[k])) if after.size else 0
            found = after.size and overlap[k, best] > MATCHED
            second = float(np.sqrt(after[best]) / (2.0 * np.pi)) if found else None
            if second is None or abs(second / first - 1.0) > least:
                changes.append(Change(support, int((before[: k + 1] > 0).sum()), first, second))
    return changes


def _free_modes(body: ReducedBody) -> tuple[Array, Array]:
    return reduced_modes(body.mass, body.stiffness)
