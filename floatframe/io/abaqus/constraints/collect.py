"""Supports, equations, rigid bodies and couplings of a deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.fem import ElementBlock
from floatframe.io.abaqus.constraints.couplings import Couplings
from floatframe.io.abaqus.constraints.mpc import add_mpcs
from floatframe.io.abaqus.constraints.ties import add_contact, add_embedded, add_shells_on_solids, add_ties
from floatframe.io.abaqus.deck import Card, Mesh, Place, axes_of
from floatframe.io.abaqus.properties import Orientations
from floatframe.io.deck import Dof, LinearConstraints, NodeTable
from floatframe.io.import_log import ImportLog

_NAMED = {
    "ENCASTRE": range(6),
    "PINNED": range(3),
    "XSYMM": (0, 4, 5),
    "YSYMM": (1, 3, 5),
    "ZSYMM": (2, 3, 4),
    "XASYMM": (1, 2, 3),
    "YASYMM": (0, 2, 4),
    "ZASYMM": (0, 1, 5),
}
_NOT_MECHANICAL = ("MASSFLOW", "TEMPERATURE", "PRESSURE")


@dataclass(frozen=True)
class _Later:
    """A card kept until the whole mesh is known."""

    card: Card
    place: Place


class Constraints:
    """Collects constraint cards; `resolve` makes equations and couplings of them."""

    def __init__(self, mesh: Mesh, orientations: Orientations, log: ImportLog) -> None:
        self.mesh, self.orientations, self.log = mesh, orientations, log
        self._boundary: list[_Later] = []
        self._others: list[_Later] = []
        self._transforms: list[_Later] = []
        self._coupling_kind: dict[int, Card] = {}
        self._laws: dict[str, list[Card]] = {}  # cards under each *SURFACE INTERACTION
        self._law: list[Card] = []
        self._axes: dict[int, Array] = {}
        self._turns_of: dict[int, int] = {}  # CalculiX: node whose translations are rotations of another

    # cards

    def boundary(self, card: Card, place: Place) -> None:
        """*BOUNDARY, in force from here on; OP=NEW forgets the earlier ones."""
        if card.option("OP").upper() == "NEW":
            self._boundary.clear()
        self._boundary.append(_Later(card, place))

    def transform(self, card: Card, place: Place) -> None:
        """*TRANSFORM: axes of nodes, in which their supports and equations are meant."""
        self._transforms.append(_Later(card, place))
        self.log.took(card.name)

    def constraint(self, card: Card, place: Place) -> None:
        """*EQUATION, *MPC, *RIGID BODY, *COUPLING, … and the lines *KINEMATIC or *DISTRIBUTING of the last."""
        if card.key in ("KINEMATIC", "DISTRIBUTING"):
            if not self._others or self._others[-1].card.key != "COUPLING":
                raise card.error(f"{card.name} must follow *COUPLING.")
            self._coupling_kind[len(self._others) - 1] = card
            return
        self._others.append(_Later(card, place))

    def contact_law(self, card: Card, place: Place) -> None:
        """*SURFACE INTERACTION and the cards under it: whether surfaces stay together."""
        if card.key == "SURFACEINTERACTION":
            self._law = self._laws.setdefault(card.option("NAME").upper(), [])
        self._law.append(card)
        self.log.skip(card.name, "a law of contact acts only with a contact pair", physical=False, line=card.line)

    # the end of the deck

    def resolve(self, nodes: NodeTable, blocks: Sequence[ElementBlock], dialect: str) -> LinearConstraints:
        """Return all constraints on these nodes of elements."""
        found = LinearConstraints(nodes, blocks)
        for later in self._transforms:
            self._set_axes(later, nodes)
        couplings = Couplings(self.mesh, self.orientations, found, dialect)
        for later in self._others:
            if later.card.key == "RIGIDBODY":
                self._turns_of |= couplings.rigid_body(later.card, later.place)
        for later in self._boundary if self.log.supports else ():
            self._hold(later, found)
        for number, later in enumerate(self._others):
            card, place = later.card, later.place
            if card.key == "EQUATION":
                self._equation(later, found)
            elif card.key == "MPC":
                add_mpcs(card, place, self.mesh, found)
            elif card.key == "COUPLING":
                couplings.coupling(card, self._coupling_kind.get(number), place)
            elif card.key == "KINEMATICCOUPLING":
                couplings.kinematic(card, place)
            elif card.key == "DISTRIBUTINGCOUPLING":
                couplings.distributing(card, place)
            elif card.key == "TIE":
                add_ties(card, place, self.mesh, found)
            elif card.key == "EMBEDDEDELEMENT":
                add_embedded(card, place, self.mesh, found)
            elif card.key == "SHELLTOSOLIDCOUPLING":
                add_shells_on_solids(card, place, self.mesh, found)
            elif card.key == "CONTACTPAIR":
                add_contact(card, place, self.mesh, found, self._laws)
        return found

    def _set_axes(self, later: _Later, nodes: NodeTable) -> None:
        card, place = later.card, later.place
        kind = card.option("TYPE").upper() or "R"
        lines = [card.numbers(words, line) for line, words in card.fields()]
        values = np.array(((lines[0] if lines else []) + [0.0] * 6)[:6])
        a, b = values[:3], values[3:]
        if place.R is not None and place.shift is not None:
            a, b = (place.R @ a, place.R @ b) if kind == "R" else (place.R @ a + place.shift, place.R @ b + place.shift)
        members = self.mesh.nodes(card.required("NSET"), place, card, card.line)
        if kind == "R":
            axes = axes_of(card, a, b)
            self._axes.update((int(node), axes) for node in members)
        elif kind == "C":
            z = b - a
            for node in members.tolist():
                arm = nodes[node] - a if node in nodes else np.zeros(3)
                radial = arm - z * (arm @ z) / max(float(z @ z), 1e-300)
                # on the axis itself any radius will do
                if radial @ radial < 1e-20 * max(float(arm @ arm), 1e-300):
                    radial = np.eye(3)[int(np.argmin(np.abs(z)))]
                    radial = radial - z * (radial @ z) / max(float(z @ z), 1e-300)
                self._axes[node] = axes_of(card, radial, np.cross(z, radial))
        else:
            raise card.error(f"*TRANSFORM, TYPE={kind} cannot be read; R and C can.")

    def _terms(self, node: int, component: int) -> list[tuple[Dof, float]]:
        """Return a dof of the deck by dofs in model axes."""
        if node in self._turns_of and component < 3:
            return [((self._turns_of[node], component + 3), 1.0)]
        if node not in self._axes:
            return [((node, component), 1.0)]
        first = 3 * (component // 3)
        return [((node, first + k), float(c)) for k, c in enumerate(self._axes[node][component % 3])]

    def _hold(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        if any(name in card.options for name in _NOT_MECHANICAL):
            self.log.skip(card.name, "it is not about displacements", physical=False, line=card.line)
            return
        if "SUBMODEL" in card.options:
            self.log.lose("*BOUNDARY, SUBMODEL", "support", "driven boundaries are not supported", line=card.line)
            return
        for line, words in card.fields():
            if len(words) < 2:
                raise card.error("a line of *BOUNDARY needs a node or set and a dof.", line)
            word = words[1].upper()
            if word in _NAMED:
                chosen = list(_NAMED[word])
            else:
                first, last = (int(v) for v in card.numbers([words[1], words[2] if len(words) > 2 else ""], line))
                last = last or first
                if (len(words) > 3 and words[3] and card.numbers(words[3:4], line)[0] != 0.0) or "USER" in card.options:
                    self.log.skip(f"{card.name} value", "prescribed motion is held at zero", line=line)
                chosen = [k - 1 for k in range(max(first, 1), min(last, 6) + 1)]
                if not chosen:
                    reason = "it holds no displacement or rotation (dofs 1 to 6)"
                    self.log.skip(card.name, reason, physical=False, line=line)
            nodes = self.mesh.nodes(words[0], place, card, line).tolist()
            if not nodes:
                self.log.warn(f"line {line}: {card.name} holds nothing, since the set '{words[0]}' is empty.")
            for node in nodes:
                self._hold_node(node, chosen, found)
        self.log.took(card.name)

    def _hold_node(self, node: int, chosen: list[int], found: LinearConstraints) -> None:
        if node in self._axes:
            for first in (0, 3):
                local = [k for k in chosen if first <= k < first + 3]
                if len(local) == 3:
                    found.hold((node, first), (node, first + 1), (node, first + 2))
                else:
                    for component in local:
                        found.equation(self._terms(node, component))
        else:
            found.hold(*(dof for k in chosen for dof, _ in self._terms(node, k)))

    def _equation(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        if "REMOVE" in card.options or "REMOVEALL" in card.options:
            self.log.skip("*EQUATION, REMOVE", "equations of later steps are not read", line=card.line)
            return
        words = [(line, word) for line, row in card.fields() for word in row]
        at = 0
        while at < len(words):
            line, word = words[at]
            count = card.numbers([word], line)[0]
            if not word:
                at += 1
                continue
            taken: list[tuple[int, str]] = []
            at += 1
            while at < len(words) and len(taken) < 3 * count:
                # a comma at the end of a line leaves an empty word behind
                if words[at][1]:
                    taken.append(words[at])
                at += 1
            if count < 1 or count != int(count) or len(taken) < 3 * count:
                raise card.error(f"*EQUATION announces {word} terms, which do not follow.", line)
            self._one_equation(card, place, taken, found)
        self.log.took(card.name)

    def _one_equation(self, card: Card, place: Place, words: list[tuple[int, str]], found: LinearConstraints) -> None:
        terms = []
        for k in range(0, len(words), 3):
            line = words[k][0]
            members = self.mesh.nodes(words[k][1], place, card, line)
            component, factor = card.numbers([words[k + 1][1], words[k + 2][1]], line)
            if component not in range(1, 7):
                self.log.skip("*EQUATION", "it is not about displacements", physical=False, line=line)
                return
            terms.append((members, int(component) - 1, factor))
        # sets make one equation per member, single nodes stand in all of them
        size = max(len(members) for members, _, _ in terms)
        if any(len(members) not in (1, size) for members, _, _ in terms):
            raise card.error("*EQUATION: its node sets have different numbers of members.", words[0][0])
        for row in range(size):
            parts: list[tuple[Dof, float]] = []
            for members, component, factor in terms:
                node = int(members[row if len(members) > 1 else 0])
                parts += [(dof, factor * c) for dof, c in self._terms(node, component)]
            found.equation(parts)
