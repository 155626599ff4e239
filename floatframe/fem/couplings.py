"""Couplings between nodes: rigid (RBE2), averaging (RBE3) and general multipoint constraints (MPC).

Each coupling expresses dependent dofs by independent ones, u_dependent = Σ c u_independent; `dependency_matrix`
collects them for elimination. Components are those of the model axes.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import scipy.linalg
from scipy.sparse import csr_array

from floatframe.arrays import Array, BoolArray, IntArray, short_repr, skew
from floatframe.errors import ModelError
from floatframe.fem.dofs import DOF_NAMES, components, turned_components
from floatframe.fem.nodal import NodalModel
from floatframe.fem.numbering import one_number, whole_numbers
from floatframe.wording import listed

_LAST = 1e-6  # weight of supported dofs in the choice of those that leave
# dependent slot (k,), coefficients (k, m) and independent slots (m,)
Dependency = tuple[IntArray, Array, IntArray]


class Coupling(ABC):
    """What couplings have in common."""

    name: str

    @property
    @abstractmethod
    def nodes(self) -> tuple[int, ...]:
        """All node numbers it touches."""

    @property
    def label(self) -> str:
        """How messages name the coupling."""
        return f"{type(self).__name__} '{self.name}'" if self.name else type(self).__name__

    @property
    def title(self) -> str:
        """The label and the node that identify a coupling."""
        return f"{self.label} at node {self.nodes[0]}"

    def mark_present(self, fe: NodalModel, present: BoolArray) -> None:  # noqa: B027  (most couplings add no dofs)
        """Mark the dofs (nnode, 2) that exist because of the coupling."""

    @abstractmethod
    def dependencies(self, fe: NodalModel) -> list[Dependency]:
        """Return groups of dependent dofs as (slots, coefficients, independent slots)."""

    @abstractmethod
    def renumbered(self, number: Mapping[int, int]) -> Coupling:
        """Return a copy with other node numbers; nodes that get the same number count as one."""

    def with_independent(self, nodes: set[int]) -> Coupling:
        """Return a copy that leaves the dofs of these nodes independent if it can."""
        return self

    def rotated(self, R: Array) -> Coupling:
        """Return a copy for a model whose axes were turned by R (3, 3)."""
        return self


@dataclass(frozen=True)
class RBE2(Coupling):
    """Rigid body: chosen components of the dependent nodes follow the reference node like one rigid piece."""

    reference: int
    dependents: Sequence[int]
    components: str = "all"
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reference", one_number(self.reference, f"{self.label}: reference"))
        object.__setattr__(self, "dependents", _node_numbers(self.dependents, self.label, "dependents"))
        components(self.components)
        if not self.dependents:
            raise ModelError(f"{self.label} at node {self.reference}: no dependent nodes.")
        if self.reference in self.dependents:
            raise ModelError(f"{self.label}: node {self.reference} is both reference and dependent.")

    @property
    def nodes(self) -> tuple[int, ...]:
        return (self.reference, *self.dependents)

    def mark_present(self, fe: NodalModel, present: BoolArray) -> None:
        present[fe.node_index(self.reference)] = True
        chosen = components(self.components)
        for triple in (0, 1):
            if set(range(3 * triple, 3 * triple + 3)) <= set(chosen):
                present[fe.node_index(self.dependents), triple] = True

    def dependencies(self, fe: NodalModel) -> list[Dependency]:
        reference = fe.node_index(self.reference)[0]
        index = fe.node_index(self.dependents)
        follow = np.tile(np.eye(6), (index.size, 1, 1))
        follow[:, :3, 3:] = -skew(fe.nodes[index] - fe.nodes[reference])
        chosen = components(self.components)
        slots = 6 * index[:, None] + chosen
        return [(slots.ravel(), follow[:, chosen].reshape(-1, 6), 6 * reference + np.arange(6))]

    def renumbered(self, number: Mapping[int, int]) -> RBE2:
        dependents = dict.fromkeys(number[node] for node in self.dependents)
        return replace(self, reference=number[self.reference], dependents=tuple(dependents))

    def rotated(self, R: Array) -> RBE2:
        chosen = components(self.components)
        turned = turned_components(chosen, R)
        if turned is None:
            raise ModelError(
                f"{self.label} at node {self.reference}: only {self.components} are coupled, which would not lie along "
                "axes after turning; move the model first and couple it then."
            )
        return self if turned == chosen else replace(self, components=",".join(DOF_NAMES[k] for k in turned))


@dataclass(frozen=True)
class RBE3(Coupling):
    """Averaging: the reference node follows the weighted mean motion of other nodes and adds no stiffness.

    The mean motion is the rigid motion that fits the translations of `averaged` best (weighted least squares);
    loads and masses at the reference spread over them accordingly. With `independent=True` the reference dofs stay
    in the equations (needed for supports and interface nodes) and six dofs of the averaged nodes leave instead.
    """

    reference: int
    averaged: Sequence[int]
    weights: Sequence[float] | None = None
    independent: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reference", one_number(self.reference, f"{self.label}: reference"))
        object.__setattr__(self, "averaged", _node_numbers(self.averaged, self.label, "averaged nodes"))
        weights = np.ones(len(self.averaged)) if self.weights is None else np.asarray(self.weights, dtype=float)
        if weights.shape != (len(self.averaged),) or not ((weights > 0) & (weights < np.inf)).all():
            raise ModelError(f"{self.label}: needs one positive weight for each of {len(self.averaged)} nodes.")
        object.__setattr__(self, "weights", tuple(weights))
        if self.reference in self.averaged:
            raise ModelError(f"{self.label}: node {self.reference} is both reference and averaged.")

    @property
    def nodes(self) -> tuple[int, ...]:
        return (self.reference, *self.averaged)

    def mark_present(self, fe: NodalModel, present: BoolArray) -> None:
        present[fe.node_index(self.reference)] = True

    def dependencies(self, fe: NodalModel) -> list[Dependency]:
        reference = 6 * fe.node_index(self.reference)[0] + np.arange(6)
        index = fe.node_index(self.averaged)
        slots = (6 * index[:, None] + np.arange(3)).ravel()
        W = self._mean_motion(fe.nodes[index], fe.nodes[reference[0] // 6])
        if not self.independent:
            return [(reference, W, slots)]
        # keep the reference: choose six dofs of the averaged nodes that fix the mean motion best, supported ones last
        scale = np.r_[np.ones(3), np.full(3, np.ptp(fe.nodes[index], axis=0).max())]
        held = np.isin(slots, 6 * fe.node_index(fe.supports[:, 0]) + fe.supports[:, 1])
        _, _, order = scipy.linalg.qr(W * scale[:, None] * np.where(held, _LAST, 1.0), mode="economic", pivoting=True)
        leave = np.sort(order[:6])
        stay = np.setdiff1d(np.arange(slots.size), leave)
        inverse = scipy.linalg.inv(W[:, leave])
        return [(slots[leave], inverse @ np.hstack([np.eye(6), -W[:, stay]]), np.r_[reference, slots[stay]])]

    def with_independent(self, nodes: set[int]) -> RBE3:
        return replace(self, independent=True) if self.reference in nodes else self

    def _mean_motion(self, points: Array, reference: Array) -> Array:
        """Return (6, 3n): motion of the reference point from the translations of the points."""
        w = np.asarray(self.weights)
        centre = w @ points / w.sum()
        arm = skew(points - centre)
        J = -np.einsum("i,ijk,ikl->jl", w, arm, arm)
        size = np.linalg.eigvalsh(J)
        if size[0] <= 1e-10 * size[-1] or size[-1] == 0.0:
            raise ModelError(
                f"{self.label} at node {self.reference}: its {len(points)} averaged nodes lie on one line, so the "
                "rotation about that line is undefined; add a node off the line."
            )
        turn = np.einsum("jk,ikl->jil", np.linalg.inv(J), w[:, None, None] * arm).reshape(3, -1)
        shift = np.kron(w / w.sum(), np.eye(3)) - skew(reference - centre) @ turn
        return np.vstack([shift, turn])

    def renumbered(self, number: Mapping[int, int]) -> RBE3:
        # nodes that become one carry their weights together
        weights: dict[int, float] = {}
        for node, weight in zip(self.averaged, self.weights or (), strict=True):
            weights[number[node]] = weights.get(number[node], 0.0) + weight
        return replace(self, reference=number[self.reference], averaged=tuple(weights), weights=tuple(weights.values()))


@short_repr
@dataclass(frozen=True)
class MPC(Coupling):
    """General linear constraint Σ coefficient · u(node, component) = 0; the first term is the dependent dof."""

    terms: Sequence[tuple[int, str | int, float]]
    name: str = ""

    def __post_init__(self) -> None:
        terms = tuple(self._checked(*term) for term in self.terms)
        object.__setattr__(self, "terms", terms)
        if len(terms) < 2 or terms[0][2] == 0.0:
            raise ModelError(f"{self.label}: needs at least two terms and a first coefficient that is not zero.")
        if len({term[:2] for term in terms}) < len(terms):
            raise ModelError(f"{self.label}: a dof appears in two terms; add their coefficients.")

    def _checked(self, node: Any, name: Any, factor: Any) -> tuple[int, int, float]:
        if type(node) is int and type(name) is int and 0 <= name < 6 and node > 0 and math.isfinite(factor):
            return node, name, float(factor)  # the usual case, many times over in tied surfaces
        chosen = components(name)
        if len(chosen) != 1:
            raise ModelError(f"{self.label}: component {name!r} of node {node} names {len(chosen)}; a term takes one.")
        if not np.isfinite(factor):
            raise ModelError(f"{self.label}: the coefficient at node {node} is {factor}; give a finite number.")
        return one_number(node, f"{self.label}: node of a term"), chosen[0], float(factor)

    @classmethod
    def many(cls, node: IntArray, component: IntArray, factor: Array, count: IntArray) -> list[MPC]:
        """Return one constraint for each of count (k,) terms in a row; for terms that are known to be in order."""
        terms = list(zip(node.tolist(), component.tolist(), factor.tolist(), strict=True))
        found = []
        end = 0
        for size in count.tolist():
            one = object.__new__(cls)
            object.__setattr__(one, "terms", tuple(terms[end : end + size]))
            object.__setattr__(one, "name", "")
            found.append(one)
            end += size
        return found

    @property
    def nodes(self) -> tuple[int, ...]:
        return tuple([node for node, _, _ in self.terms])

    @property
    def title(self) -> str:
        return f"{self.label} of nodes {', '.join(map(str, self.nodes[:4]))}{', …' if len(self.nodes) > 4 else ''}"

    def dependencies(self, fe: NodalModel) -> list[Dependency]:
        slots = 6 * fe.node_index(self.nodes) + np.array([component for _, component, _ in self.terms])
        factors = np.array([factor for _, _, factor in self.terms])
        return [(slots[:1], -factors[None, 1:] / factors[0], slots[1:])]

    def renumbered(self, number: Mapping[int, int]) -> MPC:
        # dofs that become one carry their coefficients together
        summed: dict[tuple[int, str | int], float] = {}
        for node, component, factor in self.terms:
            key = (number[node], component)
            summed[key] = summed.get(key, 0.0) + factor
        return replace(self, terms=[(node, component, factor) for (node, component), factor in summed.items()])

    def rotated(self, R: Array) -> MPC:
        turned: dict[tuple[int, int], float] = {}
        handed = float(np.linalg.det(R))  # rotations change sign in a mirror
        for node, component, factor in self.terms:
            first = 3 * (int(component) // 3)
            for k in range(3):
                key = (node, first + k)
                share = factor * float(R[k, int(component) % 3]) * (handed if first else 1.0)
                turned[key] = turned.get(key, 0.0) + share
        # the largest coefficient becomes the dependent one
        ordered = sorted(turned.items(), key=lambda item: -abs(item[1]))
        return replace(self, terms=[(node, component, f) for (node, component), f in ordered if f != 0.0])


@dataclass(frozen=True)
class Claims:
    """What many couplings require, by slots (6 * row + component).

    dependent (k,) in the order of the couplings and claimed_by (k,), the coupling of each; the entries of
    u[slot] = Σ factor u[source] (m,) and entry_of (m,), the coupling of each.
    """

    dependent: IntArray
    claimed_by: IntArray
    slot: IntArray
    source: IntArray
    factor: Array
    entry_of: IntArray

    @classmethod
    def of(cls, fe: NodalModel, couplings: Sequence[Coupling], refused: list[tuple[Coupling, str]] | None) -> Claims:
        """Collect the claims between dofs that exist; couplings in need of others are refused, at once if None."""
        single = np.array([type(coupling) is MPC for coupling in couplings], dtype=bool)
        parts = [cls._of_equations(fe, couplings, np.flatnonzero(single), refused)]
        for k in np.flatnonzero(~single).tolist():
            try:
                found = existing_dependencies(fe, couplings[k])
            except ModelError as error:
                if refused is None:
                    raise
                refused.append((couplings[k], str(error)))
                continue
            for slots, factors, sources in found:
                r, c = np.nonzero(factors)
                of = (np.full(slots.size, k), np.full(r.size, k))
                parts.append(cls(slots, of[0], slots[r], sources[c], factors[r, c], of[1]))
        whole = cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))
        order = np.argsort(whole.claimed_by, kind="stable")
        return replace(whole, dependent=whole.dependent[order], claimed_by=whole.claimed_by[order])

    @classmethod
    def _of_equations(
        cls,
        fe: NodalModel,
        couplings: Sequence[Coupling],
        chosen: IntArray,
        refused: list[tuple[Coupling, str]] | None,
    ) -> Claims:
        """Collect those of the chosen couplings, all of them MPC, at once: tied surfaces have very many."""
        equations = [couplings[k].terms for k in chosen.tolist()]
        count = np.fromiter(map(len, equations), np.int64, len(equations))
        numbers = np.fromiter(chain.from_iterable(chain.from_iterable(equations)), float, 3 * int(count.sum()))
        node, component, factor = numbers.reshape(-1, 3).T
        slot = 6 * fe.node_index(node.astype(np.int64)) + component.astype(np.int64)
        first = np.cumsum(count) - count
        of = np.repeat(np.arange(count.size), count)
        value = -factor / factor[first][of]
        value[first] = 0.0
        missing = (fe.dof_table.equation[slot] < 0) & (value != 0.0)
        missing[first] = fe.dof_table.equation[slot[first]] < 0
        bad = np.zeros(count.size, dtype=bool)
        bad[of[missing]] = True
        for k in chosen[bad].tolist():
            try:
                existing_dependencies(fe, couplings[k])
            except ModelError as error:
                if refused is None:
                    raise
                refused.append((couplings[k], str(error)))
        entry = np.flatnonzero((value != 0.0) & ~bad[of])
        slots = slot[first][of[entry]]
        return cls(slot[first][~bad], chosen[~bad], slots, slot[entry], value[entry], chosen[of[entry]])

    def repeated(self) -> tuple[IntArray, IntArray]:
        """Return places in `dependent` that claim a slot again, and for each the place that claims it first."""
        order = np.argsort(self.dependent, kind="stable")
        new = np.diff(self.dependent[order], prepend=-1) != 0
        begin = order[np.maximum.accumulate(np.where(new, np.arange(order.size), 0))]
        again = np.flatnonzero(~new)
        again = again[np.argsort(order[again])]
        return order[again], begin[again]


def dependency_matrix(fe: NodalModel, couplings: Sequence[Coupling]) -> tuple[IntArray, csr_array]:
    """Return dependent equations (k,) and D (n, n) with u = D u on the dependent rows, zero rows elsewhere."""
    claims = Claims.of(fe, couplings, refused=None)
    again, first = claims.repeated()
    if again.size:
        owners = [couplings[claims.claimed_by[place[0]]] for place in (first, again)]
        raise ModelError(
            f"model '{fe.name}': {_dof_text(fe, claims.dependent[again[0]])} is dependent in both "
            f"{owners[0].title} and "
            f"{owners[1].title}; let one of them use another dependent node."
        )
    equation, n = fe.dof_table.equation, fe.dof_table.size
    D = csr_array((claims.factor, (equation[claims.slot], equation[claims.source])), shape=(n, n))
    return np.sort(equation[claims.dependent]), D


def existing_dependencies(fe: NodalModel, coupling: Coupling) -> list[Dependency]:
    """Return the dependencies of a coupling between dofs that exist; a ModelError where it needs one that does not."""
    equation = fe.dof_table.equation
    found = []
    for slots, factors, sources in coupling.dependencies(fe):
        exists = equation[slots] >= 0
        used = (factors[exists] != 0).any(axis=0)
        missing = sources[used & (equation[sources] < 0)]
        if missing.size or not exists.any():
            slot = missing[0] if missing.size else slots[0]
            raise ModelError(
                f"model '{fe.name}', {coupling.title}: {_dof_text(fe, slot)} does not exist, because no element there "
                "has such a dof; connect the node or choose other components."
            )
        found.append((slots[exists], factors[exists][:, used], sources[used]))
    return found


def _node_numbers(nodes: Sequence[int], label: str, what: str) -> tuple[int, ...]:
    """Return node numbers, each of which must stand once."""
    found = tuple(whole_numbers(nodes, f"{label}: {what}").ravel().tolist())
    repeated = sorted(node for node, times in Counter(found).items() if times > 1)
    if repeated:
        raise ModelError(f"{label}: {what} name {listed('node', repeated)} more than once; name each node once.")
    return found


def _dof_text(fe: NodalModel, slot: int) -> str:
    return f"{DOF_NAMES[slot % 6]} of node {fe.node_ids[slot // 6]}"
