"""State variables at rest: the positions and states at which forces balance and all rates vanish, by Newton's method.

Neither follows from the other alone: the integral of a controller is what carries the load where its error is zero.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.state_slopes import StateSlopes, followers, state_slopes
from floatframe.hybrid.studies.tangent import Tangent
from floatframe.hybrid.studies.unbalanced import Unbalanced

ITERATIONS = 100
HALVINGS = 30
LONGEST_STEP = 0.3  # in natural units of the coordinates
STILL = 1e-11  # step in natural units below which nothing changes
DEPENDENT = 1e-10  # share of the largest slopes that counts as none: such states stay as they are
SETTLED = 1e-8  # rate over its largest change that counts as none


class Search(Protocol):
    """What the search for an equilibrium of the forces offers."""

    system: CompiledSystem
    tables: Tables
    units: Array

    def balance(self, state: State) -> Unbalanced: ...
    def closed(self, state: State) -> State: ...
    def tangent(self, now: Unbalanced, quick: bool = True) -> Tangent: ...


def states_at_rest(search: Search, start: State) -> tuple[State, int]:
    """The state reached from a start in which forces balance and rates vanish, and the number of iterations."""
    now = search.balance(search.closed(start))
    for count in range(ITERATIONS):
        slopes = state_slopes(search.system, search.tables, now.state, quick=True, speeds=False)
        N, K = now.free.N, search.tangent(now).K
        n = N.shape[1]
        J = np.block([[N.T @ K @ N, N.T @ slopes.force], [slopes.by_x @ N, slopes.by_z]])
        lacking = np.concatenate((N.T @ now.force, slopes.rate))
        # rows and columns of size one
        reach = np.abs(N / search.units[:, None]).max(axis=0, initial=0.0)
        columns = np.concatenate((1.0 / np.where(reach > 0.0, reach, 1.0), slopes.units))
        rows = np.abs(J * columns).max(axis=1, initial=0.0)
        _require_states_that_rest(search, slopes, rows[n:])
        rows = np.where(rows > 0.0, rows, 1.0)
        step = -columns * np.linalg.lstsq(J * columns / rows[:, None], lacking / rows, rcond=DEPENDENT)[0]
        size = float(np.abs(step / columns).max(initial=0.0))
        if size <= STILL:
            return _settled(search, now.state, slopes, rows[n:]), count
        allowed = min(1.0, LONGEST_STEP / max(float(np.abs(step[:n] / columns[:n]).max(initial=0.0)), STILL))
        after = _line_search(search, now, allowed * step, rows, float(np.linalg.norm(lacking / rows)))
        if after is None:
            return _settled(search, now.state, slopes, rows[n:]), count
        now = after
    raise _failure(search, slopes, rows[n:])


def _line_search(search: Search, now: Unbalanced, step: Array, rows: Array, before: float) -> Unbalanced | None:
    """The first point on the way where less is lacking; None if there is none."""
    from floatframe.hybrid.kernels import APPLIED, VELOCITY

    system, n = search.system, now.free.N.shape[1]
    follow = followers(system, search.tables)
    for halving in range(HALVINGS):
        part = 0.5**halving * step
        moved = system.move(now.state, now.free.N @ part[:n])
        memory = moved.memory.copy()
        memory[follow.places] += part[n:]
        trial = search.balance(search.closed(State(moved.t, moved.q, moved.v, memory)))
        here = evaluation(system, search.tables, trial.state)
        rates = follow.rates(here(trial.state.t, trial.state.q, VELOCITY | APPLIED))
        # the same motions as before measure the forces
        lacking = np.concatenate((now.free.N.T @ trial.force, rates)) / rows
        if np.isfinite(lacking).all() and np.linalg.norm(lacking) < before:
            return trial
    return None


def _require_states_that_rest(search: Search, slopes: StateSlopes, sizes: Array) -> None:
    """Refuse states whose rate is not zero and depends on nothing, such as clocks."""
    for where, rate, size in zip(followers(search.system, search.tables).wheres, slopes.rate, sizes, strict=True):
        if size == 0.0 and rate != 0.0:
            raise NotConverged(
                f"no equilibrium found: {where} never comes to rest, its rate is {rate:.3g} whatever else happens; "
                "hold the states (hold_states=True, --hold-states)"
            )


def _settled(search: Search, state: State, slopes: StateSlopes, sizes: Array) -> State:
    """The state, if its rates are no more than rounding; values that are rounding themselves become zero."""
    if np.all(np.abs(slopes.rate) <= SETTLED * sizes):
        places, memory = followers(search.system, search.tables).places, state.memory.copy()
        memory[places] = np.where(np.abs(memory[places]) <= STILL * slopes.units, 0.0, memory[places])
        return State(state.t, state.q, state.v, memory)
    raise _failure(search, slopes, sizes)


def _failure(search: Search, slopes: StateSlopes, sizes: Array) -> NotConverged:
    """Say which state is worst off."""
    share = np.abs(slopes.rate) / np.where(sizes > 0.0, sizes, 1.0)
    worst = int(np.argmax(share))
    follow = followers(search.system, search.tables)
    return NotConverged(
        f"no equilibrium found: {follow.wheres[worst]}, {follow.names[worst]}, is left with a rate of "
        f"{slopes.rate[worst]:.3g}. Is there a value at which it rests (a limit may keep a controller from its "
        "target)? If so, start nearer to it; or hold the states (hold_states=True, --hold-states)"
    )
