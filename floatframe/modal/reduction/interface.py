"""Which dofs a joint or load may act on: from nodes, sets, reference nodes and single dofs to rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, DofSpec


@dataclass(frozen=True)
class Interface:
    """The model in which interface dofs have equations of their own, their rows (k,), and the table (k, 2) of
    node numbers and components 0..5, in the order they were named; names: sets of one node, those requested first.
    """

    fe: AnyModel
    rows: IntArray
    table: IntArray
    names: dict[str, int]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(f"node {node} {DOF_NAMES[component]}" for node, component in self.table)


def find_interface(fe: AnyModel, spec: DofSpec) -> Interface:
    """Return the interface named by node numbers, set names, or these with components, (12, "uz") or "12:uz".

    Reference nodes of averaging couplings become independent; nodes of solids have only their three translations, and
    a node named as a whole only the dofs that the model's supports leave it.
    """
    items = fe.dof_items(spec)
    if fe.couplings:
        nodes = {int(node) for where, _ in items for node in fe.pick_nodes(where)}
        fe = fe.with_independent(sorted(nodes))
    held = {(int(node), int(part)) for node, part in fe.supports}
    pairs = [pair for item in items for pair in _free_pairs(fe, item, held)]
    pairs = list(dict.fromkeys(pairs))  # a dof named twice counts once
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    index = fe.node_index(table[:, 0])
    rows = [fe.row_of(int(node), int(part)) for node, part in zip(index, table[:, 1], strict=True)]
    return Interface(fe, np.array(rows, dtype=np.int64), table, _names(fe, [place for place, _ in items]))


def _names(fe: AnyModel, asked: list[Any]) -> dict[str, int]:
    """Return the numbers of nodes that are alone in a set, by its name."""
    alone = {name: int(nodes[0]) for name, nodes in fe.node_sets.items() if len(nodes) == 1}
    return {name: alone[name] for name in (*asked, *alone) if isinstance(name, str) and name in alone}


def _free_pairs(fe: AnyModel, item: tuple[Any, Any], held: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return node numbers and components; of a whole node those that the model's supports leave free."""
    pairs = [(int(fe.node_ids[node]), int(part)) for node, part in existing_dofs(fe, item, "interface")]
    free = [pair for pair in pairs if pair not in held]
    lost = {node for node, _ in pairs} - {node for node, _ in free}
    if lost or (item[1] != "all" and len(free) < len(pairs)):
        node, part = next(pair for pair in pairs if pair in held and (not lost or pair[0] in lost))
        raise ModelError(
            f"model '{fe.name}': interface dof {DOF_NAMES[part]} of node {node} is held by the model's own "
            "supports; leave it out, or release it (--no-supports, fe.without_supports())."
        )
    return free


def existing_dofs(fe: AnyModel, item: tuple[Any, Any], what: str) -> IntArray:
    """Return (k, 2) node indices and components of the dofs that exist; `what` they are for is named if none."""
    picked = fe.pick_dofs([item])
    exists = fe.dof_table.equation[6 * picked[:, 0] + picked[:, 1]] >= 0
    # a translation that is asked for together with rotations a solid lacks is fine, a node without any is not
    missing = np.setdiff1d(picked[:, 0], picked[exists, 0])
    if missing.size:
        raise ModelError(
            f"model '{fe.name}': {what} node {fe.node_ids[missing[0]]} has none of the requested dofs "
            f"({item[1]!r}), because no element there has them; connect it with an RBE2 or choose others."
        )
    return picked[exists]


def rows_from_nodes(fe: AnyModel, nodal: Array) -> Array:
    """Return x (ndof[, k]) of nodal values (nnode, 6[, k])."""
    return nodal[fe.node_index(fe.dofs[:, 0]), fe.dofs[:, 1]]
