"""Eigenmodes of finite element models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from floatframe.arrays import Array, IntArray, SparseMatrix
from floatframe.errors import ModelError
from floatframe.modal.analysis.idle import Idle, idle_dofs
from floatframe.modal.lanczos import (
    LanczosOptions,
    Modes,
    PartMotions,
    Progress,
    lanczos,
    part_motions,
    strainless_motions,
)

if TYPE_CHECKING:
    from floatframe.fem import AnyModel, DofSpec, MassKind


def eigenmodes(
    fe: AnyModel,
    n: int = 10,
    fixed: DofSpec = (),
    below: float | None = None,
    band: tuple[float, float] | None = None,
    mass: MassKind | None = None,
    *,
    whole_clusters: bool = False,
    rigid: Array | None = None,
    start: Array | None = None,
    options: LanczosOptions | None = None,
    progress: Progress | None = None,
) -> Modes:
    """Return the lowest n eigenmodes of a model, or all below a frequency, or all in a band; free bodies are allowed.

    Shapes (ndof, n) stand in the order of fe.dofs, zero in fixed rows. Dofs without stiffness and mass are held at rest
    and named by `modes.idle`.

    Parameters
    ----------
    fe
        The model; its own supports stay held.
    n
        How many modes, from the lowest up.
    fixed
        Held besides: node sets, node numbers or (node or set, components).
    below
        All modes below this frequency [Hz] instead.
    band
        All modes between two frequencies [Hz] instead.
    mass
        "consistent", "lumped" or "points" (lumped without rotary inertia); by default the rule of the model, which
        decks have from the program they are for.
    whole_clusters
        Return also the rest of a cluster of equal frequencies that n would cut.
    rigid, start
        Known motions without strain and first vectors, (free dofs, k); found without them.
    options
        How the search runs, see `LanczosOptions`.
    progress
        Called with the numbers of modes found and wanted.
    """
    free = fe.free_rows(fixed)
    if free.size == 0:
        raise ModelError("eigenmodes: every dof is fixed; leave some free.")
    K, M = fe.stiffness(), fe.mass(mass)
    if free.size < fe.ndof:
        K, M = K[free][:, free], M[free][:, free]
    idle = idle_dofs(fe, K, M, free)
    known, first = (None if X is None else idle.at_rest(np.asarray(X))[idle.kept] for X in (rigid, start))
    motions = _rigid_motions(fe, K, M, free, idle) if known is None and band is None else known
    if idle.rows.size:
        K, M = K[idle.kept][:, idle.kept], M[idle.kept][:, idle.kept]
    if options is not None:
        options = options.of_rows(free[idle.kept], fe.ndof)
    modes = lanczos(
        K,
        M,
        n,
        below=below,
        band=band,
        whole_clusters=whole_clusters,
        rigid=motions,
        start=first,
        options=options,
        progress=progress,
    )
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
