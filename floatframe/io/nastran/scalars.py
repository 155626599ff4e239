"""Scalar springs, dampers and masses of Nastran decks, scalar points, CVISC and CBUSH1D.

A scalar element acts between two single dofs, or between one and the ground. A scalar point is kept as a node in the
middle of the model of which only the first translation lives.
"""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import PointMass
from floatframe.io.nastran.blocks import Blocks
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.properties import Properties, made

_WHAT = {"CELAS": "stiffness", "CDAMP": "damping", "CMASS": "mass"}
_SOURCE = {"stiffness": ("PELAS", 4), "damping": ("PDAMP", 2), "mass": ("PMASS", 2)}
SCALAR = tuple(f"{name}{k}" for name in _WHAT for k in (1, 2, 3, 4))
_SAME = 1e-12  # of two directions


class Scalars:
    """Reads scalar elements into blocks."""

    def __init__(self, blocks: Blocks, properties: Properties) -> None:
        self.blocks, self.properties, self.log = blocks, properties, blocks.log
        self.masses: list[PointMass] = []

    def scalar(self, card: BulkCard) -> None:
        """CELAS1-4, CDAMP1-4, CMASS1-4: EID,PID or value,G1,C1,G2,C2, or S1,S2 for scalar points."""
        what = _WHAT[card.name[:5]]
        number = self.blocks.claim(card)
        value = self._value(card, what, number)
        ends = self._ends(card)
        tied = [(node, c) for node, c in ends if node]
        if not tied:
            raise card.error(f"{card.name} {number} has no grid.")
        if what == "mass":
            value *= self.properties.mass_factor
        self._add(card, number, what, value, tied)

    def _value(self, card: BulkCard, what: str, number: int) -> float:
        if card.name[-1] in "13":
            return self.properties.scalar(_SOURCE[what][0], card.integer(2, number), card, _SOURCE[what][1])
        if what == "stiffness" and card.name[-1] == "2":
            self.properties.tell_damping(card, 7)
        return card.real(2, 0.0)

    def _ends(self, card: BulkCard) -> list[tuple[int, int]]:
        """Return nodes (0: ground) and components."""
        scalars = self.blocks.grids.scalars
        if card.name[-1] in "34":
            return [(card.integer(k, 0), 0) for k in (3, 4)]
        found = []
        for k in (3, 5):
            node, word = card.integer(k, 0), card.text(k + 1)
            if node in scalars and word in ("", "0", "1"):
                word = "1"
            if node and word not in tuple("123456"):
                raise card.error(f"{card.name} {card.text(1)} needs one component from 1 to 6 for each grid.")
            found.append((node, int(word or 1) - 1))
        return found

    def _add(self, card: BulkCard, number: int, what: str, value: float, tied: list[tuple[int, int]]) -> None:
        grids = self.blocks.grids
        axes = [grids.axes(node, card) for node, _ in tied]
        (node, k), (other, j) = tied[0], tied[-1]
        if what != "mass" and node != other and k == j and np.abs(axes[0] - axes[-1]).max() <= _SAME:
            turns = k > 2
            law = np.zeros(6 if turns else 3)
            law[k] = value
            kind = "spring" if turns else "point_spring"
            self.blocks.add(card, number, kind, [node, other], data={what: law, "axes": axes[0].T})
            return
        if what != "mass" and len(tied) == 1:
            law = np.zeros(6 if k > 2 else 3)
            law[k] = value
            kind = "ground_spring" if k > 2 else "ground_point_spring"
            self.blocks.add(card, number, kind, [node], data={what: law, "axes": axes[0].T})
            return
        rows = [(node, component, turn[:, component % 3]) for (node, component), turn in zip(tied, axes, strict=True)]
        # the element acts on the difference of the two motions
        add_form(self.blocks, card, number, what, value, [(*row, s) for row, s in zip(rows, (1.0, -1.0), strict=False)])

    # along a line

    def viscous(self, card: BulkCard) -> None:
        """CVISC,EID,PID,G1,G2: dampers along and about the line."""
        number = self.blocks.claim(card)
        along, about = self.properties.several("PVISC", card.integer(2, number), card, 4, (2, 3))
        ends = [card.number(3), card.number(4)]
        line = self._line(card, ends)
        if along or not about:
            self.blocks.add(card, number, "axial_spring", ends, data={"stiffness": 0.0, "damping": along})
            number = self.blocks.next_number()
        if about:
            form = [(node, 3, line, s) for node, s in zip(ends, (1.0, -1.0), strict=True)]
            add_form(self.blocks, card, number, "damping", about, form)

    def bush(self, card: BulkCard) -> None:
        """CBUSH1D,EID,PID,GA,GB,CID: spring and damper along the line, or along x of the system CID."""
        number = self.blocks.claim(card)
        prop = self.properties.find(("PBUSH1D",), card.integer(2, number), card)
        self.log.took("PBUSH1D")
        grids = self.blocks.grids
        ends = [node for node in (card.number(3), card.integer(4, 0)) if node]
        if card.text(5):
            axis = grids.system(card.integer(5), card).axes_at(grids.place(ends[0], card))[:, 0]
        elif len(ends) == 1:
            raise card.error(f"CBUSH1D {number} has one grid; it needs a coordinate system CID.")
        else:
            axis = self._line(card, ends)
        along = {"stiffness": prop.real(2, 0.0), "damping": prop.real(3, 0.0)}
        if not along["damping"]:
            del along["damping"]
        if not card.text(5):
            self.blocks.add(card, number, "axial_spring", ends, data=along)
        else:
            for what, value in along.items():
                form = [(node, 0, axis, s) for node, s in zip(ends, (1.0, -1.0), strict=False)]
                add_form(self.blocks, card, number, what, value, form)
                number = self.blocks.next_number()
        mass = prop.real(4, 0.0) * self.properties.mass_factor
        if mass:
            self.masses += made(card, lambda: [PointMass(node, mass / len(ends)) for node in ends])
        words = [prop.text(k) for k in range(9, len(prop.fields))]
        if any(word in ("SHOCKA", "SPRING", "DAMPER", "GENER") for word in words):
            self.log.skip("PBUSH1D", "laws that are not linear are left out; K and C count", line=prop.line)

    def _line(self, card: BulkCard, ends: list[int]) -> Array:
        grids = self.blocks.grids
        line = grids.place(ends[-1], card) - grids.place(ends[0], card)
        length = float(np.sqrt(line @ line))
        if not length > 0.0:
            raise card.error(f"{card.name} {card.text(1)} has no length.")
        return np.asarray(line / length)


def add_form(
    blocks: Blocks, card: BulkCard, number: int, what: str, value: float, form: list[tuple[int, int, Array, float]]
) -> None:
    """Add the quadratic form value (Σ s d·u)² of motions at one or two nodes.

    form: node, component (below 3: its translation, else its rotation), direction d (3,) and factor s of each.
    """
    nodes = list(dict.fromkeys(node for node, _, _, _ in form))
    turns = any(component > 2 for _, component, _, _ in form)
    size = 6 if turns else 3
    row = np.zeros(size * len(nodes))
    for node, component, direction, factor in form:
        start = size * nodes.index(node) + (3 if component > 2 else 0)
        row[start : start + 3] += factor * direction
    kind = ("" if turns else "point_") + ("node_matrix" if len(nodes) == 1 else "pair_matrix")
    blocks.add(card, number, kind, nodes, data={what: value * np.outer(row, row)})
