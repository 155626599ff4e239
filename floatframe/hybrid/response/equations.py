"""The linear equations of an assembled system with inputs and outputs.

Near a state the displacements x, speeds δv and accelerations δa (nv,) of all coordinates, and the multipliers δλ,
follow from as many free displacements y and speeds z as the joints leave, from the state variables s, and from the
inputs u with their rates, for what prescribes a motion gives its speed and acceleration too:

    x  = Nq y + opened(c u)              G opened(g) = g in the rows of joints and motions
    δv = Nv z + opened(c u' - gap_rate x)
    δa = Nv (z' + turned δv) + opened(c u'' - gap_x x - gap_v δv)

Each of them is kept as one matrix of the columns (ξ, ξ', u, u', u'') with ξ = (y, z, s). Projected on the speeds that
joints leave free, the equations of motion are then

    E ξ' = A ξ + B0 u + B1 u' + B2 u''         y = C0 ξ + C1 ξ' + D0 u + D1 u' + D2 u''

without any choice of modes: nothing is truncated. E may be singular, where a motion has no inertia.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from floatframe.arrays import AnyArray, Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem, State, coordinate_names
from floatframe.hybrid.kernels import SPEEDS, Tables
from floatframe.hybrid.response.inputs import Input, read_inputs, slope
from floatframe.hybrid.response.many import SchurForm
from floatframe.hybrid.response.outputs import Meter, Outputs
from floatframe.hybrid.response.ports import Port
from floatframe.hybrid.studies import (
    LONGEST_STEP,
    FreeDirections,
    StateSlopes,
    Tangent,
    coordinate_scales,
    corner_words,
    differentiate,
    equations_at,
    evaluation,
    followers,
    free_directions,
    natural_units,
    require_poles,
    state_slopes,
    without_friction,
)

MANY = 100  # frequencies at which one Schur form costs less than they do, one by one
HELD = 1e-9  # change of a constraint row per unit of an input that is rounding, over the change of the forces


@short_repr
@dataclass(frozen=True)
class LinearSystem:
    """E ξ' = A ξ + Σ B[k] u^(k), y = C[0] ξ + C[1] ξ' + Σ D[k] u^(k), k for u, rate and acceleration.

    The n numbers of ξ are displacements, speeds and state variables, each over its `scale`. An input of `order` 1 or 2
    is the rate or acceleration of the motion u that stands in these equations.
    """

    E: Array  # (n, n)
    A: Array  # (n, n)
    B: Array  # (3, n, m)
    C: Array  # (2, p, n)
    D: Array  # (3, p, m)
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    states: tuple[str, ...]
    scale: Array = field(repr=False)  # (n,)
    order: tuple[int, ...] = field(repr=False, default=())  # (m,)
    shapes: Array = field(repr=False, default_factory=lambda: np.zeros((0, 0)))  # (nv, n) displacements per ξ
    led: Array = field(repr=False, default_factory=lambda: np.zeros((0, 0)))  # (nv, m) displacements per u
    corners: tuple[str, ...] = ()

    def solve(self, frequency: Array) -> AnyArray:
        """ξ per unit input (nf, n, m) of harmonic motions at frequency (nf,) [Hz], all of them positive."""
        s = 2j * np.pi * np.asarray(frequency)
        load = np.array([_series(self.B, one) for one in s]).reshape(len(s), len(self.A), len(self.inputs))
        found, exact = np.empty_like(load), np.zeros(len(s), dtype=bool)
        if len(s) >= MANY and self._schur is not None:
            found, exact = self._schur.solve(s, load)
        for k in np.flatnonzero(~exact):
            found[k] = np.linalg.solve(s[k] * self.E - self.A, load[k])
        return found / np.array([self._per_motion(one) for one in s]).reshape(len(s), 1, -1)

    def response(self, frequency: Array, solved: AnyArray | None = None) -> AnyArray:
        """Outputs per unit input (nf, p, m) at frequency (nf,) [Hz]; solved: what `solve` gave."""
        solved = self.solve(frequency) if solved is None else solved
        found = np.empty((len(frequency), len(self.outputs), len(self.inputs)), dtype=complex)
        for k, one in enumerate(1j * 2.0 * np.pi * np.asarray(frequency)):
            found[k] = (self.C[0] + one * self.C[1]) @ solved[k] + _series(self.D, one) / self._per_motion(one)
        return found

    @cached_property
    def _schur(self) -> SchurForm | None:
        return SchurForm.of(self.E, self.A)

    def motion(self, frequency: float) -> AnyArray:
        """Displacements (nv, m) of all coordinates per unit input at a frequency [Hz]."""
        return self.shapes @ self.solve(np.array([frequency]))[0] + self.led / self._per_motion(2j * np.pi * frequency)

    def _per_motion(self, s: complex) -> AnyArray:
        """Inputs (m,) per unit of the motions that stand in the equations."""
        return np.array([s**order for order in self.order])


def _series(parts: Array, s: complex) -> AnyArray:
    return np.asarray(parts[0] + s * parts[1] + s * s * parts[2])


def linear_system(system: CompiledSystem, state: State, inputs: Sequence[str], outputs: Sequence[str]) -> LinearSystem:
    """Return the linear equations of a system near a state between named inputs and outputs.

    Parameters
    ----------
    system
        The compiled system; dry friction, which has no slope at rest, takes no part.
    state
        The state looked at: an equilibrium, a steady motion, or any other one, whose equations are those of an instant.
    inputs
        Force elements (a force on top of theirs), prescribed motions (also their .rate and .acceleration), signals,
        parameters, and ground.acceleration.x, y, z: the motion is then that relative to the ground.
    outputs
        Channels, components of channels and expressions of these.
    """
    require_poles(system)
    tables = without_friction(system)
    smooth = replace(system, tables=tables)
    here = equations_at(system, tables, state)
    t = here.tangent
    force = float(np.abs(t.forces).max(initial=0.0))
    driven = read_inputs(smooth, inputs, force)
    measured = Outputs(system, outputs)
    slopes = state_slopes(system, tables, state) if system.nz else None
    point = _Point(state, here.acceleration, here.reactions)
    effects = [_effect(smooth, one, point, measured) for one in driven]
    columns = _Columns(t, tables, slopes, effects)
    read = _read(smooth, measured.meter(smooth), point)
    made = columns.equations(read)
    names = coordinate_names(system)
    ahead, speeds = columns.places.independent, columns.rates.independent
    states = tuple(one.name for one in system.model.states)
    return replace(
        made,
        inputs=tuple(one.port for one in driven),
        outputs=tuple(measured.ports),
        states=(*(names[k] for k in ahead), *(f"rate of {names[k]}" for k in speeds), *states),
        order=tuple(one.order for one in driven),
        corners=t.corners,
    )


@dataclass(frozen=True)
class _Point:
    """Where the equations are linearised: a state with its accelerations and multipliers."""

    state: State
    a: Array
    lam: Array


@dataclass(frozen=True)
class _Effect:
    """What one input does: to the residual (nv,), the rates of states (nz,), the outputs (p,), and to rows (nrow,)."""

    residual: Array
    rates: Array
    outputs: Array
    rows: Array


def _effect(system: CompiledSystem, one: Input, point: _Point, outputs: Outputs) -> _Effect:
    from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, JACOBIAN

    state = point.state
    nv, nz, nrow = system.nv, system.nz, system.nlambda
    if one.variant is None:
        rows = np.zeros(nrow)
        rows[one.row] = 1.0
        return _Effect(np.zeros(nv), np.zeros(nz), np.zeros(len(outputs.ports)), rows)
    variant = one.variant

    def found(u: float) -> Array:
        changed = variant(u)
        _require_alike(system, changed, one)
        now = evaluation(changed, changed.tables, state)
        now(state.t, state.q, ALL_FORCES | JACOBIAN | CONVECTIVE, state.v, point.a, point.lam)
        held = [np.array(now.data.rows[name]) for name in ("value", "rate", "convective")]
        rates = followers(changed, changed.tables).rates(now)
        seen = outputs.meter(changed)(state.t, state.q, state.v, point.a, point.lam, state.memory)
        return np.concatenate((now.residual, rates, seen, *held))

    column = slope(found, one.size)
    parts = np.split(column, np.cumsum((nv, nz, len(outputs.ports))))
    if np.abs(parts[3]).max(initial=0.0) > HELD * max(1.0, np.abs(parts[0]).max(initial=0.0)):
        raise ModelError(
            f"response: '{one.port.name}' moves a joint or a constraint, expected an input that acts by forces; take "
            "the prescribed motion itself as input"
        )
    return _Effect(parts[0], parts[1], parts[2], np.zeros(nrow))


def _require_alike(system: CompiledSystem, changed: CompiledSystem, one: Input) -> None:
    """Refuse an input that changes which coordinates there are."""
    sizes = [(each.nq, each.nv, each.nlambda, len(each.start.memory)) for each in (system, changed)]
    if sizes[0] != sizes[1]:
        raise ModelError(f"response: '{one.port.name}' changes what the model consists of, expected an input of forces")


@dataclass(frozen=True)
class _Read:
    """Outputs (p, ·) per displacement, speed, acceleration, multiplier and state variable."""

    x: Array
    v: Array
    a: Array
    lam: Array
    z: Array


def _read(system: CompiledSystem, meter: Meter, point: _Point) -> _Read:
    state, units = point.state, natural_units(system)
    now = evaluation(system, system.tables, state)
    places = system.tables.states["memory"]
    z = state.memory[places]
    faster = units * max(1.0, float(np.abs(state.v / units).max(initial=0.0)))

    def seen(q: Array = state.q, v: Array = state.v, a: Array = point.a, lam: Array = point.lam) -> Array:
        return meter(state.t, q, v, a, lam, state.memory)

    def with_states(step: Array) -> Array:
        memory = state.memory.copy()
        memory[places] = z + step
        return meter(state.t, state.q, state.v, point.a, point.lam, memory)

    empty = np.zeros((len(seen()), 0))

    def derivative(of: object, longest: Array, levels: int = 2) -> Array:
        return differentiate(of, longest, levels)[0] if len(longest) else empty  # type: ignore[arg-type]

    own = np.maximum(system.tables.states["size"], np.abs(z))
    return _Read(
        derivative(lambda step: seen(q=now.moved(state.q, step)), LONGEST_STEP * units, 5),
        derivative(lambda step: seen(v=state.v + step), LONGEST_STEP * faster, 5),
        # outputs are linear in these, and long steps lose no digits
        derivative(lambda step: seen(a=point.a + step), faster),
        derivative(lambda step: seen(lam=point.lam + step), np.maximum(1.0, np.abs(point.lam))),
        derivative(with_states, LONGEST_STEP * own, 5),
    )


class _Columns:
    """Displacements, speeds, accelerations and forces as matrices of the columns (ξ, ξ', u, u', u'')."""

    def __init__(self, t: Tangent, tables: Tables, slopes: StateSlopes | None, effects: Sequence[_Effect]) -> None:
        self.t, self.slopes = t, slopes
        of_speeds = tables.rows["level"] == SPEEDS
        scale = coordinate_scales(t.M, t.K)
        self.places, self.rates = free_directions(t.G[~of_speeds], scale), free_directions(t.G, scale)
        self.ny, self.nz = self.places.N.shape[1], self.rates.N.shape[1]
        self.ns, self.m = 0 if slopes is None else len(slopes.rate), len(effects)
        self.n = self.ny + self.nz + self.ns
        led = np.array([one.rows for one in effects]).reshape(self.m, len(t.G)).T
        self.residual = np.array([one.residual for one in effects]).reshape(self.m, len(t.M)).T
        self.state_rates = np.array([one.rates for one in effects]).reshape(self.m, self.ns).T
        self.outputs = np.array([one.outputs for one in effects]).reshape(self.m, -1).T
        nv = len(t.M)
        self.x, self.v, self.a = (self._zeros(nv) for _ in range(3))
        self.s = self._zeros(self.ns)
        units = np.zeros(0) if slopes is None else slopes.units
        self.s[:, self.ny + self.nz : self.n] = np.diag(units)
        self.x[:, : self.ny] = self.places.N
        self.x[:, self.input(0)] = _opened(self.places, led[~of_speeds])
        self.v[:, self.ny : self.ny + self.nz] = self.rates.N
        self.v += _opened(self.rates, self._led(led, 1) - t.gap_rate @ self.x)
        self.a[:, self.n + self.ny : self.n + self.ny + self.nz] = self.rates.N
        self.a += self.rates.N @ _coordinates(self.rates, t.turning_v @ self.v)
        self.a += _opened(self.rates, self._led(led, 2) - t.gap_x @ self.x - t.gap_v @ self.v)

    def _zeros(self, rows: int) -> Array:
        return np.zeros((rows, 2 * self.n + 3 * self.m))

    def input(self, order: int) -> slice:
        """The columns of the inputs, or of their rates or accelerations."""
        first = 2 * self.n + order * self.m
        return slice(first, first + self.m)

    def _led(self, led: Array, order: int) -> Array:
        found = self._zeros(len(led))
        found[:, self.input(order)] = led
        return found

    def equations(self, read: _Read) -> LinearSystem:
        """The equations and outputs; names are put in by the caller."""
        t, n, m = self.t, self.n, self.m
        force = t.M @ self.a + t.C @ self.v + t.K @ self.x
        force[:, self.input(0)] += self.residual
        rates = self._zeros(self.ns)
        if self.slopes is not None:
            force += self.slopes.force @ self.s
            rates = self.slopes.by_x @ self.x + self.slopes.by_v @ self.v + self.slopes.by_z @ self.s
            rates[:, self.input(0)] += self.state_rates
            rates /= self.slopes.units[:, None]
        rows = self._zeros(n)
        rows[: self.ny] = _coordinates(self.places, self.v - t.turning_x @ self.x)
        rows[self.ny : self.ny + self.nz] = -self.rates.N.T @ force
        rows[self.ny + self.nz :] = rates
        still = np.concatenate((np.arange(self.ny), np.arange(self.ny + self.nz, n)))
        E = -rows[:, n : 2 * n]
        E[still, still] += 1.0
        lam = _reactions(self.rates, force)
        seen = read.x @ self.x + read.v @ self.v + read.a @ self.a + read.lam @ lam + read.z @ self.s
        seen[:, self.input(0)] += self.outputs
        places, speeds = self.places, self.rates
        units = np.ones(0) if self.slopes is None else self.slopes.units
        return LinearSystem(
            E=E,
            A=rows[:, :n],
            B=np.array([rows[:, self.input(k)] for k in range(3)]),
            C=np.array([seen[:, :n], seen[:, n : 2 * n]]),
            D=np.array([seen[:, self.input(k)] for k in range(3)]),
            inputs=(),
            outputs=(),
            states=(),
            scale=np.concatenate((places.scale[places.independent], speeds.scale[speeds.independent], units)),
            order=(0,) * m,
            shapes=self.x[:, :n],
            led=self.x[:, self.input(0)],
        )


def _coordinates(free: FreeDirections, x: Array) -> Array:
    """The free part (n, k) of motions x (nv, k), by the coordinates that tell free motions apart."""
    own = free.independent
    return np.asarray(x[own] / free.scale[own, None])


def _opened(free: FreeDirections, gaps: Array) -> Array:
    """Motions (nv, k) that open the rows by gaps (nrow, k) and leave the independent coordinates at zero."""
    if not np.any(gaps):
        return np.zeros((len(free.N), gaps.shape[1]))
    found = free.opening(gaps)
    return np.asarray(found - free.N @ _coordinates(free, found))


def _reactions(free: FreeDirections, force: Array) -> Array:
    """Multipliers (nrow, k) that carry generalised forces (nv, k)."""
    if not len(free.G):
        return np.zeros((0, force.shape[1]))
    rows = (free.G * free.scale).T
    return np.asarray(np.linalg.lstsq(rows, free.scale[:, None] * force, rcond=1e-12)[0])


def corner_warning(found: LinearSystem) -> str:
    """What to say where the state lies on a corner of a law; empty if it does not."""
    if not found.corners:
        return ""
    return f"response: the state {corner_words(found.corners)}; the response is that of growing elongations and rates"
