"""Static displacements and reactions of a finite element model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix, short_repr
from floatframe.errors import ModelError
from floatframe.fem import DOF_NAMES, DofSpec, NodalValues, Stresses, as_items, load_vector, nodal_values, stresses
from floatframe.modal.analysis.mechanisms import find_mechanisms
from floatframe.modal.factor import factored

if TYPE_CHECKING:
    from floatframe.fem import FEModel

BALANCE = 1e-6  # residual over internal force: a well-held model stays below 1e-8, one free to move does not


@short_repr
@dataclass(frozen=True)
class StaticSolution:
    """Displacements and what holds the structure, all (nnode, 6) in model axes [m, rad; N, N m].

    Reactions are those of supports; forces of springs to ground come from `stresses`.
    """

    model: FEModel
    displacement: Array
    load: Array
    reaction: Array  # forces of the supports on the structure, zero at free nodes
    imbalance: float  # largest residual at free equations over the largest internal force
    gravity: tuple[float, ...] | None = None

    def stresses(self) -> Stresses:
        """Return section forces and stresses, the weight of beams between their nodes included."""
        return stresses(self.model, self.displacement, self.gravity)


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
    free = fe.free_rows(fixed)
    x, held = _enforced(fe, displacements or {}, free)
    free = np.setdiff1d(free, held)
    all_held = [*as_items(fixed), *(displacements or {})]
    if free.size:
        right = f[free] - (K @ x)[free] if held.size else f[free]
        x[free] = _solve(fe, K[free][:, free], right, all_held)
    internal = K @ x
    residual = internal - f
    scale = max(float(np.abs(internal).max(initial=0.0)), np.finfo(float).tiny)
    imbalance = float(np.abs(residual[free]).max(initial=0.0)) / scale
    if not imbalance <= BALANCE:
        raise _not_held(fe, all_held) or ModelError(
            f"model '{fe.name}': forces are out of balance by {imbalance:.1e} of the largest, at most {BALANCE:g} is "
            "accepted; the stiffness is nearly singular: hold the model better or avoid very stiff beside very "
            "soft parts."
        )
    residual[free] = 0.0
    field = None if gravity is None else tuple(gravity)
    return StaticSolution(fe, fe.expand(x), load, _at_rows(fe, residual), imbalance, field)


def _solve(fe: FEModel, K: SparseMatrix, f: Array, fixed: list[Any]) -> Array:
    """Solve with one step of refinement; a structure that can move freely is refused with the motion's name."""
    try:
        F = factored(K)
        x = F.solve(f)
        x += F.solve(f - K @ x)
    except ModelError as error:
        raise _not_held(fe, fixed) or error from error
    return x


def _not_held(fe: FEModel, fixed: list[Any]) -> ModelError | None:
    """Return an error that names the free motions of the model, if it has any."""
    mechanisms = find_mechanisms(fe, fixed)
    if not mechanisms:
        return None
    return ModelError(
        f"model '{fe.name}' is not held: {'; '.join(str(m) for m in mechanisms[:3])}. "
        "Add supports (fixed=…) or connect the part."
    )


def _enforced(fe: FEModel, values: NodalValues, free: IntArray) -> tuple[Array, IntArray]:
    """Return x (ndof,) holding the enforced values and the rows they stand in; a dof has one value."""
    found: dict[int, float] = {}
    moving = np.zeros(fe.ndof, dtype=bool)
    moving[free] = True
    for (node, component), value in nodal_values(fe, values, "enforced displacement"):
        row = fe.row_of(node, component)
        before = found.setdefault(row, value if moving[row] else 0.0)
        if value != before:
            held = "it" if moving[row] else "it is fixed, so it"
            raise ModelError(
                f"enforced displacement: {DOF_NAMES[component]} of node {fe.node_ids[node]} is to be {value:g}, but "
                f"{held} is also to be {before:g}; give one value."
            )
    x = np.zeros(fe.ndof)
    rows = np.fromiter(found, dtype=np.int64)
    x[rows] = list(found.values())
    return x, rows


def _at_rows(fe: FEModel, f: Array) -> Array:
    """Place forces on matrix rows (ndof,) at their nodes (nnode, 6)."""
    placed = np.zeros((fe.nnode, 6))
    placed[fe.node_index(fe.dofs[:, 0]), fe.dofs[:, 1]] = f
    return placed
