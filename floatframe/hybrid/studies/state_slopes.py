"""State variables near a state of the system: how their rates and the forces change with them and with the motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import Tables
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


def state_units(system: CompiledSystem, state: State) -> Array:
    """What counts as a large change of the state variables (nz,): their sizes, or their values if those are larger."""
    found = np.abs(state.memory[system.tables.states["memory"]])
    return np.maximum(system.tables.states["size"], found)


def state_slopes(
    system: CompiledSystem, tables: Tables, state: State, quick: bool = False, speeds: bool = True
) -> StateSlopes:
    """Return the slopes at a state; quick: as good as an iteration needs; speeds=False leaves by_v at zero."""
    from floatframe.hybrid.kernels import ALL_FORCES

    now = evaluation(system, tables, state)
    places, units = tables.states["memory"], natural_units(system)
    z = state.memory[places]
    levels = 2 if quick else 5

    def rates(q: Array, v: Array) -> Array:
        return np.array(now(state.t, q, ALL_FORCES, v).rates)

    def with_states(step: Array) -> Array:
        now.data.memory[places] = z + step
        found = rates(state.q, state.v)
        now.data.memory[places] = z
        return np.concatenate((found, now.residual))

    own = state_units(system, state)
    rate_units = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))
    by_x, _ = differentiate(lambda step: rates(now.moved(state.q, step), state.v), LONGEST_STEP * units, levels)
    by_v = np.zeros_like(by_x)
    if speeds:
        by_v, _ = differentiate(lambda step: rates(state.q, state.v + step), LONGEST_STEP * rate_units, levels)
    by_z, _ = differentiate(with_states, LONGEST_STEP * own, levels)
    nz = len(z)
    return StateSlopes(rates(state.q, state.v), by_x, by_v, by_z[:nz], by_z[nz:], own)
