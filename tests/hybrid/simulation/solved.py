"""Accelerations by every solver, and what joints carry at them."""

from __future__ import annotations

import numpy as np

from floatframe.hybrid.kernels import ALL_FORCES, REACHED, TASK_ACCELERATE, do, new_work
from floatframe.hybrid.simulation.solvers import order_for, with_solver

EPS = np.finfo(float).eps
SOLVERS = ("dec", "cbm", "lgr", "itr", "dense")


def accelerations(system, state, solver):
    w = with_solver(new_work(system.tables), system, solver, order_for(system, solver))
    if solver == "itr":
        accelerate(system, system.start, w)  # its first inverse is that of the tree, now it has one to begin with
    return accelerate(system, state, w)


def accelerate(system, state, w):
    now = system.evaluation(state)
    w.q[:], w.v[:], now.settings.time = state.q, state.v, state.t
    assert do(TASK_ACCELERATE, now.tables, now.data, w, now.settings, False) == REACHED
    return w.x.copy()


def reactions(system, state, a):
    """What every link carries to its parent at accelerations a (nv,): force and torque in its own axes (nlink, 6)."""
    links = system.evaluation(state)(state.t, state.q, ALL_FORCES, state.v, a).data.links
    return np.array([np.concatenate((one["R"].T @ one["force"], one["R"].T @ one["torque"])) for one in links])
