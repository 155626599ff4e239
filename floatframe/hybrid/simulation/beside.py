"""Work beside a run: a thread that observes records while the next steps are computed."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from queue import Queue

from floatframe.hybrid.dense import one_thread

MOST_WAITING = 2  # jobs; more of them would only fill the memory


class Beside:
    """Does jobs one after the other in a thread of its own, so that their order never depends on timing.

    What a job raises is raised by the next call; jobs behind it are not done. Until `begin`, or where a second thread
    does not pay, jobs are done at once.
    """

    def __init__(self, pays: bool) -> None:
        self.pays = pays and _has_free_core()
        self._waiting: Queue[Callable[[], None] | None] | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._lasting = ExitStack()  # what holds while the thread is there

    @property
    def begun(self) -> bool:
        """Whether jobs are done by the thread."""
        return self._thread is not None

    @property
    def _jobs(self) -> Queue[Callable[[], None] | None]:
        """Made when first needed: runs of a sweep do without."""
        if self._waiting is None:
            self._waiting = Queue(MOST_WAITING)
        return self._waiting

    def begin(self) -> None:
        """Use the thread from here on."""
        if self.pays and self._thread is None:
            self._lasting.enter_context(one_thread())
            self._thread = threading.Thread(target=self._work, name="floatframe records", daemon=True)
            self._thread.start()

    def do(self, job: Callable[[], None]) -> None:
        """Do a job, now or as soon as those before it are done."""
        if self._thread is None:
            job()
            return
        self._raise_failure()
        self._jobs.put(job)

    def wait(self) -> None:
        """Wait until all jobs are done."""
        if self.failed():
            self._raise_failure()

    def failed(self) -> bool:
        """Whether a job raised something, once all are done."""
        if self._thread is not None:
            self._jobs.join()
        return self._failure is not None

    def end(self) -> None:
        """Wait until all jobs are done and end the thread; what the jobs raise is not raised here."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
            self._lasting.close()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._failure is None:
                try:
                    job()
                except BaseException as failure:
                    self._failure = failure
            self._jobs.task_done()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


def _has_free_core() -> bool:
    """Whether a second thread has a core to itself; threads and processes of a sweep use all cores already."""
    if threading.current_thread() is not threading.main_thread() or multiprocessing.parent_process() is not None:
        return False
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1
