"""What blocks hold during a run: how long steps may be, room for the history of delayed inputs, the next stage."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import DELAYED, Work
from floatframe.hybrid.settings import SIMULATE

SHARE = 0.5  # of the shortest delay, that a controlled step may be long
ROOM = 4096  # rows of the history that are free where steps go on
BEFORE = 16  # rows kept before the oldest that a delay reads


def longest_step(system: CompiledSystem, step: float, controlled: bool) -> float:
    """The longest step [s] that knows all delayed values where it begins; fixed steps that do not are refused."""
    delays = [held for held in system.model.held if held.kind == "delayed"]
    if not delays:
        return step
    shortest = min(delays, key=lambda held: held.length)
    if controlled:
        return min(step, SHARE * shortest.length)
    if step > shortest.length * (1.0 + 1e-9):
        raise SIMULATE.at("step").error(
            f"{shortest.where} delays by {shortest.length:g} s, which is less than the step of {step:g} s; expected a "
            f"step of at most {shortest.length:g} s, or controlled steps (rtol)"
        )
    return step


def refuse_held(system: CompiledSystem, method: str) -> None:
    """Refuse methods of other programs, whose steps do not end where values that blocks hold change."""
    if system.model.held:
        held = system.model.held[0]
        raise SIMULATE.at("method").error(
            f"{method} knows nothing of instants at which {held.where} changes; use auto or another method of ours"
        )


def with_room(system: CompiledSystem, work: Work) -> Work:
    """The workspace with room for the history of some thousand steps; what no delay reads any more is dropped."""
    if not work.traits.delays:
        return work
    history, count = work.history, int(work.history[0, 0])
    if len(history) - count > ROOM // 2:
        return work
    first = 1
    if count:
        longest = float(system.tables.held["length"][system.tables.held["kind"] == DELAYED].max())
        first = int(np.searchsorted(history[1 : count + 1, 0], history[count, 0] - longest)) - BEFORE
        first = max(first, 1)
    return work._replace(history=_moved(history, first, count))


def _moved(history: Array, first: int, count: int) -> Array:
    """The rows of a history from a first one on, with room behind them."""
    rows = history[first : count + 1]
    fresh = np.zeros((1 + len(rows) + ROOM, history.shape[1]))
    fresh[0], fresh[1 : len(rows) + 1] = history[0], rows
    fresh[0, 0] = len(rows)
    return fresh
