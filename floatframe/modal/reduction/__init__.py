"""Reduction: from a finite element model to a `ReducedBody`.

In: an `FEModel`, interface nodes, numbers of modes. Out: a `ReducedBody` and reports of its quality.
Open `reduce` first, then `basis`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.reduction.dropping import (
        ErrorCurve as ErrorCurve,
        effect_of_dropping as effect_of_dropping,
        errors_of_fewer_modes as errors_of_fewer_modes,
    )
    from floatframe.modal.reduction.extra_shapes import ExtraShapes as ExtraShapes
    from floatframe.modal.reduction.methods import METHODS as METHODS
    from floatframe.modal.reduction.quality import (
        QualityReport as QualityReport,
        effective_mass as effective_mass,
        quality_report as quality_report,
    )
    from floatframe.modal.reduction.reduce import reduce as reduce
    from floatframe.modal.reduction.residual import LoadResidual as LoadResidual, load_residual as load_residual
    from floatframe.modal.reduction.stress import with_stress as with_stress
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
