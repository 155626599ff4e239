"""Connectors of a deck (CONN3D2): joints as couplings, their springs as elements.

Motions of the second node are seen from the axes of the first, which turn with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import ElementBlock
from floatframe.io.abaqus.deck import Card, Mesh, Place
from floatframe.io.abaqus.properties import Orientations
from floatframe.io.abaqus.springs import slope_at_rest
from floatframe.io.deck import LinearConstraints

# components 1 to 6 that a connection holds; an assembled one holds those of its parts
_HOLDS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("BEAM", "WELD"), (1, 2, 3, 4, 5, 6)),
    "HINGE": (1, 2, 3, 5, 6),
    "TRANSLATOR": (2, 3, 4, 5, 6),
    "CYLINDRICAL": (2, 3, 5, 6),
    "PLANAR": (1, 5, 6),
    "UJOINT": (1, 2, 3, 5),
    "JOIN": (1, 2, 3),
    "SLOT": (2, 3),
    "SLIDE-PLANE": (1,),
    "ALIGN": (4, 5, 6),
    "REVOLUTE": (5, 6),
    "UNIVERSAL": (5,),
    **dict.fromkeys(("CARTESIAN", "RADIAL-THRUST", "AXIAL", "BUSHING", "PROJECTIONCARTESIAN", "ACCELEROMETER"), ()),
    **dict.fromkeys(("CARDAN", "EULER", "ROTATION", "FLEXION-TORSION", "PROJECTIONFLEXION-TORSION"), ()),
    "ROTATION-ACCELEROMETER": (),
}


@dataclass
class Connectors:
    """Cards of connectors; `resolve` adds their couplings and returns their springs."""

    sections: list[tuple[Card, Place]] = field(default_factory=list)
    behaviours: dict[str, list[Card]] = field(default_factory=dict)
    _open: list[Card] = field(default_factory=list)

    def section(self, card: Card, place: Place) -> None:
        """*CONNECTOR SECTION."""
        self.sections.append((card, place))

    def behaviour(self, card: Card, place: Place) -> None:
        """*CONNECTOR BEHAVIOR and the cards under it."""
        if card.key == "CONNECTORBEHAVIOR":
            self._open = self.behaviours.setdefault(card.option("NAME").upper(), [])
        else:
            self._open.append(card)

    def resolve(self, mesh: Mesh, orientations: Orientations, found: LinearConstraints) -> list[ElementBlock]:
        """Join the nodes of all connectors."""
        blocks: list[ElementBlock] = []
        owned: set[int] = set()
        for card, place in self.sections:
            members = mesh.elements(card.required("ELSET"), place, card, card.line)
            for group in mesh.groups:
                rows = np.isin(group.ids, members)
                if group.type.family == "connector" and rows.any():
                    owned |= set(group.ids[rows].tolist())
                    blocks += self._connect(group.ids[rows], group.nodes[rows], card, place, mesh, orientations, found)
        for group in mesh.groups:
            if group.type.family == "connector":
                left = [number for number in group.ids.tolist() if number not in owned]
                if left:
                    reason = f"element {left[0]} has no *CONNECTOR SECTION"
                    mesh.log.lose(group.name, "coupling", reason, group.card.line, len(left))
        return blocks

    def _connect(
        self,
        ids: IntArray,
        nodes: IntArray,
        card: Card,
        place: Place,
        mesh: Mesh,
        orientations: Orientations,
        found: LinearConstraints,
    ) -> list[ElementBlock]:
        lines = card.fields()
        kinds = ["".join(word.upper().split()) for word in lines[0][1] if word] if lines else []
        unknown = [kind for kind in kinds if kind not in _HOLDS and kind != "LINK"]
        if not kinds or unknown:
            reason = (
                f"the connection {', '.join(unknown) or 'without a type'} is not supported; use couplings or springs"
            )
            mesh.log.lose(card.name, "coupling", reason, card.line, ids.size)
            return []
        oriented = lines[1][1][0] if len(lines) > 1 and lines[1][1] else ""
        stiffness, rigid = self._law(card, mesh)
        held = sorted({k - 1 for kind in kinds for k in _HOLDS.get(kind, ())} | rigid)
        stiffness[held] = 0.0
        for a, b in nodes.tolist():
            for node in (a, b):
                if node and node not in found.nodes:
                    raise card.error(f"{card.name}: node {node} is not defined.")
            place_a = found.nodes[a or b]
            axes = orientations.axes(card, place, place_a[None], name=oriented) if oriented else None
            rows = np.kron(np.eye(2), np.eye(3) if axes is None else axes[0])[held]
            if "LINK" in kinds and a and b:
                found.link(b, a, card)
            if a and b:
                found.follow(a, b, rows, card)
            else:
                for row in rows:
                    terms = [((a or b, k), float(c)) for k, c in enumerate(row) if c]
                    found.equation(terms, optional=not row[:3].any())
        mesh.log.took(f"{card.name} {' + '.join(kinds)}", ids.size)
        if not stiffness.any():
            return []
        return _springs(ids, nodes, stiffness, card, place, oriented, orientations, found, "AXIAL" in kinds)

    def _law(self, card: Card, mesh: Mesh) -> tuple[Array, set[int]]:
        """Return the stiffness (6,) along the components and those that are rigid."""
        stiffness, rigid = np.zeros(6), set()
        name = card.option("BEHAVIOR")
        if name and name.upper() not in self.behaviours:
            raise card.error(f"{card.name}: *CONNECTOR BEHAVIOR '{name}' is unknown.")
        for part in self.behaviours.get(name.upper(), []) if name else []:
            if part.key != "CONNECTORELASTICITY":
                continue
            word = part.option("COMPONENT")
            if not word:
                if "RIGID" in part.options:
                    rigid |= set(range(6))
                else:
                    mesh.log.lose(part.name, "stiffness", "springs that couple components are not read", part.line)
                continue
            k = int(part.numbers([word], part.line)[0]) - 1
            if k not in range(6):
                raise part.error(f"{part.name}: COMPONENT={word}; it must be 1 to 6.")
            laws = [part.numbers(words, line) for line, words in part.fields()]
            if "RIGID" in part.options:
                rigid.add(k)
            elif "NONLINEAR" in part.options:
                stiffness[k] = slope_at_rest(part, laws)
                mesh.log.skip(f"{part.name}, NONLINEAR", "only the slope at zero is used", line=part.line)
            elif laws and laws[0]:
                stiffness[k] = laws[0][0]
        return stiffness, rigid


def _springs(
    ids: IntArray,
    nodes: IntArray,
    stiffness: Array,
    card: Card,
    place: Place,
    oriented: str,
    orientations: Orientations,
    found: LinearConstraints,
    axial: bool,
) -> list[ElementBlock]:
    """Return one block for each shape of spring: from node to node or to ground, along a line or in axes."""
    blocks = []
    name = card.option("ELSET")
    table = found.nodes
    for grounded in (False, True):
        chosen = np.flatnonzero((nodes == 0).any(axis=1) == grounded)
        if not chosen.size:
            continue
        rows = np.array([[table.row(node) for node in pair if node] for pair in nodes[chosen].tolist()])
        axes = orientations.axes(card, place, table.xyz[rows[:, 0]], name=oriented) if oriented else None
        axes = np.tile(np.eye(3), (len(rows), 1, 1)) if axes is None else axes
        if axial and not grounded:
            data = {"stiffness": np.full(len(rows), stiffness[0])}
            blocks.append(ElementBlock("axial_spring", rows, data=data, element_ids=ids[chosen], name=name))
            continue
        apart = not grounded and bool(np.abs(table.xyz[rows[:, -1]] - table.xyz[rows[:, 0]]).max() > 0.0)
        turning = bool(stiffness[3:].any()) or apart
        kind = ("ground_" if grounded else "") + ("spring" if turning else "point_spring")
        data = {"stiffness": np.tile(stiffness if turning else stiffness[:3], (len(rows), 1)), "axes": axes}
        if apart:
            # forces act at the second node
            data["location"] = np.ones(len(rows))
        blocks.append(ElementBlock(kind, rows, data=data, element_ids=ids[chosen], name=name))
    return blocks
