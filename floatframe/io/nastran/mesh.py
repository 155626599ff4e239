"""Solids, shells and rods of Nastran decks."""

from __future__ import annotations

import math
import re
from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray
from floatframe.fem import Material, WallSection, element_kind
from floatframe.io.deck import quadratic_shapes
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.properties import Properties, Solid, Wall, loaded, made, offset_by, offset_of, wall

# corners, linear and quadratic kind, and where our nodes stand on the card
_UPRIGHT_LAST_20 = (*range(12), *range(16, 20), *range(12, 16))
_UPRIGHT_LAST_15 = (*range(9), *range(12, 15), *range(9, 12))
SOLIDS: dict[str, tuple[int, str, str, tuple[int, ...]]] = {
    "CHEXA": (8, "hex8", "hex20", _UPRIGHT_LAST_20),
    "CPENTA": (6, "wedge6", "wedge15", _UPRIGHT_LAST_15),
    "CTETRA": (4, "tet4", "tet10", tuple(range(10))),
    "CPYRAM": (5, "pyramid5", "pyramid13", tuple(range(13))),
}


@dataclass(frozen=True)
class _ShellCard:
    """Where things stand on the card of a shell: nodes, angle, offset, thicknesses and the flag of relative ones."""

    nodes: int
    corners: int
    angle: int
    offset: int
    thickness: int
    flag: int


SHELLS = {
    **dict.fromkeys(("CQUAD4", "CQUADR"), _ShellCard(4, 4, 7, 8, 11, 10)),
    **dict.fromkeys(("CTRIA3", "CTRIAR"), _ShellCard(3, 3, 6, 7, 11, 10)),
    "CQUAD8": _ShellCard(8, 4, 15, 16, 11, 17),
    "CTRIA6": _ShellCard(6, 3, 9, 10, 11, 14),
}


