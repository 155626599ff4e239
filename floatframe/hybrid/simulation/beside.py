"""Work beside a run: a thread that observes records while the next steps are computed."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from floatframe.hybrid.dense import one_thread

MOST_LEFT = 3  # jobs; more of them would only fill the memory


class Work(Protocol):
    """What gives the result of a job; beside: in a workspace of its own, while the thread works in the usual one."""

    def __call__(self, *, beside: bool) -> Any: ...


@dataclass(eq=False)
class _Job:
    """Work, and what is done with its result."""

    work: Work
    use: Callable[[Any], None]
    any_order: bool
    begun: bool = False
    done: bool = False
    result: Any = None
    failure: BaseException | None = None

    def do(self, beside: bool) -> None:
        """The work; what it raises is kept."""
        try:
            self.result = self.work(beside=beside)
        except BaseException as failure:
            if beside and not isinstance(failure, Exception):
                raise  # an interrupt, which is not the failure of the job
            self.failure = failure
        self.done = True


class Beside:
    """Does jobs in a thread of its own; their results are used one after the other, so that nothing depends on timing.

    Whoever waits for the thread helps it: it does work whose jobs say that they need nothing of those before them.

    What a job raises is raised by the next call; jobs behind it are not done. Until `begin`, or where a second thread
    does not pay, jobs are done at once.
    """

    def __init__(self, pays: bool) -> None:
        self.pays = pays and _has_free_core()
        self._jobs: deque[_Job] = deque()  # the first of them is that of the thread
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ends = False
        self._failure: BaseException | None = None
        self._lasting = ExitStack()  # what holds while the thread is there

    @property
    def begun(self) -> bool:
        """Whether jobs are done by the thread."""
        return self._thread is not None

    def begin(self) -> None:
        """Use the thread from here on."""
        if self.pays and self._thread is None:
            self._lasting.enter_context(one_thread())
            self._ends = False
            self._thread = threading.Thread(target=self._go, name="floatframe records", daemon=True)
            self._thread.start()

    def do(self, work: Work, use: Callable[[Any], None], any_order: bool = False) -> None:
        """Do work and use its result, now or as soon as the results before it are used.

        any_order: the work needs nothing of the jobs before it, and may be done beside that of another one.
        """
        if self._thread is None:
            use(work(beside=False))
            return
        self._raise_failure()
        with self._changed:
            self._jobs.append(_Job(work, use, any_order))
            self._changed.notify_all()
        self._help(MOST_LEFT)

    def wait(self) -> None:
        """Wait until all jobs are done."""
        if self.failed():
            self._raise_failure()

    def failed(self) -> bool:
        """Whether a job raised something, once all are done."""
        if self._thread is not None:
            self._help(0)
        return self._failure is not None

    def end(self) -> None:
        """Wait until all jobs are done and end the thread; what the jobs raise is not raised here."""
        if self._thread is not None:
            with self._changed:
                self._ends = True
                self._changed.notify_all()
            self._thread.join()
            self._thread = None
            self._lasting.close()

    def _help(self, most: int) -> None:
        """Wait until at most so many jobs are left, and do meanwhile what nobody has begun."""
        while True:
            with self._changed:
                if len(self._jobs) <= most:
                    return
                job = next((job for job in self._jobs if job.any_order and not job.begun), None)
                if job is None:
                    self._changed.wait()
                    continue
                job.begun = True
            try:
                job.do(beside=True)
            finally:
                with self._changed:
                    job.begun = job.done  # not done if it was interrupted
                    self._changed.notify_all()

    def _go(self) -> None:
        """The thread: work that nobody has begun, and results in their order."""
        while (job := self._next()) is not None:
            if not job.done and self._failure is None:
                job.do(beside=False)
            if job is self._jobs[0]:
                self._use(job)

    def _next(self) -> _Job | None:
        """The first job if its result is there, else one to begin; None if there are no more."""
        with self._changed:
            while self._jobs or not self._ends:
                first = self._jobs[0] if self._jobs else None
                if first is not None and (first.done or self._failure is not None):
                    return first
                job = next((job for job in self._jobs if not job.begun and (job.any_order or job is first)), None)
                if job is not None:
                    job.begun = True
                    return job
                self._changed.wait()
        return None

    def _use(self, job: _Job) -> None:
        """Use the result of the first job, unless one before it has failed, and be done with it."""
        if self._failure is None:
            try:
                if job.failure is not None:
                    raise job.failure
                job.use(job.result)
            except BaseException as failure:
                self._failure = failure
        with self._changed:
            self._jobs.popleft()
            self._changed.notify_all()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


def _has_free_core() -> bool:
    """Whether a second thread has a core to itself; threads and processes of a sweep use all cores already."""
    if threading.current_thread() is not threading.main_thread() or multiprocessing.parent_process() is not None:
        return False
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1
