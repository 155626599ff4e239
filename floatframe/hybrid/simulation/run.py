"""One simulation on its way: blocks of compiled steps, records, checkpoints, and the status at its end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import FloatframeError
from floatframe.hybrid.assembly import State, failure_status
from floatframe.hybrid.kernels import COUNTERS, EVENT, NOT_A_NUMBER, PAUSED, REACHED, Kept
from floatframe.hybrid.results import Observed
from floatframe.hybrid.settings import Record, Settings
from floatframe.hybrid.simulation import checkpoints
from floatframe.hybrid.simulation.beside import Beside
from floatframe.hybrid.simulation.contact_cuts import ContactCuts
from floatframe.hybrid.simulation.integrators import Compiled, Integrator, elsewhere
from floatframe.hybrid.simulation.stabilisation import Stabilisation
from floatframe.hybrid.simulation.stages import RunStages
from floatframe.hybrid.studies import LoadLimits
from floatframe.io import Channel, Status, uninterrupted

BLOCK_SECONDS = 0.03  # of compiled steps, while the records of the block before are observed
ALONE_SECONDS = 0.25  # of a block where its records are observed after it, so that interrupts need not wait
FIRST_RECORDS, FIRST_STEPS, GROWTH = 32, 128, 4  # limits of the first block, and how fast they grow at most
# s, and growth of longer blocks whose records are observed beside the steps: more, and that thread would have to wait
WORTH_SHARING, SHARED_GROWTH = 1e-3, 1.5
LIGHT_BLOCK = 1e8  # steps times unknowns to the third power that take about BLOCK_SECONDS
MOST_FIRST = 32  # times the first limits
RECORDS = 1000  # in a run of `auto` that does not say how often
MOST_RECORDS = 1e15  # that a run can have behind it
SAME_TIME = 1e-9  # share of the time between two records
LEFT = 0.25  # of the records left in a block, at most, where they are observed beside the steps
STATISTICS = (
    Channel("step", "s"),  # last step size
    Channel("steps"),  # since the start
    Channel("iterations"),  # since the start
    Channel("constraint_drift", "m, rad"),  # largest violation of a joint
    # the same of its rate, and of rows of speeds; records of implicit steps are free of it, what steps carry is not
    Channel("velocity_drift", "m/s, rad/s"),
    Channel("energy", "J"),
    # energy now - energy at the start - work of dampers, drives, friction inside the steps - what changes of stage take
    Channel("energy_balance", "J"),
    Channel("stage"),  # 0, and one more with every stage begun
)
# of stabilised rows beside them: what their drift cannot have exceeded so far
BOUNDS = (Channel("drift_bound", "m, rad"), Channel("velocity_drift_bound", "m/s, rad/s"))


_compiled: set[str] = set()  # methods whose kernels are compiled and loaded


class Writer(Protocol):
    """Where records go."""

    resumable: bool  # whether it keeps checkpoints

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


def bounding(integrator: Integrator) -> Stabilisation | None:
    """How rows are stabilised in steps whose deviations are known to be bounded."""
    found = integrator.stabilisation if isinstance(integrator, Compiled) else None
    return found if found is not None and found.bounded else None


class Run:
    """One simulation on its way."""

    def __init__(
        self,
        stages: RunStages,
        settings: Settings,
        record: Record,
        writer: Writer,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.stages, self.settings, self.record = stages, settings, record
        self.writer, self.progress = writer, progress
        self.limits = LoadLimits(stages.plain)
        self.counted = np.zeros(1, COUNTERS)  # counters of the stages before
        self.cuts: list[tuple[str, ContactCuts]] = []  # what contacts did to the steps of the stages before
        self.status = Status("running")
        self.energy_start = math.nan
        self.last_t, self.last_energy = math.nan, math.nan
        self.passed_t = math.nan  # s, of the last record that has been passed on
        self.start_waits = False  # whether the start is recorded with the first block
        self.all_kept = True  # whether the records of all steps taken have been passed on
        self.chosen_at = math.nan  # s, when constraint rows were last chosen again
        self.beside = Beside(not stages.system.index.functions)  # which one thread at a time may call

    @property
    def integrator(self) -> Integrator:
        """That of the stage the run is in."""
        return self.stages.integrator

    def keep_start(self) -> None:
        """Record the start; from here on a run that is killed can be resumed.

        Where there is no file to resume, the first block may begin with it, so that it is not observed by itself.
        """
        if not self.writer.resumable and self.integrator.begins_with_start and self._between_records() is not None:
            self.start_waits, self.last_t = True, self.integrator.start_time
            return
        try:
            self._keep(self.integrator.record_now())
            self.checkpoint()
        except BaseException as error:
            self.writer.finish("failed", str(error) or type(error).__name__)
            raise

    def restore(self, content: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.stages.restore(content)
        self.integrator.restore(content)
        seen = self.stages.observer.data.memory
        seen[:] = checkpoints.numbers(content, "observed", seen.shape)
        self.energy_start, self.last_t, self.last_energy = checkpoints.times(content, self.integrator.where()[0])
        self.passed_t = self.last_t
        if not self.last_t - self.integrator.start_time < MOST_RECORDS * (self._between_records() or 1.0):
            raise checkpoints.damaged("its start is too long ago")
        counted = checkpoints.numbers(content, "counted", (len(COUNTERS.names or ()),))
        if not np.isfinite(counted).all():
            raise checkpoints.damaged("'counted' holds what is not a count")
        for name, value in zip(COUNTERS.names or (), counted, strict=True):
            self.counted[name] = value

    def checkpoint(self) -> None:
        """Keep what a run needs to go on, once all records before it are passed on."""
        self.beside.wait()
        if not self.writer.resumable:
            return
        own = {
            "run": np.array([self.energy_start, self.last_t, self.last_energy]),
            "counted": np.array([self.counted[name][0] for name in COUNTERS.names or ()]),
            "observed": self.stages.observer.data.memory.copy(),
        }
        self.writer.checkpoint({**self.integrator.carried(), **self.stages.carried(), **own})

    def go(self) -> None:
        """Blocks of steps until the end, an event, a failure or an interrupt; whatever happens, the file is closed."""
        try:
            self._go()
        finally:
            self.beside.end()

    def _go(self) -> None:
        try:
            self._until_interrupted()
            with uninterrupted():
                self.beside.wait()
        except BaseException as error:
            try:
                if self.all_kept and not self.beside.failed():  # else a resumed run would miss records
                    self.checkpoint()
            finally:
                self.writer.finish("failed", str(error) or type(error).__name__, self.passed_t)
            raise
        if self.start_waits:  # interrupted before the first block
            self._keep(self.integrator.record_now())
        status = self.status
        try:
            self.checkpoint()
        except FloatframeError as error:  # there was no space for it
            self.writer.finish("failed", str(error), self.passed_t)
            raise
        shortened = "" if status.reason == "failed" else self._shortened()  # a failure says itself what helps
        own = (self._enforced(), self._hidden(), shortened, *self._contacts())
        words = (status.message, self.stages.words(), *own, self.limits.words())
        message = " ".join(filter(None, words))
        self.writer.finish(status.reason, message, status.t, status.cured_by)

    def _until_interrupted(self) -> None:
        try:
            self._blocks()
        except KeyboardInterrupt:
            if self.status.reason == "running":  # else it is too late to interrupt it
                sentence = "all records up to there are saved."
                self.status = Status("interrupted", sentence, self.last_t, "Resume to continue.")

    def _shortened(self) -> str:
        """What became of fixed steps that were too long."""
        step = self.integrator.fixed_step
        if step is None:
            return ""
        count = int(self.counted["rejected"][0]) + self.integrator.rejected()
        if not count or any(self._contacts()):
            return ""
        times = "once" if count == 1 else f"{count} times"
        return (
            f"Newton's method failed {times} with steps of {step:g} s, which were halved there; a smaller step helps."
        )

    def _enforced(self) -> str:
        """What it cost to keep speeds on the constraints inside the steps."""
        integrator = self.integrator
        if not isinstance(integrator, Compiled) or not (solutions := integrator.enforced()):
            return ""
        counters = integrator.record_now().counters
        iterations, steps = (int(counters[name][0]) for name in ("iterations", "steps"))
        return (
            f"Speeds were kept on the constraints inside the steps, by {solutions} more solutions with the factors at "
            f"hand in {iterations} iterations of {steps} steps."
        )

    def _hidden(self) -> str:
        """What rounding of accelerations leaves unknown."""
        integrator = self.integrator
        if not isinstance(integrator, Compiled) or not (error := integrator.hidden_error()):
            return ""
        return (
            f"Rounding of accelerations may have changed speeds by {error:.1g} of their size: steps with a smaller "
            "rtol cannot see less; look for parts with hardly any inertia."
        )

    def _contacts(self) -> list[str]:
        """What contacts did to fixed steps, in all stages."""
        step, words = self.integrator.fixed_step, []
        for name, cuts in (*self.cuts, self._contact_cuts()):
            if step is not None and cuts.count:
                times = "once" if cuts.count == 1 else f"{cuts.count} times"
                words.append(
                    f"{name} opens and closes faster than steps of {step:g} s: they were shortened there {times}, down "
                    f"to {cuts.shortest:.2g} s."
                )
            if cuts.unresolved:
                words.append(
                    f"{name} opens and closes faster than the shortest step allowed, and {cuts.unresolved} steps could "
                    "not follow it; look at the energy balance, and lower step_min or the stiffness."
                )
        return list(dict.fromkeys(words))

    def _contact_cuts(self) -> tuple[str, ContactCuts]:
        """The contact that shortened steps of this stage, and how often."""
        cuts = self.integrator.contact_cuts()
        known = cuts.count or cuts.unresolved
        return str(self.stages.system.model.forces[cuts.element]) if known else "", cuts

    def _blocks(self) -> None:
        if self.last_t >= self.settings.t_end:
            self.status = Status("finished", "", self.last_t)
            return
        (size, steps), last_checkpoint = self._first_block(), time.monotonic()
        if self.settings.method not in _compiled:
            self.integrator.run(np.empty(0), 0, 0)  # while an interrupt still gets through
            _compiled.add(self.settings.method)
        while self.status.reason == "running":
            began = time.monotonic()
            # between a block and its records there must be no interrupt, or they would be lost
            with uninterrupted():
                self.status, outcome = self._block(size, steps)
            took = max(time.monotonic() - began, 1e-4)
            wanted = BLOCK_SECONDS if self.beside.pays else ALONE_SECONDS
            factor = min(wanted / took, GROWTH)
            if outcome == PAUSED:
                steps = max(round(steps * factor), 1)
            elif outcome in (REACHED, EVENT):
                shared = self.beside.pays and took > WORTH_SHARING
                size = max(round(size * (min(factor, SHARED_GROWTH) if shared else factor)), 1)
            if time.monotonic() - last_checkpoint > self.record.checkpoint_every:
                self.checkpoint()
                last_checkpoint = time.monotonic()
            if self.progress is not None:
                t, h, done = self.integrator.where()
                self.progress(Progress(t, self.settings.t_end, h, int(self.counted["steps"][0]) + done))

    def _first_block(self) -> tuple[int, int]:
        """Records and steps of the first block; many, if each takes next to no time and no file has to be kept."""
        system = self.stages.system
        if self.writer.resumable or system.index.functions or not isinstance(self.integrator, Compiled):
            return FIRST_RECORDS, FIRST_STEPS
        factor = int(min(max(LIGHT_BLOCK / max(system.nv + system.nlambda, 1) ** 3 / FIRST_STEPS, 1), MOST_FIRST))
        return factor * FIRST_RECORDS, factor * FIRST_STEPS

    def _block(self, size: int, steps: int) -> tuple[Status, int]:
        """At most so many records and steps."""
        self.all_kept = False
        every = self._between_records()
        if every is None:
            kept, outcome = self.integrator.run(np.array([self.stages.end]), size, steps, every_step=True)
        else:
            times = self._next_times(every, size)
            if self.start_waits:
                times = np.append(self.last_t, times)
            kept, outcome = self.integrator.run(times, size, steps)
        # why it failed is asked first: observing the records evaluates forces again
        if outcome not in (REACHED, EVENT, PAUSED):
            self.beside.wait()
        other_rows = self._singular_rows(outcome)
        try:
            reached = float(kept.t[-1]) if len(kept.t) else self.last_t
            status = Status("running") if other_rows else self._status(outcome, reached)
            if status.reason == "running":
                self.beside.begin()
        finally:
            if len(kept.t) or self.start_waits:
                self._keep(kept if len(kept.t) else self.integrator.record_now())
            if other_rows:
                self.beside.wait()
                self.chosen_at = self.integrator.where()[0]
                self.stages.choose_rows()
            elif outcome not in (REACHED, EVENT, PAUSED) and self.integrator.where()[0] > self.last_t:
                self._keep(self.integrator.record_now())
            self.all_kept = True
        if status.reason == "running" and (outcome == EVENT or self.stages.begins_at(self.last_t)):
            self._begin_stage(kept)
        return status, outcome

    def _between_records(self) -> float | None:
        """s, None if every step is kept; steps of `auto` are as long as rtol allows, too long to look at."""
        if self.record.every is not None:
            return self.record.every
        if self.settings.method == "auto":
            return (self.settings.t_end - self.integrator.start_time) / RECORDS
        return self.integrator.fixed_step

    def _singular_rows(self, outcome: int) -> bool:
        """Whether other constraint rows may lead on where those kept have failed; at one place they are tried once."""
        if outcome in (REACHED, EVENT, PAUSED, NOT_A_NUMBER) or not self.stages.system.redundant:
            return False
        span = self.settings.t_end - self.integrator.start_time
        return elsewhere(self.integrator.where()[0], self.chosen_at, span, outcome)

    def _status(self, outcome: int, t: float) -> Status:
        if outcome == EVENT:
            number = self.integrator.event_found()
            if self.stages.begins_with(number):
                return Status("running")
            return Status("stopped by event", f"'{self.settings.events[number]}' crossed zero.", t)
        if outcome not in (REACHED, PAUSED):
            return failure_status(self.stages.system, self.integrator, outcome)
        return Status("finished", "", t) if t >= self.settings.t_end else Status("running")

    def _begin_stage(self, kept: Kept) -> None:
        """Go over to the next stage from the last state kept; the state after it is recorded too, at the same time."""
        self.all_kept = False
        self.beside.wait()
        last = kept if len(kept.t) else self.integrator.record_now()  # a stage may begin as soon as the one before
        self.cuts.append(self._contact_cuts())
        q, v, memory = (array[-1] for array in self.stages.shared(last))
        self.stages.begin_next(State(self.last_t, q, v, memory))
        for name in COUNTERS.names or ():
            if name != "last_step":
                self.counted[name] += last.counters[name][-1]
        self._keep(self.integrator.record_now(), self.last_energy)
        self.all_kept = True

    def _next_times(self, every: float, size: int) -> Array:
        """The next times to record at, the last of them the end of the run.

        Where records are observed beside the steps, a share of those left at most: little is left after the last step,
        and what is left is observed by both threads.
        """
        start, end = self.integrator.start_time, self.stages.end
        if self.beside.begun:
            size = min(size, max(math.ceil(LEFT * (end - self.last_t) / every), FIRST_RECORDS))
        number = math.floor((self.last_t - start) / every + SAME_TIME) + 1
        times = start + every * np.arange(number, number + size)
        inside = times[times < end - SAME_TIME * every]
        return inside if len(inside) == size else np.append(inside, end)

    def _keep(self, kept: Kept, energy_before: float = math.nan) -> None:
        """Have a block of states observed and passed on; a new stage says which energy there was before it."""
        self.last_t = float(kept.t[-1])
        first, self.start_waits = int(self.start_waits), False  # number of the first record that comes from a step
        observer, project = self.stages.observer, bool(self.settings.velocity_constraints)
        observe = partial(observer, kept, self.integrator.unsettled(), project, first)
        self.beside.do(observe, partial(self._pass_on, kept, energy_before), observer.any_order)

    def _pass_on(self, kept: Kept, energy_before: float, seen: Observed) -> None:
        """Pass a block of states on as it was observed, while the next steps may be under way."""
        t, counters = kept.t, kept.counters
        steps, iterations, work = (counters[name] + self.counted[name] for name in ("steps", "iterations", "work"))
        q, v, _ = self.stages.shared(kept)
        self.limits.watch(t, q, v)
        if not math.isnan(energy_before):
            self.energy_start += float(seen.energy[0]) - energy_before
        if math.isnan(self.energy_start):
            self.energy_start = float(seen.energy[0])
        balance = seen.energy - self.energy_start - work
        self.last_energy = float(seen.energy[-1])
        stage = np.full(len(t), float(self.stages.number))
        drifts = (seen.drift, seen.speed_drift)
        columns = [counters["last_step"], steps, iterations, *drifts, seen.energy, balance, stage]
        if stabilisation := bounding(self.integrator):
            columns += stabilisation.bounds(self.settings.method, counters)
        statistics = np.column_stack(columns)
        chosen = slice(int(np.searchsorted(t, self.record.start - 1e-12)), None)
        width = None if self.record.coordinates else 0
        self.writer.append(t[chosen], q[chosen, :width], v[chosen, :width], seen.values[chosen], statistics[chosen])
        self.passed_t = float(t[-1])
