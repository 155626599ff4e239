"""Time integration of a system: settings, a place for the records, a fresh or a resumed run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from floatframe.errors import ModelError, ReadError
from floatframe.hybrid.assembly import CompiledSystem, State, ambiguous_joints, fingerprint
from floatframe.hybrid.modelfile import NOT_KEPT, KeptModel, kept_model
from floatframe.hybrid.results import AMBIGUOUS, GRAVITY, MemoryWriter, Results
from floatframe.hybrid.settings import PROPOSED, STARTS, Record, Settings, require_same
from floatframe.hybrid.simulation.methods import require_start_name, with_default_step
from floatframe.hybrid.simulation.proposal import proposed
from floatframe.hybrid.simulation.run import BOUNDS, STATISTICS, Progress, Run, bounding
from floatframe.hybrid.simulation.stages import RunStages
from floatframe.hybrid.simulation.workplace import Workplace
from floatframe.hybrid.studies import equilibrium_state, steady_state, warn_of_uncarried_loads
from floatframe.io import Channel, ResultFile, ResultMeta, ResultWriter, read

SETTLE, SETTLE_STEP = 10.0, 1e-3  # s, of a run before the search for a steady motion


def simulate(
    system: CompiledSystem,
    state: State | str | None,
    settings: Settings,
    record: Record | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    workplace: Workplace | None = None,
) -> Results:
    """Integrate a system and return the records; what the arguments mean is said at `System.simulate`.

    workplace: where runs one after the other of one model share what does not depend on its numbers.
    """
    if resume and path is None:
        raise ModelError("simulate: resume needs the file of the run to continue; give path=")
    if state is None:
        state = begun_from(path) if resume and path is not None else STARTS[0]
    origin = state if isinstance(state, str) else "state"
    state = start_state(system, state) if isinstance(state, str) else state
    settings.require_after(state.t)
    warn_of_uncarried_loads(system.model)
    record = Record() if record is None else record
    record.require_before(settings.t_end)
    settings = with_proposed(system, settings, state, path if resume else None)
    make = RunStages if workplace is None else workplace.stages
    stages = make(system, with_default_step(settings, state), record, state)
    statistics = (*STATISTICS, *BOUNDS) if bounding(stages.integrator) else STATISTICS
    meta = run_meta(system, settings, record, origin, None if path is None else Path(path).parent, statistics)
    if path is None:
        memory = MemoryWriter(stages.observer.channels, meta)
        run = Run(stages, settings, record, memory, progress)
        run.keep_start()
        run.go()
        return Results(memory, system)
    begun = same_run(path, meta, stages.observer.channels) if resume else None
    if begun is not None and nothing_left(begun, settings.t_end):
        return Results(begun, system)
    # a run that was killed before its first checkpoint has nothing to go on from
    if begun is None or begun.checkpoint is None:
        writer = ResultWriter.create(path, stages.observer.channels, meta)
    else:
        writer = ResultWriter.resume(path, meta.source)
    run = Run(stages, settings, record, writer, progress)
    if writer.resumed_from is None:
        run.keep_start()
    else:
        run.restore(writer.resumed_from.content)
    run.go()
    return Results.open(path, system)


def run_meta(
    system: CompiledSystem,
    settings: Settings,
    record: Record,
    origin: str,
    folder: Path | None,
    statistics: tuple[Channel, ...] = STATISTICS,
) -> ResultMeta:
    """What a run keeps besides its records: settings, the state that it began from and, in a folder, its model."""
    model = KeptModel() if folder is None or not record.model else kept_model(system.description, folder)
    kept_settings = {
        **settings.plain(),
        "from": origin,
        "record_every": record.every,
        GRAVITY: system.model.gravity.tolist(),
        "parameters": {} if system.description is None else dict(system.description.parameters),
        **({} if folder is None else {"system": fingerprint(system)}),
        AMBIGUOUS: list(ambiguous_joints(system)),
        **({NOT_KEPT: model.reason} if model.reason else {}),
    }
    size = (system.nq, system.nv) if record.coordinates else (0, 0)
    return ResultMeta(*size, model.text, kept_settings, statistics, model.files, model.source)


def with_proposed(system: CompiledSystem, settings: Settings, state: State, begun: str | Path | None) -> Settings:
    """The settings with factors in place of stabilisation="proposed"; a run that goes on keeps those it has."""
    if settings.stabilisation != PROPOSED:
        return settings
    if begun is not None and Path(begun).exists() and isinstance(file := read(begun), ResultFile):
        return replace(settings, stabilisation=file.meta.settings.get("stabilisation"))
    return replace(settings, stabilisation=proposed(system, with_default_step(settings, state), state))


def start_state(system: CompiledSystem, name: str) -> State:
    """The state that a run begins from, by its name."""
    require_start_name(name)
    if name == "equilibrium":
        return equilibrium_state(system)
    return steady_motion(system) if name == "steady" else system.initial_state()


def steady_motion(system: CompiledSystem, state: State | None = None) -> State:
    """The steady motion reached from a state (default: the start), if need be after a run that lets it settle."""

    def settled(start: State) -> State:
        until = Settings(t_end=start.t + SETTLE, method="generalised-alpha", step=SETTLE_STEP)
        result = simulate(system, start, until, Record(every=SETTLE / 10))
        return State(float(result.t[-1]), result.q[-1], result.v[-1], start.memory)

    return steady_state(system, state, settled)


def begun_from(path: str | Path) -> str:
    """The name of the state that the run of a file began from; a state of the user's own is in its checkpoint."""
    begun = read(path) if Path(path).exists() else None
    name = str(begun.meta.settings.get("from", STARTS[0])) if isinstance(begun, ResultFile) else STARTS[0]
    return name if name in STARTS else STARTS[0]


def same_run(path: str | Path, now: ResultMeta, channels: tuple[Channel, ...]) -> ResultFile:
    """The file of a run that is to go on; runs of something else are refused."""
    if not Path(path).exists():
        raise ReadError(f"resume: file '{path}' does not exist; start the run without resume")
    begun = read(path)
    if not isinstance(begun, ResultFile):
        raise ReadError(f"resume: '{path}' does not hold results of a simulation")
    require_same(begun.meta.settings, now.settings, path)
    if begun.channels != channels or (begun.meta.nq, begun.meta.nv) != (now.nq, now.nv):
        raise ModelError(f"resume: '{path}' records other channels than now requested; leave them as they were")
    return begun


def nothing_left(begun: ResultFile, t_end: float) -> bool:
    """Whether a run has come to its end, or was interrupted beyond an end that is now an earlier one."""
    return begun.status.reason == "stopped by event" or (
        begun.status.reason in ("finished", "interrupted") and begun.status.t >= t_end
    )
