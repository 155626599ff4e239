"""Rigid masses fixed to a node."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array, short_repr, skew
from floatframe.errors import ModelError
from floatframe.fem.numbering import one_number, read_only

_SYMMETRY = 1e-9  # largest skew part over largest entry: rounding of turned tensors stays far below


@short_repr
@dataclass(frozen=True)
class PointMass:
    """A rigid mass at `offset` [m] from a node: mass [kg] and inertia tensor (3, 3) about its own centre [kg m2]."""

    node: int
    mass: float
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    offset: Array = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        object.__setattr__(self, "node", one_number(self.node, "node of a point mass"))
        inertia = np.asarray(self.inertia, dtype=float)
        inertia = np.diag(inertia) if inertia.shape == (3,) else inertia
        offset = np.asarray(self.offset, dtype=float)
        where = f"point mass at node {self.node}"
        if inertia.shape != (3, 3) or offset.shape != (3,):
            raise ModelError(f"{where}: inertia must be 3 moments or a 3 x 3 tensor and offset 3 numbers.")
        if not (np.isfinite(inertia).all() and np.isfinite(offset).all() and np.isfinite(self.mass)):
            raise ModelError(f"{where}: mass, inertia and offset must be finite numbers.")
        if self.mass < 0:
            raise ModelError(f"{where}: mass is {self.mass:g} kg; it cannot be negative.")
        skewness, largest = np.abs(inertia - inertia.T).max(), np.abs(inertia).max()
        if skewness > _SYMMETRY * largest:
            raise ModelError(f"{where}: the inertia tensor is not symmetric (entries differ by {skewness:g} kg m2).")
        inertia = 0.5 * (inertia + inertia.T)
        if np.linalg.eigvalsh(inertia).min() < -1e-12 * max(largest, 1e-300):
            raise ModelError(f"{where}: the inertia tensor has a negative principal moment.")
        object.__setattr__(self, "inertia", read_only(inertia))
        object.__setattr__(self, "offset", read_only(offset))

    @property
    def has_rotation(self) -> bool:
        """Whether rotations of the node matter for this mass."""
        return bool(self.inertia.any() or self.offset.any())

    def matrix(self) -> Array:
        """Return the (6, 6) mass matrix at the node."""
        arm = skew(self.offset)
        M = np.zeros((6, 6))
        M[:3, :3] = self.mass * np.eye(3)
        M[:3, 3:] = -self.mass * arm
        M[3:, :3] = self.mass * arm
        M[3:, 3:] = self.inertia - self.mass * arm @ arm
        return M
