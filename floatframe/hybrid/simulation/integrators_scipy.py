"""Solvers of SciPy and SUNDIALS behind the interface of `integrators`.

They integrate y = (q, v, z, work), z being state variables, by the index-1 equations, whose rows may be stabilised.
Records are brought onto the constraints; where a solver has drifted far from them, it restarts from the projected
state.
"""

# mypy: allow-untyped-calls
from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import MissingDependency
from floatframe.hybrid.assembly import CompiledSystem, State, mechanism_size
from floatframe.hybrid.kernels import (
    PAUSED,
    REACHED,
    SINGULAR,
    TASK_ACCELERATE,
    TOO_SMALL,
    Kept,
    Stabiliser,
    new_kept,
    new_stepping,
    new_work,
)
from floatframe.hybrid.settings import SIMULATE
from floatframe.hybrid.simulation import checkpoints
from floatframe.hybrid.simulation.contact_cuts import ContactCuts
from floatframe.hybrid.simulation.solvers import chosen_solver, order_for, with_solver
from floatframe.hybrid.simulation.stabilisation import Stabilisation

SCIPY_SOLVERS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")
SUNDIALS_SOLVERS = ("cvode", "ida")
OUTSIDE_METHODS = tuple(f"scipy:{name}" for name in SCIPY_SOLVERS) + tuple(f"sundials:{n}" for n in SUNDIALS_SOLVERS)
DEFAULT_RTOL = 1e-8
DRIFT = 1e3  # relative tolerances a solver may be off the constraints before it restarts, which costs many steps
ABSOLUTE = 1e-3  # absolute tolerance as a share of the relative one, as for rk45
ANY = 1e30  # J, absolute tolerance of the work done, which no step is made shorter for


class _Singular(Exception):
    """The mechanism is singular where a solver asked for accelerations."""


class Equations:
    """The equations of motion of a system as solvers want them."""

    def __init__(self, system: CompiledSystem, settings: Any, state: State) -> None:
        from floatframe.hybrid.kernels import kernel_of

        self.nq, self.nv, self.nz, self.nlambda = system.nq, system.nv, system.nz, system.nlambda
        self.tables, self.data = system.tables, system.data(state)
        solver = chosen_solver(system, settings.solver)
        self.work = with_solver(new_work(system.tables), system, solver, order_for(system, solver))
        self.s = new_stepping()
        self.places, self.slots = self.tables.states["memory"], self.tables.states["rate"]
        self.s.project = bool(settings.velocity_constraints)
        self.s.mechanism_size = mechanism_size(system.index, system.tables)
        self.stabiliser: Stabiliser | None = None  # a function that is called for accelerations
        if stabilisation := Stabilisation.of(system, settings.stabilisation):
            stabilisation.require_stable(settings.method, None)
            self.work, self.stabiliser = stabilisation.put(self.s, self.work)
        # solvers call very often, so the places of the arrays are looked up once
        self.accelerate = kernel_of(TASK_ACCELERATE).bound(self.tables, self.data, self.work, self.s)

    def _at(self, t: float, y: Array, settle: bool) -> int:
        self.s.time = t
        self.work.q[:] = y[: self.nq]
        self.work.v[:] = y[self.nq : self.nq + self.nv]
        self.data.memory[self.places] = y[self.nq + self.nv : -1]
        outcome = int(self.accelerate(settle))
        if self.stabiliser is not None:
            self.stabiliser.raise_failure("stabilisation")
        return outcome

    def rates(self, t: float, y: Array) -> Array:
        """dy/dt of y = (q, v, z, work)."""
        if self._at(t, y, settle=False) != REACHED:
            raise _Singular
        return np.concatenate((self.work.kq[0], self.work.x, self.data.slots[self.slots], [self.s.power]))

    def tolerances(self, rtol: float) -> Array:
        """Absolute tolerances of y."""
        sizes = np.concatenate((np.ones(self.nq + self.nv), self.tables.states["size"]))
        return np.append(ABSOLUTE * rtol * sizes, ANY)

    def settled(self, t: float, y: Array) -> tuple[int, Array]:
        """The outcome of bringing q and v of y onto the constraints, and the result."""
        outcome = self._at(t, y, settle=True)
        return outcome, np.concatenate((self.work.q, self.work.v, y[self.nq + self.nv :]))


class Solver(Protocol):
    """A solver on its way: one step at a time, with values inside the last step."""

    t: float

    def step(self) -> bool: ...
    def at(self, t: float) -> Array: ...


