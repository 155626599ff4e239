"""Result files: the records of a simulation in HDF5, readable while they are written.

Layout (format "floatframe-results", version 2): /t (nt,), /q (nt, nq), /v (nt, nv), /channels/values and
/statistics/values (nt, ncolumn), each beside a table of names, units and components; /source holds the texts of model
and settings, and under /source/files the bytes of files that the model names and that are nowhere else; the attributes
source and source_hash name the model file (left out for models made in Python), and the table /source/used has the
SHA-256 of the files that it names (not in older files); /journal says how many records are
complete and how the run ended, /checkpoint how to go on, /sums has a checksum of every column (not in files of
version 1). Arrays without columns are left out.
Arrays may be longer than the journal says, never shorter: what it does not count is not yet there.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import h5py
import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError, ReadError
from floatframe.io.format import HDF5, Format, PathLike
from floatframe.io.native import Column, Fields, array_in, attribute, describe, take_table
from floatframe.io.results.access import look, was_closed
from floatframe.io.results.drift import largest_drift
from floatframe.io.results.schema import Channel, ModelSource, ResultMeta, Status, array_widths, by_name
from floatframe.io.results.slots import Checkpoint, both_slots, read_slots
from floatframe.io.results.sums import Sums, decoded, more_sums

NAME = "floatframe-results"
VERSION = 2  # 1 has no sums
CHANNEL_TABLE = {"name": Column("t"), "unit": Column("t"), "components": Column("t")}
SOURCE_TABLE = {"model": Column("t"), "settings": Column("t")}  # one row
USED_TABLE = {"name": Column("t"), "sha256": Column("t")}


@dataclass(frozen=True)
class Journal:
    """How far a file is written: number of complete records and why the run ended, or that it goes on."""

    records: int
    status: Status

    def encoded(self) -> bytes:
        status = self.status
        reached = None if math.isnan(status.t) else status.t
        return json.dumps([self.records, status.reason, status.message, reached, status.cured_by]).encode()

    @classmethod
    def decoded(cls, content: bytes) -> Journal:
        """Return the journal that `encoded` wrote; ValueError if it did not."""
        try:
            records, reason, message, reached, cured_by = json.loads(content)
            texts = all(isinstance(text, str) for text in (reason, message, cured_by))
            if not texts or not isinstance(records, int) or records < 0:
                raise ValueError("its journal has contents of the wrong kind")
            return cls(records, Status(reason, message, math.nan if reached is None else float(reached), cured_by))
        except (ModelError, OverflowError, RecursionError, TypeError) as error:
            raise ValueError("its journal is not one that floatframe writes") from error


@short_repr
@dataclass(frozen=True)
class ResultFile:
    """A result file as it was when it was opened: records written later are seen by opening it again.

    Arrays are read on demand: t (nt,) [s], q (nt, nq), v (nt, nv), `columns` of the channels, `statistics`.
    """

    path: Path
    channels: tuple[Channel, ...]
    meta: ResultMeta
    generator: str
    nrecord: int
    status: Status
    sums: Mapping[str, Sums] | None = None  # of the columns of every array; files of version 1 have none

    def __len__(self) -> int:
        return self.nrecord

    def __getitem__(self, name: object) -> NoReturn:
        raise ReadError(
            f"'{self.path}' is opened as a file of arrays, which has no channel {name!r}; channels by name are given "
            f'by ff.hybrid.Results.open("{self.path}").'
        )

    @property
    def t(self) -> Array:
        """Times of the records (n,) [s]."""
        return self._read("t", None)

    @property
    def q(self) -> Array:
        """Coordinates (n, nq), as the system orders them."""
        return self._read("q", slice(0, self.meta.nq))

    @property
    def v(self) -> Array:
        """Speeds (n, nv), as the system orders them."""
        return self._read("v", slice(0, self.meta.nv))

    @property
    def statistics(self) -> dict[str, Array]:
        """What is reported about each record, by name: (nt,), or (nt, n) with components."""
        width = sum(channel.width for channel in self.meta.statistics)
        return by_name(self.meta.statistics, self._read("statistics/values", slice(0, width)))

    def columns(self, first: int, stop: int) -> Array:
        """Return some columns (nt, stop - first) of all channels, counted as in `column_slices`."""
        return self._read("channels/values", slice(first, stop))

    @cached_property
    def checkpoint(self) -> Checkpoint | None:
        """The last checkpoint, if there is one."""
        content = look(self.path, lambda file: read_slots(file, "checkpoint", was_closed(file))[1])
        return None if content is None else Checkpoint.decoded(content)

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Files that the model text names and that are kept with the run."""

        def take(file: h5py.File) -> dict[str, bytes]:
            source = Fields(self.path, file).child("source")
            kept = source.child("files") if "files" in source else None
            return {name: kept.array(name, "u", (None,)).tobytes() for name in kept.names()} if kept else {}

        return look(self.path, take)

    @property
    def widths(self) -> dict[str, int]:
        """The arrays of the file with their numbers of columns."""
        return array_widths(self.channels, self.meta)

    def require_sums(self, name: str, found: Sums, columns: slice = slice(None)) -> None:
        """Refuse records of an array whose sums are not those that were written."""
        if self.sums is not None and not np.array_equal(self.sums[name][columns], found):
            raise ReadError(
                f"'{self.path}': field '{name}' is damaged: the checksum of its records differs from what was written; "
                "use another copy of the file, or run the simulation again."
            )

    def refreshed(self) -> ResultFile:
        """Return the file with what has been written since."""
        return read(self.path)

    def _read(self, name: str, columns: slice | None) -> Array:
        """Return the first `nrecord` rows of an array; columns None: it has only one dimension."""
        if columns is not None and columns.stop == columns.start:
            return np.empty((self.nrecord, 0))
        rows = slice(0, self.nrecord)
        pick = rows if columns is None else (rows, columns)
        values = look(self.path, lambda file: np.asarray(array_in(file, name)[pick]))
        if values.dtype.kind != "f":
            raise ReadError(f"'{self.path}': field '{name}' has type {values.dtype}, expected real numbers.")
        expected = (self.nrecord,) if columns is None else (self.nrecord, columns.stop - columns.start)
        if values.shape != expected:
            raise ReadError(
                f"'{self.path}': field '{name}' gives an array of shape {values.shape}, expected {expected}; "
                "if a new run has replaced the file since it was opened, open it again."
            )
        width = 1 if columns is None else columns.stop - columns.start
        self.require_sums(name, more_sums(np.zeros(width, np.uint64), 0, values), columns or slice(None))
        return values


