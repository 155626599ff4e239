"""Supports, constraint equations, coupled sets and rigid elements of ANSYS files.

Conditions refer to nodal systems, which may be turned; they become conditions in model axes here. Whatever is linear
and homogeneous is turned into independent constraints by `linear_constraints`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from floatframe.arrays import BoolArray
from floatframe.errors import ModelError
from floatframe.fem import FEModel
from floatframe.io.ansys.apdl import PRETENSION
from floatframe.io.ansys.structure.builder import Builder, Group
from floatframe.io.ansys.structure.contacts import Card as _Card, add_contacts
from floatframe.io.ansys.structure.interfaces import add_interfaces
from floatframe.io.ansys.structure.joints import JOINTS, SLIDER, add_joints, add_sliders
from floatframe.io.deck import LinearConstraints as Found, NodeTable

_ROUND = 1e-12
Row = dict[tuple[int, int], float]  # (node, component) in model axes -> coefficient


def constraints_of(builder: Builder, rigid: list[Group], contacts: list[Group], targets: list[Group]) -> Found:
    """Return what elements and CERIG tie: mid-side nodes that were added, rigid bodies, remote points."""
    found = Found(NodeTable(builder.all_ids(), builder.all_places()), builder.blocks)
    for (a, b), middle in builder.middles.items():
        for k in range(6 if middle in builder.turning_middles else 3):
            found.equation([((middle, k), 1.0), ((a, k), -0.5), ((b, k), -0.5)])
    _add_rigid_elements(builder, found, rigid)
    _add_rigid_regions(builder, found)
    _add_averages(builder, found)
    add_contacts(builder, found, contacts, targets)
    add_interfaces(builder, found)
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
    rows += [
        {(node, 3 + k): float(axis[k]) for k in range(3) if abs(axis[k]) > _ROUND}
        for node, axis in builder.slack_turns()
    ]
    for row in rows:
        builder.rows(np.array([node for node, _ in row], dtype=np.int64), "a constraint equation")
        # dofs that no element has are zero; a mass element gives its node rotations, with inertia or without
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
    """Hold dofs along model axes, and return rows for those along turned axes; those that no element has too."""
    by_triple: dict[tuple[int, int], list[int]] = {}
    given = list(builder.deck.held) if builder.log.supports else []
    if given:
        builder.rows(np.array([node for node, _ in given]), "D")
    for node, component in dict.fromkeys([*given, *builder.inactive(present)]):
        by_triple.setdefault((node, component // 3), []).append(component % 3)
    rows: list[Row] = []
    for (node, triple), held in by_triple.items():
        turned = len(held) < 3 and builder.angles is not None
        axes = builder.axes(node) if turned else np.eye(3)
        if turned and not np.array_equal(axes, np.eye(3)):
            rows += [_combined(builder, [(node, 3 * triple + k, 1.0)]) for k in held]
        else:
            found.hold(*((node, 3 * triple + k) for k in held))
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


# rigid elements


def _add_rigid_elements(builder: Builder, found: Found, groups: list[Group]) -> None:
    """MPC184: joints, links (KEYOPT(1) = 0) that keep a distance, and beams (1), whose nodes form one rigid body round
    the busiest node."""
    neighbours: dict[int, set[int]] = {}
    for group in groups:
        if group.type.number in PRETENSION:
            _close_cut(builder, found, group)
            continue
        option = group.type.key(1)
        if option == SLIDER:
            add_sliders(builder, found, group)
            builder.log.took("MPC184", group.ids.size)
            continue
        if option not in (0, 1) and option not in JOINTS:
            reason = f"KEYOPT(1) = {option} is neither rigid nor a joint that is read"
            builder.log.lose("MPC184", "coupling", reason, count=group.ids.size)
            continue
        if option in JOINTS:
            add_joints(builder, found, group)
            builder.log.took("MPC184", group.ids.size)
            continue
        if group.nodes.shape[1] < 2:
            raise builder.log.error(f"MPC184 element {group.ids[0]} has one node; rigid links and beams need two.")
        builder.rows(group.nodes[:, :2], "MPC184 element", group.ids)
        if option == 0:
            for a, b in group.nodes[:, :2].tolist():
                found.link(b, a, _Card("MPC184", builder.log))
            builder.log.took("MPC184", group.ids.size)
            continue
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


def _close_cut(builder: Builder, found: Found, group: Group) -> None:
    """PRETS179: the two sides of a cut through a bolt stay together, as they do once the pretension is locked."""
    builder.rows(group.nodes[:, :2], f"{group.name} element", group.ids)
    for first, second in group.nodes[:, :2].tolist():
        for k in range(3):
            found.equation([((second, k), 1.0), ((first, k), -1.0)])
    builder.log.took(group.name, group.ids.size)


def _add_rigid_regions(builder: Builder, found: Found) -> None:
    """CERIG."""
    for reference, others, names in builder.deck.rigid:
        builder.rows(np.array([reference, *others]), "CERIG")
        if others:
            found.rigid(reference, np.array(others), names, _Card("CERIG", builder.log))


def _add_averages(builder: Builder, found: Found) -> None:
    """RBE3."""
    for mean in builder.deck.averages:
        builder.rows(np.array([mean.node, *mean.others]), "RBE3")
        card, others, weights = _Card("RBE3", builder.log), np.array(mean.others), np.array(mean.weights)
        if not mean.others:
            continue
        if len(mean.components) == 6:
            found.mean(mean.node, others, weights, card)
        else:
            # along the axes of the node
            rows = np.kron(np.eye(2), builder.axes(mean.node)).T[mean.components]
            found.part_of_mean(mean.node, others, weights, rows, card)
