"""The state of a system and the workspace of its kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.hybrid.kernels import (
    ANGLE,
    COORDINATE_DATA,
    DOF_DATA,
    FIRST_SENSOR,
    FORCE_DATA,
    LINK_DATA,
    MARKER_DATA,
    ROW_DATA,
    TASK_EVALUATE,
    TASK_MOVE,
    Data,
    Tables,
    new_stepping,
    new_work,
    raise_failures,
    sealed,
)


@short_repr
@dataclass(frozen=True)
class State:
    """Time, coordinates q (nq,) and speeds v (nv,).

    State variables, and what joints and friction remember, ride along in `memory`; see `CompiledSystem.values`.
    """

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
        spare=np.zeros(len(tables.spare), ROW_DATA),
        forces=np.zeros(len(tables.forces), FORCE_DATA),
        pool=np.zeros(work_size + 1),
        slots=np.zeros(FIRST_SENSOR + len(tables.sensors)),
        stack=np.zeros(max(stack_depth, 1)),
        memory=np.array(memory, dtype=np.float64),
    )


class Evaluation:
    """Runs the kernels of one system on a workspace of its own; arrays stay in place between calls."""

    def __init__(self, tables: Tables, data: Data) -> None:
        self.tables, self.data = sealed(tables), data
        self.work = new_work(tables)
        self.settings = new_stepping()
        self.calls_back = bool(np.any(tables.forces["user"]))

    def go_over(self, tables: Tables) -> None:
        """Evaluate tables from here on that differ from those before in numbers alone."""
        self.tables = sealed(tables)

    @property
    def M(self) -> Array:  # noqa: N802  (named as in the theory)
        """Mass matrix (nv, nv) of the last evaluation with MASS."""
        return self.work.M

    @property
    def G(self) -> Array:  # noqa: N802
        """Constraint Jacobian (nrow, nv) of the last evaluation with JACOBIAN."""
        return self.work.G

    @property
    def rates(self) -> Array:
        """Rates (nz,) of the state variables at the last evaluation with forces."""
        return np.asarray(self.data.slots[self.tables.states["rate"]])

    @property
    def residual(self) -> Array:
        """Residual (nv,) of the last evaluation with forces."""
        return self.work.residual

    def __call__(
        self, t: float, q: Array, what: int, v: Array | None = None, a: Array | None = None, lam: Array | None = None
    ) -> Evaluation:
        """Evaluate `what` (bits of kernels.system) at time t, coordinates q, speeds v, accelerations a."""
        self.quietly(t, q, what, v, a, lam)
        if self.calls_back:
            raise_failures(self.tables)
        return self

    def quietly(
        self, t: float, q: Array, what: int, v: Array | None = None, a: Array | None = None, lam: Array | None = None
    ) -> None:
        """Evaluate; where a user's function fails there is NaN and no exception."""
        w = self.work
        self.settings.time = t
        w.q[:] = q
        w.v[:] = 0.0 if v is None else v
        w.x[:] = 0.0 if a is None else a
        w.lam[:] = 0.0 if lam is None or len(lam) == 0 else lam
        self._do(TASK_EVALUATE, what)

    def moved(self, q: Array, step: Array) -> Array:
        """Coordinates q (nq,) moved along a tangent vector (nv,)."""
        self.work.q[:] = q
        self.work.delta[:] = step
        self._do(TASK_MOVE, 0)
        return np.array(self.work.q)

    def _do(self, task: int, what: int) -> None:
        # compiled kernels take a moment to load
        from floatframe.hybrid.kernels import do

        do(task, self.tables, self.data, self.work, self.settings, what)

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