def read(path: PathLike) -> ResultFile:
    """Return what a result file holds by now; arrays are read later, on demand."""
    path = Path(path)
    return look(path, lambda file: _head(Fields(path, file)))


def _head(fields: Fields) -> ResultFile:
    if (mark := fields.text("format")) != NAME:
        raise ReadError(f"'{fields.path}': format is '{mark}', expected '{NAME}'.")
    if not 1 <= (version := fields.integer("version")) <= VERSION:
        raise ReadError(
            f"'{fields.path}': version {version} of format '{NAME}' is unknown, this program reads up to {VERSION}; "
            "use a newer floatframe."
        )
    channels, statistics = (_channels(fields.child(group)) for group in ("channels", "statistics"))
    (source,) = take_table(fields.child("source"), SOURCE_TABLE)
    try:
        settings = json.loads(source["settings"])
        file = _model_source(fields) if "source" in fields.group.attrs else ModelSource()
        counts = fields.integer("nq"), fields.integer("nv")
        meta = ResultMeta(*counts, source["model"], settings, statistics, source=file)
    except (ModelError, TypeError, ValueError) as error:
        raise fields.complaint("source", f"is invalid: {error}") from error
    if meta.model_sha256 != fields.text("model_sha256"):
        raise fields.complaint("source/model", "is not the text that was written: its SHA-256 differs")
    closed = was_closed(fields.group)
    content = read_slots(fields.group, "journal", closed)[1]
    if content is None:
        # while a file is written this passes: `look` tries again
        raise OSError("neither of the two slots of its journal is valid")
    journal = Journal.decoded(content)
    sums = _sums(fields.group, journal.records, array_widths(channels, meta), closed) if version > 1 else None
    return ResultFile(fields.path, channels, meta, fields.text("generator"), journal.records, journal.status, sums)


def _sums(group: h5py.Group, records: int, widths: Mapping[str, int], closed: bool) -> dict[str, Sums]:
    """The sums of so many records; the newer ones may be of records that the journal does not count yet."""
    if not records:
        return {name: np.zeros(width, np.uint64) for name, width in widths.items()}
    for _, content in both_slots(group, "sums", closed):
        if content is not None and (found := decoded(content, widths))[0] == records:
            return found[1]
    raise OSError(f"it has no sums of its {records} records")


def is_result_file(path: Path) -> bool:
    """Whether a file carries the mark of this format, also while it is written."""
    try:
        return look(path, lambda file: bool(attribute(file, "format") == NAME.encode()))
    except ReadError:
        return False


def _model_source(fields: Fields) -> ModelSource:
    kept = fields.child("source")
    rows = take_table(kept.child("used"), USED_TABLE) if "used" in kept.group else []
    return ModelSource(fields.text("source"), fields.text("source_hash"), {r["name"]: r["sha256"] for r in rows})


def _channels(table: Fields) -> tuple[Channel, ...]:
    rows = take_table(table, CHANNEL_TABLE)
    return tuple(Channel(r["name"], r["unit"], tuple(filter(None, r["components"].split(",")))) for r in rows)


@describe.register
def _(result: ResultFile) -> dict[str, Any]:
    return {
        "content": "results_of_a_simulation",
        "status": result.status.reason.replace(" ", "_"),
        "message": str(result.status),
        "record_count": result.nrecord,
        **_span(result),
        **largest_drift(result.statistics),
        "coordinate_count": result.meta.nq,
        "speed_count": result.meta.nv,
        "program": result.generator,
        "model_sha256": result.meta.model_sha256 if result.meta.model else None,
        "checkpoint_record": None if result.checkpoint is None else result.checkpoint.records,
        "settings": {**result.meta.settings, **_parameters(result.meta)},
        "channels": [{"channel": c.name, "unit": c.unit, "components": list(c.components)} for c in result.channels],
    }


def _parameters(meta: ResultMeta) -> dict[str, Any]:
    """Return the parameters of a run: those that its model gives, with the values that the run has instead."""
    with suppress(tomllib.TOMLDecodeError):
        own = tomllib.loads(meta.model).get("parameters")
        if isinstance(own, dict):
            return {"parameters": {**own, **(meta.setting("parameters", dict) or {})}}
    return {}


def _span(result: ResultFile) -> dict[str, float | None]:
    t = result.t
    first, last = (float(t[0]), float(t[-1])) if len(t) else (None, None)
    return {"first_time_s": first, "last_time_s": last}


FORMAT: Format = Format(NAME, HDF5, ResultFile, read, None, is_result_file)
