"""Linear elastic materials: isotropic ones, and others through their matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import eigvalsh, inv

from floatframe.arrays import Array
from floatframe.errors import ModelError

Matrix = tuple[tuple[float, ...], ...]
RIGID = 1e4  # what counts as rigid is so many times stiffer than the rest


@dataclass(frozen=True)
class Material:
    """Linear material in SI units: Young's modulus `E` [Pa], Poisson ratio `nu`, density `rho` [kg/m3].

    matrix (6, 6) [Pa]: stresses per strain (xx, yy, zz, xy, yz, zx; engineering shears) in the axes of the material,
    for solids and shells that are not isotropic. Beams and trusses use E and nu alone; `anisotropic` finds those that
    come closest.
    """

    E: float
    nu: float = 0.3
    rho: float = 0.0
    name: str = "material"
    matrix: Matrix | None = field(default=None, repr=False)

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
        if self.matrix is not None:
            object.__setattr__(self, "matrix", _checked(np.array(self.matrix, dtype=float), self.name))

    @classmethod
    def anisotropic(cls, matrix: Array, rho: float = 0.0, name: str = "material") -> Material:
        """Return a material with this matrix (6, 6); E and nu are those of grains of it in all directions (Hill 1952).

        Hill's means lie half-way between those of equal strains (Voigt) and equal stresses (Reuss).
        """
        C = np.array(_checked(np.array(matrix, dtype=float), name))
        S = inv(C)
        bulk = (C[:3, :3].sum() / 9.0 + 1.0 / S[:3, :3].sum()) / 2.0
        across, shears = C[[0, 0, 1], [1, 2, 2]].sum(), np.trace(C[3:, 3:])
        stiffest = (np.trace(C[:3, :3]) - across + 3.0 * shears) / 15.0
        slack = 4.0 * (np.trace(S[:3, :3]) - S[[0, 0, 1], [1, 2, 2]].sum()) + 3.0 * np.trace(S[3:, 3:])
        G = (stiffest + 15.0 / slack) / 2.0
        E = 9.0 * bulk * G / (3.0 * bulk + G)
        return cls(float(E), float(E / (2.0 * G) - 1.0), rho, name, C)  # type: ignore[arg-type]

    @classmethod
    def orthotropic(
        cls,
        E1: float,
        E2: float,
        E3: float,
        nu12: float,
        nu13: float,
        nu23: float,
        G12: float,
        G13: float,
        G23: float,
        rho: float = 0.0,
        name: str = "material",
    ) -> Material:
        """Return a material with three planes of symmetry: moduli [Pa] along its axes 1, 2, 3.

        nuij: contraction along j under a stress along i, so that nuij / Ei = nuji / Ej.
        """
        moduli = {"E1": E1, "E2": E2, "E3": E3, "G12": G12, "G13": G13, "G23": G23}
        for symbol, value in moduli.items():
            if not (math.isfinite(value) and value > 0):
                raise ModelError(f"material '{name}': {symbol} is {value:g} Pa; it must be positive.")
        S = np.diag([1.0 / modulus for modulus in (E1, E2, E3, G12, G23, G13)])
        S[0, 1] = S[1, 0] = -nu12 / E1
        S[0, 2] = S[2, 0] = -nu13 / E1
        S[1, 2] = S[2, 1] = -nu23 / E2
        if not (np.isfinite(S).all() and eigvalsh(S[:3, :3])[0] > 0.0):
            raise ModelError(
                f"material '{name}': Poisson's ratios nu12 = {nu12:g}, nu13 = {nu13:g}, nu23 = {nu23:g} are too large "
                "for its moduli; some strain would release energy. nuij is for a stress along i."
            )
        return cls.anisotropic(inv(S), rho, name)

    @classmethod
    def ply(
        cls,
        E1: float,
        E2: float,
        nu12: float,
        G12: float,
        G13: float = 0.0,
        G23: float = 0.0,
        rho: float = 0.0,
        name: str = "material",
    ) -> Material:
        """Return an orthotropic material given for plane stress, as layers of shells are (MAT8, *ELASTIC, TYPE=LAMINA).

        Across the thickness it does not contract and is as stiff as along 2. A shear modulus G13, G23 of zero means
        that it does not shear across the thickness: RIGID times the largest modulus.
        """
        stiff = RIGID * max(E1, E2, G12)
        found = cls.orthotropic(E1, E2, E2, nu12, 0.0, 0.0, G12, G13 or stiff, G23 or stiff, rho, name)
        # the means over all directions must leave out shears that are only nominally rigid
        mean = cls.orthotropic(E1, E2, E2, nu12, 0.0, 0.0, G12, G13 or G12, G23 or G12, rho, name)
        return replace(found, E=mean.E, nu=mean.nu)

    @property
    def G(self) -> float:  # noqa: N802  (the symbol every engineer uses)
        """Shear modulus [Pa]."""
        return self.E / (2.0 * (1.0 + self.nu))

    def elasticity(self) -> Array:
        """Return the (6, 6) matrix from strains (xx, yy, zz, xy, yz, zx; engineering shears) to stresses [Pa]."""
        if self.matrix is not None:
            return np.array(self.matrix)
        lam = self.E * self.nu / ((1.0 + self.nu) * (1.0 - 2.0 * self.nu))
        D = np.diag([2.0 * self.G] * 3 + [self.G] * 3)
        D[:3, :3] += lam
        return D


def _checked(matrix: Array, name: str) -> Matrix:
    """Return a matrix as numbers that compare by value, after checking that every strain costs energy."""
    if matrix.shape != (6, 6) or not np.isfinite(matrix).all():
        raise ModelError(f"material '{name}': its matrix has shape {matrix.shape}, expected (6, 6) finite numbers.")
    size = float(np.abs(matrix).max())
    if not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-6 * size):
        raise ModelError(f"material '{name}': its matrix is not symmetric.")
    matrix = 0.5 * (matrix + matrix.T)
    lowest = float(eigvalsh(matrix)[0])
    if not lowest > 1e-12 * size:
        raise ModelError(
            f"material '{name}': its matrix is not positive definite (lowest eigenvalue {lowest:g} Pa); some strain "
            "would cost no energy."
        )
    return tuple(tuple(row) for row in matrix.tolist())
