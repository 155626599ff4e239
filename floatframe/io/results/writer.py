"""Writing result files: records are appended while others read, and a kill at any moment leaves a valid file."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ReadError, WriteError
from floatframe.io.format import PathLike
from floatframe.io.results.file import Journal, read, recognises
from floatframe.io.results.layout import array_widths, checked_block, copy_records, new_file, opened_for_appending
from floatframe.io.results.schema import Channel, ResultMeta, Status, column_slices
from floatframe.io.results.slots import Checkpoint, SlotWriter

FLUSH_EVERY = 1.0  # s between two flushes of appended records
FLUSH_VALUES = 500_000  # numbers kept in memory at most before they are written


class ResultWriter:
    """Appends records to a result file; as a context manager it also records how the run ended.

    Records wait in memory for up to `FLUSH_EVERY` seconds; `flush`, `checkpoint` and `finish` bring them to the file.
    """

    resumable = True

    def __init__(
        self, path: Path, channels: Sequence[Channel], meta: ResultMeta, resumed_from: Checkpoint | None = None
    ) -> None:
        """Go on with a complete file that no one else writes; `create` and `resume` make one first."""
        self.path = path
        self.channels = tuple(channels)
        self.meta = meta
        self.resumed_from = resumed_from
        self._widths = array_widths(channels, meta)
        with _writing(path):
            self._file = opened_for_appending(path)
        self._arrays = {name: self._file[name] for name, width in self._widths.items() if width}
        self._journal = SlotWriter(self._file, "journal")
        self._checkpoints = SlotWriter(self._file, "checkpoint")
        self._written = self._count = len(self._arrays["t"])
        self._last_t = float(self._arrays["t"][-1]) if self._written else -math.inf
        self._waiting: list[dict[str, Array]] = []  # blocks of records that are not in the file yet
        self._flushed_at = time.monotonic()
        self._finished = False

    @classmethod
    def create(cls, path: PathLike, channels: Sequence[Channel], meta: ResultMeta) -> ResultWriter:
        """Begin a new file; an older result file of that name is replaced, any other file is not."""
        path = Path(path)
        if path.exists() and not recognises(path):
            raise WriteError(f"'{path}' exists and does not hold results; remove it or choose another name.")
        column_slices(channels)
        with new_file(path, channels, meta) as file:
            SlotWriter(file, "journal").write(Journal(0, Status("running")).encoded())
        return cls(path, channels, meta)

    @classmethod
    def resume(cls, path: PathLike) -> ResultWriter:
        """Go on after the last checkpoint, which is then in `resumed_from`; later records are dropped.

        The records are copied into a fresh file that takes the old one's place when it is complete: what a killed
        process leaves behind is sound to read, but does not show which space is free.
        """
        old = read(path)
        checkpoint = old.checkpoint
        if checkpoint is None:
            raise ReadError(f"'{path}' has no checkpoint to resume from; start a new run.")
        if checkpoint.records > old.nrecord:
            raise ReadError(
                f"'{path}': its checkpoint follows record {checkpoint.records}, but there are only {old.nrecord}; "
                "the file is damaged, start a new run."
            )
        with new_file(old.path, old.channels, replace(old.meta, files=old.files)) as file:
            copy_records(old, checkpoint.records, file)
            SlotWriter(file, "checkpoint").write(checkpoint.encoded())
            reached = float(file["t"][-1]) if checkpoint.records else math.nan
            SlotWriter(file, "journal").write(Journal(checkpoint.records, Status("running", t=reached)).encoded())
        return cls(old.path, old.channels, old.meta, checkpoint)

    def __len__(self) -> int:
        """Number of records appended so far."""
        return self._count

    def append(self, t: Array, q: Array, v: Array, values: Array, statistics: Array) -> None:
        """Append n records: t (n,), q (n, nq), v (n, nv), values (n, ncolumn), statistics (n, nstatistic).

        Columns of `values` stand in the order of the channels, see `column_slices`. Times never decrease; two records
        at one time are the two sides of an event.
        """
        self._require_open()
        block = checked_block(self._widths, self._last_t, t, q, v, values, statistics)
        if not len(block["t"]):
            return
        self._waiting.append(block)
        self._count += len(block["t"])
        self._last_t = float(block["t"][-1])
        many = (self._count - self._written) * sum(self._widths.values()) >= FLUSH_VALUES
        if many or time.monotonic() - self._flushed_at >= FLUSH_EVERY:
            self._bring_records()

    def flush(self) -> None:
        """Bring all appended records to the file."""
        self._require_open()
        self._bring_records()

    def checkpoint(self, content: Mapping[str, Any]) -> None:
        """Keep everything needed to go on after the last record: arrays and plain JSON values by name."""
        self._require_open()
        encoded = Checkpoint(self._count, content).encoded()
        with _writing(self.path):
            self._bring_records()
            self._checkpoints.write(encoded)

    def finish(self, reason: str = "finished", message: str = "", t: float | None = None, cured_by: str = "") -> None:
        """Write what is left, say why the run ended (see `Status`), close; t: time reached if not the last record's."""
        if self._finished:
            return
        status = Status(reason, message, self._reached() if t is None else t, cured_by)
        with _writing(self.path):
            self._finished = True
            try:
                self._bring_records()
                self._journal.write(Journal(self._written, status).encoded())
            finally:
                self._file.close()

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
        """Write the waiting blocks, then count them; repeated after an interruption, it leaves the same."""
        if self._waiting:
            start = self._written
            stop = start + sum(len(block["t"]) for block in self._waiting)
            with _writing(self.path):
                for name, array in self._arrays.items():
                    array.resize(stop, axis=0)
                    array[start:stop] = np.concatenate([block[name] for block in self._waiting])
                    array.flush()
                self._journal.write(Journal(stop, Status("running", t=self._reached())).encoded())
            self._written, self._waiting = stop, []
        self._flushed_at = time.monotonic()

    def _reached(self) -> float:
        return self._last_t if math.isfinite(self._last_t) else math.nan

    def _require_open(self) -> None:
        if self._finished:
            raise WriteError(f"'{self.path}' is finished; `ResultWriter.resume` continues from its last checkpoint.")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Let HDF5 do its work undisturbed; say in one sentence what it raises: no space left, the folder gone."""
    try:
        with uninterrupted():
            yield
    except (OSError, RuntimeError) as error:
        raise WriteError(f"'{path}' cannot be written: {error}.") from error


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done: raised where h5py tidies up, the interruption would get lost."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        handler(*pressed[0])
