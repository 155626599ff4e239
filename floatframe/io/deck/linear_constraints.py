"""Linear constraints of an imported model, brought into a form that an FE model can eliminate.

Decks may hold supports on dependent dofs, dependent dofs in several equations, and chains of them. `Elimination` makes
them equations of independent dofs; rigid bodies and means that meet no other constraint stay what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray, skew
from floatframe.errors import ReadError
from floatframe.fem import RBE2, RBE3, Coupling, ElementBlock, GeneralShellSection, components
from floatframe.io.deck.elimination import Dof
from floatframe.io.deck.equations import Equations, System, Terms
from floatframe.io.deck.node_table import NodeTable

_PARALLEL = 1e-3  # sine of the angle below which membranes lie in one plane


class Complains(Protocol):
    """A card of a deck that can name its place."""

    @property
    def name(self) -> str: ...

    def error(self, text: str, line: int | None = None) -> ReadError: ...


@dataclass(frozen=True)
class _Rigid:
    reference: int
    dependents: IntArray
    components: str
    card: Complains


@dataclass(frozen=True)
class _Mean:
    reference: int
    averaged: IntArray
    weights: Array | None
    card: Complains


@dataclass
class LinearConstraints:
    """Supports, equations, rigid bodies and averages by node numbers."""

    nodes: NodeTable
    blocks: Sequence[ElementBlock] = ()  # by rows of the nodes: they distinguish walls from sides of solids
    held: dict[Dof, None] = field(default_factory=dict)
    bonded: set[int] = field(default_factory=set)  # nodes that follow a surface: each follows one
    _equations: list[tuple[Terms, bool] | Equations] = field(default_factory=list)
    _rigid: list[_Rigid] = field(default_factory=list)
    _means: list[_Mean] = field(default_factory=list)
    _anchors: list[int] = field(default_factory=list)  # further nodes that move and turn

    def hold(self, *dofs: Dof) -> None:
        """Hold dofs at zero."""
        self.held.update(dict.fromkeys(dofs))

    def equation(self, terms: Sequence[tuple[Dof, float]], optional: bool = False) -> None:
        """Add Σ factor · dof = 0, the first term preferably dependent; optional: if the dofs exist at all."""
        self._equations.append((list(terms), optional))

    def equations(self, many: Equations) -> None:
        """Add many equations at once, as those of tied surfaces."""
        self._equations.append(many)

    def rigid(self, reference: int, dependents: IntArray, chosen: str, card: Complains) -> None:
        """Let components of some nodes follow a reference node as one rigid piece."""
        self._known([reference, *dependents.tolist()], card)
        others = dependents[dependents != reference]
        if others.size == 0:
            raise card.error(f"{card.name}: it has no nodes besides the reference node {reference}.")
        self._rigid.append(_Rigid(reference, np.unique(others), chosen, card))

    def mean(self, reference: int, averaged: IntArray, weights: Array | None, card: Complains) -> None:
        """Let a reference node follow the weighted mean motion of others."""
        self._known([reference, *averaged.tolist()], card)
        if weights is not None and not (weights > 0).all():
            raise card.error(f"{card.name}: weights must be positive.")
        keep = averaged != reference
        if not keep.any():
            raise card.error(f"{card.name}: it has no nodes besides the reference node {reference}.")
        self._means.append(_Mean(reference, averaged[keep], None if weights is None else weights[keep], card))

    def follow(self, reference: int, node: int, rows: Array, card: Complains) -> None:
        """Let a node follow a reference node as one rigid piece along rows (k, 6) of its motion, in model axes."""
        self._known([reference, node], card)
        rigid = np.eye(6)
        rigid[:3, 3:] = -skew(self.nodes[node] - self.nodes[reference])
        for row in rows:
            # a row of rotations asks for rotations, which nodes of solids lack
            self.equation([*_terms(node, row), *_terms(reference, -row @ rigid)], optional=not row[:3].any())

    def part_of_mean(self, reference: int, averaged: IntArray, weights: Array, rows: Array, card: Complains) -> None:
        """Let a reference node follow the weighted mean motion of others along rows (k, 6) of its motion only."""
        self._known([reference, *averaged.tolist()], card)
        keep = averaged != reference
        nodes, weights = averaged[keep], weights[keep]
        mean, sure = mean_motion(self.nodes.xyz[np.searchsorted(self.nodes.ids, nodes)], weights, self.nodes[reference])
        self._anchors.append(reference)
        for row in rows:
            # a turn about the line of all nodes has no mean
            known = row @ sure
            if np.abs(known - row).max() > 1e-6:
                continue
            shares = (row @ mean).reshape(-1, 3)
            size = np.abs(shares).max()
            others = [
                ((int(node), k), -float(share[k]))
                for node, share in zip(nodes, shares, strict=True)
                for k in range(3)
                if abs(share[k]) > 1e-14 * size
            ]
            self.equation([*_terms(reference, row), *others])

    def link(self, node: int, other: int, card: Complains) -> None:
        """Keep the distance of two nodes."""
        self._known([node, other], card)
        line = self.nodes[other] - self.nodes[node]
        if not line.any():
            raise card.error(f"{card.name}: nodes {node} and {other} of a link are in one place.")
        order = np.argsort(-np.abs(line), kind="stable")
        self.equation([((n, int(k)), s * float(line[k])) for n, s in ((node, 1.0), (other, -1.0)) for k in order])

    def are_walls(self, faces: IntArray) -> BoolArray:
        """Whether shells that bend join the nodes of faces (n, k), and not solids as well."""
        rows = np.searchsorted(self.nodes.ids, faces)
        bends, solid = self._walls
        return np.asarray(bends[rows].all(axis=1) & ~solid[rows].all(axis=1))

    @cached_property
    def _walls(self) -> tuple[BoolArray, BoolArray]:
        """Which nodes (nnode,) belong to shells that bend, and which to solids."""
        bends, solid = np.zeros((2, len(self.nodes.ids)), dtype=bool)
        for block in self.blocks:
            if block.element.dimension == 3:
                solid[block.connectivity] = True
            elif block.element.dimension == 2 and not _is_membrane(block):
                bends[block.connectivity] = True
        return bends, solid

    def hold_slack_turns(self, turning: Iterable[int]) -> None:
        """Hold turns of nodes of membranes alone about axes in their plane; turning: nodes with inertia."""
        normals: dict[int, list[Array]] = {}
        used = set(turning) | self._turned()
        used |= {node for body in self._rigid for node in body.dependents.tolist()}
        for block in self.blocks:
            numbers = self.nodes.ids[block.connectivity]
            if block.element.dimension == 2 and _is_membrane(block):
                at = self.nodes.xyz[block.connectivity]
                across = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])
                across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
                for nodes, normal in zip(numbers.tolist(), across, strict=True):
                    for node in nodes:
                        normals.setdefault(node, []).append(normal)
            elif block.element.dof_per_node == 6:
                used |= set(numbers.ravel().tolist())
        for node in sorted(normals.keys() - used):
            sizes, axes = np.linalg.svd(np.array(normals[node]))[1:]
            for axis in axes[int((sizes > _PARALLEL * sizes[0]).sum()) :]:
                order = np.argsort(-np.abs(axis), kind="stable")
                self.equation([((node, 3 + int(k)), float(axis[k])) for k in order if abs(axis[k]) > 1e-12])

    def _turned(self) -> set[int]:
        """Return nodes whose rotations stand in equations or follow a mean."""
        equations = Equations.joined(self._equations)
        used = set(equations.node[equations.component > 2].tolist())
        return used | {mean.reference for mean in self._means} | set(self._anchors)

    @property
    def references(self) -> list[int]:
        """Reference nodes of rigid bodies and means: they move and turn, with elements or without."""
        return [body.reference for body in self._rigid] + [mean.reference for mean in self._means] + self._anchors

    def _known(self, numbers: Iterable[int], card: Complains) -> None:
        for node in numbers:
            if node not in self.nodes:
                raise card.error(f"{card.name}: node {node} is not defined.")

    # what becomes of them

    def solved(self, present: BoolArray) -> Solved:
        """Return couplings, supports and dofs that exist only through equations.

        present (nnode, 2): whether elements and masses give a node translations and rotations.
        """
        own, present = present.copy(), present.copy()
        self._stop_idle_turns(own)
        for node in self.references:
            present[self.nodes.row(node)] = True

        # a node without elements lives where several constraints meet, such as a rigid arm and a support
        exists = np.repeat(present, 3, axis=1) | (self._shared() & ~present.any(axis=1, keepdims=True))
        system = System(self.nodes, dict(self.held))
        system.solve(self._existing(exists), self._in_bodies())
        couplings: list[Coupling] = []
        plain = self._plain_bodies(system)
        for body, is_plain in zip(self._rigid, plain, strict=True):
            if is_plain:
                dependents = body.dependents.tolist()
                couplings.append(RBE2(body.reference, dependents, body.components, name=body.card.name))
                own[self.nodes.row(body.reference)] = True
            else:
                for terms in self._follow(body):
                    if exists[self.nodes.row(terms[0][0][0]), terms[0][0][1]]:
                        system.add(terms)
        equations, used = system.finish()
        for mean in self._means:
            row = self.nodes.row(mean.reference)
            own[row] = True
            taken = any((mean.reference, k) in system.held for k in range(6)) or bool(used[row].any())
            weights = None if mean.weights is None else mean.weights.tolist()
            averaged = mean.averaged.tolist()
            couplings.append(RBE3(mean.reference, averaged, weights, independent=taken, name=mean.card.name))
        couplings += equations
        # dofs that no element has: they live through the equations alone, their neighbours at the node do not
        triples = np.argwhere(used.reshape(-1, 2, 3).any(axis=2) & ~own).tolist()
        bare = [(int(self.nodes.ids[row]), triple) for row, triple in triples]
        for row, triple in triples:
            # a place for rotations brings one for translations along
            first = 0 if not own[row, 0] else 3 * triple
            for component in range(first, 3 * triple + 3):
                if not used[row, component]:
                    system.held[int(self.nodes.ids[row]), component] = None
        supports = np.array(list(system.held), dtype=np.int64).reshape(-1, 2)
        return Solved(tuple(couplings), supports, bare)

    def _shared(self) -> BoolArray:
        """Tell the dofs (nnode, 6) that supports and equations name, and those that follow several rigid bodies."""
        shared = np.zeros((self.nodes.ids.size, 6), dtype=bool)
        for node, component in self.held:
            if node in self.nodes:
                shared[self.nodes.row(node), component] = True
        whole = Equations.joined(self._equations)
        named = np.isin(whole.node, self.nodes.ids) & ~whole.optional[whole.of]
        shared[np.searchsorted(self.nodes.ids, whole.node[named]), whole.component[named]] = True
        times = np.zeros(shared.shape, dtype=np.int64)
        for body in self._rigid:
            times[np.searchsorted(self.nodes.ids, body.dependents)[:, None], components(body.components)] += 1
        return np.asarray(shared | (times > 1))

    def _existing(self, exists: BoolArray) -> Equations:
        """Return all equations without terms that are zero and without optional ones whose dofs do not exist."""
        whole = Equations.joined(self._equations)
        terms = whole.factor != 0.0
        row = np.searchsorted(self.nodes.ids, whole.node)
        row[row == self.nodes.ids.size] = 0
        unknown = terms & (self.nodes.ids[row] != whole.node)
        if unknown.any():
            raise ReadError(f"an equation names node {whole.node[unknown][0]}, which is not defined.")
        lacking = terms & ~exists[row, whole.component] & whole.optional[whole.of]
        stays = np.ones(whole.count.size, dtype=bool)
        stays[whole.of[lacking]] = False
        return whole.picked(terms & stays[whole.of])

    def _in_bodies(self) -> BoolArray:
        """Return which nodes (nnode,) are part of rigid bodies."""
        found = np.zeros(self.nodes.ids.size, dtype=bool)
        for body in self._rigid:
            found[np.searchsorted(self.nodes.ids, body.dependents)] = True
            found[self.nodes.row(body.reference)] = True
        return found

    def _stop_idle_turns(self, present: BoolArray) -> None:
        """Hold turns of reference nodes that move nothing: about the line of nodes without rotations of their own."""
        if not self._rigid:
            return
        used = self._turned() | {node for node, k in self.held if k > 2}
        by_reference: dict[int, list[IntArray]] = {}
        count: Counter[int] = Counter()
        for body in self._rigid:
            by_reference.setdefault(body.reference, []).append(body.dependents)
            count.update(body.dependents.tolist())
        # a follower passes turns on if it leads others or follows another body too
        passing = used | set(by_reference) | {node for node, times in count.items() if times > 1}
        for reference, parts in by_reference.items():
            followers = np.concatenate(parts).tolist()
            rows = [self.nodes.row(node) for node in (reference, *followers)]
            if reference in used or reference in count or present[rows, 1].any() or not passing.isdisjoint(followers):
                continue
            arms = self.nodes.xyz[rows[1:]] - self.nodes.xyz[rows[0]]
            size, directions = np.linalg.svd(arms, full_matrices=False)[1:]
            if size[0] == 0.0:
                self.hold(*((reference, k) for k in (3, 4, 5)))
            elif len(size) < 2 or size[1] <= 1e-9 * size[0]:
                axis = directions[0]
                order = np.argsort(-np.abs(axis), kind="stable")
                self.equation([((reference, 3 + int(k)), float(axis[k])) for k in order if abs(axis[k]) > 1e-12])

    def _plain_bodies(self, system: System) -> list[bool]:
        """Return which rigid bodies meet no other constraint on their dependent nodes and can stay what they are."""
        # a node on the right of an equation may yet become dependent when another body is written out
        touched = {node for node, _ in system.held} | system.touched()
        count = Counter(node for body in self._rigid for node in body.dependents.tolist())
        plain = [True] * len(self._rigid)
        while True:
            found = [
                not any(node in touched or count[node] > 1 for node in body.dependents.tolist()) for body in self._rigid
            ]
            if found == plain:
                return plain
            plain = found
            # in a chain: the equations of a body that is written out may make its reference node dependent
            touched |= {body.reference for body, alone in zip(self._rigid, plain, strict=True) if not alone}

    def _follow(self, body: _Rigid) -> Iterable[list[tuple[Dof, float]]]:
        """Yield the equations of a rigid body, dependent dof first."""
        for node in body.dependents.tolist():
            arm = -skew(self.nodes[node] - self.nodes[body.reference])
            for k in components(body.components):
                terms: list[tuple[Dof, float]] = [((node, k), 1.0), ((body.reference, k), -1.0)]
                if k < 3:
                    terms += [((body.reference, 3 + j), -float(arm[k, j])) for j in range(3) if arm[k, j]]
                yield terms


def _is_membrane(block: ElementBlock) -> bool:
    """Whether a wall has next to no stiffness against bending."""
    section = block.section
    if not isinstance(section, GeneralShellSection):
        return False
    stretching = np.abs(section.A).max() * section.thickness**2 / 12.0
    return bool(np.abs(section.D).max() < 1e-3 * stretching)


def _terms(node: int, row: Array) -> list[tuple[Dof, float]]:
    return [((node, k), float(c)) for k, c in enumerate(row) if c]


def mean_motion(points: Array, weights: Array, reference: Array) -> tuple[Array, Array]:
    """Return (6, 3n) the motion of a point from the translations of others, and (6, 6) which motions are determined.

    Points on one line leave the turn about it unknown, a single point all turns.
    """
    centre = weights @ points / weights.sum()
    arm = skew(points - centre)
    J = -np.einsum("i,ijk,ikl->jl", weights, arm, arm)
    size, axes = np.linalg.eigh(J)
    seen = size > 1e-10 * max(size[-1], 1e-300)
    seen &= size[-1] > 1e-24 * max(float(weights.sum() * np.abs(points).max() ** 2), 1e-300)
    inverse = (axes[:, seen] / size[seen]) @ axes[:, seen].T
    turn = np.einsum("jk,ikl->jil", inverse, weights[:, None, None] * arm).reshape(3, -1)
    to_reference = skew(reference - centre)
    shift = np.kron(weights / weights.sum(), np.eye(3)) - to_reference @ turn
    known = np.eye(6)
    known[3:, 3:] = axes[:, seen] @ axes[:, seen].T
    return np.vstack([shift, turn]), known


@dataclass(frozen=True)
class Solved:
    """Couplings, supports (k, 2), and (node, 0 translations | 1 rotations) that need a place in the equations."""

    couplings: tuple[Coupling, ...]
    supports: IntArray
    bare: list[tuple[int, int]]

    def springs(self, nodes: NodeTable) -> list[ElementBlock]:
        """Return springs without stiffness that give control nodes of equations their dofs."""
        blocks = []
        for triple, kind in ((0, "ground_point_spring"), (1, "ground_spring")):
            rows = [[nodes.row(node)] for node, which in self.bare if which == triple]
            if rows:
                law = {"stiffness": np.zeros((len(rows), 3 + 3 * triple))}
                blocks.append(ElementBlock(kind, np.array(rows), data=law, name="control nodes"))
        return blocks
