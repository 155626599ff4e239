"""What exporters need of shell walls: one thickness at a time, and how their materials lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import inv

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import (
    RIGID,
    ElementBlock,
    FEModel,
    GeneralShellSection,
    LayeredSection,
    Material,
    ShellSection,
    direction_of,
    is_isotropic,
    material_angle,
    plane_stress,
)
from floatframe.io.deck.write_common import batch_of, grouped, refuse

_STANDARD_SHEAR = 5.0 / 6.0
_NONE = 1e-9  # of the largest modulus: what counts as no coupling


@dataclass(frozen=True)
class WrittenWall:
    """Elements rows (k,) of a block with one wall; axes (3, 3) of its material as rows, None where it has no direction.

    thickness (k, nnode) at the nodes where it varies inside the elements.
    """

    section: ShellSection | LayeredSection
    rows: IntArray
    axes: Array | None = None
    thickness: Array | None = None


@dataclass(frozen=True)
class PlyConstants:
    """Engineering constants of an orthotropic layer [Pa]; shear moduli across it are zero where it does not shear."""

    E1: float
    E2: float
    nu12: float
    G12: float
    G13: float
    G23: float


def walls(block: ElementBlock, format: str, tapered: bool = False) -> Iterator[WrittenWall]:
    """Yield the section of every thickness in a block of shells and the rows that have it.

    tapered: whether the format takes thicknesses at the nodes.
    """
    section = block.section
    if isinstance(section, GeneralShellSection):
        refuse(format, f"section '{section.name}' of {block.label}, which is given by its stiffness (write .h5)")
    if not isinstance(section, ShellSection | LayeredSection):
        raise ModelError(f"{block.label}: it has no shell section.")
    if "thickness" not in block.data:
        yield WrittenWall(section, np.arange(len(block)))
        return
    at_nodes = np.asarray(block.data["thickness"], dtype=float).reshape(len(block), -1)
    varies = (at_nodes != at_nodes[:, :1]).any(axis=1)
    if varies.any():
        if not tapered or isinstance(section, LayeredSection):
            number = int(block.element_ids[np.flatnonzero(varies)[0]])
            refuse(format, f"the thickness of {block.label}, which varies inside element {number} (write .h5)")
        rows = np.flatnonzero(varies)
        yield WrittenWall(section, rows, thickness=at_nodes[rows])
    even = np.flatnonzero(~varies)
    thickness, which = np.unique(at_nodes[even, 0], return_inverse=True)
    for k, value in enumerate(thickness.tolist()):
        yield WrittenWall(_thick(section, value), even[which == k])


def directed_walls(fe: FEModel, block: ElementBlock, format: str, tapered: bool = False) -> Iterator[WrittenWall]:
    """Yield the same, and apart from each other the walls whose materials lie in different directions."""
    for wall in walls(block, format, tapered):
        if is_isotropic(wall.section, block.material):
            yield wall
            continue
        axes = material_frames(fe, block, wall.rows)
        for first, rows in grouped(axes.reshape(-1, 9)):
            thickness = None if wall.thickness is None else wall.thickness[rows]
            yield replace(wall, rows=wall.rows[rows], axes=axes[first], thickness=thickness)


def material_frames(fe: FEModel, block: ElementBlock, rows: IntArray) -> Array:
    """Return axes (k, 3, 3) as rows: along the material direction, across it in the wall, and the normal."""
    batch = batch_of(fe, block).picked(rows)
    axes = block.element.axes(batch)
    cosine, sine = material_angle(axes, direction_of(batch))
    x, y, z = axes.swapaxes(0, 1)
    return np.stack([cosine[:, None] * x + sine[:, None] * y, cosine[:, None] * y - sine[:, None] * x, z], axis=1)


def side_angles(fe: FEModel, block: ElementBlock, rows: IntArray) -> Array:
    """Return the angles (k,) [degrees] of the material directions against the first sides of the elements."""
    batch = batch_of(fe, block).picked(rows)
    axes = material_frames(fe, block, rows)
    cosine, sine = material_angle(axes, batch.xyz[:, 1] - batch.xyz[:, 0])
    return np.degrees(np.arctan2(-sine, cosine)) + 0.0


def corner_thickness(block: ElementBlock, thickness: Array) -> list[float]:
    """Return the thickness at the corners of an element for a format that has no other; along sides it is linear."""
    corners = block.element.corners
    ends, middles = thickness[:corners], thickness[corners:]
    if middles.size and not np.allclose(middles, 0.5 * (ends + np.roll(ends, -1)), rtol=1e-9):
        refuse("a Nastran deck", f"the thickness of {block.label}, which is not linear along the sides (write .h5)")
    return ends.tolist()


def turned(axes: Array, angle: float) -> Array:
    """Return axes (3, 3) turned about the normal by an angle [degrees]."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.array([c * axes[0] + s * axes[1], c * axes[1] - s * axes[0], axes[2]])


def ply_constants(material: Material, format: str) -> PlyConstants:
    """Return the constants of a material for layers; one without planes of symmetry is refused."""
    Q, G = plane_stress(material)
    largest = float(np.abs(Q).max())
    if np.abs(Q[:2, 2]).max() > _NONE * largest or abs(G[0, 1]) > _NONE * float(np.abs(G).max()):
        refuse(format, f"material '{material.name}' in a wall: it is not orthotropic in its own axes (write .h5)")
    S = inv(Q)
    E1, E2, G12 = (float(1.0 / S[k, k]) for k in range(3))
    rigid = 0.1 * RIGID * max(E1, E2, G12)
    G13, G23 = (0.0 if shear >= rigid else float(shear) for shear in np.diag(G))
    return PlyConstants(E1, E2, float(-S[0, 1] / S[0, 0]), G12, G13, G23)


def require_standard_shear(section: ShellSection | LayeredSection, block: ElementBlock, format: str) -> None:
    """Refuse what a format has no place for: other shear factors, and masses without stiffness."""
    if isinstance(section, ShellSection) and abs(section.shear_factor - _STANDARD_SHEAR) > 1e-12:
        refuse(format, f"shear factor {section.shear_factor:g} of {block.label}; it must be 5/6")
    if isinstance(section, LayeredSection) and section.extra_mass:
        refuse(format, f"the extra mass {section.extra_mass:g} kg/m2 of {block.label} (write .h5)")


def _thick(section: ShellSection | LayeredSection, thickness: float) -> ShellSection | LayeredSection:
    if isinstance(section, ShellSection):
        return replace(section, thickness=thickness)
    ratio = thickness / section.thickness
    return replace(section, layers=tuple(replace(y, thickness=y.thickness * ratio) for y in section.layers))
