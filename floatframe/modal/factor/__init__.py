"""Factorisation of sparse symmetric matrices by substructures.

In: a sparse symmetric matrix. Out: a `Factorization` that solves for many right-hand sides and counts signs; `factored`
does the same and leaves small matrices to SuperLU (`small`).
Open `substructures` first: order (`ordering`, `renumber`), analyse (`symbolic`), eliminate (`numeric`), solve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.factor import substructures as substructures
    from floatframe.modal.factor.connected import connected_parts as connected_parts
    from floatframe.modal.factor.counts import whole_number as whole_number
    from floatframe.modal.factor.inverse import inverse_diagonal as inverse_diagonal
    from floatframe.modal.factor.memory import (
        available_bytes as available_bytes,
        give_back as give_back,
        require_room as require_room,
    )
    from floatframe.modal.factor.ordering import by_planes as by_planes
    from floatframe.modal.factor.products import (
        in_threads as in_threads,
        is_small as is_small,
        large_products as large_products,
        multiply as multiply,
    )
    from floatframe.modal.factor.renumber import (
        Profiles as Profiles,
        profile as profile,
        profiles as profiles,
        wave_order as wave_order,
        wave_report as wave_report,
    )
    from floatframe.modal.factor.report import Report as Report
    from floatframe.modal.factor.sandwich import Sandwich as Sandwich
    from floatframe.modal.factor.small import factored as factored
    from floatframe.modal.factor.substructures import Factorization as Factorization, factorize as factorize
    from floatframe.modal.factor.symbolic import Symbolic as Symbolic, analyse as analyse, fingerprint as fingerprint
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
