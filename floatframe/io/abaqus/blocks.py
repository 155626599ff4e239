"""Element blocks of a deck: one kind of element with one section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import ElementBlock, Material, PointMass
from floatframe.io.abaqus import springs
from floatframe.io.abaqus.connectors import Connectors
from floatframe.io.abaqus.deck import Card, Group, Mesh, Place
from floatframe.io.abaqus.properties import (
    Materials,
    Orientations,
    Profile,
    SectionCard,
    Walls,
    beam_profile,
    general_section_material,
    stacked_material,
    stacking_axes,
    truss_section,
)
from floatframe.io.deck import NodeTable, ShellShape, quadratic_shapes


@dataclass
class Properties:
    """Cards that give elements their properties."""

    materials: Materials
    sections: list[SectionCard] = field(default_factory=list)
    orientations: Orientations = field(default_factory=Orientations)
    spread_masses: list[tuple[Card, Place]] = field(default_factory=list)
    connectors: Connectors = field(default_factory=Connectors)
    nodal_thickness: list[SectionCard] = field(default_factory=list)
    details: dict[int, dict[str, Card]] = field(default_factory=dict)  # cards under a section, by its identity


class Blocks:
    """Makes element blocks and masses, family by family."""

    def __init__(self, mesh: Mesh, nodes: NodeTable, properties: Properties, dialect: str) -> None:
        self.mesh, self.nodes, self.properties, self.dialect, self.log = mesh, nodes, properties, dialect, mesh.log
        self.blocks: list[ElementBlock] = []
        self.masses: list[PointMass] = []
        self.next_element = max((int(g.ids.max()) for g in mesh.groups if g.ids.size), default=0) + 1
        self.children: list[tuple[IntArray, IntArray]] = []  # element numbers and those of their further parts
        self.thickness = self._nodal_thickness()
        self.walls = Walls(properties.materials, properties.orientations, dialect)
        self._make: dict[str, Callable[[Group, IntArray, Card, Place], None]] = {
            "solid": self.solid,
            "shell": self.shell,
            "beam": self.beam,
            "truss": self.truss,
            "spring": self.spring,
            "dashpot": self.spring,
            "mass": self.mass,
            "inertia": self.inertia,
        }

    def make(self, group: Group, section: SectionCard) -> None:
        """Add the elements of a group, which share a section."""
        self._make[group.type.family](group, self._rows(group), section.card, section.place)

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

    def solid(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        if "COMPOSITE" in card.options:
            material = stacked_material(card, self.properties.materials)
            along = self._axes(card, place, rows, group.ids)[:, 0]
            data = {"material_axes": stacking_axes(card, self.nodes.xyz[rows], along)}
        else:
            material = self.properties.materials.get(card.required("MATERIAL"), card, directed=True)
            data = {} if material.matrix is None else self._material_axes(card, place, rows, group.ids)
        nodes = rows[:, :20]
        self._add(group, nodes, ElementBlock(group.type.kind, nodes, material, data=data, name=card.option("ELSET")))

    def shell(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        by_node = "NODALTHICKNESS" in card.options and self.thickness is not None
        if self.thickness is not None and not by_node:
            reason = "the section does not use it (NODAL THICKNESS)"
            self.log.skip("*NODAL THICKNESS", reason, False, self.properties.nodal_thickness[0].card.line)
        corners = self.nodes.xyz[rows[:, : 3 if group.type.nnode in (3, 6) else 4]]
        shear = self.properties.details.get(id(card), {}).get("TRANSVERSESHEARSTIFFNESS")
        at_nodes = self.thickness[rows, 0] if by_node and self.thickness is not None else None
        mean = None if at_nodes is None else at_nodes.mean(axis=1)
        for wall in self.walls.of(card, place, group.ids, corners, shear, mean):
            data = dict(wall.data)
            if at_nodes is not None:
                data["thickness"] = at_nodes[wall.rows]
            for shape in _shell_shapes(rows[wall.rows]):
                some = {name: values[shape.rows] for name, values in data.items()}
                if some.get("thickness", np.empty(0)).ndim == 2:
                    some["thickness"] = some["thickness"][:, shape.places]
                chosen = wall.rows[shape.rows]
                block = ElementBlock(
                    shape.kind, rows[chosen][:, shape.places], wall.material, wall.section, some, group.ids[chosen],
                    name=card.option("ELSET"),
                )  # fmt: skip
                self.blocks.append(block)

    def beam(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        material = general_section_material(card, self.properties.materials)
        if "NODALTHICKNESS" in card.options and self.thickness is not None:
            self._beams_by_nodes(group, rows, card, place, material)
            return
        profile = beam_profile(card, material, self.dialect, self.properties.details.get(id(card), {}))
        self._beams(group, rows, card, place, material, profile)

    def _beams_by_nodes(self, group: Group, rows: IntArray, card: Card, place: Place, material: Material) -> None:
        """Beams of CalculiX whose two sizes are given at nodes: each has the mean of its own."""
        if self.thickness is None:
            return
        sizes, which = np.unique(self.thickness[rows].mean(axis=1), axis=0, return_inverse=True)
        for k, size in enumerate(sizes.tolist()):
            chosen = np.flatnonzero(which.ravel() == k)
            details = self.properties.details.get(id(card), {})
            profile = beam_profile(card, material, self.dialect, details, (size[0], size[1] or size[0]))
            some = replace(group, ids=group.ids[chosen], nodes=group.nodes[chosen], extra=group.extra[chosen])
            self._beams(some, rows[chosen], card, place, material, profile)

    def _beams(
        self, group: Group, rows: IntArray, card: Card, place: Place, material: Material, profile: Profile
    ) -> None:
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

    def truss(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        material = self.properties.materials.get(card.required("MATERIAL"), card)
        ends = rows[:, [0, -1]]
        self.blocks.append(
            ElementBlock("truss", ends, material, truss_section(card), element_ids=group.ids, name=card.option("ELSET"))
        )

    def spring(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        self.blocks.append(springs.spring_block(group, rows, card, self._axes(card, place, rows, group.ids), self.log))

    def mass(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        if card.option("TYPE").upper().startswith("ANISO"):
            self.blocks.append(springs.directed_masses(group, rows, card, self._axes(card, place, rows, group.ids)))
        else:
            self.masses += springs.point_masses(self.nodes.ids[rows[:, 0]], card)

    def inertia(self, group: Group, rows: IntArray, card: Card, place: Place) -> None:
        self.masses += springs.rotary_inertias(
            self.nodes.ids[rows[:, 0]], card, self._axes(card, place, rows, group.ids)
        )

    # pieces

    def _axes(self, card: Card, place: Place, rows: IntArray, ids: IntArray) -> Array:
        """Return the axes (nel, 3, 3) of the *ORIENTATION a card names, else those of the model."""
        axes = self.properties.orientations.axes(card, place, self.nodes.xyz[rows].mean(axis=1), ids)
        return np.tile(np.eye(3), (len(rows), 1, 1)) if axes is None else axes

    def _material_axes(self, card: Card, place: Place, rows: IntArray, ids: IntArray) -> dict[str, Array]:
        """Return the axes of the material of elements with these node rows, nothing for those of the model."""
        axes = self._axes(card, place, rows, ids)
        return {} if (axes == np.eye(3)).all() else {"material_axes": axes}

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
                    connectivity=np.concatenate([rows[:, list(parts[k])] for k in chosen]),
                    element_ids=ids[take],
                    data={name: values[take] for name, values in whole.items()},
                )
            )

    def _nodal_thickness(self) -> Array | None:
        """Return the two thicknesses (nnode, 2) that *NODAL THICKNESS gives, the second of beams only, None without."""
        if not self.properties.nodal_thickness:
            return None
        thickness = np.zeros((len(self.nodes.ids), 2))
        for item in self.properties.nodal_thickness:
            for line, words in item.card.fields():
                values = [*item.card.numbers(words[1:3], line), 0.0, 0.0][:2]
                members = self.mesh.nodes(words[0], item.place, item.card, line)
                rows = np.searchsorted(self.nodes.ids, members[np.isin(members, self.nodes.ids)])
                thickness[rows] = values
        self.log.took("*NODAL THICKNESS", len(self.properties.nodal_thickness))
        return thickness


def _shell_shapes(rows: IntArray) -> Iterator[ShellShape]:
    """Sort shells (nel, 3 to 9) by what they are: some repeat a corner."""
    if rows.shape[1] == 4:
        collapsed = rows[:, 2] == rows[:, 3]
        for kind, chosen, places in (("shell4", ~collapsed, range(4)), ("shell3", collapsed, range(3))):
            if chosen.any():
                yield ShellShape(kind, np.flatnonzero(chosen), np.array(places))
    elif rows.shape[1] == 3:
        yield ShellShape("shell3", np.arange(len(rows)), np.arange(3))
    else:
        yield from quadratic_shapes(rows[:, :8] + 1)
