"""State variables near a state of the system: how their rates and the forces change with them and with the motion.

At rest values that blocks sample or delay are what comes in: they count as states whose rate is what they lack of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, BoolArray, IntArray
from floatframe.errors import Where
from floatframe.hybrid.assembly import CompiledSystem, Evaluation, State
from floatframe.hybrid.flat import FlatHeld
from floatframe.hybrid.kernels import DELAYED, SAMPLED, Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.element_slopes import LONGEST_STEP
from floatframe.hybrid.studies.tangent import differentiate, natural_units


@dataclass(frozen=True)
class StateSlopes:
    """Changes of the rates and of the residual of the motion, per change of coordinates, speeds and states.

    δrate = by_x x + by_v δv + by_z δz, δresidual = force δz.
    """

    rate: Array  # (nz,) at the state
    by_x: Array  # (nz, nv)
    by_v: Array  # (nz, nv)
    by_z: Array  # (nz, nz)
    force: Array  # (nv, nz)
    units: Array  # (nz,) what counts as a large change of a state


@dataclass(frozen=True)
class Followers:
    """State variables, and behind them the values that blocks sample or delay: all that comes to rest with a system."""

    names: tuple[str, ...]
    wheres: tuple[Where, ...]
    places: IntArray  # (n,) in the memory
    sizes: Array  # (n,) what is large for them
    slots: IntArray  # (n,) of the rates, or of the inputs of what blocks hold
    held: BoolArray  # (n,) those that blocks hold

    def rates(self, now: Evaluation) -> Array:
        """Rates (n,) at the last evaluation with forces; of what blocks hold, what it lacks of its input."""
        return np.asarray(now.data.slots[self.slots] - np.where(self.held, now.data.memory[self.places], 0.0))


def sampled_or_delayed(system: CompiledSystem) -> FlatHeld | None:
    """The first value that a block samples or delays, whose loop no finite number of poles describes."""
    return next((held for held in system.model.held if held.kind != "switched"), None)


def followers(system: CompiledSystem, tables: Tables) -> Followers:
    """What comes to rest with a system beside its motion."""
    follows = np.isin(tables.held["kind"], (SAMPLED, DELAYED))
    held = tables.held[follows]
    chosen = np.concatenate((np.ones(len(tables.states), dtype=bool), follows))
    things = [one for one, flag in zip(system.model.kept, chosen, strict=True) if flag]
    return Followers(
        tuple(one.name for one in things),
        tuple(one.where for one in things),
        np.concatenate((tables.states["memory"], held["memory"])),
        np.concatenate((tables.states["size"], held["size"])),
        np.concatenate((tables.states["rate"], held["input"])),
        np.arange(len(things)) >= len(system.model.states),
    )


def state_in_rows(system: CompiledSystem, tables: Tables, state: State) -> Where | None:
    """The first state variable that constraint rows depend on."""
    from floatframe.hybrid.kernels import JACOBIAN

    now, follow = evaluation(system, tables, state), followers(system, tables)

    def rows() -> Array:
        found = now(state.t, state.q, JACOBIAN, state.v)
        return np.column_stack((found.G, found.data.rows["rate"]))

    before = rows()
    for place, size, where in zip(follow.places, follow.sizes, follow.wheres, strict=True):
        now.data.memory[place] += LONGEST_STEP * max(float(size), abs(float(now.data.memory[place])))
        if not np.array_equal(rows(), before):
            return where
        now.data.memory[place] = state.memory[place]
    return None


def state_slopes(
    system: CompiledSystem, tables: Tables, state: State, quick: bool = False, speeds: bool = True
) -> StateSlopes:
    """Return the slopes of all followers at a state; quick: as an iteration needs; speeds=False leaves by_v at zero."""
    from floatframe.hybrid.kernels import ALL_FORCES

    now = evaluation(system, tables, state)
    follow, units = followers(system, tables), natural_units(system)
    places, z = follow.places, state.memory[follow.places]
    levels = 2 if quick else 5

    def rates(q: Array, v: Array) -> Array:
        return follow.rates(now(state.t, q, ALL_FORCES, v))

    def with_states(step: Array) -> Array:
        now.data.memory[places] = z + step
        found = rates(state.q, state.v)
        now.data.memory[places] = z
        return np.concatenate((found, now.residual))

    own = np.maximum(follow.sizes, np.abs(z))
    rate_units = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))
    by_x, _ = differentiate(lambda step: rates(now.moved(state.q, step), state.v), LONGEST_STEP * units, levels)
    by_v = np.zeros_like(by_x)
    if speeds:
        by_v, _ = differentiate(lambda step: rates(state.q, state.v + step), LONGEST_STEP * rate_units, levels)
    by_z, _ = differentiate(with_states, LONGEST_STEP * own, levels)
    nz = len(z)
    return StateSlopes(rates(state.q, state.v), by_x, by_v, by_z[:nz], by_z[nz:], own)
