"""Sweeps: one study at every point of a grid, by several workers, into one file.

In: a model file and values of its parameters. Out: a table of measures for every point.
Open `sweep` first, then `study`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.sweep.grid import (
        Choices as Choices,
        name_and_unit as name_and_unit,
        parse_vary as parse_vary,
    )
    from floatframe.hybrid.sweep.measures import (
        Measure as Measure,
        MeasureNames as MeasureNames,
        at_rest as at_rest,
        measures as measures,
        measures_among as measures_among,
        numbers_at as numbers_at,
    )
    from floatframe.hybrid.sweep.points import (
        Points as Points,
        measured_run as measured_run,
        named_numbers as named_numbers,
    )
    from floatframe.hybrid.sweep.random_values import Distribution as Distribution, Samples as Samples
    from floatframe.hybrid.sweep.study import (
        LINEAR_MODES as LINEAR_MODES,
        Outcome as Outcome,
        Study as Study,
        Swept as Swept,
    )
    from floatframe.hybrid.sweep.sweep import SweepProgress as SweepProgress, sweep as sweep
    from floatframe.hybrid.sweep.workers import Workers as Workers
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
