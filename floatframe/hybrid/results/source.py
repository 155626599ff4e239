"""What results read their records from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from floatframe.arrays import Array
from floatframe.io import Channel, ResultMeta, Status


class Source(Protocol):
    """Where the records are: a `floatframe.io.ResultFile` or a `MemoryWriter`."""

    @property
    def channels(self) -> tuple[Channel, ...]: ...
    @property
    def meta(self) -> ResultMeta: ...
    @property
    def status(self) -> Status: ...
    @property
    def nrecord(self) -> int: ...
    @property
    def t(self) -> Array: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def statistics(self) -> Mapping[str, Array]: ...
    def columns(self, first: int, stop: int) -> Array: ...
