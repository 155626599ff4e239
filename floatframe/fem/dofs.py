"""Degrees of freedom (dofs): their names, and the table of those a model really has.

A node has up to six: three translations and three rotations in the axes of the model. Translations are present where
an element, mass, spring or coupling holds the node; rotations only where one of these has rotations there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.errors import ModelError

DOF_NAMES = ("ux", "uy", "uz", "rx", "ry", "rz")
_NUMBER = {name: k for k, name in enumerate(DOF_NAMES)}
_GROUPS = {"all": range(6), "u": range(3), "r": range(3, 6)}


def components(names: str | int | Iterable[str | int]) -> list[int]:
    """Return component numbers 0..5 for names such as "uz", "ux,uy", "u+rz" (translations and one turn) or "all"."""
    if isinstance(names, str):
        parts: list[str | int] = list(names.replace(",", " ").replace("+", " ").split())
    elif isinstance(names, int | np.integer):
        parts = [int(names)]
    else:
        parts = list(names)
    found: list[int] = []
    for part in parts:
        if isinstance(part, str) and part.lower() in _GROUPS:
            found.extend(_GROUPS[part.lower()])
        elif isinstance(part, str) and part.lower() in _NUMBER:
            found.append(_NUMBER[part.lower()])
        elif isinstance(part, int | np.integer) and 0 <= part < 6:
            found.append(int(part))
        else:
            raise ModelError(f"dof {part!r} is unknown; use one of {', '.join(DOF_NAMES)}, u, r, all.")
    if not found:
        raise ModelError(f"no dof is named; use one of {', '.join(DOF_NAMES)}, u, r, all.")
    return sorted(set(found))


def turned_components(chosen: Iterable[int], R: Array) -> list[int] | None:
    """Return what components become when the model is turned by R (3, 3); None if they would not lie along axes."""
    turned: list[int] = []
    chosen = list(chosen)
    for first in (0, 3):
        group = [component - first for component in chosen if first <= component < first + 3]
        # the chosen directions span a space; its image must be spanned by axes too
        projector = R[:, group] @ R[:, group].T
        if np.abs(projector - np.diag(np.round(np.diag(projector)))).max() > 1e-9:
            return None
        turned += [first + k for k in range(3) if projector[k, k] > 0.5]
    return turned


@dataclass(frozen=True)
class DofTable:
    """Which of the 6 * nnode nodal dofs carry an equation before couplings are eliminated.

    `present` (nnode, 2) says for each node whether its translations and its rotations exist.
    A dof is addressed by `slot = 6 * node index + component`; `equation[slot]` is its row or -1.
    """

    present: np.ndarray
    equation: IntArray  # (6 * nnode,)
    slots: IntArray  # (nequation,) the inverse

    @classmethod
    def from_presence(cls, present: np.ndarray) -> DofTable:
        exists = np.repeat(present, 3, axis=1).ravel()
        slots = np.flatnonzero(exists)
        equation = np.full(exists.size, -1, dtype=np.int64)
        equation[slots] = np.arange(slots.size)
        return cls(present, equation, slots)

    @property
    def size(self) -> int:
        return int(self.slots.size)
