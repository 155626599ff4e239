"""Motions of nodes that were not recorded, recovered from the recorded coordinates and speeds."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import COUNTERS, Kept
from floatframe.hybrid.results.channels import Observer
from floatframe.hybrid.settings import Record


def recovered(system: CompiledSystem, name: str, t: Array, q: Array, v: Array) -> Array:
    """The channel (nt, n) of a node of a flexible body, such as rod.node[12].displacement.

    t (nt,), q (nt, nq) and v (nt, nv) are what a run of the system kept.
    """
    count = len(t)
    kept = Kept(
        t,
        q,
        v,
        x=np.zeros((count, system.nv)),
        lam=np.zeros((count, system.nlambda)),
        memory=np.tile(system.start.memory, (count, 1)),
        counters=np.zeros(count, COUNTERS),
    )
    return Observer(system, Record(channels=(name,)))(kept).values
