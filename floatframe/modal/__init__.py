"""Modal reduction: renumbering, factorisation by substructures, eigenmodes, statics, reduced bodies.

In: an `FEModel` or a pencil of sparse matrices. Out: `Modes`, static solutions, `ReducedBody`.
The rooms in the order of the data: `factor`, `lanczos`, `analysis`, `body`, `reduction`. Open `reduction/reduce` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.modal.analysis import (
        Buckling as Buckling,
        Mechanism as Mechanism,
        StaticSolution as StaticSolution,
        buckling as buckling,
        eigenmodes as eigenmodes,
        find_mechanisms as find_mechanisms,
        idle_note as idle_note,
        idle_of_model as idle_of_model,
        mac as mac,
        solve_static as solve_static,
        static_solution as static_solution,
    )
    from floatframe.modal.body import (
        COMPONENTS as COMPONENTS,
        CriticalLoad as CriticalLoad,
        DisplayMesh as DisplayMesh,
        ElementType as ElementType,
        GeometricTerms as GeometricTerms,
        InertiaConstants as InertiaConstants,
        Missing as Missing,
        NodalFlexibility as NodalFlexibility,
        NodalPoints as NodalPoints,
        Provenance as Provenance,
        ReducedBody as ReducedBody,
        StressShapes as StressShapes,
        array_shapes as array_shapes,
        body_buckling as body_buckling,
        critical_loads as critical_loads,
        exact_inertia_constants as exact_inertia_constants,
        geometric_terms as geometric_terms,
        nodal_inertia_constants as nodal_inertia_constants,
        nodal_pieces as nodal_pieces,
        place_name as place_name,
        with_plain_masses as with_plain_masses,
    )
    from floatframe.modal.factor import (
        Factorization as Factorization,
        Profiles as Profiles,
        Symbolic as Symbolic,
        analyse as analyse,
        by_planes as by_planes,
        factorize as factorize,
        profile as profile,
        profiles as profiles,
        wave_order as wave_order,
        wave_report as wave_report,
    )
    from floatframe.modal.lanczos import LanczosOptions as LanczosOptions, Modes as Modes, lanczos as lanczos
    from floatframe.modal.reduction import (
        METHODS as METHODS,
        ErrorCurve as ErrorCurve,
        ExtraShapes as ExtraShapes,
        LoadResidual as LoadResidual,
        QualityReport as QualityReport,
        effect_of_dropping as effect_of_dropping,
        effective_mass as effective_mass,
        errors_of_fewer_modes as errors_of_fewer_modes,
        load_residual as load_residual,
        quality_report as quality_report,
        reduce as reduce,
        with_stress as with_stress,
    )
    from floatframe.modal.warmup import warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
