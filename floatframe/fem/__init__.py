"""Finite element models: materials, sections, elements, builders, assembly, couplings, stresses."""

from floatframe.fem.couplings import MPC, RBE2, RBE3
from floatframe.fem.builders import beam_line, frame, plate_grid, shell_mesh
from floatframe.fem.dofs import DOF_NAMES
from floatframe.fem.elements import Element, element_kind, element_kinds, register
from floatframe.fem.mass_properties import MassProperties, mass_properties
from floatframe.fem.masses import PointMass
from floatframe.fem.materials import Material
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.sections import BeamSection, ShellSection

__all__ = [
    "DOF_NAMES",
    "MPC",
    "RBE2",
    "RBE3",
    "BeamSection",
    "Element",
    "ElementBlock",
    "FEModel",
    "MassProperties",
    "Material",
    "PointMass",
    "ShellSection",
    "beam_line",
    "element_kind",
    "element_kinds",
    "frame",
    "mass_properties",
    "plate_grid",
    "register",
    "shell_mesh",
]
