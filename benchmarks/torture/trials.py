"""One trial: work in a process of its own with limits on memory and time, and what became of it."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY = 3 << 30  # bytes a trial may have beyond what the program has at its start
SECONDS = 60
INTERRUPTED = 10  # s of processor time that a command may go on after Ctrl-C
FAULTS = ("crash", "traceback", "hang", "memory", "changed", "lost", "left behind")
WORDS = (b"Traceback (most recent", b"this should not happen", b"Exception ignored")


@dataclass(frozen=True)
class Ended:
    """How a process ended: exit code (negative: a signal), what it said, whether its time was over."""

    code: int
    said: bytes
    late: bool = False

    @property
    def fault(self) -> str:
        """The fault that shows without looking at results, "" if there is none."""
        if self.late:
            return "hang"
        if any(word in self.said for word in WORDS):
            return "traceback"
        if b"memory is not enough" in self.said or b"Unable to allocate" in self.said:
            return "memory"
        return "crash" if self.code < 0 else ""


def begin(work: Callable[[], int], log: Path, memory: int = MEMORY) -> int:
    """Start work in a copy of this process and return its number; what it prints goes to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        os.setsid()  # what it starts itself can be ended with it
        handle = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        # whatever had taken their places, as tests do, which also make errors of warnings
        sys.stdout, sys.stderr = (os.fdopen(k, "w", encoding="utf-8") for k in (1, 2))
        warnings.simplefilter("ignore", RuntimeWarning)
        if memory:
            with open("/proc/self/statm", "rb") as file:
                now = int(file.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        code = work()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def end(pid: int, log: Path, seconds: float = SECONDS, patient: bool = False) -> Ended:
    """Wait for a process, which is ended with all that it started when its time is over.

    Its time is that of the processor, so that a busy machine makes no faults; ten times as long for one that waits.
    patient: what may rightly take long, as a run, is asked by Ctrl-C first, and is no hang if it hears.
    """
    until, late, asked = time.monotonic() + 10.0 * seconds, False, False
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > until or processor_time(pid) > seconds:
            if patient and not asked:
                os.kill(pid, signal.SIGINT)
                asked, seconds, until = True, seconds + INTERRUPTED, until + 10.0 * INTERRUPTED
                continue
            late = True
            kill_all(pid)
            status = os.waitpid(pid, 0)[1]
            break
        time.sleep(0.005)
    code = os.waitstatus_to_exitcode(status)
    return Ended(code, log.read_bytes() if log.exists() else b"", late)


def processor_time(pid: int) -> float:
    """Processor time of a process [s], on systems that report it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def kill_all(pid: int) -> None:
    """End a process and all that it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)


def command(words: list[str]) -> Callable[[], int]:
    """A command of the program as work."""

    def work() -> int:
        from floatframe.cli.main import run

        return run(words)

    return work


def tried(work: Callable[[], int], log: Path, seconds: float = SECONDS, patient: bool = False) -> Ended:
    """Do work in a process of its own."""
    return end(begin(work, log), log, seconds, patient)
