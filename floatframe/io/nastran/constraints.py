"""Supports and multipoint constraints of Nastran decks, in model axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from floatframe.arrays import Array, BoolArray, skew
from floatframe.io.deck import Dof, LinearConstraints, NodeTable
from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards import BulkCard, Grids, NastranDeck
from floatframe.io.nastran.lines import Release

Term = tuple[Dof, float]


class Constraints:
    """Collects the constraints of a deck; spc, mpc: numbers of the sets to use instead of those of case control."""

    def __init__(
        self, deck: NastranDeck, grids: Grids, log: ImportLog, nodes: NodeTable, present: BoolArray,
        spc: int | None, mpc: int | None,
    ) -> None:  # fmt: skip
        self.deck, self.grids, self.log = deck, grids, log
        self.found = LinearConstraints(nodes)
        self.turned = {int(node) for node in grids.ids[grids.cd != 0]}
        # of a scalar point only the first dof lives
        self.found.hold(*((node, k) for node in grids.scalars if present[nodes.row(node), 0] for k in (1, 2)))
        for card, word in grids.held:
            if word != "0":
                self._hold(card, [card.number(1)], card.components(7) if card.text(7) else _digits(card, word))
        for card in self._chosen("SPC", ("SPC", "SPC1"), spc):
            self._support(card)
        for card in self._chosen("MPC", ("MPC",), mpc):
            self._equation(card)

    def tie_middles(self, middles: dict[tuple[int, int], int], turning: set[int]) -> None:
        """Keep added mid-side nodes in the middle of their edges; those that are `turning` have rotations too."""
        for (a, b), node in middles.items():
            for k in range(6 if node in turning else 3):
                self.found.equation([((node, k), 1.0), ((a, k), -0.5), ((b, k), -0.5)])

    def tie_ends(self, releases: Sequence[Release]) -> None:
        """Join released ends of bars to their nodes in the directions that are left."""
        for end in releases:
            arm = skew(end.arm)
            for triple in (0, 3):
                kept = [k for k in range(3) if triple + k not in end.free]
                axes = np.eye(3) if len(kept) == 3 else end.axes
                for k in kept:
                    terms = along(end.node, triple, axes[k], 1.0) + along(end.reference, triple, axes[k], -1.0)
                    if triple == 0:
                        terms += along(end.reference, 3, axes[k] @ arm, 1.0)
                    # the largest term of the new node goes first: it is the one to leave
                    terms[:3] = sorted(terms[:3], key=lambda term: -abs(term[1]))
                    self.found.equation(terms)

    # choosing

    def _chosen(self, what: str, names: tuple[str, ...], wanted: int | None) -> list[BulkCard]:
        """Return the cards of the set in force: the requested one, that of case control, or all."""
        cards = list(self.deck.of(*names))
        number = self.deck.selected.get(what) if wanted is None else wanted
        known = sorted({card.number(1) for card in cards})
        if number is None:
            sums = self.deck.cards.get(f"{what}ADD", [])
            if cards and self.deck.has_cases:
                self.log.warn(
                    f"no subcase selects an {what} set: none is taken, as in Nastran; {what.lower()}= chooses."
                )
                return []
            if len(known) > 1 and not sums:
                listed = ", ".join(map(str, known[:10]))
                self.log.warn(
                    f"the deck selects no {what} set; all of them ({listed}) are taken, {what.lower()}= chooses."
                )
            return cards
        if number == 0:  # zero stands for none
            return []
        if not cards and wanted is None:
            self.log.warn(f"case control selects {what} set {number}, but the deck has no {what} card.")
            return []
        parts = self._parts(what, number)
        if not parts & set(known):
            raise self.log.error(f"{what} set {number} was requested, but the deck does not define it.")
        left = sum(card.number(1) not in parts for card in cards)
        if left:
            self.log.skip(what, f"it is not in the selected set {number}", physical=False, count=left)
        return [card for card in cards if card.number(1) in parts]

    def _parts(self, what: str, number: int) -> set[int]:
        """Return a set and those that SPCADD or MPCADD put into it."""
        sums: dict[int, list[int]] = {}
        for card in self.deck.of(f"{what}ADD"):
            listed = [card.number(k) for k in range(2, len(card.fields)) if card.text(k)]
            sums.setdefault(card.number(1), []).extend(listed)
            self.log.took(card.name)
        found, open_sets = set(), [number]
        while open_sets:
            one = open_sets.pop()
            if one not in found:
                found.add(one)
                open_sets += sums.get(one, [])
        return found

    # dofs

    def _components(self, card: BulkCard, k: int) -> list[int]:
        """Return components; those of scalar points are zero or left out."""
        return [0] if card.text(k) in ("", "0") and self.deck.cards.get("SPOINT") else card.components(k)

    def terms(self, card: BulkCard, node: int, component: int, factor: float = 1.0) -> list[Term]:
        """Return a dof in the displacement system of its node by dofs in model axes."""
        self.known(card, [node])
        if node not in self.turned:
            return [((node, component), factor)]
        axis = self.grids.axes(node, card)[:, component % 3]
        terms = [((node, 3 * (component // 3) + k), factor * float(axis[k])) for k in range(3)]
        return sorted((term for term in terms if term[1]), key=lambda term: -abs(term[1]))

    def known(self, card: BulkCard, nodes: Sequence[int]) -> None:
        for node in nodes:
            if node not in self.found.nodes:
                raise card.error(f"{card.name} {card.text(1)} names grid {node}, which is not defined.")

    def _hold(self, card: BulkCard, nodes: Sequence[int], components: Sequence[int]) -> None:
        undefined = [node for node in nodes if node not in self.found.nodes]
        if undefined:
            self.log.warn(
                f"{card.name} names grids that are not defined, such as {undefined[0]}; there is nothing to hold."
            )
        nodes = [node for node in nodes if node in self.found.nodes]
        for node in nodes if self.log.supports else ():
            for first in (0, 3):
                local = [k for k in components if first <= k < first + 3]
                if node not in self.turned or len(local) == 3:
                    self.found.hold(*((node, k) for k in local))
                else:
                    for k in local:
                        self.found.equation(self.terms(card, node, k))

    def _support(self, card: BulkCard) -> None:
        """SPC,SID,G1,C1,D1,G2,C2,D2 and SPC1,SID,C,G1,…"""
        if card.name == "SPC1":
            words = [card.text(k) for k in range(3, len(card.fields))]
            self._hold(card, card.members(words, self.grids.ids).tolist(), self._components(card, 2))
        else:
            for k in (2, 5):
                if card.text(k):
                    self._hold(card, [card.number(k)], self._components(card, k + 1))
                    if card.real(k + 2, 0.0):
                        self.log.warn("SPC prescribes displacements that are not zero; they are held at zero.")
        self.log.took(card.name)

    def _equation(self, card: BulkCard) -> None:
        """MPC,SID,G1,C1,A1,G2,C2,A2,,,G3,C3,A3,G4,C4,A4, …"""
        terms: list[Term] = []
        for line in range(0, len(card.fields), 8):
            for k in (line + 2, line + 5):
                if card.text(k):
                    component = self._components(card, k + 1)
                    if len(component) != 1:
                        raise card.error(f"MPC {card.text(1)} needs one component for grid {card.text(k)}.")
                    terms += self.terms(card, card.number(k), component[0], card.real(k + 2))
        if not terms:
            raise card.error(f"MPC {card.text(1)} has no terms.")
        self.found.equation(joined(terms))
        self.log.took("MPC")


def joined(terms: Sequence[Term]) -> list[Term]:
    """Return terms with those of one dof added up."""
    joined: dict[Dof, float] = {}
    for dof, factor in terms:
        joined[dof] = joined.get(dof, 0.0) + factor
    return list(joined.items())


def along(node: int, first: int, direction: Array, sign: float) -> list[Term]:
    """Return sign times the motion of a node along a direction (3,)."""
    return [((node, first + k), sign * float(direction[k])) for k in range(3)]


def _digits(card: BulkCard, word: str) -> list[int]:
    """Return the components of the permanent supports that GRDSET gives to a grid."""
    if not set(word) <= set("123456"):
        raise card.error(f"GRDSET has the components '{word[:20]}'; they must be out of 123456.")
    return sorted({int(digit) - 1 for digit in word})
