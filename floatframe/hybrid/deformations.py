"""How the nodes of a flexible body are displaced in a run: the linear field of its shapes, which stresses follow.

Stresses of a body in a run: `ff.fem.stresses(fe, ff.hybrid.deformation(run, "rod"))`, fe being the model of the rod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.arrays import Array
from floatframe.errors import ModelError

if TYPE_CHECKING:
    from floatframe.hybrid.assembly import CompiledSystem
    from floatframe.hybrid.results import Results


def deformation(result: Results, body: str, record: int = -1, system: CompiledSystem | None = None) -> Array:
    """Return the linear displacements (nnode, 6) [m, rad] of all nodes of a flexible body in one record of a run.

    Body axes, seen from its floating frame, nodes in the order of the body; they differ from those seen from elsewhere
    by a rigid motion. It is the field of the shapes alone, without second-order motion: what stresses follow.
    """
    from floatframe.hybrid.assembly import flexible_body  # these bring the compiled kernels
    from floatframe.hybrid.results import system_of

    if not len(result) or not result.meta.nq:
        raise ModelError("deformation: the run has no coordinates; record them: Record(coordinates=True)")
    system = system_of(result) if system is None else system
    reduced, record_of = flexible_body(system, body, "deformation")
    first = int(record_of["iq"])
    return reduced.expand(result.q[record, first : first + reduced.nmode])
