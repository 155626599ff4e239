"""Studies at a state: equilibrium, linear analysis, steady motion, limits of flexible bodies.

In: a `CompiledSystem` and a state. Out: `Equilibrium`, `Linear`, steady states, warnings.
Open `equilibrium` first, then `linear`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.studies.element_forces import evaluation as evaluation
    from floatframe.hybrid.studies.element_slopes import LONGEST_STEP as LONGEST_STEP
    from floatframe.hybrid.studies.equilibrium import (
        Equilibrium as Equilibrium,
        equilibrium_state as equilibrium_state,
        find_equilibrium as find_equilibrium,
    )
    from floatframe.hybrid.studies.free_motions import (
        FreeDirections as FreeDirections,
        coordinate_scales as coordinate_scales,
        free_directions as free_directions,
    )
    from floatframe.hybrid.studies.linear import (
        Linear as Linear,
        UndampedModes as UndampedModes,
        corner_words as corner_words,
        equations_at as equations_at,
        in_order as in_order,
        linearise as linearise,
        require_poles as require_poles,
        undamped_modes as undamped_modes,
    )
    from floatframe.hybrid.studies.load_limits import LoadLimits as LoadLimits
    from floatframe.hybrid.studies.nonholonomic import rolls as rolls
    from floatframe.hybrid.studies.state_slopes import (
        StateSlopes as StateSlopes,
        followers as followers,
        state_in_rows as state_in_rows,
        state_slopes as state_slopes,
    )
    from floatframe.hybrid.studies.steady import (
        steady_state as steady_state,
        usual_start as usual_start,
        usual_state as usual_state,
    )
    from floatframe.hybrid.studies.tangent import (
        Tangent as Tangent,
        differentiate as differentiate,
        natural_units as natural_units,
        turning_coordinates as turning_coordinates,
        without_friction as without_friction,
    )
    from floatframe.hybrid.studies.uncarried_loads import warn_of_uncarried_loads as warn_of_uncarried_loads
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
