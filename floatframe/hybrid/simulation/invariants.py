"""Invariants that a run keeps: energy, momentum, angular momentum, or any expression that the motion leaves as it is.

What is no invariant must not be held: states about the start, with other speeds and state variables and at other times
of the run, show by how much it would change. Energy is refused with every law of time, also where it acts for a moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError, Where
from floatframe.expressions import Expression, parse
from floatframe.hybrid.assembly import CompiledSystem, State, extents, spread
from floatframe.hybrid.compile import Additions, add_program, extended
from floatframe.hybrid.flat import RATE, VALUE, FlatModel
from floatframe.hybrid.kernels import (
    INVARIANT_ANGULAR_MOMENTUM,
    INVARIANT_ENERGY,
    INVARIANT_EXPRESSION,
    INVARIANT_MOMENTUM,
    TASK_INVARIANTS,
    new_stepping,
    new_work,
    room_for_invariants,
)
from floatframe.hybrid.settings import SIMULATE
from floatframe.wording import did_you_mean

MOMENTA = {"momentum": INVARIANT_MOMENTUM, "angular_momentum": INVARIANT_ANGULAR_MOMENTUM}
NAMES = ("energy", *MOMENTA, *(f"{name}.{axis}" for name in MOMENTA for axis in "xyz"))
LOOKED_AT = 8  # states
AT_REST = 1e-9  # 1/s: a state that does not move shows nothing
NEAR = 0.1  # of the extents of the dofs: how far they are from the start
MOMENT = 1e-4  # over the rate of the motion: s, for differences
CHANGING = 1e-5  # of its terms, over the rate of the motion: a change that is not left by differences


@dataclass(frozen=True)
class Invariant:
    """One number to keep: its name, its kind, and its component or the number of its program."""

    name: str
    kind: int
    index: int


def with_invariants(system: CompiledSystem, conserve: Sequence[str]) -> tuple[CompiledSystem, tuple[Invariant, ...]]:
    """The system with the programs of invariants that are expressions, and all invariants as single numbers."""
    if not conserve:
        return system, ()
    added = Additions.behind(system.index, system.tables)
    found: list[Invariant] = []
    for number, name in enumerate(conserve):
        base, _, axis = name.partition(".")
        if name == "energy":
            found.append(Invariant(name, INVARIANT_ENERGY, 0))
        elif base in MOMENTA and axis in ("", "x", "y", "z"):
            axes = (axis,) if axis else ("x", "y", "z")
            found += [Invariant(f"{base}.{one}", MOMENTA[base], "xyz".index(one)) for one in axes]
        else:
            found.append(Invariant(name, INVARIANT_EXPRESSION, _program(added, name, number)))
    index, tables = extended(system.index, system.tables, added)
    return replace(system, index=index, tables=tables), tuple(found)


def _program(added: Additions, name: str, number: int) -> int:
    where = Where(f"conserve '{name}'", SIMULATE.subject, f"conserve.{number}")
    try:
        return add_program(added, parse(name, where=where), {})
    except FloatframeError as error:
        if not name.isidentifier():
            raise
        raise SIMULATE.at("conserve").error(
            f"'{name}' does not exist{did_you_mean(name, NAMES)}", missing=name
        ) from error


def require_invariants(system: CompiledSystem, invariants: Sequence[Invariant], state: State, t_end: float) -> None:
    """Refuse what the motion of a system changes until t_end [s]."""
    if not invariants:
        return
    if any(one.kind == INVARIANT_ENERGY for one in invariants) and (driven := _driven(system.model)):
        raise SIMULATE.at("conserve").error(
            f"'energy' is not conserved by this model: {driven} follows time, states or blocks, and so does work; "
            "leave it out"
        )
    measure = _Measure(system, invariants, state)
    own = extents(system, spread(system))
    rng = np.random.default_rng(2)  # any states will do, but always the same
    for number in range(LOOKED_AT):
        # a drive may begin slowly, and does no work then: later times show it
        later = replace(state, t=state.t + rng.uniform() * (t_end - state.t))
        here = state if number == 0 else _beside(system, later, own, rng)
        x, _ = system.accelerations(here)
        rate = max(float(np.max(np.abs(here.v) / own)), float(np.sqrt(np.max(np.abs(x) / own))))
        if rate < AT_REST:
            continue
        step = MOMENT / rate
        after, before = (measure(system, here, x, sign * step) for sign in (1.0, -1.0))
        change = (after - before) / (2.0 * step)
        size = measure.sizes(here, rate * own)
        for one, speed, scale in zip(invariants, change, size, strict=True):
            if abs(speed) > CHANGING * rate * scale:
                raise SIMULATE.at("conserve").error(
                    f"'{one.name}' is not conserved by this model: near its start, at t = {here.t:.3g} s, it "
                    f"changes by {speed:.3g} per second, by a force, a drive, damping, gravity or the ground; leave it "
                    "out"
                )


def _driven(model: FlatModel) -> Where | None:
    """A relation of places, a joint or a force that follows time or what is beside the mechanics, else None."""
    outside = {"t"} | {one.name + end for one in model.kept for end in ("", VALUE, RATE)}
    laws = {name: signal.value for signal in model.signals for name in (signal.name, signal.name + VALUE)}
    while new := {name for name, law in laws.items() if law.names & outside} - outside:
        outside |= new
    laws_of: list[tuple[str, Where, Iterable[Expression]]] = [
        *((one.name, one.where, filter(None, one.driven)) for one in model.joints),
        *((one.name, Where.of("joint", one.name, "relation"), (one.value,)) for one in model.relations),
        *((one.name, one.where, (row.law for row in one.rows if not row.of_speeds)) for one in model.constraints),
        *((one.name, one.where, one.expressions.values()) for one in model.forces),
    ]
    for name, where, used in laws_of:
        if name not in model.idle | model.off and any(law.names & outside for law in used):
            return where
    return None


def _beside(system: CompiledSystem, state: State, own: Array, rng: np.random.Generator) -> State:
    """A state near another, with other states and speeds of any direction that the constraints allow there."""
    memory, states = state.memory.copy(), system.tables.states
    memory[states["memory"]] += states["size"] * rng.uniform(-1.0, 1.0, len(states))
    moved = system.move(replace(state, memory=memory), NEAR * own * rng.uniform(-1.0, 1.0, system.nv))
    v = own * rng.uniform(-1.0, 1.0, system.nv) + state.v
    if system.nlambda:
        G = system.constraint_jacobian(moved)
        rate = system.evaluation(moved)(moved.t, moved.q, 0).data.rows["rate"]
        M = system.mass_matrix(moved)
        W = np.linalg.pinv(M)
        v = v - W @ G.T @ np.linalg.lstsq(G @ W @ G.T, G @ v + rate, rcond=1e-10)[0]
    return State(moved.t, moved.q, v, moved.memory)


class _Measure:
    """Values of invariants at states."""

    def __init__(self, system: CompiledSystem, invariants: Sequence[Invariant], state: State) -> None:
        self.tables, self.data, self.s = system.tables, system.data(state), new_stepping()
        self.work = room_for_invariants(new_work(system.tables), [(one.kind, one.index) for one in invariants])

    def at(self, t: float, q: Array, v: Array) -> Array:
        from floatframe.hybrid.kernels import do

        self.s.time = t
        self.work.q[:], self.work.v[:] = q, v
        do(TASK_INVARIANTS, self.tables, self.data, self.work, self.s)
        return np.array(self.work.invariants["wanted"])

    def __call__(self, system: CompiledSystem, state: State, x: Array, step: float) -> Array:
        """Where the motion from a state leads in a short time [s], or comes from."""
        # of second order in the displacement: speeds change on the way
        moved = system.move(state, step * state.v + 0.5 * step**2 * x)
        return self.at(state.t + step, moved.q, state.v + step * x)

    def sizes(self, state: State, speeds: Array) -> Array:
        """Of the terms that the invariants are made of (m,): by how much they differ with speeds (nv,) of each dof."""
        here, still = (self.at(state.t, state.q, v) for v in (state.v, np.zeros_like(state.v)))
        terms = np.abs(here) + np.abs(still)
        for k, speed in enumerate(speeds):
            v = np.zeros_like(state.v)
            v[k] = speed
            terms = np.maximum(terms, np.abs(self.at(state.t, state.q, v) - still))
        return terms + 1e-12
