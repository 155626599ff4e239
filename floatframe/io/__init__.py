"""Files: `read` and `write` choose the format by suffix, content and the object given.

In: paths and objects. Out: models, bodies, modes and runs, with an account of every import.
Open `registry` first; every other program has a room, `deck` is what decks share, `native` holds our own formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.io.ansys import (
        body_from_ansys as body_from_ansys,
        body_from_umexport as body_from_umexport,
        write_umexport as write_umexport,
    )
    from floatframe.io.atomic import (
        complete_file as complete_file,
        complete_folder as complete_folder,
        uninterrupted as uninterrupted,
        writing_over as writing_over,
    )
    from floatframe.io.cards import CARD_PROGRAMS as CARD_PROGRAMS, CardEntry as CardEntry, card_table as card_table
    from floatframe.io.conversion import magnitude_warnings as magnitude_warnings, to_si as to_si
    from floatframe.io.deck import INTERFACE as INTERFACE
    from floatframe.io.format import Format as Format, PathLike as PathLike, in_words as in_words
    from floatframe.io.import_check import (
        Checked as Checked,
        check_files as check_files,
        check_imports as check_imports,
        files_to_check as files_to_check,
        refusal_reasons as refusal_reasons,
    )
    from floatframe.io.import_log import ImportLog as ImportLog, ImportReport as ImportReport
    from floatframe.io.native import (
        NodalModes as NodalModes,
        describe as describe,
        fum_binary as fum_binary,
        mark_of as mark_of,
    )
    from floatframe.io.registry import (
        Imported as Imported,
        format_of as format_of,
        formats as formats,
        read as read,
        read_with_report as read_with_report,
        register as register,
        renamed_sets as renamed_sets,
        write as write,
    )
    from floatframe.io.results import (
        DONE as DONE,
        FAILED as FAILED,
        SAMPLE as SAMPLE,
        WAITING as WAITING,
        Channel as Channel,
        ModelSource as ModelSource,
        ResultFile as ResultFile,
        ResultMeta as ResultMeta,
        ResultWriter as ResultWriter,
        SampleStatistics as SampleStatistics,
        Status as Status,
        SweepResult as SweepResult,
        SweepWriter as SweepWriter,
        array_widths as array_widths,
        by_name as by_name,
        checked_block as checked_block,
        column_slices as column_slices,
        drift_words as drift_words,
        grid_points as grid_points,
        is_result_file as is_result_file,
        is_sweep_file as is_sweep_file,
        largest_drift as largest_drift,
        read_sweep as read_sweep,
        write_csv as write_csv,
    )
    from floatframe.io.shapes import (
        LENGTHS as LENGTHS,
        SHAPE_SUFFIXES as SHAPE_SUFFIXES,
        MassProperties as MassProperties,
        Surface as Surface,
        read_shape as read_shape,
    )
    from floatframe.io.template import write_template as write_template
    from floatframe.io.units import UNIT_SYSTEMS as UNIT_SYSTEMS, unit_system as unit_system
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
