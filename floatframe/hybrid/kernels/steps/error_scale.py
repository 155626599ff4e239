"""What errors of controlled steps are a share of: the model's own size for positions, the motion's for speeds.

A coordinate that passes zero, or one of a stiff mode that hardly moves, is as exact as the others make it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from floatframe.hybrid.kernels.options import inner

SLOWEST = 1e-3  # share of the model's fastest motion below which speeds are not distinguished


@inner
def try_speeds(w, s):
    """Take notice of the speeds tried, which may be those of a step that is rejected."""
    s.tried = 0.0
    for k in range(len(w.v)):
        s.tried = max(s.tried, abs(w.v[k]) / w.dofs[k].extent)


@inner
def see_speeds(w, s):
    """Take the speeds accepted into the largest seen: of each dof, and of the model as a whole."""
    for k in range(len(w.v)):
        dof = w.dofs[k]
        dof.fastest = max(dof.fastest, abs(w.v[k]))
        s.fastest = max(s.fastest, dof.fastest / dof.extent)


@inner
def speed_scale(w, s, k):
    """m/s, rad/s: what errors of the speed of dof k are a share of."""
    dof = w.dofs[k]
    return max(dof.fastest, abs(w.v[k]), SLOWEST * max(s.fastest, s.tried) * dof.extent) + 1e-300
