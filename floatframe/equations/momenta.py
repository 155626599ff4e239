"""Motions by Hamilton's equations: coordinates and Poisson momenta, integrated together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from floatframe.arrays import Array, short_repr
from floatframe.equations.forms import equations, momentum_rates, speeds_of_momenta
from floatframe.equations.joint_motions import coordinate_rates, unit_quaternions
from floatframe.equations.tree_matrices import driven_coordinates, tree_matrices
from floatframe.errors import ModelError, NotConverged
from floatframe.hybrid import State, System


@short_repr
@dataclass(frozen=True)
class MomentumMotion:
    """Times (k,), coordinates (k, nq), speeds (k, nv) and momenta (k, n) of a motion."""

    t: Array
    q: Array
    v: Array
    p: Array
    memory: Array

    def state(self, k: int) -> State:
        """The state at the k-th time."""
        return State(float(self.t[k]), self.q[k], self.v[k], self.memory)


def integrate_momenta(
    system: System, state: State, times: ArrayLike, form: int = 5, rtol: float = 1e-9
) -> MomentumMotion:
    """Integrate Hamilton's equations of a tree of rigid bodies by the Runge-Kutta method of order 8.

    Parameters
    ----------
    system
        A tree of joints, see `equations`; without state variables and without forces that remember.
    state
        Start; its speeds give the momenta.
    times
        Times [s] from that of the state on at which the motion is returned.
    form
        4, 5 or 6.
    rtol
        Relative error of a step.
    """
    if form not in (4, 5, 6):
        raise ModelError(f"equations: form {form!r} has no momenta; expected 4, 5 or 6")
    if system.nz:
        raise ModelError(f"equations: found {system.nz} state variables, expected none; simulate the system instead")
    at = np.asarray(times, dtype=float)
    start = np.concatenate((state.q, equations(system, state, form).momenta))

    def moving(t: float, y: Array) -> State:
        """The state of coordinates and momenta: first the poses, then the speeds."""
        still = State(t, unit_quaternions(system.tables.links, y[: system.nq]), np.zeros(system.nv), state.memory)
        tree = tree_matrices(system, still)
        v = np.zeros(system.nv)
        driven, speeds, _ = driven_coordinates(system, still)
        v[driven] = speeds
        v[tree.free], _ = speeds_of_momenta(tree, y[system.nq :], form)
        return replace(still, v=v)

    def rates(t: float, y: Array) -> Array:
        now = moving(t, y)
        tree = tree_matrices(system, now)
        composite = tree.T.T @ tree.M @ tree.twists
        return np.concatenate((coordinate_rates(system.tables.links, now.q, now.v), momentum_rates(tree, composite)))

    run = solve_ivp(rates, (state.t, at[-1]), start, "DOP853", t_eval=at, rtol=rtol, atol=rtol * 1e-3)
    if not run.success:
        raise NotConverged(f"equations: {run.message}")
    states = [moving(t, y) for t, y in zip(run.t, run.y.T, strict=True)]
    return MomentumMotion(
        run.t,
        np.array([one.q for one in states]),
        np.array([one.v for one in states]),
        run.y[system.nq :].T,
        state.memory,
    )
