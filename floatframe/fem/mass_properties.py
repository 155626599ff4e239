"""Mass, centre of mass and inertia tensor of a finite element model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array

if TYPE_CHECKING:
    from floatframe.fem.model import FEModel, MassKind


@dataclass(frozen=True)
class MassProperties:
    """Mass [kg], centre of mass (3,) [m] and inertia tensor (3, 3) about it [kg m2], model axes."""

    mass: float
    com: Array
    inertia: Array


def mass_properties(fe: FEModel, kind: MassKind = "consistent") -> MassProperties:
    """Return the rigid-body properties carried by a mass matrix, found by moving it as a rigid body."""
    R = fe.rigid_shapes()
    G = R.T @ (fe.mass(kind) @ R)
    mass = float(np.trace(G[:3, :3])) / 3.0
    if mass == 0.0:
        return MassProperties(0.0, np.zeros(3), G[3:, 3:])
    # the translation-rotation block is -mass * skew(com)
    com = np.array([G[1, 5] - G[2, 4], G[2, 3] - G[0, 5], G[0, 4] - G[1, 3]]) / (2.0 * mass)
    about_com = G[3:, 3:] - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return MassProperties(mass, com, about_com)
