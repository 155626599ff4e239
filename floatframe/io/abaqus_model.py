"""From the collected cards of a deck to the finite element model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray
from floatframe.fem import ElementBlock, FEModel, PointMass
from floatframe.io.abaqus_constraints import Constraints
from floatframe.io.abaqus_deck import Card
from floatframe.io.abaqus_mesh import Group, Mesh, Place, axes_of
from floatframe.io.abaqus_properties import (
    Materials,
    SectionCard,
    beam_profile,
    general_section_material,
    shell_section,
    truss_section,
)
from floatframe.io.linear_constraints import NodeTable

_SECTION_OF = {
    "solid": ("SOLIDSECTION", "SHELLSECTION"),  # continuum shells have shell sections
    "shell": ("SHELLSECTION",),
    "beam": ("BEAMSECTION", "BEAMGENERALSECTION"),
    "truss": ("SOLIDSECTION",),
    "spring": ("SPRING",),
    "dashpot": ("DASHPOT",),
    "mass": ("MASS",),
    "inertia": ("ROTARYINERTIA",),
}
_SPELLED = {
    "SOLIDSECTION": "SOLID SECTION",
    "SHELLSECTION": "SHELL SECTION",
    "BEAMSECTION": "BEAM SECTION",
    "ROTARYINERTIA": "ROTARY INERTIA",
    **{key: key for key in ("SPRING", "DASHPOT", "MASS")},
}


@dataclass
class Properties:
    """Cards that give elements their properties."""

    materials: Materials
    sections: list[SectionCard] = field(default_factory=list)
    orientations: dict[str, Card] = field(default_factory=dict)
    nodal_thickness: list[SectionCard] = field(default_factory=list)
    beam_details: dict[int, dict[str, Card]] = field(default_factory=dict)  # by identity of the section card


class ModelBuilder:
    """Makes element blocks, masses and couplings from the mesh, the properties and the constraints."""

    def __init__(self, mesh: Mesh, properties: Properties, constraints: Constraints, dialect: str) -> None:
        self.dialect, log = dialect, mesh.log
        self.mesh, self.properties, self.constraints, self.log = mesh, properties, constraints, log
        ids, xyz = mesh.all_nodes()
        self.nodes = NodeTable(ids, xyz)
        self.blocks: list[ElementBlock] = []
        self.masses: list[PointMass] = []
        self.next_element = max((int(g.ids.max()) for g in mesh.groups if g.ids.size), default=0) + 1
        self.children: list[tuple[IntArray, IntArray]] = []  # element numbers and those of their further parts
        self.thickness: Array | None = None

    def build(self, name: str) -> FEModel:
        """Return the model."""
        self._read_nodal_thickness()
        members = [
            self.mesh.elements(s.card.required("ELSET"), s.place, s.card, s.card.line) for s in self.properties.sections
        ]
        pieces: dict[tuple[str, int], list[tuple[Group, AnyArray]]] = {}
        for group in self.mesh.groups:
            if group.type.family in ("rigid", "coupling"):
                continue
            for number, rows in self._sections_of(group, members):
                pieces.setdefault((group.name, number), []).append((group, rows))
        for (_, number), parts in pieces.items():
            section = self.properties.sections[number]
            group = _joined(parts)
            rows = self._rows(group)
            getattr(self, f"_{group.type.family}")(group, rows, section.card, section.place)
        return self._model(name)

    def _sections_of(self, group: Group, members: list[IntArray]) -> list[tuple[int, AnyArray]]:
        """Return which section holds which elements of a group; the last one named wins."""
        wanted = _SECTION_OF[group.type.family]
        owner = np.full(group.ids.size, -1)
        for number, (section, ids) in enumerate(zip(self.properties.sections, members, strict=True)):
            if section.card.key in wanted:
                owner[... if ids is group.ids else np.isin(group.ids, ids)] = number
        if (owner < 0).any():
            element = int(group.ids[np.flatnonzero(owner < 0)[0]])
            card = f"*{_SPELLED[wanted[0]]}"
            raise group.card.error(
                f"element {element} of type {group.name} belongs to no section; add {card} for a set with it."
            )
        return [(int(number), np.flatnonzero(owner == number)) for number in np.unique(owner)]

    def _rows(self, group: Group) -> IntArray:
        """Return the node rows (nel, nnode) of elements."""
        ids = self.nodes.ids
        if ids[-1] - ids[0] + 1 == ids.size:
            rows = group.nodes - ids[0]
            known = (rows >= 0) & (rows < ids.size)
        else:
            rows = np.searchsorted(ids, group.nodes)
            rows[rows == ids.size] = 0
            known = ids[rows] == group.nodes
        if not known.all():
            k, j = np.argwhere(~known)[0]
            raise group.card.error(
                f"element {group.ids[k]} of type {group.name} names node {group.nodes[k, j]}, which is not defined."
            )
        return rows

    # families

    def _solid(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        if "COMPOSITE" in card.options:
            raise card.error(f"{card.name}, COMPOSITE cannot be read; only homogeneous solids can.")
        material = self.properties.materials.get(card.required("MATERIAL"), card)
        self._add(group, rows, ElementBlock(group.type.kind, rows, material, name=card.option("ELSET")))

    def _shell(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        section = shell_section(card)
        data = {}
        if "NODALTHICKNESS" in card.options and self.thickness is not None:
            data["thickness"] = self.thickness[rows].mean(axis=1)
        elif self.thickness is not None:
            reason = "the section does not ask for it (NODAL THICKNESS)"
            self.log.skip("*NODAL THICKNESS", reason, line=self.properties.nodal_thickness[0].card.line)
        material = self.properties.materials.get(card.required("MATERIAL"), card)
        kind = group.type.kind
        corners = rows[:, : 4 if kind == "shell4" else 3]
        block = ElementBlock(kind, corners, material, section, data, name=card.option("ELSET"))
        self._add(group, rows, block)

    def _beam(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        material = general_section_material(card, self.properties.materials)
        profile = beam_profile(card, material, self.dialect, self.properties.beam_details.get(id(card), {}))
        # Euler–Bernoulli elements do not deform by shear
        section = profile.section.without_shear() if group.name.startswith("B33") else profile.section
        n1 = np.tile(profile.n1 if place.R is None else place.R @ profile.n1, (len(rows), 1))
        given = group.extra > 0
        if given.any():
            named = [self._place_of(int(node), group) for node in group.extra[given]]
            n1[given] = np.array(named) - self.nodes.xyz[rows[given, 0]]
        parts = group.type.parts or ((0, 1),)
        data = {}
        for key, values in (("orientation", 0), ("offsets", 1)):
            stacked = []
            for a, b in parts:
                line = self.nodes.xyz[rows[:, b]] - self.nodes.xyz[rows[:, a]]
                n2 = np.cross(line, n1)
                size = np.sqrt((n2**2).sum(axis=1))
                if not (size > 1e-9 * np.sqrt((line**2).sum(axis=1) * (n1**2).sum(axis=1))).all():
                    bad = int(group.ids[int(np.argmin(size))])
                    raise card.error(f"beam {bad} lies along its direction n1; give another one in {card.name}.")
                n2 /= size[:, None]
                if values == 0:
                    stacked.append(n2)
                else:
                    first = np.cross(n2, line)
                    first /= np.sqrt((first**2).sum(axis=1))[:, None]
                    arm = profile.centroid[0] * first + profile.centroid[1] * n2
                    stacked.append(np.repeat(arm[:, None], 2, axis=1))
            data[key] = np.concatenate(stacked)
        if not data["offsets"].any():
            del data["offsets"]
        count = len(rows)
        block = ElementBlock(
            "beam",
            rows[:, list(parts[0])],
            material,
            section,
            {k: v[:count] for k, v in data.items()},
            name=card.option("ELSET"),
        )
        self._add(group, rows, block, data)

    def _truss(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        material = self.properties.materials.get(card.required("MATERIAL"), card)
        ends = rows[:, [0, -1]]
        self.blocks.append(
            ElementBlock("truss", ends, material, truss_section(card), element_ids=group.ids, name=card.option("ELSET"))
        )

    def _spring(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        self._law(group, rows, card, place, "stiffness")

    def _dashpot(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        self._law(group, rows, card, place, "damping")

    def _law(self, group: Group, rows: IntArray, card: Card, place: Place, what: str) -> None:
        lines = card.fields()
        along = group.name.endswith("A")
        # the first line of springs in fixed directions names the freedoms
        directions = [] if along or not lines else [int(v) for v in card.numbers(lines[0][1], lines[0][0]) if v]
        laws = [card.numbers(words, line) for line, words in (lines if along else lines[1:])]
        if not laws or not laws[0]:
            raise card.error(f"{card.name} has no {what}.")
        value = laws[0][0]
        if "NONLINEAR" in card.options:
            value = _slope_at_rest(card, laws)
            self.log.skip(f"{card.name}, NONLINEAR", "only the slope at rest is taken", line=card.line)
        count = len(rows)
        name = card.option("ELSET")
        if along:
            block = ElementBlock("axial_spring", rows, data={what: np.full(count, value)}, name=name)
        else:
            if not directions or any(k not in range(1, 7) for k in directions) or len(set(directions)) > 1:
                raise card.error(
                    f"{card.name} acts on freedoms {directions}; it must be one from 1 to 6, the same at both nodes."
                )
            k = directions[0] - 1
            turning = k > 2
            kinds = ("ground_point_spring", "ground_spring") if group.type.nnode == 1 else ("point_spring", "spring")
            law = np.zeros((count, 6 if turning else 3))
            law[:, k] = value
            axes = np.tile(self._axes(card, place), (count, 1, 1))
            block = ElementBlock(kinds[turning], rows, data={what: law, "axes": axes}, name=name)
        self.blocks.append(replace(block, element_ids=group.ids))

    def _mass(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        lines = card.fields()
        value = card.numbers(lines[0][1][:1], lines[0][0])[0] if lines else 0.0
        self.masses += [PointMass(int(node), value) for node in self.nodes.ids[rows[:, 0]]]

    def _inertia(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        lines = card.fields()
        values = (card.numbers(lines[0][1], lines[0][0]) if lines else []) + [0.0] * 6
        xx, yy, zz, xy, xz, yz = values[:6]
        axes = self._axes(card, place)
        J = axes.T @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes
        self.masses += [PointMass(int(node), 0.0, (J + J.T) / 2.0) for node in self.nodes.ids[rows[:, 0]]]

    # pieces

    def _axes(self, card: Card, place: Place) -> Array:
        """Return the axes (rows) of the *ORIENTATION a card names, else those of the model."""
        turned = np.eye(3) if place.R is None else place.R
        name = card.option("ORIENTATION")
        if not name:
            return turned.T
        known = self.properties.orientations
        orientation = known.get(place.key(name)) or known.get(name.upper())
        if orientation is None:
            raise card.error(f"{card.name}: orientation '{name}' is unknown.")
        straight = orientation.option("SYSTEM").upper()[:1] in ("", "R")
        if not straight or orientation.option("DEFINITION").upper() not in ("", "COORDINATES"):
            raise orientation.error("only *ORIENTATION, SYSTEM=RECTANGULAR given by points can be read here.")
        lines = orientation.fields()
        values = (orientation.numbers(lines[0][1], lines[0][0]) if lines else []) + [0.0] * 6
        return axes_of(orientation, np.array(values[:3]), np.array(values[3:6])) @ turned.T

    def _place_of(self, node: int, group: Group) -> Array:
        if node not in self.nodes:
            raise group.card.error(f"an element of type {group.name} names node {node}, which is not defined.")
        return self.nodes[node]

    def _add(self, group: Group, rows: IntArray, block: ElementBlock, data: dict[str, Array] | None = None) -> None:
        """Add a block; elements that are split keep their number for the first part, further parts get new ones.

        data: values of all parts one after the other, where they differ.
        """
        parts = group.type.parts
        if not parts:
            self.blocks.append(replace(block, element_ids=group.ids))
            return
        count = len(rows)
        more = np.arange(self.next_element, self.next_element + count * (len(parts) - 1))
        self.next_element += more.size
        self.children.append((np.tile(group.ids, len(parts) - 1), more))
        ids = np.concatenate([group.ids, more])
        whole = {name: np.concatenate([values] * len(parts)) for name, values in block.data.items()}
        whole = whole if data is None else data
        for corners in dict.fromkeys(len(part) for part in parts):
            chosen = [k for k, part in enumerate(parts) if len(part) == corners]
            take = np.concatenate([np.arange(k * count, (k + 1) * count) for k in chosen])
            self.blocks.append(
                replace(
                    block,
                    kind=f"shell{corners}" if group.type.family == "shell" else block.kind,
                    connectivity=np.concatenate([rows[:, list(parts[k])] for k in chosen]),
                    element_ids=ids[take],
                    data={name: values[take] for name, values in whole.items()},
                )
            )

    def _read_nodal_thickness(self) -> None:
        for item in self.properties.nodal_thickness:
            if self.thickness is None:
                self.thickness = np.zeros(len(self.nodes.ids))
            for line, words in item.card.fields():
                value = item.card.numbers(words[1:2], line)
                members = self.mesh.nodes(words[0], item.place, item.card, line)
                rows = np.searchsorted(self.nodes.ids, members[np.isin(members, self.nodes.ids)])
                self.thickness[rows] = value[0] if value else 0.0

    def _model(self, name: str) -> FEModel:
        ids, xyz = self.nodes.ids, self.nodes.xyz
        solved = self.constraints.resolve(self.nodes).solved(self._present())
        for triple, kind in ((0, "ground_point_spring"), (1, "ground_spring")):
            nodes = [node for node, which in solved.bare if which == triple]
            if nodes:
                # springs without stiffness give control nodes of equations their freedoms
                rows = np.array([[self.nodes.row(node)] for node in nodes])
                law = np.zeros((len(nodes), 3 + 3 * triple))
                self.blocks.append(ElementBlock(kind, rows, data={"stiffness": law}, name="control nodes"))
        return FEModel(
            xyz,
            tuple(self.blocks),
            ids,
            node_sets=self._sets(ids, of_nodes=True),
            element_sets=self._sets(_numbers(self.blocks), of_nodes=False),
            point_masses=tuple(self.masses),
            couplings=solved.couplings,
            supports=solved.supports[np.isin(solved.supports[:, 0], ids)],
            name=name,
        )

    def _present(self) -> BoolArray:
        """Tell (nnode, 2) where elements and masses bring translations and rotations."""
        present = np.zeros((len(self.nodes.ids), 2), dtype=bool)
        for block in self.blocks:
            present[block.connectivity, 0] = True
            if block.element.dof_per_node == 6:
                present[block.connectivity, 1] = True
        for mass in self.masses:
            present[self.nodes.row(mass.node)] |= (True, mass.has_rotation)
        return present

    def _sets(self, known: IntArray, of_nodes: bool) -> dict[str, IntArray]:
        """Return named sets of numbers that exist; parts of split elements join the sets of their element."""
        sets = self.mesh.node_sets if of_nodes else self.mesh.element_sets
        found = {}
        for key, name in sets.spelling.items():
            members = sets.get(key)
            defined = np.isin(members, known)
            kept = members if defined.all() else members[defined]
            if of_nodes and kept.size < members.size:
                self.log.warn(f"node set '{name}' names nodes that are not defined; they are left out.")
            if not of_nodes:
                parts = [child[np.isin(parent, kept)] for parent, child in self.children]
                kept = np.concatenate([kept, *parts])
            if kept.size:
                found[name] = kept
        return found


def _joined(parts: list[tuple[Group, AnyArray]]) -> Group:
    first = parts[0][0]
    if len(parts) == 1 and parts[0][1].size == first.ids.size:
        return first
    return replace(
        first,
        ids=np.concatenate([group.ids[rows] for group, rows in parts]),
        nodes=np.concatenate([group.nodes[rows] for group, rows in parts]),
        extra=np.concatenate([group.extra[rows] for group, rows in parts]),
    )


def _numbers(blocks: list[ElementBlock]) -> IntArray:
    given = [block.element_ids for block in blocks if block.element_ids is not None]
    return np.concatenate([np.empty(0, np.int64), *given])


def _slope_at_rest(card: Card, laws: list[list[float]]) -> float:
    """Return the slope of a table of force and displacement where the displacement is zero."""
    table = np.array([[*law, 0.0, 0.0][:2] for law in laws])
    table = table[np.argsort(table[:, 1], kind="stable")]
    force, way = table[:, 0], table[:, 1]
    step = np.diff(way)
    if len(table) < 2 or not (step > 0).all():
        raise card.error(f"{card.name}, NONLINEAR needs at least two different displacements.")
    k = int(np.clip(np.searchsorted(way, 0.0, side="right") - 1, 0, len(step) - 1))
    return float((force[k + 1] - force[k]) / step[k])
