"""Time integration of a system: blocks of compiled steps, records into memory or a file, checkpoints, status."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import ModelError
from floatframe.hybrid.channels import Observer, grown
from floatframe.hybrid.compile import tables_of
from floatframe.hybrid.compile_programs import add_program
from floatframe.hybrid.compiled_system import CompiledSystem
from floatframe.hybrid.expression import parse
from floatframe.hybrid.failures import failure_status
from floatframe.hybrid.integrators import Integrator, integrator_for
from floatframe.hybrid.recording import MemoryWriter, Record
from floatframe.hybrid.results import Results
from floatframe.hybrid.state import State
from floatframe.hybrid.stepping import EVENT, REACHED, Kept
from floatframe.io import Channel, ResultMeta, ResultWriter, Status

BLOCK_SECONDS = 0.25  # a block of compiled steps takes about this long, so that interrupts and readers need not wait
STATISTICS = (
    Channel("step", "s"),
    Channel("steps", ""),
    Channel("iterations", ""),
    Channel("constraint_drift", "m, rad"),
    Channel("energy", "J"),
    Channel("energy_balance", "J"),
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


@dataclass(frozen=True)
class Settings:
    """How to integrate; see `simulate`."""

    t_end: float
    method: str
    step: float | None
    rtol: float | None
    spectral_radius: float
    newton_tolerance: float
    velocity_constraints: bool
    step_min: float
    step_max: float | None
    events: tuple[str, ...]


def simulate(
    system: CompiledSystem,
    state: State | None = None,
    t_end: float = 1.0,
    *,
    record: Record | None = None,
    method: str = "generalised-alpha",
    step: float | None = None,
    rtol: float | None = None,
    spectral_radius: float = 0.8,
    newton_tolerance: float = 1e-6,
    velocity_constraints: bool = True,
    step_min: float | None = None,
    step_max: float | None = None,
    events: Sequence[str] = (),
    path: str | Path | None = None,
    resume: bool = False,
    model_text: str = "",
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Integrate from `state` (default: the start) to t_end [s] and return the records.

    method: "generalised-alpha", "hht", "newmark", "park", "bdf1", "bdf2" with a fixed `step` [s], or with `rtol` for
    controlled steps (the first three); "rk4", "rk45" for systems that are not stiff; "scipy:NAME" for solvers of SciPy.
    spectral_radius: damping of high frequencies, 1 none, 0 most. events: expressions of t and sensors; the run stops
    where one crosses zero. path: HDF5 file, written while running; resume: continue it from its last checkpoint.
    """
    state = system.initial_state() if state is None else state
    record = Record() if record is None else record
    settings = checked(
        Settings(
            float(t_end),
            method,
            step,
            rtol,
            float(spectral_radius),
            float(newton_tolerance),
            velocity_constraints,
            1e-12 * max(1.0, abs(t_end)) if step_min is None else float(step_min),
            step_max,
            tuple(events),
        ),
        state,
    )
    system, first_event = with_events(system, settings.events)
    observer = Observer(system, record)
    integrator = integrator_for(system, settings, state, first_event)
    meta = ResultMeta(system.nq, system.nv, model_text, _plain(settings), STATISTICS)
    writer: Any
    if path is None:
        writer = MemoryWriter(observer.channels, meta)
    elif resume:
        writer = ResultWriter.resume(path)
    else:
        writer = ResultWriter.create(path, observer.channels, meta)
    run = Run(system, settings, record, observer, integrator, writer, progress)
    if path is not None and resume and writer.resumed_from is not None:
        run.restore(writer.resumed_from.content)
    else:
        run.keep_start()
    run.go()
    return Results(writer, system) if path is None else Results.open(path, system)


def checked(settings: Settings, state: State) -> Settings:
    """Refuse settings that make no sense."""
    if not math.isfinite(settings.t_end) or settings.t_end <= state.t:
        raise ModelError(f"simulate: t_end is {settings.t_end:g} s, expected a time after the start at {state.t:g} s")
    if settings.step is not None and not settings.step > 0:
        raise ModelError(f"simulate: step is {settings.step:g} s, expected more than zero")
    if settings.rtol is not None and not 0 < settings.rtol < 1:
        raise ModelError(f"simulate: rtol is {settings.rtol:g}, expected a number between 0 and 1 such as 1e-5")
    if not 0 <= settings.spectral_radius <= 1:
        raise ModelError(
            f"simulate: spectral_radius is {settings.spectral_radius:g}, expected 0 (most damping) to 1 (none)"
        )
    return settings


