"""The equations of motion of a system as formulas: its kernels followed once with unknown state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.export.graph import Graph, Node, Value, needed
from floatframe.hybrid.export.memory import Memory, filled, records
from floatframe.hybrid.export.refusals import require_formulas
from floatframe.hybrid.export.tracing import Tracer
from floatframe.hybrid.kernels import (
    ALL_FORCES,
    ANGLE,
    CONVECTIVE,
    COORDINATE_DATA,
    DOF_DATA,
    FIRST_SENSOR,
    FORCE_DATA,
    JACOBIAN,
    LINK_DATA,
    MARKER_DATA,
    MASS,
    ROW_DATA,
    TREE_DOF,
    TREE_LINK,
    Data,
    articulated_factor,
    articulated_solve,
    coordinate_derivatives,
    evaluate,
)

MOST_COMPOSITE = 16  # speeds in a row up to which factors of the mass matrix cost less than articulated bodies
MOST_WRITTEN_OUT = 60  # speeds of systems with flexible bodies up to which factors of the mass matrix are formulas


@dataclass(frozen=True, eq=False)
class Equations:
    """Formulas of inputs t, q (nq,), v (nv,), z (nz,) and angles, the last known values of measured angles.

    Accelerations are formulas, or the solution of a linear system [M, -G^T; G, 0] [a; lam] = right.
    """

    system: CompiledSystem
    accelerations: tuple[Value, ...]  # (nv,), none where there is a matrix
    matrix: tuple[tuple[Value, ...], ...]  # (nv + nlambda, nv + nlambda), or none
    right: tuple[Value, ...]
    coordinate_rates: tuple[Value, ...]  # (nq,) dq/dt
    state_rates: tuple[Value, ...]  # (nz,) dz/dt
    angles: tuple[Value, ...]  # measured angles that count turns, now
    angle_places: tuple[int, ...]  # in the memory of a state

    @property
    def motion(self) -> list[Value]:
        """All that decides accelerations, reactions and rates of states."""
        entries = [value for row in self.matrix for value in row]
        return [*self.accelerations, *entries, *self.right, *self.state_rates]

    @property
    def operations(self) -> int:
        """How many operations the accelerations take, a linear system not counted."""
        return sum(node.operation != "input" for node in needed(self.motion))


def equations_of(system: CompiledSystem) -> Equations:
    """The equations of a system; an element that is no formula of the state is refused by its name."""
    require_formulas(system)
    tables, graph, memory = system.tables, Graph(), Memory()
    tracer = Tracer(graph, memory)
    data = _workspace(system, graph)
    turning = [k for k, one in enumerate(tables.coordinates) if one["kind"] == ANGLE]
    for k, number in enumerate(turning):
        data.memory[tables.coordinates[number]["memory"]] = graph.input("angles", k)
    t, q, v = graph.input("t", 0), _inputs(graph, "q", system.nq), _inputs(graph, "v", system.nv)
    nv, nl = system.nv, system.nlambda
    residual, M, G = filled((nv,)), filled((nv, nv)), filled((nl, nv))
    rigid = nl == 0 and len(tables.flexible) == 0
    by_tree = rigid and _depth(tables.dofs["previous"]) > MOST_COMPOSITE
    what = ALL_FORCES if by_tree else ALL_FORCES | MASS | JACOBIAN | CONVECTIVE
    tracer.call(evaluate, tables, data, t, q, v, filled((nv,)), filled((0,)), what, residual, M, G)
    right = [graph("neg", value) for value in (*residual, *(row.convective for row in data.rows))]
    matrix: tuple[tuple[Value, ...], ...] = ()
    accelerations: Sequence[Value] = ()
    if by_tree:
        accelerations = _by_tree(tracer, system, data, right)
    elif nl > 0 or (not rigid and nv > MOST_WRITTEN_OUT) or not _composite_pivots(M):
        matrix = _bordered(graph, M, G)
    else:
        accelerations = _by_factors(graph, M, right)
    rates = filled((system.nq,))
    tracer.call(coordinate_derivatives, tables.links, tables.flexible, q, v, rates)
    found = Equations(
        system=system,
        accelerations=tuple(accelerations),
        matrix=matrix,
        right=tuple(right) if matrix else (),
        coordinate_rates=tuple(rates),
        state_rates=tuple(data.slots[one["rate"]] for one in tables.states),
        angles=tuple(data.coordinates[number].value for number in turning),
        angle_places=tuple(int(tables.coordinates[number]["memory"]) for number in turning),
    )
    return found if _reads(found.motion, "angles") else _without_angles(found)


def _depth(previous: AnyArray) -> int:
    """The most speeds in a row between a link and the ground."""
    depth = np.zeros(len(previous) + 1, int)  # the last one is that of the ground
    for k, before in enumerate(previous):
        depth[k] = depth[before] + 1
    return int(depth.max())


def _reads(values: Sequence[Value], name: str) -> bool:
    return any(node.operation == "input" and node.arguments[0] == name for node in needed(values))


def _without_angles(found: Equations) -> Equations:
    """The same equations where no force asks how often an angle has turned."""
    return Equations(**{**vars(found), "angles": (), "angle_places": ()})


def _inputs(graph: Graph, name: str, count: int) -> AnyArray:
    array = filled((count,))
    for k in range(count):
        array[k] = graph.input(name, k)
    return array


def _workspace(system: CompiledSystem, graph: Graph) -> Any:
    """The workspace of an evaluation with formulas in it; state variables lie in the memory."""
    tables, numbers = system.tables, system.data()
    links = records(len(tables.links), LINK_DATA)
    for k in range(3):
        links[0].R[k, k] = 1.0  # type: ignore[attr-defined]
    memory = filled((len(numbers.memory),))
    memory[:] = numbers.memory.tolist()
    for k, one in enumerate(tables.states):
        memory[one["memory"]] = graph.input("z", k)
    return Data(
        links=links,  # type: ignore[arg-type]
        dofs=records(len(tables.dofs), DOF_DATA),  # type: ignore[arg-type]
        markers=records(len(tables.markers), MARKER_DATA),  # type: ignore[arg-type]
        coordinates=records(len(tables.coordinates), COORDINATE_DATA),  # type: ignore[arg-type]
        rows=records(len(tables.rows), ROW_DATA),  # type: ignore[arg-type]
        spare=[],  # type: ignore[arg-type]
        forces=records(len(tables.forces), FORCE_DATA),  # type: ignore[arg-type]
        pool=filled(numbers.pool.shape),
        slots=filled((FIRST_SENSOR + len(tables.sensors),)),
        stack=filled(numbers.stack.shape),
        memory=memory,
    )


def _by_tree(tracer: Tracer, system: CompiledSystem, data: Any, right: Sequence[Value]) -> list[Value]:
    """Accelerations by articulated bodies."""
    links = records(len(system.tables.links), TREE_LINK)
    dofs = records(system.nv, TREE_DOF)
    x = filled((system.nv,))
    x[:] = right
    tracer.call(articulated_factor, system.tables.links, data.links, data.dofs, links, dofs)
    tracer.call(articulated_solve, system.tables.links, links, dofs, x)
    return list(x)


def _composite_pivots(M: AnyArray) -> bool:
    """Whether every coordinate has a mass of its own."""
    return all(isinstance(value, Node) or value > 0.0 for value in np.diagonal(M))


def _by_factors(graph: Graph, M: AnyArray, right: Sequence[Value]) -> list[Value]:
    """Accelerations by M = L^T D L from the last coordinate to the first, which fills nothing in along a tree."""
    n = len(right)
    A, x = M.copy(), list(right)
    inverse: list[Value] = [0.0] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = graph("div", 1.0, A[k, k])
        for i in range(k):
            if _is_zero(A[k, i]):
                continue
            share = graph("mul", A[k, i], inverse[k])
            for j in range(i + 1):
                if not _is_zero(A[k, j]):
                    A[i, j] = graph("sub", A[i, j], graph("mul", share, A[k, j]))
            x[i] = graph("sub", x[i], graph("mul", share, x[k]))
            # the factor stays in the upper triangle, the row itself is still needed
            A[i, k] = share
    for k in range(n):
        x[k] = graph("mul", x[k], inverse[k])
        for i in range(k):
            if not _is_zero(A[k, i]):
                x[k] = graph("sub", x[k], graph("mul", A[i, k], x[i]))
    return x


def _is_zero(value: Value) -> bool:
    return not isinstance(value, Node) and value == 0.0


def _bordered(graph: Graph, M: AnyArray, G: AnyArray) -> tuple[tuple[Value, ...], ...]:
    nl, nv = G.shape
    K = filled((nv + nl, nv + nl))
    K[:nv, :nv] = M
    K[nv:, :nv] = G
    for k in range(nl):
        for j in range(nv):
            K[j, nv + k] = graph("neg", G[k, j])
    return tuple(map(tuple, K))
