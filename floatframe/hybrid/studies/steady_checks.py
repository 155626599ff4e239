"""Whether a motion is steady: drives of constant speed before the search, forces that stay after it."""

from __future__ import annotations

import numpy as np

from floatframe.arrays import Array
from floatframe.errors import NotConverged
from floatframe.hybrid.assembly import State, coordinate_names
from floatframe.hybrid.description import kind_in_words
from floatframe.hybrid.studies.element_forces import ElementForces, evaluation
from floatframe.hybrid.studies.force_sizes import force_sizes
from floatframe.hybrid.studies.free_motions import project
from floatframe.hybrid.studies.steady_search import Search

CONSTANT = 1e-6  # change of the forces as the motion goes on by one unit (rad, or size of the mechanism), as a share
LATER = (1.0, 0.6180339887)  # times ahead, over that of one unit: no period of a force divides both
ROUNDING = 1e-14  # of the largest force


def require_constant_drives(search: Search, state: State) -> None:
    """Refuse motions in time that accelerate, and forces that depend on time."""
    from floatframe.hybrid.kernels import CONVECTIVE, VELOCITY

    system = search.system
    now = evaluation(system, search.tables, state)
    rates = np.array(now(state.t, state.q, VELOCITY | CONVECTIVE).data.rows["rate"])
    bends = np.array(now.data.rows["convective"])
    for name, rate, bend in zip(system.row_names, rates, bends, strict=True):
        if abs(bend) > CONSTANT * max(abs(rate), abs(bend) * 1e-3):
            raise NotConverged(
                f"no steady motion at t = {state.t:g} s: '{name}' is driven with an acceleration of {-bend:.3g} "
                "there. Give it a constant speed, or look at a time when it has one."
            )
    # the forces of later times at the same place
    times = state.t + np.array((0.0, *LATER)) / search.rate(state)
    states = [State(t, state.q, state.v, state.memory) for t in times.tolist()]
    forces = np.array([ElementForces(system, search.tables, s).at(state.q, state.v)[0] for s in states])
    for force, found in zip(system.model.forces, np.moveaxis(forces, 1, 0), strict=True):
        if np.ptp(found, axis=0).max() > CONSTANT * np.abs(found).max():
            raise NotConverged(
                f"no steady motion: {kind_in_words(force.kind, force.expressions)} '{force.name}' depends on time. "
                "Simulate until it has settled, or give the force a constant value."
            )


def require_steady(search: Search, found: State) -> None:
    """Refuse a state that balances now but not a moment later."""
    residual = search.residual(found)
    t = search.tangent(found, residual, quick=False)
    a = search.acceleration(found)
    p = project(t)
    N = p.free.N
    sizes = force_sizes(search.system, search.tables, found, t)
    sizes = sizes + np.abs(t.M @ a) + np.abs(t.C) @ np.abs(found.v) + _centrifugal(search, found)
    # where all forces vanish, as about the axis of a thin rod, those of the whole leave their rounding
    rounding = ROUNDING * float((sizes * search.units).max(initial=0.0)) / search.units
    allowed = np.abs(N.T) @ (CONSTANT * sizes + 1e-12 * np.abs(t.K) @ search.units + rounding)
    names = coordinate_names(search.system)
    still_left = np.abs(N.T @ residual) > allowed
    # how the forces change as the motion goes on
    change = t.K @ found.v + t.C @ a + t.M @ (search.axes.turning(found)[1] @ a)
    rate = search.rate(found)
    changing = np.abs(N.T @ change) > rate * allowed
    for flags, what in ((still_left, residual), (changing, change / rate)):
        if not flags.any():
            continue
        worst = int(np.argmax(np.abs(N[:, int(np.argmax(np.where(flags, np.abs(N.T @ what), 0.0)))]) / search.units))
        cause = (
            "its forces are not balanced, so its speed is not constant: drive it, or brake it"
            if what is residual
            else "the forces there change as the motion goes on (weight across the axis, bearings with two "
            "stiffnesses, a body held by springs that turns): simulate it instead"
        )
        raise NotConverged(f"no steady motion at t = {found.t:g} s: {names[worst]}: {cause}.")


def _centrifugal(search: Search, state: State) -> Array:
    from floatframe.hybrid.kernels import INERTIA, VELOCITY

    weightless = evaluation(search.system, search.tables._replace(gravity=np.zeros(3)), state)
    return np.abs(weightless(state.t, state.q, VELOCITY | INERTIA, state.v, search.acceleration(state)).residual)
