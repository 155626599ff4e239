"""Parameter sweeps: one study at every point of a grid, by several workers, into a file that is always sound.

result = ff.hybrid.sweep("machine.toml", {"phi": "0:330:30", "alpha": "0:330:30"}, measure=["frame.acceleration:rms"])
result["frame.acceleration.z:rms"]      # (12, 12), NaN where a point failed
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from floatframe.errors import ModelError, ReadError
from floatframe.expressions import Scalar
from floatframe.hybrid.dense import one_thread
from floatframe.hybrid.model import Model
from floatframe.hybrid.model_file import ModelFile
from floatframe.hybrid.simulation import OUTSIDE_METHODS
from floatframe.hybrid.sweep.grid import Grid, Values, grid
from floatframe.hybrid.sweep.points import Points, points_of
from floatframe.hybrid.sweep.random_values import Samples
from floatframe.hybrid.sweep.study import Measures, Outcome, Source, Study, Swept
from floatframe.hybrid.sweep.threads import on_threads
from floatframe.hybrid.sweep.workers import Outcomes, Task, Workers, here, in_processes
from floatframe.hybrid.warmup import EVALUATION, is_ready, parts_for
from floatframe.io import FAILED, SAMPLE, WAITING, SweepResult, SweepWriter, grid_points, is_sweep_file, read_sweep
from floatframe.listening import listening


@dataclass(frozen=True)
class SweepProgress:
    """What a progress bar shows: points done, all points, points that failed."""

    done: int
    points: int
    failed: int


def sweep(
    model: str | Path | Model | Callable[..., Model | ModelFile] | Swept,
    vary: Mapping[str, Values],
    study: str = "simulate",
    measure: str | Sequence[str] | Callable[[Any], Mapping[str, float]] = (),
    *,
    samples: int | Samples | None = None,
    workers: int | Workers = 2,
    scheduler: str | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    parameters: Mapping[str, Scalar] | None = None,
    measure_from: float | None = None,
    progress: Callable[[SweepProgress], None] | None = None,
    **settings: Any,
) -> SweepResult:
    """Do a study at every point of a grid of parameters and return the numbers of all points.

    A point that fails is kept with its sentence and does not stop the others. One that is lost with its worker is tried
    again twice and is then not computed, as are those that Ctrl-C leaves; `resume` computes them.

    Parameters
    ----------
    model
        A model file, a Model, or a function of the parameters that returns one of them (for worker processes: a
        function of a module). A file and the files of its flexible bodies are read once.
    vary
        Values by name, as numbers or texts "0:330:30", "1,2,5"; several make a grid whose last parameter runs fastest.
        A name may carry the unit of its values for headings and axes: {"phi [°]": "0:330:30"}.
        Places of a model file also take lists and texts: {"flexible[rod].modes": [[1, 2], [1, 2, 5]]}, which are
        counted from 1 in the result (`result.choices`).
        Random parameters as "normal(1000, 50)", "lognormal(mean, standard deviation)", "uniform(low, high)",
        "triangular(low, peak, high)"; all take their next value from one sample to the next.
    study
        "simulate", "equilibrium" or "linear" (frequencies and damping).
    measure
        Channels or expressions of them with what is wanted, "A.force.x - B.force.x:lowpass(20):rms,peak" (filters and
        numbers: `signals.FILTERS`, `signals.NUMBERS`; A.force.magnitude for the length of a vector), by default rms and
        peak of all that is recorded; "hinge.angle" at an equilibrium; or a function of the outcome (Results,
        Equilibrium, Linear) that returns numbers by name.
    samples
        Number of samples of the random parameters, at every point of the grid of the others; `Samples(1000, seed=2)`
        draws others than those of seed 1. The same seed gives the same samples, whatever computes them, and more begin
        with the same ones. `result.statistics()` has mean, standard deviation and percentiles of every measure.
    workers
        How many compute at the same time; the numbers do not depend on it. They are threads of this process, but
        processes for external solvers and functions that make models, which would keep threads waiting for each other;
        `Workers(2, processes=True)` always has processes, so that a crash does not end the sweep.
    scheduler
        Address of a dask scheduler whose workers compute instead.
    path
        HDF5 file, kept up to date while running.
    resume
        Compute only the points that are not in the file yet; the grid may then be another.
    parameters
        Other values for parameters that do not vary.
    measure_from
        First time that measures look at [s].
    progress
        Called after every point with what is done.
    **settings
        Keys of [simulate] in place of those in the file; n and at ("equilibrium", "start", "steady") of a linear study.
    """
    team = workers if isinstance(workers, Workers) else Workers(workers)
    drawn = Samples(samples) if isinstance(samples, int) else samples
    if resume and path is None:
        raise ModelError("sweep: resume needs the file of the sweep to continue; give path=")
    whole = grid(vary, drawn)
    twice = [name for name in (*whole.axes, *whole.samples) if name in (parameters or {})]
    if twice:
        raise ModelError(f"sweep: '{twice[0]}' varies and is given a fixed value too; leave one of them out")
    wanted: Measures = (measure,) if isinstance(measure, str) else measure if callable(measure) else tuple(measure)
    given = {name: value for name, value in settings.items() if value is not None}
    source: Source = Path(model) if isinstance(model, str | os.PathLike) else model
    plan = Study(source, study, given, wanted, measure_from, dict(parameters or {}))
    doer = points_of(plan)
    # every point reports its warnings; the first one, compiled here, has the bits that a worker process would give it
    with listening(), one_thread():
        first = whole.points()[0]
        how = doer.require_sound(first)
        random = {"random": whole.random, "seed": drawn.seed} if drawn is not None else {}
        choices = {"choices": {name: list(texts) for name, texts in whole.choices.items()}} if whole.choices else {}
        units = {"units": whole.units} if whole.units else {}
        kept = _Sweep(whole, doer.text(first), {**_settings(plan), **random, **choices, **units})
    if resume and path is not None:
        kept.take_over(path)
    outcomes = _computed(doer, kept.left(), how, team, scheduler)
    if path is None:
        _collect(kept, outcomes, None, progress)
    else:
        with SweepWriter(path, kept.result()) as writer:
            _collect(kept, outcomes, writer, progress)
    return kept.result()


def _collect(
    kept: _Sweep,
    outcomes: Outcomes,
    writer: SweepWriter | None,
    progress: Callable[[SweepProgress], None] | None,
) -> None:
    """Take in outcomes as they come and keep the file up to date; Ctrl-C ends it with what there is."""
    try:
        with closing(outcomes):
            for number, outcome in outcomes:
                kept.take(number, outcome)
                if writer is not None and writer.due:
                    writer.write(kept.result())
                if progress is not None:
                    progress(kept.progress())
    except KeyboardInterrupt:
        pass  # what is done is kept, the result says what is missing
    finally:
        if writer is not None:
            writer.write(kept.result())


def _computed(
    points: Points,
    tasks: Sequence[Task],
    how: Mapping[str, Any],
    team: Workers,
    scheduler: str | None,
) -> Outcomes:
    """Outcomes as they come, from wherever they are computed; how: the settings of the simulations."""
    study = points.study
    if scheduler is not None:
        from floatframe.hybrid.sweep.scheduler import on_scheduler

        return on_scheduler(study, tasks, scheduler)
    workers, processes = min(team.count, len(tasks)), team.processes
    if processes is None:
        made_by_function = not isinstance(study.source, Path | Model)
        processes = made_by_function or how.get("method") in OUTSIDE_METHODS
    if workers <= 1:
        return here(points, tasks)
    if processes:
        parts = parts_for(how.get("method"), how.get("step"))
        return in_processes(study, tasks, workers, first_alone=not _compiled(study, parts))
    return on_threads(points, tasks, workers)


def _compiled(plan: Study, parts: tuple[str, ...]) -> bool:
    """Whether all kernels that a study, or a simulation by these parts, needs lie on disk."""
    return all(map(is_ready, parts if plan.kind == "simulate" else (EVALUATION,)))


class _Sweep:
    """A sweep on its way."""

    def __init__(self, whole: Grid, model: str, settings: dict[str, Any]) -> None:
        self.axes, self.samples, self.model, self.settings = whole.axes, whole.samples, model, settings
        self.points = whole.points()
        self.count = math.prod(map(len, whole.axes.values()))
        self.outcomes: dict[int, Outcome] = {}  # by number of the point
        self.failed = 0

    def left(self) -> list[Task]:
        """The points that are still to be computed."""
        return [(number, point) for number, point in enumerate(self.points) if number not in self.outcomes]

    def take(self, number: int, outcome: Outcome) -> None:
        """Keep the outcome of a point."""
        self.outcomes[number] = outcome
        self.failed += outcome.state == FAILED

    def progress(self) -> SweepProgress:
        return SweepProgress(len(self.outcomes), self.count, self.failed)

    def result(self) -> SweepResult:
        """The sweep as far as it has come; columns stand in the order in which the points have them."""
        done = dict(sorted(self.outcomes.items()))
        columns = list(dict.fromkeys(channel for outcome in done.values() for channel in outcome.numbers))
        values = np.full((self.count, len(columns)), np.nan)
        seconds = np.full(self.count, np.nan)
        states, sentences = [WAITING] * self.count, [""] * self.count
        for number, outcome in done.items():
            values[number] = [outcome.numbers.get(channel, np.nan) for channel in columns]
            states[number], sentences[number] = outcome.state, outcome.sentence
            seconds[number] = outcome.seconds
        points = self.axes, tuple(columns), values, tuple(states), tuple(sentences), seconds
        return SweepResult(*points, self.model, self.settings, self.samples)

    def take_over(self, path: str | Path) -> None:
        """Take the points of an unfinished sweep that are on the grid; sweeps of something else are refused."""
        if not Path(path).exists():
            raise ReadError(f"resume: file '{path}' does not exist; start the sweep without resume")
        if not is_sweep_file(Path(path)):
            raise ReadError(f"resume: '{path}' does not hold a sweep")
        begun = read_sweep(path)
        for name, value in self.settings.items():
            if begun.settings.get(name) != value:
                raise ModelError(_other(path, name, begun.settings.get(name), value))
        if tuple(begun.parameters) != tuple(self.axes):
            found, wanted = (", ".join(names) for names in (self.axes, begun.parameters))
            raise ModelError(f"resume: '{path}' varies {wanted}, found {found}; vary the same in the same order")
        before, now = (len(axes.get(SAMPLE, ())) for axes in (begun.parameters, self.axes))
        if now < before:
            raise ModelError(
                f"resume: '{path}' has {before} samples, found {now}, and those beyond would be lost; give at least as "
                "many samples as before, or start a new sweep into another file"
            )
        place = {tuple(point.values()): number for number, point in enumerate(grid_points(self.axes, self.samples))}
        for row, point in enumerate(begun.points):
            number = place.get(tuple(point.values()))
            if number is not None and begun.states[row] != WAITING:
                self.take(number, _outcome(begun, row))


def _outcome(begun: SweepResult, row: int) -> Outcome:
    state, numbers = begun.states[row], begun.values[row].tolist()
    kept = {} if state == FAILED else dict(zip(begun.columns, numbers, strict=True))
    return Outcome(state, begun.sentences[row], kept, float(begun.seconds[row]))


def _settings(plan: Study) -> dict[str, Any]:
    """What a sweep was asked for, as JSON can hold it; a sweep goes on only with the same."""
    named = plan.source.name if isinstance(plan.source, Path | Model | Swept) else _function(plan.source)
    return {
        "study": plan.kind,
        "model": named,
        "measure": _function(plan.measure) if callable(plan.measure) else list(plan.measure),
        "measure_from": plan.start,
        "parameters": dict(plan.parameters),
        "settings": dict(plan.settings),
        "system": points_of(plan).fingerprint(),  # compiled afresh, from no other point
    }


def _function(function: Any) -> str:
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(function).__name__)}"


def _other(path: str | Path, name: str, begun: Any, now: Any) -> str:
    if name == "system":
        return (
            f"resume: the model is not the one that '{path}' was begun with; a body, a parameter or a file it uses has "
            "changed. Start a new sweep into another file"
        )
    return (
        f"resume: '{path}' was begun with {name} {begun or 'none'}, found {now or 'none'}; leave it as it was, or "
        "start a new sweep into another file"
    )
