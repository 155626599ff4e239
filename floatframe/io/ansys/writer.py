"""Finite element models as ANSYS archives (.cdb): blocks of nodes and elements, real constants, sections, conditions.

Beams with given constants go out as BEAM44, which takes shear factors and an offset at each end; sections with a
product of inertia or a shear centre of their own as BEAM188 with an ASEC section, which has the shear factor 5/6.
Rigid couplings are CERIG, averaging ones a remote point (CONTA175 and TARGE170).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import (
    MPC,
    RBE2,
    RBE3,
    RIGID,
    BeamSection,
    Coupling,
    ElementBlock,
    FEModel,
    LayeredSection,
    Material,
    ShellSection,
    components,
)
from floatframe.io.ansys.apdl import angles_of
from floatframe.io.atomic import complete_file
from floatframe.io.deck import directed_walls, ply_constants, require_standard_shear, write_common as common

_FORMAT = "an ANSYS archive"
_LABELS = ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ")
_STANDARD_SHEAR = 5.0 / 6.0

# element and key options, and which of our nodes stand in its places: nodes that coincide make other shapes of a brick
_BRICK: dict[str, tuple[int, dict[int, int], list[int]]] = {
    "hex8": (185, {2: 2}, list(range(8))),
    "hex8_shell": (190, {}, list(range(8))),
    "wedge6": (185, {2: 2}, [0, 1, 2, 2, 3, 4, 5, 5]),
    "pyramid5": (185, {2: 2}, [0, 1, 2, 3, 4, 4, 4, 4]),
    "tet4": (185, {2: 2}, [0, 1, 2, 2, 3, 3, 3, 3]),
    "hex20": (186, {2: 1}, list(range(20))),
    "hex20_reduced": (186, {}, list(range(20))),
    "wedge15": (186, {2: 1}, [0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 2, 8, 9, 10, 5, 11, 12, 13, 14, 14]),
    "pyramid13": (186, {2: 1}, [0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 4, 4, 4, 4, 9, 10, 11, 12]),
    "tet10": (187, {}, list(range(10))),
}
_FIRST_SYSTEM = 11  # lower numbers are systems of the program
_SHELL = {
    "shell4": (181, [0, 1, 2, 3]),
    "shell3": (181, [0, 1, 2, 2]),
    "shell8": (281, list(range(8))),
    "shell6": (281, [0, 1, 2, 2, 3, 4, 2, 5]),
}


def write(path: Path, fe: FEModel) -> None:
    """Write a model; what an archive cannot hold is refused by name."""
    plain = common.springs_without_arms(common.masses_on_arms(fe))
    text = _Archive(plain).text()
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def set_names(fe: FEModel) -> common.SetNames:
    """Return the names of the components: letters, digits and '_', at most 32, one for nodes or elements."""
    return common.legal_names(fe, r"\w", 32, shared=True)


class _Archive:
    """Collects nodes, rows of elements and commands."""

    def __init__(self, fe: FEModel) -> None:
        self.fe = fe
        self.ids = fe.node_ids.tolist()
        self.places: list[list[float]] = fe.nodes.tolist()
        self.angles: dict[int, tuple[float, float, float]] = {}
        self.top = int(fe.node_ids.max(initial=0))
        self.next_element = common.next_element(fe)
        self.types, self.materials = common.Numbers(), common.Numbers()
        self.reals, self.sections, self.systems = common.Numbers(), common.Numbers(), common.Numbers()
        self.element_systems: dict[int, int] = {}  # of walls whose materials have a direction
        self.head: list[str] = []
        self.tail: list[str] = []
        self.rows: list[tuple[int, int, int, int, int, Sequence[int]]] = []  # material, type, real, section, number
        self.parts: dict[int, list[int]] = {}  # springs that became several: further numbers of the first

    def text(self) -> str:
        fe = self.fe
        for block in fe.blocks:
            self.block(block)
        self.masses()
        equations = 0
        for coupling in fe.couplings:
            equations += isinstance(coupling, MPC)
            self.coupling(coupling, equations)
        for node, component in fe.supports.tolist():
            self.tail.append(f"D,{node},{_LABELS[component]},0")
        lines = ["/PREP7", f"/TITLE,{' '.join(fe.name.split())}", *self.head, *self.nodes(), *self.elements()]
        names = set_names(fe)
        lines += [
            f"! {kind} set '{' '.join(old.split())}' is {new} here" for (kind, old), new in names.items() if new != old
        ]
        for kind, sets in (("node", fe.node_sets), ("element", fe.element_sets)):
            for name, members in sets.items():
                lines += self.component(names[kind, name], kind[:4].upper(), members.tolist())
        lumped = fe.mass_rule not in ("consistent", "mixed")
        return "\n".join([*lines, *self.tail, *(["LUMPM,ON"] if lumped else []), "FINISH", ""])

    # pieces of an archive

    def nodes(self) -> list[str]:
        rows = []
        width = self.width()
        for number, place in zip(self.ids, self.places, strict=True):
            angles = self.angles.get(number, ())
            rows.append(
                f"{number:{width}d}{0:{width}d}{0:{width}d}" + "".join(f"{v:25.16E}" for v in (*place, *angles))
            )
        count = len(rows)
        return [f"NBLOCK,6,SOLID,{max(self.ids)},{count}", f"(3i{width},6e25.16)", *rows, "N,R5.3,LOC,       -1,"]

    def elements(self) -> list[str]:
        rows = []
        width = self.width()
        for material, type, real, section, number, nodes in self.rows:
            head = (material, type, real, section, self.element_systems.get(number, 0), 0, 0, 0, len(nodes), 0, number)
            entries = [*head, *nodes[:8]]
            rows.append("".join(f"{value:{width}d}" for value in entries))
            for k in range(8, len(nodes), 19):
                rows.append("".join(f"{value:{width}d}" for value in nodes[k : k + 19]))
        highest = max((row[4] for row in self.rows), default=0)
        return [f"EBLOCK,19,SOLID,{highest},{len(self.rows)}", f"(19i{width})", *rows, f"{-1:{width}d}"]

    def width(self) -> int:
        return max(10, len(str(max(self.top, self.next_element))) + 2)

    def component(self, name: str, kind: str, members: list[int]) -> list[str]:
        members = members + [part for member in members for part in self.parts.get(member, ())]
        width = self.width()
        rows = ["".join(f"{v:{width}d}" for v in members[k : k + 8]) for k in range(0, len(members), 8)]
        return [f"CMBLOCK,{name},{kind},{len(members)}", f"(8i{width})", *rows]

    def type(self, element: int, keys: dict[int, int]) -> int:
        number, new = self.types.of((element, tuple(keys.items())))
        if new:
            self.head.append(f"ET,{number},{element}")
            self.head += [f"KEYOPT,{number},{key},{value}" for key, value in keys.items()]
        return number

    def material(self, block: ElementBlock) -> int:
        return self.isotropic_material(common.isotropic(_FORMAT, block))

    def isotropic_material(self, material: Material) -> int:
        number, new = self.materials.of(material)
        if new:
            self.head += [
                f"! {' '.join(material.name.split())}",
                f"MP,EX,{number},{material.E!r}",
                f"MP,PRXY,{number},{material.nu!r}",
                f"MP,DENS,{number},{material.rho!r}",
            ]
        return number

    def real(self, values: Sequence[float], key: object = None) -> int:
        """Return the number of a set of real constants."""
        number, new = self.reals.of((tuple(values), key))
        if new:
            for k in range(0, len(values), 6):
                words = ",".join(map(repr, values[k : k + 6]))
                self.head.append(f"R,{number},{words}" if k == 0 else f"RMORE,{words}")
        return number

    def new_node(self, place: Sequence[float]) -> int:
        self.top += 1
        self.ids.append(self.top)
        self.places.append(list(place))
        return self.top

    def number(self) -> int:
        """Return a free element number."""
        self.next_element += 1
        return self.next_element - 1

    # elements

    def block(self, block: ElementBlock) -> None:
        nodes = self.fe.node_ids[block.connectivity]
        if block.kind in _BRICK:
            element, keys, order = _BRICK[block.kind]
            self.add(block, np.arange(len(block)), nodes[:, order], self.type(element, keys))
        elif block.kind in _SHELL:
            for wall in directed_walls(self.fe, block, _FORMAT):
                require_standard_shear(wall.section, block, _FORMAT)
                section, layered = wall.section, isinstance(wall.section, LayeredSection)
                material = self.wall_material(block.materials[0])
                number, new = self.sections.of(("SHELL", section if layered else (section.thickness, section.offset)))
                if new:
                    self.head += [f"SECTYPE,{number},SHELL", *self.layers(section)]
                    self.head += [f"SECOFFSET,USER,{-section.offset!r}"] if section.offset else []
                system = 0 if wall.axes is None else self.system(wall.axes)
                element, order = _SHELL[block.kind]
                self.add(
                    block, wall.rows, nodes[wall.rows][:, order], self.type(element, {}), 1, number, material, system
                )
        elif block.kind == "beam":
            self.beams(block)
        elif block.kind == "truss":
            area = block.section.A if isinstance(block.section, BeamSection) else 0.0
            number, new = self.sections.of(("LINK", area))
            if new:
                self.head += [f"SECTYPE,{number},LINK", f"SECDATA,{area!r}"]
            self.add(block, np.arange(len(block)), nodes, self.type(180, {}), section=number)
        elif block.kind.endswith("spring"):
            self.springs(block)
        else:
            common.refuse(_FORMAT, f"{block.label}; elements of kind '{block.kind}' have no counterpart")

    def add(
        self,
        block: ElementBlock,
        rows: IntArray,
        nodes: IntArray,
        type: int,
        real: int = 1,
        section: int = 1,
        material: int = 0,
        system: int = 0,
    ) -> None:
        material = material or self.material(block)
        for number, members in zip(block.element_ids[rows].tolist(), nodes.tolist(), strict=True):
            self.rows.append((material, type, real, section, number, members))
            if system:
                self.element_systems[number] = system

    def layers(self, section: ShellSection | LayeredSection) -> list[str]:
        """Return the layers of a wall, those of one layer with the material of the elements."""
        if isinstance(section, ShellSection):
            return [f"SECDATA,{section.thickness!r}"]
        return [
            f"SECDATA,{layer.thickness!r},{self.wall_material(layer.material)},{layer.angle!r},3"
            for layer in section.layers
        ]

    def wall_material(self, material: Material) -> int:
        """Return the number of a material of walls, which need not be isotropic."""
        if material.matrix is None:
            return self.isotropic_material(material)
        number, new = self.materials.of(material)
        if new:
            ply = ply_constants(material, _FORMAT)
            G13, G23 = (shear or RIGID * max(ply.E1, ply.E2, ply.G12) for shear in (ply.G13, ply.G23))
            constants = {"EX": ply.E1, "EY": ply.E2, "EZ": ply.E2, "PRXY": ply.nu12, "PRYZ": 0.0, "PRXZ": 0.0}
            constants |= {"GXY": ply.G12, "GYZ": G23, "GXZ": G13, "DENS": material.rho}
            self.head.append(f"! {' '.join(material.name.split())}")
            self.head += [f"MP,{label},{number},{value!r}" for label, value in constants.items()]
        return number

    def system(self, axes: Array) -> int:
        """Return the number of a coordinate system with these axes (3, 3) as rows."""
        number, new = self.systems.of(tuple((axes + 0.0).ravel().tolist()))
        number += _FIRST_SYSTEM - 1
        if new:
            angles = ",".join(map(repr, angles_of(axes.T)))
            self.head += [f"LOCAL,{number},0,0,0,0,{angles}", "CSYS,0"]
        return number

    def beams(self, block: ElementBlock) -> None:
        section, frames = common.beam_frames(self.fe, block)
        guides = self.guides(block, frames)
        nodes = np.column_stack([self.fe.node_ids[block.connectivity], guides])
        if section.Iyz or any(section.shear_centre):
            self.skew_beams(block, section, frames, nodes)
            return
        # arms in the axes ANSYS gives to the line between the nodes
        arms = np.einsum("eij,ekj->eki", self.node_axes(block, guides), frames.arms).reshape(-1, 6)
        constants = [section.A, section.Iz, section.Iy, section.z_max, section.y_max, section.J, *[0.0] * 6]
        shear = [0.0 if math.isinf(k) else 1.0 / k for k in (section.ky, section.kz)]
        for first, rows in common.grouped(arms):
            real = self.real([*constants, *arms[first].tolist(), *shear], "BEAM44")
            self.add(block, rows, nodes[rows], self.type(44, {}), real=real)

    def guides(self, block: ElementBlock, frames: common.BeamFrames) -> IntArray:
        """Add orientation nodes in the plane of x and z, square to the line between the nodes; return their numbers."""
        ends = self.fe.nodes[block.connectivity]
        line = ends[:, 1] - ends[:, 0]
        length = np.sqrt((line**2).sum(axis=1))
        along = np.einsum("ei,ei->e", frames.axes[:, 0], line)
        if not (np.abs(along) > 1e-6 * length).all():
            common.refuse(_FORMAT, f"{block.label} whose nodes coincide or lie across the beam")
        z = frames.axes[:, 2] - (np.einsum("ei,ei->e", frames.axes[:, 2], line) / along)[:, None] * frames.axes[:, 0]
        return np.array([self.new_node(place) for place in (ends[:, 0] + z * length[:, None]).tolist()])

    def node_axes(self, block: ElementBlock, guides: IntArray) -> Array:
        """Return rows x, y, z (nel, 3, 3) with x from node to node and z towards the orientation nodes."""
        ends = self.fe.nodes[block.connectivity]
        x = ends[:, 1] - ends[:, 0]
        x /= np.sqrt((x**2).sum(axis=1))[:, None]
        first = len(self.places) - len(guides)
        z = np.array(self.places[first:]) - ends[:, 0]
        z -= np.einsum("ei,ei->e", z, x)[:, None] * x
        z /= np.sqrt((z**2).sum(axis=1))[:, None]
        return np.stack([x, np.cross(z, x), z], axis=1)

    def skew_beams(self, block: ElementBlock, section: BeamSection, frames: common.BeamFrames, nodes: IntArray) -> None:
        """Sections whose axes are not principal or whose shear centre is off the centroid."""
        if max(abs(section.ky - _STANDARD_SHEAR), abs(section.kz - _STANDARD_SHEAR)) > 1e-12:
            common.refuse(
                _FORMAT,
                f"{block.label} with a product of inertia or a shear centre and shear factors "
                f"{section.ky:g}, {section.kz:g}; such sections have 5/6 there",
            )
        if not frames.sideways:
            common.refuse(_FORMAT, f"{block.label} with a product of inertia or a shear centre and slanted offsets")
        for first, rows in common.grouped(frames.in_section):
            y, z = frames.in_section[first].tolist()
            number, new = self.sections.of(("ASEC", section, y, z))
            if new:
                values = (section.A, section.Iy, section.Iyz, section.Iz, 0.0, section.J, 0.0, 0.0)
                self.head += [
                    f"SECTYPE,{number},BEAM,ASEC",
                    f"SECDATA,{','.join(map(repr, (*values, *section.shear_centre)))}",
                    f"SECOFFSET,USER,{-y!r},{-z!r}",
                ]
            self.add(block, rows, nodes[rows], self.type(188, {}), section=number)

    def springs(self, block: ElementBlock) -> None:
        """COMBIN14, one for each direction; springs to ground go to a held node in the same place."""
        stiffness, damping = (common.spring_law(block, name, _FORMAT) for name in ("stiffness", "damping"))
        axes = np.tile(np.eye(3), (len(block), 1, 1))
        if block.kind == "spring":
            axes = block.element.axes(common.batch_of(self.fe, block))
        elif "axes" in block.data:
            axes = np.asarray(block.data["axes"], dtype=float)
        if (axes != np.eye(3)).any():
            common.refuse(_FORMAT, f"{block.label} along axes that are not the model's")
        ids = self.fe.node_ids[block.connectivity].tolist()
        for k, (number, nodes) in enumerate(zip(block.element_ids.tolist(), ids, strict=True)):
            if len(nodes) == 1:
                nodes = [nodes[0], self.new_node(self.fe.nodes[block.connectivity[k, 0]].tolist())]
                self.tail.append(f"D,{nodes[1]},ALL,0")
            first = True
            law = np.column_stack([stiffness[k], damping[k]])
            # a spring without any law keeps the dofs of its node alive
            alive = law.any(axis=1) if law.any() else np.arange(len(law)) == (3 if len(law) == 6 else 0)
            for component in np.flatnonzero(alive).tolist():
                keys = {} if block.kind == "axial_spring" else {2: component + 1}
                own = number if first else self.number()
                if not first:
                    self.parts.setdefault(number, []).append(own)
                first = False
                real = self.real(law[component].tolist(), "COMBIN14")
                self.rows.append((1, self.type(14, keys), real, 1, own, nodes))

    def masses(self) -> None:
        """MASS21 in the axes of its node, or, with products of inertia, in the principal ones of a node of its own."""
        for mass in self.fe.point_masses:
            node, moments, key = mass.node, np.diag(mass.inertia), 0
            if np.abs(mass.inertia - np.diag(moments)).any():
                moments, axes = np.linalg.eigh(mass.inertia)
                axes[:, 2] *= np.sign(np.linalg.det(axes))
                node, key = self.new_node(self.fe.nodes[self.fe.node_index(mass.node)[0]].tolist()), 1
                self.angles[node] = angles_of(axes)
                self.tail.append(f"CERIG,{mass.node},{node},ALL")
            # rounding may leave a moment just below zero
            values = [float(mass.mass)] * 3 + np.maximum(moments, 0.0).tolist()
            real = self.real(values, "MASS21")
            self.rows.append((1, self.type(21, {2: key} if key else {}), real, 1, self.number(), [node]))

    # couplings

    def coupling(self, coupling: Coupling, number: int) -> None:
        if isinstance(coupling, RBE2):
            chosen = components(coupling.components)
            whole = {(0, 1, 2, 3, 4, 5): ["ALL"], (0, 1, 2): ["UXYZ"], (3, 4, 5): ["RXYZ"]}
            for label in whole.get(tuple(chosen), [_LABELS[k] for k in chosen]):
                self.tail += [f"CERIG,{coupling.reference},{node},{label}" for node in coupling.dependents]
        elif isinstance(coupling, RBE3):
            weights = np.asarray(coupling.weights)
            if (weights != weights[0]).any():
                common.refuse(_FORMAT, f"{coupling.label} with different weights")
            pair = self.real([0.0, 0.0], ("CONTA175", coupling.reference, coupling.averaged))
            surface, pilot = self.type(175, {2: 2, 4: 1, 12: 5}), self.type(170, {2: 1, 4: 111111})
            for node in coupling.averaged:
                self.rows.append((1, surface, pair, 1, self.number(), [node]))
            self.rows.append((1, pilot, pair, 1, self.number(), [coupling.reference]))
        elif isinstance(coupling, MPC):
            terms = [f"{node},{_LABELS[int(component)]},{factor!r}" for node, component, factor in coupling.terms]
            for k in range(0, len(terms), 3):
                self.tail.append(f"CE,{number},0,{','.join(terms[k : k + 3])}")
        else:
            common.refuse(_FORMAT, coupling.label)
