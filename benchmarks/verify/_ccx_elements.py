"""Solids by the rules of `ccx`, rebuilt from ours: points of integration, modes inside, mass of these modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import FEModel
from floatframe.fem.elements import _gauss, register
from floatframe.fem.elements.base import Batch
from floatframe.fem.elements.solids._elasticity import material_of
from floatframe.fem.elements.solids._solid import for_each_direction
from floatframe.fem.elements.solids.hex8 import Hex8
from floatframe.fem.elements.solids.hex20 import Hex20, Hex20Reduced
from floatframe.fem.elements.solids.tet4 import Tet4
from floatframe.fem.elements.solids.wedge6 import Wedge6
from floatframe.fem.elements.solids.wedge15 import Wedge15


class Full8(Hex8):
    """C3D8: eight points and no modes inside, so that it locks in bending."""

    kind = "ccx_c3d8"
    mass_rule = _gauss.cube(2)

    def mode_gradients(self, points: Array) -> Array:
        return np.empty((len(points), 0, 3))

    def volume_modes(self, points: Array) -> Array:
        return np.empty((len(points), 0))


class Incompatible8(Hex8):
    """C3D8I: the modes of bending only, and they carry mass."""

    kind = "ccx_c3d8i"
    mass_rule = _gauss.cube(2)

    def volume_modes(self, points: Array) -> Array:
        return np.empty((len(points), 0))

    def mass(self, batch: Batch) -> Array:
        points = self.mass_rule.points
        shape = np.concatenate([self.shape(points), 1.0 - points**2], axis=1)
        products = (shape[:, :, None] * shape[:, None, :]).reshape(len(points), -1)
        scalar = material_of(batch).rho * (self._point_volumes(batch) @ products)
        n = shape.shape[1]
        inner = self._inner_motion(self._with_modes(batch)[0])
        nodes = np.broadcast_to(np.eye(self.ndof), (len(inner), self.ndof, self.ndof))
        T = np.concatenate([nodes, inner], axis=1)
        return np.asarray(T.swapaxes(1, 2) @ for_each_direction(scalar.reshape(-1, n, n)) @ T)


class Plain6(Wedge6):
    """C3D6: two points, also for the mass, and no modes inside."""

    kind = "ccx_c3d6"
    stiffness_rule = mass_rule = _gauss.prism(1, 2)

    def mode_gradients(self, points: Array) -> Array:
        return np.empty((len(points), 0, 3))


class One4(Tet4):
    """C3D4: one point for the mass too."""

    kind = "ccx_c3d4"
    mass_rule = Tet4.stiffness_rule


class Full20(Hex20):
    """C3D20: 27 points; ours takes 14, as exact on bricks and softer on a single element."""

    kind = "ccx_c3d20"
    stiffness_rule = mass_rule = _gauss.cube(3)


class Reduced20(Hex20Reduced):
    """C3D20R: eight points for the mass too."""

    kind = "ccx_c3d20r"
    mass_rule = _gauss.cube(2)


class Nine15(Wedge15):
    """C3D15: nine points for the mass too."""

    kind = "ccx_c3d15"
    mass_rule = Wedge15.stiffness_rule


RULES = {
    "C3D4": {"tet4": One4.kind},
    "C3D8": {"hex8": Full8.kind},
    "C3D8I": {"hex8": Incompatible8.kind},
    "C3D6": {"wedge6": Plain6.kind},
    "C3D15": {"wedge15": Nine15.kind},
    "C3D20": {"hex20": Full20.kind},
    "C3D20R": {"hex20_reduced": Reduced20.kind},
}


def register_all() -> None:
    """Make the elements known."""
    for element in (One4, Full8, Incompatible8, Plain6, Full20, Reduced20, Nine15):
        register(element())


def by_rules_of_ccx(fe: FEModel, types: set[str]) -> FEModel:
    """Return the model of a deck with these element types, its solids by the rules of ccx."""
    kinds = {ours: theirs for name in types for ours, theirs in RULES.get(name, {}).items()}
    return replace(fe, blocks=tuple(replace(block, kind=kinds.get(block.kind, block.kind)) for block in fe.blocks))
