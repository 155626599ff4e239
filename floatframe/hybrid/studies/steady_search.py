"""Newton's method for steady motions: positions that balance the forces of the motion, and speeds nothing resists.

The tangent is that of the linear analysis. Along motions that no stiffness resists, the speeds are unknown instead of
the positions; where forces do not depend on them either, as on the spin of a body in free flight, they stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State, close_joints
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.free_motions import (
    coordinate_scales,
    free_directions,
    project,
    resolved,
    stiffness_noise,
)
from floatframe.hybrid.studies.steady_axes import Axes
from floatframe.hybrid.studies.tangent import (
    Tangent,
    elastic_matrices,
    jointed_links,
    natural_units,
    tangent,
    without_friction,
)

ITERATIONS = 30
PATIENCE = 8  # iterations that may pass without progress
STILL = 1e-12  # step in natural units below which nothing changes
STEADY = 1e-7  # the same where steps no longer become smaller
LONGEST_STEP = 0.1  # in natural units
MOST_FASTER = 10.0  # change of speed over the speed: before contacts carry their load, nothing holds it back
SMALLEST_PART = 1e-2  # of the forces or of the speed that are put on at once
RESISTS = 1e-9  # stiffness against a motion, over the largest one, that a steady motion does not have


@dataclass
class Search:
    """Newton's method for the steady motions of a system."""

    system: CompiledSystem
    speed: float = 1.0  # share of the speeds that are put on

    def __post_init__(self) -> None:
        self.units = natural_units(self.system)
        self.elastic = elastic_matrices(self.system)[0]
        self.deforming = np.diag(self.elastic) > 0.0
        self.tables = without_friction(self.system)
        self.axes = Axes(self.tables, jointed_links(self.tables), np.zeros(self.system.nv))
        self.left = np.zeros(self.system.nv)  # forces that are not put on yet

    def run(self, start: State, now: State) -> State:
        """Newton's method from a state `now` with the speeds of a start."""
        before, smallest, waiting, reach = np.inf, np.inf, 0, LONGEST_STEP
        for _ in range(ITERATIONS):
            step, change = self.step(now)
            size = float(np.abs(step / self.units).max(initial=0.0))
            rate = float(np.abs(change / self.units).max(initial=0.0)) / self.rate(now)
            if not np.isfinite(size + rate):
                break
            part = min(1.0, reach / max(size, 1e-300))
            try:
                now = self.moved(now, part * step, min(part, MOST_FASTER / max(rate, 1e-300)) * change)
            except ModelError:  # the joints cannot follow that far
                break
            # rounding keeps the last digits moving
            size = max(size, rate)
            if size <= STILL or (size <= STEADY and size > 0.5 * before):
                return now
            # steps that lead nearer may be longer: deflections may be many times the size of the mechanism
            reach = 2.0 * reach if size < before else LONGEST_STEP
            waiting = 0 if size < 0.9 * smallest else waiting + 1
            before, smallest = size, min(size, smallest)
            if waiting > PATIENCE:
                break
        raise NotConverged(
            f"no steady motion found at t = {now.t:g} s: coordinates still change by {size:.1e} of their size. Is the "
            "speed near a critical one, where deflections grow without bound, or the system unstable at that speed? "
            f"{self.stability(start)} If it should be steady, give start speeds near those of the steady motion."
        )

    def in_parts(self, start: State) -> State:
        """The same with the forces of the motion put on in parts, or else with growing speed."""
        first = self.closed(start)
        everything = self.residual(first)

        def forces(part: float, now: State) -> State:
            self.left = (1.0 - part) * everything
            return self.run(start, now)

        def speed(part: float, now: State) -> State:
            self.speed = part
            return self.run(start, self.closed(State(now.t, now.q, start.v, now.memory)))

        try:
            return _continued(forces, first)
        except NotConverged:
            self.left = np.zeros(self.system.nv)
            return _continued(speed, first)
        finally:
            self.left, self.speed = np.zeros(self.system.nv), 1.0

    def rate(self, state: State) -> float:
        """How fast the motion goes, in natural units."""
        return max(float(np.abs(state.v / self.units).max(initial=0.0)), 1e-12)

    def closed(self, state: State) -> State:
        """The state with joints closed in position and speed; speeds go where no stiffness resists them.

        The speeds of drives, and those of the state, are shared out so that what is held by springs stands still:
        v^T K v + (v - v0)^T m (v - v0) is least, with small m.
        """
        from floatframe.hybrid.kernels import JACOBIAN, MASS, VELOCITY

        system, q = self.system, self.positions(state)
        now = evaluation(system, self.tables, state)
        now(state.t, q, VELOCITY | JACOBIAN | MASS)
        v0 = self.speed * np.where(self.deforming, 0.0, state.v)
        still = State(state.t, q, np.zeros(system.nv), state.memory)
        t = tangent(system, still, None, None, self.tables, self.units, quick=True, speeds=False)
        bodies = ~self.deforming
        M, K = (A[np.ix_(bodies, bodies)] for A in (t.M, t.K))
        scale = 1.0 / self.units[bodies]
        stiffness, y = np.linalg.eigh(0.5 * (K + K.T) / np.outer(scale, scale))
        held = y * np.sqrt(np.where(stiffness > RESISTS * np.abs(stiffness).max(initial=0.0), stiffness, 0.0))
        K = (scale[:, None] * held) @ (scale[:, None] * held).T
        weight = 1e-6 * np.abs(np.diag(K)).max(initial=0.0) / max(np.abs(np.diag(M)).max(initial=0.0), 1e-300)
        least = K + (1e-6 * weight if weight > 0.0 else 1.0) * _floored(M)
        G, n = now.G[:, bodies], int(bodies.sum())
        gap = -self.speed * np.array(now.data.rows["rate"])
        # smallest cost with closed joints, in coordinates of unit cost
        L = np.linalg.cholesky(least)
        wish = np.linalg.solve(L, (least - K) @ v0[bodies])
        rows = np.linalg.solve(L, G.T).T
        u = wish + np.linalg.lstsq(rows, gap - rows @ wish, rcond=1e-12)[0] if len(G) else wish
        v = np.zeros(system.nv)
        v[bodies] = np.linalg.solve(L.T, u) if n else 0.0
        return State(state.t, q, v, state.memory)

    def moved(self, now: State, step: Array, change: Array) -> State:
        """The state after changes of coordinates and speeds (nv,), with joints closed."""
        from floatframe.hybrid.kernels import JACOBIAN, MASS, VELOCITY

        moved = self.system.move(now, step)
        q = self.positions(moved)
        here = evaluation(self.system, self.tables, now)
        v = np.where(self.deforming, 0.0, now.v + change)
        here(now.t, q, VELOCITY | JACOBIAN | MASS, v)
        scale = np.where(self.deforming, 0.0, coordinate_scales(here.M, self.elastic))
        gap = -(here.G @ v + self.speed * np.array(here.data.rows["rate"]))
        return State(now.t, q, v + free_directions(here.G, scale).opening(gap), now.memory)

    def positions(self, state: State) -> Array:
        """Coordinates (nq,) with closed joints."""
        from floatframe.hybrid.kernels import MASS

        system = self.system
        now = evaluation(system, self.tables, state)
        weight = coordinate_scales(now(state.t, state.q, MASS).M, self.elastic) ** -2
        return close_joints(system.index, self.tables, now.data, state.t, np.array(state.q), weight, system.row_names)

    def acceleration(self, state: State) -> Array:
        """Accelerations (nv,) of a motion whose speeds are constant in the axes that turn along."""
        return self.axes.acceleration(state, self.speed)

    def residual(self, state: State) -> Array:
        """Unbalanced forces (nv,) of the motion."""
        from floatframe.hybrid.kernels import ALL_FORCES

        now = evaluation(self.system, self.tables, state)
        a = self.acceleration(state)
        return np.asarray(now(state.t, state.q, ALL_FORCES, state.v, a).residual - self.left)

    def tangent(self, state: State, residual: Array, quick: bool) -> Tangent:
        """The tangent of the motion in its axes."""
        from floatframe.hybrid.kernels import JACOBIAN, MASS

        here = evaluation(self.system, self.tables, state)(state.t, state.q, JACOBIAN | MASS)
        reactions = free_directions(here.G, coordinate_scales(here.M, self.elastic)).reactions(residual)
        a, axes = self.acceleration(state), self.axes.turning(state)
        return tangent(self.system, state, a, reactions, self.tables, self.units, quick, axes=axes)

    def step(self, now: State) -> tuple[Array, Array]:
        """Newton's changes of coordinates and speeds (nv,)."""
        residual = self.residual(now)
        t = self.tangent(now, residual, quick=True)
        p = project(t)
        N = p.free.N
        K = p.K + p.C @ p.drift
        left = -N.T @ residual
        # along motions that no stiffness resists the speed is unknown, not the position
        U, stiffness, Vt = np.linalg.svd(K)
        none = stiffness <= RESISTS * stiffness.max(initial=0.0)
        along, across = Vt[none].T, U[:, none].T
        by_speed = p.C @ along
        resisting = across @ by_speed
        enough = RESISTS * np.abs(by_speed).max(initial=0.0)
        faster = _solved(resisting, across @ left, enough)
        y = Vt[~none].T @ ((U[:, ~none].T @ (left - by_speed @ faster)) / stiffness[~none])
        x = N @ y
        return x, t.turning_x @ x + N @ (along @ faster)

    def stability(self, start: State) -> str:
        """Whether small motions grow in the undeformed shape at full speed."""
        first = self.closed(start)
        t = self.tangent(first, self.residual(first), quick=True)
        p = project(t)
        stiffness, y = resolved(p, np.linalg.eigh(0.5 * (p.K + p.K.T))[1])
        if (stiffness < -stiffness_noise(t, p.free.N @ y)).any():
            return "Undeformed, the centrifugal forces exceed the stiffness at this speed."
        return "Undeformed, the stiffness exceeds the centrifugal forces at this speed."


def _continued(solve: Callable[[float, State], State], first: State) -> State:
    """Put something on in parts from 0 to 1, smaller ones where Newton's method fails."""
    done, part, now = 0.0, 0.25, first
    while done < 1.0:
        try:
            now = solve(min(1.0, done + part), now)
        except NotConverged:
            part *= 0.5
            if part < SMALLEST_PART:
                raise
            continue
        done, part = min(1.0, done + part), 1.5 * part
    return now


def _solved(A: Array, b: Array, enough: float) -> Array:
    """Smallest least-squares solution of A x = b; singular values up to `enough` count as zero."""
    if not A.size:
        return np.zeros(A.shape[1])
    U, s, Vt = np.linalg.svd(A)
    keep = s > enough
    return np.asarray(Vt[: len(s)][keep].T @ ((U[:, : len(s)][:, keep].T @ b) / s[keep]))


def _floored(M: Array) -> Array:
    """A mass matrix with a little mass where there is none."""
    size = np.abs(np.diag(M))
    return M + np.diag(np.where(size > 0.0, 0.0, size.max(initial=0.0) or 1.0))
