"""What Python calls: one kernel for each task, each compiled when it is first needed and then kept on disk."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from functools import cache
from typing import Any

from floatframe.hybrid.kernels.layout import Data, Tables
from floatframe.hybrid.kernels.options import SYSTEM, entry
from floatframe.hybrid.kernels.stepping import (
    TASK_ACCELERATE,
    TASK_EVALUATE,
    TASK_EXPLICIT,
    TASK_IMPLICIT,
    TASK_INVARIANTS,
    TASK_MOVE,
    TASK_OBSERVE,
    TASK_RADAU,
    TASK_SETTLE,
    Work,
)
from floatframe.hybrid.kernels.system import evaluate_now
from floatframe.hybrid.kernels.tree import move
from floatframe.native import WHOLE


@entry(*SYSTEM, WHOLE, keeps_lock=True)
def evaluate_once(tables, data, w, s, what):
    """`what` (bits of kernels.system) at s.time and the tried coordinates, speeds, accelerations, multipliers."""
    evaluate_now(tables, data, w, s.time, what, w.residual)


@entry(*SYSTEM, WHOLE, keeps_lock=True)
def move_once(tables, data, w, s, what):
    """The tried coordinates along w.delta."""
    move(tables.links, tables.flexible, w.q, w.delta)


@cache
def kernel_of(task: int) -> Any:
    """The kernel of a task from its module; the others are not even imported."""
    if task == TASK_IMPLICIT:
        from floatframe.hybrid.kernels.steps import run

        return run
    if task in (TASK_EXPLICIT, TASK_ACCELERATE):
        from floatframe.hybrid.kernels.steps import accelerate, run_explicit

        return run_explicit if task == TASK_EXPLICIT else accelerate
    if task == TASK_RADAU:
        from floatframe.hybrid.kernels.steps import run_radau

        return run_radau
    if task == TASK_OBSERVE:
        from floatframe.hybrid.kernels.observe import observe

        return observe
    if task == TASK_INVARIANTS:
        from floatframe.hybrid.kernels.steps import measure_invariants

        return measure_invariants
    if task == TASK_SETTLE:
        from floatframe.hybrid.kernels.steps import settle

        return settle
    return {TASK_EVALUATE: evaluate_once, TASK_MOVE: move_once}[task]


def do(task: int, tables: Tables, data: Data, w: Work, s: Any, *rest: Any) -> Any:
    """Run the kernel of a task."""
    return kernel_of(task)(tables, data, w, s, *rest)
