"""A compiled system without its studies: immutable flat arrays and the calls that evaluate them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from floatframe.arrays import Array, frozen
from floatframe.errors import ModelError
from floatframe.hybrid.assembly.consistent import initial_state, workspace
from floatframe.hybrid.assembly.state import Evaluation, State
from floatframe.hybrid.compile import SystemIndex
from floatframe.hybrid.description import Description
from floatframe.hybrid.flat import FlatModel
from floatframe.hybrid.kernels import Data, Elimination, Tables, order_of
from floatframe.wording import did_you_mean

REGULAR = 1e10  # condition of a matrix that is far from singular


@dataclass(frozen=True)
class Redundant:
    """A constraint row that follows from the others: the joint it belongs to and its number there, from 1."""

    joint: str
    row: int


@dataclass(frozen=True)
class CompiledSystem:
    """The arrays of a system; evaluations write into a workspace of their own and return fresh arrays."""

    index: SystemIndex = field(repr=False)  # where bodies, joints and rows of the model are in the tables
    tables: Tables
    row_numbers: tuple[int, ...]  # the rows kept, as numbers of all rows of the index
    redundant: tuple[Redundant, ...]
    start: State = field(repr=False)
    description: Description | None = field(default=None, repr=False)  # what it was compiled from
    start_doubts: tuple[str, ...] = field(default=(), repr=False)  # what to warn of about the start

    def __repr__(self) -> str:
        model = self.model
        relations = (*model.relations, *model.constraints)
        counts = {"bodies": model.bodies, "joints": model.joints, "relations": relations, "forces": model.forces}
        words = [f"{len(things)} {what}" for what, things in counts.items() if things]
        return (
            f"{type(self).__name__}({model.name!r}: {', '.join(words)}; nq={self.nq}, nv={self.nv}, "
            f"nlambda={self.nlambda})"
        )

    @property
    def model(self) -> FlatModel:
        """What was compiled."""
        return self.index.model

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.start.q)

    @property
    def nv(self) -> int:
        """Number of speeds; attitudes as quaternions have one coordinate more."""
        return len(self.tables.dofs)

    @property
    def nz(self) -> int:
        """Number of state variables."""
        return len(self.tables.states)

    @property
    def nlambda(self) -> int:
        """Number of constraint rows."""
        return len(self.tables.rows)

    @property
    def ndof(self) -> int:
        """Number of dofs that remain after the constraints."""
        return self.nv - self.nlambda

    @cached_property
    def order(self) -> Elimination | None:
        """How steps solve for accelerations along the tree; None if they do so by dense equations."""
        return order_of(self.tables)

    def data(self, state: State | None = None) -> Data:
        """A workspace with the memory of a state."""
        memory = self.start.memory if state is None else state.memory
        return workspace(self.index, self.tables, memory)

    def initial_state(self, t: float | None = None) -> State:
        """The start state, consistent with the joints; t: with motions in time as they are at this time [s]."""
        if t is None:
            return self.start
        return initial_state(self.index, self.tables, t, self.row_names)

    @property
    def row_names(self) -> tuple[str, ...]:
        """The joint or relation of every row."""
        return tuple(self.index.rows.names[k] for k in self.row_numbers)

    def evaluation(self, state: State | None = None) -> Evaluation:
        """The kernels on a workspace of their own."""
        return Evaluation(self.tables, self.data(state))

    def mass_matrix(self, state: State) -> Array:
        """Mass matrix (nv, nv) in the velocity coordinates."""
        from floatframe.hybrid.kernels import MASS

        return self.evaluation(state)(state.t, state.q, MASS).M

    def inertia_forces(self, state: State) -> Array:
        """The vector k (nv,) of M a + k = f + G^T lam: gyroscopic, centrifugal and Coriolis forces."""
        from floatframe.hybrid.kernels import INERTIA, VELOCITY

        weightless = Evaluation(self.tables._replace(gravity=np.zeros(3)), self.data(state))
        return weightless(state.t, state.q, VELOCITY | INERTIA, state.v).residual

    def forces(self, state: State) -> Array:
        """Generalised forces f (nv,): gravity, elastic and damping forces, force elements."""
        from floatframe.hybrid.kernels import ALL_FORCES

        total = self.evaluation(state)(state.t, state.q, ALL_FORCES, state.v).residual
        return self.inertia_forces(state) - total

    def applied_forces(self, state: State) -> Array:
        """Those of the generalised forces f (nv,) that gravity has no part in; no rounding of large weights in them."""
        from floatframe.hybrid.kernels import APPLIED, ELASTIC, VELOCITY

        return -self.evaluation(state)(state.t, state.q, VELOCITY | ELASTIC | APPLIED, state.v).residual

    def residual(self, state: State, acceleration: Array, reactions: Array) -> Array:
        """M a + k - f - G^T lam (nv,)."""
        from floatframe.hybrid.kernels import ALL_FORCES

        return self.evaluation(state)(state.t, state.q, ALL_FORCES, state.v, acceleration, reactions).residual

    def constraints(self, state: State) -> Array:
        """Values g (nlambda,) of the constraint rows; zero where the joints are closed."""
        return np.array(self.evaluation(state)(state.t, state.q, 0).data.rows["value"])

    def constraint_jacobian(self, state: State) -> Array:
        """G (nlambda, nv): derivatives of the constraint rows by the tangent coordinates."""
        from floatframe.hybrid.kernels import JACOBIAN

        return self.evaluation(state)(state.t, state.q, JACOBIAN).G

    def accelerations(self, state: State) -> tuple[Array, Array]:
        """Accelerations (nv,) and multipliers lam (nlambda,) at a consistent state."""
        return accelerations_in(self.moving(state))

    def moving(self, state: State, now: Evaluation | None = None) -> Evaluation:
        """All that decides the accelerations at a state, evaluated; now: on this workspace, which has its memory."""
        from floatframe.hybrid.kernels import ALL_FORCES, CONVECTIVE, JACOBIAN, MASS

        now = self.evaluation(state) if now is None else now
        return now(state.t, state.q, ALL_FORCES | MASS | JACOBIAN | CONVECTIVE, state.v)

    def state_rates(self, state: State) -> Array:
        """Rates (nz,) of the state variables."""
        from floatframe.hybrid.kernels import APPLIED, VELOCITY

        return self.evaluation(state)(state.t, state.q, VELOCITY | APPLIED, state.v).rates

    def values(self, state: State) -> dict[str, float]:
        """The values of the state variables by name."""
        found = state.memory[self.tables.states["memory"]]
        return {one.name: float(value) for one, value in zip(self.model.states, found, strict=True)}

    def with_values(self, state: State, values: Mapping[str, float]) -> State:
        """A state in which state variables have other values, by name."""
        memory = state.memory.copy()
        for name, value in values.items():
            if name not in self.index.numbers.states:
                near = did_you_mean(name, self.index.numbers.states)
                raise ModelError(f"state '{name}' does not exist{near}", missing=name)
            memory[self.index.numbers.states[name]] = float(value)
        return State(state.t, state.q, state.v, memory)

    def move(self, state: State, step: Array) -> State:
        """The state moved along a tangent vector (nv,): lengths and angles add, attitudes turn."""
        q = self.evaluation(state).moved(state.q, step)
        return State(state.t, q, state.v, state.memory)


def accelerations_in(now: Evaluation) -> tuple[Array, Array]:
    """Accelerations (nv,) and multipliers lam (nlambda,) of what `CompiledSystem.moving` evaluated."""
    return solve_constrained(now.M, now.G, -now.residual, -now.data.rows["convective"])


@cache
def _without_pattern(n: int) -> Array:
    return frozen(np.sin(np.arange(1.0, n + 1.0) ** 2))


def solve_constrained(M: Array, G: Array, force: Array, motion: Array) -> tuple[Array, Array]:
    """x and lam with M x - G^T lam = force, G x = motion; minimum-norm lam where rows are dependent."""
    nv, nl = len(M), len(G)
    K = np.zeros((nv + nl, nv + nl))
    K[:nv, :nv] = M
    K[:nv, nv:] = -G.T
    K[nv:, :nv] = G
    rhs = np.concatenate((force, motion))
    solution = np.linalg.solve(K, rhs) if nl == 0 else _solved(K, rhs)
    return solution[:nv], solution[nv:]


def _solved(K: Array, rhs: Array) -> Array:
    """The solution of K x = rhs, the smallest one where K is singular.

    A second right-hand side without any pattern shows how far K is from that; smallest solutions take ten times longer.
    """
    probe = _without_pattern(len(K))
    with suppress(np.linalg.LinAlgError):
        x, answer = np.linalg.solve(K, np.array((rhs, probe)).T).T
        # products of arrays with themselves: norms take longer than the solution of a small system
        if np.vdot(K, K) * (answer @ answer) < REGULAR**2 * (probe @ probe):
            return np.ascontiguousarray(x)
    return np.asarray(np.linalg.lstsq(K, rhs, rcond=1e-14)[0])