class SciPySolver:
    """A solver of scipy.integrate."""

    def __init__(self, name: str, equations: Equations, settings: Any, t: float, y: Array) -> None:
        import scipy.integrate

        rtol = settings.rtol or DEFAULT_RTOL
        largest = settings.step_max or np.inf
        kind = getattr(scipy.integrate, name)
        atol = equations.tolerances(rtol)
        self.solver = kind(equations.rates, t, y, settings.t_end, rtol=max(rtol, 2.3e-14), atol=atol, max_step=largest)
        self.t = t
        self.inside: Any = lambda _: y

    def step(self) -> bool:
        self.solver.step()
        self.t = float(self.solver.t)
        if self.solver.status == "failed":
            return False
        self.inside = self.solver.dense_output()
        return True

    def at(self, t: float) -> Array:
        return np.asarray(self.inside(t))


class SundialsSolver:
    """CVODE or IDA of SUNDIALS."""

    def __init__(self, name: str, equations: Equations, settings: Any, t: float, y: Array) -> None:
        package = _sundae(name)
        rtol = settings.rtol or DEFAULT_RTOL
        options = {"rtol": rtol, "atol": equations.tolerances(rtol), "max_step": settings.step_max or 0.0}

        def rates(t: float, y: Array, out: Array) -> None:
            out[:] = equations.rates(t, y)

        def residual(t: float, y: Array, rate: Array, out: Array) -> None:
            out[:] = rate - equations.rates(t, y)

        self.t, self.t_end, self.y, self.size = t, settings.t_end, y, len(y)
        if name == "cvode":
            self.solver = package.CVODE(rates, **options)
            self.solver.init_step(t, y)
        else:
            self.solver = package.IDA(residual, **options)
            self.solver.init_step(t, y, equations.rates(t, y))

    def step(self) -> bool:
        found = self.solver.step(self.t_end, method="onestep", tstop=self.t_end)
        self.t, self.y = float(np.ravel(found.t)[-1]), np.ravel(found.y)[: self.size].copy()
        return bool(found.success)

    def at(self, t: float) -> Array:
        return self.y if t == self.t else np.ravel(self.solver.step(t).y)[: self.size]


def _sundae(name: str) -> Any:
    try:
        return importlib.import_module(f"sksundae.{name}")
    except ImportError as error:
        raise MissingDependency(
            f"simulate: the method 'sundials:{name}' needs SUNDIALS. Install it: pip install 'floatframe[sundials]'"
        ) from error


