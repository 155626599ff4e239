"""One line of the verification table."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A published or analytic number and ours.

    `tolerance` bounds the relative error |ours / target - 1|; where the target is zero it bounds |ours|. None: the row
    is shown for comparison and not judged.
    """

    problem: str
    quantity: str
    target: float
    ours: float
    tolerance: float | None
    mesh: str = ""

    @property
    def error(self) -> float:
        """Signed relative error, or the absolute one where the target is zero."""
        return self.ours / self.target - 1.0 if self.target else self.ours

    @property
    def judged(self) -> bool:
        return self.tolerance is not None

    @property
    def ok(self) -> bool:
        return math.isfinite(self.error) and (self.tolerance is None or abs(self.error) <= self.tolerance)
