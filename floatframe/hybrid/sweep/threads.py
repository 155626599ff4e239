"""The points of a sweep on threads of this process: kernels let other threads run, so that every worker has a core."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread

from floatframe.hybrid.dense import one_thread
from floatframe.hybrid.sweep.points import Points
from floatframe.hybrid.sweep.study import Outcome
from floatframe.hybrid.sweep.workers import Outcomes, Task

Answer = tuple[int, Outcome] | BaseException
PATIENCE = 0.2  # s, after which a waiting thread looks whether Ctrl-C was pressed


def on_threads(points: Points, tasks: Sequence[Task], workers: int) -> Outcomes:
    """Compute points on threads; outcomes come as they are done.

    When the caller stops, by Ctrl-C for one, the runs under way end after their present block of steps.
    """
    waiting, stop = deque(tasks), Event()
    done: SimpleQueue[Answer] = SimpleQueue()

    def work() -> None:
        try:
            while waiting and not stop.is_set():
                number, values = waiting.popleft()
                done.put((number, points.outcome(values, stop.is_set)))
        except IndexError:
            pass  # another worker took the last point
        except BaseException as error:  # what would have ended the sweep in one thread ends it here
            done.put(error)

    team = [Thread(target=work, name=f"sweep-{k + 1}", daemon=True) for k in range(workers)]
    with one_thread():
        try:
            for thread in team:
                thread.start()
            for _ in tasks:
                answer = _next(done)
                if isinstance(answer, BaseException):
                    raise answer
                yield answer
        finally:
            stop.set()
            for thread in team:
                thread.join()


def _next(done: SimpleQueue[Answer]) -> Answer:
    """The next answer; a wait without end would not notice Ctrl-C everywhere."""
    while True:
        with suppress(Empty):
            return done.get(timeout=PATIENCE)
