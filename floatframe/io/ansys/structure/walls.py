"""Walls of ANSYS shells: layers of SECTYPE,…,SHELL, real constants, membranes, and the direction of their materials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import GeneralShellSection, Layer, LayeredSection, Material, ShellSection
from floatframe.io.ansys.commands import SectionData, system_of
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.deck import cure

_BY_CONSTANTS = {41, 43, 63, 93, 143}  # have no sections
_EQUAL = 1e-9
_SHEAR = 5.0 / 6.0
_SLACK = 1e-9  # shear stiffness of a membrane in parts of that of a wall: none, yet not zero
# places of the added mass per area, of the angle of the material, and of what is not read, by element
_ADDED = {43: 7, 63: 18, 93: 5, 143: 7, 181: 5, 41: 6}
_ANGLE = {41: 4, 43: 4, 63: 5, 93: 4, 143: 4, 181: 4}
_NOT_READ = {43: (5, 6), 63: (4, 6), 41: (5,), 143: (5, 6), 181: (6, 7, 8)}
_MEMBRANE, _BENDING = "membrane", "bending"


@dataclass(frozen=True)
class Wall:
    """A wall: section, the material of elements (none if layers bring theirs), thickness at corners.

    active: all dofs of a membrane, which stiffens its nodes against turning about its normal only; None for others.
    """

    section: ShellSection | LayeredSection | GeneralShellSection
    material: Material | None
    corners: tuple[float, ...] = ()
    active: tuple[int, ...] | None = None

    @property
    def directed(self) -> bool:
        """Whether it matters which way axis 1 of its materials points."""
        if isinstance(self.section, LayeredSection):
            return any(layer.material.matrix is not None for layer in self.section.layers)
        return isinstance(self.section, GeneralShellSection) or (
            self.material is not None and self.material.matrix is not None
        )


def wall_of(builder: Builder, group: Group) -> Wall | None:
    """Return the wall of a group of shells; None if they carry nothing, as KEYOPT(1) = 2 of SHELL181 has it."""
    data = builder.deck.sections.get(group.section)
    number, option = group.type.number, group.type.key(1)
    if number in (181, 281) and option == 2:
        builder.log.skip(group.name, "it only shows stresses (KEYOPT(1) = 2)", False, count=group.ids.size)
        return None
    if data is not None and data.kind == "SHEL" and number not in _BY_CONSTANTS:
        wall = _by_section(builder, group, data)
    elif number in (91, 99):
        wall = _by_layer_constants(builder, group)
    elif group.real in builder.deck.reals:
        wall = _by_constants(builder, group)
    elif (given := builder.walls.get(str(group.section))) is not None:
        wall = Wall(given, builder.material(group.material))
    else:
        raise builder.log.error(
            f"{group.name} element {group.ids[0]} has neither shell section {group.section} nor real constants "
            f"{group.real}; {cure(builder.log.path, group.section, 'section')}."
        )
    if number == 41 or (option == 1 and number in (63, 181, 281)):
        return _reduced(builder, group, wall, _MEMBRANE)
    return _reduced(builder, group, wall, _BENDING) if number == 63 and option == 2 else wall


def _by_section(builder: Builder, group: Group, data: SectionData) -> Wall:
    """SECDATA,TK,MAT,THETA,NUMPT for each layer from the bottom up, SECOFFSET, SECCONTROL."""
    name = data.name or f"section {group.section}"
    layers = [
        ([*row, 0.0, 0.0][0], int([*row, 0.0][1]), [*row, 0.0, 0.0][2]) for row in data.rows if row and row[0] > 0.0
    ]
    thickness = sum(t for t, _, _ in layers)
    if not thickness > 0.0:
        raise builder.log.error(f"shell section {group.section} has no thickness; give SECDATA,thickness.", data.line)
    # where the middle lies when the nodes lie in the top, in the bottom, or `offset` above the middle
    middle = {"TOP": -thickness / 2.0, "BOT": thickness / 2.0, "USE": -data.offset[0]}
    control = [*data.control, *[0.0] * 8]
    if any(control[:3]) or control[7]:
        builder.log.lose("SECCONTROL SHELL", "stiffness", "given shear or bending stiffness is not read", data.line)
    if "SECF" in data.more:
        builder.log.lose("SECFUNCTION", "stiffness", "thickness that varies by a table is not read", data.line)
    made = [Layer(builder.material(number or group.material), t, angle) for t, number, angle in layers]
    return _wall(made, middle.get(data.location[:3], 0.0), control[3], name)


def _wall(layers: Sequence[Layer], offset: float, added: float, name: str, corners: tuple[float, ...] = ()) -> Wall:
    """Return a homogeneous wall where all layers are of one isotropic material, else layers."""
    materials = {layer.material for layer in layers}
    turned = any(layer.angle for layer in layers) and any(m.matrix is not None for m in materials)
    if len(materials) == 1 and not added and not turned:
        thickness = sum(layer.thickness for layer in layers)
        return Wall(ShellSection(thickness, offset, name=name), layers[0].material, corners)
    return Wall(LayeredSection(tuple(layers), offset, added, name), None, corners)


def _by_constants(builder: Builder, group: Group) -> Wall:
    """SHELL41, 43, 63, 93, 143 and 181: TK(I), TK(J), TK(K), TK(L), …; zeros mean the first."""
    number, log = group.type.number, builder.log
    r = [*builder.reals(group.real), *[0.0] * 20]
    corners = tuple(value or r[0] for value in r[:4])
    if not min(corners) > 0.0:
        raise log.error(f"shell elements use real constants {group.real}, which have no thickness.")
    place = _ADDED.get(number)
    added = r[place] if place is not None else 0.0
    # the bending stiffness of SHELL63 may be given as the usual one (RMI = 1)
    usual = {6} if number == 63 and r[6] == 1.0 else set()
    if any(r[k] for k in _NOT_READ.get(number, ()) if k != place and k not in usual):
        log.lose("SHELL R", "stiffness", f"set {group.real}: foundation, bending or shear stiffness are not read")
    mean = sum(corners) / 4.0
    varies = max(corners) - min(corners) > _EQUAL * mean
    layer = Layer(builder.material(group.material), mean, r[_ANGLE.get(number, 4)])
    return _wall([layer], 0.0, added, f"real constants {group.real}", corners if varies else ())


def _by_layer_constants(builder: Builder, group: Group) -> Wall:
    """SHELL91 and SHELL99 by layers: NL, LSYM, …, then from the 13th on MAT, THETA and thickness of each."""
    r = builder.needed_reals(group)
    size = 3 if group.type.number == 99 else 6
    count, mirrored = int(r[0]) if r and 0.0 < r[0] <= 2 * len(r) else 0, len(r) > 1 and r[1] == 1.0
    given = (count + 1) // 2 if mirrored else count
    rows = [[*r[12 + size * k : 12 + size * (k + 1)], *[0.0] * size][:size] for k in range(given)]
    if group.type.key(2) or not rows or not all(row[2] > 0.0 for row in rows):
        raise builder.log.error(
            f"{group.name} real constants {group.real} need layers of material, angle and thickness (KEYOPT(2) = 0)."
        )
    if mirrored:
        rows += list(reversed(rows[: count - given]))
    if any(r[4:12]) or any(value and abs(value - row[2]) > _EQUAL * row[2] for row in rows for value in row[3:]):
        reason = f"set {group.real}: foundation, added mass and layers that taper are not read"
        builder.log.lose(f"{group.name} R", "stiffness", reason, count=group.ids.size)
    layers = [Layer(builder.material(int(row[0]) or group.material), row[2], row[1]) for row in rows]
    # where the middle lies when the nodes lie in the bottom or in the top
    middle = {1: 0.5, 2: -0.5}.get(group.type.key(11), 0.0) * sum(layer.thickness for layer in layers)
    return _wall(layers, middle, 0.0, f"real constants {group.real}")


def _reduced(builder: Builder, group: Group, wall: Wall, kept: str) -> Wall:
    """Return a wall that has membrane or bending stiffness only; a membrane has no rotations."""
    section, material = wall.section, wall.material
    if not isinstance(section, ShellSection) or material is None or material.matrix is not None:
        builder.log.skip(group.name, f"KEYOPT(1) keeps {kept} stiffness alone; laminates have both here")
        return wall
    E, nu, t = material.E, material.nu, section.thickness
    plane = E / (1.0 - nu**2) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, (1.0 - nu) / 2.0]])
    membrane = kept == _MEMBRANE
    none = np.zeros((3, 3))
    law: dict[str, Any] = {"A": t * plane, "B": none, "D": none, "S": _SLACK * material.G * t * np.eye(2)}
    if not membrane:
        law |= {"A": none, "D": t**3 / 12.0 * plane, "S": _SHEAR * material.G * t * np.eye(2)}
    m0, m2 = material.rho * t, 0.0 if membrane else material.rho * t**3 / 12.0
    try:
        general = GeneralShellSection(**law, thickness=t, m0=m0, m2=m2, offset=section.offset, name=section.name)
    except ModelError as error:
        raise builder.log.error(str(error)) from error
    return Wall(general, None, wall.corners, tuple(range(6)) if membrane else None)


def more_data(builder: Builder, group: Group, wall: Wall, nodes: IntArray, ids: IntArray) -> dict[str, AnyArray]:
    """Return thickness at the nodes and the direction of the material of elements with nodes (n, 3, 4, 6 or 8)."""
    more: dict[str, AnyArray] = {}
    corners = nodes.shape[1] if nodes.shape[1] < 5 else nodes.shape[1] // 2
    if wall.corners:
        at = np.array(wall.corners[:corners])
        middles = 0.5 * (at + np.roll(at, -1)) if corners < nodes.shape[1] else np.empty(0)
        more["thickness"] = np.tile([*at, *middles], (len(nodes), 1))
    every, nodes = nodes, nodes[:, :corners]
    if wall.active is not None:
        at = builder.places(nodes, f"{group.name} element", ids)
        normals = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])
        for element, normal in zip(every.tolist(), normals, strict=True):
            for node in element:
                builder.membranes.setdefault(node, []).append(normal / (np.linalg.norm(normal) or 1.0))
    if wall.directed:
        more["direction"] = _direction(builder, group, nodes, ids)
    return more


def _direction(builder: Builder, group: Group, nodes: IntArray, ids: IntArray) -> Array:
    """Return axis 1 (n, 3): x of the element system (ESYS), else from the middle of side LI to that of JK, or IJ."""
    places = builder.places(nodes, f"{group.name} element", ids)
    if group.system:
        system = system_of(builder.deck, group.system)
        return np.array([_laid(system.axes_at(element.mean(axis=0)), element) for element in places])
    if nodes.shape[1] == 3 or group.type.number in _BY_CONSTANTS:
        return places[:, 1] - places[:, 0]
    return places[:, 1] + places[:, 2] - places[:, 0] - places[:, 3]


def _laid(axes: Array, element: Array) -> Array:
    """Return x of a system, or y where x stands on the element (n, 3)."""
    normal = np.cross(element[1] - element[0], element[2] - element[0])
    size = np.linalg.norm(normal)
    upright = size > 0.0 and abs(axes[:, 0] @ normal) > np.cos(np.radians(45.0)) * size
    return axes[:, 1] if upright else axes[:, 0]
