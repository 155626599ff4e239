"""Matrices of Nastran: DMIG cards, OUTPUT2 and OUTPUT4 files.

In: .pch, .op2, .op4 with the grids beside them. Out: matrix models.
Open `dmig` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.nastran.matrices import op2 as op2, op4 as op4
    from floatframe.io.nastran.matrices.dmig import (
        NamedMatrix as NamedMatrix,
        direct_matrices as direct_matrices,
        dmig_matrices as dmig_matrices,
    )
    from floatframe.io.nastran.matrices.geometry import REDUCED as REDUCED, whole_deck as whole_deck
    from floatframe.io.nastran.matrices.op2 import reduced_body as reduced_body
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
