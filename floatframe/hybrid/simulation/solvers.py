"""Which solver finds the accelerations inside the steps, one for all systems or for open trees of rigid bodies."""

from __future__ import annotations

import numpy as np

from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import (
    Elimination,
    Work,
    along_tree,
    by_composite_bodies,
    by_iterations,
    by_joints,
    elimination,
    first_thin,
    is_open_tree,
    jointed,
)
from floatframe.hybrid.settings import SIMULATE
from floatframe.hybrid.simulation.solver_choice import OF_TREES, known_factors
from floatframe.wording import chain

OF_OPEN_TREES = ("cbm", "lgr", "itr")


def chosen_solver(system: CompiledSystem, solver: str) -> str:
    """The solver that "auto" stands for: of open trees the one that the cost model predicts to be fastest."""
    if solver != "auto":
        return solver
    if is_open_tree(system.tables) and system.nv > 0:
        return known_factors().fastest(system.tables)
    return "dense" if system.order is None else "dec"


def usable_solvers(system: CompiledSystem) -> tuple[str, ...]:
    """The solvers that a system can be simulated with, beside "auto"."""
    without = unusable_solvers(system)
    return tuple(solver for solver in OF_TREES if solver not in without)


def unusable_solvers(system: CompiledSystem) -> dict[str, str]:
    """The solvers that a system cannot be simulated with, and why."""
    if not is_open_tree(system.tables):
        count, bodies = system.nlambda, len(system.tables.flexible)
        found = [f"{count} constraint row" + "s" * (count > 1)] * (count > 0)
        found += [f"{bodies} flexible bod" + ("ies" if bodies > 1 else "y")] * (bodies > 0)
        return dict.fromkeys(OF_OPEN_TREES, f"is for open trees of rigid bodies, found {chain(found)}")
    if thin := first_thin(system.tables):
        body = _body_of(system, thin)
        why = f"divides by the inertia of every body, found {body} without mass or without inertia about some axis"
        return {"lgr": why}
    return {}


def order_for(system: CompiledSystem, solver: str) -> Elimination | None:
    """The order of a solver along the tree, None for the others; solvers that a system cannot use are refused."""
    if solver in OF_OPEN_TREES and (why := unusable_solvers(system).get(solver)):
        given = "use 'dec', which takes loops and flexible bodies, or leave it out"
        cure = "give it both, or use 'dec'" if is_open_tree(system.tables) else given
        raise SIMULATE.at("solver").error(f"solver '{solver}' {why}; {cure}")
    if solver in ("auto", "dec") and system.order is not None:
        return system.order
    return elimination(system.tables) if solver == "dec" else None


def _body_of(system: CompiledSystem, link: int) -> str:
    """The name of the body that a link carries or leads to."""
    carried = {carrier.link: body for body, carrier in system.index.tree.carriers.items()}
    while link not in carried:
        link = int(np.flatnonzero(system.tables.links["parent"] == link)[0])
    return f"'{system.model.bodies[carried[link]].name}'"


def with_solver(w: Work, system: CompiledSystem, solver: str, order: Elimination | None) -> Work:
    """The workspace of a system for steps with a solver and its order."""
    if solver == "cbm":
        return by_composite_bodies(w, system.tables)
    if solver == "lgr":
        return by_joints(w, jointed(system.tables))
    if solver == "itr":
        return by_iterations(w, system.tables)
    return w if order is None else along_tree(w, order)
