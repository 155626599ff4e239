"""Files of runs and sweeps: records that are readable while they are written.

In: records of a simulation or points of a sweep. Out: HDF5 files that survive a kill, and views of them.
Open `writer` first, then `file`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.results.csv import write_csv as write_csv
    from floatframe.io.results.drift import drift_words as drift_words, largest_drift as largest_drift
    from floatframe.io.results.file import ResultFile as ResultFile, is_result_file as is_result_file
    from floatframe.io.results.formats import formats_of as formats_of
    from floatframe.io.results.layout import checked_block as checked_block
    from floatframe.io.results.sample_statistics import SampleStatistics as SampleStatistics
    from floatframe.io.results.schema import (
        Channel as Channel,
        ModelSource as ModelSource,
        ResultMeta as ResultMeta,
        Status as Status,
        array_widths as array_widths,
        by_name as by_name,
        column_slices as column_slices,
    )
    from floatframe.io.results.sweep_file import (
        SweepWriter as SweepWriter,
        is_sweep_file as is_sweep_file,
        read_sweep as read_sweep,
    )
    from floatframe.io.results.sweep_result import (
        DONE as DONE,
        FAILED as FAILED,
        SAMPLE as SAMPLE,
        WAITING as WAITING,
        SweepResult as SweepResult,
        grid_points as grid_points,
    )
    from floatframe.io.results.writer import ResultWriter as ResultWriter
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