class Surfaces:
    """Reads solids, shells and rods into blocks."""

    def __init__(self, blocks: Blocks, properties: Properties) -> None:
        self.blocks, self.properties, self.log = blocks, properties, blocks.log
        self._sections: dict[tuple[int, float, float], tuple[WallSection, Material | None]] = {}
        self.torsions: list[tuple[BulkCard, int, list[int], float]] = []

    def solid(self, card: BulkCard) -> None:
        """CHEXA, CPENTA, CTETRA, CPYRAM; with a part of their mid-side nodes the missing ones are added."""
        corners, linear, quadratic, order = SOLIDS[card.name]
        number = self.blocks.claim(card)
        solid = self.properties.solid(card.integer(2, number), card)
        if solid is None:
            return
        nodes = [card.number(3 + k) for k in range(corners)]
        more = [card.integer(3 + k, 0) for k in range(corners, len(order))]
        data = self._material_axes(card, solid, nodes)
        if not any(more):
            self.blocks.add(card, number, linear, nodes, solid.material, data=data)
            return
        nodes = [(nodes + more)[k] for k in order]
        if not all(more):
            edges = element_kind(quadratic).edges  # type: ignore[attr-defined]  # quadratic solids list their edges
            nodes[corners:] = [
                node or self._middle(card, nodes[a], nodes[b])
                for node, (a, b) in zip(nodes[corners:], edges, strict=True)
            ]
        kind = "hex20_reduced" if solid.reduced and quadratic == "hex20" else quadratic
        self.blocks.add(card, number, kind, nodes, solid.material, data=data)

    def _material_axes(self, card: BulkCard, solid: Solid, nodes: list[int]) -> dict[str, Array]:
        """Return the axes, as rows, of a material that differs between directions; none in those of the model."""
        if solid.material.matrix is None or solid.system == 0:
            return {}
        grids = self.blocks.grids
        places = np.array([grids.place(node, card) for node in nodes])
        if solid.system > 0:
            return {"material_axes": grids.system(solid.system, card).axes_at(places.mean(axis=0)).T}
        self.log.warn("PSOLID with CORDM = -1: the first edge and the first face of an element give the axes.")
        x, aside = places[1] - places[0], places[3] - places[0]
        z = np.cross(x, aside)
        rows = np.stack([x, np.cross(z, x), z])
        return {"material_axes": rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))}

    def _middle(self, card: BulkCard, a: int, b: int) -> int:
        """Return the node in the middle of an edge whose node the deck leaves out."""
        key = (min(a, b), max(a, b))
        if key not in self.blocks.middles:
            grids = self.blocks.grids
            place = (grids.place(a, card) + grids.place(b, card)) / 2.0
            self.blocks.middles[key] = self.blocks.new_node(place)
            self.log.warn("mid-side nodes that elements leave out were added and tied to the middle of their edge.")
        return self.blocks.middles[key]

    def shell(self, card: BulkCard) -> None:
        """CQUAD4, CTRIA3, …; with a part of their mid-side nodes the missing ones are added."""
        where, number = SHELLS[card.name], self.blocks.claim(card)
        found = wall(self.properties, card.integer(2, number), card)
        if found is None:
            return
        corners = where.corners
        nodes = [card.number(3 + k) for k in range(corners)]
        nodes += [card.integer(3 + k, 0) for k in range(corners, where.nodes)]
        data = self._thickness(card, found, where, corners)
        size = float(np.mean(data["thickness"])) if data else 0.0
        if not found.thickness and not size:
            raise card.error(f"{card.name} {card.text(1)} has no thickness, and neither has {found.name}.")
        section, material = self._section(card, found, offset_of(card, where.offset, size or found.thickness), size)
        if found.directed:
            data |= self._direction(card, where, nodes)
        kind = f"shell{corners}"
        if where.nodes > corners:
            (shape,) = quadratic_shapes(np.array([nodes]))
            kind, nodes = shape.kind, self._with_middles(card, [nodes[k] for k in shape.places])
            if "thickness" in data and np.ndim(data["thickness"]):
                ends = np.asarray(data["thickness"])
                data["thickness"] = np.concatenate([ends, 0.5 * (ends + np.roll(ends, -1))])[shape.places]
        self.blocks.add(card, number, kind, nodes, material, section, data)

    def _with_middles(self, card: BulkCard, nodes: list[int]) -> list[int]:
        """Return the nodes of a shell, corners first, with those that the deck leaves out (0) added."""
        corners = (len(nodes) + 1) // 2
        for k in range(len(nodes) - corners):
            if not nodes[corners + k]:
                nodes[corners + k] = self._middle(card, nodes[k], nodes[(k + 1) % corners])
                self.blocks.turning.add(nodes[corners + k])
        return nodes

    def _section(self, card: BulkCard, found: Wall, offset: float, size: float) -> tuple[WallSection, Material | None]:
        # elements that bring their thickness share the section of the first, unless they share a mass per area
        key = (id(found), offset, size if found.nsm else 0.0)
        if key not in self._sections:
            section = made(card, lambda: offset_by(found, offset, size))
            self._sections[key] = made(card, lambda: loaded(self.properties, found, section, size or found.thickness))
        return self._sections[key]

    def _thickness(self, card: BulkCard, found: Wall, where: _ShellCard, corners: int) -> dict[str, AnyArray | float]:
        """Return the thickness an element gives by itself at its corners."""
        words = [card.text(where.thickness + k) for k in range(corners)]
        if not any(words) or found.name.startswith("PCOMP"):
            return {}
        given = [card.real(where.thickness + k, 0.0) for k in range(corners)]
        if not any(given):
            return {}
        scale = found.thickness if card.integer(where.flag, 0) else 1.0
        values = [value * scale if word else found.thickness for value, word in zip(given, words, strict=True)]
        if not min(values) > 0.0:
            raise card.error(f"{card.name} {card.text(1)} has the thickness {min(values):g}; it must be positive.")
        if max(values) - min(values) <= 1e-9 * values[0]:
            return {"thickness": values[0]}
        return {"thickness": np.array(values)}

    def _direction(self, card: BulkCard, where: _ShellCard, nodes: list[int]) -> dict[str, AnyArray | float]:
        """Return the direction that angles of plies count from: an angle to the first side, or x of a system."""
        word = card.text(where.angle)
        if not word:
            return {}
        grids = self.blocks.grids
        places = np.array([grids.place(node, card) for node in nodes[: where.corners]])
        if re.fullmatch(r"\d+", word):
            return {"direction": grids.system(int(word), card).axes_at(places.mean(axis=0))[:, 0]}
        angle = math.radians(card.real(where.angle))
        side = places[1] - places[0]
        # of a triangle the second diagonal is its first side, backwards
        normal = np.cross(places[2] - places[0], places[3 % where.corners] - places[1])
        length = float(np.sqrt(normal @ normal))
        if not angle or not length:
            return {}
        across = np.cross(normal / length, side)
        return {"direction": math.cos(angle) * side + math.sin(angle) * across}

    def rod(self, card: BulkCard) -> None:
        """CROD, CTUBE, CONROD: bars that stretch, and twist where other elements give their grids rotations."""
        number = self.blocks.claim(card)
        if card.name == "CONROD":
            ends = [card.number(2), card.number(3)]
            rod = self.properties.bar_of_area(card, 4, card.real(5, 0.0), card.real(6, 0.0), 8)
        else:
            ends = [card.number(3), card.number(4)]
            find = self.properties.rod if card.name == "CROD" else self.properties.tube
            rod = find(card.integer(2, number), card)
        if rod.section is not None:
            self.blocks.add(card, number, "truss", ends, rod.material, rod.section)
            number = 0
        if rod.torsion:
            self.torsions.append((card, number, ends, rod.torsion))

    def twist(self, present: BoolArray, held: Container[tuple[int, int]]) -> None:
        """Add the torsion of rods between grids that turn, or of which one is held.

        present (nnode, 2): what other elements give to nodes; held: node and component of supports.
        """
        ids = self.blocks.ids
        for card, number, ends, torsion in self.torsions:
            line = self.blocks.xyz_of(ends[1], card) - self.blocks.xyz_of(ends[0], card)
            length = float(np.sqrt(line @ line))
            turning = [node for node in ends if present[np.searchsorted(ids, node), 1]]
            fixed = [node for node in ends if all((node, k) in held for k in (3, 4, 5))]
            if not length or not turning or len({*turning, *fixed}) < 2:
                continue
            row = np.r_[np.zeros(3), line / length]
            row = row if len(turning) == 1 else np.r_[row, -row]
            kind = "node_matrix" if len(turning) == 1 else "pair_matrix"
            data = {"stiffness": torsion / length * np.outer(row, row)}
            self.blocks.add(card, number or self.blocks.next_number(), kind, turning, data=data)
