"""Static displacements and reactions of a finite element model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.fem.loads import NodalValues, load_vector, nodal_values
from floatframe.modal.mechanisms import find_mechanisms
from floatframe.modal.substructures import factorize

if TYPE_CHECKING:
    from floatframe.fem.model import DofSpec, FEModel


@dataclass(frozen=True)
class StaticSolution:
    """Displacements and what holds the structure, all (nnode, 6) in model axes [m, rad; N, N m]."""

    displacement: Array
    load: Array
    reaction: Array  # forces of the supports on the structure, zero at free nodes
    imbalance: float  # largest residual at free equations over the largest internal force


def solve_static(
    fe: FEModel,
    loads: NodalValues | None = None,
    fixed: DofSpec = (),
    gravity: Sequence[float] | None = None,
    pressure: Mapping[str, float] | None = None,
    displacements: NodalValues | None = None,
) -> Array:
    """Return the displacements (nnode, 6) [m, rad] under static loads.

    loads {(node or set, "uz"): value}, gravity (3,) [m/s2], pressure {set: Pa} as in `ff.fem.load_vector`;
    fixed: node sets, node numbers or (node or set, components) held at zero besides the model's own supports;
    displacements {(node or set, "uz"): value}: enforced values [m, rad].
    """
    return static_solution(fe, loads, fixed, gravity, pressure, displacements).displacement


def static_solution(
    fe: FEModel,
    loads: NodalValues | None = None,
    fixed: DofSpec = (),
    gravity: Sequence[float] | None = None,
    pressure: Mapping[str, float] | None = None,
    displacements: NodalValues | None = None,
) -> StaticSolution:
    """Return displacements, loads and reactions; the arguments are those of `solve_static`."""
    load = load_vector(fe, loads, gravity, pressure)
    f = fe.project_load(load)
    K = fe.stiffness()
    x, held = _enforced(fe, displacements or {})
    free = np.setdiff1d(fe.free_rows(fixed), held)
    if free.size:
        right = f[free] - (K @ x)[free] if held.size else f[free]
        x[free] = _solve(fe, K[free][:, free], right, [*_as_list(fixed), *(displacements or {})])
    internal = K @ x
    residual = internal - f
    scale = max(float(np.abs(internal).max(initial=0.0)), np.finfo(float).tiny)
    imbalance = float(np.abs(residual[free]).max(initial=0.0)) / scale
    residual[free] = 0.0
    return StaticSolution(fe.expand(x), load, _at_rows(fe, residual), imbalance)


def _solve(fe: FEModel, K: SparseMatrix, f: Array, fixed: list[Any]) -> Array:
    """Solve with one step of refinement; a structure that can move freely is refused with the motion's name."""
    try:
        F = factorize(K)
        x = F.solve(f)
        x += F.solve(f - K @ x)
    except ModelError as error:
        mechanisms = find_mechanisms(fe, fixed)
        if not mechanisms:
            raise
        raise ModelError(
            f"model '{fe.name}' is not held: {'; '.join(str(m) for m in mechanisms[:3])}. "
            "Add supports (fixed=…) or connect the part."
        ) from error
    return x


def _enforced(fe: FEModel, values: NodalValues) -> tuple[Array, IntArray]:
    """Return x (ndof,) holding the enforced values and the rows they stand in."""
    x = np.zeros(fe.ndof)
    found = nodal_values(fe, values, "enforced displacement")
    rows = np.array([fe.row_of(node, component) for node, component in found], dtype=np.int64)
    x[rows] = list(found.values())
    return x, rows


def _at_rows(fe: FEModel, f: Array) -> Array:
    """Place forces on matrix rows (ndof,) at their nodes (nnode, 6)."""
    placed = np.zeros((fe.nnode, 6))
    placed[fe.node_index(fe.dofs[:, 0]), fe.dofs[:, 1]] = f
    return placed


def _as_list(fixed: DofSpec) -> list[Any]:
    return [fixed] if isinstance(fixed, str | int | np.integer) else list(fixed)
