"""Static equilibrium: where a system rests, whether it stays there, and what it can still do.

Newton's method in the motions that the joints leave free. Far from the solution the directions of negative stiffness
are taken downhill, steps are no longer than a share of the mechanism, and a line search follows the power of the
unbalanced forces along the step; so a mechanism falls into a hanging position instead of balancing upside down, and
bodies without any support are found out.

Balance is judged coordinate by coordinate, by the size of the forces that meet in it and by what rounding of the
coordinates makes of its stiffness: no gravity is needed, and small forces count as much as large ones elsewhere.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, IntArray, short_repr
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid.assembly import (
    CompiledSystem,
    State,
    ambiguous_joints,
    close_joints,
    coordinate_names,
    singular_start,
)
from floatframe.hybrid.dense import pivoted_qr
from floatframe.hybrid.kernels import Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.force_sizes import accelerations, force_sizes
from floatframe.hybrid.studies.free_motions import (
    coordinate_scales,
    free_directions,
    natural_modes,
    project,
    resolved,
    stiffness_noise,
)
from floatframe.hybrid.studies.linear import modes_at
from floatframe.hybrid.studies.nonholonomic import rolls
from floatframe.hybrid.studies.participation import body_energies
from floatframe.hybrid.studies.state_slopes import sampled_or_delayed
from floatframe.hybrid.studies.states_at_rest import states_at_rest
from floatframe.hybrid.studies.tangent import (
    Tangent,
    elastic_matrices,
    natural_units,
    tangent,
    turning_coordinates,
    without_friction,
)
from floatframe.hybrid.studies.unbalanced import Unbalanced

LONGEST_STEP = 0.3  # in natural units: rad, or sizes of the mechanism; it grows while nothing opposes
LONGEST_TURN = 0.5  # rad
BALANCED = 1e-9  # unbalanced force over the size of the forces that meet, small enough where steps no longer help
VANISHED = 1e-15  # unbalanced force over the largest on the way
ROUNDED = 1e-13  # of coordinates, in natural units, and of the forces that meet in one
EPSILON = float(np.finfo(float).eps)
STILL = 1e-12  # step in natural units below which nothing changes
FARTHEST = 40  # longest steps in a row
ITERATIONS = 200
HALVINGS = 40
MOST_OPEN = 60  # trial states in all whose joints cannot be closed; each of them takes as long as hundreds of others


@short_repr
@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium and what is known about it."""

    state: State
    reactions: Array  # multipliers lam (nlambda,)
    residual: float  # largest unbalanced force over the size of the forces that meet there
    stable: bool | None  # None: not known, with sampled or delayed values, or with states in what rolls
    unstable: tuple[str, ...]  # per direction of negative stiffness: what moves
    free: tuple[str, ...]  # per direction without stiffness: what moves; the equilibrium is then one of many
    iterations: int
    ambiguous: tuple[str, ...] = ()  # joints whose reactions are not unique, because constraints are redundant
    acceleration: float = 0.0  # m/s2 (mass-weighted mean) that is left, dry friction aside: rounding
    corners: tuple[str, ...] = ()  # elements with another stiffness on either side of the equilibrium

    def __str__(self) -> str:
        words = [
            f"equilibrium found in {self.iterations} iterations, unbalanced share of the forces {self.residual:.1e}"
        ]
        words += [f"UNSTABLE: {what} falls away" for what in self.unstable]
        words += ["stability not known: simulate a start beside it"] if self.stable is None else []
        words += [f"one of many: {what} has no stiffness" for what in self.free]
        words += [f"at a corner of {what}: its stiffness differs on either side" for what in self.corners]
        if self.ambiguous:
            words.append(f"reactions not unique: {', '.join(self.ambiguous)}")
        return "\n".join(words)


