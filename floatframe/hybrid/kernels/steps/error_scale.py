"""What errors of controlled steps are a share of: the model's own size for positions, the motion's for speeds.

A coordinate that passes zero, or one of a stiff mode that hardly moves, is as exact as the others make it; modes of one
flexible body count as a whole. A loose tolerance is about the motion that is seen: there they count beside the turning
of their body as well, and vibrations that nobody would see make no steps.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import inner

SLOWEST = 1e-3  # share of the model's fastest motion below which speeds are not distinguished
SEEN = 100.0  # of rtol: share of its turning, at most all of it, below which speeds of a flexible body are not
ROUNDING = 1e-15  # of what errors are a share of: no step can do better
PASSING = 10.0  # of the shortest step
JOLT = 0.1  # share of rtol that positions may lose because it is not known when in a step speeds have jumped
SUDDEN = 100.0  # times the error that a step may make: beyond, a change of speeds is no error of the step
TINY, MOST_TINY = 1e-9, 5000.0  # of the run: steps that come nowhere, and how many of them in a row may be


@inner
def step_tolerance(s, h):
    """Relative error that a step h may make: its share of rtol, since errors of steps add up over the run."""
    return s.rtol * h / s.span + ROUNDING


@inner
def passable(s, h, error):
    """Whether a step is so short that it passes a jump whatever its estimated error: finite forces do nothing in it."""
    return s.passes == 1.0 and h < PASSING * s.h_min and math.isfinite(error)


@inner
def is_hop(s, h):
    """Whether a step is no more than a hop over a time at which laws change: nothing follows from its length."""
    return h == s.leg_end - s.time and passable(s, h, 0.0)


@inner
def jolted(s, h):
    """Whether joints changed the speeds by a jump somewhere in a step that is too long for it, as a drive that jerks.

    Accelerations do not show it. In a step short enough the change is the impulse that the jump takes.
    """
    sudden = s.jolt_share > SUDDEN * step_tolerance(s, h)
    return sudden and s.jolt * h > JOLT * s.rtol and 0.2 * h >= s.h_min


@inner
def stuck(s, h):
    """Whether an accepted step is one of very many that are too short to come anywhere."""
    s.tiny_steps = s.tiny_steps + 1.0 if h < TINY * s.span else 0.0
    return s.tiny_steps > MOST_TINY


@inner
def try_speeds(w, s):
    """Take notice of the speeds tried, which may be those of a step that is rejected."""
    s.tried = 0.0
    for k in range(len(w.v)):
        s.tried = max(s.tried, abs(w.v[k]) / w.dofs[k].extent)


@inner
def see_speeds(tables, data, w, s):
    """Take the speeds accepted into the largest seen: of each dof, of each body's modes, and of the whole model.

    Translation does not count beside vibrations: it is as fast as the observer likes.
    """
    for b in range(len(tables.flexible)):
        turning = data.links[tables.flexible[b].link].w
        lead = w.dofs[tables.flexible[b].iv]
        lead.turning = max(lead.turning, math.sqrt(turning[0] ** 2 + turning[1] ** 2 + turning[2] ** 2))
    for k in range(len(w.v)):
        dof = w.dofs[k]
        dof.fastest = max(dof.fastest, abs(w.v[k]))
        lead = w.dofs[dof.lead]
        lead.together = max(lead.together, dof.fastest / dof.extent)
        s.fastest = max(s.fastest, lead.together)


@inner
def speed_scale(w, s, k):
    """m/s, rad/s: what errors of the speed of dof k are a share of."""
    dof = w.dofs[k]
    lead = w.dofs[dof.lead]
    slowest = max(lead.together, min(SEEN * s.rtol, 1.0) * lead.turning, SLOWEST * max(s.fastest, s.tried))
    return max(abs(w.v[k]), slowest * dof.extent) + 1e-300
