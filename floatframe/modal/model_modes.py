"""Eigenmodes of finite element models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from floatframe.errors import ModelError
from floatframe.modal.lanczos_modes import lanczos
from floatframe.modal.modes import Modes
from floatframe.modal.part_motions import part_motions
from floatframe.modal.strainless import strainless_motions

if TYPE_CHECKING:
    from floatframe.fem.model import DofSpec, FEModel, MassKind


def eigenmodes(
    fe: FEModel,
    n: int = 10,
    fixed: DofSpec = (),
    below: float | None = None,
    band: tuple[float, float] | None = None,
    mass: MassKind = "consistent",
    **options: Any,
) -> Modes:
    """Lowest n eigenmodes of a model, or all below a frequency, or all in a band (f1, f2) [Hz]; free bodies allowed.

    fixed: node sets, node numbers or (node or set, components) held besides the model's own supports.
    shapes (ndof, n) in the order of fe.dofs, zero in fixed rows; the options are those of `lanczos`.
    """
    free = fe.free_rows(fixed)
    if free.size == 0:
        raise ModelError("eigenmodes: every dof is fixed; leave some free.")
    K, M = fe.stiffness(), fe.mass(mass)
    if free.size < fe.ndof:
        K, M = K[free][:, free], M[free][:, free]
    if "rigid" not in options and band is None:
        apart = part_motions(fe, K, M, free)
        options["rigid"] = strainless_motions(fe, K, free) if apart is None else apart
    modes = lanczos(K, M, n, below=below, band=band, **options)
    return modes if free.size == fe.ndof else modes.spread(free, fe.ndof)
