"""The methods compared, and the tolerances and steps that they are run with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.precision.measure import Point
from floatframe.hybrid.kernels import MULTI_STEP_FORMULAS
from floatframe.hybrid.simulation.integrators import ONE_STEP_METHODS
from floatframe.hybrid.simulation.methods import INSIDE_METHODS

LARGEST, SMALLEST = 1e-2, 1e-9  # errors that diagrams span
FINEST = 1e-14  # tolerance
MOST_STEPS = 4_000_000
GROWTH = 1.5  # least time of a run over that of the one before
WORSE = 8  # settings in a row without a smaller error end a curve
LEFT_OUT = ("bdf1",)  # first order
FIXED = ("rk4", *MULTI_STEP_FORMULAS)  # methods that take steps only
OUTSIDE = ("scipy:DOP853", "scipy:Radau", "scipy:LSODA", "sundials:cvode", "sundials:ida")


@dataclass(frozen=True)
class Method:
    """A method with controlled or fixed steps; `name` is what `simulate` takes."""

    name: str
    controlled: bool

    @property
    def label(self) -> str:
        both = self.name in ONE_STEP_METHODS
        return f"{self.name}, {'rtol' if self.controlled else 'step'}" if both else self.name

    @property
    def ours(self) -> bool:
        return ":" not in self.name

    def given(self, setting: float) -> dict[str, Any]:
        """Settings of a run with a tolerance or a step [s]."""
        return {"method": self.name, "rtol" if self.controlled else "step": setting}


def ours() -> list[Method]:
    """Every method of the package, by controlled steps where it has them; one-step methods by fixed steps too."""
    names = ("auto", *INSIDE_METHODS)
    found = [Method(name, True) for name in names if name not in FIXED]
    found += [Method(name, False) for name in names if name in FIXED or name in ONE_STEP_METHODS]
    return [method for method in found if method.name not in LEFT_OUT]


def outside() -> list[Method]:
    return [Method(name, True) for name in OUTSIDE]


def settings(method: Method, t_end: float, coarsest: float) -> Iterator[float]:
    """Tolerances by decades, or steps halved, from coarse to fine."""
    if method.controlled:
        rtol = 0.3
        while rtol > FINEST:
            yield rtol
            rtol /= 10.0
    else:
        steps = t_end / coarsest
        while steps < MOST_STEPS:
            yield t_end / round(steps)
            steps *= 2.0


def curve(run: Callable[[float], Point | None], tried: Iterable[float], limit: float) -> list[Point]:
    """Runs from coarse to fine, until the error is below all that is shown or stays, or one takes `limit` [s]."""
    found: list[Point] = []
    worse = 0
    for setting in tried:
        point = run(setting)
        if point is None:
            if found:
                break
            continue  # too coarse to come to the end
        worse = 0 if not found or point.error < min(one.error for one in found) else worse + 1
        found.append(point)
        if point.error < 0.3 * SMALLEST or worse >= WORSE or GROWTH * point.seconds > limit:
            break
    return found
