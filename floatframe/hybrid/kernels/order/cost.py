"""Operations of the methods for open trees of rigid bodies, from joints and branches (Shimanovskiy 2024, table 1).

All are per evaluation of the accelerations, kinematics included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.hybrid.kernels.layout import Tables

ITERATIONS = 3.0  # of the iterative method per evaluation, where nothing better is known


class Structure(NamedTuple):
    """An open tree: parent (N,) of every body, -1 the ground, and dofs (N,) of its joint; parents come first."""

    parents: IntArray
    dofs: IntArray

    @classmethod
    def of(cls, tables: Tables) -> Structure:
        """The bodies of a system; links without mass that carry one other link are parts of its joint."""
        branches = np.bincount(tables.links["parent"][1:], minlength=len(tables.links))
        number, so_far = {0: -1}, {0: 0}
        parents, dofs = [], []
        links = zip(*(tables.links[name][1:].tolist() for name in ("parent", "nv", "mass")), strict=True)
        for i, (parent, nv, mass) in enumerate(links, start=1):
            nv += so_far[parent]
            if mass <= 0.0 and branches[i] == 1:
                number[i], so_far[i] = number[parent], nv
                continue
            parents.append(number[parent])
            dofs.append(nv)
            number[i], so_far[i] = len(parents) - 1, 0
        return cls(np.array(parents, np.int64), np.array(dofs, np.int64))

    @classmethod
    def chains(cls, count: int, length: int, dofs: int) -> Structure:
        """Chains of equal length on the ground, with joints of so many dofs."""
        parents = np.arange(-1, count * length - 1)
        parents[::length] = -1
        return cls(parents, np.full(count * length, dofs))


def tree_flops(structure: Structure, iterations: float = ITERATIONS) -> dict[str, float]:
    """Operations by method."""
    parents, n = structure.parents, structure.dofs.astype(float)
    depth, length = np.zeros(len(n)), np.zeros(len(n))  # dofs and bodies on the way to the ground
    for i, parent in enumerate(parents.tolist()):
        depth[i] = n[i] + (depth[parent] if parent >= 0 else 0.0)
        length[i] = 1.0 + (length[parent] if parent >= 0 else 0.0)
    above = np.where(parents >= 0, depth[parents], 0.0)[1:]
    m = 6.0 - n
    meeting = m + np.bincount(parents[parents >= 0], m[parents >= 0], len(n))
    N, total = len(n), n.sum()
    return {
        "dec": float(_cubic(n, 1 / 3, 39 / 2, 1105 / 6, 864).sum() - (84 * n[0] + 660)),
        "cbm": float(
            (_cubic(depth, 1 / 3, 17 / 2, 109 / 6, 222) + 42 * n * length).sum()
            - _cubic(above, 1 / 3, 17 / 2, 109 / 6, -205).sum()
        ),
        "lgr": float(
            _cubic(meeting, 1 / 3, 17 / 2, 361 / 6, 420).sum() - _cubic(m[1:], 1 / 3, 5 / 2, 1 / 6, 0).sum() - 48
        ),
        "itr": float(
            2 * total**2 + 37 * total + 405 * N - 145 + (4 * total**2 + 33 * total + 135 * N - 96) * iterations
        ),
    }


def _cubic(x: Array, *coefficients: float) -> Array:
    return np.asarray(np.polyval(coefficients, x))
