"""The finite element model of the beam."""

from __future__ import annotations

from floatframe.fem import BeamSection, FEModel, Material, beam_line


def build(n: int = 200, length: float = 2.0, side: float = 0.02, density: float = 7850.0) -> FEModel:
    """Return the beam along x with n Euler–Bernoulli elements and nodes 1..n+1; lengths in m, density in kg/m3."""
    steel = Material(E=2.1e11, nu=0.3, rho=density, name="steel")
    section = BeamSection.rectangle(side, side).without_shear()
    return beam_line((0, 0, 0), (length, 0, 0), n, section, steel, name="beam")
