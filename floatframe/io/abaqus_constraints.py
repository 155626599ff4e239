"""Supports, equations, rigid bodies and couplings of a deck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.io.abaqus_deck import Card
from floatframe.io.abaqus_mesh import Mesh
from floatframe.io.abaqus_places import Place, axes_of
from floatframe.io.abaqus_ties import add_ties
from floatframe.io.import_log import ImportLog
from floatframe.io.linear_constraints import Freedom, LinearConstraints, NodeTable

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
_NOT_MECHANICAL = ("MASSFLOW", "TEMPERATURE", "PRESSURE", "SUBMODEL")


@dataclass(frozen=True)
class _Later:
    """A card kept until the whole mesh is known."""

    card: Card
    place: Place


class Constraints:
    """Collects constraint cards; `resolve` makes equations and couplings of them."""

    def __init__(self, mesh: Mesh, log: ImportLog) -> None:
        self.mesh, self.log = mesh, log
        self._boundary: list[_Later] = []
        self._others: list[_Later] = []
        self._transforms: list[_Later] = []
        self._coupling_kind: dict[int, Card] = {}
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

    # the end of the deck

    def resolve(self, nodes: NodeTable) -> LinearConstraints:
        """Return all constraints on these nodes."""
        found = LinearConstraints(nodes)
        for later in self._transforms:
            self._set_axes(later, nodes)
        rigid = [later for later in self._others if later.card.key == "RIGIDBODY"]
        for later in rigid:
            self._rigid_body(later, found)
        for later in self._boundary if self.log.supports else ():
            self._hold(later, found)
        for number, later in enumerate(self._others):
            card = later.card
            if card.key == "EQUATION":
                self._equation(later, found)
            elif card.key == "MPC":
                self._mpc(later, found)
            elif card.key == "COUPLING":
                self._coupling(later, self._coupling_kind.get(number), found)
            elif card.key == "KINEMATICCOUPLING":
                self._kinematic_coupling(later, found)
            elif card.key == "DISTRIBUTINGCOUPLING":
                self._distributing_coupling(later, found)
            elif card.key == "TIE":
                add_ties(card, later.place, self.mesh, found)
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

    def _terms(self, node: int, component: int) -> list[tuple[Freedom, float]]:
        """Return a freedom of the deck by freedoms in model axes."""
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
        for line, words in card.fields():
            if len(words) < 2:
                raise card.error("a line of *BOUNDARY needs a node or set and a degree of freedom.", line)
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
                    reason = "it holds no displacement or rotation (freedoms 1 to 6)"
                    self.log.skip(card.name, reason, physical=False, line=line)
            for node in self.mesh.nodes(words[0], place, card, line).tolist():
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
            found.hold(*(freedom for k in chosen for freedom, _ in self._terms(node, k)))

    def _equation(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        if "REMOVE" in card.options or "REMOVEALL" in card.options:
            self.log.skip("*EQUATION, REMOVE", "equations of later steps are not followed", line=card.line)
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
            parts: list[tuple[Freedom, float]] = []
            for members, component, factor in terms:
                node = int(members[row if len(members) > 1 else 0])
                parts += [(freedom, factor * c) for freedom, c in self._terms(node, component)]
            found.equation(parts)

    def _rigid_body(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        reference = self.mesh.one_node(card.required("REFNODE"), place, card)
        parts = []
        for option, chosen in (("NSET", "all"), ("TIENSET", "all"), ("PINNSET", "u")):
            if card.option(option):
                parts.append((self.mesh.nodes(card.option(option), place, card, card.line), chosen))
        if card.option("ELSET"):
            members = self.mesh.elements(card.option("ELSET"), place, card, card.line)
            parts.append((self.mesh.nodes_of(members), "all"))
        if not parts:
            raise card.error("*RIGID BODY names no nodes; give NSET= or ELSET=.")
        if card.option("ROTNODE"):
            turning = self.mesh.one_node(card.option("ROTNODE"), place, card)
            self._turns_of[turning] = reference
        for members, chosen in parts:
            found.rigid(reference, members, chosen, card)
        self.log.took(card.name)

    def _mpc(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        for line, words in card.fields():
            kind = words[0].upper()
            if kind not in ("BEAM", "TIE", "PIN", "LINK") or len(words) < 3:
                self.log.skip(f"*MPC {kind}", "this multipoint constraint is not known", line=line)
                continue
            first, second = (self.mesh.nodes(word, place, card, line) for word in words[1:3])
            if len(second) not in (1, len(first)):
                raise card.error(f"*MPC, {kind}: its two sets have different numbers of nodes.", line)
            for k, node in enumerate(first.tolist()):
                other = int(second[k if len(second) > 1 else 0])
                if kind == "BEAM":
                    found.rigid(other, np.array([node]), "all", card)
                elif kind == "LINK":
                    found.link(node, other, card)
                else:
                    for component in range(6 if kind == "TIE" else 3):
                        found.equation([((node, component), 1.0), ((other, component), -1.0)], optional=component > 2)
            self.log.took(f"*MPC {kind}")

    def _coupling(self, later: _Later, kind: Card | None, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        if kind is None:
            raise card.error("*COUPLING must be followed by *KINEMATIC or *DISTRIBUTING.")
        reference = self.mesh.one_node(card.required("REFNODE"), place, card)
        members = self.mesh.surface_nodes(card.required("SURFACE"), place, card)
        if card.option("ORIENTATION"):
            self.log.skip("*COUPLING, ORIENTATION", "components are taken in model axes", line=card.line)
        if card.option("INFLUENCERADIUS"):
            self.log.skip("*COUPLING, INFLUENCE RADIUS", "all nodes of the surface are coupled", line=card.line)
        chosen = self._chosen(kind, [words for _, words in kind.fields()])
        if kind.key == "KINEMATIC":
            found.rigid(reference, members, chosen, card)
        else:
            if chosen != "all":
                self.log.skip("*DISTRIBUTING", "a coupling of some freedoms only couples all of them", line=kind.line)
            if kind.option("WEIGHTINGMETHOD").upper() not in ("", "UNIFORM"):
                self.log.skip("*DISTRIBUTING, WEIGHTING METHOD", "all nodes weigh the same", line=kind.line)
            found.mean(reference, members, None, card)
        self.log.took(f"{card.name} {kind.name}")

    def _chosen(self, card: Card, lines: list[list[str]]) -> str:
        """Return components such as "ux,uy,rz" from lines of first and last freedom; all without lines."""
        wanted: set[int] = set()
        for words in lines:
            first, last = (int(v) for v in card.numbers([words[0], words[1] if len(words) > 1 else ""], card.line))
            wanted |= {first, last or first, *range(max(first, 1), min(last, 6) + 1)}
        if not wanted or wanted >= {1, 2, 3, 4, 5, 6}:
            return "all"
        if not wanted <= {1, 2, 3, 4, 5, 6}:
            raise card.error(f"{card.name}: degrees of freedom are 1 to 6.")
        return ",".join(("ux", "uy", "uz", "rx", "ry", "rz")[k - 1] for k in sorted(wanted))

    def _kinematic_coupling(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        reference = self.mesh.one_node(card.required("REFNODE"), place, card)
        for line, words in card.fields():
            members = self.mesh.nodes(words[0], place, card, line)
            found.rigid(reference, members, self._chosen(card, [words[1:]] if len(words) > 1 else []), card)
        self.log.took(card.name)

    def _distributing_coupling(self, later: _Later, found: LinearConstraints) -> None:
        card, place = later.card, later.place
        members = self.mesh.elements(card.required("ELSET"), place, card, card.line)
        references = self.mesh.nodes_of(members)
        if references.size != 1:
            raise card.error("*DISTRIBUTING COUPLING: its element set must hold one DCOUP3D element.")
        nodes, weights = [], []
        for line, words in card.fields():
            some = self.mesh.nodes(words[0], place, card, line)
            nodes.append(some)
            weights.append(np.full(some.size, card.numbers(words[1:2] or ["1"], line)[0]))
        if not nodes:
            raise card.error("*DISTRIBUTING COUPLING names no nodes.")
        found.mean(int(references[0]), np.concatenate(nodes), np.concatenate(weights), card)
        self.log.took(card.name)
