"""Many equations of dofs at once: most of those of tied surfaces meet no others on the dofs they are solved for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.fem import MPC
from floatframe.io.deck.elimination import ZERO, Dof, Elimination

if TYPE_CHECKING:
    from floatframe.io.deck.node_table import NodeTable

Terms = Sequence[tuple[Dof, float]]
_NOTHING = 1e-12  # of factors of about 1


@dataclass(frozen=True)
class Equations:
    """Many equations Σ factor · dof = 0, their terms one after the other; the first is preferably dependent.

    node, component (0..5), factor (nterm,); count (n,) terms of each; optional (n,): if the dofs exist at all.
    """

    node: IntArray
    component: IntArray
    factor: Array
    count: IntArray
    optional: BoolArray

    @cached_property
    def of(self) -> IntArray:
        """(nterm,) the equation of each term."""
        return np.repeat(np.arange(self.count.size), self.count)

    @property
    def first(self) -> IntArray:
        """(n,) the first term of each equation."""
        return np.cumsum(self.count) - self.count

    def picked(self, terms: BoolArray) -> Equations:
        """Return what some terms leave; equations without any vanish."""
        count = np.bincount(self.of[terms], minlength=self.count.size)
        stays = count > 0
        return Equations(
            self.node[terms], self.component[terms], self.factor[terms], count[stays], self.optional[stays]
        )

    @classmethod
    def of_rows(cls, node: IntArray, component: IntArray, factor: Array, optional: bool = False) -> Equations:
        """Return equations with terms (n, m), those that are next to zero left out."""
        kept = np.abs(factor) > _NOTHING
        count = kept.sum(axis=1)
        return cls(node[kept], component[kept], factor[kept], count, np.full(len(count), optional))

    @classmethod
    def joined(cls, parts: Sequence[tuple[Terms, bool] | Equations]) -> Equations:
        """Return equations that stand by themselves or in arrays as one, in the same order."""
        found = [cls.listed([])]
        alone: list[tuple[Terms, bool]] = []
        for part in parts:
            if isinstance(part, Equations):
                found += [cls.listed(alone), part]
                alone = []
            else:
                alone.append(part)
        found.append(cls.listed(alone))
        names = ("node", "component", "factor", "count", "optional")
        return cls(*(np.concatenate([getattr(part, name) for part in found]) for name in names))

    @classmethod
    def listed(cls, alone: list[tuple[Terms, bool]]) -> Equations:
        terms = [term for part, _ in alone for term in part]
        return cls(
            np.array([node for (node, _), _ in terms], dtype=np.int64),
            np.array([component for (_, component), _ in terms], dtype=np.int64),
            np.array([factor for _, factor in terms], dtype=float),
            np.array([len(part) for part, _ in alone], dtype=np.int64),
            np.array([optional for _, optional in alone], dtype=bool),
        )


class System:
    """Equations brought into reduced form: most of them at once, one by one those that meet others on their first term.

    An equation whose first dof stands first in no other, is not held, belongs to no rigid body and is not named by
    an equation that is solved one by one, can be solved for it, whatever becomes of the others.
    """

    def __init__(self, nodes: NodeTable, held: dict[Dof, None]) -> None:
        self.nodes = nodes
        self._one_by_one = Elimination(held)
        self._at_once = Equations.listed([])
        self.add = self._one_by_one.add

    @property
    def held(self) -> dict[Dof, None]:
        return self._one_by_one.held

    def solve(self, equations: Equations, in_body: BoolArray) -> None:
        """Take equations; in_body (nnode,): nodes of rigid bodies."""
        size = np.zeros(equations.count.size)
        np.maximum.at(size, equations.of, np.abs(equations.factor))
        at_once = self._solved_at_once(equations, size, in_body)
        terms = at_once[equations.of] & (np.abs(equations.factor) > ZERO * size[equations.of])
        self._at_once = equations.picked(terms)
        others = equations.picked(~at_once[equations.of])
        node, component, factor = others.node.tolist(), others.component.tolist(), others.factor.tolist()
        end = 0
        for count in others.count.tolist():
            start, end = end, end + count
            dofs = zip(node[start:end], component[start:end], strict=True)
            self.add(list(zip(dofs, factor[start:end], strict=True)))

    def _solved_at_once(self, equations: Equations, size: Array, in_body: BoolArray) -> BoolArray:
        n, of, first = equations.count.size, equations.of, equations.first
        slot = self._slots(equations)
        lead = slot[first]
        by_itself = (np.abs(equations.factor[first]) > 1e-3 * size) & ~in_body[lead // 6] & ~self._held()[lead]
        small = np.abs(equations.factor) <= ZERO * size[of]
        by_itself &= np.bincount(of[~small], minlength=n) > 1
        by_itself &= np.bincount(lead, minlength=in_body.size * 6)[lead] == 1
        order = np.lexsort((slot, of))
        twice = (np.diff(slot[order]) == 0) & (np.diff(of[order]) == 0)
        by_itself[of[order][1:][twice]] = False
        # equation -> equations whose first dofs it names
        solver = np.full(in_body.size * 6, -1)
        solver[lead[by_itself]] = np.flatnonzero(by_itself)
        names = np.flatnonzero((solver[slot] >= 0) & (solver[slot] != of))
        i, j = of[names], solver[slot[names]]
        _, ring = connected_components(coo_array((np.ones(i.size), (i, j)), shape=(n, n)), connection="strong")
        by_itself &= np.bincount(ring, minlength=1)[ring] == 1
        # what an equation of the others names is one of the others, and so on
        start = np.flatnonzero(~by_itself)
        i, j = np.r_[i, np.full(start.size, n)], np.r_[j, start]
        graph = coo_array((np.ones(i.size), (i, j)), shape=(n + 1, n + 1)).tocsr()
        reached = breadth_first_order(graph, n, return_predecessors=False)
        by_itself[reached[reached < n]] = False
        return by_itself

    def touched(self) -> set[int]:
        """Return the nodes of all equations."""
        solved = self._one_by_one.solved
        sources = {node for solution in solved.values() for node, _ in solution}
        return sources | {node for node, _ in solved} | set(self._at_once.node.tolist())

    def finish(self) -> tuple[list[MPC], BoolArray]:
        """Return the equations, every dependent dof by independent ones, and (nnode, 6) what stands in them."""
        found = self._substituted(self._at_once)
        solved = self._one_by_one.solved
        used = np.zeros(self.nodes.ids.size * 6, dtype=bool)
        used[self._slots(found)] = True
        for dependent, solution in solved.items():
            for node, component in (dependent, *solution):
                used[6 * self.nodes.row(node) + component] = True
        equations = [MPC([(*lead, 1.0), *((*other, -c) for other, c in part.items())]) for lead, part in solved.items()]
        at_once = MPC.many(found.node, found.component, found.factor, found.count)
        return [*equations, *at_once], used.reshape(-1, 6)

    def _substituted(self, equations: Equations) -> Equations:
        """Return equations with first factors 1 and without dofs that are held or dependent; add what gets held."""
        slot, of, first = self._slots(equations), equations.of, equations.first
        factor = equations.factor / equations.factor[first][of]
        solved = self._one_by_one.solved
        replaced = self._held()
        replaced[slot[first]] = True
        replaced[[6 * self.nodes.row(node) + component for node, component in solved]] = True
        inner = np.ones(slot.size, dtype=bool)
        inner[first] = False
        changed = np.zeros(first.size, dtype=bool)
        changed[of[inner & replaced[slot]]] = True
        same = Equations(equations.node, equations.component, factor, equations.count, equations.optional)
        if not changed.any():
            return same
        # u = X u; only rows that lead on to dependent dofs are multiplied out
        n = 6 * self.nodes.ids.size
        entries = inner & ~self._held()[slot]
        rows, columns, values = [slot[first][of[entries]]], [slot[entries]], [-factor[entries]]
        for dependent, solution in solved.items():
            rows.append(np.full(len(solution), 6 * self.nodes.row(dependent[0]) + dependent[1]))
            columns.append(np.array([6 * self.nodes.row(node) + component for node, component in solution]))
            values.append(np.array(list(solution.values())))
        place = (np.concatenate(rows), np.concatenate(columns))
        X = csr_array((np.concatenate(values), place), shape=(n, n))
        leads_on = diags_array(replaced.astype(float))
        step = csr_array(X @ leads_on)
        step.eliminate_zeros()
        T = csr_array(X - step)
        T.eliminate_zeros()
        while step.nnz:
            T = T + csr_array(step @ T)
            step = csr_array(step @ step)
        lead = slot[first][changed]
        result = csr_array(T[lead])
        size = np.zeros(first.size)
        np.maximum.at(size, of, np.abs(factor))
        row = np.repeat(np.arange(lead.size), np.diff(result.indptr))
        keep = np.abs(result.data) > ZERO * size[changed][row]
        row, column, value = row[keep], result.indices[keep].astype(np.int64), result.data[keep]
        count = np.bincount(row, minlength=lead.size)
        for held in lead[count == 0].tolist():
            self.held[int(self.nodes.ids[held // 6]), held % 6] = None
        order = np.argsort(np.r_[np.flatnonzero(count), row], kind="stable")
        slots = np.r_[lead[count > 0], column][order]
        several = Equations(
            self.nodes.ids[slots // 6],
            slots % 6,
            np.r_[np.ones((count > 0).sum()), -value][order],
            count[count > 0] + 1,
            np.zeros((count > 0).sum(), dtype=bool),
        )
        return Equations.joined([same.picked(~changed[of]), several])

    def _held(self) -> BoolArray:
        """(6 nnode,) which dofs are held."""
        held = np.zeros(6 * self.nodes.ids.size, dtype=bool)
        rows = ((self.nodes.row(node), component) for node, component in self.held)
        held[[6 * row + component for row, component in rows if row >= 0]] = True
        return held

    def _slots(self, equations: Equations) -> IntArray:
        return 6 * np.searchsorted(self.nodes.ids, equations.node) + equations.component
