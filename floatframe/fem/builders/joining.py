"""Models from several models: joining, copying in rows, merging coincident nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.transforms import translate
from floatframe.fem.connection import spider_lines
from floatframe.fem.couplings import Coupling
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.numbering import one_number
from floatframe.wording import listed


def join(*models: FEModel, name: str | None = None) -> FEModel:
    """Return one model of all the parts, side by side: nothing is connected until `merge_nodes`.

    The first model keeps its numbers; nodes and elements of each later one keep theirs if they clash with none before,
    else all of them are raised above the largest in use. Sets of the same name are united.
    """
    if not models:
        raise ModelError("join: no models given.")
    for model in models:
        if not isinstance(model, FEModel):
            found = type(model).__name__
            raise ModelError(f"join: found a {found}, expected models; write join(a, b, …) or join(*them).")
    whole = models[0]
    for part in models[1:]:
        part = _clear_of(whole, part)
        first = whole.nnode
        blocks = tuple(replace(block, connectivity=block.connectivity + first) for block in part.blocks)
        whole = replace(
            whole,
            nodes=np.concatenate([whole.nodes, part.nodes]),
            node_ids=np.concatenate([whole.node_ids, part.node_ids]),
            blocks=whole.blocks + blocks,
            node_sets=_united(whole.node_sets, part.node_sets),
            element_sets=_united(whole.element_sets, part.element_sets),
            point_masses=whole.point_masses + part.point_masses,
            couplings=whole.couplings + part.couplings,
            supports=np.concatenate([whole.supports, part.supports]),
        )
    return whole if name is None else replace(whole, name=name)


def array(fe: FEModel, n: int, step: Iterable[float]) -> FEModel:
    """Return n copies of a model (itself the first), each moved by `step` (3,) [m] from the one before."""
    n, shift = check.count(n, "array: n"), check.point(step, "array: step")
    return join(*(translate(fe, k * shift) for k in range(n)))


def renumber(fe: FEModel, nodes: Mapping[int, int] | None = None, elements: Mapping[int, int] | None = None) -> FEModel:
    """Return the model with other node and element numbers; numbers not named stay."""
    number = _renamed(fe, "node", fe.node_ids, nodes or {})
    changed = _renamed(fe, "element", element_numbers(*fe.blocks), elements or {})
    return replace(
        fe,
        node_ids=_mapped(fe.node_ids, number),
        blocks=tuple(replace(block, element_ids=_mapped(element_numbers(block), changed)) for block in fe.blocks),
        node_sets={name: _mapped(members, number) for name, members in fe.node_sets.items()},
        element_sets={name: _mapped(members, changed) for name, members in fe.element_sets.items()},
        point_masses=tuple(replace(mass, node=number[mass.node]) for mass in fe.point_masses),
        couplings=tuple(coupling.renumbered(number) for coupling in fe.couplings),
        supports=np.column_stack([_mapped(fe.supports[:, 0], number), fe.supports[:, 1]]),
    )


def merge_nodes(fe: FEModel, tol: float = 1e-6) -> FEModel:
    """Return the model with nodes closer than `tol` [m] made one; the lowest number and its place stay.

    An element that would lose a node this way is an error that names it: lower `tol` or remove the element; so is a
    coupling that would tie a node to itself. Averaged nodes that become one carry their weights together.
    """
    tol = check.positive(tol, "merge_nodes: tol")
    i, j = cKDTree(fe.nodes).query_pairs(tol, output_type="ndarray").T
    links = coo_array((np.ones(i.size, dtype=bool), (i, j)), shape=(fe.nnode, fe.nnode))
    _, group = connected_components(links, directed=False)
    # the lowest number of each group stays
    order = np.lexsort((fe.node_ids, group))
    _, first = np.unique(group[order], return_index=True)
    keeper = order[first][group]
    for block in fe.blocks:
        row = np.sort(keeper[block.connectivity], axis=1)
        collapsed = np.flatnonzero((np.diff(row, axis=1) == 0).any(axis=1))
        if collapsed.size:
            ids = element_numbers(block)[collapsed]
            raise ModelError(
                f"model '{fe.name}': merging nodes closer than {tol:g} m would collapse "
                f"{ids.size} element{'s' if ids.size > 1 else ''} of {block.label}, first element {ids[0]}; "
                "use a smaller tolerance or remove it first."
            )
    kept = np.unique(keeper)
    number = dict(zip(fe.node_ids.tolist(), fe.node_ids[keeper].tolist(), strict=True))
    place = np.searchsorted(kept, keeper)
    supports = np.column_stack([_mapped(fe.supports[:, 0], number), fe.supports[:, 1]])
    return replace(
        fe,
        nodes=fe.nodes[kept],
        node_ids=fe.node_ids[kept],
        blocks=tuple(replace(block, connectivity=place[block.connectivity]) for block in fe.blocks),
        node_sets={name: _mapped(members, number) for name, members in fe.node_sets.items()},
        point_masses=tuple(replace(mass, node=number[mass.node]) for mass in fe.point_masses),
        couplings=tuple(_merged(fe, coupling, number, tol) for coupling in fe.couplings),
        supports=np.unique(supports, axis=0),
    )


def _merged(fe: FEModel, coupling: Coupling, number: Mapping[int, int], tol: float) -> Coupling:
    try:
        return coupling.renumbered(number)
    except ModelError as error:
        times = Counter(number[node] for node in coupling.nodes)
        group = [node for node in coupling.nodes if times[number[node]] > 1]
        raise ModelError(
            f"model '{fe.name}': merging nodes closer than {tol:g} m would make {listed('node', group)} of "
            f"{coupling.label} one; use a smaller tolerance, or merge before coupling."
        ) from error


def remove_unused_nodes(fe: FEModel) -> FEModel:
    """Return the model without nodes that no element, mass or coupling holds; sets and supports forget them too."""
    used = np.zeros(fe.nnode, dtype=bool)
    for block in fe.blocks:
        used[block.connectivity] = True
    for mass in fe.point_masses:
        used[fe.node_index(mass.node)] = True
    used[spider_lines(fe, fe.couplings)] = True
    place = np.cumsum(used) - 1
    return replace(
        fe,
        nodes=fe.nodes[used],
        node_ids=fe.node_ids[used],
        blocks=tuple(replace(block, connectivity=place[block.connectivity]) for block in fe.blocks),
        node_sets={name: np.intersect1d(members, fe.node_ids[used]) for name, members in fe.node_sets.items()},
        supports=fe.supports[np.isin(fe.supports[:, 0], fe.node_ids[used])],
    )


def _clear_of(whole: FEModel, part: FEModel) -> FEModel:
    """Return `part` with numbers raised where they clash with those of `whole`."""
    taken, own = whole.node_ids, part.node_ids
    nodes = {}
    if np.intersect1d(taken, own).size:
        nodes = dict(zip(own.tolist(), (own - own.min() + taken.max() + 1).tolist(), strict=True))
    taken, own = element_numbers(*whole.blocks), element_numbers(*part.blocks)
    elements = {}
    if np.intersect1d(taken, own).size:
        elements = dict(zip(own.tolist(), (own - own.min() + taken.max() + 1).tolist(), strict=True))
    return renumber(part, nodes, elements) if nodes or elements else part


def element_numbers(*blocks: ElementBlock) -> IntArray:
    """Return the user numbers of all elements of some blocks of a model."""
    return np.concatenate([np.empty(0, dtype=np.int64), *(np.asarray(block.element_ids) for block in blocks)])


def _renamed(fe: FEModel, noun: str, present: IntArray, changes: Mapping[int, int]) -> dict[int, int]:
    """Return the new number of every one present."""
    number = {old: old for old in present.tolist()}
    unknown = [old for old in changes if old not in number]
    if unknown:
        raise ModelError(f"model '{fe.name}': renumber names unknown {listed(noun, unknown)}.")
    what = f"renumber: new {noun} number"
    return number | {int(old): one_number(new, what) for old, new in changes.items()}


def _mapped(numbers: IntArray, number: Mapping[int, int]) -> IntArray:
    return np.array([number[old] for old in numbers.tolist()], dtype=np.int64)


def _united(a: Mapping[str, IntArray], b: Mapping[str, IntArray]) -> dict[str, IntArray]:
    none = np.empty(0, dtype=np.int64)
    return {name: np.union1d(a.get(name, none), b.get(name, none)) for name in [*a, *(n for n in b if n not in a)]}


def tie_nodes(
    fe: FEModel, on: Callable[[Array], BoolArray], components: str = "all", name: str = "tie", tol: float = 1e-6
) -> FEModel:
    """Return the model with nodes that stand at one place tied: those of higher number follow the lowest (RBE2).

    on: which places (n, 3) are looked at, as a mask; components: the dofs that follow; tol: nodes closer than this [m]
    stand at one place. What stands alone stays so.
    """
    tol = check.positive(tol, "tie_nodes: tol")
    inside = np.flatnonzero(on(fe.nodes))
    inside = inside[np.argsort(fe.node_ids[inside], kind="stable")]
    tied: set[int] = set()
    for k, others in enumerate(
        cKDTree(fe.nodes[inside]).query_ball_point(fe.nodes[inside], tol) if inside.size else ()
    ):
        followers = [int(fe.node_ids[inside[other]]) for other in sorted(others) if other > k and other not in tied]
        if k not in tied and followers:
            tied.update(others)
            fe = fe.with_rbe2(int(fe.node_ids[inside[k]]), followers, components, name)
    if not tied:
        raise ModelError(f"{name}: no two nodes stand at one place there; check the places, or whether they are merged")
    return fe
