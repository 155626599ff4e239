"""A place for runs one after the other: what the first one set up serves all that differ from it in numbers alone."""

from __future__ import annotations

from floatframe.hybrid.assembly import CompiledSystem, State
from floatframe.hybrid.settings import Record, Settings
from floatframe.hybrid.simulation.stages import RunStages


class Workplace:
    """Observer and integrator of the run before; for runs of one thread, each of which ends before the next."""

    def __init__(self) -> None:
        self._stages: RunStages | None = None

    def stages(self, system: CompiledSystem, settings: Settings, record: Record, state: State) -> RunStages:
        """The stages of a run, those of the run before if they fit."""
        kept, self._stages = self._stages, None  # a run that cannot begin leaves nothing behind
        if kept is None or not kept.begin_again(system, settings, record, state):
            kept = RunStages(system, settings, record, state)
            kept.keep_blank()
        self._stages = kept
        return kept
