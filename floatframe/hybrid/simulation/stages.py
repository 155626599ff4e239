"""The stages of a run: what each is computed with, and how one follows another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from floatframe.arrays import AnyArray, Array
from floatframe.errors import Where
from floatframe.expressions import Expression, parse
from floatframe.hybrid.assembly import (
    CompiledSystem,
    State,
    Translation,
    own_tree,
    require_start,
    rows_for_pose,
    same_structure,
    switched,
    with_rows,
)
from floatframe.hybrid.compile import Additions, add_program, extended
from floatframe.hybrid.flat import FlatStage
from floatframe.hybrid.kernels import Kept
from floatframe.hybrid.results import Observer, stage_impulses, with_sources
from floatframe.hybrid.settings import SIMULATE, Record, Settings
from floatframe.hybrid.simulation.checkpoints import damaged, numbers
from floatframe.hybrid.simulation.integrators import Compiled, Integrator
from floatframe.hybrid.simulation.invariants import require_invariants, with_invariants
from floatframe.hybrid.simulation.methods import integrator_for


class RunStages:
    """The stage that a run is in: its system with the programs of the events, its observer, its integrator."""

    def __init__(self, system: CompiledSystem, settings: Settings, record: Record, state: State) -> None:
        self.settings, self.record = settings, record
        self.waiting: list[FlatStage] = list(system.model.stages)
        self.begun: list[tuple[FlatStage, State]] = []  # later stages, and the states that they were begun from
        self._enter(system, state)

    def _enter(self, system: CompiledSystem, state: State, impulses: Mapping[str, Array] | None = None) -> None:
        """Begin a stage: the system in the coordinates that all stages share, its state, impulses in the joints."""
        self.plain = system
        self.back: Translation | None  # from the coordinates of the stage to those
        system, state, self.back = own_tree(system, state)
        events = [
            parse(event, where=Where("event", SIMULATE.subject, f"events.{k}"))
            for k, event in enumerate(self.settings.events)
        ]
        self.end = self.settings.t_end
        if self.waiting:
            when = self.waiting[0].when
            if when.is_constant:
                self.end = min(self.end, max(when.evaluate(), state.t))
            else:
                events.append(when)
        self.system, first_event = with_events(system, events)
        self.system, invariants = with_invariants(self.system, self.settings.conserve)
        require_invariants(self.system, invariants, state, self.end)
        self.observer = Observer(self.system, with_sources(self.system, self.record), impulses)
        begun = require_start(system, state)
        settings = replace(self.settings, t_end=self.end, events=tuple(map(str, events)))
        self.integrator: Integrator = integrator_for(self.system, settings, state, first_event, begun, invariants)

    def keep_blank(self) -> None:
        """Keep what is needed for a run after this one, see `begin_again`."""
        if isinstance(self.integrator, Compiled):
            self.integrator.keep_blank()
            self.observer.keep_blank()

    def begin_again(self, system: CompiledSystem, settings: Settings, record: Record, state: State) -> bool:
        """Take the place of fresh stages for a run of another system, with what was set up for the last one.

        False if that does not fit; else all is as it would be if it were made for this run.
        """
        own = self.integrator
        fits = (
            isinstance(own, Compiled)
            and own.reusable
            and self.plain is self.system  # neither events nor invariants, and no other rows chosen on the way
            and (settings, record, state.t) == (self.settings, self.record, own.start_time)
            and same_structure(self.plain, system)
            and self.observer.begin_again(system)
        )
        if fits and isinstance(own, Compiled):
            self.plain = self.system = system
            own.begin_again(system, state)
        return fits

    @property
    def number(self) -> int:
        """Stages begun after the first."""
        return len(self.begun)

    def begins_at(self, t: float) -> bool:
        """Whether the next stage begins at a time because that was given."""
        return bool(self.waiting) and self.waiting[0].when.is_constant and t >= self.end < self.settings.t_end

    def begins_with(self, event: int) -> bool:
        """Whether the next stage begins with an event found."""
        return event == len(self.settings.events)

    def begin_next(self, state: State) -> None:
        """Go over to the next stage from the last state of this one, in the coordinates that all stages share."""
        stage, start, before = self.waiting.pop(0), self.integrator.start_time, self.integrator
        self.begun.append((stage, state))
        system, after = switched(self.plain, stage, state)
        self._enter(system, after, stage_impulses(system, state.v, after) if system.model.jolted else None)
        self.integrator.start_time = start  # times of records go on
        if isinstance(before, Compiled) and isinstance(self.integrator, Compiled):
            self.integrator.hold_as(before)

    def shared(self, kept: Kept) -> tuple[Array, Array, Array]:
        """Coordinates, speeds and memory (one row per state kept) as all stages share them."""
        if self.back is None:
            return kept.q, kept.v, kept.memory
        return self.back(kept.t, kept.q, kept.v, kept.memory)

    def choose_rows(self) -> None:
        """Go on with those constraint rows that suit the present pose best."""
        self._take_rows(*rows_for_pose(self.system, self.integrator.state()))

    def _take_rows(self, system: CompiledSystem, state: State) -> None:
        self.system = system
        self.observer.row_numbers = system.row_numbers
        self.integrator.go_on(system, state)

    def carried(self) -> dict[str, AnyArray]:
        """The rows kept; states that later stages were begun from: t, q, v, memory, one row each."""
        rows: dict[str, AnyArray] = {"rows": np.array(self.system.row_numbers, dtype=np.int64)}
        if not self.begun:
            return rows
        return rows | {"stages": np.array([np.concatenate(([s.t], s.q, s.v, s.memory)) for _, s in self.begun])}

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go over to the stage that a run was in, and to its constraint rows."""
        nq, nv = self.plain.nq, self.plain.nv
        begun = numbers(content, "stages") if "stages" in content else np.empty((0, 0))
        if begun.ndim != 2 or len(begun) > len(self.waiting) or not np.isfinite(begun).all():
            raise damaged("it has other stages than the model")
        for row in begun:
            if len(row) != 1 + nq + nv + len(self.plain.start.memory):
                raise damaged("its stages began from states of another model")
            q, v, memory = np.split(row[1:], [nq, nq + nv])
            self.begin_next(State(float(row[0]), q, v, memory))
        rows = tuple(numbers(content, "rows").ravel().tolist())
        if len(set(rows)) != len(self.system.row_numbers) or not set(rows) <= set(self.system.index.rows.holding):
            raise damaged("its constraint rows are not those of the model")
        if rows != self.system.row_numbers:
            self._take_rows(with_rows(self.system, rows), self.integrator.state())

    def words(self) -> str:
        """Which stages came, and which did not."""
        sentences = [f"Stage '{stage.name}' began at t = {state.t:.6g} s." for stage, state in self.begun]
        sentences += [f"Stage '{stage.name}' did not begin." for stage in self.waiting]
        return " ".join(sentences)


def with_events(system: CompiledSystem, events: Sequence[Expression]) -> tuple[CompiledSystem, int]:
    """The system with the programs of the events, and the number of the first one."""
    if not events:
        return system, 0
    added = Additions.behind(system.index, system.tables)
    numbers = [add_program(added, event, {}) for event in events]
    index, tables = extended(system.index, system.tables, added)
    return replace(system, index=index, tables=tables), numbers[0]
