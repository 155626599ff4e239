"""Binary files of ANSYS: matrices, results, superelements, and bodies made of them.

In: .full, .emat, .rst, .sub. Out: matrix models, `FEModel`s, modes, reduced bodies.
Open `records` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys.binary.body import (
        body_from_ansys as body_from_ansys,
        body_from_umexport as body_from_umexport,
    )
    from floatframe.io.ansys.binary.matrix_model import EMAT as EMAT, FULL as FULL, RESULTS as RESULTS
    from floatframe.io.ansys.binary.superelement import FORMAT as FORMAT, MOTIONS as MOTIONS
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
