"""Nodes and elements that a deck generates: *NGEN, *NFILL and *ELGEN, in the order of the cards."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.io.abaqus.deck.deck import Card
from floatframe.io.abaqus.deck.mesh import Mesh
from floatframe.io.abaqus.deck.places import Place
from floatframe.io.abaqus.deck.sets import Group, whole_numbers

_MOST = 10**7  # nodes or elements of one line of a generator


class Generator:
    """Adds to a mesh what its generating cards describe."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh

    def nodes_on_lines(self, card: Card, place: Place) -> None:
        """*NGEN: nodes at equal steps between a first and a last node, whose numbers differ by multiples of a step."""
        if card.option("LINE"):
            raise card.error("*NGEN, LINE= cannot be read; only nodes on straight lines can: write the nodes out.")
        self._refuse_system(card)
        for line, words in card.fields():
            first, last, step = self._numbers(card, line, words, 3, default=1)
            count = (last - first) // step
            if count < 1 or first + count * step != last or count > _MOST:
                raise card.error(f"*NGEN: {first} to {last} is not a whole number of steps of {step}.", line)
            ends = self._places(np.array([first, last]) + place.nodes, card, line)
            share = np.arange(1, count)[:, None] / count
            ids = first + step * np.arange(1, count) + place.nodes
            self._add(card, place, ids, ends[0] + share * (ends[1] - ends[0]))
            self._remember(card, place, np.array([first, last]) + place.nodes)

    def nodes_between_sets(self, card: Card, place: Place) -> None:
        """*NFILL: nodes at equal steps between the nodes of two sets, taken in pairs; numbers rise from the first."""
        if any(card.option(name) for name in ("BIAS", "SINGULAR")) or "TWOSTEP" in card.options:
            raise card.error("*NFILL with BIAS or SINGULAR cannot be read; write the nodes out.")
        self._refuse_system(card)
        for line, words in card.fields():
            if len(words) < 2:
                raise card.error("*NFILL needs two sets of nodes.", line)
            bounds = [self.mesh.nodes(word, place, card, line) for word in words[:2]]
            count, step = self._numbers(card, line, words[2:], 2, default=1)
            if bounds[0].size != bounds[1].size:
                raise card.error(
                    f"*NFILL: set '{words[0]}' has {bounds[0].size} nodes and '{words[1]}' has {bounds[1].size}.", line
                )
            if count * bounds[0].size > _MOST:
                raise card.error(f"*NFILL makes more than {_MOST} nodes.", line)
            a, b = (self._places(bound, card, line) for bound in bounds)
            for k in range(1, count):
                self._add(card, place, bounds[0] + step * k, a + (b - a) * (k / count))
            self._remember(card, place, np.concatenate(bounds))

    def elements_in_rows(self, card: Card, place: Place) -> None:
        """*ELGEN: copies of an element in rows, layers and blocks, each with steps of node and element numbers."""
        for line, words in card.fields():
            master, *steps = self._numbers(card, line, words, 10, default=1, most_may_miss=True)
            parent, row = self._element(master + place.elements, card, line)
            ids, nodes, extra = parent.ids[row : row + 1], parent.nodes[row : row + 1], parent.extra[row : row + 1]
            for count, by_node, by_element in (steps[k : k + 3] for k in (0, 3, 6)):
                if count * ids.size > _MOST:
                    raise card.error(f"*ELGEN makes more than {_MOST} elements.", line)
                k = np.arange(count)
                ids = (ids[None] + by_element * k[:, None]).ravel()
                nodes = (nodes[None] + by_node * k[:, None, None]).reshape(-1, nodes.shape[1])
                extra = np.tile(extra, count)
            group = Group(parent.name, parent.type, ids[1:], nodes[1:], extra[1:], card)
            self.mesh.groups.append(group)
            self.mesh.log.took(card.name, ids.size - 1)
            if card.option("ELSET"):
                name = card.option("ELSET")
                self.mesh.element_sets.add(place.key(name), place.named(name), ids)

    # pieces

    def _numbers(
        self, card: Card, line: int, words: list[str], count: int, default: int, most_may_miss: bool = False
    ) -> list[int]:
        """Return whole numbers of a data line; missing ones get the default, but not the first ones."""
        needed = 1 if most_may_miss else count - 1
        if len([word for word in words[:needed] if word]) < needed:
            raise card.error(f"{card.name} needs {needed} numbers.", line)
        given = card.numbers([word or str(default) for word in words[:count]], line)
        return whole_numbers(card, np.array(given + [float(default)] * (count - len(given))), 0).tolist()

    def _places(self, ids: IntArray, card: Card, line: int) -> Array:
        """Return the places (n, 3) of nodes that are known already."""
        known, xyz = self.mesh.all_nodes()
        rows = np.searchsorted(known, ids).clip(max=known.size - 1)
        missing = known[rows] != ids
        if missing.any():
            raise card.error(f"{card.name} names node {ids[missing][0]}, which is not defined before it.", line)
        return xyz[rows]

    def _element(self, number: int, card: Card, line: int) -> tuple[Group, int]:
        for group in self.mesh.groups:
            rows = np.flatnonzero(group.ids == number)
            if rows.size:
                return group, int(rows[0])
        raise card.error(f"*ELGEN names element {number}, which is not defined before it.", line)

    def _add(self, card: Card, place: Place, ids: IntArray, xyz: Array) -> None:
        if ids.size:
            self.mesh.node_parts.append((ids, xyz, card))
            self.mesh.log.took(card.name, ids.size)
            self._remember(card, place, ids)

    def _remember(self, card: Card, place: Place, ids: IntArray) -> None:
        if card.option("NSET"):
            self.mesh.node_sets.add(place.key(card.option("NSET")), place.named(card.option("NSET")), ids)

    def _refuse_system(self, card: Card) -> None:
        if card.option("SYSTEM"):
            raise card.error(f"{card.name}, SYSTEM= cannot be read; write the nodes out.")
