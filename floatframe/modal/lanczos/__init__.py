"""Eigenvalues: shift-and-invert Lanczos on the factorisation, with proof that none is missing.

In: a pencil (K, M). Out: `Modes` with residuals and Sturm counts.
Open `solver` first, then `search` and `basis`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.lanczos.basis import Krylov as Krylov, Ritz as Ritz
    from floatframe.modal.lanczos.clusters import (
        cluster_notes as cluster_notes,
        end_of_cluster as end_of_cluster,
        halved_clusters as halved_clusters,
    )
    from floatframe.modal.lanczos.dense import reduced_modes as reduced_modes
    from floatframe.modal.lanczos.modes import Modes as Modes, Progress as Progress, norm as norm
    from floatframe.modal.lanczos.operator import Inverse as Inverse
    from floatframe.modal.lanczos.options import LanczosOptions as LanczosOptions
    from floatframe.modal.lanczos.orthogonality import STRATEGIES as STRATEGIES
    from floatframe.modal.lanczos.part_motions import (
        PartMotions as PartMotions,
        motions_of_parts as motions_of_parts,
        part_motions as part_motions,
    )
    from floatframe.modal.lanczos.pencil import Pencil as Pencil
    from floatframe.modal.lanczos.products import overlaps as overlaps, subtract_product as subtract_product
    from floatframe.modal.lanczos.solver import lanczos as lanczos
    from floatframe.modal.lanczos.strainless import strainless_motions as strainless_motions
    from floatframe.modal.lanczos.sturm import shift_above as shift_above
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
