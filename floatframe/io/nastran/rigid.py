"""Rigid and averaging elements of Nastran decks: RBE1, RBE2, RBE3, RBAR, RBAR1, RJOINT, RROD, RTRPLT, RTRPLT1."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray, skew
from floatframe.fem import DOF_NAMES
from floatframe.io.nastran.cards import BulkCard
from floatframe.io.nastran.constraints import Constraints, along, joined

RIGID = ("RBE1", "RBE2", "RBE3", "RBAR", "RBAR1", "RJOINT", "RROD", "RTRPLT", "RTRPLT1")


class RigidElements:
    """Adds the rigid elements of a deck to its constraints.

    present (nnode, 2): whether elements and masses give a grid translations and rotations.
    """

    def __init__(self, constraints: Constraints, present: BoolArray) -> None:
        self.constraints, self.grids, self.found = constraints, constraints.grids, constraints.found
        self.present = present.copy()  # also what rigid elements give to grids without elements
        # means come last: they may take grids that only rigid elements carry
        readers: dict[str, Callable[[BulkCard], None]] = {
            "RBE2": self._rigid, "RBAR": self._bar, "RBAR1": self._simple_bar, "RJOINT": self._simple_bar,
            "RBE1": self._general, "RTRPLT": self._triangle, "RTRPLT1": self._simple_triangle, "RROD": self._rod,
            "RBE3": self._mean,
        }  # fmt: skip
        for name, read in readers.items():
            for card in constraints.deck.of(name):
                read(card)
                constraints.log.took(name)

    def _rigid(self, card: BulkCard) -> None:
        """RBE2,EID,GN,CM,GM1,GM2,…; a real number at the end is a thermal expansion."""
        words = [card.text(k) for k in range(4, len(card.fields))]
        if words and "." in words[-1]:
            words.pop()
        self._follow(card, card.number(2), card.members(words, self.grids.ids), card.components(3))

    def _follow(self, card: BulkCard, reference: int, dependents: IntArray, components: list[int]) -> None:
        """Let components of nodes follow a reference; along turned axes unless whole triples follow."""
        self.constraints.known(card, [reference, *dependents.tolist()])
        for node in dependents.tolist():
            self.present[self.found.nodes.row(node), [k // 3 for k in components]] = True
        self.present[self.found.nodes.row(reference)] = True
        whole = components in ([0, 1, 2], [3, 4, 5], [0, 1, 2, 3, 4, 5])
        turned = [node for node in dependents.tolist() if node in self.constraints.turned and not whole]
        plain = np.setdiff1d(dependents, turned)
        if plain.size:
            self.found.rigid(reference, plain, ",".join(DOF_NAMES[k] for k in components), card)
        elif not turned:
            raise card.error(f"{card.name} {card.text(1)} has no dependent grid.")
        for node in turned:
            arm = skew(self.found.nodes[node] - self.found.nodes[reference])
            for k in components:
                axis = self.grids.axes(node, card)[:, k % 3]
                terms = self.constraints.terms(card, node, k) + along(reference, 3 * (k // 3), axis, -1.0)
                self.found.equation(terms + (along(reference, 3, axis @ arm, 1.0) if k < 3 else []))

    def _bar(self, card: BulkCard) -> None:
        """RBAR,EID,GA,GB,CNA,CNB,CMA,CMB: six independent dofs at either end or at both."""
        ends = [card.number(2), card.number(3)]
        if not card.text(4) and not card.text(5):
            # some programs leave the independent end out: it is the first
            self._split_rigid(card, ends, [list(range(6)), []], [card.text(6), card.text(7)])
            return
        independent = [card.components(4 + k) if card.text(4 + k) not in ("", "0") else [] for k in (0, 1)]
        self._split_rigid(card, ends, independent, [card.text(6), card.text(7)])

    def _simple_bar(self, card: BulkCard) -> None:
        """RBAR1 and RJOINT,EID,GA,GB,CB: the second end follows the first."""
        components = card.components(4) if card.text(4) not in ("", "0") else list(range(6))
        self._follow(card, card.number(2), np.array([card.number(3)]), components)

    def _triangle(self, card: BulkCard) -> None:
        """RTRPLT,EID,GA,GB,GC,CNA,CNB,CNC,,CMA,CMB,CMC."""
        corners = [card.number(2 + k) for k in range(3)]
        independent = [card.components(5 + k) if card.text(5 + k) not in ("", "0") else [] for k in range(3)]
        self._split_rigid(card, corners, independent, [card.text(9 + k) for k in range(3)])

    def _simple_triangle(self, card: BulkCard) -> None:
        """RTRPLT1,EID,GA,GB,GC,CB,CC: two corners follow the first."""
        for k in (0, 1):
            components = card.components(5 + k) if card.text(5 + k) not in ("", "0") else list(range(6))
            self._follow(card, card.number(2), np.array([card.number(3 + k)]), components)

    def _general(self, card: BulkCard) -> None:
        """RBE1,EID,GN1,CN1,GN2,CN2,GN3,CN3,,GN4,…,UM,GM1,CM1,GM2,CM2,GM3,CM3, …"""
        independent: dict[int, list[int]] = {}
        dependent: dict[int, str] = {}
        words = list(card.fields[2:])
        middle = words.index("UM") if "UM" in words else len(words)
        pairs = [word for word in words[:middle] if word]
        for grid, components in zip(pairs[::2], pairs[1::2], strict=False):
            one = BulkCard(card.name, (card.name, grid, components), card.line, card.path)
            independent.setdefault(one.number(1), []).extend(one.components(2))
        pairs = [word for word in words[middle + 1 :] if word and "." not in word]
        for grid, components in zip(pairs[::2], pairs[1::2], strict=False):
            one = BulkCard(card.name, (card.name, grid, components), card.line, card.path)
            dependent[one.number(1)] = dependent.get(one.number(1), "") + components
        nodes = list(dict.fromkeys([*independent, *dependent]))
        self._split_rigid(
            card,
            nodes,
            [independent.get(node, []) for node in nodes],
            [dependent.get(node, "") for node in nodes],
            True,
        )

    def _split_rigid(
        self, card: BulkCard, nodes: list[int], independent: list[list[int]], dependent: list[str], listed: bool = False
    ) -> None:
        """Let components of nodes follow a rigid motion given by six independent ones, wherever these are.

        dependent: components as written; none at all means every one that is not independent, unless all are listed.
        """
        self.constraints.known(card, nodes)
        every = not listed and not any(word not in ("", "0") for word in dependent)
        following = []
        for k, word in enumerate(dependent):
            if every:
                following.append([c for c in range(6) if c not in independent[k]])
            else:
                one = BulkCard(card.name, (card.name, word), card.line, card.path)
                following.append(one.components(1) if word not in ("", "0") else [])
        whole = [k for k, components in enumerate(independent) if components == list(range(6))]
        if len(whole) == 1 and sum(map(len, independent)) == 6:
            for node, components in zip(nodes, following, strict=True):
                if components and node != nodes[whole[0]]:
                    self._follow(card, nodes[whole[0]], np.array([node]), components)
            return
        base = self.found.nodes[nodes[0]]
        rows = [self._rigid_row(card, n, c, base) for n, given in zip(nodes, independent, strict=True) for c in given]
        names = [(n, c) for n, given in zip(nodes, independent, strict=True) for c in given]
        fit = np.array(rows).reshape(-1, 6)
        if len(fit) != 6 or np.linalg.matrix_rank(fit, tol=1e-8 * np.abs(fit).max(initial=0.0)) < 6:
            raise card.error(
                f"{card.name} {card.text(1)} has {len(fit)} independent components; six must fix a rigid motion."
            )
        for node, components in zip(nodes, following, strict=True):
            for component in components:
                shares = np.linalg.solve(fit.T, self._rigid_row(card, node, component, base))
                terms = self.constraints.terms(card, node, component)
                for (other, c), share in zip(names, shares.tolist(), strict=True):
                    if abs(share) > 1e-12 * np.abs(shares).max():
                        terms += self.constraints.terms(card, other, c, -share)
                self.found.equation(joined(terms))

    def _rigid_row(self, card: BulkCard, node: int, component: int, base: Array) -> Array:
        """Return (6,): a component of a node per rigid translation and rotation about a place."""
        axis = self.grids.axes(node, card)[:, component % 3]
        if component > 2:
            return np.r_[np.zeros(3), axis]
        return np.r_[axis, -axis @ skew(self.found.nodes[node] - base)]

    def _rod(self, card: BulkCard) -> None:
        """RROD,EID,GA,GB,CMA,CMB: the distance stays."""
        self.found.link(card.number(3), card.number(2), card)

    def _mean(self, card: BulkCard) -> None:
        """RBE3,EID,,REFGRID,REFC,WT1,C1,G1,1,G1,2,…,WT2,C2,…; which dofs leave (UM) makes no difference."""
        reference, wanted = card.number(3), card.components(4)
        groups: list[tuple[float, list[int], list[str]]] = []
        at, end = 5, len(card.fields)
        while at < end and card.text(at) not in ("UM", "ALPHA", "ALP"):
            if not card.text(at):
                at += 1
            elif re.fullmatch(r"\d+|THRU", card.text(at)) and groups:
                groups[-1][2].append(card.text(at))
                at += 1
            else:
                groups.append((card.real(at), card.components(at + 1), []))
                at += 2
        rows: dict[int, dict[int, float]] = {}  # weights of the components of a grid, which may be in several groups
        for weight, components, words in groups:
            members = card.members(words, self.grids.ids).tolist()
            self.constraints.known(card, [reference, *members])
            for node in members:
                row = rows.setdefault(node, {})
                # a dof that no element has cannot be averaged
                for k in components if weight else ():
                    if self.present[self.found.nodes.row(node), k // 3]:
                        row[k] = row.get(k, 0.0) + weight
        if not rows or any(weight < 0.0 for weight, _, _ in groups):
            raise card.error(f"RBE3 {card.text(1)} needs grids with positive weights.")
        plain = all(sorted(row) == [0, 1, 2] and len(set(row.values())) == 1 for row in rows.values())
        if wanted == list(range(6)) and plain:
            weights = np.array([row[0] for row in rows.values()])
            self.found.mean(reference, np.array(list(rows)), weights, card)
            return
        self._average(card, reference, wanted, rows)

    def _average(self, card: BulkCard, reference: int, wanted: list[int], rows: dict[int, dict[int, float]]) -> None:
        """Least squares with any components: rotations weigh by the square of the mean distance, as in Nastran."""
        arms = {node: self.found.nodes[node] - self.found.nodes[reference] for node in rows}
        length = float(np.mean([np.sqrt(arm @ arm) for arm in arms.values()])) or 1.0
        S, W, sources = [], [], []
        for node, row in rows.items():
            axes = self.grids.axes(node, card)
            for k, weight in row.items():
                axis = axes[:, k % 3]
                # rotations of the reference count in lengths, so that the fit is well scaled
                turn = -axis @ skew(arms[node]) / length if k < 3 else axis / length
                S.append(np.r_[axis if k < 3 else np.zeros(3), turn])
                W.append(weight * (1.0 if k < 3 else length**2))
                sources.append((node, k))
        fit = np.array(S).reshape(-1, 6)
        normal = fit.T @ (np.array(W)[:, None] * fit)
        size = np.linalg.eigvalsh(normal)
        if not size[0] > 1e-10 * size[-1]:
            raise card.error(
                f"RBE3 {card.text(1)}: its grids and components do not fix the motion of grid {reference}."
            )
        motion = np.linalg.solve(normal, fit.T * np.array(W))
        motion[3:] /= length
        at_reference = self.grids.axes(reference, card)
        for k in wanted:
            first = 3 * (k // 3)
            shares = at_reference[:, k % 3] @ motion[first : first + 3]
            terms = self.constraints.terms(card, reference, k)
            for (node, component), share in zip(sources, shares.tolist(), strict=True):
                terms += self.constraints.terms(card, node, component, -share)
            self.found.equation(joined(terms))
