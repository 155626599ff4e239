"""Nodes and elements of a deck, numbered over all instances of an assembly."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus.deck.cards import PHYSICS
from floatframe.io.abaqus.deck.deck import Card
from floatframe.io.abaqus.deck.elements import ElementType, element_type, is_without_structure, why_refused
from floatframe.io.abaqus.deck.places import Place, axes_of, from_curved, instance_place
from floatframe.io.abaqus.deck.sets import Group, Names, whole_numbers
from floatframe.io.deck import Rows
from floatframe.io.import_log import ImportLog


class Mesh(Names):
    """Collects the mesh of a deck card by card."""

    def __init__(self, log: ImportLog) -> None:
        super().__init__(log)
        self.node_parts: list[tuple[IntArray, Array, Card]] = []
        self.unread: dict[str, None] = {}  # types of elements that cannot be read
        self.system: tuple[Array, Array] | None = None  # origin and rows of the axes of *SYSTEM

    def node(self, card: Card, place: Place) -> None:
        """*NODE: number and up to three coordinates; normals that follow on a line are not used."""
        rows = card.rows()
        if not len(rows):
            return
        if (rows.widths < 1).any():
            raise card.error("a line of *NODE is empty.")
        table = rows.table(max(4, int(rows.widths.max())))
        if table[:, 4:].any():
            self.log.skip("*NODE normals", PHYSICS["NORMAL"], line=card.line)
        ids = whole_numbers(card, table[:, 0], place.nodes)
        xyz = from_curved(card, table[:, 1:4])
        if self.system is not None:
            xyz = self.system[0] + xyz @ self.system[1]
        if place.R is not None:
            xyz = xyz @ place.R.T
        if place.shift is not None:
            xyz = xyz + place.shift
        self.node_parts.append((ids, np.ascontiguousarray(xyz), card))
        self.log.took(card.name, len(ids))
        if card.option("NSET"):
            self.node_sets.add(place.key(card.option("NSET")), place.named(card.option("NSET")), ids)

    def element(self, card: Card, place: Place) -> None:
        """*ELEMENT: number and nodes, over several lines if there are many."""
        name = card.required("TYPE").upper()
        type = element_type(name)
        if type is None:
            self._lose(card, name, place)
            return
        rows = card.rows()
        if not len(rows):
            return
        width = type.nnode + 1
        if type.extra and int(rows.offsets[1]) == width + 1:
            width += 1
        whole = type.family != "connector" or (rows.widths > width).any()
        table = self._element_table(card, name, rows, width) if whole else rows.table(width)
        count = len(table)
        ids = whole_numbers(card, table[:, 0], place.elements)
        nodes = self._node_numbers(card, type, table[:, 1 : type.nnode + 1], place)
        extra = (
            whole_numbers(card, table[:, width - 1], place.nodes)
            if width > type.nnode + 1
            else np.zeros(count, np.int64)
        )
        self.groups.append(Group(name, type, ids, nodes, extra, card))
        self.log.took(f"*ELEMENT {name}", count)
        if type.remark:
            self.log.warn(f"{name} becomes {type.kind}: {type.remark}.")
        if card.option("ELSET"):
            self.element_sets.add(place.key(card.option("ELSET")), place.named(card.option("ELSET")), ids)

    def _lose(self, card: Card, name: str, place: Place) -> None:
        """Report elements that cannot be read; their set stays, empty, for the cards that name it."""
        self.unread[name] = None
        # a line that ends in a comma goes on in the next one
        count = max(1, sum(1 for _, words in card.fields() if words[-1]))
        if is_without_structure(name):
            self.log.skip(name, why_refused(name), False, card.line, count)
        else:
            self.log.lose(name, "stiffness", why_refused(name), card.line, count)
        if card.option("ELSET"):
            none = np.empty(0, np.int64)
            self.element_sets.add(place.key(card.option("ELSET")), place.named(card.option("ELSET")), none)

    def _node_numbers(self, card: Card, type: ElementType, table: Array, place: Place) -> IntArray:
        """Return the node numbers (nel, n) of elements; a node of a connector that is left out, 0, is the ground."""
        given = (table != 0) if type.family == "connector" else np.ones(table.shape, dtype=bool)
        nodes = np.zeros(table.shape, dtype=np.int64)
        nodes[given] = whole_numbers(card, table[given], place.nodes)
        return nodes

    def _element_table(self, card: Card, name: str, rows: Rows, width: int) -> Array:
        """Return elements as rows (nel, width); each begins a line and may go on in the next ones."""
        longer = int(rows.widths[0])
        if longer > width and (rows.widths == longer).all():
            reason = f"elements of this type have {width - 1} nodes; further numbers on their lines are passed over"
            self.log.skip(f"*ELEMENT {name}", reason, physical=False, line=card.line, count=len(rows))
            return rows.values.reshape(-1, longer)[:, :width]
        if (rows.widths == width).all():
            return rows.values.reshape(-1, width)
        count, rest = divmod(rows.values.size, width)
        starts = np.arange(count + bool(rest)) * width
        aligned = np.isin(starts, rows.offsets)
        if rest or not aligned.all():
            k = int(np.flatnonzero(~aligned)[0]) - 1 if not aligned.all() else count
            line = int(np.searchsorted(rows.offsets, max(k, 0) * width, side="right")) - 1
            raise card.error(
                f"an element of type {name} has {width - 1} nodes; this one has another number of them.",
                card.row_line(min(max(line, 0), len(rows) - 1)),
            )
        return rows.values.reshape(-1, width)

    def set_system(self, card: Card, place: Place) -> None:
        """*SYSTEM: axes in which the following nodes are given."""
        values = [v for line, words in card.fields() for v in card.numbers(words, line)]
        if not values:
            self.system = None
            return
        values += [0.0] * (9 - len(values))
        a, b, c = (np.array(values[k : k + 3]) for k in (0, 3, 6))
        c = c if c.any() else a + np.cross([0.0, 0.0, 1.0], b - a)
        self.system = (a, axes_of(card, b - a, c - a))

    def new_place(self, card: Card) -> Place:
        """*INSTANCE: a place whose numbers clash with none before."""
        nodes, elements = self._largest_numbers()
        place = instance_place(card, nodes, elements)
        if nodes:
            self.log.warn(
                f"instance '{place.name}': node numbers are raised by {nodes}, element numbers by {elements}."
            )
        self.places[place.name.upper()] = place
        self.log.took(card.name)
        return place

    def assembly_place(self, cards: list[Card]) -> Place:
        """Return the place of cards outside of instances: their own numbers are raised if instances have them too."""
        if not self.places:
            return Place()
        nodes, elements = self._largest_numbers()
        # a number up to the largest one of the instances may be theirs
        raise_nodes = nodes if self._smallest_number(cards, "NODE") <= nodes else 0
        raise_elements = elements if self._smallest_number(cards, "ELEMENT") <= elements else 0
        if raise_nodes or raise_elements:
            self.log.warn(
                f"assembly: node numbers are raised by {raise_nodes}, element numbers by {raise_elements}; "
                "the instances have the same ones."
            )
        return Place(nodes=raise_nodes, elements=raise_elements)

    def _largest_numbers(self) -> tuple[int, int]:
        """Return the largest node and element number so far."""
        nodes = max((int(ids.max()) for ids, _, _ in self.node_parts if ids.size), default=0)
        elements = max((int(group.ids.max()) for group in self.groups if group.ids.size), default=0)
        return nodes, elements

    def _smallest_number(self, cards: list[Card], key: str) -> float:
        """Return the smallest number that cards of this kind define, infinite if there are none."""
        smallest = np.inf
        for card in cards:
            if card.key == key:
                rows = card.rows()
                firsts = rows.offsets[:-1][rows.widths > 0]
                smallest = min(smallest, float(rows.values[firsts].min(initial=np.inf)))
        return smallest

    def all_nodes(self) -> tuple[IntArray, Array]:
        """Return numbers and places of all nodes in ascending order; a node given twice must be in one place."""
        if not self.node_parts:
            raise self.log.error("there are no nodes (*NODE) in the deck.")
        if len(self.node_parts) == 1:
            ids, xyz = self.node_parts[0][:2]
        else:
            ids = np.concatenate([part[0] for part in self.node_parts])
            xyz = np.concatenate([part[1] for part in self.node_parts])
        if (np.diff(ids) > 0).all():
            return ids, xyz
        order = np.argsort(ids, kind="stable")
        ids, xyz = ids[order], xyz[order]
        twice = np.flatnonzero(ids[1:] == ids[:-1])
        if twice.size:
            moved = twice[(xyz[twice] != xyz[twice + 1]).any(axis=1)]
            if moved.size:
                number = int(ids[moved[0]])
                card, row = self._definition(number)
                raise card.error(f"node {number} is defined twice, at different places.", card.row_line(row))
            self.log.warn(f"{twice.size} nodes are defined twice at the same place, first node {ids[twice[0]]}.")
        last = np.append(ids[1:] != ids[:-1], True)
        return ids[last], xyz[last]

    def _definition(self, number: int) -> tuple[Card, int]:
        """Return card and row of the last definition of a node."""
        card, ids = next((c, ids) for ids, _, c in reversed(self.node_parts) if (ids == number).any())
        return card, int(np.flatnonzero(ids == number)[-1])
