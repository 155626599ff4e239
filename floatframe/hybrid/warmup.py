"""Kernels compiled before they are needed, with a line that says so; what is kept on disk is left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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


def warm_up(parts: Sequence[str] = PARTS, show: Callable[[int, int, str], None] | None = None) -> None:
    """Compile those of the parts that are not ready; `show` gets how many are, of how many, and what is compiled."""
    missing = [part for part in parts if not is_ready(part)]
    for done, part in enumerate(missing):
        if show is not None:
            show(done, len(missing), f"compiling once: {', '.join(missing[done:])}")
        for kernel in kernels(part):
            kernel.load()
