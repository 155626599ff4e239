"""From the collected cards of a deck to the finite element model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from floatframe.arrays import AnyArray, BoolArray, IntArray
from floatframe.fem import ElementBlock, FEModel
from floatframe.io.abaqus.blocks import Blocks, Properties
from floatframe.io.abaqus.constraints import Constraints
from floatframe.io.abaqus.deck import Group, Mesh
from floatframe.io.abaqus.given import given_section_cards
from floatframe.io.abaqus.masses import spread_masses
from floatframe.io.deck import GivenSections, NodeTable, cure

_SECTION_OF = {
    "solid": ("SOLIDSECTION", "SHELLSECTION", "SHELLGENERALSECTION"),  # continuum shells have shell sections
    "shell": ("SHELLSECTION", "SHELLGENERALSECTION", "MEMBRANESECTION"),
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


class ModelBuilder:
    """Makes element blocks, masses and couplings from the mesh, the properties and the constraints."""

    def __init__(
        self,
        mesh: Mesh,
        properties: Properties,
        constraints: Constraints,
        dialect: str,
        given: GivenSections | None = None,
    ) -> None:
        self.given = given or GivenSections()
        self.mesh, self.properties, self.constraints, self.log = mesh, properties, constraints, mesh.log
        ids, xyz = mesh.all_nodes()
        self.nodes = properties.orientations.nodes = NodeTable(ids, xyz)
        self.made = Blocks(mesh, self.nodes, properties, dialect)

    def build(self, name: str) -> FEModel:
        """Return the model."""
        members = [
            self.mesh.elements(s.card.required("ELSET"), s.place, s.card, s.card.line) for s in self.properties.sections
        ]
        pieces: dict[tuple[str, int], list[tuple[Group, AnyArray]]] = {}
        for group in self.mesh.groups:
            if group.type.family in ("rigid", "coupling", "connector"):
                continue
            for number, rows in self._sections_of(group, members):
                pieces.setdefault((group.name, number), []).append((group, rows))
        for (_, number), parts in pieces.items():
            self.made.make(_joined(parts), self.properties.sections[number])
        return self._model(name)

    def _sections_of(self, group: Group, members: list[IntArray]) -> list[tuple[int, AnyArray]]:
        """Return which section holds which elements of a group; the last one named wins."""
        wanted = _SECTION_OF[group.type.family]
        owner = np.full(group.ids.size, -1)
        for number, ids in enumerate(members):
            section = self.properties.sections[number]
            if section.card.key in wanted:
                owner[... if ids is group.ids else np.isin(group.ids, ids)] = number
        for given, rows in given_section_cards(group, owner < 0, self.mesh, self.given) if (owner < 0).any() else ():
            owner[rows] = len(self.properties.sections)
            self.properties.sections.append(given)
        if (owner < 0).any():
            element = int(group.ids[np.flatnonzero(owner < 0)[0]])
            card = f"*{_SPELLED[wanted[0]]}"
            raise group.card.error(
                f"element {element} of type {group.name} has no section; add {card} for a set with it, or "
                f"{cure(self.log.path, group.card.option('ELSET') or '*', 'section')}."
            )
        return [(int(number), np.flatnonzero(owner == number)) for number in np.unique(owner)]

    def _model(self, name: str) -> FEModel:
        ids, xyz = self.nodes.ids, self.nodes.xyz
        for card, place in self.properties.spread_masses:
            self.made.masses += spread_masses(card, place, self.mesh, self.made.blocks, ids, xyz)
        found = self.constraints.resolve(self.nodes, self.made.blocks, self.made.dialect)
        self.made.blocks += self.properties.connectors.resolve(self.mesh, self.properties.orientations, found)
        found.hold_slack_turns(mass.node for mass in self.made.masses if mass.has_rotation)
        solved = found.solved(self._present())
        self.made.blocks += solved.springs(self.nodes)
        return FEModel(
            xyz,
            tuple(self.made.blocks),
            ids,
            node_sets=self._sets(ids, of_nodes=True),
            element_sets=self._sets(_numbers(self.made.blocks), of_nodes=False),
            point_masses=tuple(self.made.masses),
            couplings=solved.couplings,
            supports=solved.supports[np.isin(solved.supports[:, 0], ids)],
            name=name,
        )

    def _present(self) -> BoolArray:
        """Tell (nnode, 2) where elements and masses bring translations and rotations."""
        present = np.zeros((len(self.nodes.ids), 2), dtype=bool)
        for block in self.made.blocks:
            present[block.connectivity, 0] = True
            if block.element.dof_per_node == 6:
                present[block.connectivity, 1] = True
        for mass in self.made.masses:
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
                parts = [child[np.isin(parent, kept)] for parent, child in self.made.children]
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
