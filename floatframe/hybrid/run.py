"""One simulation on its way: blocks of compiled steps, records, checkpoints, and the status at its end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.hybrid.channels import Observer
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.failures import failure_status
from floatframe.hybrid.integrators import Integrator
from floatframe.hybrid.load_limits import LoadLimits
from floatframe.hybrid.recording import Record
from floatframe.hybrid.run_settings import Settings
from floatframe.hybrid.stepping import EVENT, REACHED, Kept
from floatframe.io import Channel, Status
from floatframe.io.results_writer import uninterrupted

BLOCK_SECONDS = 0.25  # a block of compiled steps takes about this long, so that interrupts and readers need not wait
SAME_TIME = 1e-9  # share of the time between two records
STATISTICS = (
    Channel("step", "s"),  # last step size
    Channel("steps"),  # since the start
    Channel("iterations"),  # since the start
    Channel("constraint_drift", "m, rad"),  # largest violation of a joint
    Channel("energy", "J"),
    Channel("energy_balance", "J"),  # energy now - energy at the start - work done
)


class Writer(Protocol):
    """Where records go."""

    def append(self, t: Array, q: Array, v: Array, values: Array, statistics: Array) -> None: ...
    def checkpoint(self, content: Mapping[str, Any]) -> None: ...
    def finish(self, reason: str = ..., message: str = ..., t: float | None = ..., cured_by: str = ...) -> None: ...


@dataclass(frozen=True)
class Progress:
    """What a progress bar shows: simulated time, its end, step size (s), steps so far."""

    t: float
    t_end: float
    step: float
    steps: int


class Run:
    """One simulation on its way."""

    def __init__(
        self,
        system: CompiledSystem,
        settings: Settings,
        record: Record,
        observer: Observer,
        integrator: Integrator,
        writer: Writer,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.system, self.settings, self.record = system, settings, record
        self.observer, self.integrator, self.writer, self.progress = observer, integrator, writer, progress
        self.limits = LoadLimits(system)
        self.energy_start = math.nan
        self.work = 0.0  # J, done by force elements and drives since the start, by the trapezoidal rule over records
        self.last_t, self.last_power = math.nan, 0.0

    def keep_start(self) -> None:
        """Record the start; from here on a run that is killed can be resumed."""
        self._keep(self.integrator.record_now())
        self.checkpoint()

    def restore(self, content: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.integrator.restore(content)
        self.observer.data.memory[:] = content["observed"]
        self.energy_start, self.work, self.last_t, self.last_power = map(float, content["run"])

    def checkpoint(self) -> None:
        numbers = np.array([self.energy_start, self.work, self.last_t, self.last_power])
        observed = self.observer.data.memory.copy()
        self.writer.checkpoint({**self.integrator.carried(), "observed": observed, "run": numbers})

    def go(self) -> None:
        """Blocks of steps until the end, an event, a failure or an interrupt; whatever happens, the file is closed."""
        try:
            status = self._blocks()
        except KeyboardInterrupt:
            reached = self.integrator.where()[0]
            status = Status("interrupted", "all records up to there are saved.", reached, "Resume to go on.")
        except BaseException as error:
            if self.last_t == self.integrator.where()[0]:  # else records are missing that a resumed run would not have
                self.checkpoint()
            self.writer.finish("failed", str(error) or type(error).__name__, self.integrator.where()[0])
            raise
        self.checkpoint()
        message = " ".join(filter(None, (status.message, self.limits.words())))
        self.writer.finish(status.reason, message, status.t, status.cured_by)

    def _blocks(self) -> Status:
        status = Status("running")
        size, last_checkpoint = 8, time.monotonic()
        self.integrator.run(np.empty(0), 0)  # compiles what is not compiled yet, while an interrupt still gets through
        while status.reason == "running":
            began = time.monotonic()
            # between a block and its records there must be no interrupt, or they would be lost
            with uninterrupted():
                status = self._block(size)
            taken = time.monotonic() - began
            size = int(np.clip(size * BLOCK_SECONDS / max(taken, 1e-4), 1, max(4 * size, 8)))
            if time.monotonic() - last_checkpoint > self.record.checkpoint_every:
                self.checkpoint()
                last_checkpoint = time.monotonic()
            if self.progress is not None:
                t, h, steps = self.integrator.where()
                self.progress(Progress(t, self.settings.t_end, h, steps))
        return status

    def _block(self, size: int) -> Status:
        every = self.integrator.fixed_step if self.record.every is None else self.record.every
        if every is None:
            kept, outcome = self.integrator.run(np.array([self.settings.t_end]), size, every_step=True)
        else:
            kept, outcome = self.integrator.run(self._next_times(every, size), size)
        # why it failed is asked first: observing the records evaluates forces anew
        try:
            return self._status(outcome)
        finally:
            if len(kept.t):
                self._keep(kept)
            if outcome not in (REACHED, EVENT) and self.integrator.where()[0] > self.last_t:
                self._keep(self.integrator.record_now())

    def _status(self, outcome: int) -> Status:
        t = self.integrator.where()[0]
        if outcome == EVENT:
            event = self.settings.events[self.integrator.event_found()]
            return Status("stopped by event", f"'{event}' crossed zero.", t)
        if outcome != REACHED:
            return failure_status(self.system, self.integrator, outcome)
        return Status("finished", "", t) if t >= self.settings.t_end else Status("running")

    def _next_times(self, every: float, size: int) -> Array:
        """The next times to record at, the last of them the end of the run."""
        start, end = self.integrator.start_time, self.settings.t_end
        number = math.floor((self.integrator.where()[0] - start) / every + SAME_TIME) + 1
        times = start + every * np.arange(number, number + size)
        inside = times[times < end - SAME_TIME * every]
        return inside if len(inside) == size else np.append(inside, end)

    def _keep(self, kept: Kept) -> None:
        """Observe a block of states and pass it on."""
        seen, t, counters = self.observer(kept), kept.t, kept.counters
        self.limits.watch(t, kept.q)
        if math.isnan(self.energy_start):
            self.energy_start = float(seen.energy[0])
        balance = np.empty(len(t))
        for k, (now, power) in enumerate(zip(t.tolist(), seen.power.tolist(), strict=True)):
            if not math.isnan(self.last_t):
                self.work += 0.5 * (power + self.last_power) * (now - self.last_t)
            self.last_t, self.last_power = now, power
            balance[k] = seen.energy[k] - self.energy_start - self.work
        statistics = np.column_stack((counters[:, 5], counters[:, 0], counters[:, 1], seen.drift, seen.energy, balance))
        chosen = t >= self.record.start - 1e-12
        width = None if self.record.coordinates else 0
        q, v = kept.q[chosen, :width], kept.v[chosen, :width]
        self.writer.append(t[chosen], q, v, seen.values[chosen], statistics[chosen])
