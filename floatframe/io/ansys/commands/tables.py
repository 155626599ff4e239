"""Material laws of TB, TBTEMP and TBDATA: constants by place, at one or several temperatures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array
from floatframe.io.ansys.apdl import Command, Text

_MOST = 200  # constants of one law


@dataclass
class Law:
    """A law of a material: its option and constants by place (from 1) for each temperature."""

    option: str = ""
    rows: list[tuple[float, dict[int, float]]] = field(default_factory=list)
    line: int = 0

    def put(self, text: Text, command: Command) -> None:
        """TBDATA,STLOC,C1,…,C6."""
        if not self.rows:
            self.rows.append((0.0, {}))
        constants = self.rows[-1][1]
        start = text.integer(command.field(0), "place of a constant") if command.field(0) else len(constants) + 1
        if not 1 <= start <= _MOST:
            raise text.error(f"TBDATA puts a constant at place {start}; places run from 1 to {_MOST}.")
        for k, entry in enumerate(command.fields[1:]):
            if entry:
                constants[start + k] = text.number(entry)

    def values(self, count: int, temperature: float | None) -> list[float]:
        """Return constants 1 to `count`, zero where none is given."""
        table = np.array([[row.get(k, 0.0) for k in range(1, count + 1)] for _, row in self.rows] or [[0.0] * count])
        if temperature is None or len(table) == 1:
            return table[0].tolist()
        at = np.array([t for t, _ in self.rows])
        order = np.argsort(at, kind="stable")
        return [float(np.interp(temperature, at[order], table[order, k])) for k in range(count)]


def symmetric(values: list[float], size: int) -> Array:
    """Return a symmetric matrix from its columns below the diagonal: 11, 21, 31 …, 22, 32 …"""
    matrix = np.zeros((size, size))
    rows, columns = zip(*((i, j) for j in range(size) for i in range(j, size)), strict=True)
    matrix[rows, columns] = matrix[columns, rows] = values
    return matrix
