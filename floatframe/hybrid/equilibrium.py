"""Static equilibrium: where a system rests, whether it stays there, and what it can still do.

Newton's method in the motions that the joints leave free. Far from the solution the directions of negative stiffness
are taken downhill, steps are no longer than a share of the mechanism, and a line search follows the power of the
unbalanced forces along the step; so a mechanism falls into a hanging position instead of balancing upside down, and
bodies without any support are found out.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import close_joints
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.coordinate_names import coordinate_names
from floatframe.hybrid.freedoms import Freedoms, coordinate_scales, freedoms, natural_modes, project
from floatframe.hybrid.layout import Tables
from floatframe.hybrid.participation import body_energies
from floatframe.hybrid.redundancy import ambiguous_joints
from floatframe.hybrid.state import State
from floatframe.hybrid.tangent import (
    elastic_matrices,
    evaluation,
    force_size,
    natural_units,
    tangent,
    turning_coordinates,
    without_friction,
)

LONGEST_STEP = 0.3  # in natural units: rad, or sizes of the mechanism; it grows while nothing opposes
LONGEST_TURN = 0.5  # rad
BALANCED = 1e-9  # unbalanced force over the size of all forces, small enough to stop when steps no longer help
ROUNDED = 1e-12  # share of the forces at a change of coordinates by their natural units that is mere rounding
STILL = 1e-12  # step in natural units below which nothing changes
NO_STIFFNESS = 1e-11  # scaled stiffness below which a direction counts as free
FARTHEST = 40  # longest steps in a row
ITERATIONS = 200
HALVINGS = 40


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium and what is known about it."""

    state: State
    reactions: Array  # multipliers lam (nlambda,)
    residual: float  # largest unbalanced force over the size of all forces
    stable: bool
    unstable: tuple[str, ...]  # per direction of negative stiffness: what moves
    free: tuple[str, ...]  # per direction without stiffness: what moves; the equilibrium is then one of many
    iterations: int
    ambiguous: tuple[str, ...] = ()  # joints whose reactions are not unique, because constraints are redundant

    def __str__(self) -> str:
        words = [
            f"equilibrium found in {self.iterations} iterations, unbalanced share of the forces {self.residual:.1e}"
        ]
        words += [f"UNSTABLE: {what} falls away" for what in self.unstable]
        words += [f"one of many: {what} has no stiffness" for what in self.free]
        if self.ambiguous:
            words.append(f"reactions not unique: {', '.join(self.ambiguous)}")
        return "\n".join(words)


@dataclass(frozen=True)
class Unbalanced:
    """Forces at a state at rest."""

    state: State
    G: Array
    free: Freedoms
    reactions: Array
    force: Array  # (nv,) residual after the reactions carry what they can
    share: float  # its scaled norm over that of all forces


def find_equilibrium(system: CompiledSystem, state: State | None = None, t: float | None = None) -> Equilibrium:
    """The equilibrium reached from a state, by default from the start state, with motions in time held at time t.

    Forces are those at rest: dampers carry nothing and dry friction is left out. If the direct way fails, gravity is
    put on in steps. The state returned has the speeds that prescribed motions ask for, else zero.
    """
    start = system.start if state is None else state
    start = State(start.t if t is None else t, start.q, np.zeros(system.nv), start.memory)
    search = _Search(system, without_friction(system))
    try:
        found, count = search.run(start)
    except NotConverged as direct:
        if not np.any(system.tables.gravity):
            raise
        try:
            found, count = search.with_growing_gravity(start)
        except NotConverged:
            raise direct from None
    return search.judged(found, count)


def equilibrium_state(system: CompiledSystem, state: State | None = None, t: float | None = None) -> State:
    """The state of `find_equilibrium`, with a warning if it is unstable."""
    found = find_equilibrium(system, state, t)
    if not found.stable:
        warnings.warn(
            f"the equilibrium found is unstable: {'; '.join(found.unstable)} falls away. Start from another position "
            "if you want the stable one.",
            stacklevel=3,
        )
    return found.state


