"""Steps in time: Newton's method from an explicit prediction, the local error, and the length of the next step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.network.equations import Equations
from floatframe.network.kernels import (
    CALM,
    FALLS,
    FIRST,
    FIXED_NEWTON,
    LEAP,
    LEFT_BEHIND,
    MOST_GROWTH,
    MOST_LEAPS,
    MOST_ROUNDING,
    NEWTON_SHARE,
    OFF_GRID,
    PATIENT,
    ROUNDING,
    SAFETY,
    SETTLING_SHARE,
    SHORTEST,
    SILENT,
)
from floatframe.network.schemes import BDF2, Past, Scheme, first_past, scheme_of, settled
from floatframe.network.settings import NetworkSettings
from floatframe.network.switches import Switches


class Attempt(NamedTuple):
    """A step that was tried: its end, whether it was accepted, and why not."""

    t: float
    h: float
    y: Array  # (3, n + 1) at its end; where iterations failed, the last ones
    predicted: Array  # (n + 1,) explicit v
    error: float  # local error over its tolerance
    stored_error: float  # the same of what stores something alone
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
    leaps: int = 0  # accepted with an error above the tolerance, since something jumped


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
        # displacements and velocities of potentials so far (2, number of groups), by physics
        self.largest = np.zeros((2, int(self._groups.max(initial=-1)) + 1))
        self._controlled = self.settings.step is None
        self.by_speed, self.by_place = self.equations.storing(self.past.y, self.past.t)
        self.switches = Switches(network)
        self._refused: tuple[float, float] | None = None  # error and length of what this step was tried with first
        self._silent = 0  # steps in which what stores nothing has no say
        self._leaps = 0  # in a row
        self._passed = self.past.t  # jumps of inputs up to here are behind

    @classmethod
    def begun(
        cls, equations: Equations, settings: NetworkSettings, begin: tuple[Array, Array] | None = None, t: float = 0.0
    ) -> Stepper:
        """At the start of a run; begin: other unknowns than those of the nodes, and what elements know besides."""
        span = settings.t_end - t
        h = settings.step or settings.first_step or min(settings.step_max or math.inf, FIRST * span)
        equations.begin()
        start = equations.network.start
        if begin is not None:
            start, equations.carried = begin
        stepper = cls(equations, settings, first_past(t, start.copy()), min(h, span))
        if stepper.settles:
            stepper.settle()
            stepper._passed = stepper.past.t
            stepper.past = settled(t, _put_back(stepper.past.y, start, stepper.past.t - t))
        return stepper

    @property
    def settles(self) -> bool:
        """Whether a run starts from accelerations; that of PRADIS with a given first step knows none."""
        settings = self.settings
        given = settings.method == "stormer" and settings.first_step is not None
        return self.scheme.settles or (self._controlled and not given)

    def settle(self) -> None:
        """Find accelerations by two short steps; the first also finds the potentials that nothing stores.

        Each is a backward Euler step, which forgets what jumped.
        """
        chosen, self.scheme = self.scheme, BDF2()
        h = self._shortest if self._controlled else SETTLING_SHARE * self.h
        for _ in range(2):
            attempt = self.tried(h)
            if not math.isfinite(attempt.error):
                raise self._failed(h, attempt)
            self.past = settled(attempt.t, attempt.y)
        self.scheme = chosen

    def attempt(self, longest: float = math.inf) -> Attempt:
        """Try one step, at most so long, and take it or prepare a shorter one."""
        # a difference within the rounding of time is none
        h = min(self.h, longest) if abs(self.h - longest) > 8.0 * ROUNDING * abs(self.past.t) else self.h
        if not self._controlled and longest > 2.0 * h:
            h = min(h, self._to_grid)
        jump = self.switches.within(max(self._passed, self.past.t), self.past.t + h) if self._controlled else None
        if jump is not None:
            h = max(jump[0] - self.past.t, self._shortest)
        attempt = self.tried(h)
        self.counters.iterations += attempt.iterations
        if not math.isfinite(attempt.error):
            self.h = 0.5 * h
            self.counters.halved += 1
            if self.h < (self.settings.step_min or SHORTEST * self.settings.t_end):
                raise self._failed(self.h, attempt)
            return attempt
        if self._rejects(attempt, h):
            self.counters.rejected += 1
            self._refused = attempt.error, h if self._refused is None else self._refused[1]
            self.h = max(min(self.next_step(h, attempt.error), 0.5 * h), self._shortest)
            return attempt
        leaps = self._controlled and not self.first and attempt.error > 1.0 and h <= self._shortest
        self._leaps = self._leaps + 1 if leaps else 0 if h > LEFT_BEHIND * self._shortest else self._leaps
        if self._leaps > MOST_LEAPS:
            raise self._failed(h, attempt)
        self._go_on(attempt, h)
        self.take(attempt)
        self.counters.leaps += leaps
        if leaps or jump is not None:
            self._passed = self.past.t if jump is None else jump[1]
            self._begin_again(self._shortest if leaps else min(FIRST * self.settings.t_end, CALM * h))
        return attempt._replace(accepted=True)

    def _rejects(self, attempt: Attempt, h: float) -> bool:
        """Whether a step is to be tried again; what stores nothing may jump, and then its error does not fall."""
        untested = not self._controlled or (self.counters.steps == 0 and not self.settles)
        if untested or h <= self._shortest or attempt.error <= 1.0:
            return False
        if attempt.stored_error > 1.0 or self.first:
            return attempt.stored_error > 1.0  # what stores nothing may be anywhere after a jump
        if self._refused is not None and attempt.error > FALLS * self._refused[0]:
            self._silent = SILENT
        return self._silent == 0

    def _go_on(self, attempt: Attempt, h: float) -> None:
        """Choose the step after one that is taken."""
        if not self._controlled:
            self.h = min(self.settings.step or h, 2.0 * self.h)
        elif self.first:
            self.h = h  # the first step says nothing about the next, which is as long
        elif attempt.error > 1.0:
            known = h if self._refused is None else self._refused[1]
            self.h = min(self.next_step(h, attempt.stored_error), known, self._longest)
        elif h == self.h:
            self.h = min(self.next_step(h, attempt.error), self._longest)

    def change(self) -> None:
        """Let equations change that do so now; speeds jump by the impulses of a short step, which balance momentum."""
        self.equations.change(self.past.y, self.past.t)
        largest = self.largest.copy()  # that step has the forces of impulses
        self._begin_again(min(FIRST * self.settings.t_end, CALM * self.past.h) if self._controlled else self.h)
        self.largest = largest

    def _begin_again(self, h: float) -> None:
        """Forget what lies behind a jump, as at the start of a run."""
        self.past, self.first, self.h = first_past(self.past.t, self.past.y), True, max(h, self._shortest)
        self.settle()

    @property
    def memory(self) -> tuple[float, ...]:
        """What a run that is resumed between two steps has to know besides."""
        refused = (0.0, 0.0) if self._refused is None else self._refused
        return *refused, float(self._silent), float(self._leaps), self._passed

    @memory.setter
    def memory(self, kept: tuple[float, ...]) -> None:
        error, h, silent, leaps, self._passed = map(float, kept)
        self._refused = (error, h) if h > 0.0 else None
        self._silent, self._leaps = int(silent), int(leaps)

    @property
    def _to_grid(self) -> float:
        """What is left to the next multiple of a fixed step, which halved steps lead away from."""
        step = self.settings.step or self.h
        passed = self.past.t / step
        left = math.floor(passed + OFF_GRID) + 1.0 - passed
        return left * step if left < 1.0 - OFF_GRID else math.inf

    @property
    def _shortest(self) -> float:
        """Controlled steps are not shorter, however large their errors."""
        least = self.settings.step_min or LEAP * self.settings.t_end
        return max(least, 16.0 * ROUNDING * abs(self.past.t))

    def take(self, attempt: Attempt) -> None:
        """Go to the end of a step."""
        self.past = self.past.after(attempt.t, attempt.y, attempt.alpha)
        before = self.past.before
        if self.first and before is not None and not self.scheme.settles:
            # there was no acceleration before this one
            self.past = replace(self.past, before=np.array([before[0], before[1], attempt.y[2]]))
        self.equations.follow(self.past.y, self.past.t)
        self.first, self._refused, self._silent = False, None, max(self._silent - 1, 0)
        self.counters.steps += 1

    def tried(self, h: float) -> Attempt:
        """Newton's method for one step; an error of infinity says that it failed."""
        past, equations, n = self.past, self.equations, self.equations.n
        t = past.t + h
        x0, cx, a0, ca = self.scheme.formulas(past, h)
        predicted = self._predicted(h)
        near = equations.reach(past.y[1], (predicted - past.y[1])[:n]) == 1.0
        v = (predicted if near else past.y[1]).copy()
        y = np.empty((3, n + 1))
        tolerance, sizes, flows = self._tolerances()
        before, failed = math.inf, True
        count = 0
        most = max(self.settings.iterations, PATIENT if h <= LEFT_BEHIND * self._shortest else 0)
        for count in range(1, most + 1):  # noqa: B007
            y[0], y[1], y[2] = x0 + cx * v, v, a0 + ca * v
            residual, outs = equations.residual(y, t)
            if not np.isfinite(residual).all():
                break
            change = equations.solver(y, t, outs, cx, ca)(-residual)
            share = equations.reach(v, change)
            v[:n] += share * change
            if not np.isfinite(change).all():
                break
            balanced = flows is None or bool((np.abs(residual) <= flows).all())
            size = float((np.abs(change) / self._allowed(tolerance, sizes, v[:n])).max(initial=0.0))
            # changes that no longer shrink are rounding
            settled_down = share == 1.0 and (size <= 1.0 or (size <= MOST_ROUNDING and size > 0.5 * before))
            before = size
            if equations.constant or (balanced and settled_down):
                failed = False
                break
        y[0], y[1], y[2] = x0 + cx * v, v, a0 + ca * v
        error = stored = math.inf
        if not failed:
            errors = self.scheme.error_share * np.abs(predicted - v)[:n]
            error = float((errors / tolerance).max(initial=0.0))
            stored = self._of_stores(errors, tolerance, y, h)
        return Attempt(t, h, y, predicted, error, stored, count, False, self.scheme.alpha(past, h, v))

    def _predicted(self, h: float) -> Array:
        """v (n + 1,) ahead: by the scheme of what stores something; the others carry no derivative to trust."""
        predicted, drawn = self.scheme.predicted(self.past, h), self.past.extrapolated(h, self.scheme.order)
        if drawn is not None:
            predicted[:-1] = np.where(self.by_speed, predicted[:-1], drawn[:-1])
        return predicted

    def _of_stores(self, errors: Array, tolerance: Array, y: Array, h: float) -> float:
        """The largest error of what stores something over its tolerance; of springs and coils in displacements."""
        found = float((errors / tolerance).max(initial=0.0, where=self.by_speed))
        if self.by_place.any():
            size = np.maximum(np.abs(y[0, :-1]), self.largest[0, self._groups])
            allowed = self.settings.relative * size + h * tolerance
            found = max(found, float((h * errors / allowed).max(initial=0.0, where=self.by_place)))
        return found

    def _tolerances(self) -> tuple[Array, Array, float | None]:
        """Of the local error (n,), sizes of the unknowns so far (n,), and of flows."""
        settings = self.settings
        for level in (0, 1):
            np.maximum.at(self.largest[level], self._groups, np.abs(self.past.y[level, :-1]))
        sizes = self.largest[1, self._groups]
        atol = self._small if settings.atol is None else settings.atol
        tolerance = atol + self.settings.relative * sizes
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

    def _failed(self, h: float, attempt: Attempt) -> NotConverged:
        if math.isfinite(attempt.error):
            change = np.abs(attempt.predicted - attempt.y[1])[:-1] / self._tolerances()[0]
            name = self.equations.names[int(np.argmax(change))]
            return NotConverged(
                f"At t = {self.past.t:.6g} s '{name}' changes faster than steps of {h:.2g} s can follow; look for what "
                "grows without end, or raise rtol or atol."
            )
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


def _put_back(y: Array, start: Array, gone: float) -> Array:
    """Unknowns (3, n + 1) at the start, from those a moment later; what has not jumped begins as it was given."""
    x, v, a = y
    moved = gone * y[1:]
    back = np.array([x, v]) - moved
    return np.array([*np.where(np.abs(back - start[:2]) <= np.abs(moved), start[:2], back), a])
