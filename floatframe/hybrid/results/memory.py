"""The place for the records of a run when no file is wanted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.io import Channel, ResultMeta, Status, array_widths, by_name, checked_block, column_slices


class MemoryWriter:
    """Takes records as `floatframe.io.ResultWriter` does, without a file; `Results(writer)` then shows them.

    A checkpoint is of no use here and is not kept.
    """

    resumable = False

    def __init__(self, channels: Sequence[Channel], meta: ResultMeta) -> None:
        column_slices(channels)
        self.channels = tuple(channels)
        self.meta = meta
        self.status = Status("running")
        self._widths = array_widths(channels, meta)
        self._blocks: list[dict[str, Array]] = []
        self._last_t = -math.inf

    def __len__(self) -> int:
        return sum(len(block["t"]) for block in self._blocks)

    def append(self, t: Array, q: Array, v: Array, values: Array, statistics: Array) -> None:
        """Append n records: t (n,), q (n, nq), v (n, nv), values (n, ncolumn), statistics (n, nstatistic).

        The arrays belong to the writer from then on and must not change.
        """
        block = checked_block(self._widths, self._last_t, t, q, v, values, statistics)
        if len(block["t"]):
            self._blocks.append(block)
            self._last_t = float(block["t"][-1])

    def flush(self) -> None:
        """Nothing waits here."""

    def checkpoint(self, content: Mapping[str, Any]) -> None:
        """Nothing outlives the process here."""

    def finish(self, reason: str = "finished", message: str = "", t: float | None = None, cured_by: str = "") -> None:
        """Say why the run ended (see `Status`)."""
        reached = self._last_t if math.isfinite(self._last_t) else math.nan
        self.status = Status(reason, message, reached if t is None else t, cured_by)

    @property
    def nrecord(self) -> int:
        """Number of records so far."""
        return len(self)

    @property
    def t(self) -> Array:
        """Times of the records (n,) [s]."""
        return self._joined("t")

    @property
    def q(self) -> Array:
        """Coordinates (n, nq), as the system orders them."""
        return self._joined("q")

    @property
    def v(self) -> Array:
        """Speeds (n, nv), as the system orders them."""
        return self._joined("v")

    def columns(self, first: int, stop: int) -> Array:
        """Return some columns (nt, stop - first) of all channels."""
        return self._joined("channels/values")[:, first:stop]

    @property
    def statistics(self) -> dict[str, Array]:
        """What is reported about each record, by name: (nt,), or (nt, n) with components."""
        return by_name(self.meta.statistics, self._joined("statistics/values"))

    def _joined(self, name: str) -> Array:
        """Return an array over all records; the blocks become one, so that the next call costs nothing."""
        if not self._blocks:
            return np.empty(0 if name == "t" else (0, self._widths[name]))
        if len(self._blocks) > 1:
            self._blocks = [{key: np.concatenate([block[key] for block in self._blocks]) for key in self._widths}]
        return self._blocks[0][name]
