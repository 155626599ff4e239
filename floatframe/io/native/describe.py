"""What is in an object that a file can hold, as plain numbers and words for people and for JSON."""

from __future__ import annotations

import math
from collections import Counter
from functools import singledispatch
from typing import Any

from floatframe import fem, modal
from floatframe.errors import ModelError
from floatframe.fem import BeamSection, FEModel, LayeredSection, Material, MatrixModel, ShellSection, WallSection
from floatframe.io.native.modes_hdf5 import NodalModes

MASS_RULES = {
    "consistent": "consistent",
    "lumped": "lumped",
    "points": "lumped, without rotary inertia",
    "torsion": "lumped, with rotary inertia about the axes of beams alone",
    "mixed": "of several kinds, block by block",
}
MECHANISM_LIMIT = 50_000  # freedoms above which looking for mechanisms takes more than a moment
MECHANISMS_COUNTED = 96
MECHANISMS_TOLD = 8


@singledispatch
def describe(thing: object, mechanisms: bool = False) -> dict[str, Any]:
    """Return counts, properties and the result of the checks of a model, body or result.

    Keys are headings; values are numbers, words, or mappings and lists of them. A finite element model also takes
    mechanisms=True, which looks for free motions however large it is; it costs a factorisation of its stiffness.
    """
    raise ModelError(f"a {type(thing).__name__} has no description.")


@describe.register
def _(fe: FEModel, mechanisms: bool = False) -> dict[str, Any]:
    masses = fe.mass_properties()
    materials = dict.fromkeys(material for block in fe.blocks for material in block.materials)
    sections = dict.fromkeys(block.section for block in fe.blocks if block.section is not None)
    kinds: Counter[str] = Counter()
    for block in fe.blocks:
        kinds[block.kind] += len(block)
    return {
        "what": "finite element model",
        "name": fe.name,
        "nodes": fe.nnode,
        "elements": fe.nelement,
        "degrees of freedom": fe.ndof,
        "supported freedoms": len(fe.supports),
        "extent [m]": {
            axis: [float(fe.nodes[:, k].min()), float(fe.nodes[:, k].max())] for k, axis in enumerate("xyz") if fe.nnode
        },
        "elements by kind": dict(kinds),
        "materials": [_material(material) for material in materials],
        "beam sections": [_beam(section) for section in sections if isinstance(section, BeamSection)],
        "shell sections": [_shell(section) for section in sections if isinstance(section, WallSection)],
        "node sets": {name: len(members) for name, members in fe.node_sets.items()},
        "element sets": {name: len(members) for name, members in fe.element_sets.items()},
        "point masses": [{"node": point.node, "mass [kg]": point.mass} for point in fe.point_masses],
        "couplings": dict(Counter(type(coupling).__name__ for coupling in fe.couplings)),
        "mass matrix": MASS_RULES[fe.mass_rule],
        "mass [kg]": masses.mass,
        "centre of mass [m]": masses.com.tolist(),
        "inertia about it [kg m2]": masses.inertia.tolist(),
        "problems": _problems(fe, mechanisms),
    }


def _problems(fe: FEModel, mechanisms: bool) -> list[str]:
    """Return what is wrong with a model in words; mechanisms of large ones only if asked for."""
    checked = fem.check_model(fe)
    problems = [str(problem) for problem in checked.problems]
    # elements that are wrong have no stiffness to look at
    if not checked.ok or not fe.ndof:
        return problems
    if fe.ndof > MECHANISM_LIMIT and not mechanisms:
        return [*problems, f"Not looked for: mechanisms, in {fe.ndof} freedoms; `floatframe info --mechanisms` does."]
    try:
        idle = modal.idle_of_model(fe)
        rest = [(node, [fem.DOF_NAMES[part]]) for node, part in idle.tolist()]
        every = modal.find_mechanisms(fe, rest, most=MECHANISMS_COUNTED)
    except ModelError as error:
        return [*problems, str(error)]
    problems += [f"{modal.idle_note(idle)}."] if len(idle) else []
    found = [motion for motion in every if not motion.whole]
    problems += [f"Mechanism: {motion}." for motion in found[:MECHANISMS_TOLD]]
    if len(found) > MECHANISMS_TOLD:
        least = "at least " if len(every) == MECHANISMS_COUNTED else ""
        problems.append(f"Mechanism: {least}{len(found) - MECHANISMS_TOLD} more.")
    return problems


@describe.register
def _(model: MatrixModel) -> dict[str, Any]:
    masses = model.mass_properties()
    return {
        "what": "matrices of a structure",
        "name": model.name,
        "nodes": int(model.placed.sum()),
        "amplitudes of modes": len(model.scalars),
        "degrees of freedom": model.ndof,
        "supported freedoms": len(model.supports),
        "entries of the stiffness": int(model.K.nnz),
        "entries of the mass": int(model.M.nnz),
        "node sets": {name: len(members) for name, members in model.node_sets.items()},
        "mass [kg]": masses.mass,
        "centre of mass [m]": masses.com.tolist(),
        "inertia about it [kg m2]": masses.inertia.tolist(),
    }


@describe.register
def _(modes: NodalModes) -> dict[str, Any]:
    return {
        "what": "eigenmodes on nodes",
        "nodes": len(modes.node_ids),
        "modes": [
            {"mode": k, "frequency [Hz]": frequency, "residual": residual, "kind": kind}
            for k, (frequency, residual, kind) in enumerate(
                zip(modes.frequency.tolist(), modes.residual.tolist(), modes.kind, strict=True), start=1
            )
        ],
    }


def _beam(section: BeamSection) -> dict[str, Any]:
    """Return the stiffness constants of a section; None where one is infinite."""
    units = {"A": "A [m2]", **{name: f"{name} [m4]" for name in ("Iy", "Iz", "Iyz", "J")}, "ky": "ky", "kz": "kz"}
    constants = {heading: getattr(section, symbol) for symbol, heading in units.items()}
    return {"name": section.name, **{key: None if value == math.inf else value for key, value in constants.items()}}


def _shell(section: WallSection) -> dict[str, Any]:
    """Return the constants of a wall."""
    row = {"name": section.name, "thickness [m]": section.thickness, "offset [m]": section.offset}
    if isinstance(section, ShellSection):
        return {**row, "shear factor": section.shear_factor}
    if isinstance(section, LayeredSection):
        layers = [f"{y.material.name} {y.thickness:g} m at {y.angle:g}°" for y in section.layers]
        return {**row, "layers": layers}
    matrices = {"A [N/m]": section.A, "B [N]": section.B, "D [N m]": section.D, "S [N/m]": section.S}
    return {**row, **{key: None if m is None else [list(r) for r in m] for key, m in matrices.items()}}


def _material(material: Material) -> dict[str, Any]:
    """Return the constants of a material; those of one with a matrix are its means over all directions."""
    row = {"name": material.name, "E [Pa]": material.E, "nu": material.nu, "rho [kg/m3]": material.rho}
    return row if material.matrix is None else {**row, "law": "matrix (E and nu: means)"}
