"""What the solvers cost for one model: counted, predicted and measured; and the factors of a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from floatframe.equations.methods.count import count_flops, count_with_loops
from floatframe.hybrid import (
    OF_LOOPS,
    Model,
    RigidBody,
    SolverFactors,
    State,
    System,
    chosen_solver,
    distance,
    fitted,
    free,
    known_factors,
    revolute,
    solver_flops,
    solver_times,
    solvers_for,
    spherical,
    tree_features,
    universal,
    usable_solvers,
)

MOST_COUNTED = 1e6  # operations that are counted one by one
BETWEEN = 1e-3  # s, between the state that iterations begin from and the one they are counted at


@dataclass(frozen=True)
class SolverCost:
    """What one evaluation of the accelerations costs.

    counted: operations of the method carried out plainly, with loops and flexible bodies without kinematics; table:
    those of its formula, which for "dense" and for loops and flexible bodies are about right; fill_in: blocks that the
    factors have beside those of the matrix; predicted, measured: time [s]; iterations: of "itr", the mean of those
    measured.
    """

    name: str
    chosen: bool
    measured: float
    predicted: float | None = None
    table: float | None = None
    counted: int | None = None
    fill_in: int | None = None
    iterations: float | None = None


def compare_solvers(system: System, state: State | None = None) -> tuple[SolverCost, ...]:
    """Count, predict and measure every solver that a system can use, at a state (default: the start)."""
    state = system.initial_state() if state is None else state
    if not np.any(state.v):  # nothing would change on the way
        state = State(state.t, state.q, 0.1 * np.cos(np.arange(system.nv)), state.memory)
    names, chosen = usable_solvers(system), chosen_solver(system, "auto")
    times = solver_times(system, state, names)
    of_tree, flops = names != tuple(OF_LOOPS), solver_flops(system.tables)
    predicted = known_factors().times(system.tables)
    found = []
    for name, time in zip(names, times, strict=True):
        cost = SolverCost(name, name == chosen, time.seconds, predicted[name], flops[name])
        if of_tree and name != "dense":
            cost = _with_operations(cost, system, state, time.iterations)
        elif name != "dense" and flops[name] <= MOST_COUNTED:
            cost = replace(cost, counted=count_with_loops(system, state)[0])
        found.append(cost)
    return tuple(found)


def _with_operations(cost: SolverCost, system: System, state: State, measured: float | None) -> SolverCost:
    """The cost with its operations: by its formula, and counted if they are not too many."""
    table = solver_flops(system.tables, measured)[cost.name]
    if table > MOST_COUNTED:
        return replace(cost, table=table, iterations=measured)
    inverse = None
    if cost.name == "itr":
        inverse = linalg.inv(system.mass_matrix(system.move(state, -BETWEEN * state.v)))
    count = count_flops(system, state, cost.name, inverse)
    if cost.name == "itr":
        table = solver_flops(system.tables, count.iterations)[cost.name]
    return replace(cost, table=table, counted=count.flops, fill_in=count.fill_in, iterations=measured)


def calibrated(tell: Callable[[str], None] = lambda words: None) -> SolverFactors:
    """The factors of this machine, from times of chains and combs, rings and ladders of few and many bodies."""
    rows: dict[str, list[tuple[float, float, float]]] = {}
    seconds: dict[str, list[float]] = {}
    for system in (*_trees(), *_loops()):
        tell(f"timing {len(system.model.bodies)} bodies")
        state = State(0.0, system.start.q, 0.1 * np.cos(np.arange(system.nv)), system.start.memory)
        flops, factors = solver_flops(system.tables), solvers_for(system.tables)
        for solver, time in zip(factors, solver_times(system, state, tuple(factors)), strict=True):
            name = factors[solver]
            rows.setdefault(name, []).append(tree_features(system.tables, flops[solver]))
            seconds.setdefault(name, []).append(time.seconds)
    each = {name: fitted(np.array(rows[name]), np.array(seconds[name])) for name in rows}
    return SolverFactors(each, "this calibration")


def _trees() -> Iterator[System]:
    """Chains, and chains in pairs on each other, with joints of 1, 2, 3 and 6 dofs."""
    for count in (1, 3, 8, 20, 50):
        for dofs in (1, 2, 3, 6):
            for width in (1, 4):
                yield _tree(count, dofs, width)


def _tree(count: int, dofs: int, width: int) -> System:
    """Bodies of which each carries the next one, and every width-th as many as that."""
    model = Model(gravity=(0, 0, -9.81))
    places = [model.ground.at()]
    for k in range(count):
        body = model.add(RigidBody(f"body{k}", 1.0, (0.1, 0.12, 0.14), com=(0.4, 0.05, 0.02)))
        near, far = places[max(0, k - k % width)], body.at()
        if dofs == 1:
            model.add(revolute(f"joint{k}", far, near, axis=(0, 1, 0) if k % 2 else (0, 0, 1), start=0.2))
        elif dofs == 2:
            model.add(universal(f"joint{k}", far, near, (1, 0, 0), (0, 1, 0)))
        else:
            model.add((spherical if dofs == 3 else free)(f"joint{k}", far, near))
        places.append(body.at((0.8, 0.1 * (k % width), 0)))
    return model.compile()


def _loops() -> Iterator[System]:
    """Rings of one loop, and ladders of as many as bodies."""
    for count in (4, 10, 20, 50):
        for rung in (count, 2):
            yield _ladder(count, rung)


def _ladder(count: int, rung: int) -> System:
    """A chain of hinged links whose every rung-th is joined to the ground again where it ends."""
    model = Model(gravity=(0, -9.81, 0))
    place = model.ground.at()
    for k in range(count):
        body = model.add(RigidBody(f"body{k}", 1.0, (0.1, 0.12, 0.14), com=(0.4, 0.05, 0.02)))
        model.add(revolute(f"joint{k}", body.at(), place, axis=(0, 0, 1), start=0.2 if k % 2 else -0.2))
        place = body.at((0.8, 0, 0))
        if k % rung == rung - 1:
            model.add(distance(f"rung{k}", place, model.ground.at((0.8 * k, -2, 0))))
    return model.compile()
