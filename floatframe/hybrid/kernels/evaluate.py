"""One evaluation of a system at the state that the work arrays hold."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.held import read_delays
from floatframe.hybrid.kernels.options import inner
from floatframe.hybrid.kernels.system import evaluate


@inner
def evaluate_now(tables, data, w, t, what, residual):
    """Evaluate at the tried coordinates, speeds, accelerations and multipliers; the residual goes to `residual`."""
    if w.traits.delays == 1:
        read_delays(tables, data, w, t)
    evaluate(tables, data, t, w.q, w.v, w.x, w.lam, what, residual, w.M, w.G)
