"""Studies of one finite element model: statics, eigenmodes, buckling, mechanisms, idle dofs.

In: an `FEModel` with supports and loads. Out: displacements, modes, load factors, motions that nothing resists.
Open `statics` or `eigenmodes` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.analysis.assurance import mac as mac
    from floatframe.modal.analysis.buckling import Buckling as Buckling, buckling as buckling
    from floatframe.modal.analysis.eigenmodes import eigenmodes as eigenmodes
    from floatframe.modal.analysis.flexibility import HeldStructure as HeldStructure
    from floatframe.modal.analysis.idle import idle_note as idle_note, idle_of_model as idle_of_model
    from floatframe.modal.analysis.mechanisms import Mechanism as Mechanism, find_mechanisms as find_mechanisms
    from floatframe.modal.analysis.statics import (
        StaticSolution as StaticSolution,
        solve_static as solve_static,
        static_solution as static_solution,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
