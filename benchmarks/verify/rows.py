"""One line of the verification table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

# how many times the error of another element an element may have on the same mesh and not be clearly worse
SAME_MESH = 2.0


@dataclass(frozen=True)
class Row:
    """A published or analytic number and ours.

    `tolerance` bounds the relative error |ours / target - 1|; where the target is zero it bounds |ours|. It follows
    from a source, never from the result: the tolerance or scatter published with the problem, or `SAME_MESH` times the
    error of another element on the same mesh. None: the row is shown for comparison, and `why_not_judged` says why in
    a sentence.
    """

    problem: str
    quantity: str
    target: float
    ours: float
    tolerance: float | None
    mesh: str = ""
    why_not_judged: str = ""

    def __post_init__(self) -> None:
        if (self.tolerance is None) != bool(self.why_not_judged):
            found = "neither" if self.tolerance is None else "both"
            raise ValueError(
                f"row {self.problem!r}, {self.quantity!r} has {found} of tolerance and why_not_judged; give one."
            )

    def unjudged(self, why: str) -> Row:
        """Return the row without its tolerance, shown for comparison because of `why`."""
        return replace(self, tolerance=None, why_not_judged=why)

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