def find_equilibrium(
    system: CompiledSystem, state: State | None = None, t: float | None = None, hold_states: bool = False
) -> Equilibrium:
    """Return the equilibrium reached from a state.

    Forces are those at rest: dampers carry nothing and dry friction is left out. If the direct way fails, gravity is
    put on in steps. The state returned has the speeds that prescribed motions ask for, else zero.

    Parameters
    ----------
    system
        The compiled system.
    state
        Where the search begins (default: the start).
    t
        Time [s] at which motions in time are held (default: that of the state).
    hold_states
        Whether state variables keep their values; else those are found at which their rates vanish.
    """
    start = system.start if state is None else state
    start = State(start.t if t is None else t, start.q, np.zeros(system.nv), start.memory)
    search = _Search(system, without_friction(system))
    if (system.nz or system.model.held) and not hold_states:
        found = search.judged(*_with_states(search, start))
        if sampled_or_delayed(system) or (system.nz and rolls(search.tables)):
            return replace(found, stable=None, unstable=(), free=())
        return found if rolls(search.tables) else _judged_by_poles(search, found)
    return search.judged(*_mechanics(search, start))


def _mechanics(search: _Search, start: State) -> tuple[Unbalanced, int]:
    """The equilibrium of the forces reached from a state; if the direct way fails, gravity is put on in steps."""
    try:
        return search.run(start)
    except NotConverged as direct:
        if not np.any(search.system.tables.gravity):
            raise
        try:
            return search.with_growing_gravity(start)
        except NotConverged:
            raise direct from None


def _with_states(search: _Search, start: State) -> tuple[Unbalanced, int]:
    """The equilibrium of forces and state variables together, from a state or from where the forces alone balance."""
    try:
        rest, count = states_at_rest(search, start)
    except NotConverged as direct:
        try:
            near, _ = _mechanics(search, start)
            rest, count = states_at_rest(search, near.state)
        except NotConverged:
            raise direct from None
    found, more = search.run(rest)
    return found, count + more


def _judged_by_poles(search: _Search, found: Equilibrium) -> Equilibrium:
    """The equilibrium with the stability of the closed loop, to which state variables belong."""
    modes = modes_at(search.system, search.tables, found.state)
    names = [modes.bodies[int(k)] for k in np.argmax(modes.kinetic, axis=0)] if modes.kinetic.size else []
    unstable, free = [], []
    for k, name in enumerate(names):
        moves = f"body '{name}'" if modes.kinetic[:, k].any() else ""
        inside = ", ".join(f"state '{modes.states[j]}'" for j in modes.main_states(k))
        what = f"{moves} with {inside}" if moves and inside else moves or inside
        if modes.unstable[k]:
            unstable.append(what)
        elif modes.rigid[k] and moves:
            free.append(what)
    return replace(found, stable=not unstable, unstable=tuple(unstable), free=tuple(free))


