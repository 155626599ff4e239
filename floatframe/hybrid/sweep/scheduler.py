"""The points of a sweep on a cluster: through a scheduler of dask, whose workers have floatframe and see the files."""

# mypy: allow-untyped-calls
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from floatframe.errors import MissingDependency, ModelError
from floatframe.hybrid.dense import one_thread
from floatframe.hybrid.sweep.points import Points
from floatframe.hybrid.sweep.study import Outcome, Study
from floatframe.hybrid.sweep.workers import Outcomes, Task
from floatframe.io import FAILED

PATIENCE = "10s"  # for the answer of the scheduler


def on_scheduler(study: Study, tasks: Sequence[Task], address: str) -> Outcomes:
    """Compute points on the workers of a scheduler; outcomes come as they are done."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise MissingDependency(
            "sweep: a scheduler needs the package distributed; run: pip install 'floatframe[cluster]'"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"sweep: no scheduler answers at '{address}'; start one with `dask scheduler` and workers with "
            "`dask worker ADDRESS --nthreads 1`, or leave it out"
        ) from error
    if isinstance(study.source, Path):
        study = replace(study, source=study.source.resolve())
    with client:
        # one copy of the study for all points
        (shared,) = client.scatter([study], broadcast=True)
        numbers = {client.submit(_point, shared, values, pure=False): number for number, values in tasks}
        try:
            for future in as_completed(numbers):
                yield numbers[future], _outcome(future)
        finally:
            client.cancel(list(numbers))


def _point(study: Study, values: Mapping[str, float]) -> Outcome:
    with one_thread():
        return Points(study).outcome(values)


def _outcome(future: object) -> Outcome:
    """The outcome of a point, also of one whose worker died or lacks something."""
    try:
        return future.result()  # type: ignore[attr-defined]
    except Exception as error:  # dask hands over whatever went wrong on the other machine
        return Outcome(FAILED, f"a worker of the scheduler failed: {type(error).__name__}: {error}")
