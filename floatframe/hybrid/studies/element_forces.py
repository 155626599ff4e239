"""Force elements one by one: what each does to its places, how its places move, and all of them held constant.

An element between places is a force and a torque on its place a, seen in the axes of its place b, so that its law
depends on the motion of a relative to b alone. An element in a joint is one number, in the first of its six rows.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, Evaluation, State, workspace
from floatframe.hybrid.kernels import COORDINATE_FORCE, OFF, POINT_LOAD, Tables, expression as machine


def evaluation(system: CompiledSystem, tables: Tables, state: State) -> Evaluation:
    """The kernels with other tables than the system's own."""
    return Evaluation(tables, workspace(system.index, tables, state.memory))


class ElementForces:
    """The force elements of a system near a state."""

    def __init__(self, system: CompiledSystem, tables: Tables, state: State) -> None:
        self.state, self.now = state, evaluation(system, tables, state)
        self.tables = tables
        self.in_joint = tables.forces["coordinate"] >= 0
        self.between = np.flatnonzero(~self.in_joint)
        self.acts = tables.forces["kind"] != OFF

    def __len__(self) -> int:
        return len(self.tables.forces)

    def at(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Forces and torques on a (ne, 6) in the axes of b, and elongations and rates (ne, 2), at a motion."""
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        here = self.now(self.state.t, q, VELOCITY | APPLIED, v).data.forces
        return self._in_axes_of_b(here), np.column_stack((here["elongation"], here["rate"]))

    def _in_axes_of_b(self, here: Array) -> Array:
        found, axes, between = np.zeros((len(self), 6)), self._axes_of_b(), self.between
        for rows, name in ((slice(0, 3), "force"), (slice(3, 6), "torque")):
            found[between, rows] = np.einsum("eji,ej->ei", axes, here[name][between])
        found[self.in_joint, 0] = here["value"][self.in_joint]
        return np.where(self.acts[:, None], found, 0.0)

    def _axes_of_b(self) -> Array:
        """Axes (n, 3, 3) of the places b of the elements between places."""
        return np.asarray(self.now.data.markers["R"][self.tables.forces["b"][self.between]])

    def motions(self) -> tuple[Array, Array]:
        """Motion of a relative to b (ne, 6, nv) and turning of b (ne, 3, nv) per unit speed, both in the axes of b.

        The first is the Jacobian of an element: the generalised force is its transpose times force and torque. Of an
        element in a joint the first row is the rate of the joint.
        """
        from floatframe.hybrid.kernels import VELOCITY

        nv, forces, now = len(self.state.v), self.tables.forces, self.now
        moving, turning = np.zeros((len(self), 6, nv)), np.zeros((len(self), 3, nv))
        between, joints = self.between, forces["coordinate"][self.in_joint]
        a, b = forces["a"][between], forces["b"][between]
        for j in range(nv if len(self) else 0):
            unit = np.zeros(nv)
            unit[j] = 1.0
            now(self.state.t, self.state.q, VELOCITY, unit)
            markers, axes = now.data.markers, self._axes_of_b()
            arm, spin = markers["p"][a] - markers["p"][b], markers["w"][b]
            relative = markers["v"][a] - markers["v"][b] - np.cross(spin, arm)
            for rows, vector in ((slice(0, 3), relative), (slice(3, 6), markers["w"][a] - spin)):
                moving[between, rows, j] = np.einsum("eki,ek->ei", axes, vector)
            turning[between, :, j] = np.einsum("eki,ek->ei", axes, spin)
            moving[self.in_joint, 0, j] = now.data.coordinates["rate"][joints]
        return moving, turning

    def held(self) -> Tables:
        """The tables with every element as the constant force, in world axes, that it is at the state."""
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        here = self.now(self.state.t, self.state.q, VELOCITY | APPLIED, self.state.v).data.forces
        values = np.concatenate((here["force"], here["torque"]), axis=1)
        values[self.in_joint, 0] = here["value"][self.in_joint]
        tables, n = self.tables, 6 * len(self)
        forces = tables.forces.copy()
        forces["kind"] = np.where(self.acts, np.where(self.in_joint, COORDINATE_FORCE, POINT_LOAD), OFF)
        forces["program"] = len(tables.begin) - 1 + 6 * np.arange(len(self))
        forces["memory"], forces["user"], forces["body_axes"] = -1, 0, 0  # loads in world axes
        code = np.empty((n, 2), dtype=tables.code.dtype)
        code[:, 0], code[:, 1] = machine.CONSTANT, len(tables.constants) + np.arange(n)
        begin = np.concatenate((tables.begin, tables.begin[-1] + 2 * np.arange(1, n + 1)))
        return tables._replace(
            forces=forces,
            code=np.concatenate((tables.code, code.ravel())),
            constants=np.concatenate((tables.constants, values.ravel())),
            begin=begin.astype(tables.begin.dtype),
        )
