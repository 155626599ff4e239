"""Operations of each method at a state, counted while it is carried out: of open trees, of "dec" with loops too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from floatframe.arrays import Array, short_repr
from floatframe.equations.methods.bodies import Tree, tree_of
from floatframe.equations.methods.counting import Tally, plain
from floatframe.equations.methods.solvers import cbm, dec, itr, lgr
from floatframe.hybrid import State, System, accelerations_in

METHODS = {"dec": dec, "cbm": cbm, "lgr": lgr}


@short_repr
@dataclass(frozen=True)
class Count:
    """What a method did: operations with floating numbers, blocks of fill-in, iterations; accelerations (nv,)."""

    flops: int
    fill_in: int
    iterations: int
    accelerations: Array


def count_flops(system: System, state: State, method: str, inverse: Array | None = None, kind: Any = float) -> Count:
    """Carry out a method at a state and count; "itr" begins with an inverse (nv, nv) (default: that of the state).

    kind: what the numbers are; np.longdouble tells what rounding does to the others.
    """
    tally = Tally(kind)
    tree: Tree = tree_of(system, state, tally)
    if method == "itr":
        known = linalg.inv(system.mass_matrix(state)) if inverse is None else inverse
        H = np.array([[tally.variable(value) for value in row] for row in known], object)
        found = itr(tree, H)
    else:
        found = METHODS[method](tree)
    return Count(tally.flops, found.fill_in, found.iterations, plain(found.accelerations))


def count_with_loops(system: System, state: State) -> tuple[int, Array]:
    """Operations, and accelerations (nv,), of a system with loops or flexible bodies solved along its tree as in runs.

    Its matrices are factored and solved with once; kinematics and forces are found before.
    """
    tally = Tally()
    found = plain(accelerations_in(system, state, tally.variable))
    return tally.flops, found
