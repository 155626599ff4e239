"""Cross-sections of beams and shells."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from floatframe.errors import ModelError
from floatframe.fem import section_shapes as shapes
from floatframe.fem.section_shapes import Point, Wall


@dataclass(frozen=True)
class BeamSection:
    """Constants of a beam cross-section about its centroid, in the local axes y, z.

    A [m2], Iy = ∫z² dA, Iz = ∫y² dA, Iyz = ∫yz dA [m4], torsion constant J [m4]; shear factors ky, kz (kA is the shear
    area; infinity means no shear deformation); shear centre (ey, ez) seen from the centroid [m];
    y_max, z_max the greatest distances of material from the centroid [m], torsion modulus Wt [m3] (greatest shear
    stress = torque / Wt; infinity means not counted), for stresses. Beams are Timoshenko beams with finite shear
    factors and Euler–Bernoulli beams with infinite ones: see `without_shear`.
    """

    A: float
    Iy: float
    Iz: float
    J: float
    Iyz: float = 0.0
    ky: float = math.inf
    kz: float = math.inf
    shear_centre: tuple[float, float] = (0.0, 0.0)
    y_max: float = 0.0
    z_max: float = 0.0
    Wt: float = math.inf
    outline: tuple[Point, ...] = ()  # closed polygon for drawing, about the centroid
    hole: tuple[Point, ...] = ()  # inner polygon of a hollow profile
    name: str = "section"

    def __post_init__(self) -> None:
        where = f"beam section '{self.name}'"
        for symbol in ("A", "Iy", "Iz", "J"):
            value = getattr(self, symbol)
            if not (math.isfinite(value) and value > 0):
                raise ModelError(f"{where}: {symbol} is {value:g}; it must be a positive number.")
        for symbol in ("ky", "kz", "Wt"):
            value = getattr(self, symbol)
            if not value > 0:
                raise ModelError(f"{where}: {symbol} is {value:g}; it must be positive (infinite leaves it out).")
        if not all(math.isfinite(value) for value in (self.Iyz, *self.shear_centre, self.y_max, self.z_max)):
            raise ModelError(f"{where}: Iyz, shear_centre, y_max and z_max must be finite numbers.")
        if self.Iyz**2 >= self.Iy * self.Iz:
            raise ModelError(f"{where}: Iyz is {self.Iyz:g} m4, its square must be below Iy * Iz; check the signs.")

    @property
    def Ip(self) -> float:  # noqa: N802  (the symbol every engineer uses)
        """Polar moment about the centroid [m4]."""
        return self.Iy + self.Iz

    def without_shear(self) -> BeamSection:
        """Return the same section for Euler–Bernoulli beams, which do not deform by shear."""
        return replace(self, ky=math.inf, kz=math.inf)

    def with_shear_factors(self, ky: float, kz: float) -> BeamSection:
        """Return the same section with other shear factors."""
        return replace(self, ky=ky, kz=kz)

    @classmethod
    def rectangle(cls, width: float, height: float, nu: float = 0.3, name: str = "rectangle") -> BeamSection:
        """Return a solid rectangle: `width` along local y, `height` along local z [m].

        The shear factor is Cowper's for Poisson's ratio `nu` (nu = 0 gives 5/6); J is St-Venant's exact series.
        """
        _check_sizes(name, width=width, height=height)
        J, Wt = shapes.rectangle_torsion(width, height)
        k = shapes.rectangle_shear_factor(nu)
        return cls(
            A=width * height,
            Iy=width * height**3 / 12.0,
            Iz=height * width**3 / 12.0,
            J=J,
            ky=k,
            kz=k,
            y_max=width / 2.0,
            z_max=height / 2.0,
            Wt=Wt,
            outline=shapes.rectangle_outline(width, height),
            name=name,
        )


def _check_sizes(name: str, **sizes: float) -> None:
    for size, value in sizes.items():
        if not (math.isfinite(value) and value > 0):
            raise ModelError(f"beam section '{name}': {size} is {value:g} m; it must be a positive number.")


@dataclass(frozen=True)
class ShellSection:
    """A homogeneous shell wall: thickness [m] and offset of its mid-surface from the nodes along the normal [m]."""

    thickness: float
    offset: float = 0.0
    shear_factor: float = 5.0 / 6.0
    name: str = "shell"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.thickness) and self.thickness > 0):
            raise ModelError(f"shell section '{self.name}': thickness is {self.thickness:g} m; it must be positive.")
        if not math.isfinite(self.offset):
            raise ModelError(f"shell section '{self.name}': offset is {self.offset:g} m; give a finite number.")


Section = BeamSection | ShellSection
