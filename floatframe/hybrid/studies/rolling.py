"""Steady rolling: the state in which a system with wheels on a track goes on at a given speed.

Loads have settled, creep forces balance, axles spin as fast as that asks for; nothing moves in axes that go along the
track. Speed along the track is that of the start or of a drive. Creep costs power, so without a drive the speed falls
slowly: what it falls by is unknown, too, and shared by all masses.

Newton's method, damped by the masses as if every step took a time that grows as the forces come into balance: so
wheels that start above their rails fall on them, and states that are unstable at this speed are found all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError, ModelError, NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State, close_joints, coordinate_names
from floatframe.hybrid.kernels import WHEEL_ON_TRACK
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.force_sizes import force_sizes
from floatframe.hybrid.studies.free_motions import coordinate_scales, free_directions, project
from floatframe.hybrid.studies.rolling_axes import RollingAxes, in_the_middle, rolling_axes
from floatframe.hybrid.studies.tangent import Tangent, elastic_matrices, natural_units, tangent, without_friction

Settled: TypeAlias = Callable[[State], State]  # the state after some time of a run

ITERATIONS = 200
FEW = 40  # steps from the start itself; then from the middle of the track
LONGEST_TIME, FIRST_TIME, SHORTEST_TIME = 1e9, 8.0, 1e-5  # s: of a step, if it need not be short; else at most
FIRST_REACH, SHORTEST = 1e-3, 1e-9  # m, rad, 1: how far wheels may move, yaw and slip in one step
WAYS = [0, 1, 2, 5]  # of a wheel that the reach counts: not the turns that spin and pitch make
WORSE, BETTER = 3.0, 0.5  # growth of the forces left that makes a step shorter, and longer
ALMOST = 1e-6  # m/s2: forces left that may grow
NEARLY = 0.05  # share by which a spin may differ from that on the nominal radius
STILL = 1e-12  # step in natural units below which nothing changes
STEADY = 1e-8  # the same where steps no longer become smaller
AHEAD = 0.05  # m, rad: way or turn after which the forces must be the same
CONSTANT = 1e-3  # share by which they may change
FLOOR = 1e-3  # of the largest force: what counts as force everywhere


@dataclass(frozen=True)
class _Now:
    """A state on the way and the forces that are not in balance there."""

    state: State
    axes: RollingAxes
    falling: float  # rate of the logarithm of the speed [1/s]
    acceleration: Array  # (nv,)
    residual: Array  # (nv,)
    left: float  # mean acceleration that is left [m/s2]


def rolling_state(system: CompiledSystem, start: State, settled: Settled | None = None) -> State:
    """The steady rolling reached from a start.

    settled: the state after some time of a run from the start, where the start itself leads nowhere, as that of long
    wheelbases in tight curves, whose axles have to leave their radial places for flange contact.
    """
    search = _Search(system)
    with suppress(NotConverged):
        return search.run(start, FEW)
    middle, begun = in_the_middle(system, search.tables, start), search.begun(start).axes
    if not begun.turn.any():  # on a straight the middle is where vehicles settle, if anywhere
        with suppress(NotConverged):
            return search.run(middle, FEW)
    if settled is not None:
        with suppress(FloatframeError):
            return search.run(settled(start), FEW, begun.rates[0])
    return search.run(middle, ITERATIONS)


class _Search:
    def __init__(self, system: CompiledSystem) -> None:
        self.system, self.tables = system, without_friction(system)
        self.units = natural_units(system)
        self.elastic = elastic_matrices(system)[0]
        self.wheels = np.flatnonzero(self.tables.forces["kind"] == WHEEL_ON_TRACK)

    def run(self, start: State, count: int, speed: float | None = None) -> State:
        """Newton's method from a start in a number of steps at most; speed: in place of that of the start [m/s]."""
        now, t, reach = self.begun(start, speed), None, FIRST_REACH
        before, waiting = np.inf, 0
        for _ in range(count):
            t = t or self.tangent(now)
            step, faster, falling = self.step_within(now, t, reach)
            size = float(np.abs(step / self.units).max(initial=0.0))
            size = max(size, _share(faster, now.axes.rates))
            after = self.moved(now, step, faster, falling)
            if after is None or after.left > WORSE * max(now.left, ALMOST):
                reach *= 0.5
                if reach < SHORTEST:
                    break
                continue
            waiting = waiting + 1 if size > 0.5 * before else 0
            before = min(size, before)
            if size <= STILL or (size <= STEADY and waiting > 1):
                self.require_constant(after)
                return after.state
            reach = 2.0 * reach if after.left < BETTER * now.left else reach
            now, t = after, None
        raise NotConverged(
            f"no steady rolling found: bodies still accelerate by {now.left:.2g} m/s2, most {self.worst(now)}. Start "
            "with the wheels on the rails and their loads carried by the springs, or simulate it until it has settled."
        )

    def begun(self, start: State, speed: float | None = None) -> _Now:
        """The start, at its own or another speed; spins far from those on the nominal radii are replaced by them."""
        axes = rolling_axes(self.system, self.tables, start)
        if speed is not None and axes.rates[0] != 0.0:
            axes = rolling_axes(self.system, self.tables, start, axes.rates * (speed / axes.rates[0]))
        wheels = [force for force in self.system.model.forces if force.kind == "wheel_on_track"]
        radius = float(np.mean([float(wheel.numbers["radius"]) for wheel in wheels]))
        spins = axes.rates[0] / radius
        near = np.abs(axes.rates[1:] - spins) <= NEARLY * abs(spins)
        return self.at(start, np.concatenate((axes.rates[:1], np.where(near, axes.rates[1:], spins))), 0.0)

    def at(self, state: State, rates: Array, falling: float) -> _Now:
        """Forces at a place with closed joints, at a speed along the track and spins."""
        from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS

        system, tables = self.system, self.tables
        now = evaluation(system, tables, state)
        weight = coordinate_scales(now(state.t, state.q, MASS).M, self.elastic) ** -2
        q = close_joints(system.index, tables, now.data, state.t, np.array(state.q), weight, system.row_names)
        axes = rolling_axes(system, tables, State(state.t, q, state.v, state.memory), rates)
        v = axes.speeds
        now(state.t, q, ALL_FORCES | MASS | JACOBIAN | CONVECTIVE, v)
        free = free_directions(now.G, coordinate_scales(now.M, self.elastic))
        a = axes.turning_v @ v + falling * axes.faster
        a = a + free.opening(-np.array(now.data.rows["convective"]) - now.G @ a)
        residual = now(state.t, q, ALL_FORCES | MASS | JACOBIAN, v, a).residual.copy()
        N = free.N
        pushed = N.T @ residual
        square = float(pushed @ np.linalg.lstsq(N.T @ now.M @ N, pushed, rcond=1e-13)[0])
        mass = float(axes.along @ now.M @ axes.along)
        return _Now(State(state.t, q, v, state.memory), axes, falling, a, residual, np.sqrt(max(square, 0.0) / mass))

    def tangent(self, now: _Now, quick: bool = True) -> Tangent:
        from floatframe.hybrid.kernels import JACOBIAN, MASS

        state = now.state
        here = evaluation(self.system, self.tables, state)(state.t, state.q, JACOBIAN | MASS)
        reactions = free_directions(here.G, coordinate_scales(here.M, self.elastic)).reactions(now.residual)
        return tangent(
            self.system, state, now.acceleration, reactions, self.tables, self.units, quick, axes=now.axes.turning
        )

    def step(self, now: _Now, t: Tangent, time: float) -> tuple[Array, Array, float]:
        """Changes of coordinates (nv,), of speed and spins (1 + k,) and of the fall of speed."""
        p, axes = project(t), now.axes
        N, n = p.free.N, len(p.M)
        cyclic = p.free.coordinates(axes.onward)  # positions that do not matter
        by_spin = (p.C + p.M / time) @ p.free.coordinates(axes.spins @ axes.own_spins)
        m, k = cyclic.shape[1], by_spin.shape[1] + 1
        A = np.zeros((n + m, n + k))
        A[:n, :n] = p.K + p.C @ p.drift + p.C / time + p.M / time**2
        A[:n, n:-1], A[:n, -1] = by_spin, N.T @ t.M @ axes.faster
        A[n:, :n] = cyclic.T
        rows = 1.0 / np.maximum(np.abs(A).max(axis=1), 1e-300)
        size = np.abs(rows[:, None] * A).max(axis=0)
        columns = 1.0 / np.where(size > 0.0, size, 1.0)
        b = np.concatenate((-N.T @ now.residual, np.zeros(m)))
        x = columns * np.linalg.lstsq(rows[:, None] * A * columns, rows * b, rcond=1e-14)[0]
        # speed along the track is given
        return N @ x[:n], np.concatenate(([0.0], axes.own_spins @ x[n:-1])), float(x[-1])

    def step_within(self, now: _Now, t: Tangent, reach: float) -> tuple[Array, Array, float]:
        """The step in as long a time as lets wheels move, and creepages change, no more than the reach."""
        time = LONGEST_TIME
        while True:
            found = self.step(now, t, time)
            length = float(np.abs(t.J[self.wheels][:, WAYS] @ found[0]).max())
            length = max(length, _share(found[1], now.axes.rates))
            if length <= reach or time < SHORTEST_TIME:
                return found
            time = min(0.5 * time, FIRST_TIME)

    def moved(self, now: _Now, step: Array, faster: Array, falling: float) -> _Now | None:
        """The state after a step; None if joints open or wheels leave their rails."""
        try:
            moved = self.system.move(now.state, step)
            after = self.at(moved, now.axes.rates + faster, now.falling + falling)
        except ModelError:
            return None
        return after if np.isfinite(after.left) else None

    def worst(self, now: _Now) -> str:
        names = coordinate_names(self.system)
        return names[int(np.argmax(np.abs(self.units * now.residual)))]

    def require_constant(self, now: _Now) -> None:
        """Refuse a state whose forces change as it goes on."""
        state, axes, t = now.state, now.axes, self.tangent(now)
        dt = AHEAD / max(float(np.abs(axes.rates).max()), 1e-300)
        half = state.v + 0.5 * dt * (axes.turning_v @ state.v)
        moved = self.system.move(state, dt * half)
        later = self.at(State(state.t + dt, moved.q, state.v, state.memory), axes.rates, now.falling)
        sizes = force_sizes(self.system, self.tables, state, t) + np.abs(t.M @ now.acceleration)
        sizes = sizes + FLOOR * float((sizes * self.units).max()) / self.units
        N = project(t).free.N
        change, allowed = np.abs(N.T @ (later.residual - now.residual)), CONSTANT * np.abs(N.T) @ sizes
        if np.any(change > allowed):
            worst = int(np.argmax(np.abs(N[:, int(np.argmax(change - allowed))]) / self.units))
            raise NotConverged(
                f"no steady rolling: forces in {coordinate_names(self.system)[worst]} change as it goes on. Is there a "
                "spring to the ground, or a flexible axle, which bends to and fro as it turns? Simulate it instead."
            )


def _share(change: Array, rates: Array) -> float:
    """Change of speeds over the speeds; of what stands over 1 m/s or rad/s."""
    return float(np.abs(change).max()) / max(float(np.abs(rates).max()), 1.0)