class _Search:
    """The iteration, with what stays the same during it."""

    def __init__(self, system: CompiledSystem, tables: Tables) -> None:
        self.system, self.tables = system, tables
        self.units = natural_units(system)
        self.turns = turning_coordinates(system)
        self.elastic = elastic_matrices(system)[0]

    def run(self, start: State) -> tuple[Unbalanced, int]:
        """Iterate from a state to an equilibrium; returns it and the number of iterations."""
        now = self.balance(self.closed(start))
        best, waiting, far, reach = now, 0, 0, LONGEST_STEP
        for count in range(ITERATIONS):
            step = self.step(now)
            size = float(np.abs(step / self.units).max(initial=0.0))
            # rounding keeps the last digits moving: stop when nothing gets better any more
            waiting = 0 if now.share < 0.5 * best.share else waiting + 1
            best = now if now.share < best.share else best
            if size <= STILL or (best.share <= BALANCED and waiting >= 3):
                return best, count
            allowed = min(
                1.0, reach / size, LONGEST_TURN / max(float(np.abs(step[self.turns]).max(initial=0.0)), STILL)
            )
            after, halvings = self.line_search(now, allowed * step)
            # what is pushed on and on, for turns or ever longer ways, has nowhere to rest
            far = far + 1 if allowed < 1.0 and halvings == 0 else 0
            if after is None or far > FARTHEST:
                break
            now, reach = after, max(reach * (0.5**halvings if halvings else 2.0), LONGEST_STEP)
        if best.share <= BALANCED:
            return best, count
        raise self.failure(now)

    def with_growing_gravity(self, start: State) -> tuple[Unbalanced, int]:
        """The same with gravity put on in ten steps."""
        full, state, total = self.tables, start, 0
        for part in np.linspace(0.1, 1.0, 10):
            self.tables = full._replace(gravity=part * full.gravity)
            found, count = self.run(state)
            state, total = found.state, total + count
        return found, total

    def balance(self, state: State) -> Unbalanced:
        """Unbalanced forces at a state."""
        from floatframe.hybrid._kernels_system import ALL_FORCES, JACOBIAN, MASS

        now = evaluation(self.system, self.tables, state)
        now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN)
        M, G, force, memory = now.M.copy(), now.G.copy(), now.residual.copy(), now.remember()
        scale = coordinate_scales(M, self.elastic)
        free = freedoms(G, scale)
        reactions = free.reactions(force)
        left = force - G.T @ reactions
        size = force_size(self.system, self.tables, state, scale) + float(np.linalg.norm(scale * (G.T @ reactions)))
        share = float(np.linalg.norm(scale * left)) / (size if size > 0.0 else 1.0)
        return Unbalanced(State(state.t, state.q, state.v, memory), G, free, reactions, left, share)

    def step(self, now: Unbalanced) -> Array:
        """Newton's step (nv,), downhill where the stiffness is negative."""
        t = tangent(self.system, now.state, None, now.reactions, self.tables, self.units, levels=2, speeds=False)
        free = freedoms(now.G, coordinate_scales(t.M, t.K))
        K, push = free.N.T @ t.K @ free.N, -free.N.T @ now.force
        floor = NO_STIFFNESS * np.abs(np.diag(K)).max(initial=0.0)
        if _positive(0.5 * (K + K.T) - floor * np.eye(len(K))):
            return np.asarray(free.N @ np.linalg.solve(K, push))
        stiffness, directions = np.linalg.eigh(0.5 * (K + K.T))
        nothing = NO_STIFFNESS * np.abs(stiffness).max(initial=0.0)
        along = directions.T @ push
        # a direction without stiffness is followed only if something pushes along it, more than rounding of q could
        noise = np.abs(directions.T @ free.N.T) @ (np.abs(t.K) @ self.units + np.abs(t.G.T) @ np.abs(now.reactions))
        pushed = np.abs(along) > ROUNDED * noise
        usable = (np.abs(stiffness) > nothing) | pushed
        size = np.maximum(np.abs(stiffness), max(nothing, 1e-300))
        return np.asarray(free.N @ (directions @ np.where(usable, along / size, 0.0)))

    def line_search(self, now: Unbalanced, step: Array) -> tuple[Unbalanced | None, int]:
        """The first point on the way where the forces still push forward, or push back much less, or are smaller.

        Returns it, None if there is none, and how often the step was halved.
        """
        power = float(now.force @ step)
        for halving in range(HALVINGS):
            part = 0.5**halving * step
            try:
                trial = self.balance(self.closed(self.system.move(now.state, part)))
            except ModelError:  # the joints cannot follow that far
                continue
            ahead = float(trial.force @ step)
            if not np.isfinite(ahead):
                continue
            if abs(ahead) <= 0.5 * abs(power) or ahead * power > 0.0 or trial.share < 0.5 * now.share:
                return trial, halving
        return None, HALVINGS

    def closed(self, state: State) -> State:
        """The state with all joints closed at its time."""
        from floatframe.hybrid._kernels_system import MASS

        names, tables = self.system.names, self.tables
        now = evaluation(self.system, tables, state)
        weight = coordinate_scales(now(state.t, state.q, MASS).M, self.elastic) ** -2
        q = close_joints(names, tables, now.data, state.t, np.array(state.q), weight, self.system.row_names)
        return State(state.t, q, state.v, state.memory)

    def failure(self, now: Unbalanced) -> NotConverged:
        """Say which coordinate is worst off."""
        acceleration = now.free.scale * np.abs(now.force)
        worst = int(np.argmax(acceleration))
        name = coordinate_names(self.system)[worst]
        unit = "N m" if self.turns[worst] else "N"
        return NotConverged(
            f"no equilibrium found: {name} is left with {abs(now.force[worst]):.3g} {unit} out of balance "
            f"({now.share:.1e} of all forces). Is there a force that never ends (a motor without load, weight without "
            "support)? If not, start nearer to the equilibrium or support the body."
        )

    def judged(self, found: Unbalanced, count: int) -> Equilibrium:
        """Stability and freedom of the equilibrium, and the speeds that motions in time ask for."""
        from floatframe.hybrid._kernels_system import VELOCITY

        system, state = self.system, found.state
        t = tangent(system, state, None, found.reactions, self.tables, self.units, speeds=False)
        modes = natural_modes(t, project(t))
        names = self.moving_parts(state, modes.shapes)
        negative = (modes.square < 0.0) & ~modes.zero
        rate = evaluation(system, self.tables, state)(state.t, state.q, VELOCITY).data.rows["rate"]
        v = found.free.opening(-np.array(rate)) if np.any(rate) else np.zeros(system.nv)
        return Equilibrium(
            state=State(state.t, state.q, v, self.rested(state.memory)),
            reactions=found.reactions,
            residual=found.share,
            stable=not negative.any(),
            unstable=tuple(name for name, flag in zip(names, negative, strict=True) if flag),
            free=tuple(name for name, flag in zip(names, modes.zero, strict=True) if flag),
            iterations=count,
            ambiguous=ambiguous_joints(system),
        )

    def rested(self, memory: Array) -> Array:
        """Memory of friction that holds nothing: it starts afresh from here."""
        fresh, start = np.array(memory), np.array(self.system.names.memory)
        for at in self.system.tables.forces["memory"]:
            if at >= 0:
                fresh[at : at + 3] = start[at : at + 3]
        return fresh

    def moving_parts(self, state: State, shapes: Array) -> list[str]:
        """The body and coordinate that move most in each shape."""
        share, _ = body_energies(self.system, self.tables, state, shapes, np.ones(shapes.shape[1]))
        coordinates = coordinate_names(self.system)
        largest = np.argmax(np.abs(shapes) / self.units[:, None], axis=0)
        bodies = self.system.model.bodies
        return [
            f"body '{bodies[int(np.argmax(share[:, k]))].name}' ({coordinates[int(largest[k])]})"
            for k in range(shapes.shape[1])
        ]


def _positive(A: Array) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return False
    return True
