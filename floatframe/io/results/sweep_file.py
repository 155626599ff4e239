"""Sweep files: the numbers of all points of a sweep in HDF5.

Layout (format "floatframe-sweep", version 1): tables `parameters` (names and values of the axes), `columns` (name, unit
of each number), `points` (state, sentence, seconds of each point), `samples` (names and values of random parameters)
and `source` (texts of model and settings); `values` (npoint, ncolumn), NaN where a value is missing. The file is small
and always complete: it is replaced as a whole.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import ModelError, WriteError
from floatframe.io.atomic import may_write_over, output_target, uninterrupted
from floatframe.io.format import HDF5, Format, PathLike
from floatframe.io.locks import WriterLock
from floatframe.io.native import Column, describe, has_mark, put, put_table, reading, take_table, writing
from floatframe.io.results.schema import Channel
from floatframe.io.results.sweep_result import SweepResult

NAME = "floatframe-sweep"
VERSION = 1
WRITE_EVERY = 1.0  # s between two writings while a sweep runs
WRITE_SHARE = 0.05  # of the time may be spent on writing

_PARAMETERS = {"name": Column("t"), "values": Column("f", ragged=True)}
_COLUMNS = {"name": Column("t"), "unit": Column("t")}
_POINTS = {"state": Column("t"), "sentence": Column("t"), "seconds": Column("f")}
_SOURCE = {"model": Column("t"), "settings": Column("t")}  # one row


def write(path: Path, sweep: SweepResult) -> None:
    """Write a sweep; Ctrl-C waits until it is done."""
    try:
        settings = json.dumps(dict(sweep.settings), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise WriteError(f"'{path}': the settings of a sweep must be plain JSON values: {error}.") from error
    points = zip(sweep.states, sweep.sentences, sweep.seconds.tolist(), strict=True)
    with uninterrupted(), writing(path, NAME, VERSION) as file:
        axes = [{"name": name, "values": values} for name, values in sweep.parameters.items()]
        put_table(file.create_group("parameters"), _PARAMETERS, axes)
        put_table(file.create_group("columns"), _COLUMNS, [{"name": c.name, "unit": c.unit} for c in sweep.columns])
        put_table(file.create_group("points"), _POINTS, [dict(zip(_POINTS, point, strict=True)) for point in points])
        put_table(file.create_group("source"), _SOURCE, [{"model": sweep.model, "settings": settings}])
        drawn = [{"name": name, "values": values} for name, values in sweep.samples.items()]
        put_table(file.create_group("samples"), _PARAMETERS, drawn)
        put(file, "values", sweep.values)


def read_sweep(path: PathLike) -> SweepResult:
    """Return the sweep in a file as written so far."""
    with reading(Path(path), NAME, VERSION) as fields:
        axes = take_table(fields.child("parameters"), _PARAMETERS)
        columns = take_table(fields.child("columns"), _COLUMNS)
        points = take_table(fields.child("points"), _POINTS)
        (source,) = take_table(fields.child("source"), _SOURCE)
        # files of version 0.1 have no random parameters
        drawn = take_table(fields.child("samples"), _PARAMETERS) if "samples" in fields.group else []
        try:
            return SweepResult(
                parameters={axis["name"]: tuple(axis["values"]) for axis in axes},
                columns=tuple(Channel(column["name"], column["unit"]) for column in columns),
                values=fields.array("values", "f", (len(points), len(columns))),
                states=tuple(point["state"] for point in points),
                sentences=tuple(point["sentence"] for point in points),
                seconds=np.array([point["seconds"] for point in points], dtype=float),
                model=source["model"],
                settings=json.loads(source["settings"]),
                samples={one["name"]: np.array(one["values"], dtype=float) for one in drawn},
            )
        except (ModelError, ValueError) as error:
            raise fields.complaint("source", f"is invalid: {error}") from error


def is_sweep_file(path: Path) -> bool:
    """Whether a file carries the mark of this format."""
    return has_mark(path, NAME)


class SweepWriter:
    """Keeps the file of a running sweep up to date, without spending much time on it."""

    def __init__(self, path: PathLike, sweep: SweepResult) -> None:
        """Write the file; an older sweep of that name is replaced, any other file is not."""
        self.path = Path(path)
        if self.path.exists() and not (is_sweep_file(self.path) or may_write_over(self.path)):
            raise WriteError(f"'{self.path}' exists and is not a sweep; remove it or choose another name.")
        self._lock = WriterLock(output_target(self.path))
        self._due = 0.0
        try:
            self.write(sweep)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> SweepWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    @property
    def due(self) -> bool:
        """Whether the file should be written again."""
        return time.monotonic() >= self._due

    def write(self, sweep: SweepResult) -> None:
        """Replace the file by one with all points done so far."""
        began = time.monotonic()
        write(self.path, sweep)
        taken = time.monotonic() - began
        self._due = began + max(WRITE_EVERY, taken / WRITE_SHARE)


@describe.register
def _(sweep: SweepResult) -> dict[str, Any]:
    finite = [column[np.isfinite(column)] for column in sweep.values.T]
    return {
        "content": "results_of_a_sweep",
        "study": sweep.study,
        "point_count": len(sweep.states),
        "failed_point_count": sweep.nfailed,
        "waiting_point_count": sweep.nwaiting,
        "message": sweep.status,
        "computing_time_s": float(np.nansum(sweep.seconds)),
        "settings": {
            name: value for name, value in sweep.settings.items() if name != "study" and value not in ("", [], {})
        },
        "axes": [
            {
                "parameter": name,
                "unit": sweep.units.get(name, ""),
                "value_count": len(values),
                "smallest": min(values),
                "largest": max(values),
            }
            for name, values in sweep.parameters.items()
        ],
        "columns": [
            {
                "column": column.name,
                "unit": column.unit,
                "smallest": float(numbers.min()) if len(numbers) else None,
                "largest": float(numbers.max()) if len(numbers) else None,
            }
            for column, numbers in zip(sweep.columns, finite, strict=True)
        ],
        "failures": [{"parameters": point, "message": sentence} for point, sentence in sweep.failures],
    }


FORMAT: Format = Format(NAME, HDF5, SweepResult, read_sweep, write, is_sweep_file)
