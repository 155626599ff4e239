"""Models of foreign files in SI units, and a look at magnitudes that betray a wrong system."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import diags_array

from floatframe.arrays import AnyArray, Array
from floatframe.errors import ModelError
from floatframe.fem import (
    MPC,
    Coupling,
    ElementBlock,
    FEModel,
    GeneralShellSection,
    LayeredSection,
    Material,
    MatrixModel,
    PointMass,
    Section,
    ShellSection,
)
from floatframe.io.units import UNIT_SYSTEMS, Units, unit_system

# dimensions of per-element data
_PLAIN = ("orientation", "axes", "material_axes", "direction", "location")
_LENGTHS = ("offsets", "thickness")
# springs and matrices: mass · time^power, times a length for each rotation
_TIME_POWER = {"stiffness": -2, "damping": -1, "mass": 0}

# what engineering materials have, foams to tungsten, rubbers to diamond
_DENSITIES = (5.0, 3e4)
_MODULI = (3e5, 1.3e12)
_LONGEST = 1e4  # [m] the largest structure believed without a question

_Model = TypeVar("_Model", FEModel, MatrixModel)


def to_si(model: _Model, units: str | Units) -> _Model:
    """Return a model whose numbers were given in `units` with all of them in SI."""
    system = unit_system(units)
    if system == UNIT_SYSTEMS["SI"]:
        return model
    return _matrices(model, system) if isinstance(model, MatrixModel) else _elements(model, system)


def _elements(fe: FEModel, units: Units) -> FEModel:
    materials: dict[Material, Material] = {}
    sections: dict[Section, Section] = {}
    blocks = []
    for block in fe.blocks:
        material, section = block.material, block.section
        if material is not None:
            material = materials.setdefault(material, _material(material, units))
        if section is not None:
            section = sections.setdefault(section, _section(section, units))
        data = {name: values * _data_factor(block, name, values, units) for name, values in block.data.items()}
        blocks.append(replace(block, material=material, section=section, data=data))
    return replace(
        fe,
        nodes=fe.nodes * units.length,
        blocks=tuple(blocks),
        point_masses=tuple(_point_mass(mass, units) for mass in fe.point_masses),
        couplings=tuple(_coupling(coupling, units) for coupling in fe.couplings),
    )


def _matrices(model: MatrixModel, units: Units) -> MatrixModel:
    # a moment is a force times a length, a translation a rotation times a length
    # amplitudes of modes are numbers, as angles are
    turns = (model.dofs[:, 1] >= 3) | np.isin(model.dofs[:, 0], model.scalars)
    arm = diags_array(np.where(turns, units.length, 1.0))
    return replace(
        model,
        nodes=model.nodes * units.length,
        K=arm @ model.K @ arm * (units.mass / units.time**2),
        M=arm @ model.M @ arm * units.mass,
    )


def _material(material: Material, units: Units) -> Material:
    rows = None if material.matrix is None else (units.stress * material.elasticity()).tolist()
    matrix = None if rows is None else tuple(tuple(row) for row in rows)
    return replace(material, E=material.E * units.stress, rho=material.rho * units.density, matrix=matrix)


def _section(section: Section, units: Units) -> Section:
    L = units.length
    if isinstance(section, ShellSection):
        return replace(section, thickness=section.thickness * L, offset=section.offset * L)
    if isinstance(section, LayeredSection):
        layers = [replace(y, material=_material(y.material, units), thickness=y.thickness * L) for y in section.layers]
        extra = section.extra_mass * units.mass / L**2
        return replace(section, layers=tuple(layers), offset=section.offset * L, extra_mass=extra)
    if isinstance(section, GeneralShellSection):
        return _general_section(section, units)
    ey, ez = section.shear_centre
    return replace(
        section,
        A=section.A * L**2,
        Iy=section.Iy * L**4,
        Iz=section.Iz * L**4,
        Iyz=section.Iyz * L**4,
        J=section.J * L**4,
        shear_centre=(ey * L, ez * L),
        y_max=section.y_max * L,
        z_max=section.z_max * L,
        Wt=section.Wt * L**3,
        outline=tuple((y * L, z * L) for y, z in section.outline),
        hole=tuple((y * L, z * L) for y, z in section.hole),
    )


def _general_section(section: GeneralShellSection, units: Units) -> GeneralShellSection:
    L, per_length = units.length, units.force / units.length
    powers = {"A": 0, "B": 1, "D": 2, "S": 0}
    scaled: dict[str, Any] = {
        name: per_length * L**power * np.array(matrix)
        for name, power in powers.items()
        if (matrix := getattr(section, name)) is not None
    }
    for k, name in enumerate(("m0", "m1", "m2")):
        scaled[name] = getattr(section, name) * units.mass * L ** (k - 2)
    return replace(section, **scaled, thickness=section.thickness * L, offset=section.offset * L)


def _data_factor(block: ElementBlock, name: str, values: AnyArray, units: Units) -> float | Array:
    """Return the factor of per-element data; springs have one for each pair of force and motion."""
    if name in _LENGTHS:
        return units.length
    if name in _PLAIN:
        return 1.0
    if name not in _TIME_POWER:
        raise ModelError(f"{block.label}: the dimension of data '{name}' is unknown, so it cannot be converted to SI.")
    whole = units.mass * units.time ** _TIME_POWER[name]
    if values.ndim < 2:
        return whole
    # the dofs of a node are translations, then rotations if it has any
    arm = np.where(np.arange(values.shape[1]) % block.element.dof_per_node < 3, 1.0, units.length)
    return whole * (arm**2 if values.ndim == 2 else np.outer(arm, arm))


def _point_mass(mass: PointMass, units: Units) -> PointMass:
    L = units.length
    return replace(
        mass,
        mass=mass.mass * units.mass,
        inertia=mass.inertia * (units.mass * L**2),
        offset=mass.offset * L,
    )


def _coupling(coupling: Coupling, units: Units) -> Coupling:
    """Only general constraints hold numbers with a dimension: rotations count in radians, translations in lengths."""
    if not isinstance(coupling, MPC):
        return coupling
    terms = [
        (node, component, factor * (units.length if int(component) >= 3 else 1.0))
        for node, component, factor in coupling.terms
    ]
    return replace(coupling, terms=terms)


def magnitude_warnings(fe: FEModel, units: str | Units = "SI") -> list[str]:
    """Return sentences about moduli, densities and sizes that no structure has; `units` are those fe was read with.

    Each names the likely cause: the unit system in which the file's own numbers would make sense.
    """
    used = unit_system(units)
    found = []
    materials = dict.fromkeys(material for block in fe.blocks for material in block.materials)
    for material in materials:
        odd = []
        if not _MODULI[0] <= material.E <= _MODULI[1]:
            odd.append(f"E = {material.E:g} Pa")
        if material.rho > 0 and not _DENSITIES[0] <= material.rho <= _DENSITIES[1]:
            odd.append(f"density = {material.rho:g} kg/m3")
        if odd:
            found.append(
                f"material '{material.name}' has {' and '.join(odd)} when read as {used.name}, which no engineering "
                f"material has; {_likely_cause(material, used)}."
            )
    extent = float(np.ptp(fe.nodes, axis=0).max(initial=0.0))
    if not found and extent > _LONGEST:
        found.append(
            f"the model is {extent:g} m long when read as {used.name}; if its lengths are in millimetres, use --units "
            "mm-t-s (with E in MPa) or mm-kg-ms (with E in GPa)."
        )
    return found


def _likely_cause(material: Material, used: Units) -> str:
    """Name the system in which the numbers of the file are those of a real material."""
    E, rho = material.E / used.stress, material.rho / used.density
    for system in UNIT_SYSTEMS.values():
        stiff = _MODULI[0] <= E * system.stress <= _MODULI[1]
        heavy = rho == 0 or _DENSITIES[0] <= rho * system.density <= _DENSITIES[1]
        if stiff and heavy and system != used:
            return f"its numbers look like {system.name}: read the file with --units {system.name}"
    return "its modulus and density do not fit any unit system together: check for mixed units in the file"
