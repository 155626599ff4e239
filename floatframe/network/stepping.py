"""Steps in time: Newton's method from an explicit prediction, the local error, and the length of the next step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.network.equations import Equations
from floatframe.network.schemes import Past, Scheme, Stormer, first_past, scheme_of, settled
from floatframe.network.settings import RTOL, NetworkSettings

SAFETY = 0.8  # c of the step rules
MOST_GROWTH = 10.0  # of a step; only errors of nearly nothing ask for more
FIRST = 1e-6  # share of the run that the first of controlled steps takes unless one is given
SETTLING = 1e-3  # share of the first step that each of two starting steps takes
SHORTEST = 1e-14  # share of the run
NEWTON_SHARE = 1e-3  # of the tolerance of a step that iterations may leave
FIXED_NEWTON = 1e-9  # relative, where steps are fixed
MOST_ROUNDING = 1e3  # times what ends the iterations: changes of that size may be rounding


class Attempt(NamedTuple):
    """A step that was tried: its end, whether it was accepted, and why not."""

    t: float
    h: float
    y: Array  # (3, n + 1) at its end; where iterations failed, the last ones
    predicted: Array  # (n + 1,) explicit v
    error: float  # local error over its tolerance
    iterations: int
    accepted: bool
    alpha: Array


@dataclass
class Counters:
    """What a run has done so far."""

    steps: int = 0
    iterations: int = 0
    rejected: int = 0
    halved: int = 0


@dataclass
class Stepper:
    """A network on its way through time."""

    equations: Equations
    settings: NetworkSettings
    past: Past
    h: float  # to be tried next
    counters: Counters = field(default_factory=Counters)

    def __post_init__(self) -> None:
        self.scheme: Scheme = scheme_of(self.settings.method, self.settings.spectral_radius)
        self.first = True
        network = self.equations.network
        self._groups, self._small = network.groups, network.small
        self.largest = np.zeros(int(self._groups.max(initial=-1)) + 1)  # potentials so far, by physics

    @classmethod
    def begun(cls, equations: Equations, settings: NetworkSettings, t: float = 0.0) -> Stepper:
        """At the start of a run."""
        span = settings.t_end - t
        h = settings.step or settings.first_step or min(settings.step_max or math.inf, FIRST * span)
        stepper = cls(equations, settings, first_past(t, equations.network.start.copy()), min(h, span))
        if stepper.scheme.settles:
            stepper._settle(stepper.h * SETTLING)
        return stepper

    def _settle(self, h: float) -> None:
        """Find accelerations by two short steps; the first also finds the potentials that nothing stores."""
        chosen, self.scheme = self.scheme, Stormer()
        for _ in range(2):
            attempt = self.tried(h)
            if not math.isfinite(attempt.error):
                raise self._failed(h)
            self.past = self.past.after(attempt.t, attempt.y, attempt.alpha)
        self.past, self.scheme = settled(self.past), chosen

    def attempt(self, longest: float = math.inf) -> Attempt:
        """Try one step, at most so long, and take it or prepare a shorter one."""
        h = min(self.h, longest)
        attempt = self.tried(h)
        self.counters.iterations += attempt.iterations
        fixed = self.settings.step
        if not math.isfinite(attempt.error):
            self.h = 0.5 * h
            self.counters.halved += 1
            if self.h < (self.settings.step_min or SHORTEST * self.settings.t_end):
                raise self._failed(self.h)
            return attempt
        if fixed is None and not self.first and attempt.error > 1.0:
            self.counters.rejected += 1
            self.h = max(self.next_step(h, attempt.error), self.settings.step_min or SHORTEST * self.settings.t_end)
            if self.h >= h:
                raise self._failed(h)
            return attempt
        self.take(attempt)
        if fixed is not None:
            self.h = min(fixed, 2.0 * self.h)
        elif h == self.h or attempt.error > 1.0:
            # the first step says nothing about the next, which is as long
            self.h = min(h if self.counters.steps == 1 else self.next_step(h, attempt.error), self._longest)
        return attempt._replace(accepted=True)

    def take(self, attempt: Attempt) -> None:
        """Go to the end of a step."""
        self.past = self.past.after(attempt.t, attempt.y, attempt.alpha)
        self.first = False
        self.counters.steps += 1

    def tried(self, h: float) -> Attempt:
        """Newton's method for one step; an error of infinity says that it failed."""
        past, equations, n = self.past, self.equations, self.equations.n
        t = past.t + h
        x0, cx, a0, ca = self.scheme.formulas(past, h)
        predicted = self.scheme.predicted(past, h)
        v = predicted.copy()
        y = np.empty((3, n + 1))
        tolerance, sizes, flows = self._tolerances()
        before, failed = math.inf, True
        count = 0
        for count in range(1, self.settings.iterations + 1):  # noqa: B007
            y[0], y[1], y[2] = x0 + cx * v, v, a0 + ca * v
            residual, outs = equations.residual(y, t)
            if not np.isfinite(residual).all():
                break
            change = equations.solver(y, t, outs, cx, ca)(-residual)
            v[:n] += change
            if not np.isfinite(change).all():
                break
            balanced = flows is None or bool((np.abs(residual) <= flows).all())
            size = float((np.abs(change) / self._allowed(tolerance, sizes, v[:n])).max(initial=0.0))
            # changes that no longer shrink are rounding
            settled_down = size <= 1.0 or (size <= MOST_ROUNDING and size > 0.5 * before)
            before = size
            if equations.constant or (balanced and settled_down):
                failed = False
                break
        y[0], y[1], y[2] = x0 + cx * v, v, a0 + ca * v
        error = math.inf
        if not failed:
            np.maximum.at(self.largest, self._groups, np.abs(v[:n]))
            error = self.scheme.error_share * float((np.abs(predicted - v)[:n] / tolerance).max(initial=0.0))
        return Attempt(t, h, y, predicted, error, count, False, self.scheme.alpha(past, h, v))

    def _tolerances(self) -> tuple[Array, Array, float | None]:
        """Of the local error (n,), sizes of the unknowns so far (n,), and of flows."""
        settings = self.settings
        np.maximum.at(self.largest, self._groups, np.abs(self.past.y[1, :-1]))
        sizes = self.largest[self._groups]
        atol = self._small if settings.atol is None else settings.atol
        rtol = RTOL if settings.rtol is None and settings.atol is None else settings.rtol or 0.0
        tolerance = atol + rtol * sizes
        return np.broadcast_to(tolerance, sizes.shape), sizes, settings.newton_flow

    def _allowed(self, tolerance: Array, sizes: Array, v: Array) -> Array:
        """Changes (n,) that end the iterations."""
        if self.settings.newton_potential is not None:
            return np.full(len(sizes), self.settings.newton_potential)
        if self.settings.step is not None:
            return FIXED_NEWTON * (self._small + np.maximum(sizes, np.abs(v)))
        return NEWTON_SHARE * tolerance

    @property
    def _longest(self) -> float:
        return self.settings.step_max or math.inf

    def next_step(self, h: float, error: float) -> float:
        """The step that follows from a local error, by the rule that was chosen."""
        ratio = 1.0 / error if error > 0.0 else math.inf
        power = 1.0 / (self.scheme.order + 1.0)
        if self.settings.step_rule == "2.23":
            power *= 2.0 if ratio < 0.25 else 0.5 if ratio > 7.0 else 1.0
        growth = SAFETY * ratio**power if math.isfinite(ratio) else MOST_GROWTH
        return h * min(growth, MOST_GROWTH)

    def _failed(self, h: float) -> NotConverged:
        y, t = self.past.y, self.past.t
        residual, _ = self.equations.residual(y, t)
        bad = np.flatnonzero(~np.isfinite(residual))
        worst = int(bad[0]) if len(bad) else int(np.argmax(np.abs(residual))) if len(residual) else 0
        name = self.equations.names[worst] if len(residual) else ""
        why = "evaluates to NaN" if len(bad) else "cannot be balanced"
        return NotConverged(
            f"The steps became shorter than {h:.2g} s at t = {t:.6g} s: what flows at '{name}' {why}; look for a law "
            "with a jump, or raise rtol or iterations."
        )
