"""The laws of elements: flows and their three Jacobians, for all elements of a kind at once.

In: potentials, parameters, inputs (`At`). Out: flows and Jacobians (`Out`), kinds by name.
Open `kind` first, then `mechanics` for examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.network.laws.checking import (
        check_law as check_law,
        differentiated as differentiated,
        empty_out as empty_out,
        flows as flows,
        jacobian_errors as jacobian_errors,
    )
    from floatframe.network.laws.electrics import STEEPEST as STEEPEST
    from floatframe.network.laws.heat import STEFAN_BOLTZMANN as STEFAN_BOLTZMANN
    from floatframe.network.laws.kind import (
        DOMAINS as DOMAINS,
        ELECTRIC as ELECTRIC,
        HYDRAULIC as HYDRAULIC,
        ORIENTATION as ORIENTATION,
        ROTATION as ROTATION,
        SIGNAL as SIGNAL,
        THERMAL as THERMAL,
        TRANSLATION as TRANSLATION,
        At as At,
        Carried as Carried,
        Domain as Domain,
        Input as Input,
        Internal as Internal,
        Kind as Kind,
        Law as Law,
        Limit as Limit,
        Observable as Observable,
        Out as Out,
        Parameter as Parameter,
        Terminal as Terminal,
        by_difference as by_difference,
        magnitude as magnitude,
        pair as pair,
        through as through,
    )
    from floatframe.network.laws.library import CODES as CODES, LIBRARY as LIBRARY, user_kind as user_kind
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
