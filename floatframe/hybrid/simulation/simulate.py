"""Time integration of a system: settings, a place for the records, a fresh or a resumed run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from floatframe.errors import ModelError, ReadError
from floatframe.hybrid.assembly import CompiledSystem, State, ambiguous_joints
from floatframe.hybrid.modelfile import NOT_KEPT, KeptModel, kept_model
from floatframe.hybrid.results import AMBIGUOUS, MemoryWriter, Record, Results
from floatframe.hybrid.settings import SIMULATE, STARTS, Settings, checked, require_same
from floatframe.hybrid.simulation.integrators import with_default_step
from floatframe.hybrid.simulation.run import STATISTICS, Progress, Run
from floatframe.hybrid.simulation.stages import RunStages
from floatframe.hybrid.studies import equilibrium_state, steady_state
from floatframe.io import Channel, ResultFile, ResultMeta, ResultWriter, read


def simulate(
    system: CompiledSystem,
    state: State | str | None = None,
    t_end: float = 1.0,
    *,
    record: Record | None = None,
    method: str = "generalised-alpha",
    step: float | None = None,
    rtol: float | None = None,
    spectral_radius: float = 0.8,
    newton_tolerance: float = 1e-6,
    velocity_constraints: bool = True,
    stabilisation: Sequence[float] | None = None,
    conserve: str = "",
    step_min: float | None = None,
    step_max: float | None = None,
    events: Sequence[str] = (),
    path: str | Path | None = None,
    resume: bool = False,
    model_text: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Integrate from `state` to t_end [s] and return the records.

    state: a state, or "start" (default), "equilibrium" or "steady" for the one that is found from the start; a resumed
    run keeps the one it began from.
    method: "generalised-alpha", "hht", "newmark", "park", "bdf1", "bdf2" with a fixed `step` [s], or with `rtol` for
    controlled steps (the first three); "rk4", "rk45" for systems that are not stiff; "scipy:RK23", "scipy:RK45",
    "scipy:DOP853", "scipy:Radau", "scipy:BDF", "scipy:LSODA", "sundials:cvode", "sundials:ida" for solvers of others,
    with `rtol`. A fixed step is shortened so that it fits the times of records. spectral_radius: damping of high
    frequencies, 1 none, 0 most. stabilisation: (a, b) [1/s] of constraint rows g'' + 2 a g' + b² g = 0 in place of
    projection, for rk4, rk45 and solvers of others. conserve: "energy" scales the speeds after every step of rk4 and
    rk45 so that the energy keeps its value. events: expressions of t and sensors; the run stops where one crosses zero.
    Stages of the model (see `Stage`) follow each other on the way; the records of all are in one result, with two at
    the time of a change, the state before it and the one after it.
    path: HDF5 file, written while running; resume: continue it from its last checkpoint, to bit-equal results (solvers
    of others: within their tolerance); only t_end may then be another (with rtol, the step that met the first one was
    shortened, so that a run made in one go differs within the tolerance). model_text, parameters: the model file and
    its changed parameters, kept with the records; without a text the model itself is written into the file, with its
    reduced bodies that are in no file of their own, so that pictures and reports can be made of it ("" keeps nothing).
    """
    if isinstance(events, str):
        raise SIMULATE.at("events").error(f"events is the text '{events}', expected a list of expressions")
    if resume and path is None:
        raise ModelError("simulate: resume needs the file of the run that is to go on; give path=")
    if state is None:
        state = begun_from(path) if resume and path is not None else STARTS[0]
    origin = state if isinstance(state, str) else "state"
    state = start_state(system, state) if isinstance(state, str) else state
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
            None if stabilisation is None else tuple(float(factor) for factor in stabilisation),
            conserve,
            step_min,
            step_max,
            tuple(events),
        ),
        state,
    )
    model = KeptModel(model_text or "")
    if model_text is None and path is not None:
        model = kept_model(system.description, Path(path).parent)
    kept_settings = {
        **settings.plain(),
        "from": origin,
        "record_every": record.every,
        "parameters": dict(model.parameters if parameters is None else parameters),
        "system": fingerprint(system),
        AMBIGUOUS: list(ambiguous_joints(system)),
        **({NOT_KEPT: model.reason} if model.reason else {}),
    }
    stages = RunStages(system, with_default_step(settings, state), record, state)
    size = (system.nq, system.nv) if record.coordinates else (0, 0)
    meta = ResultMeta(*size, model.text, kept_settings, STATISTICS, model.files)
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
        writer = ResultWriter.resume(path)
    run = Run(stages, settings, record, writer, progress)
    if writer.resumed_from is None:
        run.keep_start()
    else:
        run.restore(writer.resumed_from.content)
    run.go()
    return Results.open(path, system)


def start_state(system: CompiledSystem, name: str) -> State:
    """The state that a run begins from, by its name."""
    if name not in STARTS:
        raise SIMULATE.at("from").error(f"a run begins from '{name}', expected one of {', '.join(STARTS)}, or a state")
    if name == "equilibrium":
        return equilibrium_state(system)
    return steady_state(system) if name == "steady" else system.initial_state()


def begun_from(path: str | Path) -> str:
    """The name of the state that the run of a file began from; a state of the user's own is in its checkpoint."""
    begun = read(path) if Path(path).exists() else None
    name = str(begun.meta.settings.get("from", STARTS[0])) if isinstance(begun, ResultFile) else STARTS[0]
    return name if name in STARTS else STARTS[0]


def same_run(path: str | Path, now: ResultMeta, channels: tuple[Channel, ...]) -> ResultFile:
    """The file of a run that is to go on; runs of something else are refused."""
    if not Path(path).exists():
        raise ReadError(f"resume: there is no file '{path}'; begin the run without resume")
    begun = read(path)
    if not isinstance(begun, ResultFile):
        raise ReadError(f"resume: '{path}' holds no results of a simulation")
    require_same(begun.meta.settings, now.settings, path)
    if begun.channels != channels or (begun.meta.nq, begun.meta.nv) != (now.nq, now.nv):
        raise ModelError(f"resume: '{path}' records other channels than are asked for now; leave them as they were")
    return begun


def nothing_left(begun: ResultFile, t_end: float) -> bool:
    """Whether a run has come to its end."""
    return begun.status.reason == "stopped by event" or (begun.status.ok and begun.status.t >= t_end)


def fingerprint(system: CompiledSystem) -> str:
    """A number for everything that decides the motion of a system: all its tables but addresses of functions."""
    digest = hashlib.sha256()
    for stage in system.model.stages:
        model = stage.model
        digest.update(repr((str(stage.when), stage.lock, sorted(model.idle), sorted(model.off))).encode())
        digest.update(repr(sorted(model.parameters.items())).encode())
    for name, table in zip(system.tables._fields, system.tables, strict=True):
        for field in table.dtype.names or ("",):
            if (name, field) != ("forces", "user"):
                digest.update((table[field] if field else table).tobytes())
    return digest.hexdigest()[:16]
