"""How fast a model can change: its elastic oscillations, and what forces do about the state that a run begins from."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State, accelerations_in
from floatframe.hybrid.dense import pencil_modes
from floatframe.hybrid.kernels import Tables

SHIFT = 1e-8  # of what is large for a model: contacts stay closed by less than their forces press them
TURNS = 4  # of the power iteration: one rate that is far above all others shows in the second one
MOST = 100  # dofs and rows: for more, dense equations take longer than the first steps, which notice stiffness too


def fastest_force(system: CompiledSystem, state: State, extents: Array) -> float:
    """1/s, of springs and dampers at a state: what differences of accelerations along one direction lead to.

    extents (nv,): displacements that are large for the model. A lower bound, of the right order where one force is
    much stiffer than others; 0 without forces, or if it would take long to know.
    """
    if not len(system.tables.forces) or system.nv + system.nlambda > MOST:
        return 0.0
    now = system.evaluation(state)

    def accelerations(step: Array, faster: Array) -> Array:
        there = State(state.t, now.moved(state.q, step), state.v + faster, state.memory)
        return accelerations_in(system.moving(there, now))[0]

    none = np.zeros(system.nv)
    here = accelerations(none, none)
    fastest = 0.0
    for power in (2, 1):  # springs answer to displacements, by the square of their rate, dampers to speeds
        direction = np.sin(np.arange(1.0, system.nv + 1.0) ** 2)
        for _ in range(TURNS):
            shift = SHIFT * extents * direction
            change = accelerations(shift, none) if power == 2 else accelerations(none, shift)
            answer = (change - here) / (SHIFT * extents)
            gain = float(np.linalg.norm(answer) / np.linalg.norm(direction))
            if gain == 0.0 or not np.isfinite(gain):
                break
            fastest = max(fastest, gain ** (1.0 / power))
            direction = answer / np.linalg.norm(answer)
    return fastest


def highest_frequency(tables: Tables) -> float:
    """rad/s, of the elastic oscillations of flexible bodies on their own."""
    highest = 0.0
    for body in tables.flexible:
        n, numbers = int(body["n"]), tables.pool[int(body["matrices"]) :]
        if body["diagonal"]:
            squares = numbers[n : 2 * n] / numbers[:n]
        else:
            mass, stiffness = numbers[: n * n].reshape(n, n), numbers[n * n : 2 * n * n].reshape(n, n)
            squares, _ = pencil_modes(stiffness, mass)
        highest = max(highest, float(np.sqrt(max(squares.max(initial=0.0), 0.0))))
    return highest
