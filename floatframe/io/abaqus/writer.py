"""Finite element models as Abaqus input decks; CalculiX reads those without beams of given constants.

Beams go out with *BEAM GENERAL SECTION and its companions for shear, centroid and shear centre (B31, or B33 without
shear deformation), couplings as *COUPLING over nodes, everything else as it is called there. Numbers take at most the
twenty characters that both programs read: most read back exactly, long ones to fifteen digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
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
    components,
)
from floatframe.io.abaqus.properties import to_constants
from floatframe.io.atomic import complete_file
from floatframe.io.deck import (
    WrittenWall,
    directed_walls,
    ply_constants,
    require_standard_shear,
    turned,
    write_common as common,
)

_FORMAT = "an Abaqus deck"
_PER_LINE = 16
_COLUMNS = 20  # of a number: CalculiX cuts off what is longer, exponent first
_TYPES = {
    "hex8": "C3D8I",
    "hex8_shell": "C3D8I",
    "wedge6": "C3D6",
    "pyramid5": "C3D5",
    "tet4": "C3D4",
    "hex20": "C3D20",
    "hex20_reduced": "C3D20R",
    "wedge15": "C3D15",
    "tet10": "C3D10",
    "shell4": "S4",
    "shell3": "S3",
    "shell8": "S8R",
    "shell6": "S6",
    "truss": "T3D2",
}
_PLAIN = re.compile(r"[A-Za-z]\w*", re.ASCII)
_OWN_SET = re.compile(r"FF_E\d+", re.IGNORECASE)  # of an earlier deck of ours, where it only served a section


def write(path: Path, fe: FEModel) -> None:
    """Write a model; what a deck cannot hold is refused by name."""
    plain = common.beams_without_slanted_arms(common.springs_without_arms(common.masses_on_arms(fe)))
    text = _Deck(plain).text()
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def set_names(fe: FEModel) -> common.SetNames:
    """Return the names of sets: letters, digits, blanks, '_', '-' and '.', at most 80."""
    return common.legal_names(fe, r"\w .-", 80, shared=False)


def word(value: float | int) -> str:
    """Return a number as it stands in a deck, a real one with as many of its digits as twenty characters hold."""
    exact = repr(value)
    if len(exact) <= _COLUMNS:
        return exact
    digits = len(re.sub(r"e.*|\D", "", exact).lstrip("0"))
    while True:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        whole = f"{mantissa.replace('.', '')}e{int(exponent) - digits + 1}"
        for short in (f"{value:.{digits}g}", f"{mantissa}e{int(exponent)}", whole):
            if len(short) <= _COLUMNS:
                return short
        digits -= 1


class _Deck:
    """Collects the lines of a deck."""

    def __init__(self, fe: FEModel) -> None:
        self.fe = fe
        self.lines: list[str] = []
        self.materials = common.Numbers()
        self.groups = 0
        self.orientations = common.Numbers()
        self.thickness: dict[int, float] = {}  # of nodes of walls whose thickness varies
        self.next_element = common.next_element(fe)
        self.parts: dict[int, list[int]] = {}  # springs that became several: further numbers of the first

    def text(self) -> str:
        fe = self.fe
        self.lines += ["*HEADING", " ".join(fe.name.split()) or "model", "*NODE"]
        for number, place in zip(fe.node_ids.tolist(), fe.nodes.tolist(), strict=True):
            self.row(number, *place)
        for block in fe.blocks:
            self.block(block)
        self.masses()
        for coupling in fe.couplings:
            self.coupling(coupling)
        if len(fe.supports):
            self.lines.append("*BOUNDARY")
            for node, component in fe.supports.tolist():
                self.row(node, component + 1)
        names = set_names(fe)
        for (kind, old), new in names.items():
            if new != old:
                self.lines.append(f"** {kind} set '{' '.join(old.split())}' is {new} here")
        for kind, keyword, sets in (("node", "NSET", fe.node_sets), ("element", "ELSET", fe.element_sets)):
            for name, members in sets.items():
                if _OWN_SET.fullmatch(name):
                    continue
                label = names[kind, name]
                # quotes keep other characters together, but CalculiX finds a quoted name by its quotes only
                if not _PLAIN.fullmatch(label):
                    label = f'"{label}"'
                self.lines.append(f"*{keyword}, {keyword}={label}")
                more = [part for member in members.tolist() for part in self.parts.get(member, ())]
                self.listed([*members.tolist(), *more])
        return "\n".join([*self.lines, ""])

    # lines

    def row(self, *values: float | int) -> None:
        self.lines.append(", ".join(map(word, values)))

    def listed(self, numbers: Sequence[int]) -> None:
        for k in range(0, len(numbers), _PER_LINE):
            self.row(*numbers[k : k + _PER_LINE])

    def elements(self, type: str, numbers: Iterable[int], nodes: Iterable[Sequence[int]]) -> str:
        """Add elements and return the name of their set."""
        self.groups += 1
        name = f"FF_E{self.groups}"
        self.lines.append(f"*ELEMENT, TYPE={type}, ELSET={name}")
        for number, members in zip(numbers, nodes, strict=True):
            entries = [str(number), *map(str, members)]
            for k in range(0, len(entries), _PER_LINE):
                # a comma at the end says that more follows
                end = "," if k + _PER_LINE < len(entries) else ""
                self.lines.append(", ".join(entries[k : k + _PER_LINE]) + end)
        return name

    def some(self, type: str, block: ElementBlock, rows: IntArray) -> str:
        """Add some elements of a block."""
        nodes = self.fe.node_ids[block.connectivity[rows]].tolist()
        return self.elements(type, block.element_ids[rows].tolist(), nodes)

    def material(self, block: ElementBlock) -> str:
        material = block.material
        if not isinstance(material, Material):
            common.refuse(_FORMAT, f"{block.label} without a material")
        return self.named_material(material)

    def named_material(self, material: Material) -> str:
        number, new = self.materials.of(material)
        if new:
            self.lines += [f"** {' '.join(material.name.split())}", f"*MATERIAL, NAME=MATERIAL_{number}"]
            self.elastic(material)
            if material.rho:
                self.lines.append("*DENSITY")
                self.row(material.rho)
        return f"MATERIAL_{number}"

    def elastic(self, material: Material) -> None:
        if material.matrix is None:
            self.lines.append("*ELASTIC")
            self.row(material.E, material.nu)
            return
        self.lines.append("*ELASTIC, TYPE=ANISO")
        constants = to_constants(material.elasticity())
        for k in range(0, len(constants), 8):
            self.row(*constants[k : k + 8])

    def material_axes(self, block: ElementBlock) -> str:
        """Return the option that turns the material of solids, which must be the same for all of a block."""
        axes = block.data.get("material_axes")
        if axes is None or block.material is None or block.material.matrix is None:
            return ""
        if (axes != axes[:1]).any():
            common.refuse(_FORMAT, f"{block.label}: its material is turned from element to element (write .h5)")
        # a material is the same along three opposite axes
        return self.orientation(axes[0] * np.sign(np.linalg.det(axes[0])))

    # elements

    def block(self, block: ElementBlock) -> None:
        every = np.arange(len(block))
        if block.kind.endswith("spring"):
            self.springs(block)
        elif block.kind == "beam":
            self.beams(block)
        elif block.kind not in _TYPES:
            common.refuse(_FORMAT, f"{block.label}; elements of kind '{block.kind}' have no counterpart")
        elif block.kind.startswith("shell"):
            for wall in directed_walls(self.fe, block, _FORMAT, tapered=True):
                self.wall(block, wall)
        else:
            material = self.material(block)
            name = self.some(_TYPES[block.kind], block, every)
            axes = self.material_axes(block)
            self.lines.append(f"*SOLID SECTION, ELSET={name}, MATERIAL={material}{axes}")
            if isinstance(block.section, BeamSection):
                self.row(block.section.A)

    def wall(self, block: ElementBlock, wall: WrittenWall) -> None:
        section = wall.section
        require_standard_shear(section, block, _FORMAT)
        name = self.some(_TYPES[block.kind], block, wall.rows)
        offset = f", OFFSET={word(-section.offset / section.thickness)}" if section.offset else ""
        if isinstance(section, LayeredSection):
            # names of orientations, not angles: CalculiX accepts no others
            frames = wall.axes if wall.axes is not None else np.eye(3)
            layers = [
                (layer.thickness, self.wall_material(layer.material), self.wall_frame(turned(frames, layer.angle)))
                for layer in section.layers
            ]
            self.lines.append(f"*SHELL SECTION, COMPOSITE, ELSET={name}{offset}")
            self.lines += [f"{word(thickness)}, 3, {material}, {frame}" for thickness, material, frame in layers]
            return
        material = self.wall_material(block.materials[0])
        frame = "" if wall.axes is None else f", ORIENTATION={self.wall_frame(wall.axes)}"
        varies = ""
        if wall.thickness is not None:
            self.nodal_thickness(block, wall.rows, wall.thickness)
            if section.offset:
                common.refuse(_FORMAT, f"the offset of {block.label} together with a thickness that varies (write .h5)")
            varies = ", NODAL THICKNESS"
        self.lines.append(f"*SHELL SECTION, ELSET={name}, MATERIAL={material}{frame}{offset}{varies}")
        self.row(section.thickness)

    def nodal_thickness(self, block: ElementBlock, rows: IntArray, thickness: Array) -> None:
        """Add the thickness of nodes, which must be the same in all elements that meet there."""
        new = {}
        for node, value in zip(
            self.fe.node_ids[block.connectivity[rows]].ravel().tolist(), thickness.flat, strict=True
        ):
            if self.thickness.setdefault(node, float(value)) != value:
                common.refuse(_FORMAT, f"{block.label} with several thicknesses at node {node} (write .h5)")
            new[node] = float(value)
        self.lines.append("*NODAL THICKNESS")
        for node, value in new.items():
            self.row(node, value)

    def wall_frame(self, axes: Array) -> str:
        """Return the name of the orientation whose third axis is the normal of a wall."""
        number, new = self.orientations.of(("wall", *(axes + 0.0).ravel().tolist()))
        if new:
            self.lines.append(f"*ORIENTATION, NAME=FF_O{number}")
            self.row(*axes[:2].ravel().tolist())
            self.row(3, 0.0)
        return f"FF_O{number}"

    def wall_material(self, material: Material) -> str:
        """Return the name of a material of walls: engineering constants if it is not isotropic."""
        if material.matrix is None:
            return self.named_material(material)
        number, new = self.materials.of(("wall", material))
        if new:
            ply = ply_constants(material, _FORMAT)
            G13, G23 = (shear or RIGID * max(ply.E1, ply.E2, ply.G12) for shear in (ply.G13, ply.G23))
            self.lines += [f"** {' '.join(material.name.split())}", f"*MATERIAL, NAME=MATERIAL_{number}"]
            self.lines.append("*ELASTIC, TYPE=ENGINEERING CONSTANTS")
            self.row(ply.E1, ply.E2, ply.E2, ply.nu12, 0.0, 0.0, ply.G12, G13)
            self.row(G23)
            if material.rho:
                self.lines.append("*DENSITY")
                self.row(material.rho)
        return f"MATERIAL_{number}"

    def beams(self, block: ElementBlock) -> None:
        section, frames = common.beam_frames(self.fe, block)
        material = block.material
        if not isinstance(material, Material):
            common.refuse(_FORMAT, f"{block.label} without a material")
        stiff = [math.isinf(k) for k in (section.ky, section.kz)]
        if any(stiff) and not all(stiff):
            common.refuse(_FORMAT, f"{block.label}, which deforms by shear in one direction only")
        for first, rows in common.grouped(np.hstack([frames.axes[:, 1], frames.in_section])):
            name = self.some("B33" if all(stiff) else "B31", block, rows)
            y, z = frames.in_section[first].tolist()
            if _is_rectangle(section, material):
                # CalculiX knows beams by their shape only
                width, height = 2.0 * section.y_max, 2.0 * section.z_max
                offset = f", OFFSET1={word(-y / width)}, OFFSET2={word(-z / height)}" if y or z else ""
                kind = f"*BEAM SECTION, SECTION=RECT, ELSET={name}, MATERIAL={self.material(block)}{offset}"
                self.lines.append(kind)
                self.row(width, height)
                self.row(*frames.axes[first, 1].tolist())
                continue
            self.lines.append(f"*BEAM GENERAL SECTION, SECTION=GENERAL, ELSET={name}, DENSITY={word(material.rho)}")
            self.row(section.A, section.Iy, section.Iyz, section.Iz, section.J)
            self.row(*frames.axes[first, 1].tolist())
            self.row(material.E, material.G)
            ey, ez = section.shear_centre
            if y or z:
                self.lines.append("*CENTROID")
                self.row(y, z)
            if y or z or ey or ez:
                self.lines.append("*SHEAR CENTER")
                self.row(y + ey, z + ez)
            if not any(stiff):
                self.lines.append("*TRANSVERSE SHEAR STIFFNESS")
                self.row(section.kz * material.G * section.A, section.ky * material.G * section.A)

    def springs(self, block: ElementBlock) -> None:
        laws = {name: common.spring_law(block, name, _FORMAT) for name in ("stiffness", "damping")}
        axes = np.tile(np.eye(3), (len(block), 1, 1))
        if block.kind == "spring":
            axes = block.element.axes(common.batch_of(self.fe, block))
        elif "axes" in block.data:
            axes = np.asarray(block.data["axes"], dtype=float)
        nodes = self.fe.node_ids[block.connectivity].tolist()
        written: set[int] = set()
        suffix = "A" if block.kind == "axial_spring" else "1" if block.element.nnode == 1 else "2"
        nothing = ~(laws["stiffness"].any(axis=1) | laws["damping"].any(axis=1))
        for keyword, law in (("SPRING", laws["stiffness"]), ("DASHPOT", laws["damping"])):
            for component in range(law.shape[1]):
                wanted = law[:, component] != 0.0
                if keyword == "SPRING" and component == (3 if law.shape[1] == 6 else 0):
                    # springs without any law give nodes their dofs
                    wanted |= nothing
                rows = np.flatnonzero(wanted)
                keys = np.column_stack([law[rows, component], axes[rows].reshape(-1, 9)])
                for first, which in _exact_groups(keys):
                    picked = rows[which]
                    numbers = [self.spring_number(int(block.element_ids[k]), written) for k in picked]
                    name = self.elements(f"{keyword}{suffix}", numbers, [nodes[k] for k in picked])
                    orientation = "" if suffix == "A" else self.orientation(axes[rows[first]])
                    self.lines.append(f"*{keyword}, ELSET={name}{orientation}")
                    dofs = [component + 1] * (2 if suffix == "2" else 1)
                    # the line of dofs stays empty for springs along their line
                    self.lines.append("" if suffix == "A" else ", ".join(map(str, dofs)))
                    self.row(float(law[rows[first], component]))

    def spring_number(self, number: int, written: set[int]) -> int:
        """Return the number of a spring at its first direction, a free one at further ones."""
        if number not in written:
            written.add(number)
            return number
        self.next_element += 1
        self.parts.setdefault(number, []).append(self.next_element - 1)
        return self.next_element - 1

    def orientation(self, axes: Array) -> str:
        if np.array_equal(axes, np.eye(3)):
            return ""
        number, new = self.orientations.of(tuple((axes + 0.0).ravel().tolist()))
        if new:
            self.lines.append(f"*ORIENTATION, NAME=FF_O{number}")
            self.row(*axes[:2].ravel().tolist())
        return f", ORIENTATION=FF_O{number}"

    def masses(self) -> None:
        for mass in self.fe.point_masses:
            self.next_element += 2
            if mass.mass or not mass.inertia.any():
                name = self.elements("MASS", [self.next_element - 2], [[mass.node]])
                self.lines.append(f"*MASS, ELSET={name}")
                self.row(float(mass.mass))
            if mass.inertia.any():
                name = self.elements("ROTARYI", [self.next_element - 1], [[mass.node]])
                J = mass.inertia.tolist()
                self.lines.append(f"*ROTARY INERTIA, ELSET={name}")
                self.row(J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])

    # couplings

    def coupling(self, coupling: Coupling) -> None:
        if isinstance(coupling, RBE2):
            self.over_nodes(coupling.reference, coupling.dependents, "KINEMATIC")
            for component in components(coupling.components):
                self.row(component + 1, component + 1)
        elif isinstance(coupling, RBE3):
            weights = np.asarray(coupling.weights)
            if (weights == weights[0]).all():
                self.over_nodes(coupling.reference, coupling.averaged, "DISTRIBUTING")
                self.row(1, 6)
                return
            self.next_element += 1
            name = self.elements("DCOUP3D", [self.next_element - 1], [[coupling.reference]])
            self.lines.append(f"*DISTRIBUTING COUPLING, ELSET={name}")
            for node, weight in zip(coupling.averaged, weights.tolist(), strict=True):
                self.row(node, weight)
        elif isinstance(coupling, MPC):
            self.lines += ["*EQUATION", str(len(coupling.terms))]
            for node, dof, factor in coupling.terms:
                self.row(node, int(dof) + 1, factor)
        else:
            common.refuse(_FORMAT, coupling.label)

    def over_nodes(self, reference: int, nodes: Sequence[int], kind: str) -> None:
        """Add a coupling of a reference node with a surface made of nodes."""
        self.groups += 1
        name = f"FF_C{self.groups}"
        self.lines.append(f"*SURFACE, NAME={name}, TYPE=NODE")
        self.lines += [str(node) for node in nodes]
        self.lines += [f"*COUPLING, CONSTRAINT NAME={name}, REF NODE={reference}, SURFACE={name}", f"*{kind}"]


def _exact_groups(keys: Array) -> Iterable[tuple[int, IntArray]]:
    """Yield (first row, rows) of rows (n, k) that are equal."""
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    for k in np.argsort(first):
        yield int(first[k]), np.flatnonzero(which.ravel() == k)


def _is_rectangle(section: BeamSection, material: Material) -> bool:
    """Whether a section is what the reader makes of a rectangle of its size."""
    if not (section.y_max and section.z_max):
        return False
    plain = BeamSection.rectangle(2.0 * section.y_max, 2.0 * section.z_max, material.nu, section.name)
    return replace(section, outline=plain.outline) == plain
