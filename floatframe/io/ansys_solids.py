"""Solids and shells of ANSYS files."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import Material
from floatframe.io import ansys_sections as sections
from floatframe.io.ansys_builder import Builder, Group
from floatframe.io.ansys_elements import BRICK8, BRICK20, SHELL8, TET4, brick_shapes, padded, shell_shapes, tet_shapes
from floatframe.io.given_materials import cure
from floatframe.io.shell_shapes import quadratic_shapes


def add_solids(builder: Builder, group: Group) -> None:
    """SOLID45, 185: hex8; SOLID95, 186: hex20, reduced as their key option has it; SOLID92, 187: tet10; and their
    degenerate shapes."""
    number, material = group.type.number, builder.material(group.material)
    if number in (185, 186) and group.type.key(3):
        builder.log.skip(group.name, "layers (KEYOPT(3) = 1) are left out; the solid is homogeneous")
    if number in BRICK8 or number in BRICK20:
        shapes = brick_shapes(group.nodes, number in BRICK20)
    else:
        shapes = tet_shapes(group.nodes if number not in TET4 else padded(group.nodes, 4))
    reduced = (number == 186 and group.type.key(2) == 0) or (number == 95 and group.type.key(11) == 1)
    for shape in shapes:
        if shape.kind in ("hex8", "hex20") and _repeats(shape.nodes[:, :8]):
            builder.log.warn(
                f"{group.name} elements that are no wedge, pyramid or tetrahedron have corners in one place."
            )
        nodes = builder.fill_middles(shape.kind, shape.nodes)
        kind = "hex20_reduced" if reduced and shape.kind == "hex20" else shape.kind
        builder.add_block(kind, group, group.ids[shape.rows], nodes, material)


def _repeats(corners: IntArray) -> bool:
    """Whether any row (n, 8) names a node twice."""
    ordered = np.sort(corners, axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


def add_shells(builder: Builder, group: Group) -> None:
    """SHELL63, 43, 181: shell4 and shell3; SHELL93, 281: shell8 and shell6, flat ones without mid-side nodes."""
    data = builder.deck.sections.get(group.section)
    if data is not None and data.kind == "SHEL" and group.type.number not in (63, 43, 93):
        wall = sections.shell_section(group.section, data, builder.log)
    elif group.real in builder.deck.reals:
        wall = sections.shell_reals(group.real, group.type.number, builder.reals(group.real), builder.log)
    elif (given := builder.walls.get(str(group.section))) is not None:
        wall = sections.ShellData(given)
    else:
        raise builder.log.error(
            f"{group.name} element {group.ids[0]} has neither shell section {group.section} nor real constants "
            f"{group.real}; {cure(builder.log.path, group.section, 'section')}."
        )
    if group.type.key(1):
        builder.log.skip(group.name, "KEYOPT(1) leaves out membrane or bending stiffness; here shells have both")
    material = builder.material(wall.material or group.material)
    if group.type.number in SHELL8:
        _add_quadratic_shells(builder, group, wall, material)
        return
    for shape in shell_shapes(group.nodes):
        builder.add_block(shape.kind, group, group.ids[shape.rows], shape.nodes, material, wall.section)


def _add_quadratic_shells(builder: Builder, group: Group, wall: sections.ShellData, material: Material) -> None:
    nodes = padded(group.nodes, 8).copy()
    triangle = nodes[:, 3] == 0
    nodes[triangle, 3] = nodes[triangle, 2]
    for shape in quadratic_shapes(nodes):
        found = nodes[shape.rows][:, shape.places]
        if len(shape.places) > 4:
            found = builder.fill_middles(shape.kind, found)
        builder.add_block(shape.kind, group, group.ids[shape.rows], found, material, wall.section)
