"""Supports, constraint equations, coupled sets, rigid elements and remote points of ANSYS files.

Conditions refer to nodal systems, which may be turned; they become conditions in model axes here. Whatever is linear
and homogeneous is turned into independent constraints by elimination, so that no freedom depends on two of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from floatframe.arrays import IntArray
from floatframe.errors import ModelError
from floatframe.fem import MPC, RBE2, RBE3, ElementBlock, FEModel
from floatframe.io.ansys_builder import Builder, Group

Row = dict[tuple[int, int], float]  # (node, component) in model axes -> coefficient
_NOTHING = 1e-10  # of the largest coefficient: what rounding of angles in degrees leaves


def supports_and_equations(builder: Builder, fe: FEModel) -> FEModel:
    """Return the model with D, CE and CP; `fe` has all elements and rigid couplings."""
    deck = builder.deck
    supports, rows = _supports(builder, fe)
    for number, (terms, constant) in deck.equations.items():
        if constant:
            builder.log.warn(f"CE {number} has the constant {constant:g}, which is taken as zero.")
        rows.append(_combined(builder, terms))
    for (_, component), nodes in deck.coupled.items():
        members = list(dict.fromkeys(nodes))
        rows += [_combined(builder, [(node, component, 1.0), (members[0], component, -1.0)]) for node in members[1:]]
    fe = _with_rotations(builder, fe, rows)
    exists = fe.dof_table.present
    held = {(int(node), int(component)) for node, component in supports}
    taken = _dependents(fe)
    solved: dict[tuple[int, int], Row] = {}
    for row in rows:
        for node, _ in row:
            builder.rows(np.array([node]), "a constraint equation")
        # freedoms that are held or do not exist are zero
        left = {k: c for k, c in row.items() if k not in held and exists[fe.node_index(k[0])[0], k[1] // 3]}
        _eliminate(left, solved, taken, held)
    couplings = [
        MPC([(*key, 1.0), *((*other, -factor) for other, factor in row.items())], name="constraint equation")
        for key, row in solved.items()
        if row
    ]
    held |= {key for key, row in solved.items() if not row}
    try:
        return FEModel(
            fe.nodes, fe.blocks, fe.node_ids, fe.node_sets, fe.element_sets, fe.point_masses,
            (*fe.couplings, *couplings), np.array(sorted(held), dtype=np.int64).reshape(-1, 2), fe.name,
        )  # fmt: skip
    except ModelError as error:
        raise builder.log.error(str(error)) from error


def _with_rotations(builder: Builder, fe: FEModel, rows: list[Row]) -> FEModel:
    """Return the model with rotations at nodes that only a mass without inertia gives them and equations use."""
    nodes = sorted({node for row in rows for node, component in row if component > 2} & builder.turning)
    bare = [node for node in nodes if not fe.dof_table.present[fe.node_index(node)[0], 1]]
    if not bare:
        return fe
    free = {"stiffness": np.zeros((len(bare), 6))}
    return fe.with_block(ElementBlock("ground_spring", fe.node_index(bare)[:, None], data=free, name="MASS21"))


def _supports(builder: Builder, fe: FEModel) -> tuple[list[tuple[int, int]], list[Row]]:
    """Return supports along model axes, and rows for those along turned axes."""
    by_triple: dict[tuple[int, int], list[int]] = {}
    for node, component in builder.deck.held:
        by_triple.setdefault((node, component // 3), []).append(component % 3)
    if by_triple:
        builder.rows(np.array([node for node, _ in by_triple]), "D")
    supports: list[tuple[int, int]] = []
    rows: list[Row] = []
    for (node, triple), held in by_triple.items():
        turned = len(held) < 3 and builder.angles is not None
        axes = builder.axes(node) if turned else np.eye(3)
        if turned and not np.array_equal(axes, np.eye(3)):
            rows += [_combined(builder, [(node, 3 * triple + k, 1.0)]) for k in held]
        else:
            supports += [(node, 3 * triple + k) for k in held]
    for node in sorted(builder.planar):
        if not fe.dof_table.present[fe.node_index(node)[0], 1]:
            supports.append((node, 2))
    return supports, rows


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


def _dependents(fe: FEModel) -> set[tuple[int, int]]:
    """Return the freedoms that depend on others through couplings already there."""
    found: set[tuple[int, int]] = set()
    for coupling in fe.couplings:
        for slots, _, _ in coupling.dependencies(fe):
            found |= {(int(fe.node_ids[slot // 6]), int(slot % 6)) for slot in slots.tolist()}
    return found


def _eliminate(
    row: Row, solved: dict[tuple[int, int], Row], taken: set[tuple[int, int]], held: set[tuple[int, int]]
) -> None:
    """Add a row to the solved ones: one of its freedoms expressed by others that no earlier row expresses."""
    size = max((abs(c) for c in row.values()), default=0.0)
    while inner := [key for key in row if key in solved]:
        for key in inner:
            factor = row.pop(key)
            for other, share in solved[key].items():
                row[other] = row.get(other, 0.0) + factor * share
    row = {key: factor for key, factor in row.items() if abs(factor) > _NOTHING * size}
    free = [key for key in row if key not in taken]
    if not free:
        return  # it says nothing new, or only about freedoms that follow others already
    # the first term depends, as in ANSYS, unless it is much smaller than others
    largest = max(abs(row[key]) for key in free)
    pivot = next(key for key in free if abs(row[key]) >= 0.1 * largest)
    factor = row.pop(pivot)
    solved[pivot] = {key: -share / factor for key, share in row.items()}


# rigid elements and remote points


def add_rigid_elements(builder: Builder, groups: list[Group]) -> None:
    """MPC184 rigid beams (KEYOPT(1) = 1): nodes they connect form one rigid body round the busiest node."""
    neighbours: dict[int, set[int]] = {}
    for group in groups:
        if group.type.key(1) != 1:
            builder.log.skip("MPC184", f"KEYOPT(1) = {group.type.key(1)} is no rigid beam", count=group.ids.size)
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
            builder.couplings.append(RBE2(start, sorted(members - {start}), name="MPC184"))


def add_rigid_regions(builder: Builder) -> None:
    """CERIG."""
    for reference, others, names in builder.deck.rigid:
        builder.rows(np.array([reference, *others]), "CERIG")
        if others:
            builder.couplings.append(RBE2(reference, others, names, name="CERIG"))


def add_remote_points(builder: Builder, contacts: list[Group], targets: list[Group]) -> None:
    """Contact pairs: a pilot node bonded to a surface becomes RBE2 or RBE3; other pairs are reported by name."""
    rotating = _rotating_nodes(builder)
    for real in sorted({group.real for group in [*contacts, *targets]}):
        surface = [group for group in contacts if group.real == real]
        pilots = [group for group in targets if group.real == real]
        names = " and ".join(sorted({group.name for group in [*surface, *pilots]}))
        count = sum(group.ids.size for group in [*surface, *pilots])
        pilot = _pilot(pilots)
        if not surface or pilot is None or not _bonds_rigidly(surface[0]):
            builder.log.skip(
                names, f"contact pair {real} is no bonded remote point; the parts are not tied", count=count
            )
            continue
        nodes = np.unique(np.concatenate([group.nodes.ravel() for group in surface]))
        nodes = nodes[(nodes > 0) & (nodes != pilot)]
        builder.rows(np.append(nodes, pilot), names)
        _couple(builder, surface[0].type.key(4), pilots[0].type.key(4), pilot, nodes, rotating, f"remote point {real}")
        builder.log.took(names, count)


def _bonds_rigidly(contact: Group) -> bool:
    """Whether internal equations bond it as a rigid or distributed coupling; KEYOPT(4) = 3 couples node by node."""
    return contact.type.key(2) == 2 and contact.type.key(12) in (5, 6) and contact.type.key(4) != 3


def _couple(
    builder: Builder, method: int, digits: int, pilot: int, nodes: IntArray, rotating: IntArray, name: str
) -> None:
    """KEYOPT(4) of the contact: 0 or 2 rigid, 1 distributed; of the target: which freedoms, read from the right."""
    if method == 1:
        if digits not in (0, 111111):
            builder.log.skip("TARGE170", f"{name}: a distributed coupling of some freedoms only couples all of them")
        builder.couplings.append(RBE3(pilot, nodes.tolist(), name=name))
        return
    chosen = [k for k in range(6) if digits == 0 or str(digits).zfill(6)[-1 - k] == "1"]
    for members, most in ((nodes[np.isin(nodes, rotating)], 6), (nodes[~np.isin(nodes, rotating)], 3)):
        names = ",".join(("ux", "uy", "uz", "rx", "ry", "rz")[k] for k in chosen if k < most)
        if members.size and names:
            builder.couplings.append(RBE2(pilot, members.tolist(), names, name=name))


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
