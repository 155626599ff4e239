"""The points of a sweep on a cluster: through a scheduler of dask, whose workers have floatframe and see the files."""

# mypy: allow-untyped-calls
from __future__ import annotations

import logging
import time
from asyncio import CancelledError
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from floatframe.errors import MissingDependency, ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.dense import one_thread
from floatframe.hybrid.sweep.points import points_of
from floatframe.hybrid.sweep.study import Outcome, Study
from floatframe.hybrid.sweep.workers import Outcomes, Task
from floatframe.io import WAITING

PATIENCE = "10s"  # for the answer of the scheduler
GONE = 10.0  # s without a scheduler, after which the points left are not waited for
PAUSE = 0.05  # s between two looks
QUIET = ("distributed", "asyncio", "tornado")  # loggers


def on_scheduler(study: Study, tasks: Sequence[Task], address: str) -> Outcomes:
    """Compute points on the workers of a scheduler; outcomes come as they are done."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise MissingDependency(
            "sweep: a scheduler needs the package distributed; run: pip install 'floatframe[cluster]'"
        ) from error
    _hush()
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
        try:
            (shared,) = client.scatter([study], broadcast=True)
        except (OSError, TimeoutError, CancelledError):  # the scheduler died as the sweep began
            for number, _ in tasks:
                yield number, Outcome(WAITING, "not computed: the scheduler has gone")
            return
        numbers = {client.submit(_point, shared, values, pure=False): number for number, values in tasks}
        try:
            left = set(numbers.values())
            for future in _ready(client, as_completed(numbers)):
                left.discard(numbers[future])
                yield numbers[future], _outcome(future)
            for number in sorted(left):
                yield number, Outcome(WAITING, "not computed: the scheduler has gone")
        finally:
            with suppress(Exception, CancelledError):  # there may be no scheduler any more
                client.cancel(list(numbers))


def _hush() -> None:
    """Keep what dask's threads log about a scheduler that dies off the terminal; points not computed say it."""
    for name in {*QUIET, *logging.root.manager.loggerDict}:
        if name.partition(".")[0] in QUIET:  # each by itself: dask gives several of them a level of their own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _ready(client: Any, futures: Any) -> Iterator[Any]:
    """Futures as they are done, until all are or the scheduler has been gone for a while; dask would wait for ever."""
    gone = 0.0
    while not futures.is_empty() and gone < GONE:
        if futures.has_ready():
            yield from futures.next_batch(block=False)
        else:
            time.sleep(PAUSE)
            gone = 0.0 if client.status == "running" else gone + PAUSE


def _point(study: Study, values: Mapping[str, Scalar]) -> Outcome:
    with one_thread():
        return points_of(study).outcome(values)


def _outcome(future: object) -> Outcome:
    """The outcome of a point, also of one whose worker died or lacks something."""
    try:
        return future.result()  # type: ignore[attr-defined]
    except (Exception, CancelledError) as error:  # dask hands over whatever went wrong on the other machine
        return Outcome(WAITING, f"not computed: a worker of the scheduler failed: {type(error).__name__}: {error}")
