"""Motions of nodes that were not recorded, recovered from the recorded coordinates and speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.channels import Observer
from floatframe.hybrid.recording import Record
from floatframe.hybrid.run_system import system_of
from floatframe.hybrid.stepping import Kept

if TYPE_CHECKING:
    from floatframe.hybrid.results import Results


def recovered(result: Results, name: str) -> Array:
    """The channel (nt, n) of a node of a flexible body, such as rod.node[12].displacement."""
    why = f"'{name}' was not recorded and cannot be recovered"
    if name.endswith("acceleration"):
        raise ModelError(f"{why} from coordinates and speeds; name it among the channels to record")
    if not result.meta.nq:
        raise ModelError(f"{why}, because the run kept no coordinates; name it among the channels to record")
    try:
        system = system_of(result)
    except ModelError as error:
        raise ModelError(f"{why}: {error}") from error
    count = len(result)
    kept = Kept(
        result.t,
        result.q,
        result.v,
        x=np.zeros((count, system.nv)),
        lam=np.zeros((count, system.nlambda)),
        memory=np.tile(system.start.memory, (count, 1)),
        counters=np.zeros((count, 6)),
    )
    return Observer(system, Record(channels=(name,)))(kept).values
