"""Kernels compiled before they are needed, with a line that says so; what is kept on disk is left alone."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from floatframe.hybrid.kernels import (
    RUNGE_KUTTA_STAGES,
    TASK_ACCELERATE,
    TASK_EVALUATE,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_MOVE,
    TASK_OBSERVE,
    TASK_RADAU,
    TASK_SETTLE,
    kernel_of,
)
from floatframe.hybrid.settings import Settings

if TYPE_CHECKING:
    import subprocess

EVALUATION, IMPLICIT, EXPLICIT, COLLOCATED = "evaluation", "implicit steps", "explicit steps", "Radau steps"
RECORDS, CHANNELS = "records", "channels"
_TASKS = {
    EVALUATION: (TASK_EVALUATE, TASK_MOVE, TASK_ACCELERATE),
    IMPLICIT: (TASK_IMPLICIT,),
    EXPLICIT: (TASK_EXPLICIT,),
    COLLOCATED: (TASK_RADAU,),
    RECORDS: (TASK_SETTLE,),
    CHANNELS: (TASK_OBSERVE,),
}
PARTS = tuple(_TASKS)
PATIENCE = 0.05  # s between two looks at whether the other process has compiled a part


def parts_for(method: str | None, step: float | None = None) -> tuple[str, ...]:
    """The parts that a run by a method, the default one without a name, with or without a fixed step [s] needs."""
    method = Settings(method=method or Settings.method, step=step).method
    if ":" in method:  # a solver of another program
        return EVALUATION, CHANNELS
    if method in RUNGE_KUTTA_STAGES:
        return EVALUATION, EXPLICIT, CHANNELS
    if method == "auto":  # the others are compiled by the run that comes to need them
        return EVALUATION, EXPLICIT, CHANNELS
    if method == "radau5":
        return EVALUATION, COLLOCATED, CHANNELS
    return EVALUATION, IMPLICIT, CHANNELS


def kernels(part: str) -> list[Any]:
    """The kernels of a part."""
    return [kernel_of(task) for task in _TASKS[part]]


def is_ready(part: str) -> bool:
    """Whether the kernels of a part lie on the disk."""
    return all(kernel.is_compiled() for kernel in kernels(part))


def warm_up(
    parts: Sequence[str] = PARTS, show: Callable[[int, int, str], None] | None = None, alone: bool = False
) -> None:
    """Compile those of the parts that are not ready; `show` gets how many are, of how many, and what is compiled.

    Every second one is compiled by another process, unless this one is to do it alone or there is no core for it.
    """
    missing = [part for part in parts if not is_ready(part)]
    theirs = [] if alone else missing[1::2]
    helper = _helper(theirs)
    try:
        for done, part in enumerate(missing):
            if show is not None:
                show(done, len(missing), f"compiling once: {', '.join(missing[done:])}")
            while part in theirs and helper is not None and helper.poll() is None and not is_ready(part):
                time.sleep(PATIENCE)
            for kernel in kernels(part):  # what a helper that failed has left undone is compiled here
                kernel.load()
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()


def _helper(parts: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """A process that compiles parts into the cache; none without a second core, or where this is not plain Python."""
    import subprocess  # most commands find everything compiled

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not parts or cores < 2 or not sys.executable or hasattr(sys, "frozen"):
        return None
    words = [sys.executable, "-c", f"from {__name__} import warm_up; warm_up({tuple(parts)!r}, alone=True)"]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)
