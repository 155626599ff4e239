"""Supports, constraint equations, coupled sets, rigid elements and remote points of ANSYS files.

Conditions refer to nodal systems, which may be turned; they become conditions in model axes here. Whatever is linear
and homogeneous is turned into independent constraints by `linear_constraints`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import BoolArray, IntArray
from floatframe.errors import ModelError, ReadError
from floatframe.fem import FEModel
from floatframe.io.ansys_builder import Builder, Group
from floatframe.io.import_log import ImportLog
from floatframe.io.linear_constraints import LinearConstraints as Found
from floatframe.io.linear_constraints import NodeTable

Row = dict[tuple[int, int], float]  # (node, component) in model axes -> coefficient


@dataclass(frozen=True)
class _Card:
    """What a constraint came from, for messages about it."""

    name: str
    log: ImportLog

    def error(self, text: str, line: int | None = None) -> ReadError:
        return self.log.error(text, line)


def constraints_of(builder: Builder, rigid: list[Group], contacts: list[Group], targets: list[Group]) -> Found:
    """Return what elements and CERIG tie: mid-side nodes that were added, rigid bodies, remote points."""
    found = Found(NodeTable(builder.all_ids(), builder.all_places()))
    for (a, b), middle in builder.middles.items():
        for k in range(3):
            found.equation([((middle, k), 1.0), ((a, k), -0.5), ((b, k), -0.5)])
    _add_rigid_elements(builder, found, rigid)
    _add_rigid_regions(builder, found)
    _add_averages(builder, found)
    _add_remote_points(builder, found, contacts, targets)
    return found


def supports_and_equations(builder: Builder, found: Found, fe: FEModel) -> FEModel:
    """Return the model `fe`, which has all elements, with these constraints and D, CE and CP."""
    deck = builder.deck
    present = fe.dof_table.present.copy()
    present[[found.nodes.row(node) for node in found.references]] = True
    rows = _supports(builder, found, present)
    for number, (terms, constant) in deck.equations.items():
        if constant:
            builder.log.warn(f"CE {number} has the constant {constant:g}, which is taken as zero.")
        rows.append(_combined(builder, terms))
    for (_, component), nodes in deck.coupled.items():
        members = list(dict.fromkeys(nodes))
        rows += [_combined(builder, [(node, component, 1.0), (members[0], component, -1.0)]) for node in members[1:]]
    for row in rows:
        builder.rows(np.array([node for node, _ in row], dtype=np.int64), "a constraint equation")
        # freedoms that no element has are zero; a mass element gives its node rotations, with inertia or without
        found.equation(
            [
                ((node, k), factor)
                for (node, k), factor in row.items()
                if present[found.nodes.row(node), k // 3] or (k > 2 and node in builder.turning)
            ]
        )
    solved = found.solved(fe.dof_table.present)
    supports = np.array(sorted(solved.supports.tolist()), dtype=np.int64).reshape(-1, 2)
    blocks = (*fe.blocks, *solved.springs(found.nodes))
    try:
        return replace(fe, blocks=blocks, couplings=solved.couplings, supports=supports)
    except ModelError as error:
        raise builder.log.error(str(error)) from error


def _supports(builder: Builder, found: Found, present: BoolArray) -> list[Row]:
    """Hold freedoms along model axes, and return rows for those along turned axes."""
    by_triple: dict[tuple[int, int], list[int]] = {}
    for node, component in builder.deck.held if builder.log.supports else ():
        by_triple.setdefault((node, component // 3), []).append(component % 3)
    if by_triple:
        builder.rows(np.array([node for node, _ in by_triple]), "D")
    rows: list[Row] = []
    for (node, triple), held in by_triple.items():
        turned = len(held) < 3 and builder.angles is not None
        axes = builder.axes(node) if turned else np.eye(3)
        if turned and not np.array_equal(axes, np.eye(3)):
            rows += [_combined(builder, [(node, 3 * triple + k, 1.0)]) for k in held]
        else:
            found.hold(*((node, 3 * triple + k) for k in held))
    found.hold(*builder.inactive(present))
    return rows


def _combined(builder: Builder, terms: Iterable[tuple[int, int, float]]) -> Row:
    """Return terms in nodal systems as a row in model axes."""
    row: Row = {}
    for node, component, factor in terms:
        first = 3 * (component // 3)
        axes = np.eye(3) if builder.angles is None else builder.axes(node)
        for k in range(3):
            if share := factor * float(axes[k, component % 3]):
                row[node, first + k] = row.get((node, first + k), 0.0) + share
    return row


# rigid elements and remote points


def _add_rigid_elements(builder: Builder, found: Found, groups: list[Group]) -> None:
    """MPC184 rigid beams (KEYOPT(1) = 1): nodes they connect form one rigid body round the busiest node."""
    neighbours: dict[int, set[int]] = {}
    for group in groups:
        if group.type.key(1) != 1:
            reason = f"KEYOPT(1) = {group.type.key(1)} is no rigid beam"
            builder.log.lose("MPC184", "coupling", reason, count=group.ids.size)
            continue
        builder.rows(group.nodes[:, :2], "MPC184 element", group.ids)
        for a, b in group.nodes[:, :2].tolist():
            neighbours.setdefault(a, set()).add(b)
            neighbours.setdefault(b, set()).add(a)
        builder.log.took("MPC184", group.ids.size)
    while neighbours:
        start = max(neighbours, key=lambda node: len(neighbours[node]))
        members, waiting = {start}, [start]
        while waiting:
            for other in neighbours.pop(waiting.pop(), ()):
                if other not in members:
                    members.add(other)
                    waiting.append(other)
        if len(members) > 1:
            found.rigid(start, np.array(sorted(members)), "all", _Card("MPC184", builder.log))


def _add_rigid_regions(builder: Builder, found: Found) -> None:
    """CERIG."""
    for reference, others, names in builder.deck.rigid:
        builder.rows(np.array([reference, *others]), "CERIG")
        if others:
            found.rigid(reference, np.array(others), names, _Card("CERIG", builder.log))


def _add_averages(builder: Builder, found: Found) -> None:
    """RBE3."""
    for reference, others, weights in builder.deck.averages:
        builder.rows(np.array([reference, *others]), "RBE3")
        if others:
            found.mean(reference, np.array(others), np.array(weights), _Card("RBE3", builder.log))


def _add_remote_points(builder: Builder, found: Found, contacts: list[Group], targets: list[Group]) -> None:
    """Contact pairs: a pilot node bonded to a surface becomes RBE2 or RBE3; other pairs are reported by name."""
    rotating = _rotating_nodes(builder)
    for real in sorted({group.real for group in [*contacts, *targets]}):
        surface = [group for group in contacts if group.real == real]
        pilots = [group for group in targets if group.real == real]
        names = " and ".join(sorted({group.name for group in [*surface, *pilots]}))
        count = sum(group.ids.size for group in [*surface, *pilots])
        pilot = _pilot(pilots)
        if not surface or pilot is None or not _bonds_rigidly(surface[0]):
            reason = "a contact pair that is no bonded remote point; the parts are not tied"
            builder.log.lose(names.replace(" and ", " "), "coupling", reason, count=count)
            continue
        nodes = np.unique(np.concatenate([group.nodes.ravel() for group in surface]))
        nodes = nodes[(nodes > 0) & (nodes != pilot)]
        builder.rows(np.append(nodes, pilot), names)
        card = _Card(f"remote point {real}", builder.log)
        _couple(found, surface[0].type.key(4), pilots[0].type.key(4), pilot, nodes, rotating, card)
        builder.log.took(names, count)


def _bonds_rigidly(contact: Group) -> bool:
    """Whether internal equations bond it as a rigid or distributed coupling; KEYOPT(4) = 3 couples node by node."""
    return contact.type.key(2) == 2 and contact.type.key(12) in (5, 6) and contact.type.key(4) != 3


def _couple(
    found: Found, method: int, digits: int, pilot: int, nodes: IntArray, rotating: IntArray, card: _Card
) -> None:
    """KEYOPT(4) of the contact: 0 or 2 rigid, 1 distributed; of the target: which freedoms, read from the right."""
    if method == 1:
        if digits not in (0, 111111):
            reason = f"{card.name}: a distributed coupling of some freedoms only couples all of them"
            card.log.skip("TARGE170", reason)
        found.mean(pilot, nodes, None, card)
        return
    chosen = [k for k in range(6) if digits == 0 or str(digits).zfill(6)[-1 - k] == "1"]
    for members, most in ((nodes[np.isin(nodes, rotating)], 6), (nodes[~np.isin(nodes, rotating)], 3)):
        names = ",".join(("ux", "uy", "uz", "rx", "ry", "rz")[k] for k in chosen if k < most)
        if members.size and names:
            found.rigid(pilot, members, names, card)


def _pilot(groups: list[Group]) -> int | None:
    """Return the only node of one-node target elements."""
    nodes = [group.nodes for group in groups]
    if not nodes or any((part[:, 1:] != 0).any() for part in nodes):
        return None
    found = np.unique(np.concatenate([part[:, 0] for part in nodes]))
    return int(found[0]) if found.size == 1 else None


def _rotating_nodes(builder: Builder) -> IntArray:
    """Return numbers of nodes whose elements have rotations."""
    ids = builder.all_ids()
    rows = [block.connectivity.ravel() for block in builder.blocks if block.element.dof_per_node == 6]
    return np.unique(ids[np.concatenate(rows)]) if rows else np.empty(0, dtype=np.int64)
