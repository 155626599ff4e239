"""Finite element models as Nastran decks: large fields, as many digits as their sixteen columns hold.

Beams go out as CBEAM with PBEAM, bushings as CBUSH, rigid and averaging couplings as RBE2 and RBE3. Names of sets stand
in comments of the form pre-processors use. Outlines of sections, which serve for drawings only, have no place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import (
    MPC,
    RBE2,
    RBE3,
    BeamSection,
    Coupling,
    ElementBlock,
    FEModel,
    LayeredSection,
    Material,
    ShellSection,
    components,
    is_isotropic,
)
from floatframe.io.atomic import complete_file
from floatframe.io.deck import (
    Numbers,
    batch_of,
    beam_frames,
    corner_thickness,
    isotropic,
    next_element,
    ply_constants,
    refuse,
    side_angles,
    spring_law,
    walls,
)
from floatframe.io.nastran.mesh import SOLIDS

_FORMAT = "a Nastran deck"
_LARGEST = 99_999_999  # eight columns
_SOLID = {kind: name for name, (_, linear, quadratic, _) in SOLIDS.items() for kind in (linear, quadratic)}
_SOLID["hex20_reduced"] = _SOLID["hex8_shell"] = "CHEXA"
_SHELL = {"shell4": "CQUAD4", "shell3": "CTRIA3", "shell8": "CQUAD8", "shell6": "CTRIA6"}
_SET = 1  # number of the sets of supports and of constraints

Field = int | float | str | None


def write(path: Path, fe: FEModel) -> None:
    """Write a model; what a deck cannot hold is refused by name."""
    text = _Deck(fe).text()
    with complete_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def real(value: float) -> str:
    """Return a real number in at most sixteen columns with as many digits as fit."""
    value = float(value) + 0.0
    for digits in range(17, 5, -1):
        for word in (f"{value:.{digits}g}", f"{value:.{digits - 1}e}"):
            mantissa, _, exponent = word.partition("e")
            mantissa = mantissa.rstrip("0") if "." in mantissa else f"{mantissa}."
            if mantissa.startswith(("0.", "-0.")) and mantissa.strip("-0."):
                mantissa = mantissa.replace("0.", ".", 1)
            short = mantissa + (f"{int(exponent):+d}" if exponent else "")
            # the last two digits are worth writing only if they make the number exact
            if len(short) <= 16 and (digits < 16 or float(word) == value):
                return short
    return f"{value:.4e}"


class _Deck:
    """Collects the lines of a deck."""

    def __init__(self, fe: FEModel) -> None:
        self.fe = fe
        self.lines: list[str] = []
        self.materials, self.properties = Numbers(), Numbers()
        self.systems = Numbers()
        self.next_element = next_element(fe)
        self.parts: dict[int, list[int]] = {}  # springs that became several: further numbers of the first
        if max(int(fe.node_ids.max(initial=0)), self.next_element) > _LARGEST:
            refuse(_FORMAT, f"node or element numbers above {_LARGEST}; renumber the model")

    def text(self) -> str:
        fe = self.fe
        head = ["SOL 103", "CEND", f"TITLE = {_plain(fe.name)}"]
        head += [f"SPC = {_SET}"] if len(fe.supports) else []
        head += [f"MPC = {_SET}"] if any(isinstance(c, MPC) for c in fe.couplings) else []
        for number, place in zip(fe.node_ids.tolist(), fe.nodes.tolist(), strict=True):
            self.large("GRID", number, None, *place)
        for block in fe.blocks:
            self.block(block)
        for mass in fe.point_masses:
            J = mass.inertia
            inertia = (J[0, 0], -J[1, 0], J[1, 1], -J[2, 0], -J[2, 1], J[2, 2])
            self.large("CONM2", self.number(), mass.node, None, float(mass.mass), *mass.offset.tolist(), None, *inertia)
        for coupling in fe.couplings:
            self.coupling(coupling)
        for node, component in fe.supports.tolist():
            self.small("SPC1", _SET, component + 1, node)
        self.sets()
        # masses are lumped without it
        coupled = any(block.mass == "consistent" and block.element.dimension < 3 for block in fe.blocks)
        bulk = ["BEGIN BULK", *(["PARAM,COUPMASS,1"] if coupled else []), *self.lines, "ENDDATA", ""]
        return "\n".join([*head, *bulk])

    # cards

    def small(self, name: str, *fields: Field) -> None:
        """Add a card of whole numbers and words, eight columns each."""
        words = ["" if value is None else str(value) for value in fields]
        for k in range(0, max(1, len(words)), 8):
            line = "".join(f"{word:>8}" for word in words[k : k + 8])
            self.lines.append(f"{name if k == 0 else '+':<8}{line}".rstrip())

    def large(self, name: str, *fields: Field) -> None:
        """Add a card in sixteen columns."""
        words = ["" if v is None else real(v) if isinstance(v, float) else str(v) for v in fields]
        for k in range(0, len(words), 4):
            line = "".join(f"{word:>16}" for word in words[k : k + 4])
            self.lines.append(f"{f'{name}*' if k == 0 else '*':<8}{line}".rstrip())

    def number(self) -> int:
        """Return a free element number."""
        self.next_element += 1
        return self.next_element - 1

    def material(self, block: ElementBlock) -> int:
        return self.isotropic_material(isotropic(_FORMAT, block))

    def isotropic_material(self, material: Material) -> int:
        number, new = self.materials.of(material)
        if new:
            self.lines.append(f"$ material {number}: {_plain(material.name)}")
            self.large("MAT1", number, float(material.E), None, float(material.nu), float(material.rho))
        return number

    def system(self, axes: Array) -> int:
        """Return the number of a rectangular system with axes (3, 3) as rows, 0 for the model's own."""
        if np.array_equal(axes, np.eye(3)):
            return 0
        number, new = self.systems.of(tuple((axes + 0.0).ravel().tolist()))
        if new:
            self.large("CORD2R", number, 0, 0.0, 0.0, 0.0, *axes[2].tolist(), *axes[0].tolist())
        return number

    # elements

    def block(self, block: ElementBlock) -> None:
        if block.kind in _SOLID:
            self.solids(block)
        elif block.kind in _SHELL:
            self.shells(block)
        elif block.kind == "beam":
            self.beams(block)
        elif block.kind == "truss":
            material = self.material(block)
            pid, new = self.properties.of(("PROD", material, block.section))
            if new:
                self.large("PROD", pid, material, cast(BeamSection, block.section).A)  # checked by block
            for number, nodes in self.rows(block):
                self.small("CROD", number, pid, *nodes)
        elif block.kind.endswith("spring"):
            self.springs(block)
        else:
            refuse(_FORMAT, f"{block.label}; elements of kind '{block.kind}' have no counterpart")

    def rows(self, block: ElementBlock) -> Sequence[tuple[int, list[int]]]:
        """Return element numbers and their node numbers."""
        nodes = self.fe.node_ids[block.connectivity].tolist()
        return list(zip(block.element_ids.tolist(), nodes, strict=True))

    def solids(self, block: ElementBlock) -> None:
        name, material = _SOLID[block.kind], self.material(block)
        reduced = block.kind == "hex20_reduced"
        pid, new = self.properties.of(("PSOLID", material, reduced))
        if new:
            self.small("PSOLID", pid, material, None, *(("TWO", None, "FULL") if reduced else ()))
        corners, _, _, order = SOLIDS[name]
        nnode = block.element.nnode
        place = np.argsort(order) if nnode > corners else np.arange(nnode)
        for number, nodes in self.rows(block):
            self.small(name, number, pid, *(nodes[k] for k in place))

    def shells(self, block: ElementBlock) -> None:
        rows = self.rows(block)
        for wall in walls(block, _FORMAT, tapered=True):
            section, which = wall.section, wall.rows
            pid = self.laminate(section) if isinstance(section, LayeredSection) else self.plain_wall(block, section)
            angles = np.zeros(len(which))
            if not is_isotropic(section, block.material):
                angles = side_angles(self.fe, block, which)
            # the lowest face of layers stands with them
            offset = float(section.offset) if isinstance(section, ShellSection) else 0.0
            for k, row in enumerate(which):
                number, nodes = rows[row]
                extra: list[Field] = [float(angles[k]) or None, offset or None]
                if wall.thickness is not None:
                    extra += [*[None] * (8 - len(nodes) - len(extra)), *corner_thickness(block, wall.thickness[k])]
                if block.kind == "shell8":
                    # four thicknesses stand before the angle
                    extra = [*(extra[2:] or [None] * 4), *extra[:2]]
                while extra and extra[-1] is None:
                    extra.pop()
                card = self.large if extra else self.small
                card(_SHELL[block.kind], number, pid, *nodes, *extra)

    def plain_wall(self, block: ElementBlock, section: ShellSection) -> int:
        """Return the number of a PSHELL."""
        material = self.wall_material(block.materials[0])
        pid, new = self.properties.of(("PSHELL", material, section.thickness, section.shear_factor))
        if new:
            shear = float(section.shear_factor)
            self.large("PSHELL", pid, material, float(section.thickness), material, None, material, shear)
        return pid

    def laminate(self, section: LayeredSection) -> int:
        """Return the number of a PCOMP."""
        pid, new = self.properties.of(("PCOMP", section))
        if new:
            layers: list[Field] = []
            for layer in section.layers:
                layers += [self.wall_material(layer.material), float(layer.thickness), float(layer.angle), None]
            bottom = float(section.offset - 0.5 * section.thickness)
            self.lines.append(f"$ section {pid}: {_plain(section.name)}")
            head: list[Field] = [pid, bottom, float(section.extra_mass) or None, *[None] * 5]
            self.large("PCOMP", *head, *layers)
        return pid

    def wall_material(self, material: Material) -> int:
        """Return the number of a material of walls, which need not be isotropic."""
        if material.matrix is None:
            return self.isotropic_material(material)
        number, new = self.materials.of(material)
        if new:
            ply = ply_constants(material, _FORMAT)
            shear = (ply.G12, ply.G13 or None, ply.G23 or None)
            self.lines.append(f"$ material {number}: {_plain(material.name)}")
            self.large("MAT8", number, ply.E1, ply.E2, ply.nu12, *shear, float(material.rho))
        return number

    def beams(self, block: ElementBlock) -> None:
        section, frames = beam_frames(self.fe, block)
        material = self.material(block)
        pid, new = self.properties.of(("PBEAM", material, section))
        if new:
            y, z = float(section.y_max), float(section.z_max)
            shear = [0.0 if math.isinf(k) else float(k) for k in (section.ky, section.kz)]
            constants = map(float, (section.A, section.Iz, section.Iy, section.Iyz, section.J))
            ey, ez = map(float, section.shear_centre)
            self.lines.append(f"$ section {pid}: {_plain(section.name)}")
            self.large(
                "PBEAM", pid, material, *constants, None,
                *(y, z, -y, z, -y, -z, y, -z), *shear, *[None] * 6, *[None] * 4, -ey, -ez, -ey, -ez,
            )  # fmt: skip
        # offsets lead to the shear centre
        shift = section.shear_centre[0] * frames.axes[:, 1] + section.shear_centre[1] * frames.axes[:, 2]
        arms = frames.arms + shift[:, None]
        for k, (number, nodes) in enumerate(self.rows(block)):
            ends = [None, None, *arms[k].ravel().tolist()] if arms[k].any() else []
            self.large("CBEAM", number, pid, *nodes, *frames.axes[k, 1].tolist(), None, *ends)

    def springs(self, block: ElementBlock) -> None:
        stiffness, damping = (spring_law(block, name, _FORMAT) for name in ("stiffness", "damping"))
        axes = np.asarray(block.data.get("axes", np.tile(np.eye(3), (len(block), 1, 1))), dtype=float)
        if block.kind == "spring":
            axes = block.element.axes(batch_of(self.fe, block))
        location = np.asarray(block.data.get("location", np.full(len(block), 0.5)), dtype=float)
        ends = self.fe.nodes[block.connectivity]
        apart = (ends[:, 0] != ends[:, -1]).any(axis=1)
        for k, (number, nodes) in enumerate(self.rows(block)):
            if block.kind == "point_spring" and apart[k]:
                self.scalar_springs(block, number, nodes, axes[k], stiffness[k], damping[k])
                continue
            pid, new = self.properties.of(("PBUSH", *stiffness[k].tolist(), "B", *damping[k].tolist()))
            if new:
                rows: list[Field] = ["K", *stiffness[k].tolist()]
                if damping[k].any():
                    rows += [*[None] * (7 - len(rows)), None, "B", *damping[k].tolist()]
                self.large("PBUSH", pid, *rows)
            if block.kind == "axial_spring":
                self.small("CBUSH", number, pid, *nodes)
                continue
            system = self.system(axes[k])
            where = [float(location[k])] if block.kind == "spring" else []
            self.large(
                "CBUSH", number, pid, nodes[0], nodes[1] if len(nodes) > 1 else None, None, None, None, system, *where
            )

    def scalar_springs(
        self, block: ElementBlock, number: int, nodes: list[int], axes: Array, stiffness: Array, damping: Array
    ) -> None:
        """Springs without arms between nodes apart from each other: one for each direction of the model."""
        if not np.array_equal(axes, np.eye(3)):
            refuse(_FORMAT, f"{block.label} between nodes apart from each other along axes that are not the model's")
        first = True
        for name, law in (("CELAS2", stiffness), ("CDAMP2", damping)):
            for component, value in enumerate(law.tolist(), start=1):
                if value or (name == "CELAS2" and component == 1 and not stiffness.any()):
                    own = number if first else self.number()
                    if not first:
                        self.parts.setdefault(number, []).append(own)
                    first = False
                    self.large(name, own, value, nodes[0], component, nodes[1], component)

    # constraints and sets

    def coupling(self, coupling: Coupling) -> None:
        if isinstance(coupling, RBE2):
            digits = "".join(str(k + 1) for k in components(coupling.components))
            self.small("RBE2", self.number(), coupling.reference, digits, *coupling.dependents)
        elif isinstance(coupling, RBE3):
            fields: list[Field] = [self.number(), None, coupling.reference, "123456"]
            weights = np.asarray(coupling.weights)
            averaged = np.asarray(coupling.averaged)
            for weight in np.unique(weights).tolist():
                fields += [weight, "123", *averaged[weights == weight].tolist()]
            self.large("RBE3", *fields)
        elif isinstance(coupling, MPC):
            fields = [_SET]
            for k, (node, component, factor) in enumerate(coupling.terms):
                # two terms in a line, which begins and ends with an empty field
                fields += [None, None] if k and k % 2 == 0 else []
                fields += [node, int(component) + 1, factor]
            self.large("MPC", *fields)
        else:
            refuse(_FORMAT, f"{coupling.label}")

    def sets(self) -> None:
        number = 0
        for kind, name_of_card, sets in (
            (1, ("SET1",), self.fe.node_sets),
            (2, ("SET3", "ELEM"), self.fe.element_sets),
        ):
            for name, members in sets.items():
                number += 1
                if '"' in name or not name.isprintable() or not name:
                    refuse(_FORMAT, f"the name of set {name!r}; leave out quotation marks")
                more = [part for member in members.tolist() for part in self.parts.get(member, ())]
                self.lines.append(f'$HMSET {number:>8} {kind:>8} "{name}"')
                self.small(name_of_card[0], number, *name_of_card[1:], *members.tolist(), *more)


def _plain(name: str) -> str:
    """Return a name that cannot end a comment line."""
    return " ".join(name.split()) or "model"