class Outside:
    """An integrator of `simulate` around a solver that is not ours."""

    fixed_step: float | None = None  # steps are always controlled
    begins_with_start = False

    def __init__(self, system: CompiledSystem, settings: Any, state: State) -> None:
        _refuse(system, settings)
        self.settings = settings
        self.family, _, self.name = settings.method.partition(":")
        self.start_time, self.steps, self.last_h, self.restarts = state.t, 0, 0.0, 0
        self.y = np.zeros(1)
        self.go_on(system, state)

    def state(self) -> State:
        """The state accepted last."""
        return State(self.t, *self._split(), self._memory())

    def _split(self) -> tuple[Array, Array]:
        """Coordinates and speeds of y."""
        nq, nv = self.equations.nq, self.equations.nv
        return self.y[:nq], self.y[nq : nq + nv]

    def _memory(self) -> Array:
        """The memory with the state variables of y."""
        memory = self.data.memory.copy()
        memory[self.equations.places] = self.y[self.equations.nq + self.equations.nv : -1]
        return memory

    def go_on(self, system: CompiledSystem, state: State) -> None:
        """Go on from a state, with the constraint rows of `system`."""
        self.system, self.equations = system, Equations(system, self.settings, state)
        self.data, self.work = self.equations.data, self.equations.work
        states = state.memory[self.equations.places]
        self.t, self.y = state.t, np.concatenate((state.q, state.v, states, self.y[-1:]))
        self.x, self.lam = np.zeros(system.nv), np.zeros(system.nlambda)
        self._accept(self.t, self.y)
        self._begin()

    def _begin(self) -> None:
        kind = SciPySolver if self.family == "scipy" else SundialsSolver
        self.solver: Solver = kind(self.name, self.equations, self.settings, self.t, self.y)

    def _accept(self, t: float, y: Array) -> int:
        """Make y, brought onto the constraints, the state reached, if that can be done."""
        outcome, settled = self.equations.settled(t, y)
        if outcome == REACHED:
            self.t, self.y, self.x, self.lam = t, settled, self.work.x.copy(), self.work.lam.copy()
        return outcome

    def record_now(self) -> Kept:
        """The state accepted last."""
        e = self.equations
        kept = new_kept(1, e.nq, e.nv, e.nlambda, len(self.data.memory))
        counters = (self.steps, 0, e.s.evaluations, self.restarts, 0, self.last_h, self.y[-1], 0, 0, 0, 0)
        here = (self.t, *self._split(), self.x, self.lam, self._memory(), counters)
        for target, value in zip(kept, here, strict=True):
            target[0] = value
        return kept

    def run(self, times: Array, size: int, steps: float = np.inf, every_step: bool = False) -> tuple[Kept, int]:
        """Advance to each of the times, or as far as the number of steps allows; the outcome is then PAUSED.

        With `every_step`, up to `size` steps towards the only time, keeping each.
        """
        records: list[Kept] = []
        last_step = self.steps + steps
        outcome = REACHED
        targets = [self.settings.t_end] * size if every_step else list(times)
        for t_end in targets:
            outcome = self._step() if every_step else self._advance(float(t_end), last_step)
            if outcome != REACHED:
                break
            records.append(self.record_now())
            if self.t >= self.settings.t_end:
                break
        if not records:
            return self.record_now().first(0), outcome
        return Kept(*(np.concatenate(parts) for parts in zip(*records, strict=True))), outcome

    def _advance(self, t_end: float, last_step: float) -> int:
        while self.solver.t < t_end:
            if self.steps >= last_step:
                return PAUSED
            outcome = self._step()
            if outcome != REACHED:
                return outcome
        return self._accept(t_end, self.solver.at(t_end))

    def _step(self) -> int:
        """One step of the solver."""
        before = self.solver.t
        try:
            if not self.solver.step():
                return TOO_SMALL
        except _Singular:
            return SINGULAR
        self.steps += 1
        self.last_h = self.solver.t - before
        y = self.solver.at(self.solver.t)
        outcome = self._accept(self.solver.t, y)
        allowed = DRIFT * (self.settings.rtol or DEFAULT_RTOL) * (1.0 + np.abs(y))  # the work is not projected
        if outcome == REACHED and self.settings.velocity_constraints and np.any(np.abs(self.y - y) > allowed):
            self.restarts += 1
            self._begin()
        return outcome

    def where(self) -> tuple[float, float, int]:
        return self.t, self.last_h, self.steps

    def rejected(self) -> int:
        """Steps that were tried and not taken; external solvers do not report them."""
        return 0

    def event_found(self) -> int:
        return 0

    def unsettled(self) -> bool:
        """Records have the accelerations and reactions of their states already."""
        return False

    def contact_cuts(self) -> ContactCuts:
        """None: the solvers see to their steps themselves."""
        return ContactCuts()

    def carried(self) -> dict[str, Any]:
        """The state reached; the solver's own memory is lost, so a resumed run agrees within its tolerance only."""
        numbers = np.array([self.start_time, self.t, self.steps, self.last_h, self.restarts])
        return {"y": self.y, "numbers": numbers, "memory": self._memory()}

    def restore(self, content: Mapping[str, Any]) -> None:
        start, t, steps, last_h, restarts = checkpoints.numbers(content, "numbers", (5,)).tolist()
        memory = checkpoints.numbers(content, "memory", self.data.memory.shape)
        y = checkpoints.numbers(content, "y", self.y.shape)
        if not np.isfinite((start, t, steps, last_h, restarts)).all() or not start <= t:
            raise checkpoints.damaged("its time is not one")
        self.start_time, self.steps, self.last_h, self.restarts = start, int(steps), last_h, int(restarts)
        self.data.memory[:] = memory
        self._accept(t, y)
        self._begin()


def _refuse(system: CompiledSystem, settings: Any) -> None:
    """Refuse what only our own methods can do."""
    found = (
        ("events", "events", bool(settings.events)),
        ("step", "fixed step", settings.step is not None),
        ("method", "friction that sticks", bool(np.any(system.tables.forces["memory"] >= 0))),
    )
    for option, what, present in found:
        if present:
            raise SIMULATE.at(option).error(
                f"{settings.method} does not support {what}; use generalised-alpha or dop853, or leave it out"
            )
