"""Linear elastic isotropic materials."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError


@dataclass(frozen=True)
class Material:
    """Isotropic linear material in SI units: Young's modulus `E` [Pa], Poisson ratio `nu`, density `rho` [kg/m3]."""

    E: float
    nu: float = 0.3
    rho: float = 0.0
    name: str = "material"

    def __post_init__(self) -> None:
        for symbol, value in (("E", self.E), ("nu", self.nu), ("rho", self.rho)):
            if not math.isfinite(value):
                raise ModelError(f"material '{self.name}': {symbol} is {value}; give a finite number.")
        if self.E <= 0:
            raise ModelError(f"material '{self.name}': E is {self.E:g} Pa; Young's modulus must be positive.")
        if not -1.0 < self.nu < 0.5:
            raise ModelError(f"material '{self.name}': nu is {self.nu:g}; Poisson's ratio must lie between -1 and 0.5.")
        if self.rho < 0:
            raise ModelError(f"material '{self.name}': rho is {self.rho:g} kg/m3; the density cannot be negative.")

    @property
    def G(self) -> float:  # noqa: N802  (the symbol every engineer uses)
        """Shear modulus [Pa]."""
        return self.E / (2.0 * (1.0 + self.nu))

    def elasticity(self) -> Array:
        """Return the (6, 6) matrix from strains (xx, yy, zz, xy, yz, zx; engineering shears) to stresses [Pa]."""
        lam = self.E * self.nu / ((1.0 + self.nu) * (1.0 - 2.0 * self.nu))
        D = np.diag([2.0 * self.G] * 3 + [self.G] * 3)
        D[:3, :3] += lam
        return D
