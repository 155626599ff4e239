"""Who computes the points of a sweep: this process, or worker processes with one thread each."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from floatframe.errors import ModelError
from floatframe.expressions import Scalar
from floatframe.hybrid.dense import one_thread
from floatframe.hybrid.sweep.points import Points, points_of
from floatframe.hybrid.sweep.study import Outcome, Study
from floatframe.io import WAITING

READY = "ready"
MOST_TRIES = 3  # of a point whose worker dies
MOST_EARLY = 10  # workers that are killed as they begin
NO_START = (
    "sweep: a worker process did not start. In a script, put the call under `if __name__ == '__main__':`, "
    "since every worker imports the script; or use workers=1"
)


@dataclass(frozen=True)
class Workers:
    """How many compute at the same time, and whether they are processes; None: where threads would not do."""

    count: int = 2
    processes: bool | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ModelError(f"sweep: workers is {self.count}, expected 1 or more")


Task = tuple[int, Mapping[str, Scalar]]  # number of a point and its parameters
Outcomes = Generator[tuple[int, Outcome], None, None]  # by number of the point, as they are done


def here(points: Points, tasks: Sequence[Task]) -> Outcomes:
    """Compute points one after the other in this process."""
    with one_thread():
        for number, values in tasks:
            yield number, points.outcome(values)


def in_processes(study: Study, tasks: Sequence[Task], workers: int, first_alone: bool = False) -> Outcomes:
    """Compute points in worker processes; outcomes come as they are done.

    first_alone: the others wait for the first point, which compiles the kernels for all of them. The point of a worker
    that dies is tried again by another one, after `MOST_TRIES` it is left for a resumed sweep.
    """
    waiting = list(reversed(tasks))
    lost: dict[int, int] = {}  # how often the worker of a point has died
    team: list[_Worker] = []
    early = 0  # workers that were killed before they began
    try:
        while waiting or any(worker.task is not None for worker in team):
            wanted = 1 if first_alone else min(workers, len(waiting) + sum(w.task is not None for w in team))
            team += [_Worker(study) for _ in range(wanted - len(team))]
            ready = wait([worker.connection for worker in team])
            for worker in [one for one in team if one.connection in ready]:
                outcome = worker.answer()
                if worker.gone:
                    team.remove(worker)
                    early += not worker.begun
                    if early > MOST_EARLY:
                        raise ModelError(NO_START)
                if outcome is not None and worker.task is not None:
                    number = worker.task[0]
                    if outcome.state == WAITING:
                        lost[number] = lost.get(number, 0) + 1
                    if outcome.state == WAITING and lost[number] < MOST_TRIES:
                        waiting.append(worker.task)
                    else:
                        yield number, outcome
                        first_alone = False
                    worker.task = None
                if waiting and not worker.gone:
                    worker.give(waiting.pop())
    finally:
        for worker in team:
            worker.stop()


class _Worker:
    """A process that computes one point after the other."""

    def __init__(self, study: Study) -> None:
        self.task: Task | None = None  # the point it is at
        self.begun = self.gone = False
        context = multiprocessing.get_context("spawn")  # a fork would copy threads of BLAS in the middle of their work
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, study), daemon=True)
        try:
            with _shielded():
                self._process.start()
        except Exception as error:  # what cannot be pickled says so in many ways
            raise ModelError(
                f"sweep: the study cannot be sent to worker processes ({error}); use a function of a module instead of "
                "one made on the spot, or workers=1"
            ) from error
        finally:
            theirs.close()

    def give(self, task: Task) -> None:
        self.task = task
        with suppress(OSError):  # it has died; the answer will say so
            self.connection.send(task[1])

    def answer(self) -> Outcome | None:
        """Return the outcome of its point, None if it has only just started."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            self.gone = True
            if not self.begun and (self._process.exitcode or 0) >= 0:  # else it was killed as it began
                raise ModelError(NO_START) from None
            if self.task is None:
                return None
            return Outcome(WAITING, f"not computed: the worker process died ({_cause(self._process.exitcode)})")
        self.begun = True
        return message if isinstance(message, Outcome) else None

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self._process.terminate()
        self._process.join()


def _serve(connection: Connection, study: Study) -> None:
    """Compute the points that come through a connection until it is closed."""
    # Ctrl-C goes to all processes of a terminal; the first process stops the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    points = points_of(study)
    with one_thread(), suppress(EOFError, OSError):  # the first process has gone
        connection.send(READY)
        while True:
            connection.send(points.outcome(connection.recv()))


@contextmanager
def _shielded() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts, also from the process itself until it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return f"{signal.Signals(-code).name}, often for lack of memory; use fewer workers"
