"""Rigid bodies and couplings of a deck: *RIGID BODY, *COUPLING, *KINEMATIC COUPLING, *DISTRIBUTING COUPLING."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import DOF_NAMES
from floatframe.io.abaqus.deck import Card, Mesh, Place
from floatframe.io.abaqus.properties import Orientations
from floatframe.io.deck import LinearConstraints, nodal_areas


class Couplings:
    """Adds couplings to the constraints of a model."""

    def __init__(self, mesh: Mesh, orientations: Orientations, found: LinearConstraints, dialect: str) -> None:
        self.mesh, self.orientations, self.found, self.dialect = mesh, orientations, found, dialect

    def rigid_body(self, card: Card, place: Place) -> dict[int, int]:
        """*RIGID BODY; returns nodes of CalculiX whose translations are rotations of the reference node."""
        parts = []
        for option, chosen in (("NSET", "all"), ("TIENSET", "all"), ("PINNSET", "u")):
            if card.option(option):
                parts.append((self.mesh.nodes(card.option(option), place, card, card.line), chosen))
        if card.option("ELSET"):
            members = self.mesh.elements(card.option("ELSET"), place, card, card.line)
            parts.append((self.mesh.nodes_of(members), "all"))
        if not parts and card.option("ANALYTICALSURFACE"):
            self.mesh.log.skip(card.name, "an analytical surface acts only in contact", physical=False, line=card.line)
            return {}
        if not any(members.size for members, _ in parts):
            raise card.error("*RIGID BODY has no nodes; give NSET= or ELSET=.")
        if card.option("REFNODE"):
            reference = self.mesh.one_node(card.option("REFNODE"), place, card)
        else:
            reference = int(np.concatenate([members for members, _ in parts])[0])
        for members, chosen in parts:
            if np.setdiff1d(members, [reference]).size:
                self.found.rigid(reference, members, chosen, card)
        self.mesh.log.took(card.name)
        if not card.option("ROTNODE"):
            return {}
        return {self.mesh.one_node(card.option("ROTNODE"), place, card): reference}

    def coupling(self, card: Card, kind: Card | None, place: Place) -> None:
        """*COUPLING with *KINEMATIC or *DISTRIBUTING under it."""
        if kind is None:
            raise card.error("*COUPLING must be followed by *KINEMATIC or *DISTRIBUTING.")
        reference = self.mesh.one_node(card.required("REFNODE"), place, card)
        members, weights = self._members(card, place)
        if reference not in self.found.nodes:
            raise card.error(f"{card.name}: node {reference} is not defined.")
        keep = members != reference
        members, weights = members[keep], weights[keep]
        away = np.sqrt(((self._places(members, card) - self.found.nodes[reference]) ** 2).sum(axis=1))
        radius = card.numbers([card.option("INFLUENCERADIUS")], card.line)[0]
        if radius > 0.0:
            near = away <= radius * (1.0 + 1e-9)
            members, weights, away = members[near], weights[near], away[near]
        if not members.size:
            raise card.error(f"{card.name}: it has no nodes besides the reference node {reference}.")
        chosen = self._chosen(kind, [words for _, words in kind.fields()])
        if kind.key == "KINEMATIC":
            self._rigid(reference, members, chosen, card, place)
        else:
            weights = weights * _falling(kind, away, radius)
            if (weights > 0.0).any():
                members, weights = members[weights > 0.0], weights[weights > 0.0]
            else:
                weights = np.ones(members.size)
            self._mean(reference, members, weights, chosen, card, place)
        self.mesh.log.took(f"{card.name} {kind.name}")

    def kinematic(self, card: Card, place: Place) -> None:
        """*KINEMATIC COUPLING: a node or set and the components it follows with, on each line."""
        reference = self.mesh.one_node(card.required("REFNODE"), place, card)
        for line, words in card.fields():
            members = self.mesh.nodes(words[0], place, card, line)
            members = members[members != reference]
            if members.size:
                self._rigid(reference, members, self._chosen(card, [words[1:]] if words[1:] else []), card, place)
        self.mesh.log.took(card.name)

    def distributing(self, card: Card, place: Place) -> None:
        """*DISTRIBUTING COUPLING of an element DCOUP3D: a node or set and its weight on each line.

        In Abaqus the node moves and turns with the others, in CalculiX it has their mean translation, wherever it is.
        """
        elements = self.mesh.elements(card.required("ELSET"), place, card, card.line)
        references = self.mesh.nodes_of(elements)
        nodes, weights = [], []
        for line, words in card.fields():
            some = self.mesh.nodes(words[0], place, card, line)
            nodes.append(some)
            weights.append(np.full(some.size, card.numbers(words[1:2], line)[0] if "".join(words[1:2]) else 1.0))
        if not nodes or not references.size:
            raise card.error("*DISTRIBUTING COUPLING has no nodes, or its set has no element DCOUP3D.")
        members, share = np.concatenate(nodes), np.concatenate(weights)
        if not (share > 0.0).all():
            raise card.error(f"{card.name}: weights must be positive.")
        members, where = np.unique(members, return_inverse=True)
        share = np.bincount(where, share)
        for reference in references.tolist():
            if self.dialect != "calculix":
                self._mean(reference, members, share, list(range(6)), card, place)
                continue
            for k in range(3):
                others = [((int(n), k), -float(w / share.sum())) for n, w in zip(members, share, strict=True)]
                self.found.equation([((reference, k), 1.0), *others])
        self.mesh.log.took(card.name)

    # pieces

    def _members(self, card: Card, place: Place) -> tuple[IntArray, Array]:
        """Return nodes of the surface and their weights: areas of faces, or one for each node of a set."""
        name = card.required("SURFACE")
        if self.mesh.made_of_nodes(name, place, card):
            members = self.mesh.surface_nodes(name, place, card)
            return members, np.ones(members.size)
        members = self.mesh.surface_nodes(name, place, card)
        self._places(members, card)
        numbers, areas = nodal_areas(self.mesh.surface_faces(name, place, card), self.found.nodes)
        # an edge of shells has fewer nodes than their faces
        return members, areas[np.searchsorted(numbers, members)]

    def _places(self, members: IntArray, card: Card) -> Array:
        unknown = members[~np.isin(members, self.found.nodes.ids)]
        if unknown.size:
            raise card.error(f"{card.name}: node {unknown[0]} is not defined.")
        return self.found.nodes.xyz[np.searchsorted(self.found.nodes.ids, members)]

    def _rigid(self, reference: int, members: IntArray, chosen: list[int], card: Card, place: Place) -> None:
        axes = self.orientations.axes(card, place, self._places(members, card))
        if len(chosen) == 6 or axes is None:
            self.found.rigid(reference, members, ",".join(DOF_NAMES[k] for k in chosen), card)
            return
        for node, local in zip(members.tolist(), axes, strict=True):
            self.found.follow(reference, node, _rows(local, chosen), card)

    def _mean(
        self, reference: int, members: IntArray, weights: Array, chosen: list[int], card: Card, place: Place
    ) -> None:
        # translations always follow; lines release rotations only
        chosen = sorted({0, 1, 2, *chosen})
        places = self._places(members, card)
        if len(chosen) == 6 and _spread(places):
            self.found.mean(reference, members, weights, card)
            return
        if reference not in self.found.nodes:
            raise card.error(f"{card.name}: node {reference} is not defined.")
        axes = self.orientations.axes(card, place, self.found.nodes[reference][None])
        self.found.part_of_mean(
            reference, members, weights, _rows(np.eye(3) if axes is None else axes[0], chosen), card
        )

    def _chosen(self, card: Card, lines: list[list[str]]) -> list[int]:
        """Return components 0..5 from lines of first and last; all without lines."""
        wanted: set[int] = set()
        for words in lines:
            first, last = (int(v) for v in card.numbers([words[0], words[1] if len(words) > 1 else ""], card.line))
            wanted |= set(range(first, (last or first) + 1)) if 1 <= first <= 6 and last <= 6 else {0}
        if 0 in wanted:
            raise card.error(f"{card.name}: dofs are 1 to 6.")
        return [k - 1 for k in sorted(wanted)] or list(range(6))


def _rows(axes: Array, chosen: list[int]) -> Array:
    """Return rows (k, 6) of a motion along chosen components in axes (rows)."""
    rows = np.zeros((6, 6))
    rows[:3, :3] = rows[3:, 3:] = axes
    return rows[chosen]


def _spread(points: Array) -> bool:
    """Whether points do not lie on one line."""
    size = np.linalg.svd(points - points.mean(axis=0), compute_uv=False) if len(points) > 2 else np.zeros(3)
    return bool(size[1] > 1e-4 * size[0])


def _falling(card: Card, away: Array, radius: float) -> Array:
    """Return factors of weights that fall with the distance from the reference node (WEIGHTING METHOD)."""
    share = away / max(radius if radius > 0.0 else float(away.max(initial=0.0)), 1e-300)
    laws = {
        "LINEAR": 1.0 - share,
        "QUADRATIC": 1.0 - share**2,
        "CUBIC": 1.0 - 3.0 * share**2 + 2.0 * share**3,
    }
    return laws.get(card.option("WEIGHTINGMETHOD").upper(), np.ones(away.size))
