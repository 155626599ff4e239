"""Which solver finds the accelerations inside the steps: along the tree, by composite bodies, or dense equations."""

from __future__ import annotations

from floatframe.hybrid.assembly import CompiledSystem
from floatframe.hybrid.kernels import (
    Elimination,
    Work,
    along_tree,
    by_composite_bodies,
    elimination,
    is_open_tree,
)
from floatframe.hybrid.settings import SIMULATE


def order_for(system: CompiledSystem, solver: str) -> Elimination | None:
    """The order of a solver along the tree, None for the others; solvers that a system cannot use are refused."""
    if solver == "cbm" and not is_open_tree(system.tables):
        count, bodies = system.nlambda, len(system.tables.flexible)
        found = [f"{count} constraint rows"] * (count > 0) + [f"{bodies} flexible bodies"] * (bodies > 0)
        raise SIMULATE.at("solver").error(
            f"solver 'cbm' is for open trees of rigid bodies, found {' and '.join(found)}; use 'dec', which "
            "takes loops and flexible bodies, or leave it out"
        )
    if solver == "auto":
        return system.order
    return elimination(system.tables) if solver == "dec" else None


def with_solver(w: Work, system: CompiledSystem, solver: str, order: Elimination | None) -> Work:
    """The workspace of a system for steps with a solver and its order."""
    if solver == "cbm":
        return by_composite_bodies(w, system.tables)
    return w if order is None else along_tree(w, order)
