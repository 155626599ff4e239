"""What is in models and modes: counts, properties and what the checks find."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from floatframe import fem, modal
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, FEModel, LayeredSection, Material, MatrixModel, ShellSection, WallSection
from floatframe.io.native.describe import describe
from floatframe.io.native.modes_hdf5 import NodalModes

MECHANISM_LIMIT = 50_000  # dofs above which looking for mechanisms takes more than a moment
MECHANISMS_COUNTED = 96
MECHANISMS_LISTED = 8


@describe.register
def _(fe: FEModel, mechanisms: bool = False) -> dict[str, Any]:
    masses = fe.mass_properties()
    held = 6 * fe.node_index(fe.supports[:, 0]) + fe.supports[:, 1]  # solids have no rotations to be held
    materials = dict.fromkeys(material for block in fe.blocks for material in block.materials)
    sections = dict.fromkeys(block.section for block in fe.blocks if block.section is not None)
    kinds: Counter[str] = Counter()
    for block in fe.blocks:
        kinds[block.kind] += len(block)
    return {
        "content": "finite_element_model",
        "name": fe.name,
        "node_count": fe.nnode,
        "element_count": fe.nelement,
        "dof_count": fe.ndof,
        "supported_dof_count": int((fe.dof_table.equation[held] >= 0).sum()),
        "extent_m": {
            axis: [float(fe.nodes[:, k].min()), float(fe.nodes[:, k].max())] for k, axis in enumerate("xyz") if fe.nnode
        },
        "elements_by_kind": dict(kinds),
        "materials": [_material(material) for material in materials],
        "beam_sections": [_beam(section) for section in sections if isinstance(section, BeamSection)],
        "shell_sections": [_shell(section) for section in sections if isinstance(section, WallSection)],
        "node_sets": {name: len(members) for name, members in fe.node_sets.items()},
        "element_sets": {name: len(members) for name, members in fe.element_sets.items()},
        "point_masses": [{"node": point.node, "mass_kg": point.mass} for point in fe.point_masses],
        "couplings_by_kind": dict(Counter(type(coupling).__name__ for coupling in fe.couplings)),
        "mass_matrix": fe.mass_rule,
        "mass_kg": masses.mass,
        "centre_of_mass_m": masses.com.tolist(),
        "inertia_about_centre_of_mass_kg_m2": masses.inertia.tolist(),
        **_checked(fe, mechanisms),
    }


def _checked(fe: FEModel, mechanisms: bool) -> dict[str, Any]:
    """Return what is wrong with a model, and whether mechanisms were looked for; in large ones only if asked for."""
    checked = fem.check_model(fe)
    problems = [
        {"severity": one.severity, "text": str(one), "nodes": one.nodes.tolist(), "elements": one.elements.tolist()}
        for one in checked.problems
    ]
    # elements that are wrong have no stiffness to look at
    if not checked.ok or not fe.ndof:
        return {"mechanisms_checked": None, "problems": problems}
    if fe.ndof > MECHANISM_LIMIT and not mechanisms:
        return {"mechanisms_checked": False, "problems": problems}
    found = [{"severity": "warning", "text": text, "nodes": [], "elements": []} for text in _mechanisms(fe)]
    return {"mechanisms_checked": True, "problems": [*problems, *found]}


def _mechanisms(fe: FEModel) -> list[str]:
    """Return a sentence for each motion without resistance, the rest counted."""
    try:
        idle = modal.idle_of_model(fe)
        rest = [(node, [fem.DOF_NAMES[part]]) for node, part in idle.tolist()]
        every = modal.find_mechanisms(fe, rest, most=MECHANISMS_COUNTED)
    except ModelError as error:
        return [str(error)]
    found = [motion for motion in every if not motion.whole]
    sentences = [f"{modal.idle_note(idle)}."] if len(idle) else []
    sentences += [f"Mechanism: {motion}." for motion in found[:MECHANISMS_LISTED]]
    if len(found) > MECHANISMS_LISTED:
        least = "at least " if len(every) == MECHANISMS_COUNTED else ""
        sentences.append(f"Mechanism: {least}{len(found) - MECHANISMS_LISTED} more.")
    return sentences


@describe.register
def _(model: MatrixModel) -> dict[str, Any]:
    masses = model.mass_properties()
    return {
        "content": "matrix_model",
        "name": model.name,
        "node_count": int(model.placed.sum()),
        "mode_amplitude_count": len(model.scalars),
        "dof_count": model.ndof,
        "supported_dof_count": len(model.supports),
        "stiffness_entry_count": int(model.K.nnz),
        "mass_entry_count": int(model.M.nnz),
        "node_sets": {name: len(members) for name, members in model.node_sets.items()},
        "mass_kg": masses.mass,
        "centre_of_mass_m": masses.com.tolist(),
        "inertia_about_centre_of_mass_kg_m2": masses.inertia.tolist(),
    }


@describe.register
def _(modes: NodalModes) -> dict[str, Any]:
    return {
        "content": "eigenmodes",
        "node_count": len(modes.node_ids),
        "modes": [
            {"mode": k, "frequency_hz": frequency, "residual": residual, "kind": kind}
            for k, (frequency, residual, kind) in enumerate(
                zip(modes.frequency.tolist(), modes.residual.tolist(), modes.kind, strict=True), start=1
            )
        ],
    }


def _beam(section: BeamSection) -> dict[str, Any]:
    """Return the stiffness constants of a section; None where one is infinite."""
    constants = {
        "area_m2": section.A,
        "second_moment_y_m4": section.Iy,
        "second_moment_z_m4": section.Iz,
        "product_moment_m4": section.Iyz,
        "torsion_constant_m4": section.J,
        "shear_factor_y": section.ky,
        "shear_factor_z": section.kz,
    }
    return {"name": section.name, **{key: None if value == math.inf else value for key, value in constants.items()}}


def _shell(section: WallSection) -> dict[str, Any]:
    """Return the constants of a wall."""
    row = {"name": section.name, "thickness_m": section.thickness, "offset_m": section.offset}
    if isinstance(section, ShellSection):
        return {**row, "shear_factor": section.shear_factor}
    if isinstance(section, LayeredSection):
        layers = [
            {"material": y.material.name, "thickness_m": y.thickness, "angle_deg": y.angle} for y in section.layers
        ]
        return {**row, "layers": layers}
    matrices = {
        "membrane_stiffness_n_per_m": section.A,
        "coupling_stiffness_n": section.B,
        "bending_stiffness_n_m": section.D,
        "shear_stiffness_n_per_m": section.S,
    }
    return {**row, **{key: None if m is None else [list(r) for r in m] for key, m in matrices.items()}}


def _material(material: Material) -> dict[str, Any]:
    """Return the constants of a material; those of an anisotropic one are its means over all directions."""
    return {
        "name": material.name,
        "youngs_modulus_pa": material.E,
        "poisson_ratio": material.nu,
        "density_kg_per_m3": material.rho,
        "anisotropic": material.matrix is not None,
    }
