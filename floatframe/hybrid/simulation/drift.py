"""How far a run leaves its constraints by each way of keeping them, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from floatframe.arrays import Array, short_repr
from floatframe.errors import ModelError
from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import RUNGE_KUTTA_STAGES
from floatframe.hybrid.results import Results
from floatframe.hybrid.settings import ENFORCED, PROPOSED, Record, Settings
from floatframe.hybrid.simulation.integrators import DEFAULT_STEPS
from floatframe.hybrid.simulation.simulate import simulate, start_state
from floatframe.hybrid.simulation.stabilisation import Stabilisation
from floatframe.io import largest_drift

IMPLICIT = "generalised-alpha"
EXPLICIT_METHODS = tuple(RUNGE_KUTTA_STAGES)
ROUNDING = 1e-9  # share of a limit that it is known to
REPEATS, LONG = 3, 1.0  # runs that are timed, unless they take longer than that together [s]


@short_repr
@dataclass(frozen=True)
class DriftRun:
    """One way: its name, method, factors if it has such, and what a run by it said of itself."""

    name: str
    method: str
    factors: tuple[float, float] | None  # a, b [1/s]
    message: str  # why it did not come to its end, or nothing
    t: Array  # s
    drift: Array  # m, rad
    velocity_drift: Array  # m/s, rad/s
    bound: float | None  # of both, where they are known
    velocity_bound: float | None
    energy_error: float  # J, largest of the balance
    steps: int
    iterations: int  # of Newton's method
    seconds: float  # on the clock

    def row(self) -> dict[str, Any]:
        """As machines read it."""
        factors = (None, None) if self.factors is None else self.factors
        return {
            "name": self.name,
            "method": self.method,
            "a_per_s": factors[0],
            "b_per_s": factors[1],
            "largest_constraint_drift": _largest(self.drift),
            "largest_velocity_drift": _largest(self.velocity_drift),
            "constraint_drift_bound": self.bound,
            "velocity_drift_bound": self.velocity_bound,
            "energy_error_j": self.energy_error if np.isfinite(self.energy_error) else None,
            "step_count": self.steps,
            "iteration_count": self.iterations,
            "computing_time_s": self.seconds,
            "message": self.message,
        }


def compare_drift(
    system: CompiledSystem,
    settings: Settings,
    state: str = "start",
    show: Callable[[str], None] | None = None,
) -> tuple[DriftRun, ...]:
    """Run a system without stabilisation, with Baumgarte's, with proposed factors, by projection and on index 3.

    settings: an explicit method with a fixed step (default: rk4, 1/1000 of the run), and a stabilisation of the user's
    own that is one of those compared; show: gets the name of each.
    """
    if not system.nlambda:
        raise ModelError("drift: the model has no constraint rows, so nothing can drift; simulate it by any method")
    if settings.method not in ("auto", *RUNGE_KUTTA_STAGES):
        raise ModelError(
            f"drift: found method {settings.method}, expected one of {', '.join(RUNGE_KUTTA_STAGES)}; {IMPLICIT} is "
            "compared with it"
        )
    method = "rk4" if settings.method == "auto" else settings.method
    begin = start_state(system, state)
    step = settings.step or (settings.t_end - begin.t) / DEFAULT_STEPS
    plain = replace(settings, method=method, step=step, rtol=None, conserve=(), events=(), stabilisation=None)
    plain = replace(plain, velocity_constraints=True)
    own = settings.stabilisation
    ways: dict[str, Settings] = {"none": replace(plain, velocity_constraints=False)}
    limit = stable_factors(system, method, step)
    if limit is not None and 1.0 / step < (1.0 - ROUNDING) * limit:  # with euler rows of speeds would never return
        ways["a = b = 1/step"] = replace(plain, stabilisation=(1.0 / step, 1.0 / step))
    if own is not None and own != PROPOSED:
        ways["given"] = replace(plain, stabilisation=own)
    ways |= {
        "proposed": replace(plain, stabilisation=PROPOSED),
        "projection": plain,
        "index 3": replace(plain, method=IMPLICIT),
        "index 3, enforced": replace(plain, method=IMPLICIT, velocity_constraints=ENFORCED),
    }
    record = Record(every=step, channels=("energy.total",), coordinates=False)
    found = []
    for name, one in ways.items():
        if show is not None:
            show(name)
        first = replace(one, t_end=begin.t + 2.0 * step)
        simulate(system, begin, first, replace(record, every=None))  # what is compiled once is not measured
        result, seconds = _timed(lambda one=one: simulate(system, begin, one, record))  # type: ignore[misc]
        statistics = result.statistics
        limits = largest_drift(statistics)
        factors = result.meta.settings["stabilisation"]
        pair = isinstance(factors, list) and not isinstance(factors[0], list)
        found.append(
            DriftRun(
                name,
                one.method,
                (float(factors[0]), float(factors[1])) if pair else None,
                "" if result.status.ok else str(result.status),
                np.array(result.t),
                np.array(statistics["constraint_drift"]),
                np.array(statistics["velocity_drift"]),
                limits["constraint_drift_bound"],
                limits["velocity_drift_bound"],
                _largest(np.abs(statistics["energy_balance"])),
                int(statistics["steps"][-1]),
                int(statistics["iterations"][-1]),
                seconds,
            )
        )
    return tuple(found)


def _timed(run: Callable[[], Results]) -> tuple[Results, float]:
    """What a run returns, and its time on the clock [s]; the shortest of three where it is short."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < REPEATS and sum(seconds) < LONG):
        began = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - began)
    return result, min(seconds)


def stable_factors(system: CompiledSystem, method: str, step: float) -> float | None:
    """The largest stable a = b [1/s] of the rows of a system by an explicit method in steps [s]; None of others."""
    if method not in RUNGE_KUTTA_STAGES:
        return None
    return Stabilisation.fitting(system, (1.0, 1.0)).largest_pair(method, step)


def _largest(values: Array) -> float:
    return float(np.max(values)) if len(values) else np.nan
