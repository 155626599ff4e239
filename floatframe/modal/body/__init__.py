"""The reduced flexible body: its basis, inertia constants, geometric terms and mesh for display.

In: what `reduction` computes or a file holds. Out: `ReducedBody`, the one thing that hybrid models take from here.
Open `reduced_body` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.body import geometric_terms as geometric_terms
    from floatframe.modal.body.buckling import (
        CriticalLoad as CriticalLoad,
        body_buckling as body_buckling,
        critical_loads as critical_loads,
    )
    from floatframe.modal.body.carried import (
        Missing as Missing,
        NodalFlexibility as NodalFlexibility,
        held_modes as held_modes,
    )
    from floatframe.modal.body.display_mesh import (
        DisplayMesh as DisplayMesh,
        ElementType as ElementType,
        display_mesh as display_mesh,
    )
    from floatframe.modal.body.geometric_terms import PRODUCTS as PRODUCTS, GeometricTerms as GeometricTerms
    from floatframe.modal.body.inertia import (
        InertiaConstants as InertiaConstants,
        exact_inertia_constants as exact_inertia_constants,
        nodal_inertia_constants as nodal_inertia_constants,
    )
    from floatframe.modal.body.mass_points import (
        Pieces as Pieces,
        nodal_pieces as nodal_pieces,
        with_plain_masses as with_plain_masses,
    )
    from floatframe.modal.body.reduced_body import (
        Provenance as Provenance,
        ReducedBody as ReducedBody,
        array_shapes as array_shapes,
    )
    from floatframe.modal.body.stress_shapes import (
        COMPONENTS as COMPONENTS,
        NodalPoints as NodalPoints,
        StressShapes as StressShapes,
        place_name as place_name,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
