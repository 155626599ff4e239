"""Kernels compiled before they are needed, in two processes: what a run needs is ready in little over half the time.

Every kernel is called with a system of nothing, whose arrays have the types of all systems. What the other process
compiles is found on the disk; if it fails, the kernels are compiled where they are first called.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from floatframe.compiled import is_compiled
from floatframe.hybrid.assembly import new_data
from floatframe.hybrid.compile import NOTHING
from floatframe.hybrid.kernels import (
    RUNGE_KUTTA_STAGES,
    TASK_EVALUATE,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_MOVE,
    TASK_OBSERVE,
    TASK_SETTLE,
    evaluate_address,
    kernel_of,
    kernels_are_compiled,
    new_kept,
    new_stepping,
    new_work,
    one_step_formula,
    probes,
    sealed,
)
from floatframe.hybrid.settings import Settings

EVALUATION, IMPLICIT, EXPLICIT = "evaluation", "implicit steps", "explicit steps"
RECORDS, CHANNELS = "records", "channels"
PARTS = (EVALUATION, IMPLICIT, EXPLICIT, RECORDS, CHANNELS)
_HERE = (EVALUATION, CHANNELS)  # the others take about as long, and share more with each other than with these
_TASKS = {IMPLICIT: TASK_IMPLICIT, EXPLICIT: TASK_EXPLICIT, RECORDS: TASK_SETTLE, CHANNELS: TASK_OBSERVE}


def parts_for(method: str | None) -> tuple[str, ...]:
    """The parts that a run by a method needs, the default one without a name."""
    method = method or Settings.method
    if ":" in method:  # a solver of another program
        return EVALUATION, CHANNELS
    if method in RUNGE_KUTTA_STAGES:
        return EVALUATION, EXPLICIT, CHANNELS
    return EVALUATION, IMPLICIT, RECORDS, CHANNELS


def is_ready(part: str) -> bool:
    """Whether the kernels of a part lie on the disk."""
    return kernels_are_compiled() if part == EVALUATION else is_compiled(kernel_of(_TASKS[part]))


def warm_up(parts: Sequence[str] = PARTS, show: Callable[[int, int, str], None] | None = None) -> None:
    """Compile those of the parts that are not ready; `show` gets how many are, of how many, and what is compiled."""
    missing = [part for part in parts if not is_ready(part)]
    here = [part for part in missing if part in _HERE]
    with _other_process([part for part in missing if part not in _HERE] if here else []):
        for done, part in enumerate(here):
            if show is not None:
                show(done, len(missing), f"compiling once: {', '.join(missing[done:])}")
            compile_here(part)
        if show is not None and len(here) < len(missing):
            show(len(here), len(missing), f"compiling once: {', '.join(p for p in missing if p not in here)}")


@contextmanager
def _other_process(parts: list[str]) -> Iterator[None]:
    """Compile parts in another process meanwhile; at the end it is waited for."""
    if not (parts and sys.executable):
        yield
        return
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-m", "floatframe.hybrid.warmup", *parts]
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        except BaseException:
            process.terminate()
            raise


def compile_here(part: str) -> None:
    """Load or compile the kernels of a part in this process."""
    tables = sealed(NOTHING)
    data = new_data(tables, 0, 0, np.zeros(0))
    w, s, kept = new_work(tables), new_stepping(), new_kept(0, 0, 0, 0, 0)
    collecting = gc.isenabled()
    gc.disable()  # a compiler's many small objects are looked through again and again, a tenth of the time
    try:
        if part == EVALUATION:
            w.traits.evaluate = evaluate_address(tables, data, w)
            for task in (TASK_EVALUATE, TASK_MOVE):
                kernel_of(task)(tables, data, w, s, 0)
        elif part == RECORDS:
            kernel_of(TASK_SETTLE)(tables, data, w, s, kept)
        elif part == CHANNELS:
            kernel_of(TASK_OBSERVE)(tables, data, w, s, np.zeros(0, probes.PROBE), kept, np.zeros((0, 0)))
        else:
            formula = one_step_formula("generalised-alpha", 0.8)
            kernel_of(_TASKS[part])(tables, data, w, s, formula, np.zeros(0), False, kept)
    finally:
        if collecting:
            gc.enable()


if __name__ == "__main__":
    for _part in sys.argv[1:]:
        compile_here(_part)
