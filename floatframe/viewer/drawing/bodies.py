"""What to draw of a reduced body: the mesh it keeps for display."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem import BeamSection, ShellSection
from floatframe.viewer.drawing.fe_models import line_part, marks, thick_walls, wall_part
from floatframe.viewer.drawing.glyphs import cylinder, turned
from floatframe.viewer.drawing.polygons import grouped, outer
from floatframe.viewer.drawing.section_sweep import profile, swept
from floatframe.viewer.scene import Label, Part

if TYPE_CHECKING:
    from floatframe.arrays import Array, IntArray
    from floatframe.modal import ReducedBody

_LABELS_UP_TO = 16  # interface nodes; more numbers than that cover each other


def body_parts(body: ReducedBody, thick_shells: bool = False, least_rod: float | None = None) -> tuple[Part, ...]:
    """Return the drawing of a body: shells, outer faces of solids, beams, and balls on its interface nodes.

    A body does not know how the sections of its beams are turned: they are drawn as rods of the same area, and as
    lines where it has no sections at all, as in an input.fum; with least_rod as rods of this radius [m].
    """
    shells: list[IntArray] = []
    solids: list[IntArray] = []
    lines: list[IntArray] = []
    rods: dict[float, list[IntArray]] = defaultdict(list)
    walls: dict[int, list[tuple[IntArray, Array, Array]]] = defaultdict(list)
    for kind, rows, cells in body.mesh.cells():
        faces = [cells[:, list(polygon)] for polygon in kind.polygons]
        section = body.mesh.element_section[rows]
        if len(faces) == 1 and faces[0].shape[1] == 2:
            for number in np.unique(section):
                found = body.mesh.sections[number] if number >= 0 else None
                ends = faces[0][section == number]
                if isinstance(found, BeamSection):
                    rods[found.A].append(ends)
                else:
                    lines.append(ends)
            continue
        # one polygon is a wall, or several of a curved one; the many of a solid hide each other inside
        if len(faces) > 1 and not kind.name.startswith("shell"):
            solids += [face for face in faces if face.shape[1] > 2]
            continue
        for face in faces:
            if face.shape[1] > 2:
                shells.append(face)
                walls[face.shape[1]].append((face, *_thickness(body, section)))
    parts: list[Part] = []
    if thick_shells:
        if walls and not any(thickness.any() for group in walls.values() for _, thickness, _ in group):
            raise ModelError(
                f"body '{body.name}' does not store the thickness of its shells; give the finite element model "
                "it was made "
                "from (fe=, on the command line --model FE)."
            )
        parts += [
            thick_walls(body.nodes, *(np.concatenate(column) for column in zip(*group, strict=True)))
            for group in walls.values()
        ]
    elif shells:
        parts.append(wall_part("shells", body.nodes, tuple(grouped(shells))))
    if solids:
        parts.append(wall_part("solids", body.nodes, tuple(outer(solids))))
    parts += [_rods(body.nodes, np.concatenate(ends), area) for area, ends in rods.items()]
    if lines and least_rod:
        parts.append(_rods(body.nodes, np.concatenate(lines), np.pi * least_rod**2))
    elif lines:
        parts.append(line_part("beams", body.nodes, np.concatenate(lines)))
    if not parts:
        parts.append(marks("nodes", body.nodes, np.arange(body.nnode), color=""))
    return (*parts, *interface_marks(body))


def interface_marks(body: ReducedBody) -> tuple[Part, ...]:
    """Return balls on the interface nodes, if there are any."""
    numbers = body.interface_nodes
    return (marks("interface", body.nodes, body.node_index(numbers)),) if numbers.size else ()


def interface_labels(body: ReducedBody) -> tuple[Label, ...]:
    """Return numbers and names of the interface nodes, none if there are too many to be read."""
    numbers = body.interface_nodes
    if numbers.size > _LABELS_UP_TO:
        return ()
    rows = body.node_index(numbers)
    words = [f"{number} {body.name_of(number)}".rstrip() for number in numbers.tolist()]
    return tuple(Label(text, tuple(body.nodes[k]), anchor=int(k)) for text, k in zip(words, rows, strict=True))


def _thickness(body: ReducedBody, section: IntArray) -> tuple[Array, Array]:
    """Return thickness (k,) and offset (k,) of walls by their sections, zero where there is none."""
    found = [s if isinstance(s, ShellSection) else None for s in body.mesh.sections]
    table = np.array([(s.thickness, s.offset) if s else (0.0, 0.0) for s in found] + [(0.0, 0.0)])
    return table[section, 0], table[section, 1]


def _rods(nodes: Array, ends: IntArray, area: float) -> Part:
    circle = cylinder(12).points[:12, 1:] * np.sqrt(area / np.pi)
    line = nodes[ends[:, 1]] - nodes[ends[:, 0]]
    solid = np.linalg.norm(line, axis=1) > 0
    axes = np.swapaxes(turned(line[solid]), 1, 2)
    return swept("beams", profile(circle), nodes, ends[solid], np.zeros((int(solid.sum()), 2, 3)), axes)
