"""Shell walls made of layers, and walls given by their stiffness per unit length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.properties.materials import Material, Matrix

_ROUND = 1e-9  # how far below zero rounding may bring an energy, in parts of the largest


@dataclass(frozen=True)
class Layer:
    """One layer of a wall: material, thickness [m] and the angle [degrees] of its axis 1 against the wall's direction.

    Angles turn about the normal of the wall by the right-hand rule.
    """

    material: Material
    thickness: float
    angle: float = 0.0

    def __post_init__(self) -> None:
        where = f"layer of '{self.material.name}'"
        if not (math.isfinite(self.thickness) and self.thickness > 0):
            raise ModelError(f"{where}: thickness is {self.thickness:g} m; it must be positive.")
        if not math.isfinite(self.angle):
            raise ModelError(f"{where}: angle is {self.angle:g}; give a finite number of degrees.")


@dataclass(frozen=True)
class LayeredSection:
    """A laminated shell wall by first-order shear theory: layers from the bottom up along the normal.

    offset of its mid-surface from the nodes along the normal [m]; extra_mass [kg/m2] is spread over the wall without
    stiffness. Layers bring their materials; the elements have none of their own.
    """

    layers: tuple[Layer, ...]
    offset: float = 0.0
    extra_mass: float = 0.0
    name: str = "laminate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        where = f"layered section '{self.name}'"
        if not self.layers:
            raise ModelError(f"{where}: it has no layers; give at least one.")
        _check_offset(self.offset, where)
        _check_masses(where, extra_mass=self.extra_mass)

    @property
    def thickness(self) -> float:
        """Sum of the layers [m]."""
        return math.fsum(layer.thickness for layer in self.layers)

    @property
    def levels(self) -> Array:
        """Heights (nlayer + 1,) of the faces between layers above the mid-surface [m], from the bottom up."""
        heights = np.concatenate([[0.0], np.cumsum([layer.thickness for layer in self.layers])])
        return heights - 0.5 * heights[-1]

    @classmethod
    def symmetric(cls, layers: Sequence[Layer], offset: float = 0.0, name: str = "laminate") -> LayeredSection:
        """Return the wall whose lower half is given."""
        return cls((*layers, *reversed(layers)), offset, name=name)


@dataclass(frozen=True)
class GeneralShellSection:
    """A shell wall by its stiffness about the mid-surface, in the axes of the wall's direction.

    A (3, 3) [N/m], B [N], D [N m]: forces Nx, Ny, Nxy and moments Mx, My, Mxy per unit strains x, y, xy and curvatures
    (B: forces per curvature); S (2, 2) [N/m]: shear forces x, y per shear strain, None for a wall that does not shear.
    A or D may be zero: the wall then has no stiffness in its plane, or none against bending. Mass per area m0 [kg/m2],
    its first m1 [kg/m] and second moment m2 [kg] about the mid-surface. thickness [m]: that of the faces, for stresses
    and pictures; elements of another thickness have A and S times their ratio, B times its square, D times its cube.
    offset of the mid-surface from the nodes along the normal [m].
    """

    A: Matrix
    B: Matrix
    D: Matrix
    S: Matrix | None
    thickness: float
    m0: float = 0.0
    m1: float = 0.0
    m2: float = 0.0
    offset: float = 0.0
    name: str = "shell"

    def __post_init__(self) -> None:
        where = f"general shell section '{self.name}'"
        for symbol, size in (("A", 3), ("B", 3), ("D", 3), ("S", 2)):
            value = getattr(self, symbol)
            if value is not None:
                object.__setattr__(self, symbol, _matrix(np.asarray(value, dtype=float), size, f"{where}: {symbol}"))
            elif symbol != "S":
                raise ModelError(f"{where}: {symbol} is missing; give zeros if there is none.")
        if not (math.isfinite(self.thickness) and self.thickness > 0):
            raise ModelError(f"{where}: thickness is {self.thickness:g} m; it must be positive.")
        _check_offset(self.offset, where)
        _check_masses(where, m0=self.m0, m2=self.m2)
        if not (math.isfinite(self.m1) and self.m1**2 <= self.m0 * self.m2 * (1.0 + _ROUND)):
            raise ModelError(
                f"{where}: m1 is {self.m1:g} kg/m; its square must not exceed m0 m2 = {self.m0 * self.m2:g}, or some "
                "motion would have a negative mass."
            )
        _check_energy(self, where)


def _matrix(matrix: Array, size: int, what: str) -> Matrix:
    """Return a symmetric matrix as numbers that compare by value."""
    if matrix.shape != (size, size) or not np.isfinite(matrix).all():
        raise ModelError(f"{what} has shape {matrix.shape}, expected ({size}, {size}) finite numbers.")
    if not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-6 * float(np.abs(matrix).max(initial=0.0))):
        raise ModelError(f"{what} is not symmetric.")
    return tuple(tuple(row) for row in (0.5 * (matrix + matrix.T)).tolist())


def _check_offset(offset: float, where: str) -> None:
    if not math.isfinite(offset):
        raise ModelError(f"{where}: offset is {offset:g} m; give a finite number.")


def _check_masses(where: str, **masses: float) -> None:
    for symbol, value in masses.items():
        if not (math.isfinite(value) and value >= 0):
            raise ModelError(f"{where}: {symbol} is {value:g}; it must not be negative.")


def _check_energy(section: GeneralShellSection, where: str) -> None:
    """Refuse walls in which some strain would release energy."""
    half = 0.5 * section.thickness  # makes curvatures strains
    A, B, D = (np.array(matrix) for matrix in (section.A, section.B, section.D))
    whole = np.block([[A, B / half], [B / half, D / half**2]])
    if np.linalg.eigvalsh(whole)[0] < -_ROUND * np.abs(whole).max():
        raise ModelError(f"{where}: some strain or curvature would release energy; check A, B and D and their signs.")
    if section.S is not None and np.linalg.eigvalsh(np.array(section.S))[0] <= 0.0:
        raise ModelError(f"{where}: S is not positive definite; None leaves shear strains out.")
