"""Steady motion: the state in which a system driven at constant speeds keeps its shape while it turns.

A rotor in its frame has constant deformations and speeds; only positions of floating bodies go round. Newton's method
looks for it in the motions that the joints leave free, with the same tangent as the linear analysis near it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import close_joints
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.element_forces import evaluation
from floatframe.hybrid.freedoms import coordinate_scales, freedoms, project
from floatframe.hybrid.load_limits import warn_of_vibration
from floatframe.hybrid.state import State
from floatframe.hybrid.tangent import elastic_matrices, natural_units, tangent, turning

ITERATIONS = 30
STILL = 1e-12  # step in natural units below which nothing changes
STEADY = 1e-7  # the same where steps no longer become smaller
LONGEST_STEP = 0.1  # in natural units


def steady_state(system: CompiledSystem, state: State | None = None) -> State:
    """The steady motion reached from a state (default: the start), with the speeds that motions in time ask for.

    All speeds are those of the state as far as the joints allow, deformations and free coordinates follow the forces
    of the motion. A motion in time must be one of constant speed near the time of the state.
    """
    search = _Search(system)
    now = search.closed(system.start if state is None else state)
    before = np.inf
    for _ in range(ITERATIONS):
        step, change = search.step(now)
        size = float(np.abs(step / search.units).max(initial=0.0))
        part = min(1.0, LONGEST_STEP / max(size, 1e-300))
        moved = system.move(now, part * step)
        now = search.closed(State(now.t, moved.q, now.v + part * change, now.memory))
        # rounding keeps the last digits moving
        if size <= STILL or (size <= STEADY and size > 0.5 * before):
            warn_of_vibration(system, now.t, now.q)
            return now
        before = size
    raise NotConverged(
        f"no steady motion found at t = {now.t:g} s: coordinates still change by {size:.1e} of their size. Does the "
        "system turn at constant speed, and is it stable at that speed?"
    )


@dataclass
class _Search:
    system: CompiledSystem

    def __post_init__(self) -> None:
        self.units = natural_units(self.system)
        self.elastic = elastic_matrices(self.system)[0]
        self.deforming = np.diag(self.elastic) > 0.0

    def closed(self, state: State) -> State:
        """The state with joints closed in position and speed."""
        from floatframe.hybrid._kernels_system import JACOBIAN, MASS, VELOCITY

        system = self.system
        now = evaluation(system, system.tables, state)
        weight = coordinate_scales(now(state.t, state.q, MASS).M, self.elastic) ** -2
        q = close_joints(system.names, system.tables, now.data, state.t, np.array(state.q), weight)
        # deformations are constant: speeds of the bodies alone close the joints
        v = np.where(self.deforming, 0.0, state.v)
        now(state.t, q, VELOCITY | JACOBIAN | MASS, v)
        scale = np.where(self.deforming, 0.0, coordinate_scales(now.M, self.elastic))
        gap = -(now.G @ v + np.array(now.data.rows["rate"]))
        return State(state.t, q, v + freedoms(now.G, scale).opening(gap), state.memory)

    def step(self, now: State) -> tuple[Array, Array]:
        """Newton's changes of coordinates and speeds (nv,)."""
        from floatframe.hybrid._kernels_system import ALL_FORCES, JACOBIAN, MASS

        system = self.system
        # accelerations of a motion whose speeds are constant in the axes that turn along
        a = turning(system.tables, now)[1] @ now.v
        here = evaluation(system, system.tables, now)(now.t, now.q, ALL_FORCES | JACOBIAN | MASS, now.v, a)
        residual = here.residual.copy()
        reactions = freedoms(here.G, coordinate_scales(here.M, self.elastic)).reactions(residual)
        t = tangent(system, now, a, reactions, units=self.units, quick=True)
        p = project(t)
        N = p.free.N
        y = np.linalg.lstsq(p.K + p.C @ p.drift, -N.T @ residual, rcond=1e-14)[0]
        return N @ y, t.turning_x @ (N @ y)
