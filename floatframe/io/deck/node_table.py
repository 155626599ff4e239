"""Node numbers of an imported model and their places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from floatframe.arrays import Array, IntArray


@dataclass(frozen=True)
class NodeTable:
    """Node numbers (n,) in ascending order and their places (n, 3)."""

    ids: IntArray
    xyz: Array

    @cached_property
    def _row_of(self) -> dict[int, int]:
        return {node: row for row, node in enumerate(self.ids.tolist())}

    def row(self, node: int) -> int:
        """Return the row of a node, or -1 if it is not defined."""
        return self._row_of.get(node, -1)

    def __contains__(self, node: int) -> bool:
        return self.row(node) >= 0

    def __getitem__(self, node: int) -> Array:
        return self.xyz[self.row(node)]
