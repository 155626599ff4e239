"""Contact pairs of ANSYS files that hold parts together: bonded surfaces, and remote points with a pilot node.

A pair is what shares a set of real constants: contact elements (CONTA17x) and target elements (TARGE170).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ReadError
from floatframe.fem import DOF_NAMES
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.deck import Bond, LinearConstraints, bond, nodal_areas
from floatframe.io.import_log import ImportLog

_BONDED, _INITIALLY, _SLIDING = (3, 5), 6, (2, 4)  # KEYOPT(12); sliding: without separation
_PINBALL = 0.25  # of the size of a face: how far off ANSYS bonds where no real constant PINB is given
_CURE = "surfaces in contact are not joined; bond them (KEYOPT(12) = 5) if they stay together"


@dataclass(frozen=True)
class Card:
    """What a constraint came from, for messages about it."""

    name: str
    log: ImportLog

    def error(self, text: str, line: int | None = None) -> ReadError:
        return self.log.error(text, line)


@dataclass(frozen=True)
class _Pair:
    real: int
    contacts: list[Group]
    targets: list[Group]

    @property
    def name(self) -> str:
        return " and ".join(sorted({group.name for group in [*self.contacts, *self.targets]}))

    @property
    def card(self) -> str:
        """What --drop calls it."""
        return self.name.replace(" and ", " ")

    @property
    def count(self) -> int:
        return sum(group.ids.size for group in [*self.contacts, *self.targets])

    @property
    def pilot(self) -> int | None:
        """The only node of one-node target elements."""
        nodes = [group.nodes for group in self.targets]
        if not nodes or any((part[:, 1:] != 0).any() for part in nodes):
            return None
        found = np.unique(np.concatenate([part[:, 0] for part in nodes]))
        return int(found[0]) if found.size == 1 else None

    @property
    def nodes(self) -> IntArray:
        """The nodes of the contact elements."""
        found = np.unique(np.concatenate([np.empty(0, np.int64), *(group.nodes.ravel() for group in self.contacts)]))
        return found[found > 0]


def add_contacts(builder: Builder, found: LinearConstraints, contacts: list[Group], targets: list[Group]) -> None:
    """Join what bonded contact pairs join; all others are couplings that are lost."""
    joined: list[tuple[IntArray, IntArray]] = []
    for real in sorted({group.real for group in [*contacts, *targets]}):
        pair = _Pair(
            real,
            [group for group in contacts if group.real == real],
            [group for group in targets if group.real == real],
        )
        if not pair.contacts or not pair.targets:
            builder.log.skip(pair.name, f"contact pair {real} has one side only", physical=False, count=pair.count)
        elif pair.pilot is not None and _is_remote_point(pair.contacts[0]):
            _couple_to_pilot(builder, found, pair, pair.pilot)
            builder.log.took(pair.name, pair.count)
        else:
            _join(builder, found, pair, joined)


# bonded surfaces


def _join(builder: Builder, found: LinearConstraints, pair: _Pair, joined: list[tuple[IntArray, IntArray]]) -> None:
    behaviour = pair.contacts[0].type.key(12)
    if behaviour not in (*_BONDED, _INITIALLY, *_SLIDING):
        builder.log.lose(pair.card, "coupling", _CURE, count=pair.count)
        return
    faces = list(_faces(np.concatenate([_eight(group.nodes) for group in pair.targets])))
    if not faces:
        reason = f"contact pair {pair.real}: its target has no faces"
        builder.log.lose(pair.card, "coupling", reason, count=pair.count)
        return
    slaves = pair.nodes
    masters = np.unique(np.concatenate([part.ravel() for part in faces]))
    builder.rows(np.concatenate([slaves, masters]), pair.name)
    if any(np.isin(slaves, there).all() and np.isin(masters, here).all() for here, there in joined):
        builder.log.skip(pair.name, f"contact pair {pair.real} is the same pair reversed", False, count=pair.count)
        return
    joined.append((slaves, masters))
    pinball = [*builder.reals(pair.real), *[0.0] * 6][5]
    share = pinball if pinball > 0.0 else _PINBALL
    made = bond(
        slaves,
        faces,
        found,
        tolerance=-pinball if pinball < 0.0 else None,
        share=min(share, 0.05) if behaviour == _INITIALLY else share,
        sliding=behaviour in _SLIDING,
    )
    _report(builder, pair, made)


def _report(builder: Builder, pair: _Pair, made: Bond) -> None:
    if not made.tied:
        reason = f"contact pair {pair.real}: no node is near the target; give a pinball (real constant PINB)"
        builder.log.lose(pair.card, "coupling", reason, count=pair.count)
        return
    for sentence in made.sentences("contact", "target"):
        builder.log.warn(f"contact pair {pair.real}: {sentence}")
    builder.log.took(f"{pair.name}, bonded", pair.count)


def _eight(nodes: IntArray) -> IntArray:
    """Return node numbers (n, 8), with zeros for those that are not there."""
    padded = np.zeros((len(nodes), 8), dtype=np.int64)
    padded[:, : min(8, nodes.shape[1])] = nodes[:, :8]
    return padded


def _faces(nodes: IntArray) -> Iterator[IntArray]:
    """Yield faces (nface, k) of 3, 4, 6 or 8 nodes from rows of up to eight, where triangles may repeat a corner."""
    given = (nodes > 0).sum(axis=1)
    quads = (given == 4) | (given == 8)
    degenerate = quads & (nodes[:, 2] == nodes[:, 3])
    for rows, columns in (
        (nodes[(given == 3)], [0, 1, 2]),
        (nodes[degenerate & (given == 4)], [0, 1, 2]),
        (nodes[quads & ~degenerate & (given == 4)], [0, 1, 2, 3]),
        (nodes[given == 6], [0, 1, 2, 3, 4, 5]),
        (nodes[degenerate & (given == 8)], [0, 1, 2, 4, 5, 7]),
        (nodes[quads & ~degenerate & (given == 8)], list(range(8))),
        # some middles are missing: the corners alone
        (nodes[(given == 5) | (given == 7)], [0, 1, 2, 3]),
    ):
        if len(rows):
            yield rows[:, columns]


# remote points


def _is_remote_point(contact: Group) -> bool:
    """Whether internal equations bond it to a pilot node."""
    return contact.type.key(2) == 2 and contact.type.key(12) in (5, 6)


def _couple_to_pilot(builder: Builder, found: LinearConstraints, pair: _Pair, pilot: int) -> None:
    """KEYOPT(4) of the contact: 0 or 2 rigid, 1 distributed, 3 all alike; of the target: components from the right."""
    nodes = pair.nodes[pair.nodes != pilot]
    builder.rows(np.append(nodes, pilot), pair.name)
    card = Card(f"remote point {pair.real}", builder.log)
    digits = pair.targets[0].type.key(4)
    chosen = [k for k in range(6) if digits == 0 or str(digits).zfill(6)[-1 - k] == "1"]
    if pair.contacts[0].type.key(4) == 1:
        weights = _weights(pair, nodes, found)
        if len(chosen) == 6:
            found.mean(pilot, nodes, weights, card)
        else:
            found.part_of_mean(pilot, nodes, weights, np.eye(6)[chosen], card)
        return
    if pair.contacts[0].type.key(4) == 3:
        for node in nodes.tolist():
            for k in chosen:
                found.equation([((node, k), 1.0), ((pilot, k), -1.0)], optional=k > 2)
        return
    rotating = _rotating_nodes(builder)
    for members, most in ((nodes[np.isin(nodes, rotating)], 6), (nodes[~np.isin(nodes, rotating)], 3)):
        names = ",".join(DOF_NAMES[k] for k in chosen if k < most)
        if members.size and names:
            found.rigid(pilot, members, names, card)


def _weights(pair: _Pair, nodes: IntArray, found: LinearConstraints) -> Array:
    """Return the areas of nodes, or one for each where the contact elements are points or lines."""
    faces = list(_faces(np.concatenate([_eight(group.nodes) for group in pair.contacts])))
    if not faces:
        return np.ones(nodes.size)
    numbers, areas = nodal_areas(faces, found.nodes)
    weights = np.zeros(nodes.size)
    there = np.isin(nodes, numbers)
    weights[there] = areas[np.searchsorted(numbers, nodes[there])]
    return weights if (weights > 0.0).all() else np.ones(nodes.size)


def _rotating_nodes(builder: Builder) -> IntArray:
    """Return numbers of nodes whose elements have rotations."""
    ids = builder.all_ids()
    rows = [block.connectivity.ravel() for block in builder.blocks if block.element.dof_per_node == 6]
    return np.unique(ids[np.concatenate(rows)]) if rows else np.empty(0, dtype=np.int64)