def equilibrium_state(
    system: CompiledSystem, state: State | None = None, t: float | None = None, hold_states: bool = False
) -> State:
    """The state of `find_equilibrium`, with a warning if it is unstable."""
    found = find_equilibrium(system, state, t, hold_states)
    if found.unstable:
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
        self.open = 0  # trial states so far whose joints could not be closed

    def run(self, start: State) -> tuple[Unbalanced, int]:
        """Iterate from a state to an equilibrium; returns it and the number of iterations."""
        now = best = self.balance(self.closed(start))
        self.seen = np.zeros(self.system.nv)
        waiting, far, reach, smallest = 0, 0, LONGEST_STEP, np.inf
        for count in range(ITERATIONS):
            t = self.tangent(now)
            # the largest forces on the way are the measure of progress
            self.seen = np.maximum(self.seen, self.sizes(now, t) + 1e-4 * self.stiff_forces(t))
            step, pushed = self.step(now, t, reach)
            size = float(np.abs(step / self.units).max(initial=0.0))
            # rounding keeps the last digits moving: stop when nothing gets better any more
            share = self.share(now)
            waiting = 0 if share < 0.5 * smallest else waiting + 1
            if share < smallest:
                best, smallest = now, share
            done = size <= STILL or waiting >= 3
            if done and self.balanced(best):
                return best, count
            if size <= STILL and waiting >= 3:
                break
            allowed = min(
                1.0, reach / size, LONGEST_TURN / max(float(np.abs(step[self.turns]).max(initial=0.0)), STILL)
            )
            after, halvings = self.line_search(now, allowed * step)
            # what is pushed on and on, for turns or ever longer ways, has nowhere to rest
            far = far + 1 if (pushed or allowed < 1.0) and halvings == 0 else 0
            if after is None or far > FARTHEST:
                break
            now, reach = after, max(reach * (0.5**halvings if halvings else 2.0), LONGEST_STEP)
        if self.balanced(best):
            return best, count
        raise self.failure(now)

    def tangent(self, now: Unbalanced, quick: bool = True) -> Tangent:
        return tangent(self.system, now.state, None, now.reactions, self.tables, self.units, quick, speeds=False)

    def sizes(self, now: Unbalanced, t: Tangent) -> Array:
        """Size (nv,) of the forces that meet in each coordinate."""
        return force_sizes(self.system, self.tables, now.state, t)

    def stiff_forces(self, t: Tangent) -> Array:
        """Forces (nv,) at changes of the coordinates by their units."""
        return np.asarray(np.abs(t.K) @ self.units)

    def share(self, now: Unbalanced) -> float:
        """Largest unbalanced force along a free motion over the largest forces seen there."""
        return _ratio(now.free.N.T @ now.force, np.abs(now.free.N.T) @ self.seen)

    def balanced(self, now: Unbalanced) -> bool:
        """Whether what is left over along every free motion is small against what meets there, or rounding."""
        t = self.tangent(now)
        allowed = BALANCED * self.sizes(now, t) + ROUNDED * self.stiff_forces(t) + VANISHED * self.seen
        return bool(np.all(np.abs(now.free.N.T @ now.force) <= np.abs(now.free.N.T) @ allowed))

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
        from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN, MASS

        now = evaluation(self.system, self.tables, state)
        now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN)
        M, G, force, memory = now.M.copy(), now.G.copy(), now.residual.copy(), now.remember()
        free = free_directions(G, coordinate_scales(M, self.elastic))
        reactions = free.reactions(force)
        left = force - G.T @ reactions
        return Unbalanced(State(state.t, state.q, state.v, memory), G, free, reactions, left)

    def step(self, now: Unbalanced, t: Tangent, reach: float) -> tuple[Array, bool]:
        """Newton's step (nv,), downhill where the stiffness is negative, and whether it is cut there to the reach."""
        p = project(t)
        K, N = p.K, p.free.N
        stiffness, y = resolved(p, np.linalg.eigh(0.5 * (K + K.T))[1])
        shapes = N @ y
        # directions are rounded themselves: others take part in them by their last digits
        mixed = len(y) * EPSILON
        noise = np.maximum(stiffness_noise(t, shapes), mixed**2 * np.abs(stiffness).max(initial=0.0))
        along = -shapes.T @ now.force
        if (stiffness > noise).all():
            # unit stiffness along every direction: soft ones keep their digits beside stiff ones
            scale = 1.0 / np.sqrt(stiffness)
            part = scale * np.linalg.solve(scale[:, None] * p.form(y) * scale, scale * along)
            return np.asarray(shapes @ part), False
        # a direction without stiffness is followed only if something pushes along it, more than rounding could
        rounding = ROUNDED * np.abs(shapes).T @ (10.0 * self.sizes(now, t) + np.abs(t.rest) @ self.units)
        pushed = np.abs(along) > np.maximum(rounding, mixed * np.abs(along).max(initial=0.0))
        size = np.maximum(np.abs(stiffness), np.maximum(noise, 1e-200))
        part = np.where((np.abs(stiffness) > noise) | pushed, along / size, 0.0)
        # what nothing holds back must not keep the others from their places
        length = np.abs(part) * np.abs(shapes / self.units[:, None]).max(axis=0, initial=0.0)
        turn = np.abs(part) * np.abs(shapes[self.turns]).max(axis=0, initial=0.0)
        over = np.maximum(length / reach, turn / LONGEST_TURN)
        cut = (stiffness <= noise) & (over > 1.0)
        part[cut] /= over[cut]
        return np.asarray(shapes @ part), bool(cut.any())

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
                self.open += 1
                if self.open > MOST_OPEN:
                    break
                continue
            ahead = float(trial.force @ step)
            if not np.isfinite(ahead):
                continue
            if abs(ahead) <= 0.5 * abs(power) or ahead * power > 0.0 or self.share(trial) < 0.5 * self.share(now):
                return trial, halving
        return None, HALVINGS

    def closed(self, state: State) -> State:
        """The state with all joints closed at its time."""
        from floatframe.hybrid.kernels import MASS

        index, tables = self.system.index, self.tables
        now = evaluation(self.system, tables, state)
        weight = coordinate_scales(now(state.t, state.q, MASS).M, self.elastic) ** -2
        q = close_joints(index, tables, now.data, state.t, np.array(state.q), weight, self.system.row_names)
        return State(state.t, q, state.v, state.memory)

    def failure(self, now: Unbalanced) -> NotConverged:
        """Say which coordinate is worst off."""
        acceleration = now.free.scale * np.abs(now.force)
        worst = int(np.argmax(acceleration))
        name = coordinate_names(self.system)[worst]
        unit = "N m" if self.turns[worst] else "N"
        return NotConverged(
            f"no equilibrium found: {name} is left with {abs(now.force[worst]):.3g} {unit} out of balance "
            f"({self.share(now):.1e} of the largest forces there). "
            "Is there an unbalanced force (a motor without load, weight without support)? If not, start nearer to "
            f"the equilibrium or support the body. {singular_start(self.system)}".rstrip()
        )

    def judged(self, found: Unbalanced, count: int) -> Equilibrium:
        """Stability and dof of the equilibrium, and the speeds that motions in time ask for."""
        from floatframe.hybrid.kernels import VELOCITY

        system, state = self.system, found.state
        t = self.tangent(found, quick=False)
        unstable: list[str] = []
        free: list[str] = []
        for side in t.sides:
            modes = natural_modes(side, project(side))
            falling = modes.shapes[:, ~modes.zero & (modes.square < 0.0)]
            loose = modes.shapes[:, modes.zero]
            for found_here, motions, lead in ((unstable, falling, self.largest), (free, loose, self.unmixed)):
                here = self.moving_parts(state, *lead(motions)) if motions.size else []
                found_here += here if side is t else [name for name in here if name not in found_here]
        rate = evaluation(system, self.tables, state)(state.t, state.q, VELOCITY).data.rows["rate"]
        v = found.free.opening(-np.array(rate)) if np.any(rate) else np.zeros(system.nv)
        return Equilibrium(
            state=State(state.t, state.q, v, self.rested(state.memory)),
            reactions=found.reactions,
            residual=_ratio(found.free.N.T @ found.force, np.abs(found.free.N.T) @ self.sizes(found, t)),
            stable=not unstable,
            unstable=tuple(unstable),
            free=tuple(free),
            iterations=count,
            ambiguous=ambiguous_joints(system),
            acceleration=accelerations(system, self.tables, state)[1],
            corners=t.corners,
        )

    def rested(self, memory: Array) -> Array:
        """Memory of friction that holds nothing: it starts afresh from here."""
        fresh, start = np.array(memory), np.array(self.system.index.room.memory)
        for at in self.system.tables.forces["memory"]:
            if at >= 0:
                fresh[at : at + 3] = start[at : at + 3]
        return fresh

    def largest(self, shapes: Array) -> tuple[Array, IntArray]:
        """Shapes (nv, k) themselves, and the coordinates (k,) that move most in them."""
        return shapes, np.argmax(np.abs(shapes) / self.units[:, None], axis=0)

    def unmixed(self, shapes: Array) -> tuple[Array, IntArray]:
        """Motions (nv, k) with the span of shapes (nv, k), each led by a coordinate of its own, and those (k,)."""
        scaled = shapes / self.units[:, None]
        leading = np.sort(pivoted_qr(scaled.T)[1][: shapes.shape[1]])
        return shapes @ np.linalg.inv(scaled[leading]), leading

    def moving_parts(self, state: State, shapes: Array, leading: IntArray) -> list[str]:
        """The body that moves most in each shape (nv, k), and the coordinate (k,) that leads it."""
        share, _ = body_energies(self.system, self.tables, state, shapes, np.ones(shapes.shape[1]))
        coordinates = coordinate_names(self.system)
        bodies = self.system.model.bodies
        return [
            f"body '{bodies[int(np.argmax(share[:, k]))].name}' ({coordinates[int(leading[k])]})"
            for k in range(shapes.shape[1])
        ]


def _ratio(left: Array, sizes: Array) -> float:
    """The largest of left over sizes."""
    left = np.abs(left)
    none = np.where(left > 0.0, np.inf, 0.0)
    return float(np.divide(left, sizes, out=none, where=sizes > 0.0).max(initial=0.0))
