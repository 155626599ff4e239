"""Time integration: settings to integrators, blocks of compiled steps, stages, checkpoints.

In: a system, a start state, settings, what to record. Out: records of the run and why it ended.
Open `simulate` first, then `run`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.hybrid.simulation.drift import (
        EXPLICIT_METHODS as EXPLICIT_METHODS,
        DriftRun as DriftRun,
        compare_drift as compare_drift,
        stable_factors as stable_factors,
    )
    from floatframe.hybrid.simulation.integrators_scipy import OUTSIDE_METHODS as OUTSIDE_METHODS
    from floatframe.hybrid.simulation.methods import checked_settings as checked_settings
    from floatframe.hybrid.simulation.run import Progress as Progress
    from floatframe.hybrid.simulation.simulate import (
        nothing_left as nothing_left,
        same_run as same_run,
        simulate as simulate,
        start_state as start_state,
        steady_motion as steady_motion,
    )
    from floatframe.hybrid.simulation.solver_choice import (
        OF_LOOPS as OF_LOOPS,
        OF_TREES as OF_TREES,
        SolverFactors as SolverFactors,
        fitted as fitted,
        known_factors as known_factors,
        own_factors as own_factors,
        solver_flops as solver_flops,
        solvers_for as solvers_for,
        tree_features as tree_features,
    )
    from floatframe.hybrid.simulation.solver_times import SolverTime as SolverTime, solver_times as solver_times
    from floatframe.hybrid.simulation.solvers import (
        chosen_solver as chosen_solver,
        unusable_solvers as unusable_solvers,
        usable_solvers as usable_solvers,
    )
    from floatframe.hybrid.simulation.tree_in_numbers import accelerations_in as accelerations_in
    from floatframe.hybrid.simulation.workplace import Workplace as Workplace
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
