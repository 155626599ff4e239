"""Linear analysis: frequencies, damping, shapes and participation of an assembled system near a state.

State variables take part: the eigenvalues are the poles of the closed loop of mechanics and control.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from floatframe.arrays import AnyArray, Array, BoolArray, IntArray, short_repr
from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.kernels import SPEEDS, Tables
from floatframe.hybrid.studies.element_forces import evaluation
from floatframe.hybrid.studies.force_sizes import accelerations, force_sizes
from floatframe.hybrid.studies.free_motions import (
    NaturalModes,
    Projected,
    coordinate_scales,
    free_directions,
    natural_modes,
    project,
)
from floatframe.hybrid.studies.load_limits import warn_of_vibration
from floatframe.hybrid.studies.nonholonomic import changes, modes as rolling_modes, rolls
from floatframe.hybrid.studies.participation import body_energies
from floatframe.hybrid.studies.rolling_axes import going_on, has_wheels, rolling_axes
from floatframe.hybrid.studies.state_slopes import StateSlopes, sampled_or_delayed, state_in_rows, state_slopes
from floatframe.hybrid.studies.state_space import Modes, state_space_modes
from floatframe.hybrid.studies.steady_axes import going_round
from floatframe.hybrid.studies.tangent import (
    Tangent,
    elastic_matrices,
    natural_units,
    tangent,
    turning,
    without_friction,
)

BALANCED = 1e-6  # accelerations below this share of what the forces could cause belong to an equilibrium
ROUNDED = 1e-13  # of coordinates, in natural units
SYMMETRIC = 1e-8  # damping or asymmetry below this share has no effect that differences could show
SPINS = 1e-6  # turning of a body, over the fastest motion, that counts as spin
TURN = 1e-3  # angle [rad] by which a body that spins freely goes on to see whether its equations change
CHANGES = 0.1  # of stiffness and damping per rad; differences of second order are TURN, far below
LEAST_SHARE = 0.01  # of a state variable in a mode that names it
EQUAL = 1e-9  # of their moduli: eigenvalues that differ by less are equally fast
GROWS = 1e-7  # real part over modulus of an eigenvalue above which a motion counts as growing


@short_repr
@dataclass(frozen=True)
class Linear:
    """Modes of a system with its state variables, rigid-body motions (frequency zero) first, then by frequency.

    A pair of complex eigenvalues -d ± i w is one mode with natural frequency |eigenvalue| / 2π and damping ratio
    d / |eigenvalue|. A motion that does not oscillate has a real eigenvalue, damping 1 if it dies out and -1 if it
    grows, and 1/|eigenvalue| is its time constant; in an undamped system it stands for the pair ± of them.
    """

    frequency: Array  # (k,) natural [Hz]
    damping: Array  # (k,) ratio of critical, negative if unstable
    eigenvalues: AnyArray  # (k,) complex [1/s], that with the imaginary part >= 0
    shapes: AnyArray  # (nv, k) displacement in velocity coordinates, unit generalised mass; complex if damped
    rigid: BoolArray  # (k,) motions without stiffness
    bodies: tuple[str, ...]
    kinetic: Array = field(repr=False)  # (nbody, k) share of each body in the kinetic energy
    elastic: Array = field(repr=False)  # (nbody, k) strain energy of each body over the kinetic energy
    subsystem_of: tuple[str, ...] = field(repr=False, default=())  # per body; "" in the model itself
    acceleration: float = 0.0  # m/s2 (mass-weighted mean) at the state: zero if it is an equilibrium or a steady motion
    # force elements whose laws have a corner or a jump at the state; if there are any, one_sided has the modes on the
    # side of growing elongations, penetrations and rates, which are also those above, and on the side of falling ones
    corners: tuple[str, ...] = ()
    one_sided: tuple[Linear, ...] = field(repr=False, default=())
    growing_beyond: int = 0  # modes that grow and are not among those here
    states: tuple[str, ...] = ()  # state variables beside the mechanics
    # (nz, k) their participation: how much an eigenvalue follows the rate of each state, over all there is
    state_shares: Array = field(repr=False, default_factory=lambda: np.zeros((0, 0)))

    @property
    def damped_frequency(self) -> Array:
        """Frequencies (k,) of the oscillation itself [Hz], zero where nothing oscillates."""
        return np.asarray(np.abs(self.eigenvalues.imag) / (2.0 * np.pi))

    @property
    def unstable(self) -> BoolArray:
        """Modes (k,) that grow."""
        return _growing(self.eigenvalues, self.rigid)

    @property
    def stable(self) -> bool:
        """No mode of all there are grows, on either side of a corner; rigid-body motions may drift."""
        inside = not self.unstable.any() and not self.growing_beyond
        return inside and all(side.stable for side in self.one_sided)

    def participation(self, by: str = "body") -> Mapping[str, Array]:
        """Share (k,) of each "body" or "subsystem" in the kinetic energy of the modes; the model itself is ""."""
        shares: dict[str, Array] = {}
        for body, home, share in zip(self.bodies, self.subsystem_of, self.kinetic, strict=True):
            key = body if by == "body" else home
            shares[key] = shares.get(key, 0.0) + share
        return shares

    def table(self, n: int | None = None) -> str:
        """The modes as text, one per line, with the bodies that move most."""
        lines = ["  no     frequency, Hz   damping, %  strain, %  kinetic energy"]
        for k in range(len(self.frequency) if n is None else min(n, len(self.frequency))):
            main = [b for b in np.argsort(-self.kinetic[:, k], kind="stable")[:3] if self.kinetic[b, k] > 0.005]
            share = ", ".join(f"{self.bodies[b]} {100.0 * self.kinetic[b, k]:.0f} %" for b in main)
            strain = 100.0 * self.elastic[:, k].sum()
            note = self._note(k)
            inside = [f"{self.states[j]} {100.0 * self.state_shares[j, k]:.0f} %" for j in self.main_states(k)]
            share = "; states ".join(part for part in (share, ", ".join(inside)) if part) if inside else share
            lines.append(
                f"{k + 1:4d}  {self.frequency[k]:16.6g}  {100.0 * self.damping[k]:11.3f}  {strain:9.1f}  {share}{note}"
            )
        if self.growing_beyond:
            lines.append(f"UNSTABLE by {self.growing_beyond} of the modes beyond these.")
        if self.acceleration > 0.0:
            lines.append(
                f"The state is not an equilibrium: its bodies accelerate by {self.acceleration:.3g} m/s2 in the mean."
            )
        if self.corners:
            lines.append(f"The state {corner_words(self.corners)}. On the other side:")
            lines += self.one_sided[1].table(n).splitlines()[1:]
        return "\n".join(lines)

    def main_states(self, k: int) -> list[int]:
        """Numbers of up to three state variables that take part most in a mode."""
        if not self.states:
            return []
        share = self.state_shares[:, k]
        return [int(j) for j in np.argsort(-share, kind="stable")[:3] if share[j] > LEAST_SHARE]

    def _note(self, k: int) -> str:
        value = self.eigenvalues[k]
        if self.rigid[k]:
            return "; rigid-body motion" if self.kinetic[:, k].any() else "; stays where it is"
        if self.unstable[k]:
            return f"; UNSTABLE, grows e-fold in {1.0 / value.real:.3g} s"
        if value.imag == 0.0:
            return f"; no oscillation, dies out with time constant {-1.0 / value.real:.3g} s"
        return ""


def linearise(
    system: CompiledSystem,
    state: State,
    n: int | None = None,
    up_to: float | None = None,
    friction: bool = False,
) -> Linear:
    """Return the modes of a system near a state.

    The state may move: gyroscopic and centrifugal terms of its speeds are then in the modes, taken at this instant.
    Where the law of an element has a corner at the state, as a contact that just touches, there is a warning, and
    `one_sided` has the modes of both sides.

    Parameters
    ----------
    system
        The compiled system.
    state
        The state looked at.
    n
        How many modes, from the lowest up, rigid-body motions included (default: all).
    up_to
        Highest frequency [Hz].
    friction
        Whether dry friction, which has no slope at rest, takes part.
    """
    require_poles(system)
    warn_of_vibration(system, state.t, state.q)
    tables = system.tables if friction else without_friction(system)
    found = modes_at(system, tables, state, n, up_to)
    if not found.corners:
        return found
    warnings.warn(
        f"linear analysis: the state {corner_words(found.corners)}. The modes are those of growing elongations, "
        "penetrations and rates; one_sided[1] has those of falling ones. Look at a state away from the corner if you "
        "want one result.",
        stacklevel=3,
    )
    return found


def require_poles(system: CompiledSystem) -> None:
    """Refuse what has no finite number of poles."""
    if held := sampled_or_delayed(system):
        raise held.where.error(
            "linear analysis knows no sampled and no delayed values, since loops with them have no finite number of "
            "poles; write a transfer_function in its place, (1 - T*s/2)/(1 + T*s/2) for a delay of T"
        )


def modes_at(
    system: CompiledSystem, tables: Tables, state: State, n: int | None = None, up_to: float | None = None
) -> Linear:
    """The modes of `linearise` with given tables, without the warning of corners."""
    here = equations_at(system, tables, state)
    t = here.tangent
    sides = tuple(_linear(system, tables, state, side, here.mean, n, up_to, here.onward) for side in t.sides)
    return sides[0] if len(sides) == 1 else replace(sides[0], corners=t.corners, one_sided=sides)


@dataclass(frozen=True)
class SmallMotions:
    """The equations of small motions about a state, and the accelerations and multipliers there."""

    tangent: Tangent
    acceleration: Array  # (nv,)
    reactions: Array  # (nrow,)
    mean: float  # of the accelerations [m/s2]
    onward: int  # motions that lead on without any force, as far as is known


def equations_at(system: CompiledSystem, tables: Tables, state: State) -> SmallMotions:
    """The tangent of a system at rest, in steady motion, rolling on, or of an instant."""
    a, reactions, mean = _present_accelerations(system, tables, state)
    onward = 0
    if has_wheels(system):
        t, onward = _rolling_tangent(system, tables, state, a, reactions)
    else:
        round_going = going_round(tables, state, a)
        t = tangent(system, state, a, reactions, tables, axes=turning(tables, state, round_going))
        _warn_of_turning(system, tables, state, t, round_going)
    return SmallMotions(t, a, reactions, mean, onward)


@dataclass(frozen=True)
class UndampedModes:
    """Modes without damping: frequency (k,) [Hz], shapes (nv, k) of unit generalised mass, coordinates η = rows z."""

    frequency: Array
    shapes: Array
    rows: Array  # (k, nv): motions z (nv,) that joints allow are Σ shapes_k η_k


def undamped_modes(system: CompiledSystem, state: State) -> UndampedModes:
    """Return all modes of a system at rest near a state as if nothing damped it, slowest first.

    Where stiffness is negative the frequency is zero.
    """
    tables = without_friction(system)
    a, reactions, _ = _present_accelerations(system, tables, state)
    t = tangent(system, state, a, reactions, tables)
    p = project(t)
    natural = natural_modes(t, p)
    square = np.where(natural.zero, 0.0, np.maximum(natural.square, 0.0))
    free = p.free.coordinates(np.eye(system.nv))
    return UndampedModes(np.sqrt(square) / (2.0 * np.pi), natural.shapes, natural.y.T @ p.M @ free)


def _rolling_tangent(
    system: CompiledSystem, tables: Tables, state: State, a: Array, reactions: Array
) -> tuple[Tangent, int]:
    """The tangent in axes that go along a track, and how many motions lead on without any force."""
    try:
        axes = rolling_axes(system, tables, state)
    except NotConverged:  # where the track changes there are modes of an instant
        axes = rolling_axes(system, tables, state, constant=False)
        return tangent(system, state, a, reactions, tables, axes=axes.turning), 0
    return going_on(tangent(system, state, a, reactions, tables, axes=axes.turning), axes), axes.onward.shape[1]


def _warn_of_turning(
    system: CompiledSystem, tables: Tables, state: State, t: Tangent, round_going: frozenset[int]
) -> None:
    """Doubt modes in the axes of bodies that spin freely if the equations change with the turn: wheels on rails."""
    units = natural_units(system)
    if rolls(tables):
        _warn_of_rolling(system, tables, state, t, units)
        return
    spin = float(np.abs(t.turning_x).max(initial=0.0))
    # where bodies go round, as constraints have them do, the matrices mix axes and change although small motions do not
    if len(t.G) or round_going or spin <= SPINS * float(np.abs(state.v / units).max(initial=0.0)):
        return
    dt = TURN / spin
    moved = system.move(state, dt * state.v)
    later = State(state.t + dt, moved.q, state.v + dt * (t.turning_v @ state.v), state.memory)
    a, reactions, _ = _present_accelerations(system, tables, later)
    then = tangent(system, later, a, reactions, tables)
    scale = np.outer(units, units)
    changes = then.K - t.K, spin * (then.C - t.C)
    largest = max(np.abs(scale * A).max(initial=0.0) for A in (t.K, spin * t.C, spin**2 * t.M))
    if max(np.abs(scale * A).max(initial=0.0) for A in changes) > CHANGES * TURN * largest:
        warnings.warn(
            "linear analysis: a body spins freely, and in its turning axes stiffness or damping change as it turns, so "
            "these modes hold for an instant only and are not frequencies of the motion. Give the body an axle: a "
            "revolute joint against a light body that does not spin.",
            stacklevel=4,
        )


def _warn_of_rolling(system: CompiledSystem, tables: Tables, state: State, t: Tangent, units: Array) -> None:
    """Doubt modes of what rolls in coordinates in which its constraints change while it rolls on."""
    speed = float(np.abs(state.v / units).max(initial=0.0))
    if speed == 0.0:
        return
    dt = TURN / speed
    later = State(state.t + dt, system.move(state, dt * state.v).q, state.v, state.memory)
    if changes(t, tangent(system, later, None, None, tables, quick=True, speeds=False), units) > CHANGES * TURN:
        warnings.warn(
            "linear analysis: the constraints of speeds change in the coordinates of the model while it rolls on, so "
            "these modes hold for an instant only and are not frequencies of the motion. Choose coordinates in which "
            "the steady motion is constant: a general joint with the spin last, and first the translations for a "
            "straight path, or the turn about the middle of a circle.",
            stacklevel=4,
        )


def corner_words(corners: tuple[str, ...]) -> str:
    """What it means for a state that elements have a corner there."""
    return f"lies on a corner of {', '.join(corners)}: stiffness or damping differ on its two sides"


def _linear(
    system: CompiledSystem,
    tables: Tables,
    state: State,
    t: Tangent,
    mean: float,
    n: int | None,
    up_to: float | None,
    onward: int,
) -> Linear:
    """The modes of one tangent; onward: number of motions that lead on without any force, as far as is known."""
    slopes = state_slopes(system, tables, state) if system.nz else None
    if rolls(tables):
        if slopes is not None and (steering := state_in_rows(system, tables, state)):
            raise steering.error(
                "linear analysis knows no constraints that depend on state variables, as steering by one does; steer "
                "by a joint that a motor turns"
            )
        values, shapes, rigid, shares = rolling_modes(t, tables.rows["level"] == SPEEDS, slopes)
    else:
        p = project(t)
        values, shapes, rigid, shares = _modes(t, p, natural_modes(t, p), onward, slopes)
    order = in_order(values, rigid)
    keep = order if n is None else order[:n]
    if up_to is not None:
        keep = keep[np.abs(values[keep]) <= 2.0 * np.pi * up_to]
    beyond = int(_growing(values, rigid).sum() - _growing(values[keep], rigid[keep]).sum())
    values, shapes, rigid, shares = values[keep], shapes[:, keep], rigid[keep], shares[:, keep]
    size = np.abs(values)
    ratio = np.divide(-values.real, size, out=np.zeros(len(values)), where=size > 0.0)
    kinetic, elastic = body_energies(system, tables, state, shapes, values)
    return Linear(
        frequency=size / (2.0 * np.pi),
        damping=ratio + 0.0,
        eigenvalues=values,
        shapes=shapes,
        rigid=rigid,
        bodies=tuple(body.name for body in system.model.bodies),
        kinetic=kinetic,
        elastic=elastic,
        subsystem_of=tuple(body.subsystem for body in system.model.bodies),
        acceleration=mean,
        growing_beyond=beyond,
        states=tuple(one.name for one in system.model.states),
        state_shares=shares,
    )


def in_order(values: AnyArray, rigid: BoolArray) -> IntArray:
    """Order (k,) of eigenvalues: rigid-body motions, then by modulus; of those equally fast the growing one first."""
    by_size = np.lexsort((np.abs(values), ~rigid))
    size = np.abs(values[by_size])
    # a real pair ±a, as of what tips over, differs by rounding alone
    equal = np.diff(size, prepend=0.0) <= EQUAL * size
    rank = np.cumsum(~equal | (np.diff(rigid[by_size], prepend=True) != 0))
    return by_size[np.lexsort((-values[by_size].real, rank))]


def _growing(values: AnyArray, rigid: BoolArray) -> BoolArray:
    """Which eigenvalues (k,) are of motions that grow."""
    return np.asarray(~rigid & (values.real > GROWS * np.abs(values)))


def _present_accelerations(system: CompiledSystem, tables: Tables, state: State) -> tuple[Array, Array, float]:
    """Accelerations (nv,) and multipliers at a state, and their mean [m/s2]; zero where they are mere rounding."""
    from floatframe.hybrid.kernels import ALL_FORCES, JACOBIAN, MASS

    a, mean = accelerations(system, tables, state)
    now = evaluation(system, tables, state)
    now(state.t, state.q, ALL_FORCES | JACOBIAN | MASS, state.v, a)
    free = free_directions(now.G, coordinate_scales(now.M, elastic_matrices(system)[0]))
    reactions = free.reactions(now.residual)
    if np.any(state.v):
        return a, reactions, 0.0
    still = tangent(system, state, None, reactions, tables, quick=True, speeds=False)
    sizes = BALANCED * force_sizes(system, tables, state, still) + ROUNDED * np.abs(still.K) @ natural_units(system)
    if np.all(np.abs(free.N.T @ now.M @ a) <= np.abs(free.N.T) @ sizes):
        now(state.t, state.q, ALL_FORCES | JACOBIAN, state.v)
        return np.zeros(system.nv), free.reactions(now.residual), 0.0
    return a, reactions, mean


def _modes(t: Tangent, p: Projected, natural: NaturalModes, onward: int, slopes: StateSlopes | None) -> Modes:
    """Modes of a tangent; slopes: of the state variables, if there are any."""
    y = natural.y
    K = p.form(y)
    C, skew = y.T @ p.C @ y, 0.5 * (K - K.T)
    square = np.where(natural.zero, 0.0, natural.square)
    omega = np.sqrt(np.maximum(np.abs(square), 1.0))
    gyroscopic = np.any(p.drift)
    undamped = np.abs(C / omega).max(initial=0.0) <= SYMMETRIC
    symmetric = np.abs(skew / np.outer(omega, omega)).max(initial=0.0) <= SYMMETRIC
    if undamped and symmetric and not gyroscopic and slopes is None:
        root = np.sqrt(np.abs(square))
        values = np.where(square < 0.0, root, 1j * root)
        return Modes(values, natural.shapes, natural.zero, np.zeros((0, len(values))))
    return state_space_modes(t, p, natural, square, skew, C, onward, slopes)
