"""Studies at a state: equilibrium, linear analysis, steady motion, limits of flexible bodies.

In: a `CompiledSystem` and a state. Out: `Equilibrium`, `Linear`, steady states, warnings.
Open `equilibrium` first, then `linear`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.studies.equilibrium import (
        Equilibrium as Equilibrium,
        equilibrium_state as equilibrium_state,
        find_equilibrium as find_equilibrium,
    )
    from floatframe.hybrid.studies.linear import (
        Linear as Linear,
        UndampedModes as UndampedModes,
        corner_words as corner_words,
        linearise as linearise,
        undamped_modes as undamped_modes,
    )
    from floatframe.hybrid.studies.load_limits import LoadLimits as LoadLimits
    from floatframe.hybrid.studies.steady import (
        steady_state as steady_state,
        usual_start as usual_start,
        usual_state as usual_state,
    )
    from floatframe.hybrid.studies.uncarried_loads import warn_of_uncarried_loads as warn_of_uncarried_loads
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
