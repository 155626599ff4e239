"""What a simulation keeps of its run, and the place for it when no file is wanted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import Subject, Where
from floatframe.io import Channel, ResultMeta, Status, array_widths, by_name, checked_block, column_slices
from floatframe.wording import did_you_mean

RECORD = Where("record", Subject("record"))


@dataclass(frozen=True)
class Record:
    """What to keep of a simulation.

    every: time between two records [s], None for every step taken; channels: names, where "*" matches any text
    and "energy" also for "energy.total", "energy.kinetic", …; start: time of the first record [s]; coordinates:
    whether q and v are kept, from which motions of nodes can be recovered later; checkpoint_every: time on the clock
    between two places to resume from [s]; model: whether a file of results keeps the model, for pictures and reports.
    """

    every: float | None = None
    channels: tuple[str, ...] = ("*",)
    start: float = -math.inf
    coordinates: bool = True
    checkpoint_every: float = 10.0
    model: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.channels, str):
            raise RECORD.at("channels").error(f"channels is the text '{self.channels}', expected a list of names.")
        object.__setattr__(self, "channels", tuple(self.channels))
        if self.every is not None and not (math.isfinite(self.every) and self.every > 0):
            raise RECORD.error(f"every is {self.every}, expected a time above 0 s, or None for every step.")
        if math.isnan(self.start):
            raise RECORD.at("start").error("start is not a number, expected a time in s.")
        if not self.checkpoint_every > 0:
            words = f"checkpoint_every is {self.checkpoint_every}, expected a time above 0 s."
            raise RECORD.at("checkpoint_every").error(words)

    def pick(self, available: Iterable[str]) -> tuple[str, ...]:
        """Return those of the available channels that are wanted, in their own order."""
        available = tuple(available)
        wanted: set[str] = set()
        for number, name in enumerate(self.channels):
            pattern = re.compile(re.escape(name).replace(r"\*", ".*") + r"(\..*)?", re.DOTALL)
            found = [channel for channel in available if pattern.fullmatch(channel)]
            if not found and name != "*":
                words = f"channel '{name}' does not exist{did_you_mean(name, available)}"
                raise RECORD.at("channels").at(number).error(words, missing=name)
            wanted.update(found)
        return tuple(channel for channel in available if channel in wanted)


class MemoryWriter:
    """Takes records as `floatframe.io.ResultWriter` does, without a file; `Results(writer)` then shows them.

    A checkpoint is of no use here and is not kept.
    """

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
        """Append n records: t (n,), q (n, nq), v (n, nv), values (n, ncolumn), statistics (n, nstatistic)."""
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
