"""Cross-sections of beams and shells."""

from __future__ import annotations

import math
from dataclasses import dataclass

from floatframe.errors import ModelError


@dataclass(frozen=True)
class BeamSection:
    """Constants of a beam cross-section about its centroid, in the local axes y, z.

    A [m2], Iy = ∫z² dA, Iz = ∫y² dA, Iyz = ∫yz dA [m4], torsion constant J [m4]; shear factors ky, kz (kA is the shear
    area; infinity means no shear deformation); shear centre (ey, ez) seen from the centroid [m];
    y_max, z_max the greatest distances of material from the centroid [m], for stresses.
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
    outline: tuple[tuple[float, float], ...] = ()  # closed polygon for drawing, about the centroid
    name: str = "section"

    @classmethod
    def rectangle(cls, width: float, height: float) -> BeamSection:
        """Return a solid rectangle: `width` along local y, `height` along local z [m]."""
        raise NotImplementedError


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