def _plain(settings: Settings) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(settings).items()}


def with_events(system: CompiledSystem, events: tuple[str, ...]) -> tuple[CompiledSystem, int]:
    """The system with the programs of the events, and the number of the first one."""
    if not events:
        return system, 0
    names = grown(system.names)
    numbers = [add_program(names, parse(event, where="event"), {}) for event in events]
    tables = tables_of(names)._replace(rows=system.tables.rows, gravity=system.tables.gravity)
    return replace(system, names=names, tables=tables), numbers[0]


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
        self.energy_start = math.nan
        self.work = 0.0  # J, done by force elements and drives since the start, by the trapezoidal rule over records
        self.last_t, self.last_power = math.nan, 0.0
        self.kept = 0

    def keep_start(self) -> None:
        self._keep(self.integrator.start_record())

    def restore(self, content: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.integrator.restore(content)
        numbers = content["run"]
        self.energy_start, self.work, self.last_t, self.last_power, self.kept = (
            *map(float, numbers[:4]),
            int(numbers[4]),
        )

    def checkpoint(self) -> None:
        numbers = np.array([self.energy_start, self.work, self.last_t, self.last_power, self.kept])
        self.writer.checkpoint({**self.integrator.carried(), "run": numbers})

    def go(self) -> None:
        """Blocks of steps until the end, an event, a failure or an interrupt."""
        status = Status("running")
        size, last_checkpoint = 8, time.monotonic()
        try:
            while status.reason == "running":
                began = time.monotonic()
                times = self._next_times(size)
                kept, outcome = self.integrator.run(times, size)
                if len(kept.t):
                    self._keep(kept)
                taken = time.monotonic() - began
                size = int(np.clip(size * BLOCK_SECONDS / max(taken, 1e-4), 1, max(4 * size, 8)))
                status = self._status(outcome)
                if time.monotonic() - last_checkpoint > self.record.checkpoint_every:
                    self.checkpoint()
                    last_checkpoint = time.monotonic()
                if self.progress is not None:
                    t, h, steps = self.integrator.where()
                    self.progress(Progress(t, self.settings.t_end, h, steps))
        except KeyboardInterrupt:
            message = f"interrupted at t = {self.integrator.where()[0]:g} s"
            status = Status("interrupted", message, self.integrator.where()[0], "--resume continues")
        self.checkpoint()
        self.writer.finish(status.reason, status.message, status.t, status.cured_by)

    def _next_times(self, size: int) -> Array:
        """The next times to record at; only the end if every step is recorded."""
        every = self.record.every if self.record.every is not None else self.settings.step
        end = self.settings.t_end
        if every is None:
            return np.array([end])
        start = self.integrator.start_time
        number = round((self.integrator.where()[0] - start) / every) + 1
        times = start + every * np.arange(number, number + size)
        inside = times[times < end - 1e-9 * every]
        return inside if len(inside) == size else np.append(inside, end)

    def _status(self, outcome: int) -> Status:
        t = self.integrator.where()[0]
        if outcome == EVENT:
            event = self.settings.events[self.integrator.event_found()]
            return Status("stopped by event", f"'{event}' crossed zero at t = {t:.9g} s", t)
        if outcome != REACHED:
            return failure_status(self.system, self.integrator, outcome)
        if t >= self.settings.t_end:
            return Status("finished", f"reached t = {t:g} s", t)
        return Status("running")

    def _keep(self, kept: Kept) -> None:
        """Observe a block of states and pass it on."""
        seen, t, counters = self.observer(kept), kept.t, kept.counters
        if math.isnan(self.energy_start):
            self.energy_start = float(seen.energy[0])
        balance = np.empty(len(t))
        for k in range(len(t)):
            if not math.isnan(self.last_t):
                self.work += 0.5 * (seen.power[k] + self.last_power) * (t[k] - self.last_t)
            self.last_t, self.last_power = float(t[k]), float(seen.power[k])
            balance[k] = seen.energy[k] - self.energy_start - self.work
        statistics = np.column_stack((counters[:, 5], counters[:, 0], counters[:, 1], seen.drift, seen.energy, balance))
        chosen = t >= self.record.start - 1e-12
        self.writer.append(t[chosen], kept.q[chosen], kept.v[chosen], seen.values[chosen], statistics[chosen])
        self.kept += int(np.count_nonzero(chosen))
