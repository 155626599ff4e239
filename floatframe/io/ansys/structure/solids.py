"""Solids and shells of ANSYS files."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.io.ansys.apdl import (
    BRICK8,
    BRICK20,
    SHELL8,
    SOLID_SHELL,
    TET4,
    brick_shapes,
    padded,
    shell_shapes,
    tet_shapes,
)
from floatframe.io.ansys.commands import system_of
from floatframe.io.ansys.structure import walls
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.deck import quadratic_shapes, shear_panel


def add_solids(builder: Builder, group: Group) -> None:
    """SOLID45, 185: hex8; SOLSH190: hex8_shell; SOLID95, 186: hex20, reduced as their key option has it; SOLID92, 187:
    tet10; and their degenerate shapes."""
    number, material = group.type.number, builder.material(_material_number(builder, group))
    if number in BRICK8 or number in BRICK20:
        shapes = brick_shapes(group.nodes, number in BRICK20)
    else:
        shapes = tet_shapes(group.nodes if number not in TET4 else padded(group.nodes, 4))
    reduced = (number == 186 and group.type.key(2) == 0) or (number == 95 and group.type.key(11) == 1)
    for shape in shapes:
        if shape.kind in ("hex8", "hex20") and _repeats(shape.nodes[:, :8]):
            builder.log.warn(
                f"{group.name} elements other than wedges, pyramids and tetrahedra have coincident corners."
            )
        if number == 185 and shape.kind == "hex8" and group.type.key(2) in (0, 1):
            builder.log.note(
                "SOLID185 bends with incompatible modes, as with KEYOPT(2) = 2 or 3; with 0 ANSYS itself is stiffer in "
                "bending on coarse meshes, with 1 softer."
            )
        nodes = builder.fill_middles(shape.kind, shape.nodes)
        kind = "hex20_reduced" if reduced and shape.kind == "hex20" else shape.kind
        if number in SOLID_SHELL:
            kind = "hex8_shell" if kind == "hex8" else kind
        more = {}
        if material.matrix is not None and group.system:
            more["material_axes"] = system_axes(builder, group, shape.nodes, group.ids[shape.rows])
        builder.add_block(kind, group, group.ids[shape.rows], nodes, material, data=more)


def _material_number(builder: Builder, group: Group) -> int:
    """Return the material of solids, of SOLSH190 and layered SOLID185 and SOLID186 that of the layers of a section."""
    data = builder.deck.sections.get(group.section)
    layered = group.type.number in SOLID_SHELL or (group.type.number in (185, 186) and group.type.key(3) == 1)
    if not layered or data is None or data.kind != "SHEL":
        return group.material
    rows = [[*row, 0.0, 0.0, 0.0] for row in data.rows if row and row[0] > 0.0]
    numbers = {int(row[1]) or group.material for row in rows} or {group.material}
    turned = any(row[2] for row in rows) and any(builder.material(n).matrix is not None for n in numbers)
    if len(numbers) > 1 or turned:
        reason = "solids with layers of different materials or directions are not read"
        builder.log.lose(f"{group.name} SECDATA", "stiffness", reason, data.line, group.ids.size)
    return min(numbers)


def system_axes(builder: Builder, group: Group, nodes: IntArray, ids: IntArray) -> Array:
    """Return the axes (n, 3, 3), as rows, of the system of a group (ESYS) at the centres of elements."""
    system = system_of(builder.deck, group.system)
    if system.kind == 0:
        return np.tile(system.axes.T, (len(nodes), 1, 1))
    centres = builder.places(np.where(nodes == 0, nodes[:, :1], nodes), f"{group.name} element", ids).mean(axis=1)
    return np.array([system.axes_at(centre).T for centre in centres])


def _repeats(corners: IntArray) -> bool:
    """Whether any row (n, 8) names a node twice."""
    ordered = np.sort(corners, axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


def add_shells(builder: Builder, group: Group) -> bool:
    """SHELL63, 43, 181: shell4 and shell3; SHELL91, 93, 99, 281: shell8, shell6, flat ones without mid-side nodes."""
    wall = walls.wall_of(builder, group)
    if wall is None:
        return False
    if group.type.number in SHELL8:
        _add_quadratic_shells(builder, group, wall)
        return True
    for shape in shell_shapes(group.nodes):
        ids = group.ids[shape.rows]
        more = walls.more_data(builder, group, wall, shape.nodes, ids)
        builder.add_block(shape.kind, group, ids, shape.nodes, wall.material, wall.section, more, wall.active)
    return True


def add_shear_panels(builder: Builder, group: Group) -> bool:
    """SHELL28: a panel that carries shear alone, with a quarter of its mass at each corner; return whether it does."""
    if group.type.key(1):
        builder.log.lose(group.name, "stiffness", "twist panels (KEYOPT(1) = 1) are not read", count=group.ids.size)
        return False
    thickness, material = [*builder.needed_reals(group), 0.0][0], builder.material(group.material)
    if not thickness > 0.0:
        raise builder.log.error(f"{group.name} real constants {group.real} have no thickness; it must be positive.")
    nodes = padded(group.nodes, 4)
    places = builder.places(nodes, f"{group.name} element", group.ids)
    try:
        found = [shear_panel(corners, material.G * thickness, material.nu) for corners in places]
    except ModelError as error:
        raise builder.log.error(f"{group.name} with real constants {group.real}: {error}") from error
    masses = [material.rho * thickness * area / 4.0 * np.eye(12) for _, area in found]
    data = {"stiffness": np.array([stiffness for stiffness, _ in found]), "mass": np.array(masses)}
    builder.add_block("point_quad_matrix", group, group.ids, nodes, data=data)
    return True


def _add_quadratic_shells(builder: Builder, group: Group, wall: walls.Wall) -> None:
    nodes = padded(group.nodes, 8).copy()
    triangle = nodes[:, 3] == 0
    nodes[triangle, 3] = nodes[triangle, 2]
    for shape in quadratic_shapes(nodes):
        found, ids = nodes[shape.rows][:, shape.places], group.ids[shape.rows]
        if len(shape.places) > 4:
            found = builder.fill_middles(shape.kind, found)
        more = walls.more_data(builder, group, wall, found, ids)
        builder.add_block(shape.kind, group, ids, found, wall.material, wall.section, more, wall.active)
