"""Solids and shells of ANSYS files."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import IntArray
from floatframe.fem import Material
from floatframe.io import ansys_sections as sections
from floatframe.io.ansys_builder import Builder, Group
from floatframe.io.ansys_elements import BRICK8, BRICK20, SHELL8, TET4, brick_shapes, padded, shell_shapes, tet_shapes
from floatframe.io.given_materials import cure

# parts of an eight-node shell with a ninth node in the middle, and of a six-node triangle I J K, M (IJ), N (JK), P (KI)
_QUADS = ([0, 4, 8, 7], [4, 1, 5, 8], [8, 5, 2, 6], [7, 8, 6, 3])
_TRIANGLES = ([0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5])


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
    """SHELL63, 43, 181: shell4 and shell3; SHELL93, 281: four of them each, with a new node inside quadrilaterals."""
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
    nodes = padded(group.nodes, 8)
    triangle = (nodes[:, 2] == nodes[:, 3]) | (nodes[:, 3] == 0)
    # a triangle has no edge from K to L
    used = np.where(triangle[:, None], [True, True, False, True], True)
    whole = ((nodes[:, 4:] != 0) | ~used).all(axis=1)
    if (~whole & nodes[:, 4:].any(axis=1)).any():
        builder.log.skip(group.name, "an element without some of its mid-side nodes is taken without all of them")
    for shape in shell_shapes(nodes[~whole]):
        ids = group.ids[~whole][shape.rows]
        builder.add_block(shape.kind, group, ids, shape.nodes, material, wall.section)

    def add(kind: str, mask: IntArray, corners: IntArray, parts: tuple[list[int], ...]) -> None:
        numbers = builder.split(group.ids[mask], len(parts))
        for k, part in enumerate(parts):
            builder.add_block(kind, group, numbers[:, k], corners[:, part], material, wall.section)

    quads = whole & ~triangle
    if quads.any():
        places = builder.places(nodes[quads], f"{group.name} element", group.ids[quads])
        # where the shape functions of the eight-node element put its middle
        centre = places[:, 4:].sum(axis=1) / 2.0 - places[:, :4].sum(axis=1) / 4.0
        add("shell4", quads, np.column_stack([nodes[quads], builder.add_nodes(centre)]), _QUADS)
    triangles = whole & triangle
    if triangles.any():
        add("shell3", triangles, nodes[triangles][:, [0, 1, 2, 4, 5, 7]], _TRIANGLES)
    if whole.any():
        builder.log.warn(f"{group.name} elements are divided into four flat shell elements each.")
