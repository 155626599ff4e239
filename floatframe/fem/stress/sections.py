"""Stresses in beam sections from their section forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.fem.properties import BeamSection
from floatframe.fem.stress.tensors import joined_shear


@dataclass(frozen=True)
class BeamStress:
    """Extreme stresses of sections (...,) [Pa]: normal stress from `lowest` to `highest`, shear stress, von Mises."""

    lowest: Array
    highest: Array
    shear: Array
    von_mises: Array


def fibre_stress(section: BeamSection, resultants: Array, points: Array) -> Array:
    """Return normal stresses (..., k) at section points (k, 2) = (y, z) for resultants (..., 6) = N, Vy, Vz, T, My, Mz.

    The axes need not be principal; with Iyz = 0 the stress is N/A + My z/Iy - Mz y/Iz.
    """
    N, My, Mz = resultants[..., 0], resultants[..., 4], resultants[..., 5]
    determinant = section.Iy * section.Iz - section.Iyz**2
    along_y = (section.Iy * Mz + section.Iyz * My) / determinant
    along_z = (section.Iz * My + section.Iyz * Mz) / determinant
    bending = along_z[..., None] * points[:, 1] - along_y[..., None] * points[:, 0]
    return np.asarray(N[..., None] / section.A + bending)


def extreme_points(section: BeamSection) -> Array:
    """Return section points (k, 2) = (y, z) furthest out; none where a section was given by its constants only."""
    y, z = section.y_max, section.z_max
    points = np.array(section.outline or ((-y, -z), (y, -z), (y, z), (-y, z)))
    return points if points.any() else np.empty((0, 2))


def extreme_stress(section: BeamSection, resultants: Array) -> BeamStress:
    """Return the extreme stresses for resultants (..., 6) = N, Vy, Vz, T, My, Mz.

    Normal stresses are taken at the corners of the outline, or of the box ± y_max, ± z_max where there is none. The
    shear stress adds torque / Wt to the shear forces over the shear areas; von Mises joins it to the greatest normal
    stress, which lies on the safe side.
    """
    points = extreme_points(section)
    if not points.size:
        raise ModelError(f"beam section '{section.name}': stresses need its outline or y_max and z_max; give them.")
    normal = fibre_stress(section, resultants, points)
    shear = joined_shear(shear_parts(section, resultants))
    lowest, highest = normal.min(axis=-1), normal.max(axis=-1)
    worst = np.maximum(np.abs(lowest), np.abs(highest))
    return BeamStress(lowest, highest, shear, np.sqrt(worst**2 + 3.0 * shear**2))


def shear_parts(section: BeamSection, resultants: Array) -> Array:
    """Return shear stresses (..., 3) [Pa] by forces along y and z over the shear areas and by the torque over Wt."""
    ky, kz = (k if np.isfinite(k) else 1.0 for k in (section.ky, section.kz))
    parts = (
        resultants[..., 1] / (ky * section.A),
        resultants[..., 2] / (kz * section.A),
        resultants[..., 3] / section.Wt,
    )
    return np.stack(parts, axis=-1)


def beam_stress(section: BeamSection, resultants: Array) -> Array:
    """Return the greatest von Mises stress (...,) [Pa] of sections under resultants (..., 6)."""
    return extreme_stress(section, resultants).von_mises
