"""Which freedoms a joint or load may take hold of: from nodes, sets, reference nodes and single freedoms to rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.dofs import DOF_NAMES

if TYPE_CHECKING:
    from floatframe.fem.model import DofSpec, FEModel


@dataclass(frozen=True)
class Interface:
    """The model in which interface freedoms have equations of their own, their rows (k,), and the table (k, 2) of
    node numbers and components 0..5, in the order they were named.
    """

    fe: FEModel
    rows: IntArray
    table: IntArray

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(f"node {node} {DOF_NAMES[component]}" for node, component in self.table)


def find_interface(fe: FEModel, spec: DofSpec) -> Interface:
    """Return the interface named by node numbers, set names, or pairs of these with components, e.g. (12, "uz").

    Reference nodes of averaging couplings become independent; nodes of solids have only their three translations.
    """
    items = _items(spec)
    if fe.couplings:
        nodes = {int(node) for where, _ in items for node in fe.pick_nodes(where)}
        fe = fe.with_independent(sorted(nodes))
    pairs = [(int(node), int(part)) for item in items for node, part in _existing(fe, item)]
    pairs = list(dict.fromkeys(pairs))  # a freedom named twice counts once
    rows = np.array([fe.row_of(node, part) for node, part in pairs], dtype=np.int64)
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    table[:, 0] = fe.node_ids[table[:, 0]]
    held = np.setdiff1d(rows, fe.free_rows())
    if held.size:
        node, part = fe.dofs[held[0]]
        raise ModelError(
            f"model '{fe.name}': interface freedom {DOF_NAMES[part]} of node {node} is held by the model's own "
            "supports; leave it out or remove the support."
        )
    return Interface(fe, rows, table)


def _items(spec: DofSpec) -> list[tuple[Any, Any]]:
    single = isinstance(spec, str | int | np.integer)
    items: Iterable[Any] = [spec] if single else spec
    return [item if isinstance(item, tuple) else (item, "all") for item in items]


def _existing(fe: FEModel, item: tuple[Any, Any]) -> IntArray:
    """Return (k, 2) node indices and components of the freedoms that exist."""
    picked = fe.pick_dofs([item])
    exists = fe.dof_table.present[picked[:, 0], picked[:, 1] // 3]
    # a translation that is asked for together with rotations a solid lacks is fine, a node without any is not
    missing = np.setdiff1d(picked[:, 0], picked[exists, 0])
    if missing.size:
        raise ModelError(
            f"model '{fe.name}': interface node {fe.node_ids[missing[0]]} has none of the freedoms asked for "
            f"({item[1]!r}), because no element there has them; connect it with an RBE2 or choose others."
        )
    return picked[exists]


def rows_from_nodes(fe: FEModel, nodal: Array) -> Array:
    """Return x (ndof[, k]) of nodal values (nnode, 6[, k])."""
    return nodal[fe.node_index(fe.dofs[:, 0]), fe.dofs[:, 1]]
