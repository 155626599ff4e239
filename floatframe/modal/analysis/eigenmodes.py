"""Eigenmodes of finite element models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.modal.analysis.idle import Idle, idle_dofs
from floatframe.modal.lanczos import Modes, PartMotions, lanczos, part_motions, strainless_motions

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, DofSpec, MassKind


def eigenmodes(
    fe: AnyModel,
    n: int = 10,
    fixed: DofSpec = (),
    below: float | None = None,
    band: tuple[float, float] | None = None,
    mass: MassKind | None = None,
    **options: Any,
) -> Modes:
    """Lowest n eigenmodes of a model, or all below a frequency, or all in a band (f1, f2) [Hz]; free bodies allowed.

    fixed: node sets, node numbers or (node or set, components) held besides the model's own supports.
    mass: "consistent" or "lumped"; by default the rule of the model, which decks have from the program they are for.
    shapes (ndof, n) in the order of fe.dofs, zero in fixed rows; the options are those of `lanczos`. Dofs without
    stiffness and mass are held at rest and named by `modes.idle`.
    """
    free = fe.free_rows(fixed)
    if free.size == 0:
        raise ModelError("eigenmodes: every dof is fixed; leave some free.")
    K, M = fe.stiffness(), fe.mass(mass)
    if free.size < fe.ndof:
        K, M = K[free][:, free], M[free][:, free]
    idle = idle_dofs(fe, K, M, free)
    for name in {"rigid", "start"} & set(options):
        options[name] = idle.at_rest(np.asarray(options[name]))[idle.kept]
    if "rigid" not in options and band is None:
        options["rigid"] = _rigid_motions(fe, K, M, free, idle)
    if idle.rows.size:
        K, M = K[idle.kept][:, idle.kept], M[idle.kept][:, idle.kept]
    modes = lanczos(K, M, n, below=below, band=band, **options)
    if idle.rows.size:
        modes = modes.spread(idle.kept, free.size)
        modes = replace(modes, shapes=idle.smallest(modes.shapes), idle=fe.dofs[free[idle.rows]])
    return modes if free.size == fe.ndof else modes.spread(free, fe.ndof)


def _rigid_motions(fe: AnyModel, K: SparseMatrix, M: SparseMatrix, free: IntArray, idle: Idle) -> Array | PartMotions:
    """Motions without strain of the model, or of all its parts where there are several; idle dofs are left out."""
    kept = idle.kept
    R = idle.at_rest(fe.rigid_shapes(fe.nodes.mean(axis=0))[free])[kept]
    some = (K, M) if kept.size == free.size else (K[kept][:, kept], M[kept][:, kept])
    apart = part_motions(fe, *some, free[kept], R)
    return strainless_motions(fe, K, free, idle.at_rest)[kept] if apart is None else apart
