"""Forces at a state at rest that the joints do not carry: what a search for an equilibrium makes vanish."""

from __future__ import annotations

from dataclasses import dataclass

from floatframe.arrays import Array
from floatframe.hybrid.assembly import State
from floatframe.hybrid.studies.free_motions import FreeDirections


@dataclass(frozen=True)
class Unbalanced:
    """Forces at a state at rest."""

    state: State
    G: Array
    free: FreeDirections
    reactions: Array
    force: Array  # (nv,) residual after the reactions carry what they can
