"""Mass, centre of mass and inertia tensor of a finite element model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.fem.nodal import MassKind, NodalModel, mass_quantity


@short_repr
@dataclass(frozen=True)
class MassProperties:
    """Mass [kg], centre of mass (3,) [m] and inertia tensor (3, 3) about it [kg m2], model axes."""

    mass: float
    com: Array
    inertia: Array


def mass_properties(fe: NodalModel, kind: MassKind = "consistent") -> MassProperties:
    """Return the rigid-body properties carried by a mass matrix, found by moving all nodes as a rigid body.

    Supports and couplings that do not let the model move so (skew supports are couplings) have no part in it.
    """
    if not fe.nnode:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    origin = fe.nodes.mean(axis=0)  # a point inside keeps the differences below well conditioned
    R = fe.rigid_motions(origin)
    G = R.T @ (fe.assembled(mass_quantity(kind)) @ R)
    mass = float(np.trace(G[:3, :3])) / 3.0
    if mass == 0.0:
        return MassProperties(0.0, origin, G[3:, 3:])
    # the translation-rotation block is -mass * skew(com)
    arm = np.array([G[1, 5] - G[2, 4], G[2, 3] - G[0, 5], G[0, 4] - G[1, 3]]) / (2.0 * mass)
    about_com = G[3:, 3:] - mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return MassProperties(mass, origin + arm, about_com)
