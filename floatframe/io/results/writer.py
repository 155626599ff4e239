"""Writing result files: records are appended while others read, and a kill at any moment leaves a valid file."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import h5py
import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ReadError, WriteError
from floatframe.io.atomic import cannot_write, may_write_over, output_target, reserve, uninterrupted
from floatframe.io.format import PathLike
from floatframe.io.locks import WriterLock
from floatframe.io.results.file import Journal, ResultFile, is_result_file, read
from floatframe.io.results.growing import GrowingArray
from floatframe.io.results.layout import checked_block, copy_records, new_file, opened_for_appending, room_for
from floatframe.io.results.schema import Channel, ModelSource, ResultMeta, Status, array_widths, column_slices
from floatframe.io.results.slots import Checkpoint, SlotWriter
from floatframe.io.results.sums import Sums, encoded

FLUSH_EVERY = 1.0  # s between two flushes of appended records
FLUSH_VALUES = 1_000_000  # numbers at most that the journal does not count yet
# numbers after which chunks that are full are written: while the processor's caches still have them, and the memory of
# few of them is filled again and again
CHUNK_VALUES = 400_000
SPARE = 4 * 65536  # bytes of space kept for the end of a run, which must not fail
MOST_WORDS = 1500  # bytes of a status that have their space in the file from its beginning
NO_SPACE = "All records up to there are saved; make space and resume to continue."


class ResultWriter:
    """Appends records to a result file; as a context manager it also records how the run ended.

    Records wait for up to `FLUSH_EVERY` seconds until the file counts them; `flush`, `checkpoint` and `finish` do it at
    once.
    """

    resumable = True

    def __init__(
        self,
        path: Path,
        channels: Sequence[Channel],
        meta: ResultMeta,
        lock: WriterLock,
        sums: dict[str, Sums],
        resumed_from: Checkpoint | None = None,
    ) -> None:
        """Go on with a complete file whose lock is held; `create` and `resume` make one first."""
        self.path = path
        self._lock = lock
        self.channels = tuple(channels)
        self.meta = meta
        self.resumed_from = resumed_from
        self._widths = array_widths(channels, meta)
        with _writing(path):
            self._file = opened_for_appending(path)
            self._arrays = {
                name: GrowingArray(self._file[name], sums[name]) for name, width in self._widths.items() if width
            }
        self._journal, self._checkpoints, self._summed = (
            SlotWriter(self._file, name) for name in ("journal", "checkpoint", "sums")
        )
        self._reserved = 0  # bytes of the file that have their space on the disk
        self._written = self._count = self._arrays["t"].count
        self._placed = self._count  # records whose full chunks are in the file
        self._last_t = float(self._file["t"][-1]) if self._written else -math.inf
        self._flushed_at = time.monotonic()
        self._finished = False

    @classmethod
    def create(cls, path: PathLike, channels: Sequence[Channel], meta: ResultMeta) -> ResultWriter:
        """Begin a new file; an older result file of that name is replaced, any other file is not."""
        path = Path(path)
        if path.exists() and not (is_result_file(path) or may_write_over(path)):
            raise WriteError(f"'{path}' exists and does not hold results; remove it or choose another name.")
        column_slices(channels)
        widths = array_widths(channels, meta)
        sums = {name: np.zeros(width, np.uint64) for name, width in widths.items()}
        with _locked(path) as lock:
            with new_file(path, channels, meta) as file:
                _begin(file, Journal(0, Status("running")), sums)
            return cls(path, channels, meta, lock, sums)

    @classmethod
    def resume(cls, path: PathLike, source: ModelSource | None = None) -> ResultWriter:
        """Go on after the last checkpoint, which is then in `resumed_from`; later records are dropped.

        source: the model file as it is now, None if it is not known.

        The records are copied into a fresh file that takes the old one's place when it is complete: what a killed
        process leaves behind is sound to read, but does not show which space is free.
        """
        with _locked(Path(path)) as lock:
            return cls._resumed(read(path), lock, source)

    @classmethod
    def _resumed(cls, old: ResultFile, lock: WriterLock, source: ModelSource | None) -> ResultWriter:
        path = old.path
        checkpoint = old.checkpoint
        if checkpoint is None:
            raise ReadError(f"'{path}' has no checkpoint to resume from; start a new run.")
        if checkpoint.records > old.nrecord:
            raise ReadError(
                f"'{path}': its checkpoint follows record {checkpoint.records}, but there are only {old.nrecord}; "
                "the file is damaged, start a new run."
            )
        room = room_for(old.widths, 0, checkpoint.records)
        meta = replace(old.meta, source=source or old.meta.source)
        with new_file(path, old.channels, replace(meta, files=old.files), room) as file:
            sums = copy_records(old, checkpoint.records, file)
            SlotWriter(file, "checkpoint").write(checkpoint.encoded())
            reached = float(file["t"][-1]) if checkpoint.records else math.nan
            _begin(file, Journal(checkpoint.records, Status("running", t=reached)), sums)
        return cls(path, old.channels, meta, lock, sums, checkpoint)

    def __len__(self) -> int:
        """Number of records appended so far."""
        return self._count

    def append(self, t: Array, q: Array, v: Array, values: Array, statistics: Array) -> None:
        """Append n records: t (n,), q (n, nq), v (n, nv), values (n, ncolumn), statistics (n, nstatistic).

        Columns of `values` stand in the order of the channels, see `column_slices`. Times never decrease; two records
        at one time are the two sides of an event. They are copied.
        """
        self._require_open()
        block = checked_block(self._widths, self._last_t, t, q, v, values, statistics)
        if not len(block["t"]):
            return
        with uninterrupted():
            for name, array in self._arrays.items():
                array.append(block[name])
            self._count += len(block["t"])
            self._last_t = float(block["t"][-1])
        width = sum(self._widths.values())
        many = (self._count - self._written) * width >= FLUSH_VALUES
        if many or time.monotonic() - self._flushed_at >= FLUSH_EVERY:
            self._bring_records()
        elif (self._count - self._placed) * width >= CHUNK_VALUES:
            with _writing(self.path):
                self._reserve(room_for(self._widths, self._placed, self._count))
                for array in self._arrays.values():
                    array.bring_whole()
            self._placed = self._count

    def flush(self) -> None:
        """Bring all appended records to the file."""
        self._require_open()
        self._bring_records()

    def checkpoint(self, content: Mapping[str, Any]) -> None:
        """Keep everything needed to go on after the last record: arrays and plain JSON values by name."""
        self._require_open()
        whole = Checkpoint(self._count, content).encoded()
        with _writing(self.path):
            self._bring_records()
            self._reserve(self._checkpoints.room(whole))
            self._checkpoints.write(whole)

    def finish(self, reason: str = "finished", message: str = "", t: float | None = None, cured_by: str = "") -> None:
        """Write what is left, say why the run ended (see `Status`), close; t: time reached if not the last record's."""
        if self._finished:
            return
        status = Status(reason, message, self._reached() if t is None else t, cured_by)
        with _writing(self.path):
            self._finished = True
            try:
                self._bring_records()
            except (OSError, WriteError) as error:
                # the journal has its space: what is missing is said there, and that the rest is kept
                t = float(self._file["t"][self._written - 1]) if self._written else math.nan
                words = message if reason == "failed" else str(error)
                status = Status("failed", words[: MOST_WORDS // 4], t, NO_SPACE)
                raise
            finally:
                try:
                    last = Journal(self._written, status).encoded()
                    if len(last) > MOST_WORDS:
                        self._reserve(self._journal.room(last))
                    self._journal.write(last)
                finally:
                    self._file.close()
                    self._lock.release()

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
        elif issubclass(kind, KeyboardInterrupt):
            self.finish("interrupted", "Interrupted by the user.")
        else:
            self.finish("failed", str(error) or kind.__name__)

    def _bring_records(self) -> None:
        """Write the records that wait, then count them; repeated after an interruption, it leaves the same."""
        if self._written < self._count:
            with _writing(self.path):
                self._reserve(room_for(self._widths, self._placed, self._count))
                for array in self._arrays.values():
                    array.bring()
                self._summed.write(encoded(self._count, self._sums()))
                self._journal.write(Journal(self._count, Status("running", t=self._reached())).encoded())
            self._written = self._placed = self._count
        self._flushed_at = time.monotonic()

    def _sums(self) -> dict[str, Sums]:
        """The sums of all records taken, by the name of the array."""
        none = np.zeros(0, np.uint64)
        return {name: self._arrays[name].sums if width else none for name, width in self._widths.items()}

    def _reserve(self, room: int) -> None:
        """Have space on the disk for what HDF5 writes next; without it HDF5 is not asked to write."""
        end = int(self._file.id.get_filesize())
        reserve(self._file.id.get_vfd_handle(), self._reserved, end + room + SPARE)
        self._reserved = end

    def _reached(self) -> float:
        return self._last_t if math.isfinite(self._last_t) else math.nan

    def _require_open(self) -> None:
        if self._finished:
            raise WriteError(f"'{self.path}' is finished; `ResultWriter.resume` continues from its last checkpoint.")


def _begin(file: h5py.File, journal: Journal, sums: Mapping[str, Sums]) -> None:
    """Fill both slots of what is written again and again: from then on they have their space in the file."""
    for name, content in {"sums": encoded(journal.records, sums), "journal": journal.encoded()}.items():
        slot = SlotWriter(file, name)
        for _ in range(2):
            slot.write(content)


@contextmanager
def _locked(path: Path) -> Iterator[WriterLock]:
    """The lock of a file, released if making its writer fails."""
    lock = WriterLock(output_target(path))
    try:
        yield lock
    except BaseException:
        lock.release()
        raise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Let HDF5 do its work undisturbed; say in one sentence what it raises: no space left, the folder gone."""
    try:
        with uninterrupted():
            yield
    except (OSError, RuntimeError) as error:
        raise cannot_write(path, error) from error
