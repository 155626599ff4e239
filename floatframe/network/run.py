"""One simulation of a network on its way: steps, events, records, checkpoints, and the status at its end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError, NotConverged
from floatframe.expressions import parse
from floatframe.hybrid import MemoryWriter, Progress, Record
from floatframe.io import Channel, ResultWriter, Status
from floatframe.network.channels import Observer
from floatframe.network.closures import Function, function_of
from floatframe.network.compiling import require_unknowns
from floatframe.network.kernels import LAST_SHARE, SETTLING, SLIVER, STEP, STUCK, Block
from floatframe.network.legs import compiled_legs
from floatframe.network.limits import bounds_of
from floatframe.network.schemes import Past
from floatframe.network.settings import SIMULATE
from floatframe.network.stepping import Attempt, Counters, Stepper

STATISTICS = (
    Channel("step", "s"),  # last step size
    Channel("steps"),  # since the start
    Channel("iterations"),  # since the start
    Channel("rejected"),  # since the start, those halved included
    Channel("leaps"),  # since the start: shortest steps that were accepted with an error above the tolerance
    Channel("energy", "J"),  # stored
    # energy now - energy at the start - what has flowed into the elements that store it, linear ones alone
    Channel("energy_balance", "J"),
)
SAME_TIME = 1e-9  # share of the time between two records
SHOW_EVERY = 0.1  # s on the clock between two calls of a progress bar
EVENT_TURNS = 60  # to find where an expression crosses zero
EVENT_WIDTH = 1e-12  # share of the step that is left then
SMOOTH = 0.5  # slopes of a smooth potential bend it at both ends of a step alike, but for that share
MOST_COUNTED = 2.0**53  # of anything: beyond, counters are no longer exact


class Run:
    """One simulation on its way."""

    def __init__(
        self,
        stepper: Stepper,
        observer: Observer,
        record: Record,
        writer: MemoryWriter | ResultWriter,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.stepper, self.observer, self.record = stepper, observer, record
        self.writer, self.progress = writer, progress
        self.settings = stepper.settings
        self.t_start = stepper.past.t
        self.number = 1  # of the next record, counted in times `every`
        self.work = 0.0
        self.energy_start = self._balanced(stepper.past.y[None], np.array([self.t_start]))[0]
        places = observer.network.places
        self._ends = [parse(text, where=SIMULATE.at("events").at(k)) for k, text in enumerate(self.settings.events)]
        for end in self._ends:
            require_unknowns(end, places, observer.network.network.elements)
        self._bounds = bounds_of(observer.network)
        self._ends += [bound.above_zero for bound in self._bounds]  # they follow the events
        self.events: list[Function] = [function_of(end, places) for end in self._ends]
        self.status = Status("running")

    def keep_start(self) -> None:
        """Record the start."""
        past = self.stepper.past
        self._keep(np.array([past.t]), past.y[None], self._row(past.t, past.h, past.y), np.zeros(1, dtype=int))
        self.checkpoint()

    def go(self) -> None:
        """Steps until the end, an event, a failure or an interrupt; whatever happens, the file is closed."""
        try:
            with np.errstate(all="ignore"):  # numbers beyond all bounds are found and reported by the stepper
                self._steps()
        except KeyboardInterrupt:
            sentence = "all records up to there are saved."
            self.status = Status("interrupted", sentence, self.stepper.past.t, "Resume to continue.")
        except NotConverged as error:
            self.status = Status("failed", str(error), self.stepper.past.t)
        except BaseException as error:
            self.writer.finish("failed", str(error) or type(error).__name__)
            raise
        self.checkpoint()
        halved = self.stepper.counters.halved
        times = "once" if halved == 1 else f"{halved} times"
        words = f"Newton's method failed {times}, and the step was halved there." if halved else ""
        message = " ".join(filter(None, (self.status.message, self.stepper.equations.words, words)))
        self.writer.finish(self.status.reason, message, self.status.t, self.status.cured_by)

    def _steps(self) -> None:
        end, stepper = self.settings.t_end, self.stepper
        legs = compiled_legs(stepper, self._ends)
        checked = shown = time.monotonic()
        values = self._event_values(stepper.past.y, stepper.past.t)
        for bound, room in zip(self._bounds, values[len(self.settings.events) :], strict=True):
            if room <= 0.0:  # from the start, or where a run that is resumed has failed
                raise NotConverged(str(bound.problem(stepper.past.y)))
        while self.status.reason == "running":
            past = stepper.past
            stop = min(end, stepper.equations.next_change)
            left = stop - past.t
            if left <= LAST_SHARE * max(abs(stop), stepper.h):
                if stop < end:
                    self._change(values)
                    continue
                self.status = Status("finished", "", past.t)
                break
            why = STUCK
            if legs is not None:
                rows, self.work, why = legs.go(self.work, values)
                self._record(past, rows)
            if why == SETTLING:
                stepper.settle()  # fails likewise and says why
            elif why == STUCK:
                self._step_of_python(values, stop)
            clock = time.monotonic()
            if clock - checked > self.record.checkpoint_every:
                self.checkpoint()
                checked = clock
            if self.progress is not None and clock - shown > SHOW_EVERY:
                self.progress(Progress(stepper.past.t, end, stepper.past.h, stepper.counters.steps))
                shown = clock

    def _change(self, values: Array) -> None:
        """Go over to other equations and record where they begin; the balance leaves out the energy that this takes."""
        stepper, before = self.stepper, self.stepper.past
        stepper.change()
        now = stepper.past
        for past, sign in ((now, 1.0), (before, -1.0)):
            self.energy_start += sign * self._balanced(past.y[None], np.array([past.t]))[0]
        values[:] = self._event_values(now.y, now.t)
        self._keep(np.array([now.t]), now.y[None], self._row(now.t, now.t - before.t, now.y), np.zeros(1, dtype=int))

    def _step_of_python(self, values: Array, stop: float) -> None:
        """Try one step, not beyond a time; values of the events are carried on in place."""
        stepper, past = self.stepper, self.stepper.past
        left = stop - past.t
        # the last two steps share what is left rather than leave a sliver
        attempt = stepper.attempt(left if left <= stepper.h * SLIVER or left > 2.0 * stepper.h else 0.5 * left)
        if not attempt.accepted:
            return
        now = self._event_values(attempt.y, attempt.t)
        crossed = np.flatnonzero((values * now < 0.0) | ((now == 0.0) & (values != 0.0)))
        if len(crossed):
            attempt, k = self._first_crossing(past, attempt, values, crossed)
            self.status = self._stopped(k, attempt)
            now = self._event_values(attempt.y, attempt.t)
        values[:] = now
        self._account(past, attempt)
        self._record(past, self._row(attempt.t, attempt.h, attempt.y))

    def _stopped(self, k: int, attempt: Attempt) -> Status:
        """Why a run ends where the k-th event or limit crosses zero."""
        events = self.settings.events
        if k < len(events):
            return Status("stopped by event", f"'{events[k]}' crossed zero.", attempt.t)
        return Status("failed", str(self._bounds[k - len(events)].problem(attempt.y)), attempt.t)

    def _row(self, t: float, h: float, y: Array) -> Block:
        """A block of one step."""
        c = self.stepper.counters
        counted = np.array([[c.steps, c.iterations, c.rejected + c.halved, c.leaps]])
        return Block(np.array([STEP]), np.array([t]), np.array([h]), y[None], counted, np.array([self.work]))

    def _event_values(self, y: Array, t: float) -> Array:
        return np.array([float(function(y, t)) for function in self.events])

    def _first_crossing(self, past: Past, attempt: Attempt, before: Array, crossed: Array) -> tuple[Attempt, int]:
        """Step again to the first of the places where expressions cross zero inside a step."""
        best, number = attempt, int(crossed[0])
        for k in map(int, crossed):
            function = self.events[k]
            low, high, found = 0.0, best.h, best
            g_low, g_high = before[k], float(function(best.y, best.t))
            if before[k] * g_high > 0.0:
                continue  # it crosses later than one found already
            for _ in range(EVENT_TURNS):
                if high - low <= EVENT_WIDTH * attempt.h or g_high == 0.0:
                    break
                # secants, bisected where they stick to one end
                share = g_low / (g_low - g_high)
                middle = low + (high - low) * min(max(share, 0.05), 0.95)
                self.stepper.past = past
                tried = self.stepper.tried(middle)
                g = float(function(tried.y, tried.t))
                if g * before[k] > 0.0:
                    low, g_low = middle, g
                else:
                    high, g_high, found = middle, g, tried
            best, number = found, k
        self.stepper.past = past
        self.stepper.counters.steps -= 1
        self.stepper.take(best)
        return best, number

    def _account(self, past: Past, attempt: Attempt) -> None:
        """Add what flows into the elements that store energy."""
        equations = self.observer.equations
        power = equations.stored_power(attempt.y)
        begun = self.stepper.counters.steps > 1
        self.work += 0.5 * attempt.h * (power + equations.stored_power(past.y)) if begun else attempt.h * power

    def _record(self, past: Past, rows: Block) -> None:
        """Keep the ends of steps, or what lies inside them at the times of the records."""
        steps = np.flatnonzero(rows.kind == STEP)
        every = self.record.every
        if every is None or not len(steps):
            self._keep(rows.t[steps], rows.y[steps], rows, steps)
            return
        last = float(rows.t[steps[-1]])
        first, self.number = self.number, max(self.number, int((last - self.t_start) / every + SAME_TIME) + 1)
        times = self.t_start + np.arange(first, self.number) * every
        # each record inside the step that ends at it or behind it
        which = steps[np.minimum(np.searchsorted(rows.t[steps], times - SAME_TIME * every), len(steps) - 1)]
        y = _between(past, rows, which, times)
        self._keep(np.minimum(times, rows.t[which]), y, rows, which)
        ended = self.status.reason != "running" or last >= self.settings.t_end * (1.0 - LAST_SHARE)
        if ended and last > self.t_start + (self.number - 1) * every + SAME_TIME * every:
            self._keep(rows.t[steps[-1:]], rows.y[steps[-1:]], rows, steps[-1:])

    def _balanced(self, y: Array, t: Array) -> Array:
        return self.observer.equations.stored_energy(y, t, linear=True)

    def _keep(self, t: Array, y: Array, rows: Block, which: IntArray) -> None:
        """Append records at times t (R,) with unknowns y (R, 3, n + 1), each inside one of the rows."""
        wanted = t >= self.record.start - 1e-12
        t, y, which = t[wanted], y[wanted], which[wanted]
        if not len(t):
            return
        energy = self.observer.equations.stored_energy(y, t)
        balance = self._balanced(y, t) - self.energy_start - rows.work[which]
        statistics = np.column_stack((rows.h[which], rows.counters[which], energy, balance))
        width = y.shape[2] - 1 if self.record.coordinates else 0
        places, speeds = (np.ascontiguousarray(y[:, level, :width]) for level in (0, 1))
        self.writer.append(t, places, speeds, self.observer.values(y, t), statistics)

    def checkpoint(self) -> None:
        """Keep what a run needs to go on."""
        if not self.writer.resumable:
            return
        past, stepper = self.stepper.past, self.stepper
        self.writer.checkpoint(
            {
                "y": past.y,
                "alpha": past.alpha,
                "before": np.zeros(0) if past.before is None else past.before,
                "older": np.zeros(0) if past.older is None else past.older,
                "carried": stepper.equations.carried,
                "largest": stepper.largest,
                "numbers": np.array(
                    [
                        *(past.t, past.h, stepper.h, self.t_start, self.number, self.work, self.energy_start),
                        *(stepper.first, past.older_h, *stepper.memory),
                    ]
                ),
                "counters": np.array(list(asdict(stepper.counters).values()), dtype=float),
            }
        )

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        stepper = self.stepper
        shape = stepper.past.y.shape
        try:
            y, alpha, before, older, carried, largest, numbers, counters = arrays = [
                np.array(content[name], dtype=float)
                for name in ("y", "alpha", "before", "older", "carried", "largest", "numbers", "counters")
            ]
            t, h, next_h, t_start, number, work, energy_start, first, older_h, *memory = numbers
            sound = y.shape == shape and alpha.shape == shape[1:] and before.shape in (shape, (0,))
            sound = sound and older.shape in (shape[1:], (0,)) and len(memory) == len(stepper.memory)
            sound = sound and largest.shape == stepper.largest.shape
            sound = sound and carried.shape == stepper.equations.carried.shape
            sound = sound and all(np.isfinite(one).all() for one in arrays)
            # what an earlier run can have left; else steps or records would never end
            sound = sound and 0.0 <= t_start <= t and first in (0.0, 1.0)
            sound = sound and min(h, older_h) >= 0.0 and next_h >= math.ulp(t)
            passed = 0.0 if self.record.every is None else (t - t_start) / self.record.every
            sound = sound and abs(number - 1.0 - passed) < 1.5
            sound = sound and counters.min() >= 0.0 and counters.max() < MOST_COUNTED
            counted = Counters(*map(int, counters))
        except (KeyError, OverflowError, TypeError, ValueError):
            sound = False
        if not sound:
            raise ModelError(
                "resume: the checkpoint is damaged or was written by another version of Floatframe; start a new run"
            )
        stepper.past = Past(
            *(float(t), y, alpha, before if before.size else None, float(h)),
            *(older if older.size else None, float(older_h)),
        )
        stepper.memory = tuple(memory)
        stepper.equations.carried = carried
        stepper.h, stepper.first, stepper.largest, stepper.counters = float(next_h), bool(first), largest, counted
        self.t_start, self.number = float(t_start), int(number)
        self.work, self.energy_start = float(work), float(energy_start)


def _between(past: Past, rows: Block, which: IntArray, times: Array) -> Array:
    """Unknowns (R, 3, n + 1) inside steps: x and v cubics with the slopes v and a, a straight between the ends.

    v is straight too where its slopes do not belong to it: behind jumps, and in schemes of first order. A step begins
    where the row before it ends, the first of all at `past`.
    """
    y1, before = rows.y[which], np.maximum(which - 1, 0)
    y0 = np.where((which == 0)[:, None, None], past.y, rows.y[before])
    t0 = np.where(which == 0, past.t, rows.t[before])
    h = (rows.t[which] - t0)[:, None, None]
    s = np.minimum((times - t0)[:, None, None] / h, 1.0)
    y = (1.0 - s) * y0 + s * y1
    rise = y1[:, :2] - y0[:, :2]
    first, last = h * y0[:, 1:] - rise, h * y1[:, 1:] - rise  # what slopes add to the straights
    smooth = np.abs(first + last) <= SMOOTH * np.abs(last - first)
    smooth[:, 0] = True
    y[:, :2] += np.where(smooth, s * (1.0 - s) * ((1.0 - s) * first - s * last), 0.0)
    return y
