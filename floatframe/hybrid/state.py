"""The state of a system and the workspace of its kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.layout import (
    ANGLE,
    COORDINATE_DATA,
    DOF_DATA,
    FIRST_SENSOR,
    FORCE_DATA,
    LINK_DATA,
    MARKER_DATA,
    ROW_DATA,
    Data,
    Tables,
)
from floatframe.hybrid.user_functions import raise_failures


@dataclass(frozen=True)
class State:
    """Time, coordinates q (nq,) and speeds v (nv,); what joints and friction remember rides along in `memory`."""

    t: float
    q: Array
    v: Array
    memory: Array

    def __post_init__(self) -> None:
        for name in ("q", "v", "memory"):
            array = np.array(getattr(self, name), dtype=np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)


def new_data(tables: Tables, work_size: int, stack_depth: int, memory: Array) -> Data:
    """A fresh workspace."""
    links = np.zeros(len(tables.links), LINK_DATA)
    links["R"] = np.eye(3)
    return Data(
        links=links,
        dofs=np.zeros(len(tables.dofs), DOF_DATA),
        markers=np.zeros(len(tables.markers), MARKER_DATA),
        coordinates=np.zeros(len(tables.coordinates), COORDINATE_DATA),
        rows=np.zeros(len(tables.rows), ROW_DATA),
        forces=np.zeros(len(tables.forces), FORCE_DATA),
        pool=np.zeros(work_size + 1),
        slots=np.zeros(FIRST_SENSOR + len(tables.sensors)),
        stack=np.zeros(max(stack_depth, 1)),
        memory=np.array(memory, dtype=np.float64),
    )


class Evaluation:
    """Runs the kernels of one system on a workspace of its own; arrays stay in place between calls."""

    def __init__(self, tables: Tables, data: Data) -> None:
        nv, nrow = len(tables.dofs), len(tables.rows)
        self.tables, self.data = tables, data
        self.M, self.G = np.zeros((nv, nv)), np.zeros((nrow, nv))
        self.residual = np.zeros(nv)
        self.calls_back = bool(np.any(tables.forces["user"]))

    def __call__(
        self, t: float, q: Array, what: int, v: Array | None = None, a: Array | None = None, lam: Array | None = None
    ) -> Evaluation:
        """Evaluate `what` (bits of _kernels_system) at time t, coordinates q, speeds v, accelerations a."""
        from floatframe.hybrid._kernels_system import evaluate

        nv = len(self.residual)
        zero = np.zeros(nv)
        v, a = writable(v, zero), writable(a, zero)
        lam = writable(lam, np.zeros(0))
        evaluate(self.tables, self.data, float(t), writable(q, zero), v, a, lam, what, self.residual, self.M, self.G)
        if self.calls_back:
            raise_failures(self.tables)
        return self

    def remember(self) -> Array:
        """What joints and friction remember of the forces last evaluated: the memory of the state that follows."""
        forces, coordinates = self.tables.forces, self.tables.coordinates
        for element, here in zip(forces, self.data.forces, strict=True):
            if element["memory"] >= 0:
                self.data.memory[element["memory"] :][:3] = here["state"]
        for coordinate, here in zip(coordinates, self.data.coordinates, strict=True):
            if coordinate["kind"] == ANGLE:
                self.data.memory[coordinate["memory"]] = here["value"]
        return self.data.memory.copy()


def writable(array: Array | None, default: Array) -> Array:
    """A fresh writable copy; kernels are compiled for writable arrays only."""
    return default if array is None else np.array(array, dtype=np.float64)
