"""What dropping modes of a reduced body costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.modal.dense_modes import reduced_modes
from floatframe.modal.quality import MATCHED, clamped_modes
from floatframe.modal.reduced_body import ReducedBody


@dataclass(frozen=True)
class Change:
    """One frequency before and after [Hz], None where the mode is gone; support "free" or "interface held"."""

    support: str
    mode: int
    before: float
    after: float | None

    @property
    def relative(self) -> float | None:
        return None if self.after is None else self.after / self.before - 1.0


def effect_of_dropping(body: ReducedBody, smaller: ReducedBody, least: float = 1e-6) -> list[Change]:
    """Return which frequencies of the free and of the held body change by more than `least`, or go."""
    kept = [k for k, origin in enumerate(body.origin) if origin in set(smaller.origin)]
    if len(kept) != smaller.nmode:
        raise ModelError(f"body '{smaller.name}' has shapes that body '{body.name}' lacks; give the one it came from.")
    changes = []
    for support, solve in (("free", _free_modes), ("interface held", clamped_modes)):
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
